"""Wires Scout: Settings → doors, model, TOOLS → Scheduler → shell. The only importer of both agent and tools."""

from __future__ import annotations

import re
import sys
from contextlib import closing, suppress
from dataclasses import dataclass, replace

from agent import __version__
from agent.budget import Meter
from agent.doors.clock import SystemClock
from agent.doors.http import SERVICE_LIMITS, PageDoor, ServiceDoor
from agent.doors.sender import Limits, Sender
from agent.errors import ConfigError, ModelUnavailable, PolicyDenied
from agent.gate import Gate
from agent.guide import Guide, guide_for
from agent.journal import Journal
from agent.models.choose import open_model, proxies
from agent.policy import Policy, grant_entry, site_entry
from agent.ports import Approver, ToolContext
from agent.record import Bodies, Record, new_run_id
from agent.scheduler import Scheduler
from agent.settings import Settings
from agent.shell.cli import main as run_shell
from agent.shell.ports import App, Listener
from agent.shell.stdio import Stdio
from agent.spec import Registry
from agent.trace import Trace
from agent.types import Observation, Outcome, Page, Reply, Source, Step
from tools import TOOLS
from tools.scrape.asked import best_first, coverage
from tools.scrape.passages import candidates, select
from tools.scrape.plain import read_text
from tools.search.chain import origins
from tools.search.words import keywords

URL_IN_QUESTION = re.compile(r"https?://[^\s<>\"'，。、；：）】」』]+", re.IGNORECASE)
APPROVABLE = (*TOOLS, "models")  # what --yes may name; models: fetching weights
# What a person can type where the policy refuses a URL of the question; nothing admits a malformed one.
ADMITS = {
    "host_not_allowed": "--allow DOMAIN admits one",
    "ip_literal": "--allow-private HOST:PORT admits one",
    "port": "--allow-private HOST:PORT admits one",
}
PIPED = "stdin:"
SENTENCES = 40  # of a page, weighed as possible answers
IDEOGRAPHS = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")


class PageRanker:
    """The Ranker port, by the tools' own ranking."""

    def passages(self, text: str, question: str, max_chars: int) -> str:
        """What of a plain text bears on the question."""
        return select(read_text(text, PIPED), question, max_chars)

    def sentences(self, source: Source, question: str) -> tuple[str, ...]:
        """Verbatim sentences, best first."""
        blocks = source.blocks or read_text(source.text, source.url).blocks
        page = Page(source.url, source.title, None, None, blocks, source.text)
        units = candidates(page, question, SENTENCES)
        return best_first({unit.text: f"{unit.heading} {unit.header}" for unit in units}, question, source.title)

    def coverage(self, sentence: str, question: str, title: str) -> float:
        """Share of the question's words in a sentence."""
        return coverage(sentence, question, title)

    def queries(self, question: str) -> tuple[str, ...]:
        """Queries of the question's own words."""
        return keywords(question)


def tools_for(guide: Guide) -> Registry:
    """The tools that a guide lets a model use: led by the hand, it searches, reads and answers."""
    return {name: tool for name, tool in TOOLS.items() if not guide.steps or tool.spends or tool.ends}


@dataclass(frozen=True, slots=True)
class Doors:
    """The two ways out of one run."""

    web: PageDoor
    services: ServiceDoor

    def close(self) -> None:
        """Let go of the connections."""
        self.web.close()
        self.services.close()


