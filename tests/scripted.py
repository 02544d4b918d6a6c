"""Fakes of our own ports: a model that says its lines, a clock set by hand, a ranker by shared words, a person."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.types import Action, Event, Message, Reply, Source

Script = str | BaseException | Callable[[Sequence[Message], Mapping[str, Any]], str]


def act(tool: str, **args: str | int) -> str:
    """A reply that is this action."""
    return json.dumps({"action": tool, **args}, ensure_ascii=False)


@dataclass
class ScriptedModel:
    """Says its lines in order, the last one again and again. Keeps what it was asked."""

    lines: list[Script]
    name: str = "scripted"
    window: int = 8192
    size_b: float = 0.0
    finish: str = "stop"
    asked: list[tuple[Message, ...]] = field(default_factory=list)
    schemas: list[Mapping[str, Any] | None] = field(default_factory=list)

    def learn(self) -> None:
        pass

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        self.asked.append(tuple(messages))
        self.schemas.append(schema)
        line = self.lines.pop(0) if len(self.lines) > 1 else self.lines[0]
        if isinstance(line, BaseException):
            raise line
        text = line if isinstance(line, str) else line(messages, schema or {})
        return Reply(text, model=self.name, prompt_tokens=100, output_tokens=10, seconds=0.5, finish=self.finish)

    def close(self) -> None:
        pass


@dataclass
class SetClock:
    """A clock that moves only when told to, or slept on."""

    at: datetime = datetime(2026, 11, 30, 12, tzinfo=UTC)
    elapsed: float = 0.0

    def now(self) -> datetime:
        return self.at + timedelta(seconds=self.elapsed)

    def monotonic(self) -> float:
        return self.elapsed

    def sleep(self, seconds: float) -> None:
        self.elapsed += seconds


class WordRanker:
    """Ranks by shared words."""

    def passages(self, text: str, question: str, max_chars: int) -> str:
        return text[:max_chars]

    def coverage(self, sentence: str, question: str, title: str) -> float:
        words = set(re.findall(r"\w{4,}", question.lower())) - set(re.findall(r"\w{4,}", title.lower()))
        return len(words & set(re.findall(r"\w{4,}", sentence.lower()))) / len(words) if words else 1.0

    def sentences(self, source: Source, question: str) -> tuple[str, ...]:
        words = set(re.findall(r"\w{4,}", question.lower()))
        found = [s for s in re.split(r"(?<=\.)\s+", source.text) if words & set(re.findall(r"\w{4,}", s.lower()))]
        return tuple(sorted(found, key=lambda s: -len(words & set(re.findall(r"\w{4,}", s.lower())))))

    def queries(self, question: str) -> tuple[str, ...]:
        return (" ".join(re.findall(r"\w{4,}", question)),)


@dataclass
class Says:
    """A person who always gives the same answer."""

    yes: bool
    asked: list[Action] = field(default_factory=list)

    def approve(self, action: Action) -> bool:
        self.asked.append(action)
        return self.yes

    def fetch(self, name: str) -> bool:
        return self.yes


class ListJournal(list[Event]):
    """Keeps events in a list."""

    def __call__(self, event: Event) -> None:
        self.append(event)

    def kinds(self) -> list[str]:
        return [event.kind for event in self]
