"""Documents that are not HTML are read as what they are; binary ones are refused by type."""

import pytest

from agent.errors import FetchFailed
from tools.scrape import read

URL = "https://example.org/doc"


def test_markdown_keeps_headings_lists_code_and_links() -> None:
    page = read(
        b"# Mill\n\nBuilt in **1790**, see [plan](https://example.org/p).\n\n- wheel\n\n```\nx  = 1\n```\n",
        "text/markdown",
        URL,
    )
    assert [(block.kind, block.text) for block in page.blocks] == [
        ("heading", "Mill"), ("paragraph", "Built in 1790, see plan."), ("item", "wheel"), ("code", "x  = 1"),
    ]  # fmt: skip
    assert (page.title, page.links[0].url) == ("Mill", "https://example.org/p")


def test_json_is_a_line_a_value_under_its_path() -> None:
    page = read(b'{"title": "Tides", "high": [{"at": "14:05", "m": 3.2}]}', "application/json", URL)
    assert (page.title, page.text.splitlines()) == ("Tides", ["title: Tides", "high[0].at: 14:05", "high[0].m: 3.2"])


def test_broken_json_is_read_as_text() -> None:
    assert read(b'{"high": ', "application/json", URL).text == '{"high":'


def test_feed_is_a_heading_an_entry_with_its_day() -> None:
    entry = (
        "<title>Lock opens</title><link>https://example.org/1</link><pubDate>Sun, 02 May 2021 10:00:00 GMT</pubDate>"
    )
    entry += "<description>&lt;p&gt;It &lt;b&gt;opens&lt;/b&gt;.&lt;/p&gt;</description>"
    rss = f"<?xml version='1.0'?><rss><channel><title>News</title><item>{entry}</item></channel></rss>".encode()
    page = read(rss, "application/rss+xml", URL)
    assert (page.title, page.text) == ("News", "Lock opens\n\n2021-05-02\n\nIt opens.")
    assert page.links[0].url == "https://example.org/1"


def test_feed_with_nested_entities_does_not_grow() -> None:
    entity = "&b{};"
    bomb = "".join(f'<!ENTITY b{n} "{9 * entity.format(n - 1)}">' for n in range(1, 20))
    page = read(
        f"<!DOCTYPE rss [<!ENTITY b0 'x'>{bomb}]><rss><channel><title>&b19;</title></channel></rss>".encode(),
        "text/xml",
        URL,
    )
    assert len(page.title) < 100


@pytest.mark.parametrize(
    ("body", "kind"), [(b"%PDF-1.7", ""), (b"x", "image/png"), (b"\x89PNG", "text/html"), (b"PK\x03\x04", "")]
)
def test_binary_document_is_refused_by_type(body: bytes, kind: str) -> None:
    with pytest.raises(FetchFailed, match="choose another page") as failure:
        read(body, kind, URL)
    assert failure.value.kind == "type"
