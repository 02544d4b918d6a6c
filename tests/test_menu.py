"""The menu: what may be said at each point of a run."""

from __future__ import annotations

from typing import Any

import pytest

from agent.budget import Budget, Meter
from agent.errors import BadAction
from agent.guide import FREE, LISTS, ONE_PAGE, STEPS, Guide, guide_for
from agent.menu import Lists, Menu, compile_menu
from agent.spec import Kind, Param, Tool
from agent.trace import Trace
from agent.types import Action, Answer, Finding, Hit, Link, Observation, Purpose, Reply, Source, Step

MARS, PHOBOS, LINKED = (f"https://en.wikipedia.org/wiki/{name}" for name in ("Mars", "Phobos", "Stickney"))
SEARCH = Tool(
    "search",
    "Find pages.",
    (Param("query", Kind.QUERY, "words", 120), Param("site", Kind.SITE, "a domain", required=False)),
    lambda ctx, query, site="any": Observation(""),
    spends=Purpose.SEARCH,
)
SCRAPE = Tool(
    "scrape", "Read.", (Param("url", Kind.URL, "a URL"),), lambda ctx, url: Observation(""), spends=Purpose.PAGE
)
MORE = Tool(
    "read_fragment",
    "See more.",
    (Param("id", Kind.SOURCE, "number"), Param("start", Kind.OFFSET, "from")),
    lambda ctx, id, start: Observation(""),
)
ANSWER = Tool(
    "answer", "Say.", (Param("content", Kind.TEXT, "text", 1200),), lambda ctx, content: Answer(content), ends=True
)
TOOLS = {tool.name: tool for tool in (SEARCH, SCRAPE, MORE, ANSWER)}

SEARCHED = Step(
    "",
    Reply("{}"),
    Action("search", {"query": "moons"}),
    Observation("", hits=(Hit("Mars", MARS), Hit("Phobos", PHOBOS))),
)
READ = Step(
    "",
    Reply("{}"),
    Action("scrape", {"url": MARS}),
    Observation("text", sources=(Source(MARS, "Mars", "Mars has two moons."),), links=(Link(LINKED, "Stickney"),)),
)


def found(step: Step, quote: str) -> Step:
    seen = step.observation
    return Step("", step.reply, step.action, Observation(seen.text, sources=seen.sources, finding=Finding(MARS, quote)))


def menu(*steps: Step, guide: Guide = FREE, meter: Meter | None = None, lists: Lists | None = None) -> Menu:
    meter = meter or Meter(Budget(), steps=1)
    sites = ("wikipedia.org", "nasa.gov")
    return compile_menu(Trace("How many moons has Mars?", steps=steps), meter, TOOLS, guide, sites, lists or Lists())


def branch(menu: Menu, tool: str) -> dict[str, Any]:
    branches = menu.schema.get("anyOf", [menu.schema])
    return next(b["properties"] for b in branches if b["properties"]["action"]["const"] == tool)


def test_before_anything_is_seen_no_url_can_be_said() -> None:
    assert menu().names == ("search", "answer")


def test_scrape_url_is_an_enumeration_of_the_urls_seen_and_not_yet_tried() -> None:
    assert branch(menu(SEARCHED), "scrape")["url"]["enum"] == [MARS, PHOBOS]
    assert branch(menu(SEARCHED, READ), "scrape")["url"]["enum"] == [PHOBOS, LINKED]


def test_site_is_an_enumeration_of_the_whitelist() -> None:
    assert branch(menu(), "search")["site"]["enum"] == ["any", "wikipedia.org", "nasa.gov"]


def test_search_leaves_the_menu_when_its_share_is_spent_and_comes_back_after_a_page_is_read() -> None:
    meter = Meter(Budget(), steps=3)
    meter.charge_request(Purpose.SEARCH, "a")
    meter.charge_request(Purpose.SEARCH, "a")
    assert menu(SEARCHED, meter=meter).names == ("scrape", "answer")
    meter.charge_request(Purpose.PAGE, "b")
    assert menu(SEARCHED, READ, meter=meter).names == ("search", "scrape", "read_fragment", "answer")


