"""The loop: Plan, Execute, Observe, Reflect, until an answer stands or a limit is met. It reasons about nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from agent import evidence, outcome
from agent.budget import Meter
from agent.context import messages, reply_tokens
from agent.errors import AgentError, BadAction, PolicyDenied, RunError, ToolError, WebUnavailable
from agent.guide import Guide
from agent.menu import Lists, Menu, compile_menu
from agent.parse import parse_reply
from agent.ports import Approver, Clock, Model, Ranker, ToolContext
from agent.prompting import prompt
from agent.reader import ENOUGH, read
from agent.record import Record
from agent.spec import Effect, Registry
from agent.trace import Trace
from agent.types import Action, Answer, Finding, Observation, Outcome, Reply, Step


@dataclass(slots=True)
class Scheduler:
    """One run. `context` gives the tools what they may reach at this point of the trace."""

    model: Model
    tools: Registry
    guide: Guide
    meter: Meter
    ranker: Ranker
    record: Record
    clock: Clock
    approver: Approver
    context: Callable[[Trace], ToolContext]
    sites: tuple[str, ...] = ()
    plain_http: tuple[str, ...] = ()  # host:port for which http is not upgraded

    def run(self, trace: Trace) -> Outcome:
        """From a trace that holds the question to an Outcome. Whatever ends the run, what was found is in it."""
        ended: AgentError | KeyboardInterrupt | None = None
        asked = {"question": trace.question, "model": self.model.name, "notes": list(trace.notes)}
        self.record("run", {"run": self.record.run, **asked})
        try:
            trace = self.opened(trace)
            while trace.answer is None:
                if not self.retrying(trace):
                    self.meter.charge_step(self.clock.monotonic())
                trace = self.step(trace)
                self.judge(trace)
        except (RunError, KeyboardInterrupt) as err:
            ended = err
        result = outcome.of(trace, ended, self.meter, self.record, self.model.name, self.clock.monotonic())
        self.record("outcome", outcome.document(result))
        return result

    def step(self, trace: Trace) -> Trace:
        """One turn. A ToolError becomes the observation; reflecting on it is the next turn's plan."""
        menu = self.menu(trace)
        reply = self.plan(trace, menu)
        action = None
        try:
            action = self.parsed(reply, menu)
            seen = self.execute(action, trace)
        except ToolError as err:
            self.record("execute", {"step": self.meter.steps, "error": type(err).__name__, "message": str(err)})
            seen = Observation(str(err), error=type(err).__name__)
        if isinstance(seen, Answer):
            return self.reflect(trace, Step(menu.words, reply, action, Observation(seen.content)))
        return trace.add(Step(menu.words, reply, action, self.observe(trace, seen)))

    def menu(self, trace: Trace) -> Menu:
        """What is legal now."""
        listed = not self.guide.prose
        sentences = self.sentences(trace) if listed or trace.sent_back else ()
        lists = Lists(self.ranker.queries(trace.question) if listed else (), sentences)
        return compile_menu(trace, self.meter, self.tools, self.guide, self.sites, lists)

    def plan(self, trace: Trace, menu: Menu) -> Reply:
        """Ask the model for one action."""
        asked = messages(trace, menu, self.tools, self.guide, self.model.window)
        room = reply_tokens(self.guide, self.model.window)
        reply = self.model.complete(asked, menu.schema, room, self.time_left())
        self.spent("plan", prompt("system").sha, reply, schema=menu.schema)
        return reply

    def parsed(self, reply: Reply, menu: Menu) -> Action:
        """The action in a reply. That the server had the grammar is never trusted."""
        if reply.finish == "length":
            raise BadAction("not_json", f"the reply was cut at {reply.output_tokens} tokens; say it in fewer words")
        return menu.admit(parse_reply(reply.text, menu.params, plain_http=self.plain_http))

    def execute(self, action: Action, trace: Trace) -> Observation | Answer:
        """Carry out one action within the limits; one that acts on the world only with a person's yes."""
        self.record("execute", {"step": self.meter.steps, "action": {"action": action.tool, **action.args}})
        tool = self.tools[action.tool]
        if tool.effect is Effect.ACT and not self.approver.approve(action):
            raise PolicyDenied(action.tool, "the user said no", kind="approval")
        return tool.run(ctx=self.context(trace), **action.args)

    def observe(self, trace: Trace, seen: Observation) -> Observation:
        """What came back, with what a reading of the page alone has found in it."""
        if seen.sources and not seen.error:
            seen = replace(seen, finding=self.finding(trace.question, seen))
        self.record("observe", {"step": self.meter.steps, **outcome.observed(trace, seen)})
        return seen

    def finding(self, question: str, seen: Observation) -> Finding | None:
        """The words of the page that answer, by the model's own reading or, where it cannot read, by rank."""
        source = seen.sources[-1]
        if not self.guide.steps:
            return None
        if not self.guide.reader:
            best = next(iter(self.ranker.sentences(source, question)), "")
            bears = self.ranker.coverage(best, question, source.title) >= ENOUGH
            return Finding(source.url, best if bears else "")
        reading = read(self.model, self.ranker, question, seen.text, source, self.time_left())
        for asked, reply in reading.replies:
            self.spent("read", asked.sha, reply)
        return reading.finding

    def reflect(self, trace: Trace, step: Step) -> Trace:
        """Check an answer against the pages read. One that does not stand goes back once, with the reason."""
        answer = evidence.check(step.observation.text, trace.sources)
        back = not (answer.supported or answer.abstained or trace.sent_back)
        claims = [{"text": claim.text, "verdict": claim.verdict, "reason": claim.reason} for claim in answer.claims]
        self.record("reflect", {"step": self.meter.steps, "claims": claims, "sent_back": back})
        if not back:
            return trace.add(step, answer)
        self.meter.checking = True
        return trace.add(replace(step, observation=Observation(evidence.complaint(answer), error="Unsupported")))

    def opened(self, trace: Trace) -> Trace:
        """The trace with what the user piped in read, which counts as a page."""
        if not trace.steps and not self.meter.budget.requests:
            raise WebUnavailable("no request may leave (--offline or --max-requests 0), and nothing was piped in")
        read_in = (replace(step, observation=self.observe(trace, step.observation)) for step in trace.steps)
        return replace(trace, steps=tuple(read_in))

    def retrying(self, trace: Trace) -> bool:
        """The turn before was no action, or an answer that was just sent back: trying again is not another step."""
        sent_back = bool(trace.steps) and trace.steps[-1].observation.error == "Unsupported"
        return sent_back or 0 < trace.bad_at_the_end <= self.meter.budget.repairs

    def judge(self, trace: Trace) -> None:
        """End a run that cannot come to anything. Raises BudgetExhausted, WebUnavailable."""
        last = trace.steps[-1].observation
        self.meter.charge_action(bad=last.error == "BadAction")
        if last.error == "SearchFailed" and not (trace.sources or set(trace.seen) - trace.tried):
            raise WebUnavailable(last.text)

    def sentences(self, trace: Trace) -> tuple[str, ...]:
        """What a model that may not write can say: what was found, then the best sentences of each page read.

        What was said before and did not stand is not offered again.
        """
        found = [finding.quote for finding in trace.findings]
        ranked = [self.ranker.sentences(source, trace.question)[: self.guide.sentences] for source in trace.sources]
        fell = [step.action.args.values() for step in trace.steps if step.action and step.observation.error]
        best = dict.fromkeys([*found, *(sentence for page in ranked for sentence in page)])
        return tuple(sentence for sentence in best if not any(sentence in said for said in fell))[
            : self.guide.sentences
        ]

    def time_left(self) -> float:
        """Seconds that one reply may still take."""
        left = self.meter.started + self.meter.budget.seconds - self.clock.monotonic()
        return max(min(left, self.meter.budget.model_s), 1.0)

    def spent(self, purpose: str, sha: str, reply: Reply, **more: object) -> None:
        """Charge and record one reply of the model."""
        self.meter.charge_reply(reply)
        counted = {name: getattr(reply, name) for name in ("text", "model", "prompt_tokens", "output_tokens", "finish")}
        said = {"step": self.meter.steps, "purpose": purpose, "prompt": sha, "seconds": round(reply.seconds, 3)}
        self.record("plan", said | counted | more)
