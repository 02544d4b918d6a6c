"""The evidence check as the scheduler calls it: verdicts, citations, what the model hears."""

from __future__ import annotations

import subprocess
import sys

import pytest

from agent.evidence import best_span, check, complaint, ranked_sources
from agent.types import Answer, Source, Verdict

TOWER = Source(
    "https://towers.example/harl",
    "Harl Tower",
    "Harl Tower was designed by Nora Quist and opened on 4 May 1931. It is 212 metres tall.\n\n"
    "A restaurant on the top floor seats 90 guests. The owner plans to add a lift in 2030.",
)
RIVAL = Source(
    "https://towers.example/bent",
    "Bent Tower",
    "Bent Tower opened in 1948.   It is\n180 metres tall and   was designed by Otto Lind.",
)
TABLE = Source(
    "https://towers.example/list", "Towers", "| Tower | Height (m) | Opened |\n|---|---|---|\n| Harl | 212 | 1931 |\n"
)  # fmt: skip


def verdicts(answer: Answer) -> list[Verdict]:
    return [claim.verdict for claim in answer.claims]


def test_a_sentence_that_stands_is_cited_after_its_full_stop() -> None:
    answer = check("Harl Tower opened in 1931.", [RIVAL, TOWER])
    assert answer.text == "Harl Tower opened in 1931. [2]"
    assert answer.supported


def test_sources_are_ranked_by_their_first_citation() -> None:
    answer = check(
        "Bent Tower opened in 1948. Harl Tower is 212 metres tall. Bent Tower is 180 metres tall.", [TOWER, RIVAL]
    )
    assert ranked_sources(answer) == (2, 1)


def test_a_quote_is_a_substring_of_its_page_up_to_white_space() -> None:
    answer = check("Bent Tower is 180 metres tall.", [RIVAL])
    quote = answer.claims[0].quotes[0]
    assert quote.text in " ".join(RIVAL.text.split())


def test_a_long_unit_is_quoted_in_part_and_still_verbatim() -> None:
    long = "The hall " + "and the very long corridor " * 40 + "seats 731 people " + "beside the garden " * 40 + "."
    answer = check("The hall seats 731 people.", [Source("https://a.example", "Hall", long)])
    quote = answer.claims[0].quotes[0].text
    assert len(quote) <= 400
    assert quote in long
    assert "731" in quote


def test_a_figure_on_no_page_is_unsupported_and_marked() -> None:
    answer = check("The tower has 44 lifts.", [TOWER])
    assert verdicts(answer) == [Verdict.UNSUPPORTED]
    assert answer.text == "The tower has 44 lifts. [unsupported]"


def test_another_value_for_the_same_thing_is_a_contradiction_with_its_quote() -> None:
    answer = check("Harl Tower is 221 metres tall.", [TOWER])
    assert verdicts(answer) == [Verdict.CONTRADICTED]
    assert answer.text.endswith("[contradicted]")
    assert "212 metres" in answer.claims[0].quotes[0].text


def test_a_figure_of_another_thing_does_not_support() -> None:
    answer = check("Harl Tower is 180 metres tall. Bent Tower was designed by Nora Quist.", [TOWER, RIVAL])
    assert Verdict.SUPPORTED not in verdicts(answer)


def test_one_part_that_stands_beside_one_that_does_not_is_partial() -> None:
    answer = check("Harl Tower opened in 1931 and cost 3 million crowns.", [TOWER])
    assert verdicts(answer) == [Verdict.PARTIAL]
    assert answer.text.endswith("[1] [partly supported]")
    assert not answer.supported


def test_a_plan_told_as_fact_is_unsupported_and_told_as_plan_stands() -> None:
    answer = check("The owner added a lift in 2030. The owner plans to add a lift in 2030.", [TOWER])
    assert verdicts(answer) == [Verdict.UNSUPPORTED, Verdict.SUPPORTED]


def test_facts_from_two_pages_are_joined_and_both_cited() -> None:
    answer = check("Harl Tower opened in 1931, while Bent Tower opened in 1948.", [TOWER, RIVAL])
    assert answer.text.endswith("[1][2]")


