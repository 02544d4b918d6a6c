"""Measures what a step costs besides the model and the web: scheduler, menu, context, parser, ranking, check, journal.

`python -m scripts.bench_step [STEPS]`. The model says lines out of a list and the tools bring pages out of memory; all
else is what runs in earnest, the journal in a file. Exit status 1 when the median is above the bar.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from agent.budget import Budget, Meter
from agent.doors.clock import SystemClock
from agent.guide import FREE, STEPS, Guide
from agent.journal import Journal
from agent.menu import Menu
from agent.ports import ToolContext
from agent.record import Record, new_run_id
from agent.scheduler import Scheduler
from agent.trace import Trace
from agent.types import (
    Action,
    Event,
    Fetched,
    Hit,
    Link,
    Message,
    Observation,
    Purpose,
    Reply,
    ServiceRequest,
    Source,
    Step,
)
from main import PageRanker, tools_for

STEPS_WANTED = 240
BAR_MS = 5.0
PAGE_CHARS, HITS, LINKS = 3000, 3, 8
QUESTION = "How long is the harbour wall of Skerrow, and who built it?"
QUOTE = "The harbour wall of Skerrow is 640 metres long and was built by Ada Lindqvist in 1907."
SITE = "https://en.wikipedia.org/wiki"
NOT_OURS = frozenset({"model", "tools"})


class Stopwatch:
    """Seconds by part, each without the parts inside it."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = defaultdict(float)
        self._open: list[str] = []
        self._since = time.perf_counter()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What happens meanwhile counts for `name`."""
        self._turn()
        self._open.append(name)
        try:
            yield
        finally:
            self._turn()
            self._open.pop()

    def _turn(self) -> None:
        now = time.perf_counter()
        if self._open:
            self.parts[self._open[-1]] += now - self._since
        self._since = now


class Lines:
    """A model that says the next line of a list when it is to act, and the quote when it is to read."""

    name, window, size_b = "scripted", 8192, 7.0

    def __init__(self, lines: Sequence[str], watch: Stopwatch) -> None:
        self._lines, self._watch = iter(lines), watch

    def learn(self) -> None:
        """There is nothing to learn."""

    def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any] | None, max_tokens: int, timeout_s: float
    ) -> Reply:
        """The next line."""
        with self._watch.part("model"):
            return Reply(next(self._lines) if schema else QUOTE, model=self.name, prompt_tokens=900, output_tokens=30)

    def close(self) -> None:
        """There is nothing to close."""


class Nobody:
    """No web, no store and no person: what the tools of this bench never call."""

    def get(self, url: str) -> Any:
        """Never called."""
        raise NotImplementedError

    def send(self, request: ServiceRequest) -> Fetched:
        """Never called."""
        raise NotImplementedError

    def put(self, body: bytes) -> str:
        """Never called."""
        raise NotImplementedError

    def approve(self, action: Action) -> bool:
        """Nothing here asks."""
        return False

    def fetch(self, name: str) -> bool:
        """Nothing here fetches."""
        return False


@dataclass(slots=True)
class Timed(Scheduler):
    """The scheduler, with a stopwatch on its parts. What none of them takes is its own."""

    watch: Stopwatch = field(default_factory=Stopwatch)
    spans: list[dict[str, float]] = field(default_factory=list)

    def step(self, trace: Trace) -> Trace:
        """One turn, measured by itself."""
        self.watch.parts.clear()
        with self.watch.part("scheduler"):
            after = Scheduler.step(self, trace)
        self.spans.append(dict(self.watch.parts))
        return after

    def menu(self, trace: Trace) -> Menu:
        """The menu, with its schema and words, which the turn makes of it anyway."""
        with self.watch.part("menu"):
            return Scheduler.menu(self, trace)

    def plan(self, trace: Trace, menu: Menu) -> Reply:
        """Messages and schema; the model inside is a part of its own."""
        with self.watch.part("context"):
            return Scheduler.plan(self, trace, menu)

    def parsed(self, reply: Reply, menu: Menu) -> Action:
        """Parser and menu's check."""
        with self.watch.part("parser"):
            return Scheduler.parsed(self, reply, menu)

    def observe(self, trace: Trace, seen: Observation) -> Observation:
        """Ranking of what was read, and the look for the words said."""
        with self.watch.part("reading"):
            return Scheduler.observe(self, trace, seen)

    def reflect(self, trace: Trace, step: Step) -> Trace:
        """The evidence check."""
        with self.watch.part("check"):
            return Scheduler.reflect(self, trace, step)


def act(tool: str, **args: str | int) -> str:
    """A reply that is this action."""
    return json.dumps({"action": tool, **args})


