"""Word lists as they are read best: one text, blanks between the words."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())