def test_the_last_request_is_kept_until_an_answer_was_sent_back() -> None:
    meter = Meter(Budget(requests=5, searches_in_a_row=9), steps=3)
    for _ in range(4):
        meter.charge_request(Purpose.PAGE, "a")
    assert menu(SEARCHED, READ, meter=meter).names == ("read_fragment", "answer")
    meter.checking = True
    assert "scrape" in menu(SEARCHED, READ, meter=meter).names


def test_a_budget_of_one_request_can_be_spent_and_one_of_none_cannot() -> None:
    assert [Meter(Budget(requests=n)).left(Purpose.SEARCH) for n in (0, 1, 2, 3)] == [0, 1, 2, 2]


def test_at_the_last_step_only_the_answer_is_left() -> None:
    last = menu(SEARCHED, READ, meter=Meter(Budget(steps=8), steps=8))
    assert last.names == ("answer",)
    assert last.schema["required"] == ["action", "content"]


def test_a_tool_that_failed_three_times_in_a_row_leaves_the_menu() -> None:
    failed = [
        Step("", Reply("{}"), Action("scrape", {"url": f"{MARS}{n}"}), Observation("x", error="FetchFailed"))
        for n in range(3)
    ]
    assert "scrape" in menu(SEARCHED, *failed[:2]).names
    assert "scrape" not in menu(SEARCHED, *failed).names
    assert "scrape" in menu(SEARCHED, *failed[:2], READ, failed[2]).names


def test_search_leaves_at_once_when_no_provider_answered() -> None:
    failed = Step("", Reply("{}"), Action("search", {"query": "x"}), Observation("x", error="SearchFailed"))
    assert menu(failed).names == ("answer",)


def test_steps_leads_search_then_read_then_answer() -> None:
    assert menu(guide=STEPS).names == ("search",)
    assert menu(SEARCHED, guide=STEPS).names == ("scrape",)
    assert menu(SEARCHED, found(READ, ""), guide=STEPS).names == ("scrape",)
    assert menu(SEARCHED, found(READ, "Mars has two moons."), guide=STEPS).names == ("answer",)


def test_in_steps_a_model_that_repeats_its_query_is_led_on_to_the_answer() -> None:
    bad = Step("", Reply("again"), None, Observation("already done", error="BadAction"))
    tried = Step("", Reply("{}"), Action("scrape", {"url": PHOBOS}), Observation("x", error="FetchFailed"))
    dead_end = (SEARCHED, Step("", Reply("{}"), READ.action, Observation("x", error="FetchFailed")), tried)
    assert menu(*dead_end, guide=STEPS).names == ("search",)
    assert menu(*dead_end, bad, guide=STEPS).names == ("answer",)
    assert menu(bad, guide=STEPS).names == ("search",)


def test_in_steps_nothing_but_not_found_can_be_said_while_nothing_was_found() -> None:
    spent = Meter(Budget(), steps=8)
    assert branch(menu(SEARCHED, found(READ, ""), guide=STEPS, meter=spent), "answer")["content"]["enum"] == [
        "not found"
    ]


def test_in_steps_an_answer_that_was_sent_back_can_only_be_the_words_of_a_page_or_not_found() -> None:
    back = Step(
        "", Reply("{}"), Action("answer", {"content": "three"}), Observation("no page says so", error="Unsupported")
    )
    lists = Lists(sentences=("Mars has two moons.",))
    second = menu(SEARCHED, found(READ, "Mars has two moons."), back, guide=STEPS, lists=lists)
    assert branch(second, "answer")["content"]["enum"] == ["Mars has two moons.", "not found"]


def test_a_model_that_may_not_write_chooses_everything_from_lists() -> None:
    lists = Lists(queries=("moons Mars",), sentences=("Mars has two moons.",))
    assert branch(menu(guide=LISTS, lists=lists), "search")["query"]["enum"] == ["moons Mars"]
    answering = menu(SEARCHED, found(READ, "Mars has two moons."), guide=LISTS, lists=lists)
    assert branch(answering, "answer")["content"]["enum"] == ["Mars has two moons.", "not found"]


