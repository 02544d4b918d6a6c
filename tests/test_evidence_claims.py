"""What of an answer is a claim, and where its sentences end."""

from __future__ import annotations

import pytest

from agent.evidence.claims import claims_of, pieces


def claims(content: str) -> list[str]:
    return [content[piece.start : piece.end] for piece in claims_of(content)]


def test_sentences_end_at_stops_and_not_at_abbreviations_or_decimals() -> None:
    assert claims("Dr. A. Lund of St. Mary's paid approx. 3.5 million. He left, e.g. in May.") == [
        "Dr. A. Lund of St. Mary's paid approx. 3.5 million.",
        "He left, e.g. in May.",
    ]


def test_chinese_sentences_end_at_their_own_stops() -> None:
    assert claims("大桥长1280米。它于2014年通车！") == ["大桥长1280米。", "它于2014年通车！"]


def test_list_items_lose_their_marks_and_tables_their_heads() -> None:
    content = "- Height: 212 m\n2) Opened: 1931\n\n| Tower | Height |\n|---|---|\n| Harl | 212 |"
    assert claims(content) == ["Height: 212 m", "Opened: 1931", "| Harl | 212 |"]


def test_headings_fences_and_code_claim_nothing() -> None:
    assert claims("## Height\n**Facts**\n```\nx = 212\n```\nIt is 212 m tall.") == ["It is 212 m tall."]


@pytest.mark.parametrize(
    "said",
    [
        "Here is what I found:", "In summary,", "However,", "How tall is it?", "它有多高？", "I hope this helps!",
        "You asked how tall the tower is.", "Unfortunately, I could not find the height.", "希望对你有帮助。",
        "The sources do not mention its height.", "资料中没有提到高度。", "This may vary.", "以下是结果：", "Sources:",
    ],
)  # fmt: skip
def test_connectives_hedges_questions_and_courtesies_are_no_claims(said: str) -> None:
    assert claims(said) == []


@pytest.mark.parametrize(
    "said", ["It might be 212 m tall.", "大约有212人。", "The treaty does not mention Cyprus.", "Yes.", "1931"]
)
def test_a_hedged_sentence_with_a_fact_is_a_claim(said: str) -> None:
    assert claims(said) == [said]


def test_a_semicolon_ends_a_sentence_of_a_page_and_not_of_an_answer() -> None:
    text = "Bags cost 35 dollars; coats are free."
    assert len(list(pieces(text, page=True))) == 2
    assert len(list(pieces(text))) == 1
