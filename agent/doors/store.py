"""Opens SQLite, and says in our words what goes wrong with it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agent.errors import ConfigError

WAIT_FOR_WRITERS_S = 5.0


class Database:
    """One SQLite file in WAL mode, made with mode 0600 in a folder of mode 0700."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # SQLite makes files by the umask; the journal holds questions, which are nobody else's business.
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        except OSError as err:
            raise ConfigError(f"{path}: cannot be written: {err.strerror}; --data-dir names another folder") from err
        with self._translated():
            self._connection = sqlite3.connect(path, timeout=WAIT_FOR_WRITERS_S, isolation_level=None)
            # NORMAL: with WAL a killed process loses nothing; only a power cut can take the last events.
            # recursive_triggers: without it INSERT OR REPLACE deletes rows past the DELETE triggers.
            self._connection.executescript(
                "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA recursive_triggers=ON;" + schema
            )

    def query(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows. Raises ConfigError."""
        with self._translated():
            return self._connection.execute(sql, values).fetchall()

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One transaction that no other process writes into. Raises ConfigError; then nothing of it is kept."""
        with self._translated():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self
            except BaseException:
                # A full disk makes SQLite roll back by itself.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._connection.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as err:
            # OperationalError: the disk, a lock. Any other: the file is no database, or a broken one.
            remedy = "free some space" if isinstance(err, sqlite3.OperationalError) else "move it away"
            raise ConfigError(f"{self.path}: {err}; {remedy}, or name another folder with --data-dir") from err
