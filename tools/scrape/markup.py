"""Text of an HTML document to a tree, in bounded time on any input."""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

from lxml import etree

from tools.scrape.words import words

# libxml2 drops what lies deeper than 2048 levels (256 without huge_tree); its log is the only trace of it.
_MAX_DEPTH = 1000
# libxml2 compares each attribute with all before it: 300,000 in one tag take six minutes.
_MAX_ATTRIBUTES = 1000
_LONG_TAG = 4000
# A start tag as HTML reads it, quoted values skipped. Possessive throughout: no way back, so time is linear.
_INSIDE = r"(?:[^>=]++|=\s*+(?:\"[^\"]*+\"|'[^']*+')?+)*+"
_WHOLE_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+{_INSIDE}")
_TAG = re.compile(rf"<([a-zA-Z][^\s/>]*+)({_INSIDE})>?+")
_ATTRIBUTE = re.compile(r"[^\s=/>]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s>]++)?+)?+")
_ANY_TAG = re.compile(r"<(/?+)([a-zA-Z][\w:-]*+)[^<>]*+>")
_XML_DECLARATION = re.compile(r"\s*+<\?xml[^>]{0,200}\?>", re.IGNORECASE)
_VOID = words("area base br col embed hr img input link meta param source track wbr")


def parse(text: str) -> Any | None:
    """The root element, None for a document without one. Comments and processing instructions are left out."""
    declaration = _XML_DECLARATION.match(text)
    if declaration:
        text = text[declaration.end() :]
    text = text.replace("\0", "")
    if max(map(len, _WHOLE_TAG.findall(text)), default=0) > _LONG_TAG:
        text = _TAG.sub(_fewer_attributes, text)
    root, too_deep = _tree(text)
    if too_deep:
        root, _ = _tree(_shallow(text))
    return root


def _tree(text: str) -> tuple[Any | None, bool]:
    parser = etree.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True, no_network=True, encoding="utf-8")
    try:
        # Encoded here, so that neither a declaration in the page nor a lone surrogate decides what libxml2 sees.
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None, False
    return root, any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log)


def _fewer_attributes(tag: re.Match[str]) -> str:
    if len(tag[2]) < _LONG_TAG:
        return tag[0]
    kept = [m[0] for m in islice(_ATTRIBUTE.finditer(tag[2]), _MAX_ATTRIBUTES)]
    return f"<{tag[1]} {' '.join(kept)}>" if len(kept) == _MAX_ATTRIBUTES else tag[0]


def _shallow(text: str) -> str:
    """The document with every tag beyond the depth left out; a block's place is kept by a line break."""
    depth = 0

    def keep(tag: re.Match[str]) -> str:
        nonlocal depth
        if tag[2].lower() in _VOID:
            return tag[0]
        depth = max(depth - 1, 0) if tag[1] else depth + 1
        inside = depth < _MAX_DEPTH if tag[1] else depth <= _MAX_DEPTH
        return tag[0] if inside else "<br>"

    return _ANY_TAG.sub(keep, text)
