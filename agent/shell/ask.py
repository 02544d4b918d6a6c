"""One question from the command line, from the opened program to the printed Outcome."""

from __future__ import annotations

from contextlib import closing

from agent import outcome as outcomes
from agent.doors.clock import SystemClock
from agent.errors import ModelUnavailable
from agent.settings import Settings
from agent.shell import render
from agent.shell.approval import approver
from agent.shell.piped import Question
from agent.shell.plain import one_line
from agent.shell.ports import App
from agent.shell.progress import Progress
from agent.shell.status import exit_status, failed
from agent.shell.stdio import Stdio
from agent.types import Event, Outcome


def ask(question: Question, settings: Settings, stdio: Stdio, app: App) -> int:
    """Run one question and print what it comes to; gives the exit status. Raises ConfigError."""
    progress = Progress(settings, stdio)
    if question.note and not settings.quiet:
        progress.say(f"scout: {question.note}")
    try:
        conversation = app.open(settings, progress, approver(settings, stdio, progress.paused))
    except ModelUnavailable as err:
        result = failed(question.text, settings.model, err)
        if settings.jsonl:  # no run, so no event of its own: this one closes the stream for its reader
            progress(Event(1, "outcome", SystemClock().now(), outcomes.document(result)))
        _finish(result, settings, stdio, progress)
        return exit_status(result)
    # Closing comes after printing: a model that is slow to leave must not keep the answer back.
    with closing(conversation):
        result = conversation.ask(question.text, question.context)
        _finish(result, settings, stdio, progress)
    return exit_status(result)


def _finish(result: Outcome, settings: Settings, stdio: Stdio, progress: Progress) -> None:
    progress.close()
    if not settings.jsonl:  # there the events were all that stdout gets
        deliver(result, settings, stdio)


def deliver(result: Outcome, settings: Settings, stdio: Stdio) -> None:
    """Print an Outcome: the document, the text, or, for a failure with nothing to show, one line on stderr."""
    if settings.json:
        stdio.out(render.json_line(outcomes.document(result), stdio.unicode))
    elif render.is_bare(result):
        stdio.err(f"scout: {one_line(render.note(result))}\n")
    else:
        stdio.out(render.text(result, *look(settings, stdio)))


def look(settings: Settings, stdio: Stdio) -> tuple[bool, int]:
    """Colour and width of what goes to stdout: neither in a pipe, where long lines stay whole."""
    return stdio.stdout_isatty and not settings.no_color, stdio.width if stdio.stdout_isatty else 0
