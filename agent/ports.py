"""What the core needs from outside, as Protocols, and the ToolContext through which a tool reaches the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from agent.types import Action, Endpoint, Event, Fetched, Message, Reply, ServiceRequest, Source


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """The time of day, UTC, with its zone."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""

    def sleep(self, seconds: float) -> None:
        """Wait; Ctrl-C ends it."""


class Model(Protocol):
    """A language model behind any server."""

    name: str  # as the user would name it: "ollama:phi3:mini"
    window: int  # tokens the server really keeps; 0 where it does not tell
    size_b: float  # parameters in billions; 0.0 where nothing tells

    def learn(self) -> None:
        """Ask the server what the model is, where that is not known yet. Raises ModelUnavailable."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """One reply. `schema` is the output grammar, None for free text.

        Raises ModelUnavailable: down, unknown model, wrong key, deadline passed, prompt does not fit.
        Ctrl-C ends it at once.
        """

    def close(self) -> None:
        """Let go of sockets and child processes. Safe to call twice."""


class Web(Protocol):
    """Pages, through the gate."""

    def get(self, url: str) -> Fetched:
        """Fetch one page. Raises PolicyDenied, FetchFailed (status >= 400 included)."""


class Services(Protocol):
    """Search APIs: each request is counted, goes to the origin its provider is configured for, follows no redirect."""

    def send(self, request: ServiceRequest) -> Fetched:
        """One request and its reply, whatever its status. Raises PolicyDenied (budget spent), FetchFailed."""


class Ranker(Protocol):
    """Ranks in code what a model would rank badly."""

    def passages(self, text: str, question: str, max_chars: int) -> str:
        """What of a plain text bears on the question, at most `max_chars` characters, cuts marked."""

    def sentences(self, source: Source, question: str) -> tuple[str, ...]:
        """Verbatim sentences of a page that bear on the question, best first."""

    def coverage(self, sentence: str, question: str, title: str) -> float:
        """Share of the question's words, those of the page's title aside, that stand in the sentence: 0 to 1."""

    def queries(self, question: str) -> tuple[str, ...]:
        """Search queries made of the question's own words, best first."""


class Store(Protocol):
    """Bodies by content."""

    def put(self, body: bytes) -> str:
        """Keep `body`; gives its SHA-256 in hex."""

    def get(self, sha256: str) -> bytes:
        """The body. Raises KeyError."""


class Approver(Protocol):
    """Asks a person."""

    def approve(self, action: Action) -> bool:
        """May this exact action be carried out?"""

    def fetch(self, name: str) -> bool:
        """Offer to fetch the weights `name`; True when they are there now."""


class Journal(Protocol):
    """Where events go as they happen."""

    def record(self, event: Event) -> None:
        """Keep one event. What it keeps survives a crash right after."""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """All that a tool can reach. Sizes are in characters."""

    question: str
    web: Web
    services: Services
    store: Store
    refusal: Callable[[str], str]  # why the policy refuses a URL, "" when it admits it
    now: datetime
    endpoints: tuple[Endpoint, ...] = ()  # search providers, in the order to ask them
    sites: tuple[str, ...] = ()  # whitelisted domains
    sources: tuple[Source, ...] = ()  # read so far in this run; number n is sources[n - 1]
    results: int = 3
    snippet_chars: int = 120
    page_chars: int = 3000
    extra: Mapping[str, str] = field(default_factory=dict)
