"""Context: a Trace as messages that fit the model's window, with untrusted text fenced."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.guide import Guide
from agent.menu import Menu
from agent.prompting import prompt
from agent.spec import Registry
from agent.trace import Trace
from agent.types import Message, Observation, Step

OPEN, CLOSE = "<<<", ">>>"
# Where a page quotes the fence or a chat template's tokens, a look-alike is shown: no text of the web can end its fence
# or open a turn of its own.
LOOK_ALIKES = {"<<<": "‹‹‹", ">>>": "›››", "<|": "<¦", "|>": "¦>", "[INST]": "[ INST ]", "[/INST]": "[ /INST ]"}
# Letters a token holds at least, for text without and with ideographs. Measured on Qwen2.5 and SmolLM2: 3.9 and 1.5.
CHARS_A_TOKEN, IDEOGRAPHS_A_TOKEN = 3.0, 1.0
MESSAGE_TOKENS = 8  # a chat template's wrapping of one message
FOLDED_CHARS = 200  # what is left of an old observation when the window is full
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


def fence(text: str) -> str:
    """Untrusted text between marks that it cannot contain."""
    for token, look_alike in LOOK_ALIKES.items():
        text = text.replace(token, look_alike)
    return f"{OPEN}\n{text}\n{CLOSE}"


def tokens(text: str) -> int:
    """How many tokens `text` takes at the most, by its letters."""
    wide = len(_IDEOGRAPH.findall(text))
    return int((len(text) - wide) / CHARS_A_TOKEN + wide / IDEOGRAPHS_A_TOKEN) + 1


def system(tools: Registry) -> str:
    """The system message: the rules and the cards. The same from the first turn to the last, for the server's cache."""
    cards = "\n".join(f"- {tool.name}: {tool.about}" for tool in tools.values())
    return prompt("system").fill(tools=cards)


def messages(trace: Trace, menu: Menu, tools: Registry, guide: Guide, window: int) -> tuple[Message, ...]:
    """The dialogue up to this turn. It only grows at its end, unless the window forces old observations to be folded.

    `window` in tokens, 0 where it is not known; room for the reply is kept.
    """
    room = window - reply_tokens(guide, window) if window else 0
    whole = len(trace.steps)
    while True:
        dialogue = _dialogue(trace, menu, tools, guide, whole)
        if not room or not whole or measured(dialogue) <= room:
            return dialogue
        whole -= 1


def reply_tokens(guide: Guide, window: int) -> int:
    """How long a reply may be: what the guide allows, but no more than a quarter of a known window."""
    return min(guide.reply_tokens, window // 4) if window else guide.reply_tokens


def measured(dialogue: Sequence[Message]) -> int:
    """Tokens of a dialogue, at the most."""
    return sum(tokens(message.content) + MESSAGE_TOKENS for message in dialogue)


def _dialogue(trace: Trace, menu: Menu, tools: Registry, guide: Guide, whole: int) -> tuple[Message, ...]:
    """All messages; only the last `whole` observations are shown in full."""
    said = [Message("system", system(tools))]
    opening = "\n".join([f"Question: {trace.question}", *(f"[Note] {note}" for note in trace.notes)])
    for position, step in enumerate(trace.steps):
        folded = position < len(trace.steps) - whole
        if step.action or step.reply.text:
            said.append(Message("user", f"{opening}\n\n{_offer(step.menu)}"))
            said.append(Message("assistant", step.action.key if step.action else step.reply.text[:FOLDED_CHARS]))
            opening = _observed(trace, step, folded=folded)
        else:  # what the user piped in: there was no reply
            opening = f"{opening}\n\n{_observed(trace, step, folded=folded)}"
    said.append(Message("user", f"{opening}\n\n{_offer(menu.words)}"))
    return tuple(said)


def _offer(words: str) -> str:
    return f"Reply with one of these actions as JSON:\n{words}"


def _observed(trace: Trace, step: Step, *, folded: bool) -> str:
    """One observation as the model reads it: what came back, fenced, and Scout's own notes outside the fence."""
    seen = step.observation
    if seen.error:
        return f"[Error] {seen.text}"
    parts = [_heading(trace, seen)]
    if seen.finding is not None:
        parts.append(_found(seen))
    elif folded:
        parts.append(
            fence(seen.text[:FOLDED_CHARS] + f" [… {max(len(seen.text) - FOLDED_CHARS, 0):,} characters folded]")
        )
    elif seen.text:
        parts.append(fence(seen.text))
    parts += [f"[Note] {note}" for note in seen.notes]
    return "\n".join(parts)


def _heading(trace: Trace, seen: Observation) -> str:
    numbers = {source.url: number for number, source in enumerate(trace.sources, 1)}
    pages = [f"source {numbers[source.url]}: {source.url}" for source in seen.sources]
    return "[Observation] " + ("; ".join(pages) or ("search results" if seen.hits else "result"))


def _found(seen: Observation) -> str:
    """What the separate reading of the page brought."""
    if seen.finding and seen.finding.quote:
        return f"The page says:\n{fence(seen.finding.quote)}"
    return "The page does not answer the question."
