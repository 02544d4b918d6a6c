"""Guide: how closely the menu leads a model, by its strength."""

from __future__ import annotations

from dataclasses import dataclass, replace

# Measured by `make bench-models`: below 4 B a model goes on searching where a page lies before it; below 1 B it picks
# among pages by their place in the list (7 of 10 right, where the first is right 10 of 10), so it is offered one; below
# 0.3 B it cannot write a query or an answer that bears on the question, so both are chosen from short lists.
STEPS_BELOW_B = 4.0
PICKS_FROM_B = 1.0
PROSE_FROM_B = 0.3


@dataclass(frozen=True, slots=True)
class Guide:
    """steps: one kind of action at a time. reader: pages are read by a prompt of their own. prose: the model may write.

    Sizes are in characters, and bounded so that a reply always fits `reply_tokens`, in Chinese too.
    """

    steps: bool = False
    reader: bool = False
    prose: bool = True
    page_chars: int = 3000
    answer_chars: int = 1200
    reply_tokens: int = 2000
    urls: int = 8
    sentences: int = 5  # offered as answers where the model may not write, or what it wrote did not stand


FREE = Guide()
STEPS = Guide(steps=True, reader=True, page_chars=1500, answer_chars=300, reply_tokens=400, urls=3)
ONE_PAGE = replace(STEPS, urls=1)
LISTS = replace(ONE_PAGE, reader=False, prose=False, sentences=2)


def guide_for(setting: str, size_b: float, *, writes: bool = True) -> Guide:
    """The guide for a model of `size_b` billion parameters; 0.0, where nothing tells, counts as strong.

    `setting` is auto, free or steps. `writes` is False where there is no model at all.
    """
    if not writes:
        return LISTS
    if setting == "free" or (setting == "auto" and not 0 < size_b < STEPS_BELOW_B):
        return FREE
    if not 0 < size_b < PICKS_FROM_B:
        return STEPS
    return LISTS if size_b < PROSE_FROM_B else ONE_PAGE
