"""The gate: the only way out. Policy, then budget, then addresses, then a line in the record; only then is it sent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.budget import Meter
from agent.errors import FetchFailed, PolicyDenied
from agent.policy import Place, Policy, place_of, without_user
from agent.types import Purpose

Resolve = Callable[[str, int], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to send one request. `addresses` are the checked ones, and the only ones to connect to.

    They are empty behind a proxy, which resolves names itself. `name` is the URL fit for messages and the record:
    without the query where that belongs to a service, because keys may stand in it.
    """

    n: int
    url: str
    name: str
    host: str
    port: int
    purpose: Purpose
    addresses: tuple[str, ...] = ()


class Gate:
    """Admits requests and keeps account of them. One for each run."""

    def __init__(self, policy: Policy, meter: Meter, record: Callable[[str, Mapping[str, Any]], None]) -> None:
        self.policy = policy
        self.meter = meter
        self._record = record
        self._count = 0

    def check(self, url: str, purpose: Purpose) -> str:
        """`url` in canonical form, if it would be admitted as far as rules and budget go. Sends and charges nothing.

        Raises PolicyDenied. Look-ups of robots.txt belong to a page that has passed, so they are not limited.
        """
        canonical = self.policy.canonical(url)
        if purpose is not Purpose.ROBOTS:
            self._check_budget(canonical, purpose)
        return canonical

    def admit(self, url: str, purpose: Purpose, resolve: Resolve | None) -> Ticket:
        """Leave for a page or a robots.txt. `resolve` gives all addresses of a name; None behind a proxy.

        Raises PolicyDenied (one bad address among good ones is enough) and FetchFailed (dns); then nothing is charged.
        """
        place = place_of(self.check(url, purpose))
        addresses = self._addresses(place, resolve)
        for address in addresses:
            if reason := self.policy.address_refusal(place.host, place.port, address):
                raise PolicyDenied(place.url, reason, "private_address")
        return self._charge(place.url, place.url, place, purpose, addresses)

    def admit_service(self, url: str, origins: Sequence[str], resolve: Resolve | None) -> Ticket:
        """Leave for a request to a configured service: within one of `origins`, at whatever address it has.

        An origin is scheme://host[:port]; "https://*.example.org" means the names below example.org.
        Raises PolicyDenied, FetchFailed (kind dns). The record gets no query: keys may stand in it.
        """
        place = place_of(without_user(url))
        name = place.origin + place.target.partition("?")[0]
        if not any(_within(place, origin) for origin in origins):
            raise PolicyDenied(name, "not one of the configured services", "host_not_allowed")
        self._check_budget(name, Purpose.SEARCH)
        addresses = self._addresses(place, resolve)
        return self._charge(url, name, place, Purpose.SEARCH, addresses)

    def settle(self, ticket: Ticket, *, status: int = 0, received: int = 0, error: str = "", **more: Any) -> None:
        """What came of it: `received` body bytes after decompression, `error` "" or the reason. `more` is recorded."""
        self.meter.charge_received(ticket.host, received)
        self._record("response", {"n": ticket.n, "status": status, "received": received, "error": error, **more})

    def _check_budget(self, url: str, purpose: Purpose) -> None:
        budget = self.meter.budget
        spent = self.meter.requests >= budget.requests  # whatever the reserve leaves: 0 requests are none
        if not spent and self.meter.left(purpose) > 0:
            return
        if not spent and self.meter.left(Purpose.PAGE) > 0:
            reason = f"{budget.searches_in_a_row} searches in a row without reading a page are the limit"
        else:
            kept = "" if spent else f", but for {budget.requests - self.meter.requests} kept for checking the answer"
            reason = f"the request budget of {budget.requests} is spent{kept}"
        raise PolicyDenied(url, reason, "budget")

    def _addresses(self, place: Place, resolve: Resolve | None) -> tuple[str, ...]:
        if resolve is None:
            return ()
        addresses = tuple(resolve(place.host.strip("[]"), place.port))
        if not addresses:
            raise FetchFailed(place.origin, f"{place.host} has no address", "dns")
        return addresses

    def _charge(self, url: str, name: str, place: Place, purpose: Purpose, addresses: tuple[str, ...]) -> Ticket:
        self._count += 1
        self.meter.charge_request(purpose, place.host)
        self._record("request", {"n": self._count, "url": name, "host": place.host, "purpose": purpose.value})
        return Ticket(self._count, url, name, place.host, place.port, purpose, addresses)


def _within(place: Place, origin: str) -> bool:
    wide = "://*." in origin
    allowed = place_of(without_user(origin.replace("://*.", "://")))
    if (place.scheme, place.port) != (allowed.scheme, allowed.port):
        return False
    return place.host.endswith("." + allowed.host) if wide else place.host == allowed.host
