"""read_fragment: more of a page that was read before, from where the passages were cut."""

from __future__ import annotations

from agent.errors import BadAction
from agent.ports import ToolContext
from agent.spec import Kind, Param, Tool
from agent.types import Observation


def read_fragment(id: int, start: int, ctx: ToolContext) -> Observation:
    """The next ctx.page_chars characters of source number `id` from character `start`, cut at a block border.

    Sends nothing. Raises BadAction for a number or a position that is not there.
    """
    if not 1 <= id <= len(ctx.sources):
        known = f"there are 1 to {len(ctx.sources)}" if ctx.sources else "no page was read yet"
        raise BadAction("bad_type", f"no source {id}; {known}")
    text = ctx.sources[id - 1].text
    if not 0 <= start < max(len(text), 1):
        raise BadAction("bad_type", f"source {id} has {len(text):,} characters; start={start} is past its end")
    begin = _border_after(text, start)
    end = _border_before(text, begin, begin + ctx.page_chars - 120)
    before = f"[… {begin:,} characters before …]\n" if begin else ""
    after = (
        f"\n[… {len(text) - end:,} characters left out; read_fragment id={id} start={end} …]" if end < len(text) else ""
    )
    return Observation(f"{before}{text[begin:end].strip()}{after}")


def _border_after(text: str, start: int) -> int:
    """`start` itself at the beginning of a line, else the start of the word it falls into."""
    if start == 0 or text[start - 1] == "\n":
        return start
    return (
        max(text.rfind(mark, 0, start) for mark in ("\n", " ")) + 1 if start - text.rfind(" ", 0, start) < 40 else start
    )


def _border_before(text: str, begin: int, end: int) -> int:
    """The last block border that leaves at least half of the room used, else a sentence's or a word's."""
    if end >= len(text):
        return len(text)
    half = begin + max((end - begin) // 2, 1)
    for mark in ("\n\n", "\n", ". ", "。", " "):
        cut = text.rfind(mark, half, end)
        if cut > 0:
            return cut + len(mark)
    return max(end, begin + 1)


READ_FRAGMENT = Tool(
    "read_fragment",
    "Read more of a page that was read before. Use it when a mark says that text was left out where the answer may be.",
    params=(
        Param("id", Kind.SOURCE, "number of the page"),
        Param("start", Kind.OFFSET, "character position to read from, as the mark gives it"),
    ),
    run=read_fragment,
)
