"""The words of Scout as frozen values. What they mean: README, section "Words"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Any


class Purpose(StrEnum):
    """Why a request leaves: what it is charged to."""

    SEARCH = "search"
    PAGE = "page"
    ROBOTS = "robots"


class Secret(str):
    """A key. Prints as asterisks; the door that needs it writes `key.reveal()`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Secret('***')" if self else "Secret('')"

    def __str__(self) -> str:
        return "***" if self else ""

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def reveal(self) -> str:
        """The key itself."""
        return str.__str__(self)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a dialogue with a model. `role` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said, and what the server says it cost. Counts are 0 where the server does not tell."""

    text: str
    model: str = ""
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    finish: str = "stop"  # stop | length
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class Action:
    """A valid call of a tool. `args` values are str or int."""

    tool: str
    args: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """The call in canonical JSON: two calls with one key are the same call."""
        return json.dumps({"action": self.tool, **self.args}, ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result."""

    title: str
    url: str
    snippet: str = ""
    published: str = ""  # ISO date, "" if unknown
    provider: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """A link on a page read: absolute URL and its text."""

    url: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a page, in document order.

    kind: heading, paragraph, item, row, code, quote or definition. `level` is the heading's level or the item's depth.
    A row's `header` holds the column names its cells are read under, and `table` numbers its table on the page from 0.
    """

    kind: str
    text: str
    level: int = 0
    header: str = ""
    table: int = -1


@dataclass(frozen=True, slots=True)
class Page:
    """A document as read. `text` is the plain rendering of `blocks`; dates are local days as the page writes them.

    status: ok, js_required, not_found, blocked, paywall, meta_refresh. `level` says which way of reading won.
    """

    url: str
    title: str
    published: date | None
    modified: date | None
    blocks: tuple[Block, ...]
    text: str
    links: tuple[Link, ...] = ()
    status: str = "ok"
    lang: str = ""
    level: str = ""
    refresh_to: str = ""  # target of a meta refresh, absolute


@dataclass(frozen=True, slots=True)
class Source:
    """A page read in this run. `text` is the page's whole plain text; `sha256` is that of the bytes received.

    `blocks` are what the text was made of, () where it never was more than text.
    """

    url: str
    title: str
    text: str
    published: str = ""  # ISO date, "" if unknown
    retrieved: str = ""  # ISO 8601 UTC
    sha256: str = ""
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What the separate reading of one page brought. `quote` is verbatim from the page; "" means NOT FOUND."""

    url: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Observation:
    """What a tool brought back, as the model will read it. Untrusted text."""

    text: str
    hits: tuple[Hit, ...] = ()
    sources: tuple[Source, ...] = ()
    links: tuple[Link, ...] = ()
    notes: tuple[str, ...] = ()  # Scout's own words: cuts, hidden results, provider failures
    finding: Finding | None = None
    error: str = ""  # class name of the ToolError behind it; "" on success


class Verdict(StrEnum):
    """What the evidence says of a claim."""

    SUPPORTED = "supported"
    PARTIAL = "partial"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim span of a source. `source` counts from 1 in the order the pages were read."""

    source: int
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, list item or row of an answer, judged. `reason` says what is missing, "" when supported."""

    text: str
    verdict: Verdict
    quotes: tuple[Quote, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model says (`content`), and what is left of it after the evidence check (`text`, citations rendered)."""

    content: str
    text: str = ""
    claims: tuple[Claim, ...] = ()
    abstained: bool = False

    @property
    def supported(self) -> bool:
        """Every claim stands on a page read."""
        return bool(self.claims) and all(c.verdict is Verdict.SUPPORTED for c in self.claims)


@dataclass(frozen=True, slots=True)
class Step:
    """One turn: the menu as the model saw it, its reply, the action read from it, what came back."""

    menu: str
    reply: Reply
    action: Action | None
    observation: Observation


class Status(StrEnum):
    """How a run ended."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    ABSTAINED = "abstained"
    LIMIT = "limit"
    NO_MODEL = "no_model"
    NO_WEB = "no_web"
    INTERRUPTED = "interrupted"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two pages that disagree on one thing."""

    what: str
    values: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Egress:
    """What left for one host in one run. `received` counts body bytes after decompression."""

    host: str
    requests: int
    received: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run has spent."""

    steps: int = 0
    requests: int = 0
    received: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    model_seconds: float = 0.0
    cost_usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run comes to. `note` is one line for a person when the status is not supported.

    `found` holds the best verbatim findings where there is no answer: nothing found is lost.
    """

    run: str
    question: str
    status: Status
    answer: Answer
    sources: tuple[Source, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    found: tuple[Quote, ...] = ()
    hits: tuple[Hit, ...] = ()
    usage: Usage = field(default_factory=Usage)
    model: str = ""
    egress: tuple[Egress, ...] = ()
    note: str = ""
    refusals: tuple[str, ...] = ()  # what was kept out, in words: hidden hosts, denied URLs


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the record. `at` is UTC; `data` is JSON-ready and holds no secret."""

    seq: int
    kind: str
    at: datetime
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A search provider as configured: where it is and what opens it. `extra` holds what only that provider needs."""

    provider: str
    base_url: str = ""
    keys: tuple[Secret, ...] = ()
    extra: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """A request to a configured service, not to a page. `json` makes it a POST of JSON, `form` one of a form."""

    url: str
    params: tuple[tuple[str, str], ...] = ()
    headers: tuple[tuple[str, str], ...] = ()
    form: tuple[tuple[str, str], ...] | None = None
    json: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Fetched:
    """A response on its way to a reader. `url` is the final one, `body` decompressed, header names lower case."""

    url: str
    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    retrieved: str = ""  # ISO 8601 UTC
    sha256: str = ""  # of body
    truncated: bool = False  # the body was longer than the cap; what is here is its beginning
