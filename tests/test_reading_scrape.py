"""SCRAPE and READ_FRAGMENT over a real site: what is asked of it, what comes back, what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256

import pytest

from agent.doors.sender import Limits
from agent.errors import BadAction, FetchFailed, PolicyDenied
from agent.ports import ToolContext
from agent.types import Source
from tests.doors import POLICY, House
from tests.site import Reply, Site
from tools.fragment import READ_FRAGMENT, read_fragment
from tools.scrape import MAX_LINKS, SCRAPE, scrape

URL = "http://www.nasa.gov/buoy"
PROSE = "".join(f"<p>Buoy {n} swims off cape {n} and weighs {n * 3} tonnes. It is red.</p>" for n in range(300))
LEFT_OUT = re.compile(r"read_fragment id=(\d+) start=(\d+)")


@dataclass(slots=True)
class Kept:
    """Our Store port: bodies by hash."""

    bodies: dict[str, bytes] = field(default_factory=dict)

    def put(self, body: bytes) -> str:
        key = sha256(body).hexdigest()
        self.bodies[key] = body
        return key

    def get(self, sha256: str) -> bytes:
        return self.bodies[sha256]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(tls=True) as opened:
        yield opened


@pytest.fixture
def house(site: Site) -> Iterator[House]:
    with House(site) as opened:
        yield opened


def context(house: House, question: str = "How heavy is buoy 140?", sources: tuple[Source, ...] = ()) -> ToolContext:
    store = Kept()
    refusal = POLICY.refusal
    return ToolContext(
        question, house.pages, house.services, store, refusal, house.clock.now(), sources=sources, page_chars=700
    )


def test_a_long_page_comes_as_the_passage_that_bears_on_the_question(site: Site, house: House) -> None:
    site.add("/buoy", Reply(f"<title>Buoys</title>{PROSE}"))
    ctx = context(house)
    seen = scrape(URL, ctx)
    assert "Buoy 140 swims off cape 140 and weighs 420 tonnes." in seen.text
    assert len(seen.text) <= 700
    assert (seen.sources[0].title, seen.sources[0].text.count("tonnes")) == ("Buoys", 300)
    assert ctx.store.get(seen.sources[0].sha256).endswith(b"It is red.</p>")
    assert site.hits == ["/buoy"]


def test_a_page_read_before_keeps_its_number(site: Site, house: House) -> None:
    site.add("/buoy", Reply(PROSE))
    known = scrape(URL, context(house)).sources[0]
    other = Source("https://www.nasa.gov/other", "", "x")
    marks = LEFT_OUT.findall(scrape(URL, context(house, sources=(other, known))).text)
    assert {number for number, _ in marks} == {"2"}
    assert {number for number, _ in LEFT_OUT.findall(scrape(URL, context(house, sources=(other,))).text)} == {"2"}


def test_the_encoding_of_the_header_reaches_the_reader(site: Site, house: House) -> None:
    site.add("/buoy", Reply("<p>Буй красный.</p>".encode("koi8-r"), type="text/html; charset=koi8-r"))
    assert scrape(URL, context(house)).text == "Буй красный."


def test_a_page_cut_at_the_size_limit_says_so_and_keeps_its_beginning(site: Site) -> None:
    site.add("/buoy", Reply(b"<p>Buoy 1 is red.</p>" * 10_000))
    with House(site, limits=Limits(timeout_s=0.5, deadline_s=2.0, max_bytes=50_000, retries=0)) as house:
        seen = scrape(URL, context(house))
    assert seen.notes == ("the page is longer than the size limit; only its first 50,000 bytes were read",)
    assert seen.sources[0].text.startswith("Buoy 1 is red.")


def test_a_refresh_off_the_whitelist_is_refused_before_it_is_sent(site: Site, house: House) -> None:
    site.add("/buoy", Reply('<meta http-equiv="refresh" content="0; url=https://elsewhere.example/in">'))
    with pytest.raises(PolicyDenied):
        scrape(URL, context(house))
    assert (site.hits, house.meter.requests) == (["/buoy"], 1)


def test_a_refresh_on_the_whitelist_is_followed_and_named_as_the_source(site: Site, house: House) -> None:
    site.add("/buoy", Reply('<meta http-equiv="refresh" content="0; url=/new#top">'))
    site.add("/new", Reply("<p>Buoy 9 is green.</p>"))
    seen = scrape(URL, context(house))
    assert (seen.text, seen.sources[0].url) == ("Buoy 9 is green.", "https://www.nasa.gov/new")
    assert house.meter.requests == 2


def test_a_refresh_that_leads_round_is_followed_once(site: Site, house: House) -> None:
    site.add("/buoy", Reply('<meta http-equiv="refresh" content="0; url=/buoy?again">'))
    with pytest.raises(FetchFailed):
        scrape(URL, context(house))
    assert site.hits == ["/buoy", "/buoy"]


@pytest.mark.parametrize(
    ("body", "type", "kind", "said"),
    [
        (b"%PDF-1.7 ...", "application/pdf", "type", "PDF files cannot be read yet"),
        (b"%PDF-1.7 ...", "text/html", "type", "PDF files cannot be read yet"),
        (b"\x89PNG\r\n", "image/png", "type", "image/png"),
        (b"<div id=app></div><script src=/a.js></script>", "text/html", "unreadable", "needs JavaScript"),
        (b"<title>Just a moment...</title><p>Checking your browser", "text/html", "unreadable", "blocked"),
        (b"<title>404</title><h1>Page not found</h1>", "text/html", "unreadable", "does not exist"),
        (b"", "text/html", "unreadable", "JavaScript"),
        (b"  \n", "text/plain", "unreadable", "no text"),
    ],
)
def test_what_cannot_be_read_says_why(site: Site, house: House, body: bytes, type: str, kind: str, said: str) -> None:
    site.add("/buoy", Reply(body, type=type))
    with pytest.raises(FetchFailed) as caught:
        scrape(URL, context(house))
    assert (caught.value.kind, said in str(caught.value)) == (kind, True)


def test_links_are_admitted_ones_those_that_bear_on_the_question_first(site: Site, house: House) -> None:
    more = "".join(f'<a href="/x{n}">thing {n}</a> ' for n in range(20))
    far = '<a href="https://elsewhere.example/buoy">buoy 140 heavy</a>'
    site.add("/buoy", Reply(f"<p>Words of a page. {more}{far} <a href='/w'>heavy buoy</a></p>"))
    links = scrape(URL, context(house)).links
    assert len(links) == MAX_LINKS
    assert links[0].url == "https://www.nasa.gov/w"
    assert all("elsewhere" not in link.url for link in links)


def test_a_paywalled_page_is_read_with_a_warning(site: Site, house: House) -> None:
    ld = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":"False"}</script>'
    site.add("/buoy", Reply(f"{ld}<p>Buoy 3 is for members.</p>"))
    seen = scrape(URL, context(house))
    assert seen.text == "Buoy 3 is for members."
    assert [note.partition(":")[0] for note in seen.notes] == ["paywall"]


def test_reading_on_from_mark_to_mark_gives_the_whole_page_and_sends_nothing(site: Site, house: House) -> None:
    site.add("/buoy", Reply(PROSE))
    source = scrape(URL, context(house)).sources[0]
    ctx = context(house, sources=(source,))
    start, pieces = 0, list[str]()
    while True:
        seen = read_fragment(1, start, ctx).text
        assert len(seen) <= 700
        pieces.append("\n".join(line for line in seen.split("\n") if not line.startswith("[…")))
        mark = LEFT_OUT.search(seen)
        if not mark:
            break
        assert int(mark[2]) > start
        start = int(mark[2])
    assert "".join("".join(pieces).split()) == "".join(source.text.split())
    assert site.hits == ["/buoy"]


@pytest.mark.parametrize("text", ["x" * 5000, "桥" * 5000, "a b " * 2000, "\n" * 3000 + "end"])
def test_a_fragment_always_moves_on_and_never_exceeds_its_size(house: House, text: str) -> None:
    ctx = context(house, sources=(Source(URL, "", text),))
    start = steps = 0
    while steps < 100:
        seen = read_fragment(1, start, ctx).text
        assert len(seen) <= 700
        mark = LEFT_OUT.search(seen)
        if not mark:
            break
        assert int(mark[2]) > start
        start, steps = int(mark[2]), steps + 1
    assert steps < 100


def test_a_fragment_asked_for_within_a_word_starts_at_the_word(house: House) -> None:
    ctx = context(house, sources=(Source(URL, "", "The lighthouse stands."),))
    assert read_fragment(1, 7, ctx).text == "[… 4 characters before …]\nlighthouse stands."


@pytest.mark.parametrize(("number", "said"), [(0, "no source 0; there are 1 to 1"), (2, "no source 2")])
def test_a_fragment_of_an_unknown_source_names_those_there_are(house: House, number: int, said: str) -> None:
    with pytest.raises(BadAction, match=said):
        read_fragment(number, 0, context(house, sources=(Source(URL, "", "short"),)))


def test_a_fragment_before_any_page_says_so(house: House) -> None:
    with pytest.raises(BadAction, match="no page was read yet"):
        read_fragment(1, 0, context(house))


def test_a_fragment_past_the_end_says_how_long_the_page_is(house: House) -> None:
    ctx = replace(context(house), sources=(Source(URL, "", "short"),))
    with pytest.raises(BadAction, match="source 1 has 5 characters; start=5 is past its end"):
        read_fragment(1, 5, ctx)


def test_the_cards_run_these_two() -> None:
    assert (SCRAPE.run, READ_FRAGMENT.run) == (scrape, read_fragment)
