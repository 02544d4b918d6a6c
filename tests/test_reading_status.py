"""What is not the page that was asked for is said to be so, and an honest page is never taken for it."""

from __future__ import annotations

import pytest

from agent.types import Page
from tools.scrape import read

URL = "https://example.org/dir/page"
ESSAY = "<p>The weir was rebuilt in stone after the flood, and the mill has run on it ever since that year.</p>" * 20


def page(body: str, head: str = "") -> Page:
    return read(f"<html><head>{head}</head><body>{body}</body></html>".encode(), "text/html", URL)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>404</h1><p>The page you are looking for does not exist.</p>",
        "<h1>Seite nicht gefunden</h1><p>Bitte zur Startseite.</p>",
        "<p>Cette page introuvable a peut-être changé.</p>",
        "<h1>抱歉</h1><p>您访问的页面不存在</p>",
        "<p>お探しのページは見つかりません</p>",
    ],
)
def test_a_not_found_notice_served_as_a_page_is_not_found(body: str) -> None:
    assert page(body).status == "not_found"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Access denied</h1><p>You have been blocked.</p>",
        "<p>Checking your browser before accessing the site.</p>",
        "<p>Please verify you are a human.</p>",
        "<h1>请完成安全验证</h1>",
        "<p>Wait.</p><script>window._cf_chl_opt={}</script>",
    ],
)
def test_a_check_for_robots_is_blocked(body: str) -> None:
    assert page(body).status == "blocked"


@pytest.mark.parametrize(
    "body",
    [
        "<div id=root></div><script src=app.js></script>",
        "<div id=__next></div><script>1</script>",
        "<p>You need to enable JavaScript to run this app.</p>",
        "<noscript>Please turn on JavaScript.</noscript><div id=app></div><script src=a.js></script>",
    ],
)
def test_an_empty_shell_needs_a_browser_and_gives_no_text(body: str) -> None:
    assert (page(body).status, page(body).text) == ("js_required", "")


@pytest.mark.parametrize(
    "sentence",
    [
        "A server says 404 when a page was not found, and some say it politely.",
        "A captcha asks you to prove you are human before you may read on.",
        "Every browser of that time had to enable JavaScript by hand.",
        "Subscribe to continue reading was the slogan of a paper of 1901.",
    ],
)
def test_a_long_page_about_such_notices_is_an_honest_page(sentence: str) -> None:
    got = page(f"<article><h1>Notices</h1><p>{sentence}</p>{ESSAY}</article>", "<title>Notices</title>")
    assert (got.status, sentence in got.text) == ("ok", True)


@pytest.mark.parametrize("free", ["false", '"False"', '"false"'])
def test_a_page_that_says_it_is_not_free_is_walled(free: str) -> None:
    ld = f'<script type="application/ld+json">{{"@type":"NewsArticle","isAccessibleForFree":{free}}}</script>'
    assert page("<p>The vault opens at dawn.</p>", ld).status == "paywall"


def test_a_page_that_says_it_is_free_is_not_walled() -> None:
    ld = '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":true}</script>'
    assert page("<p>The vault opens at dawn.</p>", ld).status == "ok"


def test_a_wall_named_by_its_class_is_a_wall_and_the_teaser_stays() -> None:
    got = page("<p>The vault opens at dawn.</p><div class='paywall-box'><p>Subscribe to continue reading</p></div>")
    assert (got.status, "The vault opens at dawn." in got.text) == ("paywall", True)


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=/new", "https://example.org/new"),
        ("3;URL='next.html'", "https://example.org/dir/next.html"),
        ("0, url=https://other.example/x#part", "https://other.example/x"),
        ("0;/bare", "https://example.org/bare"),
        ("5 ; url = ?p=2", "https://example.org/dir/page?p=2"),
    ],
)
def test_a_refresh_leads_to_an_absolute_address(content: str, target: str) -> None:
    got = page("<p>Moved.</p>", f'<meta http-equiv="Refresh" content="{content}">')
    assert (got.status, got.refresh_to) == ("meta_refresh", target)


@pytest.mark.parametrize("content", ["600; url=/new", "30", "0; url=javascript:alert(1)", "0; url=data:text/html,x"])
def test_a_refresh_later_or_to_nowhere_is_none(content: str) -> None:
    got = page("<p>The weir is open.</p>", f'<meta http-equiv="refresh" content="{content}">')
    assert (got.status, got.refresh_to) == ("ok", "")


def test_a_long_page_that_refreshes_itself_away_is_read_where_it_is() -> None:
    assert page(ESSAY.replace("year", "age", 1), '<meta http-equiv="refresh" content="9; url=/new">').status == "ok"
