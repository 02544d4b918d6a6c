"""Ollama: a model in one window of one size for the whole run, without thinking, and what models are there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any
from urllib.parse import urlsplit

from agent.doors.clock import SystemClock
from agent.doors.model_http import ModelSender
from agent.doors.proxies import Proxies
from agent.errors import ConfigError, FetchFailed, ModelUnavailable
from agent.models.calling import MAX_CHARS_PER_TOKEN, SEED, Refused, patiently
from agent.models.completion import parts, split_thinking
from agent.models.sizes import size_b
from agent.ports import Clock
from agent.types import Message, Reply

DEFAULT_PORT = 11434
LOOK_S = 0.5
LEARN_S = 10.0
EVERYWHERE = frozenset({"0.0.0.0", "::"})  # where a server may listen, and nobody can call


class OllamaModel:
    """A model of an Ollama server. `context` is asked for in every call: another value would load the model anew."""

    def __init__(
        self,
        model: str,
        host: str,
        context: int = 8192,
        *,
        proxies: Proxies | None = None,
        ca_bundle: str = "",
        clock: Clock | None = None,
    ) -> None:
        self.name = f"ollama:{model}"
        self.window = context
        self.size_b = size_b(model)
        self._model, self._host = model, address(host)
        self._think: bool | str | None = None  # None: it cannot think, and the server would refuse the word
        self._learned = False
        self._clock = clock or SystemClock()
        self._sender = ModelSender(proxies, ca_bundle)

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """One reply, streamed, at temperature 0. Raises ModelUnavailable, also for a prompt that the server cut."""
        try:
            deadline = self._clock.monotonic() + timeout_s
            self._learn(timeout_s)
            left_s = deadline - self._clock.monotonic()
            return patiently(lambda left: self._ask(messages, schema, max_tokens, left), left_s, self._clock)
        except (FetchFailed, Refused) as err:
            raise self._unavailable(err, timeout_s) from err

    def learn(self) -> None:
        """Ask the server for the model's size, its training length and whether it thinks. Raises ModelUnavailable.

        The first reply does it where it was not done.
        """
        try:
            self._learn(LEARN_S)
        except (FetchFailed, Refused) as err:
            raise self._unavailable(err, LEARN_S) from err

    def close(self) -> None:
        """Drop the connection. Safe to call twice."""
        self._sender.close()

    def _learn(self, timeout_s: float) -> None:
        if self._learned:
            return
        from agent.models import ollama_client  # deferred: see there

        shown = ollama_client.show(self._sender, self._host, self._model, timeout_s)
        self.window = min(self.window, shown.trained or self.window)
        self.size_b = size_b(shown.size) or self.size_b
        if shown.thinks:
            # gpt-oss cannot stop thinking: it takes a level, and passes over False.
            self._think = "low" if "gpt-oss" in self._model else False
        self._learned = True

    def _ask(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, left_s: float
    ) -> Reply:
        from agent.models import ollama_client

        options = {"num_ctx": self.window, "num_predict": max_tokens, "temperature": 0, "seed": SEED}
        said: list[ollama_client.Part] = []
        chars, started = 0, self._clock.monotonic()
        asked = (self._sender, self._host, left_s, self._model, messages, schema, self._think, options)
        with closing(ollama_client.chat(*asked)) as pieces:
            for part in pieces:
                said.append(part)
                chars += len(part.text) + len(part.thinking)
                if chars > max_tokens * MAX_CHARS_PER_TOKEN:
                    break
        if not said:
            raise Refused(0, "it sends no reply", "garbage")
        last = said[-1]
        self._check_fit(last.prompt_tokens)
        # Older servers leave the thinking in the text.
        text, inline = split_thinking("".join(part.text for part in said))
        thinking = "".join(part.thinking for part in said) or inline
        if last.done == "length" and not text.strip():
            remedy = "choose a model that does not think"
            raise ModelUnavailable(self.name, f"its {max_tokens} tokens were spent before it said a word", remedy)
        seconds = last.seconds or self._clock.monotonic() - started
        finish = "stop" if last.done == "stop" else "length"
        return Reply(text, self._model, last.prompt_tokens, last.output_tokens, round(seconds, 3), finish, thinking)

    def _check_fit(self, prompt_tokens: int) -> None:
        """Servers that know `truncate` refuse what does not fit; older ones cut it silently until it just fits."""
        if prompt_tokens >= self.window - 1:
            raise Refused(400, "", "overflow", prompt=prompt_tokens, window=self.window)

    def _unavailable(self, err: FetchFailed | Refused, timeout_s: float) -> ModelUnavailable:
        if isinstance(err, Refused):
            return ModelUnavailable(self.name, *_verdict(err, self._model))
        if err.kind == "timeout":
            reason = f"{self._host}: no whole reply within {timeout_s:.3g} s"
            return ModelUnavailable(self.name, reason, "SCOUT_MODEL_SECONDS allows more; a smaller model is faster")
        remedy = "start it with: ollama serve (OLLAMA_HOST says where it is)"
        return ModelUnavailable(self.name, f"{self._host}: {err.reason}", remedy)


def running(host: str, proxies: Proxies | None = None) -> bool:
    """Does an Ollama answer at `host` within half a second?"""
    return "version" in _get(host, "/api/version", proxies)


def models(host: str, proxies: Proxies | None = None) -> tuple[str, ...]:
    """The chat models that it has, the one last changed first; () where it does not say."""
    listed = _get(host, "/api/tags", proxies).get("models")
    entries = [e for e in listed if isinstance(e, dict)] if isinstance(listed, list) else []
    entries.sort(key=lambda entry: str(entry.get("modified_at", "")), reverse=True)
    names = [str(entry.get("name") or entry.get("model") or "") for entry in entries if not _embeds(entry)]
    return tuple(name for name in names if name)


def address(host: str) -> str:
    """OLLAMA_HOST as a URL, read as Ollama's own client reads it; credentials are left out. Raises ConfigError."""
    scheme, _, rest = host.strip().rpartition("://")
    try:
        split = urlsplit(f"//{rest}")
        name, port = split.hostname or "127.0.0.1", split.port
    except ValueError as err:
        raise ConfigError(f"OLLAMA_HOST: no such address ({err}); write it as http://127.0.0.1:11434") from err
    if name in EVERYWHERE:
        name = "127.0.0.1"
    port = port or {"http": 80, "https": 443}.get(scheme, DEFAULT_PORT)
    return f"{scheme or 'http'}://{f'[{name}]' if ':' in name else name}:{port}{split.path.rstrip('/')}"