ANSWER = act("answer", content=QUOTE)
FIRST, THIRD = f"{SITE}/Skerrow_1", f"{SITE}/Skerrow_3"
SCRIPTS = {
    "free": (
        FREE,
        [
            act("search", query="Skerrow harbour wall"),
            act("scrape", url=FIRST),
            act("search", query="Skerrow harbour builder"),
            act("scrape", url=THIRD),
            act("read_fragment", id=1, start=200),
            ANSWER,
        ],
    ),
    "steps": (STEPS, [act("search", query="Skerrow harbour wall"), act("scrape", url=FIRST), ANSWER]),
}


def page(number: int) -> str:
    """A page of PAGE_CHARS characters with the quote in its middle; texts differ, so that no cache helps."""
    lines = (
        f"Skerrow has {number + n} quays, and in {1800 + n} quay {n} was moved by {number} boats to the north shore."
        for n in range(40)
    )
    text = "\n".join(lines)
    half = PAGE_CHARS // 2
    return f"{text[:half]}\n{QUOTE}\n{text[half:]}"[:PAGE_CHARS]


def found(meter: Meter, watch: Stopwatch, ctx: ToolContext, **args: str) -> Observation:
    """HITS results."""
    with watch.part("tools"):
        meter.charge_request(Purpose.SEARCH, "search")
        hits = tuple(Hit(f"Skerrow {n}", f"{SITE}/Skerrow_{n}", "A port with a wall. " * 6) for n in range(1, HITS + 1))
        text = "\n".join(f"{n}. {hit.title}\n   {hit.url}\n   {hit.snippet}" for n, hit in enumerate(hits, 1))
        return Observation(text, hits=hits)


def read(turn: int, meter: Meter, watch: Stopwatch, ctx: ToolContext, url: str) -> Observation:
    """A page of PAGE_CHARS characters with LINKS links."""
    with watch.part("tools"):
        meter.charge_request(Purpose.PAGE, "page")
        text = page(10 * turn + int(url[-1]))
        links = tuple(Link(f"{SITE}/Quay_{url[-1]}_{n}", f"Quay {n}") for n in range(LINKS))
        return Observation(text, sources=(Source(url, "Skerrow", text),), links=links)


def run(turn: int, guide: Guide, lines: Sequence[str], journal: Journal) -> list[dict[str, float]]:
    """Run number `turn`: seconds by part for each of its steps. Raises RuntimeError where it left the script."""
    watch, clock, meter, nobody = Stopwatch(), SystemClock(), Meter(Budget()), Nobody()
    meter.started = clock.monotonic()

    def kept(event: Event) -> None:
        with watch.part("journal"):
            journal.record(event)

    in_memory = {"search": partial(found, meter, watch), "scrape": partial(read, turn, meter, watch)}
    tools = {name: replace(tool, run=in_memory.get(name, tool.run)) for name, tool in tools_for(guide).items()}
    record = Record(new_run_id(clock.now()), clock, (kept,))
    scheduler = Timed(
        model=Lines(lines, watch),
        tools=tools,
        guide=guide,
        meter=meter,
        ranker=PageRanker(),
        record=record,
        clock=clock,
        approver=nobody,
        context=lambda trace: ToolContext(
            QUESTION, nobody, nobody, nobody, lambda url: "", clock.now(), sources=trace.sources
        ),
        sites=("wikipedia.org", "nasa.gov", "statista.com"),
        watch=watch,
    )
    outcome = scheduler.run(Trace(QUESTION))
    if not outcome.answer.supported or len(scheduler.spans) != len(lines):
        raise RuntimeError(f"{outcome.status} after {len(scheduler.spans)} steps: {outcome.note}")
    return scheduler.spans


def cost_s(span: Mapping[str, float]) -> float:
    """Seconds of a step without the model and the tools."""
    return sum(seconds for part, seconds in span.items() if part not in NOT_OURS)


def report(name: str, spans: Sequence[Mapping[str, float]]) -> float:
    """Print the split; gives the median cost of a step in milliseconds."""
    middle = 1000 * median(map(cost_s, spans))
    worst = 1000 * max(map(cost_s, spans))
    print(f"--guide {name}: {middle:.2f} ms a step at the median of {len(spans)}, {worst:.1f} ms at most; of the mean:")
    for part in sorted({part for span in spans for part in span} - NOT_OURS):
        taken = [span.get(part, 0.0) for span in spans]
        print(f"  {part:<10}{1000 * sum(taken) / len(taken):7.2f} ms")
    return middle


def main() -> int:
    """Measure every script; 1 when one misses the bar."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else STEPS_WANTED
    missed = False
    with tempfile.TemporaryDirectory() as folder, closing(Journal(Path(folder))) as journal:
        for name, (guide, lines) in SCRIPTS.items():
            run(0, guide, lines, journal)  # uncounted: it loads what is loaded late
            turns = range(1, 1 + -(-wanted // len(lines)))
            spans = [span for turn in turns for span in run(turn, guide, lines, journal)]
            missed |= report(name, spans) >= BAR_MS
    print(f"bar: under {BAR_MS:g} ms at the median: {'missed' if missed else 'ok'}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
