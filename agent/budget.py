"""Budget: the limits of a run. Meter: what it has spent so far."""

from __future__ import annotations

from dataclasses import dataclass, field

from agent.errors import BudgetExhausted
from agent.types import Egress, Purpose, Reply, Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits, each a setting. Reasons for the defaults: README, section "Limits"."""

    steps: int = 8
    requests: int = 5
    searches_in_a_row: int = 2  # requests to search providers without reading a page in between
    reserve: int = 1  # requests kept for checking an answer that was sent back
    repairs: int = 2  # retries a turn after a reply that is no action
    bad_in_a_row: int = 3
    failures_in_a_row: int = 3  # of one tool, then it leaves the menu
    seconds: float = 600.0
    search_s: float = 10.0
    page_s: float = 12.0
    model_s: float = 300.0
    page_bytes: int = 2 * 1024 * 1024
    observation_chars: int = 3000
    answer_chars: int = 1200
    query_chars: int = 120


@dataclass(slots=True)
class Meter:
    """Counters of one run. Only the gate charges requests, only the scheduler charges steps and tokens."""

    budget: Budget
    started: float = 0.0  # monotonic seconds
    steps: int = 0
    bad_in_a_row: int = 0
    searches_in_a_row: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    model_seconds: float = 0.0
    checking: bool = False  # an answer was sent back: the reserve may be spent
    counts: dict[Purpose, int] = field(default_factory=dict)
    hosts: dict[str, tuple[int, int]] = field(default_factory=dict)  # host → requests, bytes

    @property
    def requests(self) -> int:
        """Requests on the wire; look-ups of robots.txt are counted apart."""
        return self.counts.get(Purpose.SEARCH, 0) + self.counts.get(Purpose.PAGE, 0)

    def left(self, purpose: Purpose) -> int:
        """How many requests of this purpose may still leave now."""
        # Of two requests none is kept: one search and one page come before there is anything to check.
        kept = 0 if self.checking else min(self.budget.reserve, max(self.budget.requests - 2, 0))
        left = self.budget.requests - self.requests - kept
        if purpose is Purpose.SEARCH:
            left = min(left, self.budget.searches_in_a_row - self.searches_in_a_row)
        return max(left, 0)

    def charge_request(self, purpose: Purpose, host: str) -> None:
        """Count one request that is about to leave."""
        self.counts[purpose] = self.counts.get(purpose, 0) + 1
        requests, received = self.hosts.get(host, (0, 0))
        self.hosts[host] = (requests + 1, received)
        if purpose is Purpose.SEARCH:
            self.searches_in_a_row += 1
        elif purpose is Purpose.PAGE:
            self.searches_in_a_row = 0

    def charge_received(self, host: str, received: int) -> None:
        """Count body bytes, after decompression."""
        requests, before = self.hosts.get(host, (0, 0))
        self.hosts[host] = (requests, before + received)

    def charge_step(self, now: float) -> None:
        """Count one turn. Raises BudgetExhausted when none is left or the time is up."""
        if self.steps >= self.budget.steps:
            raise BudgetExhausted("steps", f"stopped after {self.steps} steps; --max-steps allows more")
        if now - self.started >= self.budget.seconds:
            raise BudgetExhausted("seconds", f"stopped after {self.budget.seconds:g} s; --timeout allows more")
        self.steps += 1

    def charge_reply(self, reply: Reply) -> None:
        """Count what the server says a reply cost."""
        self.prompt_tokens += reply.prompt_tokens
        self.output_tokens += reply.output_tokens
        self.model_seconds += reply.seconds

    def charge_action(self, *, bad: bool) -> None:
        """Count bad actions in a row. Raises BudgetExhausted at the limit."""
        self.bad_in_a_row = self.bad_in_a_row + 1 if bad else 0
        if self.bad_in_a_row >= self.budget.bad_in_a_row:
            raise BudgetExhausted(
                "bad actions", f"stopped after {self.bad_in_a_row} bad actions in a row; another --model may do better"
            )

    @property
    def egress(self) -> tuple[Egress, ...]:
        """Who was asked, in the order of first contact."""
        return tuple(Egress(host, requests, received) for host, (requests, received) in self.hosts.items())

    def usage(self, now: float) -> Usage:
        """All counters at `now` (monotonic seconds)."""
        return Usage(
            steps=self.steps,
            requests=self.requests,
            received=sum(received for _, received in self.hosts.values()),
            prompt_tokens=self.prompt_tokens,
            output_tokens=self.output_tokens,
            seconds=round(now - self.started, 3),
            model_seconds=round(self.model_seconds, 3),
        )
