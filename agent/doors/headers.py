"""Readings of response headers: what a body is, how long to wait. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

HEAD_BYTES = 512  # looked at where no type is told
_READABLE = frozenset(
    ("application/json", "application/pdf", "application/xhtml+xml", "application/xml", "application/rss+xml")
)
_UNTOLD = frozenset(("", "application/octet-stream", "binary/octet-stream", "application/x-unknown", "unknown/unknown"))


def media_type(content_type: str) -> str:
    """type/subtype in lower case, without parameters; "" where the header says nothing."""
    kind = content_type.replace(",", ";").partition(";")[0].strip().lower()
    return kind if "/" in kind else ""


def untold(content_type: str) -> bool:
    """The header leaves open what the body is, so its beginning has to be looked at."""
    return media_type(content_type) in _UNTOLD


def readable(content_type: str) -> bool:
    """Something a reader can make text of: HTML, text, XML, feeds, JSON, PDF."""
    kind = media_type(content_type)
    return kind.startswith("text/") or kind in _READABLE or (kind.startswith("application/") and _structured(kind))


def sniffed(head: bytes) -> str:
    """What `head`, the beginning of a body, looks like; "" for bytes that are no text. After WHATWG MIME Sniffing."""
    start = head[:HEAD_BYTES].removeprefix(b"\xef\xbb\xbf").lstrip(b"\t\n\x0c\r ")
    if start.startswith(b"%PDF-"):
        return "application/pdf"
    if head[:2] in (b"\xfe\xff", b"\xff\xfe"):
        return "text/plain"
    # Control bytes that no text has: section 3, "binary data byte".
    if any(byte < 9 or byte == 11 or 13 < byte < 27 or 27 < byte < 32 for byte in start):
        return ""
    if start.startswith(b"<?xml"):
        return "application/xml"
    if start.startswith((b"{", b"[")):
        return "application/json"
    return "text/html" if start.startswith(b"<") else "text/plain"


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait, as Retry-After has it; None where it is missing or says nothing valid. RFC 9110 section 10.2.3.

    A date is counted from the server's own Date where there is one: its clock and ours may differ.
    """
    value = headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    until = _date(value)
    if until is None:
        return None
    return max((until - (_date(headers.get("date", "")) or now)).total_seconds(), 0.0)


def _structured(kind: str) -> bool:
    return kind.endswith(("+xml", "+json"))


def _date(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
