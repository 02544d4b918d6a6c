"""DuckDuckGo's HTML page: no API, tolerated at best, and the first to say that it has had enough."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from agent.types import Endpoint, Fetched, Hit, ServiceRequest
from tools.search.clean import MAX_CHARS, absolute, hit, line
from tools.search.provider import Failure, Provider, check_bot, check_status, failed, limited, text_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

ORIGIN = "https://html.duckduckgo.com"
REGIONS = {"zh": "cn-zh", "ja": "jp-jp", "ko": "kr-kr", "ru": "ru-ru", "el": "gr-el", "he": "il-he", "th": "th-th"}
_CHALLENGE = (
    "//form[@id='challenge-form' or contains(@action, 'anomaly.js')] | //script[contains(@src, 'anomaly.js')]"
    " | //*[contains(@class, 'anomaly-modal')]"
)
_ADVERT = (
    "self::*[contains(@class, 'result--ad') or contains(@class, 'result--no-result')]"
    " | .//*[contains(@class, 'badge--ad')]"
)
_NOTHING = "//*[contains(@class, 'no-results') or contains(@class, 'result--no-result')]"


def request(query: str, endpoint: Endpoint, sites: tuple[str, ...], lang: str) -> ServiceRequest:
    """The form of its first page. Later ones need a token, and asking without it gets the address banned."""
    url = (endpoint.base_url or ORIGIN).rstrip("/").removesuffix("/html") + "/html/"
    headers = (
        ("Accept", "text/html"),
        ("Accept-Language", f"{lang},en;q=0.5"),
        ("Referer", url),
        ("Sec-Fetch-Dest", "document"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Site", "same-origin"),
        ("Sec-Fetch-User", "?1"),
    )
    form = (("q", limited(query, sites)), ("b", ""), ("kl", REGIONS.get(lang, "wt-wt")))
    return ServiceRequest(url, headers=headers, form=form)


def parse(fetched: Fetched, endpoint: Endpoint) -> tuple[Hit, ...]:
    """Results, or its own words that there are none; a page with neither is no answer."""
    if fetched.status in (202, 403):
        raise failed(Failure.BLOCKED, "duckduckgo", fetched, f"answered {fetched.status}: it takes this for a robot")
    if fetched.status != 200:
        check_bot("duckduckgo", fetched)
    check_status("duckduckgo", fetched)
    page = _tree(fetched)
    links = page.xpath(f"//a[{_classed('result__a')}]")
    found = [h for link in links if (h := _hit(link))]
    # Structure, not words: a result about captchas must not read as one.
    if found or page.xpath(_NOTHING) or (links and not page.xpath(_CHALLENGE)):
        return tuple(found)
    if page.xpath(_CHALLENGE):
        raise failed(Failure.BLOCKED, "duckduckgo", fetched, "answered with a bot check")
    check_bot("duckduckgo", fetched)
    raise failed(Failure.PARSE_CHANGED, "duckduckgo", fetched, "answered with a page that holds no results")


def _hit(link: HtmlElement) -> Hit | None:
    """None for an advert. Text of a tree has its entities decoded already: it must not be done again."""
    boxes = link.xpath(f"ancestor::*[{_classed('result')}][1]")
    if boxes and boxes[0].xpath(_ADVERT):
        return None
    snippets = boxes[0].xpath(f".//*[{_classed('result__snippet')}]") if boxes else []
    place = hit("duckduckgo", "", absolute(ORIGIN + "/html/", link.get("href") or ""))
    return place and replace(place, title=_text(link), snippet=_text(snippets[0]) if snippets else "")


def _classed(name: str) -> str:
    """XPath for an element of this class among others."""
    return f"contains(concat(' ', normalize-space(@class), ' '), ' {name} ')"


def _text(element: HtmlElement) -> str:
    for gap in element.iter("br"):
        gap.tail = " " + (gap.tail or "")
    return line(str(element.text_content())[:MAX_CHARS])


def _tree(fetched: Fetched) -> HtmlElement:
    from lxml import html  # deferred: a run that asks other providers and reads no page does not need it

    # As bytes in one known encoding: lxml refuses a str with an XML declaration in it, and trusts a wrong meta element.
    body = text_of(fetched).replace("\x00", "").encode("utf-8", "replace")
    # The root in front, because a body without any element is an error to lxml.
    return html.document_fromstring(b"<html>" + body, parser=html.HTMLParser(encoding="utf-8"))


DUCKDUCKGO = Provider("duckduckgo", request, parse, origin=ORIGIN)
