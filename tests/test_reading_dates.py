"""Days: which of a page's dates is the day it was published, and how it may be written."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from agent.types import Page
from tools.scrape import read
from tools.scrape.dates import day_in, stamp

NOW = datetime(2024, 3, 10, 1, tzinfo=UTC)
TEXT = "<p>The sluice was mended by two men and a boy.</p>"


def page(body: str, head: str = "", url: str = "https://example.org/sluice", lang: str = "en") -> Page:
    html = f"<html lang={lang}><head><title>Sluice</title>{head}</head><body>{body}</body></html>"
    return read(html.encode(), "text/html", url, NOW)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("1er août 2019", date(2019, 8, 1)),
        ("3. März 2019", date(2019, 3, 3)),
        ("3 de enero de 2019", date(2019, 1, 3)),
        ("12 января 2019", date(2019, 1, 12)),
        ("12 stycznia 2019", date(2019, 1, 12)),
        ("Sept. 9, 2019", date(2019, 9, 9)),
        ("the 21st of June, 2019", date(2019, 6, 21)),
        ("2019/6/2", date(2019, 6, 2)),
        ("2019年6月2號", date(2019, 6, 2)),
        ("2019년 6월 2일", date(2019, 6, 2)),
        ("二〇一九年十二月三十一日", date(2019, 12, 31)),
        ("31.12.2019", date(2019, 12, 31)),
        ("04/05/2019", None),
        ("05/05/2019", date(2019, 5, 5)),
        ("29 February 2019", None),
        ("May 2019", None),
        ("1066-10-14", None),
        ("room 12.03.2019.4", None),
        ("", None),
    ],
)
def test_a_day_is_read_as_it_is_written_or_not_at_all(text: str, day: date | None) -> None:
    assert day_in(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2024-03-09T23:30:00-11:00", date(2024, 3, 9)),
        ("20240309", date(2024, 3, 9)),
        ("1709942400", date(2024, 3, 9)),
        ("Sat, 09 Mar 2024 23:59:59 GMT", date(2024, 3, 9)),
        ("2024", None),
        ("March", None),
        ("yesterday", None),
        ("9" * 60, None),
    ],
)
def test_a_stamp_is_the_local_day_and_lacks_no_part(text: str, day: date | None) -> None:
    assert stamp(text) == day


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("5 minutes ago", date(2024, 3, 10)),
        ("2 hours ago", date(2024, 3, 9)),
        ("a week ago", date(2024, 3, 3)),
        ("yesterday", date(2024, 3, 9)),
        ("前天", date(2024, 3, 8)),
        ("2小时前", date(2024, 3, 9)),
        ("3個月前", date(2023, 12, 11)),
    ],
)
def test_a_relative_day_counts_from_the_fetch(text: str, day: date) -> None:
    assert (day_in(text, NOW), day_in(text)) == (day, None)


@pytest.mark.parametrize(
    ("lang", "day"), [("en-US", date(2019, 4, 5)), ("en-GB", date(2019, 5, 4)), ("de", date(2019, 5, 4)), ("en", None)]
)
def test_the_pages_language_settles_which_number_is_the_month(lang: str, day: date | None) -> None:
    assert page(f"<h1>Sluice</h1><p class=date>04/05/2019</p>{TEXT}", lang=lang).published == day


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2019-07-04T22:00:00-08:00">',
        '<meta name="pubdate" content="20190704">',
        '<meta itemprop="datePublished" content="July 4, 2019">',
        '<script type="application/ld+json">{"@type":"NewsArticle","datePublished":"2019-07-04"}</script>',
        '<script type="application/ld+json">{"@graph":[{"@type":["Article"],"datePublished":"2019-07-04"}]}</script>',
    ],
)
def test_the_head_names_the_day(head: str) -> None:
    assert page(TEXT, head).published == date(2019, 7, 4)


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Sluice</h1><time datetime='2019-07-04T09:00'>4 July</time>{TEXT}",
        f"<h1>Sluice</h1><div class=byline>By A. Reed, 4 July 2019</div>{TEXT}",
        f"<div class=entry-meta>Posted on July 4th, 2019</div><h1>Sluice</h1>{TEXT}",
    ],
)
def test_a_line_around_the_title_names_the_day(body: str) -> None:
    assert page(body).published == date(2019, 7, 4)


def test_an_update_is_no_publication() -> None:
    got = page(f"<h1>Sluice</h1><p class=meta>Last updated: 4 July 2019</p>{TEXT}")
    assert (got.published, got.modified) == (None, date(2019, 7, 4))


@pytest.mark.parametrize(
    "body",
    [
        f"{TEXT}<footer>© 4 July 2019</footer>",
        f"{TEXT}<p>Copyright 4 July 2019. All rights reserved.</p>",
        f"{TEXT}<aside><time datetime=2019-07-04>July</time></aside>",
        f"{TEXT}<div class=related-posts><time datetime=2019-07-04>July</time></div>",
        f"{TEXT}<div class=comments><time datetime=2019-07-04>July</time></div>",
    ],
)
def test_days_of_the_footer_of_comments_and_of_other_articles_are_not_the_pages(body: str) -> None:
    assert page(body).published is None


def test_a_day_to_come_is_not_the_day_of_publication() -> None:
    assert page(TEXT, '<meta name="date" content="2031-01-01">').published is None


@pytest.mark.parametrize("path", ["/2019/07/04/sluice", "/news/2019-07-04-sluice", "/t20190704_12.html", "/20190704/a"])
def test_the_address_names_the_day_when_nothing_else_does(path: str) -> None:
    assert page(TEXT, url=f"https://example.org{path}").published == date(2019, 7, 4)


def test_an_encyclopedias_first_day_is_that_of_its_subject() -> None:
    body = "<div id='mw-content-text'><div class='mw-parser-output'><p>Orrin Tower, opened 4 May 1991, leans.</p></div>"
    assert page(f"<h1>Sluice</h1>{body}</div>").published is None
