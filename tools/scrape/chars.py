"""Characters: what is invisible goes, what a chat template would obey is defused, what floods the window is cut."""

from __future__ import annotations

import re

# Zero-width and joining marks that carry no meaning for a reader, bidi controls, tag characters and the variation
# selectors of the supplement (both can smuggle whole sentences), C0 and C1 controls but tab and newline.
# ZWJ, ZWNJ, the emoji selectors FE00-FE0F and the left-to-right marks of Arabic and Hebrew text stay.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff0-\ufffb\ue000-\uf8ff\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# A short name in the brackets that chat templates use. The brackets go, the word stays: it is text that someone wrote.
_TEMPLATE = re.compile(r"<\|{1,2}([\w./ -]{1,40})\|{1,2}>|<｜([\w▁ -]{1,40})｜>")
_MARKUP = re.compile(
    r"</?(tool_call|tool_response|tools|think|thinking|start_of_turn|end_of_turn|function_calls?|invoke|s|bos"
    r"|eos|im_start|im_end)>"
    r"|\[(/?INST|/?SYS|TOOL_CALLS|/?AVAILABLE_TOOLS|/?TOOL_RESULTS)\]|<<(/?SYS)>>"
)
_DATA_URI = re.compile(
    r"data:[\w.+/-]{0,60}(?:;[\w=.-]{1,40}){0,4},[^\s\"'<>)]{0,200000}|(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{400,}={0,2}"
)


def visible(text: str) -> str:
    """`text` without invisible and control characters."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub("", text)


def defused(text: str) -> str:
    """`text` in which no chat-template token, tool-call tag or embedded file is left."""
    if "<" in text or "[" in text:
        text = _TEMPLATE.sub(lambda m: m[1] or m[2], text)
        text = _MARKUP.sub(lambda m: m[1] or m[2] or m[3], text)
    if len(text) >= 20 and ("data:" in text or len(text) > 400):
        text = _DATA_URI.sub("", text)
    return text


def clean(text: str) -> str:
    """One line of prose: visible, defused, white space collapsed."""
    return " ".join(defused(visible(text)).split())


def clean_code(text: str) -> str:
    """Preformatted text: visible and defused, every blank and line break kept."""
    return defused(visible(text.replace("\r\n", "\n").replace("\r", "\n"))).strip("\n")
