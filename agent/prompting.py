"""Prompts: loads prompts/*.md, fills their slots, and names each by its hash."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

FOLDER = Path(__file__).parent.parent / "prompts"


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file. `sha` is the first 12 hex digits of its SHA-256: a Step records which wording it used."""

    name: str
    text: str
    sha: str

    def fill(self, **slots: str) -> str:
        """The prompt with its slots filled. Raises KeyError for a slot that is not given: a bug."""
        return Template(self.text).substitute(slots)


@cache
def prompt(name: str) -> Prompt:
    """The prompt `name` of the folder `prompts`."""
    text = (FOLDER / f"{name}.md").read_text("utf-8").strip()
    return Prompt(name, text, hashlib.sha256(text.encode()).hexdigest()[:12])
