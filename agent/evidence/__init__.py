"""The evidence check: no quote, no claim.

Everything behind these four functions is imported when the first is called: compiling its patterns takes
longer than all else that a run does before it first asks the model.
"""

from __future__ import annotations

from collections.abc import Sequence

from agent.types import Answer, Source


def check(content: str, sources: Sequence[Source]) -> Answer:
    """Judge every claim of `content` against the pages and render the citations.

    The model's own `[n]` and every URL that is no source's are removed first: only Scout cites.
    An answer without claims abstains.
    """
    from agent.evidence import report

    return report.check(content, sources)


def ranked_sources(answer: Answer) -> tuple[int, ...]:
    """Numbers of the sources that the answer cites, in the order of their first citation."""
    from agent.evidence import report

    return report.ranked_sources(answer)


def complaint(answer: Answer) -> str:
    """What the model hears of claims that do not hold: which, why, and what to do. "" when all hold."""
    from agent.evidence import report

    return report.complaint(answer)


def best_span(sentence: str, text: str) -> str:
    """The sentence or row of `text`, verbatim, at most 400 characters, closest to `sentence`; "" for none."""
    from agent.evidence import report

    return report.best_span(sentence, text)
