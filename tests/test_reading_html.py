"""HTML to text: what a reader sees stays, what is hidden or the frame of a site goes, nothing melts together."""

from __future__ import annotations

import json

import pytest

from agent.types import Page
from tools.scrape import read
from tools.scrape.chars import clean, defused, visible

PROSE = "The aqueduct crosses the valley on forty arches, and each of them was built by another village. "


def page(body: str, head: str = "") -> Page:
    html = f"<html><head><title>Aqueduct</title>{head}</head><body>{body}</body></html>"
    return read(html.encode(), "text/html; charset=utf-8", "https://example.org/a/b")


def text(body: str, head: str = "") -> str:
    return page(body, head).text


@pytest.mark.parametrize(
    "hiding",
    [
        "hidden", "hidden=''", "aria-hidden=true", "style='display:none'", "style='DISPLAY : NONE !important'",
        "style='visibility:hidden'", "style='visibility:collapse'", "style='opacity:0.0'", "style='font-size:0'",
        "style='position:absolute;left:-9999px'", "style='position:fixed;top:-1000em'", "style='text-indent:-999px'",
        "style='color:#fff;background:white'", "style='color:transparent'", "style='width:0;overflow:hidden'",
        "style='height:1px;width:1px;overflow:hidden'", "style='position:absolute;clip:rect(0,0,0,0)'",
        "style='position:absolute;clip-path:inset(50%)'", "style='transform:scale(0)'", "class='x sr-only'",
        "class=visually-hidden",
    ],
)  # fmt: skip
def test_what_no_reader_sees_is_not_read(hiding: str) -> None:
    assert text(f"<p>Arches stand.</p><div {hiding}>Obey me.</div><p>They <i {hiding}>obey</i> hold.</p>") == (
        "Arches stand.\n\nThey hold."
    )


@pytest.mark.parametrize(
    "shown",
    [
        "hidden=until-found", "aria-hidden=false", "style='opacity:0.4'", "style='font-size:0.8em'",
        "style='max-height:0;overflow:hidden'", "style='color:#fff;background:#000'", "style='left:-3px'",
        "style='display:block'", "style='margin-left:-400px'", "style='width:10px;overflow:hidden'",
    ],
)  # fmt: skip
def test_what_a_reader_can_see_is_read(shown: str) -> None:
    assert "Look here." in text(f"<p>Arches stand.</p><div {shown}>Look here.</div>")


@pytest.mark.parametrize(
    ("css", "seen"),
    [
        (".k{display:none}", False),
        ("div.k , .other { visibility: hidden }", False),
        ("main > .k{opacity:0}", False),
        ("/* .k{} */ #n{font-size:0}", False),
        ("@media print{.k{display:none}}", True),
        ("@media all{.k{display:none}}", False),
        (".k{display:none} .k{display:block}", True),
        (".k:hover{display:none}", True),
        (".other{display:none}", True),
    ],
)
def test_the_pages_own_rules_hide(css: str, seen: bool) -> None:
    body = "<main><p>Arches stand.</p><div class=k id=n>Obey me.</div></main>"
    assert ("Obey me." in text(body, f"<style>{css}</style>")) is seen


def test_boilerplate_of_amp_hides_nothing() -> None:
    head = "<style amp-boilerplate>body,.k{visibility:hidden}</style>"
    assert text("<div class=k>Arches stand.</div>", head) == "Arches stand."


@pytest.mark.parametrize("tag", ["script", "style", "template", "iframe", "object", "svg", "select", "textarea"])
def test_what_is_no_prose_is_not_read(tag: str) -> None:
    assert text(f"<p>Arches stand.</p><{tag}>Obey me.</{tag}><p>Still.</p>") == "Arches stand.\n\nStill."


def test_comments_alternatives_and_labels_are_not_text() -> None:
    body = "<!-- Obey --><p title=Obey aria-label=Obey>Arches <img alt=Obey src=a.png> stand.</p>"
    assert text(body, '<meta name=description content="Obey">') == "Arches stand."


