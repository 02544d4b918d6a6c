"""Downloads one large file over HTTP into a file that may already hold its beginning."""

from __future__ import annotations

import os
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

import requests
import urllib3

from agent.errors import FetchFailed

Progress = Callable[[int, int], None]
"""Told the bytes that are there, and the bytes there will be."""

CONNECT_S = 5.0  # a hub that cannot be reached must not hold up the next source
STALL_S = 30.0
TRIES = 20  # each must bring something, or it was the last
CHUNK_BYTES = 1 << 20


def fetch(url: str, into: Path, size: int, progress: Progress, proxy: str = "", ca_bundle: str = "") -> None:
    """Bring `into` to `size` bytes; what it holds already is taken for the beginning (RFC 9110, section 14).

    A connection that breaks is taken up again where it broke. Raises FetchFailed, which leaves what has arrived,
    and OSError where the disk refuses.
    """
    with requests.Session() as session:
        # The environment is read in settings and nowhere else: no proxies and no .netrc of its own.
        session.trust_env = False
        session.max_redirects = 5
        session.verify = ca_bundle or True
        if proxy:
            session.proxies = {"http": proxy, "https": proxy}
        for _ in range(TRIES):
            have = held(into)
            if have == size:
                return
            _attempt(session, url, into, size, progress)
    raise FetchFailed(url, "the connection broke again and again")


def held(path: Path) -> int:
    """Bytes of the file, 0 where there is none."""
    return path.stat().st_size if path.exists() else 0


def appending(path: Path) -> BinaryIO:
    """The file, opened to be written on at its end; made readable to its owner only."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")


def _attempt(session: requests.Session, url: str, into: Path, size: int, progress: Progress) -> None:
    """One request. Returns when the body has ended or broken off after bringing something."""
    have = held(into)
    # identity: a range of a compressed body would be of no use.
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={have}-"} if have else {})
    try:
        with session.get(url, headers=headers, stream=True, timeout=(CONNECT_S, STALL_S)) as response:
            _check(response, url, have, size)
            if have and response.status_code == HTTPStatus.OK:
                into.unlink()  # asked for the rest, the server sends all of it
            _append(response, url, into, size, progress)
    except (requests.RequestException, urllib3.exceptions.HTTPError) as err:
        if held(into) <= have:
            raise FetchFailed(url, _reason(err)) from err


def _check(response: requests.Response, url: str, have: int, size: int) -> None:
    """Is this the file, or the rest of it? Raises FetchFailed before any of it is read."""
    if response.status_code == HTTPStatus.PARTIAL_CONTENT:
        said = response.headers.get("Content-Range", "")
        if said != f"bytes {have}-{size - 1}/{size}":
            raise FetchFailed(url, f"another range than asked for: {said or 'none'}")
    elif response.status_code != HTTPStatus.OK:
        raise FetchFailed(url, f"status {response.status_code}", kind="status", status=response.status_code)
    elif response.headers.get("Content-Length", str(size)) != str(size):
        raise FetchFailed(url, f"a file of {response.headers['Content-Length']} bytes instead of {size}")


def _append(response: requests.Response, url: str, into: Path, size: int, progress: Progress) -> None:
    with appending(into) as out:
        have = out.tell()
        # read1 gives what has come when a connection breaks; requests' own iterator loses up to a whole chunk of it.
        while chunk := response.raw.read1(CHUNK_BYTES):
            have += len(chunk)
            if have > size:
                raise FetchFailed(url, f"more than {size} bytes")
            out.write(chunk)
            progress(have, size)


def _reason(err: Exception) -> str:
    if isinstance(err, requests.Timeout):
        return "no answer in time"
    if isinstance(err, requests.exceptions.SSLError):
        return "its certificate is not trusted; REQUESTS_CA_BUNDLE names other certificates"
    if isinstance(err, requests.ConnectionError):
        return "cannot be reached"
    return "the connection broke"
