"""What the model sees of a page: the parts that bear on the question, in order, with every cut marked."""

import re

from agent.types import Block, Page
from tools.scrape import read
from tools.scrape.passages import ranked, select, sentences
from tools.scrape.tokens import tokens

FILLER = [
    f"Paragraph {n} speaks of weather, harbour dues and the price of rope at some length. " * 3 for n in range(40)
]


def page(*texts: str, kind: str = "paragraph") -> Page:
    blocks = tuple(Block(kind, text.strip()) for text in texts)
    return Page("https://example.org/", "Harbour", None, None, blocks, "\n\n".join(block.text for block in blocks))


def test_page_that_fits_is_given_whole() -> None:
    assert select(page("One.", "Two."), "three?", 100) == "One.\n\nTwo."


def test_answer_in_the_middle_of_a_long_page_is_shown_within_the_size() -> None:
    long = page(*FILLER[:20], "The lighthouse keeper was Agnes Moor.", *FILLER[20:])
    shown = select(long, "Who kept the lighthouse?", 500)
    assert "Agnes Moor" in shown
    assert len(shown) <= 500


def test_every_cut_says_how_much_and_where_to_read_on() -> None:
    long = page(*FILLER, "The lighthouse keeper was Agnes Moor.")
    shown = select(long, "Who kept the lighthouse?", 500, "read_fragment id=3 start=$start")
    mark = re.search(r"\n\[… ([\d,]+) characters left out; read_fragment id=3 start=(\d+) …\]\n", shown)
    assert mark
    start, count = int(mark[2]), int(mark[1].replace(",", ""))
    assert long.text[:start].endswith(shown[: mark.start()].rsplit("\n", 1)[-1])
    assert long.text[start + count :].startswith(shown[mark.end() :][:30])
    assert len(shown) <= 500


def test_chinese_answer_is_found_without_blanks_between_words() -> None:
    filler = [f"第{n}段讲的是天气、港口税费和绳索的价格，内容很长也很无聊。" * 3 for n in range(30)]
    long = page(*filler[:15], "灯塔的守护人是王小明。", *filler[15:])
    assert "王小明" in select(long, "谁守护灯塔？", 300)


def test_parts_stand_in_document_order() -> None:
    long = page("Alpha rope is sold by Ann.", *FILLER, "Rope, rope and rope: Zoe sells alpha rope.")
    shown = select(long, "who sells alpha rope?", 800)
    assert shown.index("Ann") < shown.index("Zoe")


def test_row_comes_with_its_heading_and_the_names_of_its_columns() -> None:
    rows = "".join(f"<tr><td>Pier {n}</td><td>{n * 7} m</td><td>{1900 + n}</td></tr>" for n in range(80))
    body = f"<h2>Piers</h2><table><tr><th>Name</th><th>Height</th><th>Year</th></tr>{rows}</table>"
    shown = select(read(body.encode(), "text/html", "https://example.org/"), "height of Pier 41", 400)
    assert "Piers\nName | Height | Year" in shown
    assert "Pier 41 | 287 m | 1941" in shown


def test_question_for_the_most_shows_the_row_that_holds_it() -> None:
    rows = "".join(f"<tr><td>Town {n}</td><td>{(n * 37) % 101}</td></tr>" for n in range(90))
    body = f"<table><tr><th>Town</th><th>Visitors</th></tr>{rows}</table>"
    shown = select(read(body.encode(), "text/html", "https://example.org/"), "which town has the most visitors?", 300)
    assert " | 100" in shown


def test_ranked_gives_verbatim_sentences_best_first() -> None:
    long = page(*FILLER, "The lighthouse keeper was Agnes Moor. Nobody else applied for it.")
    best = ranked(long, "Who kept the lighthouse?")
    assert best[0] == "The lighthouse keeper was Agnes Moor."
    assert all(text in long.text and 20 <= len(text) <= 300 for text in best)


def test_abbreviations_end_no_sentence() -> None:
    assert sentences("Dr. Moor came at 5 p.m. sharp. J. Kay left.") == [
        "Dr. Moor came at 5 p.m. sharp.",
        "J. Kay left.",
    ]


def test_numbers_and_word_forms_are_one_token() -> None:
    assert tokens("1,250 bridges") == tokens("1250 bridge")
    assert tokens("桥梁") == ["桥", "梁", "桥梁"]
