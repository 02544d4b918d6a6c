"""Which backend a model's name means, and what `auto` comes to."""

from __future__ import annotations

from collections.abc import Callable

from agent.doors.proxies import Proxies
from agent.errors import ConfigError
from agent.models.none import NoModel
from agent.ports import Model
from agent.settings import Settings

Fetch = Callable[[str], bool]  # offers to fetch weights; True when they are there now
WEIGHTS = "weights"


def open_model(name: str, settings: Settings, fetch: Fetch = lambda weights: False) -> Model:
    """The model `name`, spelled as for --model. Nothing is sent or started before its first reply, save for `auto`.

    Raises ConfigError (no such kind of model), ModelUnavailable.
    """
    kind, _, rest = name.partition(":")
    if kind == "auto" and not rest:
        return _auto(settings, fetch)
    if kind == "none" and not rest:
        return NoModel()
    if kind not in BACKENDS:
        raise ConfigError(f"--model: no kind of model {kind!r}; there are: auto, {', '.join(BACKENDS)}, none")
    return BACKENDS[kind](rest, settings)


def _auto(settings: Settings, fetch: Fetch) -> Model:
    """A running Ollama, else OPENAI_BASE_URL, else the embedded model, fetched if the user says yes, else none."""
    from agent.models import ollama

    if ollama.running(settings.ollama_host, proxies(settings)) and (
        names := ollama.models(settings.ollama_host, proxies(settings))
    ):
        return _ollama(names[0], settings)
    if settings.openai_base_url:
        return _openai("", settings)
    from agent.models import weights  # start-up: only where no server is

    here = weights.installed(settings.data_path / WEIGHTS)
    if weights.DEFAULT in here or fetch(weights.DEFAULT.name):
        return _local("", settings)
    return NoModel()


def _ollama(name: str, settings: Settings) -> Model:
    from agent.models.ollama import OllamaModel

    if not name:
        raise ConfigError("--model: ollama needs a name, as in ollama:qwen2.5:3b; `ollama list` shows them")
    return OllamaModel(
        name, settings.ollama_host, settings.context, proxies=proxies(settings), ca_bundle=settings.certificates
    )


def _openai(name: str, settings: Settings) -> Model:
    from agent.models.openai import OpenAIModel

    if not settings.openai_base_url:
        raise ConfigError("--model: openai needs OPENAI_BASE_URL, as in http://127.0.0.1:8000/v1")
    return OpenAIModel(
        name,
        settings.openai_base_url,
        settings.openai_api_key,
        window=settings.context,
        proxies=proxies(settings),
        ca_bundle=settings.certificates,
    )


def _local(name: str, settings: Settings) -> Model:
    from agent.models.embedded import EmbeddedModel

    return EmbeddedModel(name, settings.data_path / WEIGHTS, log=settings.data_path / "llama.log")


def proxies(settings: Settings) -> Proxies:
    """The proxies of the settings."""
    return Proxies(settings.http_proxy, settings.https_proxy, settings.no_proxy)


BACKENDS: dict[str, Callable[[str, Settings], Model]] = {"ollama": _ollama, "openai": _openai, "local": _local}