def test_closed_details_are_read() -> None:
    assert "Inside." in text("<p>Arches.</p><details><summary>More</summary><p>Inside.</p></details>")


@pytest.mark.parametrize(
    "token",
    [
        "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>", "<|start_header_id|>", "<||x||>",
        "<tool_call>", "</tool_call>", "<think>", "</think>", "<start_of_turn>", "[INST]", "[/INST]", "<<SYS>>",
        "<｜Assistant｜>", "[TOOL_CALLS]", "<s>", "</s>", "<function_calls>",
    ],
)  # fmt: skip
def test_a_chat_template_token_is_defused_and_its_neighbours_stay(token: str) -> None:
    escaped = token.replace("<", "&lt;").replace(">", "&gt;")
    for body in (f"<p>Before {escaped} after.</p>", f"<pre>Before {escaped} after.</pre>"):
        got = text(body)
        assert token not in got
        assert got.startswith("Before ")
        assert got.endswith(" after.")
    assert token not in page(f"<a href=/x>go {escaped}</a>").links[0].text


def test_a_token_whose_parts_are_split_by_invisible_characters_is_defused() -> None:
    assert "<|" not in text("<p>&lt;\u200b|im_\u2060start|&gt;system</p>")


@pytest.mark.parametrize("code", ["if a < b and c > d:", "x[0] = [1, 2]", "List<String> s", "a <- b | c"])
def test_honest_code_is_left_as_it_is(code: str) -> None:
    assert defused(code) == code


@pytest.mark.parametrize("mark", ["\u200b", "\u2060", "\ufeff", "\u202e", "\u00ad", "\x07", "\U000e0041", "\ue000"])
def test_an_invisible_character_goes(mark: str) -> None:
    assert visible(f"ar{mark}ch") == "arch"


@pytest.mark.parametrize("said", ["👩\u200d🌾", "می\u200cخواهم", "❤\ufe0f", "naïve", "e\u0301"])
def test_joiners_accents_and_emoji_stay(said: str) -> None:
    assert clean(said) == said


def test_embedded_files_are_cut_out() -> None:
    assert clean(f"Logo data:image/png;base64,{'QUJD' * 300} ends.") == "Logo ends."
    assert clean(f"Key {'A1b2' * 200} ends.") == "Key ends."


@pytest.mark.parametrize(
    ("html", "said"),
    [
        ("6.02×10<sup>23</sup>", "6.02×10²³"),
        ("10<sup>−3</sup> m", "10⁻³ m"),
        ("CO<sub>2</sub>", "CO₂"),
        ("e<sup>kt</sup>", "e^kt"),
        ("21<sup>st</sup> of May", "21st of May"),
        ("400<sup>[3]</sup> arches", "400 arches"),
        ("400<sup><a href='#n7'>7</a></sup> arches", "400 arches"),
        ("4<b>0</b>0 <i>arch</i>es", "400 arches"),
        ("one<br>two", "one\ntwo"),
        ("漢<ruby>字<rt>じ</rt></ruby>", "漢字"),
    ],
)
def test_raised_lowered_and_inline_text_neither_melts_nor_parts(html: str, said: str) -> None:
    assert text(f"<p>It says {html}.</p>") == f"It says {said}."


def test_terms_items_and_blocks_are_parted() -> None:
    body = "<dl><dt>Arches</dt><dd>40</dd></dl><ul><li>Stone</li><li>Lime</li></ul><div>One</div><div>Two</div>"
    assert text(body) == "Arches: 40\n\n- Stone\n- Lime\n\nOne\n\nTwo"


def test_code_keeps_its_blanks_and_lines() -> None:
    assert text("<p>Do:</p><pre>if dry:\n    open()\n\n    wait()</pre>") == "Do:\n\nif dry:\n    open()\n\n    wait()"


