"""Progress on stderr: the live line of a terminal, plain lines with -v, notes, and silence."""

from __future__ import annotations

import io
import time
from dataclasses import replace
from pathlib import Path

import pytest

from agent.errors import ConfigError
from agent.outcome import document
from agent.settings import Settings
from agent.shell import events, progress
from agent.shell.plain import cells
from agent.shell.progress import Progress
from agent.shell.stdio import Stdio
from tests.fakes import event, outcome

RUN = (
    event(0, "run", run="01J", question="How long?", model="scripted:1"),
    event(2, "plan", step=1, purpose="plan", text='{"action": …}', prompt_tokens=512, output_tokens=31, seconds=2.04),
    event(2, "execute", step=1, action={"action": "search", "query": "ferry", "site": "any"}),
    event(2, "request", n=1, url="https://en.wikipedia.org/w/api.php", purpose="search"),
    event(3, "response", n=1, status=200, received=4821, seconds=0.25, address="203.0.113.7", error=""),
    event(3, "observe", step=1, error="", chars=310, hits=[{"title": "Ferry", "url": "https://x.org/f"}], notes=["n"]),
    event(4, "request", n=2, url="https://x.org/robots.txt", purpose="robots"),
    event(5, "execute", step=2, action={"action": "scrape", "url": "https://x.org/wiki/Ferry"}),
    event(8, "reflect", step=3, claims=[{"text": "40 minutes.", "verdict": "supported"}], sent_back=False),
    event(9, "outcome", **document(outcome())),
)
PLAIN = Settings()


def shown(settings: Settings = PLAIN, tty: bool = False, upto: int = len(RUN)) -> tuple[str, str]:
    """What stdout and stderr hold after the first events of a run."""
    out, err = io.StringIO(), io.StringIO()
    listener = Progress(settings, Stdio(io.StringIO(), out, err, stderr_isatty=tty))
    for one in RUN[:upto]:
        listener(one)
    seen = err.getvalue()
    listener.close()
    return out.getvalue(), seen


def screen(written: str) -> str:
    """The last line of a terminal after `written`."""
    line: list[str] = []
    column = 0
    for char in written:
        if char in "\r\n":
            column, line = 0, [] if char == "\n" else line
            continue
        line[column : column + 1] = [char]
        column += 1
    return "".join(line).rstrip()


@pytest.mark.parametrize(
    ("upto", "line"),
    [
        (1, "thinking · 0 requests · 0 s"),
        (3, "searching “ferry” · 0 requests · 2 s"),
        (4, "searching “ferry” · 1 request · 2 s"),
        (6, "thinking · 1 request · 3 s"),
        (8, "reading x.org/wiki/Ferry · 1 request · 5 s"),
        (9, "checking the answer · 1 request · 8 s"),
        (10, ""),
    ],
)
def test_the_live_line_says_what_is_done_and_is_gone_at_the_end(upto: int, line: str) -> None:
    out, err = shown(tty=True, upto=upto)
    assert (out, screen(err)) == ("", line)


def test_the_seconds_go_on_while_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "TICK_S", 0.01)
    err = io.StringIO()
    listener = Progress(Settings(), Stdio(io.StringIO(), io.StringIO(), err, stderr_isatty=True))
    listener(RUN[0])
    deadline = time.monotonic() + 5
    while err.getvalue().count("thinking") < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    listener.close()
    assert err.getvalue().count("thinking") >= 4
    assert screen(err.getvalue()) == ""


def test_the_live_line_never_reaches_the_last_column() -> None:
    err = io.StringIO()
    listener = Progress(Settings(), Stdio(io.StringIO(), io.StringIO(), err, stderr_isatty=True))
    listener(RUN[0])
    listener(event(1, "execute", step=1, action={"action": "search", "query": "长" * 200 + "\x1b[2J"}))
    line = screen(err.getvalue())
    listener.close()
    assert "…" in line
    assert cells(line) < 80
    assert "\x1b" not in line


