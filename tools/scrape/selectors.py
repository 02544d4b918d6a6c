"""Which elements a list of plain CSS selectors matches: one pass over the tree, whatever the selectors.

Not through XPath, as cssselect would do it: `div div div .x` on a few hundred nested elements takes it minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

_COMPOUND = re.compile(r"([a-zA-Z][\w-]*|\*)?((?:[.#][\w-]+)*)$")
_MAX_LEVELS = 200  # how far up the tree an ancestor is looked for


@dataclass(frozen=True, slots=True)
class Compound:
    """Tag, id and classes that one element must have; "" and empty for no demand. `child` asks for the very parent."""

    tag: str
    id: str
    classes: frozenset[str]
    child: bool = False

    @property
    def key(self) -> str:
        """What to look it up by: a class, the id or the tag."""
        return f".{min(self.classes)}" if self.classes else f"#{self.id}" if self.id else self.tag

    def fits(self, el: Any) -> bool:
        """Does the element meet all demands?"""
        if (self.tag and self.tag != el.tag) or (self.id and self.id != el.get("id")):
            return False
        return self.classes <= frozenset((el.get("class") or "").split()) if self.classes else True


def compiled(selector: str) -> tuple[Compound, ...] | None:
    """The compounds of a selector, last one first; None for what uses more than tags, ids, classes, blanks and `>`."""
    compounds: list[Compound] = []
    child = False
    for part in reversed(selector.replace(">", " > ").split()):
        if part == ">":
            child = True
            continue
        m = _COMPOUND.match(part)
        if not m:
            return None
        marks = re.findall(r"([.#])([\w-]+)", m[2])
        classes = frozenset(name for sign, name in marks if sign == ".")
        ids = [name for sign, name in marks if sign == "#"]
        tag = (m[1] or "").lower().replace("*", "")
        compounds.append(Compound(tag, ids[0] if ids else "", classes))
        if child and len(compounds) > 1:
            compounds[-1] = Compound(tag, compounds[-1].id, classes, child=True)
        child = False
    return tuple(compounds)


def matching(root: Any, selectors: Sequence[str]) -> set[Any]:
    """Elements below `root` that any of the selectors matches. Selectors that are not plain match nothing."""
    index: dict[str, list[tuple[Compound, ...]]] = {}
    for rule in map(compiled, selectors):
        if rule and rule[0].key:
            index.setdefault(rule[0].key, []).append(rule)
    if not index:
        return set()
    return {el for el in root.iter() if any(_matches(el, rule) for key in _keys(el) for rule in index.get(key, ()))}


def _keys(el: Any) -> Iterable[str]:
    yield str(el.tag)
    if el.get("id"):
        yield f"#{el.get('id')}"
    for name in (el.get("class") or "").split():
        yield f".{name}"


def _matches(el: Any, rule: Sequence[Compound]) -> bool:
    if not rule[0].fits(el):
        return False
    at, left = el.getparent(), _MAX_LEVELS
    for compound in rule[1:]:
        while at is not None and left and not compound.fits(at):
            if compound.child:
                return False
            at, left = at.getparent(), left - 1
        if at is None or not left:
            return False
        at = at.getparent()
    return True
