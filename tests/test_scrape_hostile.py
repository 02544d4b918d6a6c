"""Pages made to hurt a reader: time is bounded, and what is honest in them is still read."""

import time

import pytest

from tools.scrape import read

END = "<p>The last line.</p>"
HOSTILE = {
    "2,000 nested tags": "<div>" * 2000 + "Deep." + "</div>" * 2000,
    "100,000 nested tags": "<div>" * 100_000 + "Deep." + "</div>" * 100_000,
    "100,000 nested inline tags": "<b>" * 100_000,
    "300,000 attributes": f"<i {' '.join(f'a{n}=1' for n in range(300_000))}>x</i>",
    "100,000 attributes full of tag ends": "<i " + " ".join(f"a{n}='</>'" for n in range(100_000)) + ">x</i>",
    "100,000 attributes without values": f"<i {'/'.join(f'a{n}' for n in range(100_000))}>x</i>",
    "style rules with many ancestors": "<style>"
    + "".join(f"div div div div .k{n}{{display:none}}" for n in range(60))
    + f"</style>{'<div>' * 300}{'<i class=k1>x</i>' * 2000}{'</div>' * 300}",
    "style braces": f"<style>{'{' * 200_000}</style>",
    "an endless comment in a style": f"<style>{'/*' * 200_000}</style>",
    "3,000 nested tables": "<table><tr><td>" * 3000 + "</table>" * 3000,
    "rows that span": f"<table><tr>{'<td rowspan=60>abc</td>' * 500}</tr>{'<tr><td>b</td></tr>' * 60}</table>",
    "NUL bytes": "a\0b " * 50_000,
    "entity bomb": "<!DOCTYPE x ["
    + "".join(f"<!ENTITY b{n} '&b{n - 1};&b{n - 1};'>" for n in range(1, 30))
    + "]>&b29;",
    "JSON-LD of brackets": "<script type='application/ld+json'>" + "[" * 100_000 + "</script>",
    "abbreviations without end": "<p>" + "A. " * 100_000 + "</p>",
    "half of a date": "<p>" + "1 January " * 50_000 + "</p>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_page_is_read_to_its_end_in_under_two_seconds(name: str) -> None:
    start = time.process_time()
    page = read(f"<body>{HOSTILE[name]}{END}".encode(), "text/html", "https://example.org/")
    assert time.process_time() - start < 2
    assert "The last line." in page.text


def test_text_below_two_thousand_levels_is_kept() -> None:
    body = f"<body>{'<div>' * 5000}<p>At the very bottom.</p>{'</div>' * 5000}<p>After.</p>".encode()
    text = read(body, "text/html", "https://example.org/").text
    assert "At the very bottom." in text
    assert "After." in text


def test_long_page_hidden_until_a_script_runs_is_read() -> None:
    prose = "".join(f"<p>Sentence number {n} of a long and honest article.</p>" for n in range(60))
    body = f"<style>.wrap{{opacity:0}}</style><div class='wrap'>{prose}</div>".encode()
    assert "Sentence number 59" in read(body, "text/html", "https://example.org/").text
