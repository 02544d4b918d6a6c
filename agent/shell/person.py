"""Is somebody there to ask, and what do they say?"""

from __future__ import annotations

from agent.settings import Settings
from agent.shell.plain import one_line
from agent.shell.stdio import Stdio


def can_ask(settings: Settings, stdio: Stdio) -> bool:
    """Somebody is there to answer: a terminal at both ends, and `--no-input` was not given."""
    return stdio.stdin_isatty and stdio.stderr_isatty and not settings.no_input


def confirm(stdio: Stdio, question: str) -> bool:
    """Ask a yes-or-no question on stderr. Only y or yes is a yes; end of input is a no."""
    stdio.err(f"{one_line(question)} [y/N] ")
    reply = stdio.stdin.readline()
    if not reply.endswith("\n"):
        stdio.err("\n")
    return reply.strip().lower() in ("y", "yes")
