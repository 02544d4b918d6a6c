"""What the shell needs from the program behind it. `main.py` supplies it; the shell builds nothing itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from agent.ports import Approver
from agent.settings import Settings
from agent.spec import Registry
from agent.types import Event, Outcome

Listener = Callable[[Event], None]


class Conversation(Protocol):
    """One model held open over any number of questions."""

    @property
    def model(self) -> str:
        """Name of the model that answers."""

    def ask(self, question: str, context: str = "") -> Outcome:
        """One run, from question to Outcome. Ctrl-C inside it gives an Outcome with the status interrupted.

        Raises ConfigError (an empty or oversized question); all else that can go wrong is in the Outcome.
        """

    def allow(self, domain: str) -> None:
        """Whitelist one more domain for this conversation. Raises ConfigError."""

    def use_model(self, name: str) -> None:
        """Go on with another model. Raises ModelUnavailable, ConfigError; then the old one stays."""

    def close(self) -> None:
        """Let go of everything. Safe to call twice."""


@dataclass(frozen=True, slots=True)
class App:
    """The program as the shell sees it. `open` raises ModelUnavailable, ConfigError."""

    tools: Registry
    open: Callable[[Settings, Listener, Approver], Conversation]
