"""What all backends share: a refusal as a value, and patience with a server that is only busy."""

from __future__ import annotations

from collections.abc import Callable

from agent.errors import AgentError
from agent.ports import Clock
from agent.types import Reply

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
LASTING = frozenset({"insufficient_quota", "memory"})  # come as 429 and 500, and do not pass
RETRIES = 5
FIRST_WAIT_S = 0.5
SEED = 7
# A server may ignore the limit on tokens, and a model may repeat itself for ever. No tokenizer makes so many characters
# of one token in text that is worth reading.
MAX_CHARS_PER_TOKEN = 16


class Refused(AgentError):
    """A server said no. `status` is HTTP's; `wait_s` is what Retry-After asks for, None where it does not.

    `prompt` and `window` are tokens, where it told them. Never leaves the backend: it becomes a ModelUnavailable.
    """

    def __init__(
        self, status: int, message: str, code: str = "", wait_s: float | None = None, prompt: int = 0, window: int = 0
    ) -> None:
        super().__init__(f"status {status}: {message}")
        self.status, self.message, self.code = status, message, code
        self.wait_s, self.prompt, self.window = wait_s, prompt, window

    @property
    def passing(self) -> bool:
        """May the same request succeed a little later?"""
        return self.status in PASSING and self.code not in LASTING


def patiently(ask: Callable[[float], Reply], timeout_s: float, clock: Clock) -> Reply:
    """`ask` (told the seconds left), again after a pause while the server is only busy. Raises its last Refused."""
    deadline = clock.monotonic() + timeout_s
    wait_s = FIRST_WAIT_S
    for left in range(RETRIES, -1, -1):
        try:
            return ask(deadline - clock.monotonic())
        except Refused as err:
            pause_s = wait_s if err.wait_s is None else err.wait_s
            if not left or not err.passing or clock.monotonic() + pause_s >= deadline:
                raise
            clock.sleep(pause_s)
            wait_s *= 2
    raise AssertionError("the last round returns or raises")