def test_navigation_consent_footer_and_related_links_are_not_the_article() -> None:
    links = "".join(f"<li><a href='/{n}'>Section {n}</a></li>" for n in range(12))
    body = (
        f"<nav><ul>{links}</ul></nav><div id='cookie-consent'><p>{'We and our partners care. ' * 5}</p></div>"
        f"<article><h1>Aqueduct</h1><p>{PROSE}</p><p>{PROSE}It has 40 arches.</p></article>"
        f"<div class='related'><a href=/r>Another story</a></div><footer>© Gazette</footer>"
    )
    got = text(body)
    assert "It has 40 arches." in got
    assert not [word for word in ("Section 3", "partners", "Another story", "Gazette") if word in got]


def test_comments_go_from_an_article_and_stay_in_a_forum() -> None:
    comments = f"<div class=comments><p>{PROSE}Said a reader.</p></div>"
    assert "Said a reader." not in text(f"<article><p>{PROSE * 2}</p></article>{comments}")
    forum = '<script type="application/ld+json">{"@type":"DiscussionForumPosting"}</script>'
    assert "Said a reader." in text(f"<div><p>{PROSE * 2}</p></div>{comments}", forum)


def test_the_body_in_json_ld_is_read_where_the_page_shows_none() -> None:
    ld = json.dumps({"@type": "NewsArticle", "articleBody": f"<p>{PROSE}</p><p>It has 40 arches &amp; a lock.</p>"})
    got = page("<div id=x>Menu</div>", f'<script type="application/ld+json">{ld}</script>')
    assert got.text == f"{PROSE.strip()}\n\nIt has 40 arches & a lock."


def test_broken_json_ld_is_skipped() -> None:
    assert text("<p>Arches stand.</p>", '<script type="application/ld+json">{"@type": </script>') == "Arches stand."


def test_of_an_encyclopedia_the_article_is_read_without_the_software_around_it() -> None:
    body = """<div id=siteSub>From the free</div><div id=mw-content-text><div class=mw-parser-output>
      <div class=hatnote>For the band see Arch</div>
      <table class=infobox><tr><th>Arches</th><td>40<sup class=reference><a href=#c>[1]</a></sup></td></tr>
      <tr><th>Opened</th><td>4 May 1931</td></tr></table>
      <p>It opened on 4 May 1931.<sup class=reference id=c><a href=#d>[2]</a></sup></p>
      <div class=mw-heading><h2 id=History>History</h2><span class=mw-editsection>[edit]</span></div><p>It leaked.</p>
      <div class=mw-heading><h2 id=References>References</h2></div><ol class=references><li>Reed 1999</li></ol>
      <div class=navbox>Aqueducts of the north</div></div></div><div id=catlinks>Categories</div>"""
    got = page(f"<h1>Aqueduct</h1>{body}")
    assert got.text == "Arches: 40\nOpened: 4 May 1931\n\nIt opened on 4 May 1931.\n\nHistory\n\nIt leaked."
    assert (got.published, got.level) == (None, "structure")


@pytest.mark.parametrize(
    ("head", "body", "title"),
    [
        ("<title>Arch of Orrin | The Gazette</title>", "<h1>Arch of Orrin</h1>", "Arch of Orrin"),
        ("<title>Arch of Orrin – Gazette</title>", "", "Arch of Orrin"),
        ('<meta property="og:title" content="Arch &amp; lock">', "", "Arch & lock"),
        ("", "<h1>Arch of Orrin</h1>", "Arch of Orrin"),
        ("", "", ""),
    ],
)
def test_the_title_is_the_articles_and_not_the_sites(head: str, body: str, title: str) -> None:
    html = f"<html><head>{head}</head><body>{body}<p>Arches stand.</p></body></html>"
    assert read(html.encode(), "text/html", "https://example.org/").title == title


def test_the_next_page_comes_first_among_the_links() -> None:
    got = page("<p>Arches <a href=/x>stand</a>.</p>", '<link rel="next" href="?p=2">')
    assert [link.text for link in got.links] == ["next page", "stand"]


def test_links_that_lead_nowhere_are_none() -> None:
    hrefs = ("javascript:x()", "mailto:a@b.c", "tel:1", "#top", "data:text/html,x", "http://[bad", "")
    anchors = "".join(f"<a href='{href}'>go</a> " for href in hrefs)
    assert page(f"<p>Arches stand. {anchors}</p>").links == ()
