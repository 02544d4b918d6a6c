"""The exception tree, sorted by who must hear, and the exit statuses."""

from __future__ import annotations

from enum import IntEnum


class ExitStatus(IntEnum):
    """What the shell is told. Contract: README, section "Exit status"."""

    ANSWERED = 0
    BUG = 1
    USAGE = 2
    UNSUPPORTED = 3
    NO_ANSWER = 4
    NO_MODEL = 5
    NO_WEB = 6
    INTERRUPTED = 130


class AgentError(Exception):
    """Anything Scout itself raises. `str(err)` is one line for a reader: what, to which thing, what would work."""


class ToolError(AgentError):
    """The model hears it: it becomes an Observation and the run goes on."""


class BadAction(ToolError):
    """A reply that is no legal action. `kind` is one of the classes in `agent/parse.py`, or `repeated`, `off_menu`."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class PolicyDenied(ToolError):
    """A rule says no. `kind` is the class of the refusal (see `agent/policy.py`); nothing was sent."""

    def __init__(self, subject: str, reason: str, kind: str = "denied") -> None:
        super().__init__(f"{subject}: {reason}")
        self.subject = subject
        self.reason = reason
        self.kind = kind


class FetchFailed(ToolError):
    """The world did not deliver.

    kind: network, dns, tls, timeout, status, too_large, type, unreadable, cancelled or robots.
    """

    def __init__(self, url: str, reason: str, kind: str = "network", status: int = 0) -> None:
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.reason = reason
        self.kind = kind
        self.status = status


class SearchFailed(FetchFailed):
    """No search provider gave an answer, not even "nothing found". Asking again in this run is useless."""


class RunError(AgentError):
    """The user hears it: one line on stderr and an exit status; the trace so far is kept."""

    status = ExitStatus.NO_ANSWER


class BudgetExhausted(RunError):
    """A limit of the run was met. `limit` names it: steps, seconds, bad actions."""

    def __init__(self, limit: str, message: str) -> None:
        super().__init__(message)
        self.limit = limit


class ModelUnavailable(RunError):
    """The model cannot be had or cannot be trusted. `remedy` is what the user can type."""

    status = ExitStatus.NO_MODEL

    def __init__(self, model: str, reason: str, remedy: str = "") -> None:
        super().__init__(f"{model}: {reason}" + (f"; {remedy}" if remedy else ""))
        self.model = model
        self.reason = reason
        self.remedy = remedy


class WebUnavailable(RunError):
    """No provider and no page could be reached."""

    status = ExitStatus.NO_WEB


class ConfigError(RunError):
    """Wrong usage or configuration: what, where, and what would work."""

    status = ExitStatus.USAGE
