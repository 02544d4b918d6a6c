"""The real clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Time as the machine has it."""

    def now(self) -> datetime:
        """The time of day, UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds from an arbitrary start, never going back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait; Ctrl-C ends it."""
        time.sleep(max(seconds, 0.0))
