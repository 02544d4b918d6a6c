"""What providers send, made plain: text without markup, one spelling of a URL, redirect links resolved."""

from __future__ import annotations

import base64
import binascii
import html
import re
from typing import Any
from urllib.parse import SplitResult, parse_qs, quote, unquote, urljoin, urlsplit

from agent.types import Hit

MAX_CHARS = 10_000  # of a title or snippet as it comes; what is shown is a hundredth of that
TRACKING = frozenset({"gclid", "fbclid", "msclkid"})

# Names rather than any <word>: a title such as "Using vector<int>" is text.
_INLINE = "a|abbr|b|bdi|bdo|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr"
_BLOCK = "br|dd|div|dl|dt|h[1-6]|hr|img|li|ol|p|pre|table|tbody|td|th|tr|ul"
_ATTRIBUTES = r"(?:\s[^<>]*)?/?(?:>|$)"
_UNSEEN = re.compile(r"<(script|style)\b.*?(?:</\1\s*>|$)|<!--.*?(?:-->|$)", re.IGNORECASE | re.DOTALL)
_INLINE_TAG = re.compile(rf"</?(?:{_INLINE}){_ATTRIBUTES}", re.IGNORECASE)
_BLOCK_TAG = re.compile(rf"</?(?:{_BLOCK}){_ATTRIBUTES}", re.IGNORECASE)
# Controls would reach the terminal, direction marks would let a title show other letters than it holds. Joiners stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_HOST = re.compile(r"[a-z0-9._-]{1,80}(?::\d+)?")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_GOOGLE = re.compile(r"(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?")


def hit(provider: str, title: Any, url: Any, snippet: Any = "", published: Any = "") -> Hit | None:
    """One result from values as the wire has them; None when there is no web page behind it.

    `title` and `snippet` may hold markup. Anything that is no text counts as missing.
    """
    place = canonical(resolved(url)) if isinstance(url, str) else ""
    if not place:
        return None
    date = _ISO_DATE.match(published) if isinstance(published, str) else None
    return Hit(plain(title), place, plain(snippet), date[0] if date else "", provider)


def plain(markup: Any) -> str:
    """`markup` as one line of text: tags gone, entities decoded once, white space collapsed."""
    if isinstance(markup, bool) or not isinstance(markup, (str, int, float)):
        return ""
    text = _INLINE_TAG.sub("", _BLOCK_TAG.sub(" ", _UNSEEN.sub(" ", str(markup)[:MAX_CHARS])))
    return line(html.unescape(text))


def line(text: str) -> str:
    """`text` on one line, without what cannot be seen."""
    return " ".join(_INVISIBLE.sub("", text).split())


def cut(text: str, chars: int) -> str:
    """`text` in at most `chars` characters, ended at a word where there are words."""
    if len(text) <= chars:
        return text
    head = text[: max(chars - 1, 0)]
    # Chinese has no blanks: going back for one would throw most of the text away.
    at = head.rfind(" ") if not text[len(head)].isspace() else len(head)
    return (head[:at] if at > chars // 2 else head).rstrip(" ,;:") + "…"


def canonical(url: str) -> str:
    """`url` in one spelling, as the policy has it, and without tracking parameters; "" when it is no web address.

    http stays http: only the policy knows where it may. Nothing is repaired: the policy refuses what is odd.
    """
    text = url.strip()
    if _CONTROL.search(text):  # urlsplit would drop some of them, and make another host of it
        return ""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:  # a bracket that never closes, a port of letters
        return ""
    host = (parts.hostname or "").removesuffix(".")
    if parts.scheme not in ("http", "https") or not host:
        return ""
    shown = f"[{host}]" if ":" in host else host
    user = parts.netloc.rpartition("@")[0]  # kept for the policy to refuse
    netloc = (f"{user}@" if user else "") + shown
    if port is not None and port != {"http": 80, "https": 443}[parts.scheme]:
        netloc += f":{port}"
    return f"{parts.scheme}://{netloc}{_encoded(parts.path or '/')}{_query(parts.query)}"


def resolved(url: str, depth: int = 2) -> str:
    """Where a redirect link of a search engine leads; any other URL as it is, "" for an advert."""
    text = "https:" + url.strip() if url.strip().startswith("//") else url.strip()
    try:
        parts = urlsplit(text)
        target = _target(parts, (parts.hostname or "").removesuffix("."))
    except ValueError:
        return ""
    if target is None:
        return text
    return resolved(target, depth - 1) if depth else target


def absolute(base: str, reference: str) -> str:
    """Where `reference` leads from `base`; "" where it is no URL at all."""
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return ""


def key(url: str) -> str:
    """What two spellings of one page share: http and https are not two pages."""
    return url.partition("://")[2]


def host(url: str) -> str:
    """The host of a canonical URL with its port, in words that may stand unfenced: "?" for what is no name."""
    netloc = urlsplit(url).netloc.rpartition("@")[2]
    return netloc if _HOST.fullmatch(netloc) else "?"


def _target(parts: SplitResult, host: str) -> str | None:
    """Where a link of DuckDuckGo, Google, Bing or Yahoo leads, "" for an advert; None for any other link."""
    # By host first: a page's own query may hold a parameter of the same name.
    if host == "duckduckgo.com" or host.endswith(".duckduckgo.com"):
        return "" if parts.path == "/y.js" else _parameter(parts, "/l", "uddg")
    if _GOOGLE.fullmatch(host):
        return "" if parts.path == "/aclk" else _parameter(parts, "/url", "q", "url")
    if host in ("www.bing.com", "bing.com") and parts.path == "/ck/a":
        return _bing(parse_qs(parts.query).get("u", [""])[0])
    if host == "r.search.yahoo.com":
        found = re.search(r"/RU=([^/]+)/", parts.path)
        return unquote(found[1]) if found else ""
    return "" if host == "www.bing.com" and parts.path == "/aclick" else None


def _parameter(parts: SplitResult, path: str, *names: str) -> str | None:
    """The web address in the first of these parameters; None where the path is another."""
    if parts.path.rstrip("/") != path:
        return None
    values = parse_qs(parts.query)
    found = (value for name in names for value in values.get(name, ()))
    return next((value for value in found if value.startswith(("http://", "https://"))), "")


def _bing(value: str) -> str:
    """The address in Bing's u parameter: "a1" and base64url without padding."""
    encoded = value.removeprefix("a1")
    try:
        return base64.urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode("utf-8")
    except (binascii.Error, ValueError):
        return ""


def _query(query: str) -> str:
    kept = [pair for pair in query.split("&") if not _tracks(unquote(pair.partition("=")[0]).lower())]
    return "?" + _encoded("&".join(kept)) if query and kept else ""


def _tracks(name: str) -> bool:
    return name.startswith("utm_") or name in TRACKING


def _encoded(target: str) -> str:
    """Blanks, non-ASCII and a lone % as escapes; what is escaped already stays as it is."""
    return quote(_LONE_PERCENT.sub("%25", target), safe=_ASCII)
