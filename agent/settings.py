"""Settings: flags over environment over .env over defaults, read once. The only reader of os.environ."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from agent.budget import Budget
from agent.errors import ConfigError
from agent.types import Endpoint, Secret

PREFIX = "SCOUT_"
TRUE, FALSE = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off", ""})
NO_KEY = Secret("")
PROVIDERS = ("searxng", "google", "duckduckgo", "wikipedia")


def setting(default: Any, about: str, *, env: str = "", flag: str = "", choices: tuple[str, ...] = ()) -> Any:
    """A field of Settings: its default, what the README says of it, its environment variable and its flag."""
    return field(default=default, metadata={"about": about, "env": env, "flag": flag, "choices": choices})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything a run may depend on. Secrets print as asterisks."""

    model: str = setting(
        "auto", "auto, ollama:NAME, openai:NAME, local, local:FILE.gguf or none", env="SCOUT_MODEL", flag="--model"
    )
    search: str = setting(
        "auto",
        "search providers in order, comma separated: " + ", ".join(PROVIDERS),
        env="SCOUT_SEARCH",
        flag="--search",
    )
    sites: tuple[str, ...] = setting(
        ("wikipedia.org", "nasa.gov", "statista.com"), "the whitelist, comma separated", env="SCOUT_SITES"
    )
    allow: tuple[str, ...] = setting((), "one more whitelisted domain; repeatable", env="SCOUT_ALLOW", flag="--allow")
    allow_private: tuple[str, ...] = setting(
        (),
        "one intranet HOST:PORT that may be read, over http and at a private address; repeatable",
        env="SCOUT_ALLOW_PRIVATE",
        flag="--allow-private",
    )
    guide: str = setting(
        "auto",
        "how closely the menu leads the model: free, steps or auto",
        env="SCOUT_GUIDE",
        flag="--guide",
        choices=("auto", "free", "steps"),
    )
    max_steps: int = setting(8, "turns of the model a question", env="SCOUT_MAX_STEPS", flag="--max-steps")
    max_requests: int = setting(5, "requests on the wire a question", env="SCOUT_MAX_REQUESTS", flag="--max-requests")
    timeout: float = setting(600.0, "seconds a question", env="SCOUT_TIMEOUT", flag="--timeout")
    json: bool = setting(False, "print one JSON document instead of text", flag="--json")
    jsonl: bool = setting(False, "print each event as a JSON line as it happens", flag="--jsonl")
    quiet: bool = setting(False, "no progress on stderr", env="SCOUT_QUIET", flag="--quiet")
    verbose: bool = setting(False, "one plain line on stderr for each event", env="SCOUT_VERBOSE", flag="--verbose")
    no_input: bool = setting(False, "never ask anything", env="SCOUT_NO_INPUT", flag="--no-input")
    yes: tuple[str, ...] = setting(
        (), "approve this tool without asking; repeatable (`models`: fetching weights)", env="SCOUT_YES", flag="--yes"
    )
    offline: bool = setting(False, "send nothing to the web", env="SCOUT_OFFLINE", flag="--offline")
    ignore_robots: bool = setting(
        False, "read pages that robots.txt asks not to read", env="SCOUT_IGNORE_ROBOTS", flag="--ignore-robots"
    )
    data_dir: str = setting(
        "",
        "where the journal and the weights are kept; $XDG_DATA_HOME/scout by default",
        env="SCOUT_DATA_DIR",
        flag="--data-dir",
    )
    searches_in_a_row: int = setting(
        2, "requests to search providers in a row without reading a page", env="SCOUT_SEARCHES_IN_A_ROW"
    )
    reserve: int = setting(1, "requests kept for checking an answer that was sent back", env="SCOUT_RESERVE")
    repairs: int = setting(2, "retries a turn after a reply that is no action", env="SCOUT_REPAIRS")
    bad_in_a_row: int = setting(3, "bad actions in a row that end the run", env="SCOUT_BAD_IN_A_ROW")
    failures_in_a_row: int = setting(
        3, "failures in a row after which a tool leaves the menu", env="SCOUT_FAILURES_IN_A_ROW"
    )
    search_seconds: float = setting(10.0, "seconds a search request", env="SCOUT_SEARCH_SECONDS")
    page_seconds: float = setting(12.0, "seconds a page", env="SCOUT_PAGE_SECONDS")
    model_seconds: float = setting(300.0, "seconds one reply of the model", env="SCOUT_MODEL_SECONDS")
    page_bytes: int = setting(
        2 * 1024 * 1024, "bytes of a page after decompression; the rest is cut", env="SCOUT_PAGE_BYTES"
    )
    results: int = setting(3, "search results shown", env="SCOUT_RESULTS")
    snippet_chars: int = setting(120, "characters of a search result's snippet", env="SCOUT_SNIPPET_CHARS")
    observation_chars: int = setting(
        3000, "characters of a page shown to the model at once", env="SCOUT_OBSERVATION_CHARS"
    )
    answer_chars: int = setting(1200, "characters of an answer", env="SCOUT_ANSWER_CHARS")
    query_chars: int = setting(120, "characters of a search query", env="SCOUT_QUERY_CHARS")
    context: int = setting(
        8192, "tokens of context asked of Ollama, and taken for servers that do not tell", env="SCOUT_CONTEXT"
    )
    contact: str = setting(
        "", "your address or URL for the User-Agent, as Wikimedia's policy asks", env="SCOUT_CONTACT"
    )
    wikipedia_url: str = setting("", "another MediaWiki to search instead of Wikipedia", env="SCOUT_WIKIPEDIA_URL")
    weights_mirror: str = setting(
        "", "URL of a folder that holds the weights of the embedded model", env="SCOUT_WEIGHTS_MIRROR"
    )
    ollama_host: str = setting("http://127.0.0.1:11434", "where Ollama is", env="OLLAMA_HOST")
    openai_base_url: str = setting("", "an OpenAI-compatible server, with its /v1", env="OPENAI_BASE_URL")
    openai_api_key: Secret = setting(NO_KEY, "its key", env="OPENAI_API_KEY")
    google_api_key: Secret = setting(
        NO_KEY, "key of Google Custom Search, which ends on 2027-01-01", env="GOOGLE_API_KEY"
    )
    google_cse_id: str = setting("", "its search engine id", env="GOOGLE_CSE_ID")
    searxng_url: str = setting("", "your SearXNG server", env="SEARXNG_URL")
    https_proxy: str = setting("", "proxy for https", env="HTTPS_PROXY")
    http_proxy: str = setting("", "proxy for http", env="HTTP_PROXY")
    no_proxy: str = setting("", "hosts reached without the proxy", env="NO_PROXY")
    ca_bundle: str = setting("", "certificates to trust instead of the built-in ones", env="REQUESTS_CA_BUNDLE")
    ssl_cert_file: str = setting("", "the same, where REQUESTS_CA_BUNDLE is not set", env="SSL_CERT_FILE")
    no_color: bool = setting(False, "no colour on a terminal", env="NO_COLOR")
    xdg_data_home: str = setting("", "parent of the data folder; ~/.local/share by default", env="XDG_DATA_HOME")
    xdg_config_home: str = setting(
        "", "parent of the folder of the second .env; ~/.config by default", env="XDG_CONFIG_HOME"
    )

    @property
    def data_path(self) -> Path:
        """The folder of the journal and the weights."""
        if self.data_dir:
            return Path(self.data_dir).expanduser()
        return Path(self.xdg_data_home or "~/.local/share").expanduser() / "scout"

    @property
    def certificates(self) -> str:
        """File or folder of the certificates to trust, "" for the built-in ones. Raises ConfigError where it is not."""
        for name, path in (("REQUESTS_CA_BUNDLE", self.ca_bundle), ("SSL_CERT_FILE", self.ssl_cert_file)):
            if path and not Path(path).exists():
                raise ConfigError(f"{name}: {path} is not there")
        return self.ca_bundle or self.ssl_cert_file

    @property
    def budget(self) -> Budget:
        """The limits of one run."""
        return Budget(
            steps=self.max_steps,
            requests=0 if self.offline else self.max_requests,
            searches_in_a_row=self.searches_in_a_row,
            reserve=self.reserve,
            repairs=self.repairs,
            bad_in_a_row=self.bad_in_a_row,
            failures_in_a_row=self.failures_in_a_row,
            seconds=self.timeout,
            search_s=self.search_seconds,
            page_s=self.page_seconds,
            model_s=self.model_seconds,
            page_bytes=self.page_bytes,
            observation_chars=self.observation_chars,
            answer_chars=self.answer_chars,
            query_chars=self.query_chars,
        )

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Search providers in the order to ask them. Raises ConfigError for one that is not known or not set up."""
        configured = {
            "searxng": Endpoint("searxng", _address("SEARXNG_URL", self.searxng_url)) if self.searxng_url else None,
            "google": Endpoint("google", keys=(self.google_api_key,), extra={"cx": self.google_cse_id})
            if self.google_api_key and self.google_cse_id
            else None,
            "duckduckgo": Endpoint("duckduckgo"),
            "wikipedia": Endpoint("wikipedia", _address("SCOUT_WIKIPEDIA_URL", self.wikipedia_url)),
        }
        if self.search == "auto":
            return tuple(e for name in ("searxng", "google", "wikipedia") if (e := configured[name]))
        return tuple(self._endpoint(name.strip(), configured) for name in self.search.split(",") if name.strip())

    @staticmethod
    def _endpoint(name: str, configured: Mapping[str, Endpoint | None]) -> Endpoint:
        if name not in configured:
            raise ConfigError(f"--search: no provider {name!r}; there are: {', '.join(configured)}")
        endpoint = configured[name]
        if endpoint is None:
            needs = {"searxng": "SEARXNG_URL", "google": "GOOGLE_API_KEY and GOOGLE_CSE_ID"}[name]
            raise ConfigError(f"--search: {name} needs {needs}")
        return endpoint


def load(flags: Mapping[str, Any], environ: Mapping[str, str] | None = None, cwd: Path | None = None) -> Settings:
    """Flags (by field name) over `environ` (the process's) over ./.env over the user's own .env over defaults.

    Raises ConfigError for a key with the prefix SCOUT_ that is no setting, and for a value that does not fit.
    """
    env = os.environ if environ is None else environ
    home = Path(env.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "scout"
    values: dict[str, Any] = {}
    for where, pairs in (
        (home / ".env", _dotenv(home / ".env")),
        ((cwd or Path()) / ".env", _dotenv((cwd or Path()) / ".env")),
        ("the environment", env),
    ):
        values |= _read(pairs, str(where))
    for name, value in flags.items():
        spec = _FIELDS[name]
        values[name] = _value(spec, value, spec.metadata["flag"]) if isinstance(value, str) else value
    return Settings(**values)


def _read(pairs: Mapping[str, str], where: str) -> dict[str, Any]:
    """The settings among `pairs`, by field name. Empty values count as not set, as shells have it."""
    by_env = {f.metadata["env"]: f for f in _FIELDS.values() if f.metadata["env"]}
    for key in pairs:
        if key.startswith(PREFIX) and key not in by_env:
            near = difflib.get_close_matches(key, by_env, 1)
            raise ConfigError(f"{where}: no setting {key}" + (f"; did you mean {near[0]}?" if near else "; see README"))
    found = {}
    for env, spec in by_env.items():
        # Proxies are known under lower-case names too: curl and requests read both.
        value = pairs.get(env) or (pairs.get(env.lower()) if env.endswith("_PROXY") else None)
        if value:
            found[spec.name] = _value(spec, value, f"{where}: {env}")
    return found


def _value(spec: Field[Any], text: str, where: str) -> Any:
    """`text` in the type of the field's default."""
    default, choices = spec.default, spec.metadata["choices"]
    if choices and text not in choices:
        raise ConfigError(f"{where}: {text!r} is none of {', '.join(choices)}")
    if isinstance(default, bool):
        # https://no-color.org: any value that is not empty means yes.
        return True if spec.name == "no_color" else _flag(text, where)
    if spec.name == "contact" and not (text.isascii() and text.isprintable()):
        raise ConfigError(f"{where}: only ASCII letters, digits and marks go into a header")
    if isinstance(default, (int, float)):
        return _number(type(default), text, where)
    if isinstance(default, tuple):
        return _split(text)
    return Secret(text) if isinstance(default, Secret) else text


def _address(name: str, url: str) -> str:
    """`url` as it is, "" included. Raises ConfigError for what is no address of a server."""
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a bracket without its partner, a port beyond 65535
        whole = False
    if url and not whole:
        raise ConfigError(f"{name}: {url!r} is not a URL; write it as http://127.0.0.1:8080")
    return url


def _flag(text: str, where: str) -> bool:
    if text.lower() not in TRUE | FALSE:
        raise ConfigError(f"{where}: {text!r} is neither on nor off; write 1 or 0")
    return text.lower() in TRUE


def _number(kind: type[int] | type[float], text: str, where: str) -> int | float:
    try:
        number = kind(text)
    except ValueError as err:
        raise ConfigError(f"{where}: {text!r} is no {'whole ' if kind is int else ''}number") from err
    if not 0 <= number < float("inf"):
        raise ConfigError(f"{where}: {text} is out of range; write a number from 0 up")
    return number


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _dotenv(path: Path) -> dict[str, str]:
    """The pairs of a .env file, {} where there is none. Raises ConfigError with the line that cannot be read."""
    try:
        if not path.is_file():
            return {}
        from dotenv.parser import parse_stream  # only where there is a file: start-up time

        with path.open(encoding="utf-8-sig") as stream:
            bindings = list(parse_stream(stream))
    except (OSError, UnicodeDecodeError) as err:
        raise ConfigError(f"{path}: cannot be read: {err}") from err
    for binding in bindings:
        if binding.error:
            raise ConfigError(f"{path}, line {binding.original.line}: not of the form NAME=value")
    return {b.key: b.value or "" for b in bindings if b.key}


def documented() -> Iterable[Field[Any]]:
    """All fields, for the help text and the README's table."""
    return _FIELDS.values()


_FIELDS = {f.name: f for f in fields(Settings)}