def test_a_table_cell_has_the_unit_of_its_head() -> None:
    assert verdicts(check("Harl is 212 metres high.", [TABLE])) == [Verdict.SUPPORTED]
    assert verdicts(check("Harl is 212 feet high.", [TABLE])) != [Verdict.SUPPORTED]


def test_a_table_row_of_the_answer_is_cited_inside_its_last_cell() -> None:
    answer = check("| Tower | Opened |\n|---|---|\n| Harl Tower | 1931 |", [TOWER])
    assert answer.text.splitlines()[-1] == "| Harl Tower | 1931 [1] |"


@pytest.mark.parametrize("content", ["Nora Quist", "1931", "212 metres", "4 May 1931"])
def test_a_bare_phrase_is_supported_where_it_stands_verbatim(content: str) -> None:
    assert verdicts(check(content, [TOWER])) == [Verdict.SUPPORTED]


@pytest.mark.parametrize("content", ["Nora Lind", "1932", "212 feet", "5 May 1931", "Yes.", "是"])
def test_a_bare_phrase_on_no_page_and_a_bare_yes_are_unsupported(content: str) -> None:
    assert verdicts(check(content, [TOWER])) == [Verdict.UNSUPPORTED]


@pytest.mark.parametrize(
    "content",
    [
        "", "  \n", "not found", "Not found.", "I could not find the price of a ticket.", "The pages do not say.",
        "未找到", "网页没有提到票价。",
    ],
)  # fmt: skip
def test_an_answer_that_found_nothing_abstains_without_claims(content: str) -> None:
    answer = check(content, [TOWER])
    assert answer.abstained
    assert answer.claims == ()


def test_what_the_model_cites_itself_is_removed() -> None:
    told = "Harl Tower opened in 1931 [3]. See https://made.example/up and https://towers.example/harl for more [1][2]."
    text = check(told, [TOWER]).text
    assert "made.example" not in text
    assert "https://towers.example/harl" in text
    assert "[3]" not in text
    assert "[2]" not in text


def test_a_link_to_no_source_keeps_its_words_only() -> None:
    assert check("[Harl Tower](https://made.example) opened in 1931.", [TOWER]).text == "Harl Tower opened in 1931. [1]"


def test_a_list_of_sources_by_the_model_is_dropped() -> None:
    assert check("Harl Tower opened in 1931.\n\nSources:\n- https://made.example/a\n", [TOWER]).text.count("\n") == 0


def test_without_pages_nothing_is_supported() -> None:
    assert verdicts(check("Harl Tower opened in 1931.", [])) == [Verdict.UNSUPPORTED]


def test_the_model_hears_which_sentence_what_is_wrong_and_what_to_do() -> None:
    told = complaint(check("Harl Tower opened in 1931. Harl Tower is 221 metres tall.", [TOWER]))
    assert "221 metres" in told
    assert "page 1 says" in told
    assert "not found" in told
    assert "1931." not in told.splitlines()[0]


def test_there_is_no_complaint_when_all_stands() -> None:
    assert complaint(check("Harl Tower opened in 1931.", [TOWER])) == ""


def test_chinese_and_english_meet_on_two_hard_facts_and_not_on_one() -> None:
    page = Source("https://a.example", "Orla", "Orla Corp sold 1.2 million bikes in 2021.")
    assert verdicts(check("该公司在2021年售出120万辆自行车。", [page])) == [Verdict.SUPPORTED]
    assert verdicts(check("该公司在2021年搬迁。", [page])) == [Verdict.UNSUPPORTED]
    assert verdicts(check("该公司在2021年售出150万辆自行车。", [page])) == [Verdict.UNSUPPORTED]


def test_it_means_what_the_sentence_before_named() -> None:
    answer = check("Harl Tower opened in 1931. It is 180 metres tall.", [TOWER, RIVAL])
    assert verdicts(answer)[1] is not Verdict.SUPPORTED


def test_the_best_span_is_the_sentence_that_answers_verbatim() -> None:
    assert best_span("How many guests does the restaurant seat?", TOWER.text) == (
        "A restaurant on the top floor seats 90 guests."
    )
    assert best_span("anything", "") == ""


def test_the_check_costs_nothing_before_it_is_asked() -> None:
    code = "import sys, agent.evidence; print([m for m in sys.modules if m.startswith('agent.evidence.')])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
