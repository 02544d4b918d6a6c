"""The HTTP doors: pages of the whitelist, and the services a user has configured. Nothing else sends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

import requests

from agent.doors.headers import HEAD_BYTES, readable, sniffed, untold
from agent.doors.robots import Robots, parse
from agent.doors.sender import Limits, Sender
from agent.errors import FetchFailed, PolicyDenied
from agent.policy import joined, place_of, without_user
from agent.types import Fetched, Purpose, ServiceRequest

REDIRECTS = {301, 302, 303, 307, 308}  # RFC 9110 section 15.4; 300 offers a choice and 304 has no new place
MAX_REDIRECTS = 5
# A page may lead to itself once: it sets a cookie and wants it back. More than that is a loop.
MAX_VISITS = 2
ACCEPT = "text/html, application/xhtml+xml, application/pdf;q=0.9, text/*;q=0.8, */*;q=0.1"
OVERRIDE = "--ignore-robots (SCOUT_IGNORE_ROBOTS=1) reads it all the same"

# No second try by default: the next provider is that, and a request spent here would be missing there.
SERVICE_LIMITS = Limits(deadline_s=10.0, retries=0)


class PageDoor:
    """Pages: GET only, each redirect through the gate, robots.txt honoured unless told otherwise."""

    def __init__(self, sender: Sender, *, respect_robots: bool = True) -> None:
        self._sender = sender
        self._gate = sender.gate
        self._respect_robots = respect_robots
        self._robots: dict[str, Robots | FetchFailed] = {}

    def get(self, url: str) -> Fetched:
        """One page, its body cut at the limit. Raises PolicyDenied, FetchFailed (a status of 400 and more included)."""
        self._sender.start()
        fetched = self._follow(url, Purpose.PAGE)
        if not 200 <= fetched.status < 300:
            asked = self._sender.wait_asked(fetched)
            wait = "" if asked is None else f", and the server asks to wait {asked:.0f} s"
            raise FetchFailed(fetched.url, f"HTTP status {fetched.status}{wait}", "status", fetched.status)
        return fetched

    def close(self) -> None:
        """Let go of the connections. Safe to call twice."""
        self._sender.close()

    def _follow(self, url: str, purpose: Purpose) -> Fetched:
        visits: Counter[str] = Counter()
        came_from = ""
        for _ in range(MAX_REDIRECTS + 1):
            canonical = self._check(url, purpose, came_from)
            visits[canonical] += 1
            if visits[canonical] > MAX_VISITS:
                raise PolicyDenied(canonical, "the page redirects in a circle", "redirect_limit")
            if purpose is Purpose.PAGE:
                self._obey_robots(canonical)
            fetched = self._sender.persist(partial(self._send, canonical, purpose), _may_pass)
            if fetched.status not in REDIRECTS:
                return fetched
            came_from, url = canonical, joined(canonical, _location(fetched))
        raise PolicyDenied(came_from, f"more than {MAX_REDIRECTS} redirects", "redirect_limit")

    def _check(self, url: str, purpose: Purpose, came_from: str) -> str:
        try:
            return self._gate.check(url, purpose)
        except PolicyDenied as err:
            if not came_from:
                raise
            raise PolicyDenied(err.subject, f"{err.reason} (redirected from {came_from})", err.kind) from err

    def _send(self, url: str, purpose: Purpose) -> Fetched:
        place = place_of(url)
        ticket = self._gate.admit(url, purpose, self._sender.resolver(place))
        request = requests.Request("GET", url, headers={"Accept": ACCEPT})
        read = self._page if purpose is Purpose.PAGE else self._text
        return self._sender.exchange(ticket, place, request, read)

    def _page(self, response: requests.Response) -> bytes:
        """The body of a page; b"" of what is none, which is left unread. Raises FetchFailed (type)."""
        if not 200 <= response.status_code < 300:
            return self._sender.skip(response)
        kind = response.headers.get("Content-Type", "")
        pieces = self._sender.body(response)
        head = b""
        if untold(kind):
            while len(head) < HEAD_BYTES and (piece := next(pieces, b"")):
                head += piece
            kind = response.headers["Content-Type"] = sniffed(head)
        if not readable(kind):
            raise FetchFailed(
                response.url, f"{kind or 'unknown data'} is nothing to read", "type", response.status_code
            )
        return head + b"".join(pieces)

    def _text(self, response: requests.Response) -> bytes:
        if response.status_code != 200:
            return self._sender.skip(response)
        return b"".join(self._sender.body(response))

    def _obey_robots(self, url: str) -> None:
        place = place_of(url)
        if not self._respect_robots or self._gate.policy.granted(place.host, place.port):
            return
        if place.origin not in self._robots:
            self._robots[place.origin] = self._ask_robots(place.origin)
        rules = self._robots[place.origin]
        if isinstance(rules, FetchFailed):
            raise rules
        if place.target != "/robots.txt" and not rules.allows(place.target):
            raise FetchFailed(url, f"robots.txt asks not to read it; {OVERRIDE}", "robots")

    def _ask_robots(self, origin: str) -> Robots | FetchFailed:
        """RFC 9309 section 2.3.1: 4xx means no rules; 5xx, 429 and silence forbid everything.

        What a redirect leads to holds for the origin that was asked.
        """
        url = origin + "/robots.txt"
        try:
            fetched = self._follow(url, Purpose.ROBOTS)
        except PolicyDenied:
            return Robots()  # it leads where we may not look: as good as not there
        except FetchFailed as err:
            if err.kind != "timeout":
                raise  # the page could not be had either
            return FetchFailed(url, f"{err.reason}, so nothing may be read there; {OVERRIDE}", "robots")
        if 200 <= fetched.status < 300:
            return parse(fetched.body, self._sender.user_agent.partition("/")[0])
        if 400 <= fetched.status < 500 and fetched.status != 429:
            return Robots()
        reason = f"HTTP status {fetched.status}, so nothing may be read there; {OVERRIDE}"
        return FetchFailed(url, reason, "robots", fetched.status)


class ServiceDoor:
    """Search APIs: each request goes to a configured origin, and no redirect is followed."""

    def __init__(self, sender: Sender, origins: Sequence[str]) -> None:
        self._sender = sender
        self._origins = tuple(origins)

    def send(self, request: ServiceRequest) -> Fetched:
        """The reply, whatever its status, its body cut at the limit. Raises PolicyDenied, FetchFailed.

        429 is the caller's to judge, who knows other providers; other tries are made as limits.retries says.
        """
        self._sender.start()
        return self._sender.persist(
            partial(self._send, request), lambda reply: _may_pass(reply) and reply.status != 429
        )

    def close(self) -> None:
        """Let go of the connections. Safe to call twice."""
        self._sender.close()

    def _send(self, request: ServiceRequest) -> Fetched:
        place = place_of(without_user(request.url))
        ticket = self._sender.gate.admit_service(request.url, self._origins, self._sender.resolver(place))
        posted = request.json is not None or request.form is not None
        wire = requests.Request(
            "POST" if posted else "GET",
            request.url,
            headers=dict(request.headers),
            params=list(request.params),
            data=None if request.form is None else list(request.form),
            json=request.json,
        )
        return self._sender.exchange(ticket, place, wire, lambda response: b"".join(self._sender.body(response)))


def _may_pass(fetched: Fetched) -> bool:
    """A status that another try may change: RFC 9110 section 15.6, RFC 6585 section 4. 501 and 505 will not."""
    return fetched.status == 429 or (fetched.status >= 500 and fetched.status not in (501, 505))


def _location(fetched: Fetched) -> str:
    """The Location as it was meant. http.client reads headers as Latin-1, servers write UTF-8."""
    raw = fetched.headers.get("location", "")
    try:
        return raw.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return raw
