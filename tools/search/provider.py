"""Provider: how one search service is asked and read, both pure; and the ways in which one fails."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

from agent.errors import ToolError
from agent.types import Endpoint, Fetched, Hit, ServiceRequest

ASKED = 10  # results asked for: what is off the whitelist falls away and the rest is ranked anew
SITES = 5  # domains a query can be limited to; with more of them the operators would crowd out the words

# Wording is a last resort, so these are asked of replies that are neither the JSON nor the page that was due.
_BOT_CHECK = re.compile(
    r"just a moment\.\.\.|cf[-_]chl|challenge-platform|attention required!|checking your browser|ddos-guard"
    r"|(?:verify|verifying|make sure|making sure)\s+you(?:'re|&#39;re| are)\s+(?:a\s+)?(?:human|not a (?:bot|robot))"
    r"|not a robot|captcha|unusual traffic|anomaly\.js|bots use duckduckgo",
    re.IGNORECASE,
)
_META_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_HEADER_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)


class Failure(StrEnum):
    """How a provider fails. To find nothing is no failure: that is an empty tuple of hits."""

    RATE_LIMITED = "rate_limited"
    BLOCKED = "blocked"
    AUTH = "auth"
    QUOTA = "quota"
    GONE = "gone"
    BAD_REQUEST = "bad_request"
    UNAVAILABLE = "unavailable"
    PARSE_CHANGED = "parse_changed"


class ProviderFailed(ToolError):
    """One provider gave no answer. `detail` goes on from its name; `retry_after_s` is 0 where it did not say."""

    def __init__(self, kind: Failure, provider: str, detail: str, retry_after_s: float = 0.0) -> None:
        super().__init__(f"{provider} {detail}")
        self.kind = kind
        self.provider = provider
        self.detail = detail
        self.retry_after_s = retry_after_s


def as_configured(endpoint: Endpoint, lang: str, site: str) -> tuple[Endpoint, ...]:
    """The one place there is, for a provider that searches the whole web."""
    return (endpoint,)


@dataclass(frozen=True, slots=True)
class Provider:
    """One search service.

    request(query, endpoint, sites, lang): `sites` are the domains to limit the query to, () for no limit.
    parse(fetched, endpoint): hits as the service ranks them, () when it says that it found none. Raises ProviderFailed.
    places(endpoint, lang, site): where to ask, the next when one turns out not to be the service; () when it cannot
    search `site`. `notice` is what a person should know when it is used.
    """

    name: str
    request: Callable[[str, Endpoint, tuple[str, ...], str], ServiceRequest]
    parse: Callable[[Fetched, Endpoint], tuple[Hit, ...]]
    places: Callable[[Endpoint, str, str], tuple[Endpoint, ...]] = as_configured
    every_word: bool = False  # finds only pages that hold each word of the query
    origin: str = ""  # where it is unless configured; "https://*.example.org" stands for the names below
    notice: str = ""


def limited(query: str, sites: tuple[str, ...]) -> str:
    """`query` with the operators that web search engines know for a list of domains."""
    terms = " OR ".join(f"site:{site}" for site in sites)
    return f"{query} ({terms})" if len(sites) > 1 else f"{query} {terms}".strip()


def failed(kind: Failure, provider: str, fetched: Fetched, detail: str) -> ProviderFailed:
    """The failure that a reply means, with the time to wait that it names."""
    return ProviderFailed(kind, provider, detail, retry_after_s(fetched))


def document(provider: str, fetched: Fetched) -> dict[str, Any]:
    """The JSON object in a reply, whatever its status. Raises ProviderFailed where there is none."""
    try:
        value = json.loads(text_of(fetched))
    except (ValueError, RecursionError):  # RecursionError: a body of 100,000 opening brackets
        value = None
    if isinstance(value, dict):
        return value
    check_bot(provider, fetched)
    check_status(provider, fetched)
    raise failed(Failure.PARSE_CHANGED, provider, fetched, f"answered with {_what(fetched)} instead of its JSON")


def check_status(provider: str, fetched: Fetched, hint: str = "") -> None:
    """Raises ProviderFailed for any status but 200, by its plain meaning (RFC 9110 section 15, RFC 6585 section 4)."""
    status = fetched.status
    if status == 200:
        return
    kinds = {
        401: Failure.AUTH,
        402: Failure.QUOTA,
        403: Failure.BLOCKED,
        404: Failure.GONE,
        410: Failure.GONE,
        429: Failure.RATE_LIMITED,
    }
    kind = kinds.get(status, Failure.PARSE_CHANGED)
    if status >= 500 or status in (408, 425):
        kind = Failure.UNAVAILABLE
    elif status in (400, 405, 406, 413, 414, 415, 422, 431):
        kind = Failure.BAD_REQUEST
    elif 300 <= status < 400:
        kind, hint = Failure.UNAVAILABLE, f"it points to {fetched.headers.get('location', 'another place')[:100]!r}"
    wait = retry_after_s(fetched)
    words = hint or (f"try again in {wait:.0f} s" if wait else "")
    raise failed(kind, provider, fetched, f"answered {status}" + (f": {words}" if words else ""))


def check_bot(provider: str, fetched: Fetched) -> None:
    """Raises ProviderFailed for a page that asks whether somebody is there."""
    if _BOT_CHECK.search(text_of(fetched)[:200_000]):
        raise failed(Failure.BLOCKED, provider, fetched, f"answered {fetched.status} with a bot check")


def retry_after_s(fetched: Fetched) -> float:
    """Seconds to wait by Retry-After, a number or a date (RFC 9110 section 10.2.3); 0.0 where it says nothing."""
    value = fetched.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        until = parsedate_to_datetime(value).replace(tzinfo=UTC)  # an HTTP date is GMT, whatever else it says
        since = datetime.fromisoformat(fetched.retrieved).astimezone(UTC)
    except ValueError:
        return 0.0
    return max((until - since).total_seconds(), 0.0)


def text_of(fetched: Fetched) -> str:
    """The body as text: by its BOM, the header, its own meta element, or UTF-8. What no decoder takes is U+FFFD."""
    if fetched.body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return fetched.body.decode("utf-8-sig" if fetched.body[0] == 0xEF else "utf-16", "replace")
    header = _HEADER_CHARSET.search(fetched.content_type)
    meta = _META_CHARSET.search(fetched.body[:4096])
    for name in (header and header[1], meta and meta[1].decode("ascii")):
        # The web means the bigger set when it says the smaller (WHATWG Encoding, section 4.2).
        wide = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252"}.get((name or "").lower(), name)
        try:
            return fetched.body.decode(wide or "no such charset", "replace")
        except LookupError:
            continue
    return fetched.body.decode("utf-8", "replace")


def _what(fetched: Fetched) -> str:
    """What came, in a word or two."""
    if not fetched.body.strip():
        return "nothing"
    if fetched.body.lstrip()[:1] == b"<":
        return "a web page"
    return "the beginning" if fetched.body.lstrip()[:1] in (b"{", b"[") else "plain text"
