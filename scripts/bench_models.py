"""Measures the shipped loop on decisions: `python -m scripts.bench_models [MODEL …]`, models as for --model.

Ten scenarios, five English and five Chinese, three stages each with the history given: search with the right word,
read the one page that bears on the question, answer with the right fact; then the same page without the fact, where
the right thing is to find nothing. Every stage goes through the scheduler's own menu, prompt, grammar and parser.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agent.budget import Budget, Meter
from agent.doors.clock import SystemClock
from agent.errors import AgentError, ToolError
from agent.guide import guide_for
from agent.models.choose import open_model
from agent.ports import Model
from agent.record import Record
from agent.scheduler import Scheduler
from agent.settings import load
from agent.trace import Trace
from agent.types import Action, Hit, Observation, Reply, Source, Step
from main import PageRanker, tools_for
from tools.search.ranking import ranked

SCENARIOS = Path(__file__).parent / "data" / "scenarios.jsonl"
MODELS = ("local:qwen2.5-coder-1.5b", "local:qwen2.5-coder-0.5b", "local:smollm2-135m")
STAGES = ("search", "scrape", "answer", "absent")


class Nobody:
    """Nobody can be asked."""

    def approve(self, action: Action) -> bool:
        """No."""
        return False

    def fetch(self, name: str) -> bool:
        """No."""
        return False


@dataclass
class Bench:
    """One model over all scenarios."""

    model: Model

    def scheduler(self) -> Scheduler:
        """A fresh run of the shipped loop, at its first turn."""
        guide = guide_for("auto", self.model.size_b, writes=self.model.name != "none")
        clock = SystemClock()
        meter = Meter(Budget(seconds=3600), started=clock.monotonic(), steps=1)
        record = Record("bench", clock, ())
        return Scheduler(
            self.model, tools_for(guide), guide, meter, PageRanker(), record, clock, Nobody(), context=_no_context
        )

    def decide(self, trace: Trace) -> Action | None:
        """The action of the next turn; None where the reply is none."""
        scheduler = self.scheduler()
        menu = scheduler.menu(trace)
        try:
            return scheduler.parsed(scheduler.plan(trace, menu), menu)
        except ToolError:
            return None

    def run(self, case: Mapping[str, Any]) -> dict[str, str]:
        """For each stage what was said, "" where it was right."""
        start = Trace(case["question"])
        hits = ranked(tuple(Hit(h["title"], h["url"], h["snippet"][:120]) for h in case["hits"]), case["question"])
        searched = start.add(_step(Action("search", {"query": case["keys"][0]}), Observation(_listed(hits), hits=hits)))
        titles = {hit.url: hit.title for hit in hits}
        said = {"search": self.decide(start), "scrape": self.decide(searched)}
        right = {
            "search": _searches(said["search"], case["keys"]),
            "scrape": bool(said["scrape"] and said["scrape"].args.get("url") == case["relevant"]),
        }
        for stage, page in (("answer", case["page"]), ("absent", case["absent"])):
            read = self.read(searched, titles[case["relevant"]], case["relevant"], page)
            action = self.decide(replace(read, steps=read.steps)) if stage == "answer" or read.findings else None
            text = str(action.args.get("content", "")) if action else ""
            said[stage] = action
            right[stage] = any(a in text for a in case["answers"]) if stage == "answer" else text in ("", "not found")
        return {stage: "" if right[stage] else repr(said[stage]) for stage in STAGES}

    def read(self, trace: Trace, title: str, url: str, page: str) -> Trace:
        """The trace after the page was read as the loop reads it."""
        seen = Observation(page, sources=(Source(url, title, page),))
        return trace.add(_step(Action("scrape", {"url": url}), self.scheduler().observe(trace, seen)))


def _no_context(trace: Trace) -> Any:
    raise AssertionError("no tool is run here")


def _step(action: Action, seen: Observation) -> Step:
    return Step("", Reply(action.key), action, seen)


def _listed(hits: tuple[Hit, ...]) -> str:
    return "\n".join(f"{n}. {hit.title}\n   {hit.url}\n   {hit.snippet}" for n, hit in enumerate(hits, 1))


def _searches(action: Action | None, keys: list[str]) -> bool:
    return bool(action) and any(key in str(action.args.get("query", "")).lower() for key in keys) if action else False


def main(names: list[str]) -> int:
    """One row for each model, and what went wrong below it."""
    cases = [json.loads(line) for line in SCENARIOS.read_text("utf-8").splitlines()]
    print(f"{'model':32} {'search':>6} {'scrape':>6} {'answer':>6} {'of 30':>6} {'absent':>7} {'seconds':>8}")
    for name in names or MODELS:
        try:
            model = open_model(name, load({}))
        except AgentError as err:
            print(f"{name}: left out: {err}")
            continue
        began = time.monotonic()
        results = [(case, Bench(model).run(case)) for case in cases]
        model.close()
        good = {stage: sum(not wrong[stage] for _, wrong in results) for stage in STAGES}
        decisions = good["search"] + good["scrape"] + good["answer"]
        figures = f"{good['search']:>6} {good['scrape']:>6} {good['answer']:>6} {decisions:>6} {good['absent']:>7}"
        print(f"{name:32} {figures} {time.monotonic() - began:>8.0f}", flush=True)
        for case, wrong in results:
            for stage, what in wrong.items():
                if what:
                    print(f"    {case['id']} {stage}: {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
