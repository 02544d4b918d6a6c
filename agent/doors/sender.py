"""Sends one admitted request after the other under one deadline, and says in Scout's own words what went wrong."""

from __future__ import annotations

import hashlib
import random
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import requests
from requests.exceptions import ConnectTimeout, ContentDecodingError, ProxyError, ReadTimeout, SSLError
from urllib3.exceptions import HTTPError, ReadTimeoutError

from agent.doors.headers import retry_after
from agent.doors.proxies import Proxies
from agent.doors.wire import Dial, Wire, WireAdapter, dial, system_resolver
from agent.errors import FetchFailed, PolicyDenied
from agent.gate import Gate, Resolve, Ticket
from agent.policy import Place
from agent.ports import Clock
from agent.types import Fetched, Purpose

CHUNK_BYTES = 65536  # decompressed at once: urllib3 2.6.3 and later keep to it, so a bomb costs no more memory
SKIP_BYTES = 16384
ACCEPT_ENCODING = "gzip, deflate"  # not br or zstd: whether those are there, and bounded, depends on the machine

KNOWN_ENCODINGS = {"", "gzip", "x-gzip", "deflate", "identity"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one call at a door, with all its redirects and retries."""

    timeout_s: float = 5.0  # to connect, and without a byte
    deadline_s: float = 12.0
    max_bytes: int = 2 * 1024 * 1024  # of a body after decompression; the rest is cut
    retries: int = 2
    backoff_s: float = 0.5


class _Session(requests.Session):
    def get_redirect_target(self, resp: requests.Response) -> str | None:
        """None: redirects are the door's business.

        Even with allow_redirects=False, requests would read the whole body of a redirect, of any size, to prepare
        the next request.
        """
        return None


class Sender:
    """One session at one gate. What it sends was admitted first; what it was admitted for is settled, come what may."""

    def __init__(
        self,
        gate: Gate,
        clock: Clock,
        limits: Limits,
        *,
        user_agent: str,
        ca_bundle: str = "",
        proxies: Proxies | None = None,
        resolver: Resolve = system_resolver,
        dial: Dial = dial,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.gate, self.limits, self.user_agent = gate, limits, user_agent
        self._clock, self._jitter = clock, jitter
        self._proxies = proxies or Proxies()
        self._verify: bool | str = ca_bundle or True
        self._wire = Wire(clock, limits.timeout_s, resolver, dial)
        self._session = _Session()
        # Proxies, .netrc and certificates out of the environment would go past the settings and past the gate.
        self._session.trust_env = False
        self._session.headers.clear()
        adapter = WireAdapter(self._wire)
        self._session.mount("https://", adapter)
        self._session.mount("http://", adapter)

    def start(self) -> None:
        """Begin a call: its deadline runs from here, and it knows no cookies."""
        self._wire.start(self.limits.deadline_s)
        self._session.cookies.clear()

    def resolver(self, place: Place) -> Resolve | None:
        """How the gate learns the addresses of `place`; None where a proxy stands between."""
        return None if self._proxy(place) else self._wire.resolve

    def exchange(
        self, ticket: Ticket, place: Place, request: requests.Request, read: Callable[[requests.Response], bytes]
    ) -> Fetched:
        """Send what `ticket` admits; `read` takes what it wants of the body, at most max_bytes are kept.

        Raises FetchFailed. The ticket is settled in any case, Ctrl-C included.
        """
        started = self._clock.monotonic()
        fetched, status, error = None, 0, "interrupted"
        try:
            fetched = self._transfer(ticket, place, request, read)
            status, error = fetched.status, ""
            return fetched
        except FetchFailed as err:
            status, error = err.status, f"{err.kind}: {err.reason}"
            raise
        finally:
            self.gate.settle(
                ticket,
                status=status,
                received=len(fetched.body) if fetched else 0,
                error=error,
                seconds=round(self._clock.monotonic() - started, 3),
                address=self._wire.peers.get((place.host.strip("[]"), place.port), ""),
                sha256=fetched.sha256 if fetched and fetched.body else "",
            )

    def body(self, response: requests.Response) -> Iterator[bytes]:
        """The body in decompressed pieces, one byte more than max_bytes in all where there is more.

        Raises FetchFailed (unreadable) for an encoding that was not asked for.
        """
        coded = {part.strip().lower() for part in response.headers.get("Content-Encoding", "").split(",")}
        if unknown := coded - KNOWN_ENCODINGS:
            raise FetchFailed(response.url.partition("?")[0], f"the body is encoded as {unknown.pop()!r}", "unreadable")
        left = self.limits.max_bytes + 1
        for piece in response.iter_content(CHUNK_BYTES):
            yield piece[:left]
            left -= len(piece)
            if left <= 0:
                return

    def skip(self, response: requests.Response) -> bytes:
        """No body. A small one is read away all the same, raw, so that the connection can be used again."""
        length = response.headers.get("Content-Length", "")
        if length.isascii() and length.isdigit() and int(length[:9]) <= SKIP_BYTES:
            response.raw.read(decode_content=False)
        return b""

    def persist(self, send: Callable[[], Fetched], again: Callable[[Fetched], bool]) -> Fetched:
        """What `send` brings, repeated after failures of the network and replies that `again` is true of.

        Full jitter over an exponential backoff, or what Retry-After asks for; never past the deadline or the budget.
        """
        last = self._once(send)
        for n in range(self.limits.retries):
            if isinstance(last, Fetched) and not again(last):
                break
            pause = self._pause(last, n)
            if pause >= self._wire.left():
                break
            self._clock.sleep(pause)
            try:
                last = self._once(send)
            except PolicyDenied as err:
                if err.kind != "budget":
                    raise
                break  # the budget is spent on trying: what the last attempt brought stands
        if isinstance(last, FetchFailed):
            raise last
        return last

    def wait_asked(self, fetched: Fetched) -> float | None:
        """Seconds that the server wants us to wait; None where it does not say."""
        return retry_after(fetched.headers, self._clock.now())

    def close(self) -> None:
        """Let go of the connections. Safe to call twice."""
        self._session.close()

    def _once(self, send: Callable[[], Fetched]) -> Fetched | FetchFailed:
        try:
            return send()
        except FetchFailed as err:
            if err.kind != "network":
                raise
            return err

    def _pause(self, last: Fetched | FetchFailed, n: int) -> float:
        asked = self.wait_asked(last) if isinstance(last, Fetched) else None
        return asked if asked is not None else self.limits.backoff_s * 2**n * self._jitter()

    def _transfer(
        self, ticket: Ticket, place: Place, request: requests.Request, read: Callable[[requests.Response], bytes]
    ) -> Fetched:
        try:
            with self._open(ticket, place, request) as response:
                body = read(response)
                kept = body[: self.limits.max_bytes]
                return Fetched(
                    url=ticket.url,
                    status=response.status_code,
                    content_type=response.headers.get("Content-Type", ""),
                    body=kept,
                    headers={name.lower(): value for name, value in response.headers.items()},
                    retrieved=self._clock.now().isoformat(timespec="seconds").replace("+00:00", "Z"),
                    sha256=hashlib.sha256(kept).hexdigest(),
                    truncated=len(body) > len(kept),
                )
        except (requests.RequestException, HTTPError, OSError, UnicodeError) as err:
            raise self._translated(ticket.name, err) from err

    def _open(self, ticket: Ticket, place: Place, request: requests.Request) -> requests.Response:
        request.headers = {
            "User-Agent": self.user_agent,
            "Accept-Encoding": ACCEPT_ENCODING,
            **(request.headers or {}),
        }
        prepared = self._session.prepare_request(request)
        if ticket.purpose is not Purpose.SEARCH:
            # As admitted, letter for letter: requests would resolve dots and rewrite escapes.
            prepared.url = ticket.url
        self._wire.ticket = ticket
        proxy = self._proxy(place)
        return self._session.send(
            prepared,
            stream=True,
            timeout=self._wire.patience(),
            verify=self._verify,
            proxies={"http": proxy, "https": proxy} if proxy else {},
            allow_redirects=False,
        )

    def _proxy(self, place: Place) -> str:
        return self._proxies.of(place.scheme, place.host, place.port)

    def _translated(self, name: str, err: Exception) -> FetchFailed:
        """A foreign exception in our words. Never its text: that of urllib3 holds the URL with the keys in it."""
        causes = list(_causes(err))
        if any(isinstance(cause, (ReadTimeout, ReadTimeoutError, ConnectTimeout, TimeoutError)) for cause in causes):
            return FetchFailed(name, self._too_slow(), "timeout")
        tls = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
        if tls or isinstance(err, SSLError):
            return FetchFailed(name, f"TLS failed: {getattr(tls, 'verify_message', '') or 'no handshake'}", "tls")
        if isinstance(err, ContentDecodingError):
            return FetchFailed(name, "the body does not decompress", "unreadable")
        root = next((cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), "")
        what = "the proxy gave no connection" if isinstance(err, ProxyError) else "the connection failed"
        return FetchFailed(name, f"{what}: {root.lower()}" if root else what, "network")

    def _too_slow(self) -> str:
        if self._wire.left() <= 0:
            return f"not complete within {self.limits.deadline_s:g} s"
        return f"no answer within {self.limits.timeout_s:g} s"


def _causes(err: BaseException | None) -> Iterator[Any]:
    """`err` and what led to it, also where urllib3 and requests carry it as an argument."""
    while err is not None:
        yield err
        reason = getattr(err, "reason", None)
        inner = [arg for arg in (*err.args, reason) if isinstance(arg, BaseException)]
        err = inner[-1] if inner else err.__cause__ or err.__context__
