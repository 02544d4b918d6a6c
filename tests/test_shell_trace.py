"""`scout trace` over a real journal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent.journal import Journal
from agent.outcome import document
from tests.fakes import event, outcome
from tests.shell_console import Console

FIRST, SECOND = "01KBCDEFGHJKMNPQRSTVWXYZ01", "01KBCDEFGHJKMNPQRSTVWXYZ02"


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    """A console whose data folder holds two runs."""
    monkeypatch.chdir(tmp_path)
    journal = Journal(tmp_path / "scout")
    for minute, run, question in ((0, FIRST, "How long?"), (60, SECOND, "How\x1b[2J deep?")):
        journal.record(event(minute, "run", run=run, question=question, model="scripted:1"))
        journal.record(event(minute + 2, "execute", step=1, action={"action": "search", "query": "ferry"}))
        journal.record(event(minute + 3, "outcome", **document(outcome(run=run))))
    journal.close()
    return Console(tmp_path)


def test_trace_tells_the_last_run_with_its_seconds(console: Console) -> None:
    ran = console.run("trace")
    assert (ran.status, ran.err, console.talk.asked) == (0, "", [])
    assert ran.out.splitlines() == [
        f"run {SECOND}",
        "    0.0 s  run      scripted:1 “How deep?”",
        "    2.0 s  execute  search query=ferry",
        "    3.0 s  outcome  supported: 2 steps, 2 requests, 9.5 s",
    ]


def test_trace_tells_a_run_by_its_id_in_either_case(console: Console) -> None:
    assert console.run("trace", FIRST).out.startswith(f"run {FIRST}\n")
    assert console.run("trace", FIRST.lower()).out.startswith(f"run {FIRST}\n")


def test_trace_list_shows_the_latest_runs_newest_first(console: Console) -> None:
    assert console.run("trace", "list").out.splitlines() == [
        f"{SECOND}  2026-11-30T12:01  supported    How deep?",
        f"{FIRST}  2026-11-30T12:00  supported    How long?",
    ]


def test_trace_as_json_is_the_events_as_they_were(console: Console) -> None:
    ran = console.run("trace", FIRST, "--jsonl")
    assert [json.loads(line)["kind"] for line in ran.out.splitlines()] == ["run", "execute", "outcome"]


def test_a_run_that_is_not_there_is_one_line_and_status_2(console: Console) -> None:
    ran = console.run("trace", "01ZZZZZZZZZZZZZZZZZZZZZZZZ")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "scout: no run 01ZZZZZZZZZZZZZZZZZZZZZZZZ; scout trace list shows the latest\n"


def test_without_a_journal_nothing_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ran = Console(tmp_path).run("trace", "--data-dir", str(tmp_path / "new"))
    assert (ran.status, (tmp_path / "new").exists()) == (2, False)
    assert ran.err == f"scout: {tmp_path}/new: no run is recorded here yet; --data-dir names another folder\n"


@pytest.mark.parametrize("command", [["trace"], ["trace", "list"], ["models"], ["models", "get"]])
def test_a_data_folder_that_cannot_be_looked_into_is_one_line_and_status_2(
    console: Console, command: list[str]
) -> None:
    ran = console.run(*command, "--data-dir", "/" + "x" * 300)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "File name too long; --data-dir names another folder" in ran.err


def test_a_file_that_is_no_journal_is_one_line_and_status_2(console: Console) -> None:
    for leftover in (console.folder / "scout").iterdir():
        leftover.write_bytes(b"not a database at all" * 100)
    ran = console.run("trace")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
