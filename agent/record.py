"""Record: the one sequence of events of a run. The terminal, the JSON log and the journal are its readers."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from agent.errors import ConfigError
from agent.ports import Clock
from agent.types import Event

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Record:
    """Gives events their number and time and hands them to every listener, in order."""

    def __init__(self, run: str, clock: Clock, listeners: tuple[Callable[[Event], None], ...]) -> None:
        self.run = run
        self.lost = ""  # why events are no longer kept, where a listener has failed
        self._clock = clock
        self._listeners = listeners
        self._seq = 0

    def __call__(self, kind: str, data: Mapping[str, Any]) -> None:
        """Record one event. A listener that cannot keep it (a full disk) is asked no more; the run goes on."""
        self._seq += 1
        event = Event(self._seq, kind, self._clock.now(), data)
        for listener in self._listeners:
            try:
                listener(event)
            except ConfigError as err:
                self.lost = str(err)
                self._listeners = tuple(other for other in self._listeners if other is not listener)


def new_run_id(now: datetime) -> str:
    """A ULID: 48 bits of milliseconds, 80 random bits, in Crockford's base 32, so that ids sort by time.

    Source: https://github.com/ulid/spec
    """
    number = int(now.timestamp() * 1000) << 80 | int.from_bytes(os.urandom(10), "big")
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -5, -5))
