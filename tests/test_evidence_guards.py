"""One guard a line: each keeps from passing what shares words and figures with a page
and still says another thing.
"""

from __future__ import annotations

import time

import pytest

from agent.evidence import check
from agent.types import Source, Verdict

GUARDS = [
    ("own clause first", "Oak Mill has 12 looms and Elm Mill has 30 looms.", "Oak Mill has 30 looms."),
    ("another year", "In 2020 the mill made 40 tonnes, in 2021 it made 55 tonnes.", "In 2021 the mill made 40 tonnes."),
    ("from and to", "Output rose from 40 to 55 tonnes.", "Output rose from 55 to 40 tonnes."),
    ("direction", "Output was 40 tonnes, down from 55 tonnes.", "Output rose to 40 tonnes."),
    ("sign", "The cellar is kept at -4 °C.", "The cellar is kept at 4 °C."),
    ("unit", "The dam is 60 metres high.", "The dam is 60 feet high."),
    ("scale", "The dam holds 6 million litres.", "The dam holds 6 billion litres."),
    ("negation", "The mill was not sold in 1950.", "The mill was sold in 1950."),
    ("negation of the claim", "The mill was sold in 1950.", "The mill was not sold in 1950."),
    ("permission", "Dogs are not allowed in the mill.", "Dogs are allowed in the mill."),
    ("denial that points back", "Some say the mill is haunted; Lena Orr denied this claim.", "The mill is haunted."),
    ("exception", "All halls except Oak Hall have a stove.", "Oak Hall has a stove."),
    ("opposite", "Oak Mill stands on the northern bank.", "Oak Mill stands on the southern bank."),
    ("two names crossed", "Ada Orr took over from Ben Lund in 1950.", "Ben Lund took over from Ada Orr in 1950."),
    ("a name's role", "The play is by Ada Orr, with music by Ben Lund.", "The music is by Ada Orr."),
    ("same surname", "Oak Mill was founded by Ada Orr.", "Oak Mill was founded by Eva Orr."),
    ("plan", "The owner plans to open Oak Mill in 2031.", "The owner opened Oak Mill in 2031."),
    ("doubt", "Whether Ada Orr built Oak Mill is unknown.", "Ada Orr built Oak Mill."),
    ("sum", "Oak Mill has 12 looms. Elm Mill has 30 looms.", "Together the mills have 42 looms."),
    ("superlative", "Oak Mill has 12 looms.", "Oak Mill is the largest mill."),
    ("cause", "Oak Mill closed in 1960.", "Oak Mill closed in 1960 because of a fire."),
    ("of which", "The hall has 90 chairs, of which 20 are red.", "90 chairs are red."),
    ("life span", "Ada Orr (4 May 1870 – 9 June 1941) was a miller.", "Ada Orr was born on 9 June 1941."),
    ("version", "Loom 3.10 needs Steam 2.4.1.", "Loom 3.10 needs Steam 2.4.2."),
    ("单位", "大坝高60米。", "大坝高60公里。"),
    ("年份", "2020年产量为40吨，2021年为55吨。", "2021年产量为40吨。"),
    ("否定", "该厂没有设立医务室。", "该厂设立了医务室。"),
    ("人名", "该厂由林阿福创办。", "该厂由王阿福创办。"),
    ("并列", "老厂以煤为燃料，新厂以气为燃料。", "新厂以煤为燃料。"),
    ("计划", "新厂计划于2031年投产。", "新厂于2031年投产。"),
    ("方向", "2021年产量比2020年下降12%。", "2021年产量比2020年增长12%。"),
    ("辟谣", "有人称该厂闹鬼，厂长否认了这种说法。", "该厂闹鬼。"),
]


@pytest.mark.parametrize(("page", "claim"), [guard[1:] for guard in GUARDS], ids=[guard[0] for guard in GUARDS])
def test_a_claim_that_says_another_thing_is_not_supported(page: str, claim: str) -> None:
    answer = check(claim, [Source("https://mills.example", "Mills" if page.isascii() else "工厂", page)])
    assert [c.verdict for c in answer.claims if c.verdict is Verdict.SUPPORTED] == []


@pytest.mark.parametrize("page", sorted({guard[1] for guard in GUARDS}))
def test_what_a_page_says_of_itself_stands(page: str) -> None:
    source = Source("https://mills.example", "Mills", page)
    first = page.split("; ")[0].rstrip(".") + "."
    verdict = check(first if page.isascii() else page, [source]).claims[0].verdict
    assert verdict is Verdict.SUPPORTED or "claim" in page or "称" in page or "Whether" in page


@pytest.mark.parametrize(
    "text",
    ["1,234 " * 20_000, "(" * 100_000, "Ab " * 40_000, "不" * 100_000, "a" * 100_000, "| " * 50_000, "no, " * 30_000],
)  # fmt: skip
def test_a_hostile_page_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    check("The mill has 1,234 looms. 该厂有1234台织机。", [Source("https://a.example", "", text)])
    assert time.perf_counter() - start < 3.0
