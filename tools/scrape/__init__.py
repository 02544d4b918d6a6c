"""Scrape: one web page in, the passages that bear on the question out."""

from __future__ import annotations

from datetime import datetime

from agent.errors import FetchFailed
from agent.ports import ToolContext
from agent.spec import Kind, Param, Tool
from agent.types import Fetched, Link, Observation, Page, Purpose, Source

# What reads a page is imported where the first page is read: lxml and our patterns are a third of the start-up time.

MAX_LINKS = 8
_REASONS = {
    "js_required": "the page is empty without a browser (needs JavaScript)",
    "blocked": "the site blocked the request (bot check or access denied)",
    "not_found": "the site says that this page does not exist",
}
_BINARY = (
    "image/",
    "audio/",
    "video/",
    "font/",
    "application/pdf",
    "application/zip",
    "application/octet-stream",
    "application/msword",
    "application/vnd.",
)


def read(body: bytes, content_type: str, url: str, now: datetime | None = None) -> Page:
    """The document in `body` as a Page. No network.

    `content_type` is the header's value, "" if there was none; `now` is what relative dates count from.
    Raises FetchFailed of kind `type` for what is no text: PDF, images, archives.
    """
    from tools.scrape.charset import decode  # start-up: see above
    from tools.scrape.html import read_html
    from tools.scrape.plain import read_feed, read_json, read_text

    kind = content_type.partition(";")[0].strip().lower()
    _refuse_binary(body, kind, url)
    decoded = decode(body, content_type)
    text, head = decoded.text, decoded.text[:600].lstrip().lower()
    if kind in ("application/json", "text/json") or kind.endswith("+json"):
        return read_json(text, url)
    if (
        ("xml" in kind and "xhtml" not in kind)
        or (head.startswith("<?xml") and "<html" not in head)
        or head.startswith(("<rss", "<feed"))
    ):
        feed = read_feed(text, url)
        if feed:
            return feed
    if kind in ("text/plain", "text/markdown", "text/x-markdown", "text/csv") or (not kind and "<" not in head):
        return read_text(text, url)
    return read_html(text, url, now)


def _refuse_binary(body: bytes, kind: str, url: str) -> None:
    if kind.startswith(_BINARY) or body.startswith(
        (b"%PDF-", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b")
    ):
        what = (
            "PDF files cannot be read yet"
            if b"%PDF-" in body[:8] or "pdf" in kind
            else f"not a text page ({kind or 'binary data'})"
        )
        raise FetchFailed(url, f"{what}; choose another page", kind="type")


def scrape(url: str, ctx: ToolContext) -> Observation:
    """Fetch `url` and return the passages that bear on the question, at most ctx.page_chars characters.

    A page that sends the reader on (meta refresh) is followed once, through the gate. Raises FetchFailed, PolicyDenied.
    """
    from tools.scrape import passages  # start-up: see above

    fetched = ctx.web.get(url)
    page = _page(fetched, ctx)
    if page.status == "meta_refresh":
        fetched = ctx.web.get(page.refresh_to)
        page = _page(fetched, ctx)
    if page.status in _REASONS:
        raise FetchFailed(fetched.url, _REASONS[page.status], kind="unreadable")
    if not page.text:
        raise FetchFailed(fetched.url, "no text on this page", kind="unreadable")
    sha256 = ctx.store.put(fetched.body)
    source = Source(fetched.url, page.title, page.text, _day(page), fetched.retrieved, sha256, page.blocks)
    handle = f"read_fragment id={_number(fetched.url, ctx)} start=$start"
    text = passages.select(page, ctx.question, ctx.page_chars, handle)
    return Observation(text, sources=(source,), links=_worth_following(page, ctx), notes=_notes(page, fetched))


def _page(fetched: Fetched, ctx: ToolContext) -> Page:
    return read(fetched.body, fetched.content_type, fetched.url, ctx.now)


def _day(page: Page) -> str:
    day = page.published or page.modified
    return day.isoformat() if day else ""


def _number(url: str, ctx: ToolContext) -> int:
    """The number this page has, or will have, among the sources of the run."""
    known = (n for n, source in enumerate(ctx.sources, 1) if source.url == url)
    return next(known, len(ctx.sources) + 1)


def _notes(page: Page, fetched: Fetched) -> tuple[str, ...]:
    notes = []
    if page.status == "paywall":
        notes.append("paywall: only the beginning of this page is free to read; conclude nothing from what is missing")
    if fetched.truncated:
        notes.append(f"the page is longer than the size limit; only its first {len(fetched.body):,} bytes were read")
    return tuple(notes)


def _worth_following(page: Page, ctx: ToolContext) -> tuple[Link, ...]:
    """Links that share words with the question, those that share most first, and the next page; admitted ones only."""
    from tools.scrape.tokens import tokens  # start-up: see above

    wanted = set(tokens(ctx.question))

    def shared(link: Link) -> int:
        return len(wanted & set(tokens(f"{link.text} {link.url.rsplit('/', 1)[-1]}")))

    rated = [(shared(link), link) for link in page.links]
    bearing = sorted((pair for pair in rated if pair[0] or pair[1].text == "next page"), key=lambda pair: -pair[0])
    rest = [pair for pair in rated if pair not in bearing]
    admitted = (link for _, link in [*bearing, *rest] if not ctx.refusal(link.url))
    return tuple(link for link, _ in zip(admitted, range(MAX_LINKS), strict=False))


SCRAPE = Tool(
    "scrape",
    "Read one web page. Use it when a search result or a link looks as if it holds the answer.",
    params=(Param("url", Kind.URL, "full https URL of a search result or of a link already seen"),),
    run=scrape,
    spends=Purpose.PAGE,
)
