"""Sends requests to model servers: streamed, under one deadline for the whole exchange, without redirects.

The environment is not consulted: which proxy and which certificates to use is said by the caller.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection

from agent.doors.proxies import Proxies
from agent.errors import FetchFailed

DEFAULT_PORTS = {"http": 80, "https": 443}
CONNECT_S = 5.0
LEAST_S = 0.001  # of a deadline that has passed already: requests takes no time-out of 0
READ_BYTES = 1 << 16
MAX_BYTES = 16 << 20  # a reply is some kilobytes; what goes on for ever is no reply


class ModelSender:
    """The way to one model server. Serves one call at a time; a connection is kept between calls."""

    def __init__(self, proxies: Proxies | None = None, ca_bundle: str = "") -> None:
        self._proxies = proxies or Proxies()
        self._sockets: list[socket.socket] = []
        self._late = threading.Event()
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.verify = ca_bundle or True
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, _Adapter(self))

    def open(self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout_s: float) -> Incoming:
        """Send a request and give the response as soon as its headers are there, whatever its status.

        Raises FetchFailed: kind timeout when `timeout_s` has passed, tls, or network. Ctrl-C ends it at once.
        """
        timeout_s = max(timeout_s, LEAST_S)
        self._late.clear()
        timer = threading.Timer(timeout_s, self._cut)
        timer.daemon = True
        timer.start()
        try:
            response = self._session.request(
                method,
                url,
                data=body,
                headers={"Accept-Encoding": "identity", **headers},
                timeout=(min(CONNECT_S, timeout_s), timeout_s),
                proxies=self._through(url),
                allow_redirects=False,  # a key must not follow
                stream=True,
            )
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as err:
            timer.cancel()
            raise self.failure(url, err) from err
        except BaseException:
            timer.cancel()
            self.drop()
            raise
        return Incoming(self, url, response, timer)

    def failure(self, url: str, err: Exception | None = None) -> FetchFailed:
        """What went wrong, in our words."""
        if self._late.is_set() or isinstance(err, (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError)):
            return FetchFailed(url, "no whole reply in time", kind="timeout")
        return FetchFailed(url, *_reason(err))

    @property
    def late(self) -> bool:
        """The deadline of the latest call has passed."""
        return self._late.is_set()

    def close(self) -> None:
        """Drop the connection. Safe to call twice."""
        self._session.close()
        self._forget()

    def opened(self, connection: socket.socket) -> None:
        """Keep hold of a new connection, so that the deadline can end it whatever a read waits for.

        A time-out of the socket would not do: a server that sends a byte now and then never meets it. It is a
        duplicate that is kept, because TLS takes the original away.
        """
        self._forget()
        self._sockets.append(connection.dup())
        if self._late.is_set():
            self._cut()

    def drop(self) -> None:
        """End the exchange of this moment. Closing our socket would not: the duplicate keeps the model at work."""
        for connection in tuple(self._sockets):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def _cut(self) -> None:
        self._late.set()
        self.drop()

    def _forget(self) -> None:
        while self._sockets:
            self._sockets.pop().close()

    def _through(self, url: str) -> dict[str, str]:
        parts = urlsplit(url)
        proxy = self._proxies.of(parts.scheme, parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme, 0))
        return {"http": proxy, "https": proxy} if proxy else {}


class Incoming:
    """A response on its way in. Iterating gives the body's bytes as they arrive; leaving it early ends the transfer."""

    def __init__(self, sender: ModelSender, url: str, response: requests.Response, timer: threading.Timer) -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers  # names in any case
        self._sender, self._url, self._response, self._timer = sender, url, response, timer
        self._whole = False

    def __iter__(self) -> Iterator[bytes]:
        """Raises FetchFailed: kind timeout, too_large or network."""
        received = 0
        try:
            # read1 gives what is there; requests' own iterators would wait for a whole piece of a body sent unchunked.
            while data := self._response.raw.read1(READ_BYTES):
                received += len(data)
                if received > MAX_BYTES:
                    raise FetchFailed(self._url, f"more than {MAX_BYTES >> 20} MiB and no end", kind="too_large")
                yield data
        except (urllib3.exceptions.HTTPError, OSError) as err:
            raise self._sender.failure(self._url, err) from err
        if self._sender.late:  # a body that ends with its connection seems whole when the deadline cuts it
            raise self._sender.failure(self._url)
        self._whole = True

    def read(self) -> bytes:
        """The whole body. Raises FetchFailed."""
        return b"".join(self)

    def close(self) -> None:
        """End the transfer. Safe to call twice."""
        self._timer.cancel()
        if not self._whole:
            self._sender.drop()
        self._response.close()

    def __enter__(self) -> Incoming:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()


class _Adapter(HTTPAdapter):
    """Tells its sender of each connection made."""

    def __init__(self, sender: ModelSender) -> None:
        self._plain = _telling(HTTPConnection, sender)
        self._tls = _telling(HTTPSConnection, sender)
        super().__init__(pool_maxsize=1)

    def get_connection_with_tls_context(self, *args: Any, **kwargs: Any) -> Any:
        """Called by HTTPAdapter for each request."""
        pool: Any = super().get_connection_with_tls_context(*args, **kwargs)
        pool.ConnectionCls = self._tls if pool.scheme == "https" else self._plain
        return pool


def _telling(base: type[HTTPConnection], sender: ModelSender) -> type[HTTPConnection]:
    """A connection class that hands its socket to `sender`."""

    class Telling(base):  # type: ignore[misc, valid-type]
        def _new_conn(self) -> socket.socket:
            connection: socket.socket = super()._new_conn()
            sender.opened(connection)
            return connection

    return Telling


def _reason(err: BaseException | None) -> tuple[str, str]:
    """Reason and kind, from the causes of `err`."""
    causes = []
    while err is not None:
        causes.append(type(err))
        err = err.__cause__ or err.__context__
    for kinds, reason, kind in _REASONS:
        if any(issubclass(cause, kinds) for cause in causes):
            return reason, kind
    return "the connection broke", "network"


_REASONS: tuple[tuple[tuple[type[BaseException], ...], str, str], ...] = (
    (
        (requests.exceptions.SSLError,),
        "its certificate is not trusted; REQUESTS_CA_BUNDLE names other certificates",
        "tls",
    ),
    ((ConnectionRefusedError,), "nothing listens there", "network"),
    ((socket.gaierror,), "no such host", "dns"),
    ((requests.ConnectTimeout, urllib3.exceptions.ConnectTimeoutError), "cannot be reached", "network"),
    ((requests.exceptions.InvalidHeader, UnicodeEncodeError), "the key holds what no header may hold", "network"),
    ((requests.exceptions.ProxyError,), "the proxy gives no way to it", "network"),
    ((requests.exceptions.InvalidSchema, ValueError), "no such address", "network"),
)
