"""Outcome: what a run comes to, and its JSON document (schema scout.outcome/1)."""

from __future__ import annotations

from typing import Any

from agent.budget import Meter
from agent.errors import AgentError, BudgetExhausted, ModelUnavailable, WebUnavailable
from agent.record import Record
from agent.trace import Trace
from agent.types import Answer, Observation, Outcome, Quote, Status, Verdict

ENDED = {
    BudgetExhausted: Status.LIMIT,
    ModelUnavailable: Status.NO_MODEL,
    WebUnavailable: Status.NO_WEB,
    KeyboardInterrupt: Status.INTERRUPTED,
}


def of(
    trace: Trace, ended: AgentError | KeyboardInterrupt | None, meter: Meter, record: Record, model: str, now: float
) -> Outcome:
    """The Outcome of a trace; `ended` is what stopped the run before an answer stood."""
    answer = trace.answer or Answer("")
    status = ENDED.get(type(ended), Status.ERROR) if ended else _status(answer)
    return Outcome(
        run=record.run,
        question=trace.question,
        status=status,
        answer=answer,
        sources=trace.sources,
        found=_found(trace) if not answer.claims else (),
        hits=trace.hits if not trace.sources else (),
        usage=meter.usage(now),
        model=model,
        egress=meter.egress,
        note=_note(status, answer, ended),
        refusals=tuple(dict.fromkeys([*trace.notes, *(n for step in trace.steps for n in step.observation.notes)])),
    )


def _status(answer: Answer) -> Status:
    if answer.abstained:
        return Status.ABSTAINED
    return Status.SUPPORTED if answer.supported else Status.UNSUPPORTED


def _note(status: Status, answer: Answer, ended: AgentError | KeyboardInterrupt | None) -> str:
    """One line for a person, "" when all is well."""
    if isinstance(ended, AgentError):
        return str(ended)
    if status is Status.UNSUPPORTED:
        bad = sum(claim.verdict is not Verdict.SUPPORTED for claim in answer.claims)
        return f"{bad} of {len(answer.claims)} claims are not supported by the pages read"
    return {
        Status.INTERRUPTED: "interrupted before an answer",
        Status.ABSTAINED: "no page read answers the question",
    }.get(status, "")


def _found(trace: Trace) -> tuple[Quote, ...]:
    """What reading has found, for a run without an answer."""
    numbers = {source.url: number for number, source in enumerate(trace.sources, 1)}
    return tuple(Quote(numbers[finding.url], finding.quote) for finding in trace.findings)


def observed(trace: Trace, seen: Observation) -> dict[str, Any]:
    """An observation for the record. Whole texts are kept as bodies, by hash."""
    number = len(trace.sources) + 1
    return {
        "error": seen.error,
        "text": seen.text,
        "chars": len(seen.text),
        "hits": [{"title": hit.title, "url": hit.url, "provider": hit.provider} for hit in seen.hits],
        "sources": [
            {"id": number + offset, "url": s.url, "title": s.title, "chars": len(s.text), "sha256": s.sha256}
            for offset, s in enumerate(seen.sources)
        ],
        "finding": seen.finding.quote if seen.finding else None,
        "notes": list(seen.notes),
    }


def document(outcome: Outcome) -> dict[str, Any]:
    """The JSON document of the contract: README, section "JSON"."""
    return {
        "schema": "scout.outcome/1",
        "run": outcome.run,
        "question": outcome.question,
        "status": outcome.status.value,
        "answer": outcome.answer.text,
        "claims": [
            {
                "text": claim.text,
                "verdict": claim.verdict.value,
                "reason": claim.reason,
                "quotes": _quotes(claim.quotes),
            }
            for claim in outcome.answer.claims
        ],
        "sources": [
            {
                "id": number,
                "url": source.url,
                "title": source.title,
                "published": source.published or None,
                "retrieved": source.retrieved,
                "sha256": source.sha256,
            }
            for number, source in enumerate(outcome.sources, 1)
        ],
        "conflicts": [{"what": conflict.what, "values": _quotes(conflict.values)} for conflict in outcome.conflicts],
        "found": _quotes(outcome.found),
        "usage": _usage(outcome),
        "model": outcome.model,
        "egress": [{"host": e.host, "requests": e.requests, "bytes": e.received} for e in outcome.egress],
        "note": outcome.note,
    }


def _quotes(quotes: tuple[Quote, ...]) -> list[dict[str, Any]]:
    return [{"source": quote.source, "text": quote.text} for quote in quotes]


def _usage(outcome: Outcome) -> dict[str, Any]:
    spent = outcome.usage
    return {
        "steps": spent.steps,
        "requests": spent.requests,
        "bytes": spent.received,
        "prompt_tokens": spent.prompt_tokens,
        "output_tokens": spent.output_tokens,
        "seconds": spent.seconds,
        "model_seconds": spent.model_seconds,
        "cost_usd": spent.cost_usd,
    }
