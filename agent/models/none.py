"""No model: takes the first thing on the menu."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from agent.types import Message, Reply


class NoModel:
    """Stands where a model would. The menu's order of preference is then all that leads a run."""

    name = "none"
    window = 0
    size_b = 0.0

    def learn(self) -> None:
        """There is nothing to learn."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """The first action that `schema` allows, each argument the first that it lists; "" where it is free text."""
        if schema is None:
            return Reply("", model=self.name)
        branch = schema["anyOf"][0] if "anyOf" in schema else schema
        chosen = {name: _first(branch["properties"][name]) for name in branch["required"]}
        return Reply(json.dumps(chosen, ensure_ascii=False), model=self.name)

    def close(self) -> None:
        """Nothing to let go of."""


def _first(rule: Mapping[str, Any]) -> str | int:
    if "const" in rule:
        return str(rule["const"])
    first: str | int = rule["enum"][0] if "enum" in rule else (0 if rule.get("type") == "integer" else "")
    return first
