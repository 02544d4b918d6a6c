"""The scrape and read_fragment tools as the scheduler calls them."""

from dataclasses import dataclass, field
from hashlib import sha256

import pytest

from agent.errors import BadAction, FetchFailed
from agent.ports import ToolContext
from agent.types import Fetched, ServiceRequest, Source
from tests.fakes import NOON
from tools.fragment import READ_FRAGMENT, read_fragment
from tools.scrape import SCRAPE, scrape

URL = "https://example.org/lock"


@dataclass(slots=True)
class Pages:
    """Our Web, Services and Store ports: pages by URL."""

    by_url: dict[str, str]
    truncated: bool = False
    asked: list[str] = field(default_factory=list)
    kept: list[bytes] = field(default_factory=list)

    def get(self, url: str) -> Fetched:
        self.asked.append(url)
        body = self.by_url[url].encode()
        return Fetched(
            url, 200, "text/html; charset=utf-8", body, retrieved="2026-11-30T12:00:00Z", truncated=self.truncated
        )

    def send(self, request: ServiceRequest) -> Fetched:
        raise NotImplementedError

    def put(self, body: bytes) -> str:
        self.kept.append(body)
        return sha256(body).hexdigest()


@dataclass(slots=True)
class Bodies:
    pages: Pages

    def put(self, body: bytes) -> str:
        return self.pages.put(body)

    def get(self, sha256: str) -> bytes:
        raise KeyError(sha256)


def context(pages: Pages, question: str = "How long is the lock?", sources: tuple[Source, ...] = ()) -> ToolContext:
    def refusal(url: str) -> str:
        return "" if "example.org" in url else "not on the list"

    return ToolContext(question, pages, pages, Bodies(pages), refusal, NOON, sources=sources, page_chars=600)


def test_page_becomes_an_observation_with_its_source_kept_by_hash() -> None:
    pages = Pages({URL: "<title>Lock</title><meta name=date content=2024-02-03><p>The lock is 61 m long.</p>"})
    seen = scrape(URL, context(pages))
    source = seen.sources[0]
    assert (seen.text, source.title, source.published) == ("The lock is 61 m long.", "Lock", "2024-02-03")
    assert source.sha256 == sha256(pages.kept[0]).hexdigest()


def test_links_that_bear_on_the_question_come_first_and_refused_ones_not_at_all() -> None:
    links = '<a href="/weir">weir</a> <a href="https://elsewhere.test/lock">lock</a> <a href="/gates">lock gates</a>'
    seen = scrape(URL, context(Pages({URL: f"<p>The lock is 61 m long. {links}</p>"})))
    assert [link.url for link in seen.links] == ["https://example.org/gates", "https://example.org/weir"]


def test_meta_refresh_is_followed_once_through_the_gate() -> None:
    to = '<meta http-equiv="refresh" content="0;url={}">'
    pages = Pages({URL: to.format("/new"), "https://example.org/new": "<p>The lock is 61 m long.</p>"})
    assert scrape(URL, context(pages)).text == "The lock is 61 m long."
    pages = Pages({URL: to.format("/new"), "https://example.org/new": to.format("/lock")})
    with pytest.raises(FetchFailed):
        scrape(URL, context(pages))
    assert pages.asked == [URL, "https://example.org/new"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("<div id=root></div><script src=a.js></script>", "JavaScript"),
        ("<h1>Access denied</h1><p>You have been blocked</p>", "blocked"),
        ("<title>404</title><p>Page not found</p>", "does not exist"),
    ],
)
def test_page_that_is_none_says_why(body: str, reason: str) -> None:
    with pytest.raises(FetchFailed, match=reason):
        scrape(URL, context(Pages({URL: body})))


def test_paywall_gives_what_there_is_and_says_so() -> None:
    wall = '<script type="application/ld+json">{"@type":"Article","isAccessibleForFree":false}</script>'
    wall += "<p>The lock is long.</p>"
    seen = scrape(URL, context(Pages({URL: wall})))
    assert seen.text == "The lock is long."
    assert "paywall" in seen.notes[0]


def test_page_longer_than_the_cap_is_said_to_be_cut() -> None:
    seen = scrape(URL, context(Pages({URL: "<p>The lock is 61 m long.</p>"}, truncated=True)))
    assert "size limit" in seen.notes[0]


def test_cut_offers_the_number_the_page_will_have() -> None:
    prose = "".join(f"<p>Gate {n} of the canal is made of oak and iron and weighs a lot.</p>" for n in range(60))
    before = (Source("https://example.org/other", "Other", "x"),)
    assert "read_fragment id=2 start=" in scrape(URL, context(Pages({URL: prose}), sources=before)).text


def test_fragment_reads_on_to_a_block_border_and_marks_what_is_left() -> None:
    text = "\n\n".join(f"Paragraph {n} has a few words in it." for n in range(100))
    ctx = context(Pages({}), sources=(Source(URL, "Lock", text),))
    first = read_fragment(1, 0, ctx).text
    assert len(first) <= 600
    shown, mark = first.rsplit("\n", 1)
    start = int(mark.split("start=")[1].split()[0])
    assert text[:start].strip() == shown
    assert read_fragment(1, start, ctx).text.startswith(f"[… {start:,} characters before …]\nParagraph")


@pytest.mark.parametrize(("number", "start"), [(0, 0), (2, 0), (1, -1), (1, 9999)])
def test_fragment_of_what_is_not_there_is_a_bad_action(number: int, start: int) -> None:
    with pytest.raises(BadAction):
        read_fragment(number, start, context(Pages({}), sources=(Source(URL, "Lock", "short"),)))


def test_cards_name_what_they_take() -> None:
    assert [param.name for param in SCRAPE.params] == ["url"]
    assert [param.name for param in READ_FRAGMENT.params] == ["id", "start"]
