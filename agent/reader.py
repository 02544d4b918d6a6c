"""Reading is asked alone: a short, stateless prompt for one page, which gives the words that answer, or NOT FOUND."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.context import fence
from agent.evidence import best_span
from agent.ports import Model, Ranker
from agent.prompting import Prompt, prompt
from agent.types import Finding, Message, Reply, Source

REPLY_TOKENS = 160
# Share of the question's words from which a sentence bears on it beyond doubt. Below, the model may have taken any name
# or number of the page for the answer: it is asked again, more strictly. Above, a NOT FOUND may have come too soon: it
# is asked about that one sentence. Measured on the embedded 1.5 B, 10 pages with the answer and 10 without: `reader`
# alone finds 8 and takes the bait 3 times, `reader_strict` alone finds 7 and takes it once.
ENOUGH = 0.5
OVERLOOKED = 0.6  # for a sentence that the model itself did not point at
VERBATIM = 0.75  # share of the words said that must stand in a span which does not hold them as they are


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found, and the replies that it took: each with the prompt it answers."""

    finding: Finding
    replies: tuple[tuple[Prompt, Reply], ...]


@dataclass(slots=True)
class Reader:
    """One page, one question, any number of short prompts."""

    model: Model
    ranker: Ranker
    question: str
    source: Source
    timeout_s: float
    replies: list[tuple[Prompt, Reply]] = field(default_factory=list)

    def quote(self, passage: str) -> str:
        """The words of the page that answer, "" for none."""
        found = self.located(self.ask("reader", passage))
        if not found:
            return self.overlooked()
        if self.bearing(found) >= ENOUGH:
            return found
        found = self.located(self.ask("reader_strict", passage))
        return found if found and (self.bearing(found) or self.confirmed(found)) else ""

    def overlooked(self) -> str:
        """The sentence that bears most on the question, if it bears enough and the model takes it for the answer."""
        best = next(iter(self.ranker.sentences(self.source, self.question)), "")
        return best if best and self.bearing(best) >= OVERLOOKED and self.confirmed(best) else ""

    def confirmed(self, sentence: str) -> bool:
        """Does the model, shown this sentence alone, take it for the answer?"""
        return self.ask("reader_confirm", sentence).strip().casefold().startswith("yes")

    def bearing(self, sentence: str) -> float:
        """Share of the question's words that stand in the sentence."""
        return self.ranker.coverage(sentence, self.question, self.source.title)

    def ask(self, name: str, passage: str) -> str:
        """The model's reply to one prompt."""
        asked = prompt(name).fill(question=self.question, passage=fence(passage), title=self.source.title)
        reply = self.model.complete((Message("user", asked),), None, REPLY_TOKENS, self.timeout_s)
        self.replies.append((prompt(name), reply))
        return reply.text

    def located(self, said: str) -> str:
        """The sentence that the model's words stand in; "" where they are NOT FOUND, or stand nowhere.

        Where several hold the words, the one that bears most on the question.
        """
        words = said.strip().strip("\"'“”「」*`.。 ")
        if not words or "not found" in words.casefold().replace("_", " "):
            return ""
        whole = re.compile(rf"(?<![a-z0-9]){re.escape(words)}(?![a-z0-9])", re.IGNORECASE)
        for sentence in self.ranker.sentences(self.source, self.question):
            if whole.search(sentence):
                return sentence
        # In other words than the page's: what it says beyond the question must stand in one place.
        asked = self.question.casefold().split()
        span = best_span(" ".join(word for word in words.split() if word.casefold() not in asked), self.source.text)
        return span if span and self.ranker.coverage(span, words, self.question) >= VERBATIM else ""


def read(model: Model, ranker: Ranker, question: str, passage: str, source: Source, timeout_s: float) -> Reading:
    """What `passage`, cut from `source`, says to the question. The finding's quote is verbatim from the source."""
    reader = Reader(model, ranker, question, source, timeout_s)
    return Reading(Finding(source.url, reader.quote(passage)), tuple(reader.replies))
