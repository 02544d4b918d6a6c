"""Hard facts: read from both languages, normalised, compared."""

from __future__ import annotations

import pytest

from agent.evidence.facts import FactKind, agree, comparable
from agent.evidence.figures import facts_of, number_zh
from agent.evidence.names import names_of, vocabulary

SAME = [
    ("1.2 million", "1,200,000"),
    ("1.2 million", "120万"),
    ("1 200 000", "1.2 million"),
    ("１２００人", "1,200 people"),
    ("$3 billion", "30亿美元"),
    ("25%", "百分之二十五"),
    ("25 per cent", "25%"),
    ("twelve towers", "12 towers"),
    ("三百一十万册", "310万册"),
    ("4 May 1931", "1931-05-04"),
    ("May 4th, 1931", "1931年5月4日"),
    ("in 1931", "4 May 1931"),
    ("二〇二四年", "in 2024"),
    ("Q2 2024", "second quarter of 2024"),
    ("2024年第二季度", "2024 Q2"),
    ("in Q2 2024", "3 May 2024"),
    ("the 19th century", "19世纪"),
    ("the 1990s", "20世纪90年代"),
    ("221 BC", "公元前221年"),
    ("212 m", "212米"),
    ("1.5 km", "1500 metres"),
    ("70公里/小时", "每小时70公里"),
    ("about 9,500 km²", "9,600 square kilometres"),
    ("over 300 m", "324 m"),
    ("version 2.4.1", "v2.4.1"),
    ("第二", "second"),
]
DIFFERENT = [
    ("212 m", "212 ft"),
    ("$84", "€84"),
    ("143 °C", "-143 °C"),
    ("5%", "5 percentage points"),
    ("1.2 million", "1.2 billion"),
    ("2.4.1", "2.4.2"),
    ("version 3.10", "version 3.1"),
    ("4 May 1931", "in 1931"),
    ("4 May 1931", "5 May 1931"),
    ("about 9,000 km", "9,600 km"),
    ("over 300 m", "under 300 m"),
    ("25 tonnes", "25 kg"),
    ("公元214年", "公元前214年"),
    ("the 18th century", "the 19th century"),
    ("30 days", "30 hours"),
]


@pytest.mark.parametrize(("claimed", "found"), SAME)
def test_two_spellings_of_one_fact_agree(claimed: str, found: str) -> None:
    assert agree(facts_of(claimed)[0], facts_of(found)[0])


@pytest.mark.parametrize(("claimed", "found"), DIFFERENT)
def test_facts_that_differ_in_digit_unit_sign_or_precision_do_not_agree(claimed: str, found: str) -> None:
    assert not agree(facts_of(claimed)[0], facts_of(found)[0])


def test_only_figures_of_one_dimension_can_exclude_each_other() -> None:
    metres, feet, kilos = (facts_of(text)[0] for text in ("212 m", "212 ft", "212 kg"))
    assert comparable(metres, feet)
    assert not comparable(metres, kilos)


def test_about_excludes_only_from_fifteen_percent_on() -> None:
    about = facts_of("about 100 km")[0]
    assert not comparable(about, facts_of("110 km")[0])
    assert comparable(about, facts_of("125 km")[0])


def test_what_a_figure_is_counted_by_is_no_figure_of_its_own() -> None:
    base, own = facts_of("per 100 g it has 27 g")
    assert not comparable(base, own)


@pytest.mark.parametrize(
    ("text", "value"),
    [("十", 10), ("二十三", 23), ("一百二十万", 1_200_000), ("两千", 2000), ("二〇二四", 2024), ("三亿", 3 * 10**8)],
)
def test_chinese_numerals_are_read(text: str, value: int) -> None:
    assert number_zh(text) == value


def test_a_unit_that_only_begins_like_one_is_none() -> None:
    assert [f.text for f in facts_of("12 members met 3 mayors")] == ["12", "3"]


def test_every_fact_points_at_its_own_words() -> None:
    text = "In May 1931 the tower, 212 m high, had 90 guests; 大桥长1280米。"
    assert all(text[f.start : f.end] == f.text for f in facts_of(text))


def test_names_keep_the_number_behind_them_and_not_a_year() -> None:
    text = "The Beam 300 beat Orla Corp in Paris 2024."
    assert [n.label for n in names_of(text, vocabulary(text))] == ["beam 300", "orla corp", "paris"]


def test_the_first_word_of_a_sentence_is_a_name_only_where_pages_show_it() -> None:
    known = vocabulary("We met Kepler. The teachers sang.")
    assert [n.label for n in names_of("Kepler sang.", known)] == ["kepler"]
    assert names_of("Teachers sang.", known) == ()


def test_hostile_digits_take_linear_time() -> None:
    assert len(facts_of("1,234 " * 4000)) >= 1
    assert facts_of("9" * 50_000)[0].kind is FactKind.FIGURE
