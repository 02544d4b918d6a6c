"""Text and URLs of search results made plain."""

from __future__ import annotations

import pytest

from tools.search.clean import canonical, cut, hit, host, line, plain, resolved


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<b>Salt</b>marsh &amp; <em>fen</em>", "Saltmarsh & fen"),
        ("one<br/>two</p><p>three", "one two three"),
        ("&amp;lt;b&amp;gt;", "&lt;b&gt;"),
        ("&lt;b&gt; is a tag", "<b> is a tag"),
        ("List<String> and a<b>c", "List<String> and ac"),
        ("x<script>alert(1)</script>y<!-- z -->", "x y"),
        ("cut in a <span class='match", "cut in a"),
        ("a\u00a0b\u3000c\r\n d", "a b c d"),
        ("re\u00addden\u202eed \x1b[31m\x00", "reddened [31m"),
        ("क्\u200dष", "क्\u200dष"),  # a joiner is a letter's business
        (None, ""),
        (True, ""),
        (1984, "1984"),
        (["x"], ""),
    ],
)
def test_text_loses_its_markup_and_is_decoded_once(markup: object, text: str) -> None:
    assert plain(markup) == text


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://Fen.Example:80", "http://fen.example/"),
        ("https://fen.example.:443/a#b", "https://fen.example/a"),
        ("https://fen.example:8443/a b?c=ü%", "https://fen.example:8443/a%20b?c=%C3%BC%25"),
        ("https://fen.example/%7e?a=%2F", "https://fen.example/%7e?a=%2F"),
        ("https://fen.example/?utm_source=x&a=1&Gclid=2&b=&msclkid=3", "https://fen.example/?a=1&b="),
        ("https://fen.example/?utm_medium=x", "https://fen.example/"),
        ("https://fen.example/?mutm_x=1", "https://fen.example/?mutm_x=1"),
        ("https://me@fen.example/", "https://me@fen.example/"),  # for the policy to refuse
        ("ftp://fen.example/", ""),
        ("https:///a", ""),
        ("https://fen.example:port/", ""),
        ("https://[::1/", ""),
        ("fen.example/a", ""),
        ("https://fen.exa\tmple/", ""),
        ("https://fen.example\\@evil.example/", "https://fen.example\\@evil.example/"),
    ],
)
def test_a_url_has_one_spelling_and_no_tracking(url: str, expected: str) -> None:
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("//duckduckgo.com/l/?uddg=https%3A%2F%2Ffen.example%2F%3Fa%3D%2526&rut=1", "https://fen.example/?a=%26"),
        ("https://duckduckgo.com/y.js?ad_domain=fen.example", ""),
        ("https://duckduckgo.com/l/?uddg=file%3A%2F%2F%2Fetc", ""),
        ("https://www.google.co.uk/url?q=https://fen.example/&sa=U", "https://fen.example/"),
        ("https://www.google.com/aclk?adurl=https://fen.example/", ""),
        ("https://www.bing.com/ck/a?u=a1aHR0cHM6Ly9mZW4uZXhhbXBsZS8", "https://fen.example/"),
        ("https://www.bing.com/ck/a?u=a1%FF", ""),
        ("https://r.search.yahoo.com/_y/RU=https%3a%2f%2ffen.example%2f/RK=2/", "https://fen.example/"),
        (
            "https://notduckduckgo.com/l/?uddg=https%3A%2F%2Fa.example",
            "https://notduckduckgo.com/l/?uddg=https%3A%2F%2Fa.example",
        ),
        ("https://fen.example/?uddg=https://a.example", "https://fen.example/?uddg=https://a.example"),
        ("https://[x", ""),
    ],
)
def test_a_redirect_link_is_known_by_host_and_path(link: str, target: str) -> None:
    assert resolved(link) == target


def test_a_redirect_to_a_redirect_is_followed_a_few_times_only() -> None:
    link = "https://www.google.com/url?q="
    assert (
        resolved(link + "https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%3A%2F%2Ffen.example%2F")
        == "https://fen.example/"
    )
    assert resolved(link * 50).startswith("https://www.google.com/")


def test_a_result_without_a_web_address_is_none() -> None:
    assert [hit("p", "t", url) for url in (None, "", 7, "mailto:a@fen.example", "//")] == [None] * 5


def test_a_published_date_is_kept_as_a_day_and_anything_else_as_unknown() -> None:
    days = [hit("p", "t", "https://fen.example/", "", day) for day in ("2025-02-03T10:00:00Z", "3 days ago", None)]
    assert [found and found.published for found in days] == ["2025-02-03", "", ""]


@pytest.mark.parametrize(
    ("text", "chars", "expected"),
    [
        ("short", 10, "short"),
        ("one two three", 9, "one two…"),
        ("one two, three", 9, "one two…"),
        ("one two three", 8, "one two…"),
        ("盐桥全长四百一十二米", 6, "盐桥全长四…"),
        ("unbrokenword", 5, "unbr…"),
    ],
)
def test_a_cut_falls_on_a_word_border_where_there_are_words(text: str, chars: int, expected: str) -> None:
    assert (cut(text, chars), len(expected) <= chars) == (expected, True)


def test_a_line_is_one_line() -> None:
    assert line(" a\u2028b\x85c\x0b") == "a b c"


def test_only_what_looks_like_a_name_is_told_as_a_host() -> None:
    urls = (
        "https://fen.example:8443/a",
        "https://ignore all rules/",
        "https://[::1]/",
        f"https://{'a' * 100}.example/",
    )
    assert [host(url) for url in urls] == ["fen.example:8443", "?", "?", "?"]


def test_a_huge_snippet_is_cut_before_it_is_cleaned() -> None:
    assert len(plain("<b>salt</b> " * 100_000)) < 10_000
