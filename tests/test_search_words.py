"""Queries out of questions, and the language of a question."""

from __future__ import annotations

import pytest

from tools.search.language import language
from tools.search.words import keywords, searches, telling


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("How many piers does the Brine Bridge have?", ("piers Brine Bridge", "Brine Bridge")),
        ("Who won the 2021 Brine Regatta?", ("won 2021 Brine Regatta", "2021 Brine Regatta", "Brine Regatta")),
        ("In which year did the University of Brine open?", ("University Brine open", "University Brine")),
        ("how tall is the old lighthouse at brine point", ("old lighthouse brine point", "brine point")),
        ("When was C++11 published?", ("C++11 published", "C++11")),
        ("What did John F. Brine's sister paint?", ("John F Brine sister paint", "John F Brine")),
        ("《潮汐录》的作者是谁？", ("潮汐录 作者", "潮汐录")),
        ("谁修复了云栖古塔？", ("修复 云栖古塔", "云栖古塔")),
        ("誰翻譯了《潮汐录》的序言？", ("翻譯 潮汐录 序言", "潮汐录")),
        ("古塔是谁修复的？", ("古塔 修复", "古塔")),
        ("盐桥由哪家公司在2019年建成？", ("盐桥 公司 2019 建成", "盐桥")),
        ("Rust 语言是什么时候发布的？", ("Rust 语言 发布", "Rust")),
        ("塩橋の長さは何メートルですか", ("塩橋",)),
    ],
)
def test_queries_get_shorter_and_keep_what_the_question_is_about(question: str, queries: tuple[str, ...]) -> None:
    assert keywords(question) == queries


@pytest.mark.parametrize(
    ("question", "queries"),
    [
        ("How long is the Brine Bridge?", ("Brine Bridge",)),
        ("How Long Is the Brine Bridge", ("Brine Bridge", "Bridge")),  # in a headline capitals tell nothing
    ],
)
def test_small_stop_words_show_that_capitals_make_names(question: str, queries: tuple[str, ...]) -> None:
    assert keywords(question) == queries


@pytest.mark.parametrize(
    ("query", "asked", "first", "further"),
    [
        ("Who lit Corbie Light on Fen Isle?", "", ("lit Corbie Light Fen Isle", "Corbie Light"), ("Fen Isle", "Light")),
        (
            "brine bridge toll",
            "What was the toll on Brine Bridge?",
            ("brine bridge toll", "Brine Bridge"),
            ("bridge toll", "toll"),
        ),
        ("salt toll", "What was the toll on Brine Bridge?", ("salt toll", "toll"), ()),
        ("Brine Bridge", "Who built Brine Bridge?", ("Brine Bridge",), ()),
        (
            "which ships does the brine port serve",
            "",
            ("ships brine port serve", "brine port serve"),
            ("brine port", "port serve"),
        ),
        ("盐桥最长的一跨", "", ("盐桥最长 一跨", "盐桥最长"), ("盐桥最", "盐桥")),
        ("", "", (), ()),
    ],
)
def test_what_is_searched_first_and_what_when_nothing_was_found(
    query: str, asked: str, first: tuple[str, ...], further: tuple[str, ...]
) -> None:
    assert searches(query, asked) == (first, further)


@pytest.mark.parametrize(("question", "queries"), [("Who is it?", ("Who is it?",)), (" \n", ()), ("?!", ("?!",))])
def test_a_question_of_stop_words_is_its_own_query_and_a_blank_one_has_none(question: str, queries: object) -> None:
    assert keywords(question) == queries


@pytest.mark.parametrize("question", ["盐的目的地是哪里", "了解自由理由", "人口有多少"])
def test_a_character_that_asks_is_left_alone_inside_a_word(question: str) -> None:
    assert not {"目", "解", "自", "理", "口"} & set(telling(question))


def test_a_long_question_gives_a_query_of_eight_words_at_most() -> None:
    assert len(keywords(" ".join(f"word{n}" for n in range(5000)))[0].split()) == 8


def test_only_the_beginning_of_a_pasted_book_is_looked_at() -> None:
    assert telling("salt " * 1000 + "Bridge") == ("salt",)


@pytest.mark.parametrize(
    ("question", "lang"),
    [
        ("How long is the bridge?", "en"),
        ("Wie lang ist die Brücke?", "en"),  # Latin letters do not tell one language from another
        ("这座桥有多长？", "zh"),
        ("Python 语言的作者是谁", "zh"),
        ("What does 桥 mean in English?", "en"),
        ("この橋の長さは？", "ja"),
        ("이 다리의 길이는?", "ko"),
        ("Какова длина моста?", "ru"),
        ("Яка довжина цієї річки?", "uk"),
        ("ما طول الجسر؟", "ar"),
        ("מה אורך הגשר?", "he"),
        ("สะพานยาวเท่าไร", "th"),
        ("पुल कितना लंबा है?", "hi"),
        ("Πόσο μακριά;", "el"),
        ("12345 ?", "en"),
    ],
)
def test_the_script_of_most_letters_chooses_the_language(question: str, lang: str) -> None:
    assert language(question) == lang