def _get(host: str, path: str, proxies: Proxies | None) -> Mapping[str, Any]:
    """What the server says there; {} for anything but a JSON object under status 200."""
    sender = ModelSender(proxies)
    try:
        with sender.open("GET", f"{address(host)}{path}", None, {}, LOOK_S) as incoming:
            return next(parts(incoming), {}) if incoming.status == 200 else {}
    except FetchFailed:
        return {}
    finally:
        sender.close()


def _embeds(entry: Mapping[str, Any]) -> bool:
    """Is it a model for embeddings only? The list does not say what a model can do; its family and name do."""
    details = entry.get("details")
    family = str(details.get("family", "")) if isinstance(details, Mapping) else ""
    return "bert" in family or "embed" in str(entry.get("name", ""))


def _verdict(refused: Refused, model: str) -> tuple[str, str]:
    """Reason and remedy for a person."""
    status, message = refused.status, refused.message
    if refused.code == "overflow":
        numbers = f"the prompt fills its window ({refused.prompt} of {refused.window} tokens) and may have been cut"
        remedy = "a larger SCOUT_CONTEXT or a lower SCOUT_OBSERVATION_CHARS would fit"
        return numbers if refused.window else message, remedy
    if refused.code == "garbage":
        return message, "is it really Ollama that OLLAMA_HOST names?"
    if status == 404:
        return "the server does not have it", f"ollama pull {model}"
    if status == 401:
        return "it runs in the cloud, which wants you to sign in", "ollama signin"
    if refused.code == "memory":
        return message, "choose a smaller model, or a smaller SCOUT_CONTEXT"
    if status == 503:
        return f"the server is busy ({message})", "try again later"
    return f"the server answered with status {status} ({message})", "the log of ollama serve may say why"
