"""The journal: real SQLite files."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime
from os import urandom
from pathlib import Path

import pytest

from agent.errors import ConfigError
from agent.journal import FILE, TABLES, Journal, chained, open_reader
from agent.record import Bodies, Record, new_run_id
from agent.types import Event
from tests.scripted import ListJournal, SetClock

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
REQUEST = {"n": 1, "url": "https://a.example/", "purpose": "page"}
RESPONSE = {"n": 1, "status": 200, "received": 9, "seconds": 0.1, "address": "192.0.2.1", "sha256": "ab", "error": ""}


def written(folder: Path, run: str = "R1") -> Journal:
    journal = Journal(folder)
    journal.record(Event(1, "run", NOW, {"run": run, "question": "火星有几颗卫星？", "model": "none"}))
    journal.record(Event(2, "request", NOW, REQUEST))
    journal.record(Event(3, "response", NOW, RESPONSE))
    journal.record(Event(4, "outcome", NOW, {"status": "supported"}))
    return journal


def test_a_run_is_read_back_as_it_was_recorded(tmp_path: Path) -> None:
    written(tmp_path).close()
    reader = open_reader(tmp_path)
    assert [(row.run, row.question, row.status) for row in reader.runs()] == [("R1", "火星有几颗卫星？", "supported")]
    assert [event.kind for event in reader.events("R1")] == ["run", "request", "response", "outcome"]
    assert reader.events("R1")[1] == Event(2, "request", NOW, REQUEST)
    assert (reader.last(), reader.events("R2")) == ("R1", ())


def test_the_journal_and_its_folder_are_for_their_owner_alone(tmp_path: Path) -> None:
    written(tmp_path / "new").close()
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "new" / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "sql", ["UPDATE {} SET rowid = 9", "DELETE FROM {}", "INSERT OR REPLACE INTO {0} SELECT * FROM {0}"]
)
def test_no_row_can_be_changed_deleted_or_replaced(tmp_path: Path, table: str, sql: str) -> None:
    journal = written(tmp_path)
    journal.put(b"body")
    with pytest.raises(ConfigError, match="append-only"):
        journal._database.query(sql.format(table))


def test_each_event_is_chained_to_the_one_before_across_runs(tmp_path: Path) -> None:
    written(tmp_path, "R1").close()
    written(tmp_path, "R2").close()
    with sqlite3.connect(tmp_path / FILE) as raw:
        rows = raw.execute("SELECT run, seq, kind, at, data, previous, hash FROM events ORDER BY id").fetchall()
    raw.close()
    previous = ""
    for *row, before, digest in rows:
        assert (before, digest) == (previous, chained(previous, tuple(row)))
        previous = digest
    assert len({row[-1] for row in rows}) == 8


def test_a_body_is_kept_once_under_its_hash(tmp_path: Path) -> None:
    journal = written(tmp_path)
    body = "页面".encode() * 1000
    assert journal.put(body) == journal.put(body) == hashlib.sha256(body).hexdigest()
    assert journal.get(journal.put(body)) == body
    with pytest.raises(KeyError):
        journal.get("00")


def test_a_request_and_its_response_make_one_row(tmp_path: Path) -> None:
    written(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as raw:
        rows = raw.execute("SELECT * FROM requests").fetchall()
    raw.close()
    assert rows == [("R1", 1, "https://a.example/", "page", 200, 9, 0.1, "192.0.2.1", "ab", "")]


def test_what_was_recorded_survives_a_kill_right_after(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; from tests.test_journal import written;"
        "written(Path(sys.argv[1])); os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=False).returncode == -9
    assert len(open_reader(tmp_path).events("R1")) == 4


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"file/journal\.db: cannot be written: .*--data-dir"):
        Journal(tmp_path / "file")


def test_a_file_that_is_no_journal_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"not a database" * 100)
    with pytest.raises(ConfigError, match="not a database"):
        Journal(tmp_path)


def test_a_full_disk_in_the_middle_of_a_run_loses_nothing_that_other_listeners_hear(tmp_path: Path) -> None:
    journal, heard = Journal(tmp_path), ListJournal()
    record = Record("R1", SetClock(), (journal.record, heard))
    record("run", {"run": "R1", "question": "q", "model": "none"})
    journal._database.query("PRAGMA max_page_count = 1")  # SQLite's own way to be full
    for _ in range(50):
        record("plan", {"text": "x" * 10_000})
    record("outcome", {"status": "abstained"})
    kinds = heard.kinds()
    assert [kind for kind in kinds if kind != "note"] == ["run", *["plan"] * 50, "outcome"]
    assert [event.seq for event in heard] == list(range(1, 54))
    note = heard[kinds.index("note")].data["notes"][0]
    assert kinds.count("note") == 1
    assert "not everything of this run is kept" in note
    assert "full" in note


def test_a_body_that_cannot_be_kept_is_noted_once_and_still_has_its_hash(tmp_path: Path) -> None:
    journal, heard = Journal(tmp_path), ListJournal()
    bodies = Bodies(journal, Record("R1", SetClock(), (heard,)))
    kept = bodies.put(b"small")
    journal._database.query("PRAGMA max_page_count = 1")
    assert bodies.put(urandom(100_000)) != bodies.put(urandom(100_000))
    assert (bodies.get(kept), heard.kinds()) == (b"small", ["note"])


def test_run_ids_are_ulids_that_sort_by_time() -> None:
    ids = [new_run_id(datetime.fromtimestamp(seconds, UTC)) for seconds in (1, 1_700_000_000, 1_800_000_000)]
    assert ids == sorted(ids)
    assert all(len(run) == 26 and not set(run) & set("ILOU") for run in ids)


def test_events_are_json(tmp_path: Path) -> None:
    written(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as raw:
        assert [json.loads(row[0])["n"] for row in raw.execute("SELECT data FROM events WHERE seq IN (2, 3)")] == [1, 1]
    raw.close()