def test_a_pause_takes_the_line_off_the_screen() -> None:
    err = io.StringIO()
    listener = Progress(Settings(), Stdio(io.StringIO(), io.StringIO(), err, stderr_isatty=True))
    listener(RUN[0])
    with listener.paused():
        assert screen(err.getvalue()) == ""
        listener(RUN[2])
        assert screen(err.getvalue()) == ""
    listener(RUN[3])
    assert screen(err.getvalue()).startswith("searching")
    listener.close()


def test_verbose_is_one_plain_line_for_each_event() -> None:
    out, err = shown(Settings(verbose=True), tty=True)
    assert out == ""
    assert err.splitlines() == [
        "run      scripted:1 “How long?”",
        'plan     step 1: 2.0 s, 512 → 31 tokens: {"action": …}',
        "execute  search query=ferry site=any",
        "request  1: search https://en.wikipedia.org/w/api.php",
        "response 1: status 200, 4,821 bytes, 0.2 s",
        "observe  310 characters · “Ferry” https://x.org/f · n",
        "request  2: robots https://x.org/robots.txt",
        "execute  scrape url=https://x.org/wiki/Ferry",
        "reflect  supported: 40 minutes.",
        "outcome  supported: 2 steps, 2 requests, 9.5 s",
    ]


def test_in_a_pipe_there_are_notes_alone_each_once_a_run_and_with_quiet_nothing() -> None:
    assert shown()[1] == "scout: n\n"
    listener_twice = RUN[5], RUN[5]
    err = io.StringIO()
    listener = Progress(Settings(), Stdio(io.StringIO(), io.StringIO(), err))
    for one in listener_twice:
        listener(one)
    assert err.getvalue() == "scout: n\n"
    listener(RUN[0])
    listener(RUN[5])
    assert err.getvalue() == "scout: n\n" * 2
    assert shown(Settings(quiet=True), tty=True) == ("", "")


def test_a_note_stands_above_the_live_line() -> None:
    err = shown(tty=True, upto=6)[1]
    assert "\nscout: n\n" in err.replace("\r", "\n")
    assert screen(err).startswith("thinking")


@pytest.mark.parametrize(
    "data",
    [
        {"step": 1, "error": "BadAction", "message": "not JSON"},
        {"step": 1, "action": None},
        {},
    ],
)
def test_an_event_that_lacks_a_field_is_still_a_line(data: dict[str, object]) -> None:
    for kind in (*events.DESCRIBE, "of_a_later_version"):
        assert events.line(event(1, kind, **data)).startswith(kind)
        assert isinstance(events.doing(event(1, kind, **data)), str)


def test_a_failing_stdout_does_not_end_the_run_and_is_told_at_the_end() -> None:
    with Path("/dev/full").open("w") as full:
        listener = Progress(Settings(jsonl=True), Stdio(io.StringIO(), full, io.StringIO()))
        for one in RUN:
            listener(one)
        with pytest.raises(ConfigError, match="stdout: cannot be written"):
            listener.close()


def test_a_listener_serves_one_run_after_another() -> None:
    err = io.StringIO()
    listener = Progress(Settings(), Stdio(io.StringIO(), io.StringIO(), err, stderr_isatty=True))
    for one in RUN:
        listener(one)
    listener(replace(RUN[0], at=RUN[-1].at))
    assert screen(err.getvalue()) == "thinking · 0 requests · 0 s"
    listener.close()
    assert screen(err.getvalue()) == ""


def test_event_lines_on_the_same_screen_leave_no_room_for_a_live_line() -> None:
    screen_ = Stdio(io.StringIO(), io.StringIO(), err := io.StringIO(), stdout_isatty=True, stderr_isatty=True)
    listener = Progress(Settings(jsonl=True), screen_)
    listener(RUN[0])
    listener.close()
    assert err.getvalue() == ""
