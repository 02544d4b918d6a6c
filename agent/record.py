"""Record: the one sequence of events of a run. The terminal, the JSON log and the journal are its readers."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from agent.errors import ConfigError
from agent.ports import Clock, Store
from agent.types import Event

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Record:
    """Gives events their number and time and hands them to every listener, in order."""

    def __init__(self, run: str, clock: Clock, listeners: tuple[Callable[[Event], None], ...]) -> None:
        self.run = run
        self._losing = False  # it was said that something cannot be kept
        self._clock = clock
        self._listeners = listeners
        self._seq = 0

    def __call__(self, kind: str, data: Mapping[str, Any]) -> None:
        """Record one event. A listener that cannot keep it (a full disk) is asked no more; the run goes on."""
        self._seq += 1
        event = Event(self._seq, kind, self._clock.now(), data)
        able, reasons = [], []
        for listener in self._listeners:
            try:
                listener(event)
                able.append(listener)
            except ConfigError as err:
                reasons.append(str(err))
        self._listeners = tuple(able)
        for reason in reasons:
            self.lose(reason)

    def lose(self, reason: str) -> None:
        """Say, once a run, that something of it is not kept."""
        if not self._losing:
            self._losing = True
            self("note", {"notes": [f"not everything of this run is kept: {reason}"]})


class Bodies:
    """The Store of the tools. A body that cannot be kept (a full disk) is said to be lost; the run goes on."""

    def __init__(self, store: Store, record: Record) -> None:
        self._store, self._record = store, record

    def put(self, body: bytes) -> str:
        """Keep `body` if that is possible; gives its SHA-256 in hex."""
        try:
            return self._store.put(body)
        except ConfigError as err:
            self._record.lose(str(err))
            return hashlib.sha256(body).hexdigest()

    def get(self, sha256: str) -> bytes:
        """The body. Raises KeyError, ConfigError."""
        return self._store.get(sha256)


def new_run_id(now: datetime) -> str:
    """A ULID: 48 bits of milliseconds, 80 random bits, in Crockford's base 32, so that ids sort by time.

    Source: https://github.com/ulid/spec
    """
    number = int(now.timestamp() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5))
