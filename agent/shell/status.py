"""From how a run ended to what the calling shell is told."""

from __future__ import annotations

from agent.errors import ExitStatus, RunError
from agent.types import Answer, Outcome, Status

EXIT = {
    Status.SUPPORTED: ExitStatus.ANSWERED,
    Status.UNSUPPORTED: ExitStatus.UNSUPPORTED,
    Status.ABSTAINED: ExitStatus.NO_ANSWER,
    Status.LIMIT: ExitStatus.NO_ANSWER,
    Status.NO_MODEL: ExitStatus.NO_MODEL,
    Status.NO_WEB: ExitStatus.NO_WEB,
    Status.INTERRUPTED: ExitStatus.INTERRUPTED,
    Status.ERROR: ExitStatus.BUG,
}

ABOUT = {
    ExitStatus.ANSWERED: "answered, every claim supported",
    ExitStatus.BUG: "a bug",
    ExitStatus.USAGE: "usage or configuration",
    ExitStatus.UNSUPPORTED: "answered, but not every claim is supported (stdout says which)",
    ExitStatus.NO_ANSWER: "no answer: abstained, or a limit was met (what was found is printed)",
    ExitStatus.NO_MODEL: "no model",
    ExitStatus.NO_WEB: "no web (no provider or page could be reached)",
    ExitStatus.INTERRUPTED: "interrupted (what was found is printed)",
}

_BY_EXIT = {
    ExitStatus.NO_MODEL: Status.NO_MODEL,
    ExitStatus.NO_WEB: Status.NO_WEB,
    ExitStatus.NO_ANSWER: Status.LIMIT,
}


def exit_status(outcome: Outcome) -> int:
    """The exit status of the process that this Outcome calls for."""
    return int(EXIT[outcome.status])


def failed(question: str, model: str, err: RunError) -> Outcome:
    """The Outcome of a question that `err` stopped before its run began."""
    status = _BY_EXIT.get(err.status, Status.ERROR)
    return Outcome(run="", question=question, status=status, answer=Answer(""), model=model, note=str(err))
