"""Asking a person, and whom to ask: nobody in a pipe, so there the answer is no."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

from agent.settings import Settings
from agent.shell.person import can_ask, confirm
from agent.shell.plain import one_line
from agent.shell.stdio import Stdio
from agent.types import Action

Pause = Callable[[], AbstractContextManager[None]]  # takes the status line off the screen


class Nobody:
    """Nobody can be asked: yes to what `--yes` names, no to all else."""

    def __init__(self, settings: Settings, stdio: Stdio, pause: Pause = nullcontext) -> None:
        self._settings = settings
        self._stdio = stdio
        self._pause = pause

    def approve(self, action: Action) -> bool:
        """Whether its tool was approved beforehand."""
        return action.tool in self._settings.yes

    def fetch(self, name: str) -> bool:
        """Fetch the weights `name` where that is allowed; True when they are there now."""
        from agent.shell import models  # downloading and hashing: nothing most runs need

        with self._pause():
            return models.offer(name, self._settings, self._stdio)


class TerminalApprover(Nobody):
    """Shows the exact action on the terminal and takes y for yes, anything else for no."""

    def approve(self, action: Action) -> bool:
        """Ask, unless `--yes` names the tool."""
        if super().approve(action):
            return True
        with self._pause():
            # Every argument, whole and on a line of its own: nothing may hide behind a cut or a line break.
            self._stdio.err(f"scout asks to {one_line(action.tool)}:\n")
            for name, value in action.args.items():
                self._stdio.err(f"    {one_line(name)}: {one_line(str(value))}\n")
            return confirm(self._stdio, "Do it?")


def approver(settings: Settings, stdio: Stdio, pause: Pause = nullcontext) -> Nobody:
    """Whom this process asks."""
    return (TerminalApprover if can_ask(settings, stdio) else Nobody)(settings, stdio, pause)
