"""The doors as the tests open them: at a loopback site, with names and a clock of the test's own."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.budget import Budget, Meter
from agent.doors.clock import SystemClock
from agent.doors.http import PageDoor, ServiceDoor
from agent.doors.proxies import Proxies
from agent.doors.sender import Limits, Sender
from agent.doors.wire import dial
from agent.gate import Gate, Resolve
from agent.policy import Policy, is_public
from tests.site import Site

PUBLIC = "192.0.66.108"
POLICY = Policy(("nasa.gov", "wikipedia.org"))
PLENTY = Budget(requests=50, reserve=0, searches_in_a_row=50)
DIRECT = Proxies()
QUICK = Limits(timeout_s=0.5, deadline_s=1.0, max_bytes=100_000, retries=0)


class SkippingClock(SystemClock):
    """Does not sleep, but goes on as if it had."""

    def __init__(self) -> None:
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return super().monotonic() + sum(self.slept)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)


@dataclass
class Names:
    """A resolver: the answers for every name, one after the other, the last one for ever."""

    answers: list[tuple[str, ...]] = field(default_factory=lambda: [(PUBLIC,)])
    asked: list[str] = field(default_factory=list)

    def __call__(self, host: str, port: int) -> tuple[str, ...]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@dataclass
class House:
    """Gate, doors and what they have noted. Public addresses lead to `site`, all others where they say."""

    site: Site
    policy: Policy = POLICY
    budget: Budget = PLENTY
    limits: Limits = QUICK
    names: Resolve = field(default_factory=Names)
    proxies: Proxies = DIRECT
    trusted: bool = True
    respect_robots: bool = False
    origins: tuple[str, ...] = ()
    lines: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    clock: SkippingClock = field(default_factory=SkippingClock)

    def __post_init__(self) -> None:
        self.meter = Meter(self.budget)
        gate = Gate(self.policy, self.meter, lambda kind, data: self.lines.append((kind, data)))
        self.sender = Sender(
            gate,
            self.clock,
            self.limits,
            user_agent="Scout/0 (test)",
            ca_bundle=self.site.ca_file if self.site.tls and self.trusted else "",
            proxies=self.proxies,
            resolver=self.names,
            dial=self.dial,
            jitter=lambda: 0.5,
        )
        self.pages = PageDoor(self.sender, respect_robots=self.respect_robots)
        self.services = ServiceDoor(self.sender, self.origins)

    def dial(self, address: str, port: int, timeout_s: float) -> socket.socket:
        self.dialled.append(address)
        public = is_public(ipaddress.ip_address(address))
        return (self.site.dial if public else dial)(address, port, timeout_s)

    def __enter__(self) -> House:
        return self

    def __exit__(self, *_: object) -> None:
        self.sender.close()
