"""Trace: the steps of one run, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import TypeVar

from agent.types import Answer, Finding, Hit, Link, Source, Step

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Trace:
    """One run so far. `offered` are the URLs in the user's words that the policy admits; `notes` name the others."""

    question: str
    offered: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    answer: Answer | None = None

    def add(self, step: Step, answer: Answer | None = None) -> Trace:
        """The trace one step on."""
        return replace(self, steps=(*self.steps, step), answer=answer)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Pages read, each once, in the order they were read: source n is `sources[n - 1]`."""
        return _once((source for step in self.steps for source in step.observation.sources), lambda s: s.url)

    @property
    def hits(self) -> tuple[Hit, ...]:
        """Search results, each URL once: the latest search first, and best first within one."""
        return _once((hit for step in reversed(self.steps) for hit in step.observation.hits), lambda h: h.url)

    @property
    def links(self) -> tuple[Link, ...]:
        """Links on the pages read, each URL once."""
        return _once((link for step in self.steps for link in step.observation.links), lambda link: link.url)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What reading the pages alone has found."""
        found = (step.observation.finding for step in self.steps)
        return tuple(finding for finding in found if finding and finding.quote)

    @property
    def tried(self) -> frozenset[str]:
        """URLs that were asked for, whether they could be read or not."""
        return self.given("url") | {source.url for source in self.sources}

    @property
    def seen(self) -> tuple[str, ...]:
        """URLs that may be asked for: the user's own, then hits, then links on pages read, each once."""
        return tuple(dict.fromkeys((*self.offered, *(h.url for h in self.hits), *(link.url for link in self.links))))

    @property
    def said(self) -> frozenset[str]:
        """Keys of the actions that were carried out, with whatever result."""
        return frozenset(step.action.key for step in self.steps if step.action)

    def given(self, argument: str) -> frozenset[str]:
        """All values that were said for an argument of that name."""
        return frozenset(str(s.action.args[argument]) for s in self.steps if s.action and argument in s.action.args)

    @property
    def bad_at_the_end(self) -> int:
        """How many replies in a row, up to now, were no action."""
        return _leading(step.observation.error == "BadAction" for step in reversed(self.steps))

    @property
    def sent_back(self) -> bool:
        """An answer has been sent back once."""
        return any(step.observation.error == "Unsupported" for step in self.steps)

    def failures(self, tool: str) -> int:
        """How often in a row, up to now, this tool has failed."""
        mine = [step for step in self.steps if step.action and step.action.tool == tool]
        return _leading(step.observation.error not in ("", "Unsupported") for step in reversed(mine))

    def useless(self, tool: str) -> bool:
        """Asking this tool again in this run is useless: no provider answered at all."""
        return any(s.action and s.action.tool == tool and s.observation.error == "SearchFailed" for s in self.steps)


def _once(things: Iterable[T], key: Callable[[T], str]) -> tuple[T, ...]:
    """The first of each key, in order."""
    first: dict[str, T] = {}
    for thing in things:
        first.setdefault(key(thing), thing)
    return tuple(first.values())


def _leading(flags: Iterable[bool]) -> int:
    """How many are true before the first that is not."""
    return sum(1 for _ in takewhile(bool, flags))
