"""What a person sees on stderr while a run goes on: a live line, or plain lines, or nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from agent.errors import ConfigError
from agent.settings import Settings
from agent.shell import events, render
from agent.shell.plain import cells, one_line, shorten
from agent.shell.stdio import Stdio
from agent.types import Event

TICK_S = 1.0


class StatusLine:
    """One line on a terminal that is written over: what is being done, requests so far, seconds so far."""

    def __init__(self, stdio: Stdio) -> None:
        self._stdio = stdio
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._ticker: threading.Thread | None = None
        self._doing = ""
        self._requests = 0
        self._started: datetime | None = None
        self._seconds = 0.0
        self._shown = 0  # columns on the screen now
        self._paused = 0  # how many are printing or asking now

    def update(self, event: Event) -> None:
        """Take one event in, and show it."""
        with self._lock:
            if event.kind == "run":
                self._started, self._requests = event.at, 0
            # Look-ups of robots.txt are counted apart from the requests of a question.
            self._requests += event.kind == "request" and event.data.get("purpose") != "robots"
            self._seconds = (event.at - self._started).total_seconds() if self._started else 0.0
            self._doing = events.doing(event) or self._doing
            self._draw()
        if event.kind == "outcome":
            self.stop()
        elif self._ticker is None:
            self._stop.clear()
            self._ticker = threading.Thread(target=self._tick, daemon=True)
            self._ticker.start()

    def stop(self) -> None:
        """Wipe the line and stop its clock, until the next event."""
        self._stop.set()
        if self._ticker:
            self._ticker.join()
            self._ticker = None
        with self._lock:
            self._wipe()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """The line is off the screen inside: something else is printed or asked there."""
        with self._lock:
            self._wipe()
            self._paused += 1
        try:
            yield
        finally:
            with self._lock:
                self._paused -= 1

    def _tick(self) -> None:
        # Counting ticks instead of reading a clock: every event puts the seconds right again.
        while not self._stop.wait(TICK_S):
            with self._lock:
                self._seconds += TICK_S
                self._draw()

    def _draw(self) -> None:
        if self._paused or not self._started:
            return
        requests = f"{self._requests} request" + ("" if self._requests == 1 else "s")
        tail = f" · {requests} · {self._seconds:.0f} s"
        # The last column stays free: some terminals go to the next line when it is written.
        text = shorten(self._doing, max(self._stdio.width - 1 - cells(tail), 8)) + tail
        # Blanks wipe the rest of an older, longer line; an escape sequence would be noise on a dumb terminal.
        self._stdio.err("\r" + text + " " * max(self._shown - cells(text), 0) + "\r")
        self._shown = cells(text)

    def _wipe(self) -> None:
        if self._shown:
            self._stdio.err("\r" + " " * self._shown + "\r")
        self._shown = 0


class Progress:
    """The shell's Listener. Notes go to stderr as they come, each once a run; `--jsonl` puts every event on stdout."""

    def __init__(self, settings: Settings, stdio: Stdio) -> None:
        self._stdio = stdio
        self._quiet = settings.quiet
        self._verbose = settings.verbose and not settings.quiet
        self._lines = settings.jsonl
        # Event lines on the same screen are progress enough.
        events_shown = settings.jsonl and stdio.stdout_isatty
        live = stdio.stderr_isatty and not (self._verbose or self._quiet or events_shown)
        self._status = StatusLine(stdio) if live else None
        self._noted: set[str] = set()
        self._failure: ConfigError | None = None

    def __call__(self, event: Event) -> None:
        """Show one event. Never raises for what the streams do: that must not end a run."""
        if self._lines:
            self._to_stdout(event)
        if event.kind == "run":
            self._noted.clear()
        if self._verbose:
            self.say(events.line(event))
        else:
            self._notes(event)
        if self._status:
            self._status.update(event)

    def say(self, text: str) -> None:
        """One clean line on stderr, above the status line."""
        with self.paused():
            self._stdio.err(text + "\n")

    @contextmanager
    def paused(self) -> Iterator[None]:
        """No status line inside: to ask or to print."""
        if not self._status:
            yield
            return
        with self._status.paused():
            yield

    def close(self) -> None:
        """Leave the screen as it was found. Raises ConfigError where stdout could not be written on the way."""
        if self._status:
            self._status.stop()
        if self._failure:
            raise self._failure

    def _notes(self, event: Event) -> None:
        for note in event.data.get("notes") or ():
            if not self._quiet and note not in self._noted:
                self.say(f"scout: {one_line(note)}")
            self._noted.add(note)

    def _to_stdout(self, event: Event) -> None:
        try:
            self._stdio.out(render.event(event, self._stdio.unicode))
        except ConfigError as err:
            self._failure = self._failure or err
