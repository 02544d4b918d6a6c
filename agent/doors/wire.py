"""Connections that go to the very address that was checked and keep one deadline over everything they read."""

from __future__ import annotations

import http.client
import io
import ipaddress
import queue
import socket
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NewConnectionError

from agent.errors import FetchFailed
from agent.gate import Resolve, Ticket
from agent.policy import DEFAULT_PORTS
from agent.ports import Clock

Dial = Callable[[str, int, float], socket.socket]  # address, port, timeout in seconds


def system_resolver(host: str, port: int) -> list[str]:
    """All addresses of `host`, as the machine resolves names. Raises OSError, UnicodeError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


def dial(address: str, port: int, timeout_s: float) -> socket.socket:
    """A TCP connection to a numeric address: a name here would be looked up a second time, so it raises ValueError."""
    return socket.create_connection((str(ipaddress.ip_address(address)), port), timeout_s)


class Wire:
    """The request on the wire now: where it may connect, until when it may read. One request at a time."""

    def __init__(self, clock: Clock, timeout_s: float, resolver: Resolve, dial: Dial) -> None:
        self.ticket: Ticket | None = None
        self.peers: dict[tuple[str, int], str] = {}  # (host, port) → address last connected to
        self._clock, self._timeout_s = clock, timeout_s
        self._resolver, self._dial = resolver, dial
        self._ends = 0.0

    def start(self, seconds: float) -> None:
        """Everything from here on has `seconds` together."""
        self._ends = self._clock.monotonic() + seconds

    def left(self) -> float:
        """Seconds until the deadline; negative after it."""
        return self._ends - self._clock.monotonic()

    def patience(self) -> float:
        """How long the next wait may last, in seconds. Raises TimeoutError when the deadline has passed."""
        left = self.left()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        return min(left, self._timeout_s)

    def resolve(self, host: str, port: int) -> Sequence[str]:
        """All addresses of `host`. Raises FetchFailed (dns)."""
        if _is_address(host):
            return (host,)
        answers: queue.SimpleQueue[Sequence[str] | OSError | UnicodeError] = queue.SimpleQueue()

        def ask() -> None:
            try:
                answers.put(self._resolver(host, port))
            except (OSError, UnicodeError) as err:  # UnicodeError: a label that the idna codec refuses
                answers.put(err)

        # getaddrinfo knows no timeout. A thread that still waits is left behind; it holds nothing but itself.
        threading.Thread(target=ask, daemon=True).start()
        try:
            answer = answers.get(timeout=max(min(self.left(), self._timeout_s), 0.0))
        except queue.Empty as err:
            raise FetchFailed(host, "looking up the name took too long", "dns") from err
        if isinstance(answer, Exception):
            raise FetchFailed(host, "the name could not be resolved", "dns") from answer
        return answer

    def connect(self, connection: HTTPConnection) -> socket.socket:
        """A socket to a checked address of the ticket's host, or to the proxy. Raises what urllib3 expects."""
        host, port = connection.host.strip("[]"), connection.port or DEFAULT_PORTS["https"]
        try:
            return self._connect(host, port, self._addresses(connection, host, port))
        except TimeoutError as err:
            raise ConnectTimeoutError(connection, f"no connection to {host} in time") from err
        except OSError as err:
            raise NewConnectionError(connection, f"no connection to {host}: {err.strerror or err}") from err

    def _addresses(self, connection: HTTPConnection, host: str, port: int) -> Sequence[str]:
        if connection.proxy is not None:
            return self.resolve(host, port)
        ticket = self.ticket
        if ticket is None or (ticket.host.strip("[]"), ticket.port) != (host, port):
            raise OSError(f"the ticket is not for {host}:{port}")
        return ticket.addresses

    def _connect(self, host: str, port: int, addresses: Sequence[str]) -> socket.socket:
        failure = OSError("no address to connect to")
        for address in addresses:
            try:
                connected = self._dial(address, port, self.patience())
            except OSError as err:
                failure = err
                continue
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.peers[host, port] = address
            return connected
        raise failure


class _TimedReader(io.RawIOBase):
    """Reads a socket; each single read waits no longer than the wire has patience.

    A timeout of the socket alone starts anew with every byte, so a server that drips would never meet it.
    """

    def __init__(self, raw: io.RawIOBase, connected: socket.socket, wire: Wire) -> None:
        self._raw, self._socket, self._wire = raw, connected, wire

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        self._socket.settimeout(self._wire.patience())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _TimedResponse(http.client.HTTPResponse):
    def __init__(self, wire: Wire, connected: socket.socket, *args: Any, **options: Any) -> None:
        super().__init__(connected, *args, **options)
        self.fp = io.BufferedReader(_TimedReader(self.fp.detach(), connected, wire))


# `_new_conn` and `response_class` are the seams; urllib3 is pinned below 3 and the tests hold both to it.
class _Plain(HTTPConnection):
    def __init__(self, *args: Any, wire: Wire, **options: Any) -> None:
        super().__init__(*args, **options)
        self.wire = wire
        self.response_class = partial(_TimedResponse, wire)  # type: ignore[assignment]

    def _new_conn(self) -> socket.socket:
        return self.wire.connect(self)


class _Secure(_Plain, HTTPSConnection):
    """Host header, SNI and the check of the certificate stay with the name: only the socket is ours."""


class WireAdapter(HTTPAdapter):
    """requests' transport over a Wire, through a proxy or without."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        """Called by HTTPAdapter."""
        super().init_poolmanager(*args, **options)
        self._equip(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        """Called by HTTPAdapter."""
        manager = super().proxy_manager_for(proxy, **options)
        self._equip(manager)
        return manager

    def _equip(self, manager: PoolManager) -> None:
        classes: Any = {
            "http": partial(_pool, HTTPConnectionPool, partial(_Plain, wire=self._wire)),
            "https": partial(_pool, HTTPSConnectionPool, partial(_Secure, wire=self._wire)),
        }
        manager.pool_classes_by_scheme = classes


def _pool(kind: Callable[..., Any], connection: Callable[..., Any], *args: Any, **options: Any) -> Any:
    pool = kind(*args, **options)
    pool.ConnectionCls = connection
    return pool


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
