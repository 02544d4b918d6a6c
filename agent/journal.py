"""Journal: every run on disk, written as it happens. Rows are only added, each event chained to the one before."""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from agent.doors.store import Database
from agent.types import Event

FILE = "journal.db"
TABLES = ("runs", "events", "requests", "bodies")
SCHEMA = """
CREATE TABLE IF NOT EXISTS runs (
    run TEXT PRIMARY KEY, started TEXT NOT NULL, question TEXT NOT NULL, model TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS events (
    id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs, seq INTEGER NOT NULL, kind TEXT NOT NULL,
    at TEXT NOT NULL, data TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, UNIQUE (run, seq)) STRICT;
CREATE TABLE IF NOT EXISTS requests (
    run TEXT NOT NULL REFERENCES runs, n INTEGER NOT NULL, url TEXT NOT NULL, purpose TEXT NOT NULL,
    status INTEGER NOT NULL, received INTEGER NOT NULL, seconds REAL NOT NULL, address TEXT NOT NULL,
    sha256 TEXT NOT NULL, error TEXT NOT NULL, PRIMARY KEY (run, n)) STRICT;
CREATE TABLE IF NOT EXISTS bodies (sha256 TEXT PRIMARY KEY, size INTEGER NOT NULL, body BLOB NOT NULL) STRICT;
""" + "".join(
    f"CREATE TRIGGER IF NOT EXISTS {table}_no_{verb} BEFORE {verb} ON {table} "
    f"BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;\n"
    for table in TABLES
    for verb in ("UPDATE", "DELETE")
)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run of the journal. `status` is "" while it has not ended, or was killed."""

    run: str
    started: str
    question: str
    model: str
    status: str


class JournalReader:
    """Reads the journal of a data folder."""

    def __init__(self, data_path: Path) -> None:
        self._database = Database(data_path / FILE, SCHEMA)

    def runs(self, limit: int = 20) -> tuple[RunRow, ...]:
        """The latest runs, newest first."""
        rows = self._database.query(
            "SELECT r.run, r.started, r.question, r.model, coalesce(json_extract(e.data, '$.status'), '') FROM runs r "
            "LEFT JOIN events e ON e.run = r.run AND e.kind = 'outcome' ORDER BY r.started DESC, r.run DESC LIMIT ?",
            (limit,),
        )
        return tuple(RunRow(*row) for row in rows)

    def events(self, run: str) -> tuple[Event, ...]:
        """The events of one run, in order; () where there is no such run."""
        rows = self._database.query("SELECT seq, kind, at, data FROM events WHERE run = ? ORDER BY seq", (run,))
        return tuple(Event(seq, kind, datetime.fromisoformat(at), json.loads(data)) for seq, kind, at, data in rows)

    def last(self) -> str:
        """The id of the latest run, "" where there is none."""
        rows = self.runs(1)
        return rows[0].run if rows else ""

    def get(self, sha256: str) -> bytes:
        """A body by its SHA-256. Raises KeyError."""
        rows = self._database.query("SELECT body FROM bodies WHERE sha256 = ?", (sha256,))
        if not rows:
            raise KeyError(sha256)
        return zlib.decompress(rows[0][0])

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._database.close()


class Journal(JournalReader):
    """Writes it, one run after another. Also keeps bodies by content."""

    def __init__(self, data_path: Path) -> None:
        super().__init__(data_path)
        self._run = ""
        self._sent: dict[int, Event] = {}  # requests that have no response yet

    def record(self, event: Event) -> None:
        """Keep one event; it survives a crash right after. The first event of a run is of kind `run`."""
        data = json.dumps(event.data, ensure_ascii=False, sort_keys=True)
        with self._database.writing() as rows:
            if event.kind == "run":
                self._run = str(event.data["run"])
                values = (self._run, event.at.isoformat(), event.data["question"], event.data["model"])
                rows.query("INSERT INTO runs VALUES (?, ?, ?, ?)", values)
            last = rows.query("SELECT hash FROM events ORDER BY id DESC LIMIT 1")
            previous = last[0][0] if last else ""
            row = (self._run, event.seq, event.kind, event.at.isoformat(), data)
            rows.query(
                "INSERT INTO events (run, seq, kind, at, data, previous, hash) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (*row, previous, chained(previous, row)),
            )
            self._request(rows, event)

    def _request(self, rows: Database, event: Event) -> None:
        """A request and its response make one row of the table of requests."""
        if event.kind == "request":
            self._sent[event.data["n"]] = event
        elif event.kind == "response" and (sent := self._sent.pop(event.data["n"], None)):
            fields = ("status", "received", "seconds", "address", "sha256", "error")
            rows.query(
                "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (self._run, sent.data["n"], sent.data["url"], sent.data["purpose"], *(event.data[f] for f in fields)),
            )

    def put(self, body: bytes) -> str:
        """Keep a body once; gives its SHA-256."""
        sha256 = hashlib.sha256(body).hexdigest()
        with self._database.writing() as rows:
            rows.query("INSERT OR IGNORE INTO bodies VALUES (?, ?, ?)", (sha256, len(body), zlib.compress(body)))
        return sha256


def open_reader(data_path: Path) -> JournalReader:
    """The journal of a data folder, to read. Raises ConfigError."""
    return JournalReader(data_path)


def chained(previous: str, row: tuple[str, int, str, str, str]) -> str:
    """SHA-256 of an event's row and of the hash of the row before it: a changed byte breaks the chain from there on."""
    return hashlib.sha256(json.dumps([previous, *row], ensure_ascii=False).encode()).hexdigest()
