"""Fakes of our own ports, a few lines each. Everything else in the tests is real."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from agent.errors import ConfigError, ModelUnavailable
from agent.outcome import document
from agent.ports import Approver
from agent.settings import Settings
from agent.shell.ports import App, Listener
from agent.types import Answer, Claim, Event, Outcome, Quote, Source, Status, Usage, Verdict

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
FERRY = Source(
    "https://en.wikipedia.org/wiki/Ferry", "Ferry", "The ferry takes 40 minutes.", "2024-04-15", NOON.isoformat()
)
CLAIM = Claim("The crossing takes 40 minutes.", Verdict.SUPPORTED, (Quote(1, "The ferry takes 40 minutes."),))
ANSWER = Answer("The crossing takes 40 minutes.", "The crossing takes 40 minutes [1].", (CLAIM,))


def outcome(status: Status = Status.SUPPORTED, **changes: Any) -> Outcome:
    """An Outcome as a run would give it: answered from one page, or with nothing but its note."""
    answered = status in (Status.SUPPORTED, Status.UNSUPPORTED)
    base = Outcome("01JTEST", "How long?", status, ANSWER if answered else Answer(""), (FERRY,) if answered else ())
    return replace(base, model="scripted:1", usage=Usage(steps=2, requests=2, received=4821, seconds=9.5), **changes)


def event(seq: int, kind: str, **data: Any) -> Event:
    """One event, `seq` seconds after noon."""
    return Event(seq, kind, NOON + timedelta(seconds=seq), data)


@dataclass(slots=True)
class ScriptedConversation:
    """Gives one Outcome to every question, with the events of its run, and takes `lasts_s` for it."""

    result: Outcome
    events: Sequence[Event] = ()
    lasts_s: float = 0.0
    model: str = "scripted:1"
    listener: Listener | None = None
    approver: Approver | None = None
    settings: Settings | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    closed: int = 0

    def ask(self, question: str, context: str = "") -> Outcome:
        self.asked.append((question, context))
        result = replace(self.result, question=question)
        try:
            self.emit(*(self.events or (event(1, "run", run=result.run, question=question, model=self.model),)))
            # In slices: Python may miss an interrupt that comes in the very moment before a sleep begins.
            for _ in range(round(self.lasts_s / 0.02)):
                time.sleep(0.02)
        except KeyboardInterrupt:
            result = outcome(Status.INTERRUPTED, question=question, note="interrupted before an answer")
        self.emit(event(9, "outcome", **document(result)))
        return result

    def emit(self, *events: Event) -> None:
        for one in events:
            if self.listener:
                self.listener(one)

    def allow(self, domain: str) -> None:
        if "." not in domain:
            raise ConfigError(f"/allow: {domain!r} is no domain")
        self.allowed.append(domain)

    def use_model(self, name: str) -> None:
        if name == "gone":
            raise ModelUnavailable(name, "there is no such model", "ollama pull gone")
        self.model = name

    def close(self) -> None:
        self.closed += 1


def fake_app(conversation: ScriptedConversation | Exception, tools: Mapping[str, Any] | None = None) -> App:
    """An App that opens `conversation`, or raises it."""

    def opened(settings: Settings, listener: Listener, approver: Approver) -> ScriptedConversation:
        if isinstance(conversation, Exception):
            raise conversation
        conversation.settings, conversation.listener, conversation.approver = settings, listener, approver
        return conversation

    return App(tools or {}, opened)
