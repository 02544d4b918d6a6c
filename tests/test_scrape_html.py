"""What an HTML page becomes: blocks, title, links, level."""

from agent.types import Page
from tools.scrape import read

PROSE = (
    "The viaduct was opened by the mayor on a windy morning, and trains have crossed it ever since without a pause. "
)


def page(body: str, head: str = "") -> Page:
    document = f"<html><head><title>Viaduct | Gazette</title>{head}</head><body>{body}</body></html>"
    return read(document.encode(), "text/html; charset=utf-8", "https://example.org/a/b.html")


def test_article_wins_over_related_teasers_and_says_by_which_level() -> None:
    story = "".join(f"<p>{PROSE} Train {n}.</p>" for n in range(6))
    teasers = "".join(f"<article><h3>Teaser {n}</h3><p>{PROSE}</p></article>" for n in range(3))
    body = f"<main><article><h1>Viaduct</h1>{story}</article></main><div class='related'>{teasers}</div>"
    got = page(body, "<meta property='og:type' content='article'>")
    assert (got.level, got.title) == ("structure", "Viaduct")
    assert "Teaser" not in got.text


def test_page_without_structure_is_read_by_density() -> None:
    links = "".join(f"<div><a href='/{n}'>Another story number {n}</a></div>" for n in range(30))
    got = page(f"<div>{links}</div><div>{''.join(f'<div>{PROSE}{n}.</div>' for n in range(6))}</div>")
    assert got.level == "density"
    assert "Another story" not in got.text


def test_short_page_is_read_whole() -> None:
    got = page("<nav>Home</nav><p>Open at ten.</p><p>Closed on Monday.</p>")
    assert (got.level, got.text) == ("body", "Open at ten.\n\nClosed on Monday.")


def test_row_keeps_its_columns_names_and_its_table() -> None:
    got = page(
        "<table><tr><th>Pier</th><th>Height</th></tr>"
        "<tr><td>1</td><td>31 m</td></tr><tr><td>2</td><td>44 m</td></tr></table>"
    )
    row = got.blocks[-1]
    assert (row.kind, row.text, row.header, row.table) == ("row", "2 | 44 m", "Pier | Height", 0)


def test_layout_table_is_no_data() -> None:
    got = page(f"<table><tr><td><h2>Left</h2><p>{PROSE}</p></td><td><p>{PROSE}</p></td></tr></table>")
    assert "row" not in {block.kind for block in got.blocks}


def test_links_are_absolute_and_named() -> None:
    got = page("<p>See <a href='../c.html#top'>the plan</a> and <a href='javascript:x()'>this</a>.</p>")
    assert [(link.url, link.text) for link in got.links] == [("https://example.org/c.html", "the plan")]


def test_same_block_for_wide_and_narrow_screens_is_read_once() -> None:
    body = f"<div class='wide'><p>{PROSE}</p><p>{PROSE * 2}</p></div><div class='narrow'><p>{PROSE}</p></div>"
    assert page(body).text.count(PROSE.strip()) == 3


def test_empty_document_is_an_empty_page() -> None:
    got = read(b"", "text/html", "https://example.org/")
    assert (got.text, got.status) == ("", "js_required")
