"""A download as a person sees it on stderr: a bar on a terminal, a plain line every tenth elsewhere."""

from __future__ import annotations

from agent.doors.clock import SystemClock
from agent.ports import Clock
from agent.shell.plain import cells, one_line, shorten
from agent.shell.stdio import Stdio

BAR_CELLS = 24
REDRAW_S = 0.2
TENTHS = 10


class DownloadBar:
    """Told how much is there; shows it. The rate is that of this download, not of what an earlier one left."""

    def __init__(self, stdio: Stdio, name: str, quiet: bool = False, clock: Clock | None = None) -> None:
        self._stdio = stdio
        self._name = name
        self._quiet = quiet
        self._clock = clock or SystemClock()
        self._began: tuple[float, int] | None = None  # when, with how many bytes
        self._drawn_at = 0.0
        self._tenth = -1
        self._shown = 0

    def __call__(self, have: int, total: int) -> None:
        """`have` bytes of `total` are there."""
        now = self._clock.monotonic()
        first = self._began is None
        self._began = self._began or (now, have)
        if self._quiet:
            return
        if not self._stdio.stderr_isatty:
            self._plain(have, total)
        elif first or have == total or now - self._drawn_at >= REDRAW_S:
            self._drawn_at = now
            self._draw(have, total)

    def say(self, text: str) -> None:
        """One line above the bar."""
        self.close()
        if not self._quiet:
            self._stdio.err(f"scout: {one_line(text)}\n")

    def close(self) -> None:
        """Take the bar off the screen."""
        self._stdio.err("\r" + " " * self._shown + "\r" if self._shown else "")
        self._shown = 0

    def _draw(self, have: int, total: int) -> None:
        filled = BAR_CELLS * have // total
        bar = "#" * filled + "." * (BAR_CELLS - filled)
        text = shorten(f"{self._name} [{bar}] {self._words(have, total)}", self._stdio.width - 1)
        self._stdio.err("\r" + text + " " * max(self._shown - cells(text), 0) + "\r")
        self._shown = cells(text)

    def _plain(self, have: int, total: int) -> None:
        tenth = TENTHS * have // total
        if tenth > self._tenth:
            self._tenth = tenth
            self._stdio.err(f"{self._name}: {self._words(have, total)}\n")

    def _words(self, have: int, total: int) -> str:
        started, had = self._began or (0.0, 0)
        seconds = self._clock.monotonic() - started
        rate = f", {(have - had) / seconds / 1e6:.1f} MB/s" if seconds > 0 and have > had else ""
        return f"{100 * have // total} %, {have / 1e6:,.0f} of {total / 1e6:,.0f} MB{rate}"
