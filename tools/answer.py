"""The answer tool: what the model says goes to the evidence check, and that ends the run."""

from __future__ import annotations

from agent.ports import ToolContext
from agent.spec import Kind, Param, Tool
from agent.types import Answer


def answer(content: str, ctx: ToolContext) -> Answer:
    """`content` as an Answer; the scheduler checks it against the pages read."""
    return Answer(content)


ANSWER = Tool(
    "answer",
    "Answer the question. Use it when a page you read says the answer, or to say that none does: not found.",
    params=(Param("content", Kind.TEXT, "the answer in plain sentences, or: not found", max_chars=1200),),
    run=answer,
    ends=True,
)
