"""A real HTTP server on 127.0.0.1 that plays websites, search APIs and model servers; and a listener that stays silent.

    with Site() as site:                                   # Site(tls=True) has a certificate for whatever name is asked
        site.add("/page", Reply("<p>Hello</p>"))           # several replies are given in turn, the last one for ever
        site.add("/api", lambda seen: json_reply({"q": seen.query["q"]}))
        site.add("*", Reply(status=503))                   # whatever has no route; 404 unless told
        requests.get(site.url("/page"))
        site.hits == ["/page"]; site.seen[0].headers["host"]

A door reaches it under any name by `dial=site.dial` (and, with TLS, `ca_bundle=site.ca_file`).
"""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import trustme


@dataclass(frozen=True, slots=True)
class Seen:
    """One request as it came in. Header names are lower case; of a repeated query key the last value counts."""

    method: str
    path: str  # without the query
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def host(self) -> str:
        return self.headers.get("host", "").rpartition(":")[0] or self.headers.get("host", "")

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back. A body of several pieces is sent chunked, one every `every_s`; the first byte after `after_s`.

    raw: the body is the whole response as it goes on the wire, status line included; then the connection is closed.
    """

    body: str | bytes | Iterable[bytes] = b""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: tuple[tuple[str, str], ...] = ()
    after_s: float = 0.0
    every_s: float = 0.0
    raw: bool = False

    @property
    def pieces(self) -> Iterable[bytes]:
        if isinstance(self.body, str):
            return (self.body.encode(),)
        return (self.body,) if isinstance(self.body, bytes) else self.body


Route = Reply | Callable[[Seen], Reply]


def json_reply(value: Any, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    return Reply(json.dumps(value), status, "application/json", headers)


def redirect(to: str, status: int = 302) -> Reply:
    return Reply(status=status, headers=(("Location", to),))


def bytewise(body: bytes) -> tuple[bytes, ...]:
    """`body` in pieces of one byte, for a server that drips."""
    return tuple(body[n : n + 1] for n in range(len(body)))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def answer(self) -> None:
        parts = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        seen = Seen(self.command, parts.path, dict(parse_qsl(parts.query, keep_blank_values=True)), headers, body)
        reply = self.server.site.reply(seen)
        self.server.closing.wait(reply.after_s)
        (self.send_raw if reply.raw else self.send)(reply)

    do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = answer

    def send(self, reply: Reply) -> None:
        whole = isinstance(reply.body, (str, bytes))
        pieces = tuple(reply.pieces) if whole else reply.pieces
        self.send_response(reply.status)
        names = {name.lower() for name, _ in reply.headers}
        if reply.type and "content-type" not in names:
            self.send_header("Content-Type", reply.type)
        for name, value in reply.headers:
            self.send_header(name, value.encode().decode("latin-1"))  # UTF-8 on the wire, as browsers' servers send it
        if whole and not names & {"content-length", "transfer-encoding"}:
            self.send_header("Content-Length", str(sum(map(len, tuple(pieces)))))
        elif not whole:
            self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in self.paced(pieces, reply.every_s):
            self.wfile.write(piece if whole else b"%x\r\n%s\r\n" % (len(piece), piece))
        if not whole:
            self.wfile.write(b"0\r\n\r\n")

    def send_raw(self, reply: Reply) -> None:
        for piece in self.paced(reply.pieces, reply.every_s):
            self.wfile.write(piece)
        self.close_connection = True

    def paced(self, pieces: Iterable[bytes], every_s: float) -> Iterator[bytes]:
        for n, piece in enumerate(pieces):
            if n and self.server.closing.wait(every_s):
                return
            if piece:
                yield piece

    def log_message(self, format: str, *args: Any) -> None:
        """The tests look at `site.seen` instead."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, site: Site, context: ssl.SSLContext | None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.site, self.context = site, context
        self.closing = threading.Event()
        self.open: set[socket.socket] = set()

    def finish_request(self, request: Any, client_address: Any) -> None:
        # TLS begins here, in the connection's own thread: a client that never says hello must not stop the others.
        with contextlib.suppress(OSError), contextlib.ExitStack() as stack:
            if self.context:
                request = stack.enter_context(self.context.wrap_socket(request, server_side=True))
            self.open.add(request)
            stack.callback(self.open.discard, request)
            super().finish_request(request, client_address)

    def stop(self) -> None:
        self.closing.set()
        self.shutdown()
        for connection in tuple(self.open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


@dataclass
class Site:
    """The server. `seen` holds every request in order, `hits` their paths."""

    tls: bool = False
    certified: str = ""  # the one name its certificate is for, whatever name is asked
    seen: list[Seen] = field(default_factory=list)
    routes: dict[tuple[str, str], list[Route]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.authority = trustme.CA() if self.tls else None
        self._server = _Server(self, self._context() if self.tls else None)
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.005,), daemon=True)
        self._thread.start()

    def add(self, path: str, *replies: Route, host: str = "") -> None:
        """Answer `path` (of one `host`, or of any) with `replies` in turn, the last one for ever."""
        self.routes[host, path] = list(replies)

    def reply(self, seen: Seen) -> Reply:
        with self._lock:
            self.seen.append(seen)
            keys = ((seen.host, seen.path), ("", seen.path), (seen.host, "*"), ("", "*"))
            replies = next((self.routes[key] for key in keys if key in self.routes), [Reply(status=404)])
            route = replies.pop(0) if len(replies) > 1 else replies[0]
        return route if isinstance(route, Reply) else route(seen)

    @property
    def hits(self) -> list[str]:
        return [seen.path for seen in self.seen]

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def netloc(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, path: str = "/") -> str:
        return f"{'https' if self.tls else 'http'}://{self.netloc}{path}"

    def dial(self, address: str, port: int, timeout: float | None) -> socket.socket:
        """A connection to this site, whatever address was asked for."""
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    @property
    def ca_file(self) -> str:
        """Path of the certificate that signs this site's."""
        if not self.authority:
            raise ValueError("a site without TLS has no certificate")
        path = Path(self._folder.name) / "ca.pem"
        self.authority.cert_pem.write_to_path(str(path))
        return str(path)

    def _context(self) -> ssl.SSLContext:
        """A certificate is made for each name at its first handshake."""
        self._folder = tempfile.TemporaryDirectory()
        made: dict[str, ssl.SSLContext] = {}

        def issue(name: str) -> ssl.SSLContext:
            assert self.authority
            if name not in made:
                made[name] = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                self.authority.issue_cert(name).configure_cert(made[name])
            return made[name]

        def chosen(connection: ssl.SSLObject, name: str | None, _: ssl.SSLContext) -> None:
            connection.context = issue(self.certified or name or "127.0.0.1")

        context = issue("127.0.0.1")
        context.sni_callback = chosen
        return context

    def close(self) -> None:
        self._server.stop()
        self._thread.join()
        if self.tls:
            self._folder.cleanup()

    def __enter__(self) -> Site:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()


class Silent:
    """Listens on 127.0.0.1 and says nothing. `touched`: somebody has connected."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]

    @property
    def touched(self) -> bool:
        try:
            self._socket.accept()[0].close()
        except BlockingIOError:
            return False
        return True

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._socket.close()
