"""What a page's own style rules and attributes hide from a reader: there instructions for machines are planted."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from tools.scrape.selectors import matching

_SUSPECT = re.compile(
    r"none|hidden|collapse|opacity|font-size|clip|transparent|height|-\d{3}|scale|color", re.IGNORECASE
)
_COMMENT = re.compile(r"/\*[^*]*+(?:\*(?!/)[^*]*+)*+(?:\*/)?")
_NUMBER = re.compile(r"-?\d*\.?\d+")
_FAR = re.compile(r"-\d{3,}")
_MAX_RULES = 500
_LONG_PROSE = 1500  # characters
_COLORS = {"white": "#ffffff", "black": "#000000", "#fff": "#ffffff", "#000": "#000000"}
_VOID_SELECTORS = re.compile(r"[:\[+~]|(^|[\s>])(html|body|\*)($|[\s>])")


def is_hidden(el: Any, root: Any) -> bool:
    """Do this element's own attributes hide it?"""
    hidden = el.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return True
    style = el.get("style")
    if style and hides(style):
        return "none" in style.lower() or not holds_most(el, root)
    return el.get("aria-hidden") == "true" and not holds_most(el, root)


@lru_cache(maxsize=2048)
def hides(style: str) -> bool:
    """Does this style declaration make an element's text invisible? Collapsed (`max-height`) is not invisible."""
    if not _SUSPECT.search(style):
        return False
    rules = _declarations(style)
    if rules.get("display") == "none" or rules.get("visibility") in ("hidden", "collapse"):
        return True
    if _is_zero(rules.get("opacity", "1")) or _is_zero(rules.get("font-size", "1")):
        return True
    return _off_screen(rules) or _same_colour(rules) or _no_size(rules)


def _declarations(style: str) -> dict[str, str]:
    pairs = (part.split(":", 1) for part in style.lower().split(";") if ":" in part)
    return {name.strip(): value.replace("!important", "").strip() for name, value in pairs}


def _is_zero(value: str) -> bool:
    number = _NUMBER.match(value)
    return number is not None and float(number[0]) == 0 and "calc" not in value


def _off_screen(rules: dict[str, str]) -> bool:
    if rules.get("position") in ("absolute", "fixed"):
        if any(_FAR.match(rules.get(side, "")) for side in ("left", "right", "top", "bottom")):
            return True
        clip = rules.get("clip", "").replace("px", "").replace(",", " ").replace(" ", "")
        if clip in ("rect(0000)", "rect(1111)") or rules.get("clip-path", "").startswith(("inset(50%", "inset(100%")):
            return True
    return bool(_FAR.match(rules.get("text-indent", ""))) or rules.get("transform", "").startswith("scale(0)")


def _same_colour(rules: dict[str, str]) -> bool:
    colour = rules.get("color", "")
    behind = rules.get("background-color", rules.get("background", ""))
    colour, behind = _COLORS.get(colour, colour), _COLORS.get(behind, behind)
    return colour == "transparent" or (bool(colour) and colour == behind)


def _no_size(rules: dict[str, str]) -> bool:
    if rules.get("overflow") not in ("hidden", "clip"):
        return False
    sizes = [rules.get("width", ""), rules.get("height", "")]
    return any(s and _is_zero(s) for s in sizes) or all(s in ("1px", "0") for s in sizes)


def hidden_by_rules(root: Any) -> frozenset[Any]:
    """Elements that a rule of the page's own `style` blocks hides. AMP boilerplate and media queries do not count."""
    sheets = [el.text or "" for el in root.iter("style") if not _is_boilerplate(el)]
    css = "\n".join(sheet for sheet in sheets if _SUSPECT.search(sheet))
    if not css:
        return frozenset()
    found = matching(root, _hiding_selectors(css)[:_MAX_RULES])
    return frozenset(el for el in found if not holds_most(el, root))


def holds_most(el: Any, root: Any) -> bool:
    """Is this where most of a long page's prose stands? Then a script shows it when the page has loaded."""
    size = _prose(el)
    return size > _LONG_PROSE and size > _prose(root) / 2


def _prose(el: Any) -> int:
    return sum(len(part.text or "") for part in el.iter("p", "li", "td", "pre", "div", "span")) + sum(
        len(b.tail or "") for b in el.iter("br", "a", "b", "i")
    )


def _is_boilerplate(style: Any) -> bool:
    media = style.get("media", "all")
    return "amp-boilerplate" in style.attrib or media not in ("all", "screen", "")


def _hiding_selectors(css: str) -> list[str]:
    hiding: dict[str, None] = {}
    for selectors, body in _rules(_COMMENT.sub("", css)):
        dark = hides(body)
        for selector in selectors.split(","):
            selector = " ".join(selector.split())
            if dark and selector and len(selector) < 120 and not _VOID_SELECTORS.search(selector):
                hiding[selector] = None
            elif not dark and selector in hiding and "display" in body:
                del hiding[selector]  # a later rule shows it again
    return list(hiding)


def _rules(css: str) -> Iterable[tuple[str, str]]:
    """Selector list and body of each plain rule; a conditional group is skipped unless it always holds."""
    skipping, depth, prelude = 0, 0, ""
    for part in re.split(r"([{}])", css):
        if part == "{":
            depth += 1
            head = prelude.strip().rsplit(";", 1)[-1].strip()
            if head.startswith("@") and not skipping and head.split(" {")[0] not in ("@media all", "@media screen"):
                skipping = depth
        elif part == "}":
            if depth and not skipping and head and not head.startswith("@"):
                yield head, prelude
            if skipping == depth:
                skipping = 0
            depth = max(depth - 1, 0)
            head = prelude = ""
        else:
            prelude = part
