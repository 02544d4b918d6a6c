"""Checks answers against pages: every listed claim, and no other, is found and gets its verdict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from agent.evidence import check as check_answer
from agent.types import Claim, Source, Verdict

_WORST = (Verdict.CONTRADICTED, Verdict.UNSUPPORTED, Verdict.PARTIAL, Verdict.SUPPORTED)


def judged(case: dict[str, Any]) -> tuple[list[tuple[str, str, str]], list[str]]:
    """(text, expected, got) for each listed claim, and the claims found that are not listed."""
    sources = tuple(Source(page["url"], page.get("title", ""), page["text"]) for page in case["pages"])
    found = list(check_answer(case["answer"], sources).claims)
    rows = []
    for claim in case["claims"]:
        mine = [c for c in found if _within(c, claim["text"])]
        found = [c for c in found if c not in mine]
        got = min((c.verdict for c in mine), key=_WORST.index).value if mine else "no claim"
        rows.append((claim["text"], claim["verdict"], got))
    return rows, [c.text for c in found]


def _within(claim: Claim, text: str) -> bool:
    return _key(claim.text) in _key(text) or _key(text) in _key(claim.text)


def _key(text: str) -> str:
    """Without list marks, outer bars, emphasis, citations and white space."""
    return re.sub(r"\[\d+\]|[\s*_`|]|^\s*(?:[-•]|\d+[.)])\s", "", text).strip(".。")


def check(case: dict[str, Any], folder: Path) -> str:
    """What is wrong with one case, "" when nothing is."""
    rows, extra = judged(case)
    wrong = [f"{text!r} is {expected}, got {got}" for text, expected, got in rows if expected != got]
    return "; ".join(wrong + [f"{text!r} is no claim" for text in extra])
