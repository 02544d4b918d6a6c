"""What a question asks for, and which sentence could be the answer."""

from __future__ import annotations

import pytest

from tools.scrape.asked import Kind, best_first, coverage, fits, kind


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("When was the mill rebuilt?", Kind.DATE),
        ("In which year did the ferry sink?", Kind.DATE),
        ("How many bells hang in the tower?", Kind.NUMBER),
        ("What is the population of Orrin?", Kind.NUMBER),
        ("Who carved the altar?", Kind.PERSON),
        ("Which river flows through Orrin?", Kind.OTHER),
        ("石塔建于哪一年？", Kind.DATE),
        ("石塔高多少米？", Kind.NUMBER),
        ("石塔由谁设计？", Kind.PERSON),
        ("石塔位于哪座城市？", Kind.OTHER),
    ],
)
def test_the_kind_of_thing_asked_for_is_read_off_the_question_words(question: str, asked: Kind) -> None:
    assert kind(question) is asked


def test_a_number_that_the_question_names_is_no_answer_to_it() -> None:
    question = "How many people crossed in 1998?"
    assert not fits("The bridge was opened in 1998.", question)
    assert fits("About 90,000 people crossed.", question)


def test_the_words_of_the_title_go_without_saying() -> None:
    question, title = "Who designed the Orrin footbridge?", "Orrin footbridge"
    assert coverage("It was designed by Ada Holm.", question, title) == 1.0
    assert coverage("The Orrin footbridge was built by Marsh and Sons.", question, title) == 0.0


def test_a_sentence_that_holds_what_is_asked_for_comes_before_one_that_names_the_subject() -> None:
    sentences = ("The Orrin footbridge is a bridge over the Orrin.", "It is 146 metres long.", "Larks nest nearby.")
    names = dict.fromkeys(sentences, "")
    assert best_first(names, "How long is the Orrin footbridge?", "Orrin footbridge")[0] == "It is 146 metres long."


def test_a_sentence_without_a_word_of_the_question_is_left_out() -> None:
    assert best_first({"Larks nest nearby.": ""}, "How tall is the tower?", "Tower") == ()


def test_chinese_is_matched_by_pairs_of_characters() -> None:
    sentences = ("云泽湖湖面海拔3216米。", "最大水深为61米。")
    assert best_first(dict.fromkeys(sentences, ""), "云泽湖的最大水深是多少米？", "云泽湖")[0] == "最大水深为61米。"


def test_a_row_is_read_under_the_names_of_its_columns() -> None:
    rows = ("Holm | 6.4 days | 1789", "Sigrun | 11.9 days | 1851")
    asked = "What is the period of Sigrun?"
    assert best_first(dict.fromkeys(rows, "Moon | Period | Found"), asked, "Moons of Ondra")[0] == rows[1]
