"""A URL, the DNS answers and the redirects it meets → the URL a page came from, or the class of the refusal.

The case goes through the real door: a loopback server with TLS plays the web, the resolver is scripted, and whatever
address the door wants to connect to is noted and led to that server.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from agent.budget import Budget, Meter
from agent.doors.clock import SystemClock
from agent.doors.http import PageDoor
from agent.doors.sender import Limits, Sender
from agent.errors import FetchFailed, PolicyDenied
from agent.gate import Gate
from agent.policy import Policy, is_public
from tests.site import Reply, Seen, Site, redirect

SITES = ("wikipedia.org", "nasa.gov", "statista.com")
PUBLIC = ["208.80.154.224"]


class Names:
    """The DNS of one case."""

    def __init__(self, case: Mapping[str, Any]) -> None:
        self.asked: dict[str, int] = {}
        self._case = case

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked[host] = self.asked.get(host, 0) + 1
        if host in (by_host := self._case.get("dns_by_host", {})):
            return tuple(by_host[host])
        if self.asked[host] > 1 and "dns_second" in self._case:
            return tuple(self._case["dns_second"])
        return tuple(self._case.get("dns", PUBLIC))


def check(case: dict[str, Any], folder: Path) -> str:
    expected = case["expected"]
    with Site(tls=True) as site:
        got, dialled = fetch(case["input"], site)
    if bad := [address for address in dialled if not is_public(ipaddress.ip_address(address))]:
        return f"connected to {', '.join(bad)}"
    if "allow" in expected:
        return "" if got == {"allow": expected["allow"]} else f"got {got}, expected {expected}"
    pinned = "pin" in expected and "allow" in got and set(dialled) == {expected["pin"]}
    right = got.get("deny") in (expected["deny"], *expected.get("or", ()))
    return "" if right or pinned else f"got {got}, expected {expected}"


def fetch(case: Mapping[str, Any], site: Site) -> tuple[dict[str, str], list[str]]:
    """What became of the case, and the addresses connected to on the way."""
    dialled: list[str] = []

    def dial(address: str, port: int, timeout_s: float) -> socket.socket:
        dialled.append(address)
        return site.dial(address, port, timeout_s)

    places = iter(case.get("redirects", ()))

    def page(seen: Seen) -> Reply:
        place = next(places, None)
        return Reply("<p>here</p>") if place is None else redirect(place)

    site.add("*", page)
    gate = Gate(Policy(SITES), Meter(Budget(requests=100, reserve=0)), lambda kind, data: None)
    sender = Sender(
        gate,
        SystemClock(),
        Limits(retries=0),
        user_agent="Scout/0",
        ca_bundle=site.ca_file,
        resolver=Names(case),
        dial=dial,
    )
    door = PageDoor(sender, respect_robots=False)
    try:
        return {"allow": door.get(case["url"]).url}, dialled
    except PolicyDenied as err:
        return {"deny": err.kind}, dialled
    except FetchFailed as err:
        return {"deny": "dns_failure" if err.kind == "dns" else err.kind, "reason": err.reason}, dialled
    finally:
        door.close()
