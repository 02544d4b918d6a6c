"""Days as pages write them; what can be read two ways is no date."""

from datetime import UTC, date, datetime

import pytest

from tools.scrape import read
from tools.scrape.dates import day_in, stamp

NOW = datetime(2024, 3, 10, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Posted on 2nd of May, 2021", date(2021, 5, 2)),
        ("May 2, 2021", date(2021, 5, 2)),
        ("2021年5月2日", date(2021, 5, 2)),
        ("2. Mai 2021", date(2021, 5, 2)),
        ("2 de mayo de 2021", date(2021, 5, 2)),
        ("2021-05-02T23:59:00-08:00", date(2021, 5, 2)),
        ("二〇二一年五月二日", date(2021, 5, 2)),
        ("25/12/2021", date(2021, 12, 25)),
        ("12/25/2021", date(2021, 12, 25)),
        ("05/06/2021", None),
        ("version 10.2.2021.7", None),
        ("2021-13-45", None),
        ("30 February 2021", None),
        ("call 555 2021", None),
    ],
)
def test_day_in_text(text: str, day: date | None) -> None:
    assert day_in(text) == day


@pytest.mark.parametrize(
    ("text", "day"), [("3天前", date(2024, 3, 7)), ("2 hours ago", date(2024, 3, 9)), ("昨天", date(2024, 3, 9))]
)
def test_relative_day_counts_from_now(text: str, day: date) -> None:
    assert day_in(text, NOW) == day
    assert day_in(text) is None


def test_the_languages_order_settles_a_day_that_could_be_two() -> None:
    assert day_in("05/06/2021", day_first=True) == date(2021, 6, 5)


def test_stamp_is_the_local_day_and_lacks_nothing() -> None:
    assert stamp("Sun, 02 May 2021 23:59:59 -0800") == date(2021, 5, 2)
    assert stamp("May 2021") is None


def test_published_comes_before_modified_and_the_footer_is_neither() -> None:
    head = "<meta property='article:modified_time' content='2023-01-09'>"
    head += "<meta itemprop='datePublished' content='2023-01-02'>"
    body = f"<html><head>{head}</head><body><p>A text of one line.</p><footer>© 2020</footer></body></html>"
    page = read(body.encode(), "text/html", "https://example.org/")
    assert (page.published, page.modified) == (date(2023, 1, 2), date(2023, 1, 9))


def test_day_in_the_url_is_taken_when_the_page_names_none() -> None:
    page = read(b"<p>A text of one line.</p>", "text/html", "https://example.org/2022/11/05/bridge")
    assert page.published == date(2022, 11, 5)
