"""Asking a person."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from agent.settings import Settings
from agent.shell.approval import Nobody, TerminalApprover, approver
from agent.shell.person import confirm
from agent.shell.stdio import Stdio
from agent.types import Action

MAIL = Action("send", {"to": "ann@example.org", "body": "line one\nline two\x1b[8m hidden" + " x" * 200})


def typed(text: str, tty: bool = True) -> Stdio:
    return Stdio(
        io.StringIO(text), io.StringIO(), io.StringIO(), stdin_isatty=tty, stdout_isatty=tty, stderr_isatty=tty
    )


def said(stdio: Stdio) -> str:
    assert isinstance(stdio.stderr, io.StringIO)
    return stdio.stderr.getvalue()


@pytest.mark.parametrize(
    ("reply", "yes"),
    [("y\n", True), ("YES\n", True), ("n\n", False), ("\n", False), ("yess\n", False), ("", False), ("y", True)],
)
def test_only_y_or_yes_is_a_yes(reply: str, yes: bool) -> None:
    assert confirm(typed(reply), "Do it?") is yes


def test_the_exact_action_is_shown_whole_and_cannot_steer_the_terminal() -> None:
    stdio = typed("y\n")
    assert TerminalApprover(Settings(), stdio).approve(MAIL)
    assert said(stdio) == (
        f"scout asks to send:\n    to: ann@example.org\n    body: line one line two hidden{' x' * 200}\nDo it? [y/N] "
    )


def test_what_yes_names_is_not_asked() -> None:
    stdio = typed("n\n")
    assert TerminalApprover(Settings(yes=("send",)), stdio).approve(MAIL)
    assert said(stdio) == ""


def test_the_status_line_is_off_the_screen_while_a_person_is_asked() -> None:
    stdio, log = typed("y\n"), []

    @contextmanager
    def pause() -> Iterator[None]:
        log.append(f"paused before {len(said(stdio))} characters")
        yield
        log.append("back after the reply" if stdio.stdin.read() == "" else "back too early")

    TerminalApprover(Settings(), stdio, pause).approve(MAIL)
    assert log == ["paused before 0 characters", "back after the reply"]


@pytest.mark.parametrize(
    ("settings", "tty"), [(Settings(), False), (Settings(no_input=True), True), (Settings(no_input=True), False)]
)
def test_without_a_terminal_or_with_no_input_nobody_is_asked(settings: Settings, tty: bool) -> None:
    stdio = typed("y\n", tty)
    whom = approver(settings, stdio)
    assert (type(whom), whom.approve(MAIL), said(stdio)) == (Nobody, False, "")


def test_on_a_terminal_the_person_is_asked() -> None:
    assert isinstance(approver(Settings(), typed("")), TerminalApprover)
