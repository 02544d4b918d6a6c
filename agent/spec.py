"""A tool's card: what it is for, what it takes, what it may do. The agent knows tools by their cards alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from agent.types import Answer, Observation, Purpose


class Effect(StrEnum):
    """READ looks, KEEP writes something of the user's own, ACT changes the world. ACT asks a person every time."""

    READ = "read"
    KEEP = "keep"
    ACT = "act"


class Kind(StrEnum):
    """What a parameter means to the menu, which enumerates all but free text."""

    TEXT = "text"  # free text for a person: the answer
    QUERY = "query"  # words for a search provider
    URL = "url"  # one of the URLs seen in this run
    SITE = "site"  # one of the whitelisted domains, or "any"
    SOURCE = "source"  # number of a page read in this run
    OFFSET = "offset"  # character position in a page, from 0


@dataclass(frozen=True, slots=True)
class Param:
    """One parameter. `about` is read by the model; `max_chars` bounds a text."""

    name: str
    kind: Kind
    about: str
    max_chars: int = 0
    required: bool = True

    @property
    def type(self) -> type[str] | type[int]:
        """What the value is in Python and in JSON Schema."""
        return int if self.kind in (Kind.SOURCE, Kind.OFFSET) else str


@dataclass(frozen=True, slots=True)
class Tool:
    """A card and the function behind it, called as `run(ctx=…, **args)`.

    `about` says what the tool is for and when to use it. `spends` is what a call is charged to, None for
    a call that sends nothing.
    """

    name: str
    about: str
    params: tuple[Param, ...]
    run: Callable[..., Observation | Answer]
    effect: Effect = Effect.READ
    spends: Purpose | None = None
    ends: bool = False  # its Answer ends the run


Registry = Mapping[str, Tool]