def test_a_query_that_was_said_is_not_offered_again_and_without_another_search_leaves_the_menu() -> None:
    more = menu(SEARCHED, READ, found(READ, ""), guide=LISTS, lists=Lists(queries=("moons", "Mars")))
    assert branch(menu(guide=LISTS, lists=Lists(queries=("moons", "Mars"))), "search")["query"]["enum"] == [
        "moons",
        "Mars",
    ]
    assert "search" not in menu(SEARCHED, guide=LISTS, lists=Lists(queries=("moons",))).names
    assert more.names == ("scrape",)


def test_free_text_is_bounded_below_the_tokens_of_a_reply() -> None:
    content = branch(menu(SEARCHED, found(READ, "two"), guide=STEPS), "answer")["content"]
    assert content["maxLength"] <= STEPS.reply_tokens - 50  # one token a character at the worst, in Chinese


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (Action("fly", {}), "off_menu"),
        (Action("scrape", {"url": "https://evil.example/"}), "off_menu"),
        (Action("scrape", {"url": "http://127.0.0.1/"}), "off_menu"),
        (Action("search", {"query": "moons"}), "repeated"),
        (Action("read_fragment", {"id": 7, "start": 0}), "off_menu"),
    ],
)
def test_what_is_not_on_the_menu_is_refused_even_when_the_grammar_was_dropped(action: Action, kind: str) -> None:
    with pytest.raises(BadAction) as refused:
        menu(SEARCHED, READ).admit(action)
    assert refused.value.kind == kind


def test_a_url_spelled_with_other_escapes_is_taken_as_the_menu_spells_it() -> None:
    url = "https://zh.wikipedia.org/wiki/%E7%81%AB%E6%98%9F"
    step = Step("", Reply("{}"), Action("search", {"query": "火星"}), Observation("", hits=(Hit("火星", url),)))
    assert menu(step).admit(Action("scrape", {"url": "https://zh.wikipedia.org/wiki/火星"})).args["url"] == url


def test_a_text_longer_than_its_bound_is_refused_where_the_grammar_was_dropped() -> None:
    with pytest.raises(BadAction, match="query has 121 characters; at most 120 are allowed"):
        menu().admit(Action("search", {"query": "x" * 121}))


def test_the_bounds_of_query_and_answer_are_settings() -> None:
    meter = Meter(Budget(query_chars=40, answer_chars=99), steps=1)
    assert branch(menu(meter=meter), "search")["query"]["maxLength"] == 40
    assert branch(menu(SEARCHED, READ, meter=meter), "answer")["content"]["maxLength"] == 99


def test_an_argument_that_is_not_asked_for_now_is_dropped() -> None:
    assert menu(guide=STEPS).admit(Action("search", {"query": "moons", "site": "evil.example"})).args == {
        "query": "moons"
    }


def test_an_answer_may_be_said_again() -> None:
    said = Step("", Reply("{}"), Action("answer", {"content": "two"}), Observation("no", error="Unsupported"))
    assert menu(SEARCHED, said).admit(Action("answer", {"content": "two"})).tool == "answer"


def test_the_words_for_the_model_name_each_action_and_each_url() -> None:
    words = menu(SEARCHED).words
    assert '{"action": "search", "query": "…", "site": "…"}' in words
    assert f"  - {MARS}\n  - {PHOBOS}" in words


@pytest.mark.parametrize(
    ("setting", "size_b", "guide"),
    [
        ("auto", 1.5, STEPS),
        ("auto", 0.135, LISTS),
        ("auto", 0.5, ONE_PAGE),
        ("auto", 8.0, FREE),
        ("auto", 0.0, FREE),
        ("free", 0.5, FREE),
        ("steps", 70.0, STEPS),
    ],
)
def test_the_guide_follows_the_size_of_the_model_unless_it_is_set(setting: str, size_b: float, guide: Guide) -> None:
    assert guide_for(setting, size_b) == guide


def test_without_a_model_everything_comes_from_lists() -> None:
    assert guide_for("free", 0.0, writes=False) == LISTS
