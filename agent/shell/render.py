"""An Outcome as text for a person, and an Event or a document as one JSON line. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from agent.shell.plain import clean, one_line, wrap
from agent.types import Claim, Conflict, Event, Outcome, Quote, Source, Status, Verdict

INDENT = "    "
ANSWERED = (Status.SUPPORTED, Status.UNSUPPORTED)
NOTES = {
    Status.SUPPORTED: "",
    Status.UNSUPPORTED: "Not every sentence is supported by a page that was read.",
    Status.ABSTAINED: "No answer: the pages read do not hold it.",
    Status.LIMIT: "No answer: a limit of the run was met.",
    Status.NO_MODEL: "No model.",
    Status.NO_WEB: "No search provider and no page could be reached.",
    Status.INTERRUPTED: "Interrupted.",
    Status.ERROR: "The run ended in an error.",
}
# json.dumps escapes C0 only. A terminal acts on C1 and the bidi controls as well, and a lone surrogate has no UTF-8.
ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Style:
    """How the text is set: columns to wrap at (0: not at all) and whether colours may be used."""

    width: int = 0
    colour: bool = False

    def paint(self, code: str, text: str) -> str:
        """`text` between an SGR code and its reset."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour and text else text

    def heading(self, text: str) -> str:
        """The title of a section."""
        return self.paint("1", text)

    def marks(self, text: str) -> str:
        """`text` with its [n] marks picked out."""
        return re.sub(r"\[\d+\]", lambda match: self.paint("36", match[0]), text)

    def body(self, text: str, indent: str = "") -> str:
        """Running text, wrapped."""
        return wrap(clean(text).strip("\n"), self.width, indent)


def text(outcome: Outcome, colour: bool = False, width: int = 0) -> str:
    """The whole Outcome for a person: the answer with its evidence, or the note and what was found."""
    style = Style(width, colour)
    answered = outcome.status in ANSWERED and outcome.answer.text
    sections = _answer(outcome, style) if answered else _no_answer(outcome, style)
    return "\n\n".join(section for section in sections if section) + "\n"


def sources(outcome: Outcome, colour: bool = False, width: int = 0) -> str:
    """The pages read, with what is quoted from them; "" where none was read."""
    style, quotes = Style(width, colour), _quotes(outcome)
    sections = _listed("Sources:", outcome.sources, quotes, style), _also_read(outcome.sources, quotes, style)
    return "\n\n".join(section for section in sections if section) + ("\n" if outcome.sources else "")


def note(outcome: Outcome) -> str:
    """The one line that says why the status is not `supported`."""
    return one_line(outcome.note) or NOTES[outcome.status]


def is_bare(outcome: Outcome) -> bool:
    """There is nothing but a failure to tell: no answer, nothing found, and nobody chose to abstain."""
    told = (*ANSWERED, Status.ABSTAINED)
    pages = [source for source in outcome.sources if "://" in source.url]  # what was piped in was not found
    return outcome.status not in told and not (outcome.found or outcome.hits or pages)


def _answer(outcome: Outcome, style: Style) -> Iterable[str]:
    quotes = _quotes(outcome)
    yield style.marks(style.body(outcome.answer.text))
    yield _listed("Sources:", outcome.sources, quotes, style)
    yield _also_read(outcome.sources, quotes, style)
    yield _conflicts(outcome.conflicts, style)
    yield _doubts(outcome, style)


def _no_answer(outcome: Outcome, style: Style) -> Iterable[str]:
    read = {source.url for source in outcome.sources}
    hits = [f"{one_line(hit.title)} — {one_line(hit.url)}" for hit in outcome.hits if hit.url not in read]
    yield style.paint("33", style.body(note(outcome)))
    yield _listed("Found:", outcome.sources, outcome.found, style)
    yield _also_read(outcome.sources, outcome.found, style)
    yield _conflicts(outcome.conflicts, style)
    yield _section("Search results not read:", hits, style)


def _quotes(outcome: Outcome) -> tuple[Quote, ...]:
    """What the answer stands on, or what was found without one."""
    return tuple(quote for claim in outcome.answer.claims for quote in claim.quotes) or outcome.found


def _section(title: str, lines: Iterable[str], style: Style) -> str:
    lines = list(lines)
    return "\n".join([style.heading(title), *lines]) if lines else ""


def _listed(title: str, sources: tuple[Source, ...], quotes: Iterable[Quote], style: Style) -> str:
    """The sources that are quoted, each with its quotes below it."""
    by_source: dict[int, list[str]] = {}
    for quote in quotes:
        said = by_source.setdefault(quote.source, [])
        if quote.text not in said:
            said.append(quote.text)
    lines = []
    for number in sorted(n for n in by_source if 0 < n <= len(sources)):
        lines.append(style.marks(_source(number, sources[number - 1])))
        lines += [style.paint("2", style.body(f"“{one_line(said)}”", INDENT)) for said in by_source[number]]
    return _section(title, lines, style)


def _also_read(sources: tuple[Source, ...], quotes: Iterable[Quote], style: Style) -> str:
    quoted = {quote.source for quote in quotes}
    rest = [_source(n, source) for n, source in enumerate(sources, 1) if n not in quoted]
    return _section("Also read:", map(style.marks, rest), style)


def _source(number: int, source: Source) -> str:
    published = f" (published {one_line(source.published)})" if source.published else ""
    return f"[{number}] {one_line(source.title) or 'no title'} — {one_line(source.url)}{published}"


def _conflicts(conflicts: tuple[Conflict, ...], style: Style) -> str:
    lines = []
    for conflict in conflicts:
        values = "; ".join(f"“{one_line(value.text)}” [{value.source}]" for value in conflict.values)
        lines.append(style.marks(style.body(f"{one_line(conflict.what)}: {values}", "- ")))
    return _section("The pages disagree:", lines, style)


def _doubts(outcome: Outcome, style: Style) -> str:
    """Which claims are not supported, and why."""
    if outcome.status is Status.SUPPORTED:
        return ""
    doubted = [claim for claim in outcome.answer.claims if claim.verdict is not Verdict.SUPPORTED]
    lines = [style.body(_doubt(claim), "- ") for claim in doubted]
    return "\n".join([style.paint("33", style.body(note(outcome))), *lines])


def _doubt(claim: Claim) -> str:
    reason = f": {one_line(claim.reason)}" if claim.reason else ""
    return f"{one_line(claim.text)} ({claim.verdict}{reason})"


def event(entry: Event, unicode: bool = True) -> str:
    """One line of `--jsonl`: seq, kind, at (UTC, ISO 8601 with Z), then the event's own data."""
    at = entry.at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return json_line({"seq": entry.seq, "kind": entry.kind, "at": at, **entry.data}, unicode)


def json_line(value: Mapping[str, Any], unicode: bool = True) -> str:
    """`value` as JSON in one line. Without `unicode` it is plain ASCII, for a stream that is not UTF-8."""
    return ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(value, ensure_ascii=not unicode)) + "\n"