class Session:
    """The shell's Conversation: one model and one journal over any number of questions."""

    def __init__(self, settings: Settings, listener: Listener, approver: Approver) -> None:
        for name in settings.yes:
            if name not in APPROVABLE:
                raise ConfigError(f"--yes: no tool {name!r}; there are: {', '.join(APPROVABLE)}")
        self._settings = settings
        self._listener = listener
        self._approver = approver
        self._clock = SystemClock()
        self._policy = Policy(
            tuple(site_entry(site) for site in (*settings.sites, *settings.allow)),
            tuple(grant_entry(grant) for grant in settings.allow_private),
        )
        self._endpoints = settings.endpoints
        self._journal = Journal(settings.data_path)
        self._model = open_model(settings.model, settings, approver.fetch)

    @property
    def model(self) -> str:
        """Name of the model that answers."""
        return self._model.name

    def ask(self, question: str, context: str = "") -> Outcome:
        """One run, from question to Outcome."""
        with suppress(ModelUnavailable):  # the run will say so, with what was found by then
            self._model.learn()
        guide = guide_for(self._settings.guide, self._model.size_b, writes=self._model.name != "none")
        chars = min(guide.page_chars, self._settings.observation_chars) // (2 if IDEOGRAPHS.search(question) else 1)
        record = Record(new_run_id(self._clock.now()), self._clock, (self._journal.record, self._listener))
        meter = Meter(self._settings.budget, started=self._clock.monotonic())
        with closing(self._doors(Gate(self._policy, meter, record))) as doors:
            scheduler = Scheduler(
                model=self._model,
                tools=tools_for(guide),
                guide=guide,
                meter=meter,
                ranker=PageRanker(),
                record=record,
                clock=self._clock,
                approver=self._approver,
                context=lambda trace: self._reach(trace, doors, record, chars),
                sites=self._policy.sites,
                plain_http=self._policy.grants,
            )
            return scheduler.run(self._trace(question, context, chars))

    def allow(self, domain: str) -> None:
        """Whitelist one more domain for this conversation."""
        self._policy = replace(self._policy, sites=(*self._policy.sites, site_entry(domain)))

    def use_model(self, name: str) -> None:
        """Go on with another model."""
        model = open_model(name, self._settings, self._approver.fetch)
        self._model.close()
        self._model = model

    def close(self) -> None:
        """Let go of the model and the journal."""
        self._model.close()
        self._journal.close()

    def _trace(self, question: str, context: str, chars: int) -> Trace:
        """The beginning of a run: the question, the URLs in it, and what was piped in, which counts as a page."""
        offered: list[str] = []
        notes: list[str] = []
        for url in URL_IN_QUESTION.findall(question):
            try:
                offered.append(self._policy.canonical(url.rstrip(".,;:!?)")))
            except PolicyDenied as err:
                notes.append(f"{err}; {ADMITS[err.kind]}" if err.kind in ADMITS else str(err))
        trace = Trace(question, tuple(offered), tuple(notes))
        if not context:
            return trace
        piped = Source(PIPED, "piped text", context, retrieved=self._clock.now().isoformat())
        shown = select(read_text(context, PIPED), question, chars)
        return trace.add(Step("", Reply(""), None, Observation(shown, sources=(piped,))))

    def _reach(self, trace: Trace, doors: Doors, record: Record, chars: int) -> ToolContext:
        """What the tools may reach at this point of a run."""
        return ToolContext(
            question=trace.question,
            web=doors.web,
            services=doors.services,
            store=Bodies(self._journal, record),
            refusal=self._policy.refusal,
            now=self._clock.now(),
            endpoints=self._endpoints,
            sites=self._policy.sites,
            sources=trace.sources,
            results=self._settings.results,
            snippet_chars=self._settings.snippet_chars,
            page_chars=chars,
        )

    def _doors(self, gate: Gate) -> Doors:
        """The two ways out of a run."""
        settings, budget = self._settings, gate.meter.budget
        contact = settings.contact or "contact not set"

        def sender(limits: Limits) -> Sender:
            return Sender(
                gate,
                self._clock,
                limits,
                user_agent=f"Scout/{__version__} ({contact}) requests",
                ca_bundle=settings.certificates,
                proxies=proxies(settings),
            )

        pages = sender(Limits(deadline_s=budget.page_s, max_bytes=budget.page_bytes))
        searches = sender(replace(SERVICE_LIMITS, deadline_s=budget.search_s))
        return Doors(
            PageDoor(pages, respect_robots=not settings.ignore_robots),
            ServiceDoor(searches, origins(self._endpoints)),
        )


APP = App(TOOLS, Session)


def main() -> int:
    """The command `scout`."""
    return run_shell(sys.argv[1:], Stdio.process(), APP)


if __name__ == "__main__":
    sys.exit(main())
