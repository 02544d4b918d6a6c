"""Reading is asked alone: one short, stateless prompt for one page, which gives the words that answer, or NOT FOUND."""

from __future__ import annotations

from agent.context import fence
from agent.evidence import best_span
from agent.ports import Model
from agent.prompting import prompt
from agent.types import Finding, Message, Reply, Source

REPLY_TOKENS = 160


def read(model: Model, question: str, passage: str, source: Source, timeout_s: float) -> tuple[Finding, Reply]:
    """What `passage`, cut from `source`, says to the question. The finding's quote is verbatim from the source."""
    asked = prompt("reader").fill(passage=fence(passage), question=question)
    reply = model.complete((Message("user", asked),), None, REPLY_TOKENS, timeout_s)
    return Finding(source.url, located(reply.text, source.text)), reply


def located(said: str, text: str) -> str:
    """The span of `text` that the model's words stand in; "" where they are NOT FOUND, or stand nowhere."""
    words = said.strip().strip("\"'“”「」*` ")
    if not words or "not found" in words.casefold().replace("_", " "):
        return ""
    return best_span(words, text)
