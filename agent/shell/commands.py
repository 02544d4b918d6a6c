"""The first words that are commands, and when a word is one and not the beginning of a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from agent.errors import ConfigError
from agent.settings import Settings
from agent.shell.arguments import Arguments
from agent.shell.plain import one_line
from agent.shell.ports import App
from agent.shell.stdio import Stdio
from agent.shell.trace import is_run, trace

Words = tuple[str, ...]
LATER = frozenset(
    ("replay", "recheck", "audit", "memory", "doctor", "batch", "cost", "index", "policy", "read", "eval")
)


@dataclass(frozen=True, slots=True)
class Command:
    """A reserved first word. `fits` says whether the words behind it make a call of it."""

    name: str
    fits: Callable[[Words], bool]
    run: Callable[[Words, Settings, Stdio, App], int]


def find(given: Arguments) -> Command | None:
    """The command that the words call, None for a question. Raises ConfigError for a command of a later version."""
    if not given.words:
        return None
    name, rest = given.words[0], (*given.words[1:], *given.after)
    # Alone or with one word more it looks like a call; "memory of water in glass" does not.
    if name in LATER and len(rest) <= 1:
        ask = " ".join((name, *rest))
        raise ConfigError(f"{name!r} is a command of a later version; to ask about the word write: scout -- {ask}")
    command = COMMANDS.get(name)
    return command if command and command.fits(rest) else None


def _trace_fits(rest: Words) -> bool:
    return rest in ((), ("list",)) or (len(rest) == 1 and is_run(rest[0]))


def _models_fits(rest: Words) -> bool:
    return not rest or (rest[0] in ("list", "get", "remove") and len(rest) <= 2)


def _trace(rest: Words, settings: Settings, stdio: Stdio, _: App) -> int:
    return trace(rest, settings, stdio)


def _models(rest: Words, settings: Settings, stdio: Stdio, _: App) -> int:
    from agent.shell import models  # downloading and hashing: nothing a question needs at its start

    return models.models(rest, settings, stdio)


def _tools(rest: Words, settings: Settings, stdio: Stdio, app: App) -> int:
    """The cards, as the model reads them."""
    del rest, settings
    cards = []
    for tool in app.tools.values():
        params = "".join(f"\n    {param.name}: {one_line(param.about)}" for param in tool.params)
        cards.append(f"{tool.name} ({tool.effect}): {one_line(tool.about)}{params}\n")
    stdio.out("\n".join(cards))
    return 0


COMMANDS = {
    command.name: command
    for command in (
        Command("trace", _trace_fits, _trace),
        Command("models", _models_fits, _models),
        Command("tools", lambda rest: not rest, _tools),
    )
}
