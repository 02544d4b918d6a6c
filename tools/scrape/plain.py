"""Documents that are not HTML, read as what they are: plain text, Markdown, JSON, Atom and RSS."""

from __future__ import annotations

import json
import re
from typing import Any

from agent.types import Block, Link, Page
from tools.scrape.chars import clean, clean_code
from tools.scrape.tables import NOTHING

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(.*)")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_RULE = re.compile(r"\s*\|?[\s:|-]+\|?\s*$")
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]{0,300})\]\(([^()\s]{1,500})[^()]{0,200}\)")
_EMPHASIS = re.compile(r"(\*\*|__)(?=\S)([^*_]{1,300})(?<=\S)\1")
_MAX_ENTRIES = 200
_MAX_VALUES = 5000


def read_text(text: str, url: str) -> Page:
    """Plain text and Markdown: headings, lists, tables and code fences become blocks."""
    from tools.scrape.html import rendered  # start-up: main ranks by this module, and html brings lxml with it

    blocks: list[Block] = []
    links: dict[str, str] = {}
    for block in _markdown(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        if block.kind != "code":
            links.update((m[2], m[1]) for m in _MARKDOWN_LINK.finditer(block.text) if m[2].startswith("http"))
            made = clean(_EMPHASIS.sub(r"\2", _MARKDOWN_LINK.sub(r"\1", block.text)))
            block = Block(block.kind, made, block.level, block.header, block.table)
        if block.text:
            blocks.append(block)
    title = next((b.text for b in blocks if b.kind == "heading"), blocks[0].text.split("\n")[0][:120] if blocks else "")
    found = tuple(Link(target, label) for target, label in links.items() if label)
    return Page(url, title, None, None, tuple(blocks), rendered(blocks), found, level="structure")


def _markdown(lines: list[str]) -> list[Block]:
    blocks: list[Block] = []
    held: list[str] = []
    fence: list[str] | None = None

    def flush() -> None:
        if held:
            blocks.append(Block("paragraph", "\n".join(held)))
            held.clear()

    for line in lines:
        if _FENCE.match(line):
            flush()
            if fence is not None:
                blocks.append(Block("code", clean_code("\n".join(fence))))
            fence = [] if fence is None else None
        elif fence is not None:
            fence.append(line)
        elif not line.strip():
            flush()
        else:
            made = _line(line, blocks)
            if made is None:
                held.append(line.strip())
            else:
                flush()
                blocks.append(made)
    flush()
    if fence:
        blocks.append(Block("code", clean_code("\n".join(fence))))
    return [b for b in blocks if b.text]


def _line(line: str, before: list[Block]) -> Block | None:
    """A line that is a block by itself, None for one that belongs to a paragraph."""
    heading = _HEADING.match(line)
    if heading:
        return Block("heading", heading[2], len(heading[1]))
    item = _ITEM.match(line)
    if item:
        return Block("item", item[2], len(item[1]) // 2 + 1)
    if line.lstrip().startswith("|") and line.count("|") > 1:
        last = before[-1] if before and before[-1].kind == "row" else None
        header = (last.header or last.text) if last else ""
        if _RULE.match(line):
            return Block("row", "", header=header, table=last.table if last else 0)  # hands the names on, then goes
        first, *others = (cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|"))
        cells = " | ".join([first or NOTHING, *others])
        return Block("row", cells, header=header, table=last.table if last else sum(b.kind == "row" for b in before))
    if line.startswith(">"):
        return Block("quote", line.lstrip("> "))
    return None


def read_json(text: str, url: str) -> Page:
    """A JSON document as one line a value, under the path that leads to it."""
    from tools.scrape.html import rendered  # start-up: see read_text

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return read_text(text, url)
    lines = [Block("row", clean(line), table=0) for line in _values(value)]
    title = value.get("title", value.get("name", "")) if isinstance(value, dict) else ""
    return Page(
        url,
        clean(title) if isinstance(title, str) else "",
        None,
        None,
        tuple(lines),
        rendered(lines),
        level="structure",
    )


def _values(value: Any) -> list[str]:
    stack: list[tuple[str, Any]] = [("", value)]
    lines: list[str] = []
    while stack and len(lines) < _MAX_VALUES:
        path, item = stack.pop()
        if isinstance(item, dict):
            stack.extend((f"{path}.{key}" if path else str(key), inner) for key, inner in reversed(item.items()))
        elif isinstance(item, list):
            stack.extend((f"{path}[{n}]", inner) for n, inner in reversed(list(enumerate(item))))
        else:
            said = item if isinstance(item, str) else json.dumps(item)
            lines.append(f"{path}: {said}" if path else said)
    return lines


def read_feed(text: str, url: str) -> Page | None:
    """Atom and RSS: an entry a heading, its date and its text. None for XML that is no feed."""
    from lxml import etree  # start-up: see read_text

    from tools.scrape.html import rendered

    # Entities are left alone: a feed needs none beyond the five of XML, and nested ones grow without bound.
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, recover=True, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(re.sub(r"^\s*<\?xml[^>]{0,200}\?>", "", text).encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:
        return None
    if root is None or _name(root) not in ("feed", "rss", "RDF"):
        return None
    entries = [el for el in root.iter() if isinstance(el.tag, str) and _name(el) in ("entry", "item")][:_MAX_ENTRIES]
    channel = next((el for el in root if _name(el) == "channel"), root)
    blocks: list[Block] = []
    links: list[Link] = []
    for entry in entries:
        made, link = _entry(entry)
        blocks += made
        links += [link] if link.url.startswith("http") else []
    return Page(
        url, _child(channel, "title"), None, None, tuple(blocks), rendered(blocks), tuple(links), level="structure"
    )


def _entry(entry: Any) -> tuple[list[Block], Link]:
    from tools.scrape.dates import stamp  # start-up: see read_text
    from tools.scrape.html import read_html

    title, when = _child(entry, "title"), _child(entry, "pubDate", "published", "updated", "date")
    day = stamp(when)
    said = max((_child(entry, name) for name in ("content", "encoded", "summary", "description")), key=len)
    inner = read_html(said, "").text if "<" in said else said
    target = next(
        (
            el.get("href") or el.text or ""
            for el in entry
            if _name(el) == "link" and el.get("rel", "alternate") == "alternate"
        ),
        "",
    )
    blocks = [Block("heading", clean(title), 2), Block("paragraph", day.isoformat() if day else clean(when))]
    blocks += [Block("paragraph", clean(part)) for part in inner.split("\n\n")]
    return [b for b in blocks if b.text], Link(target.strip(), clean(title))


def _child(el: Any, *names: str) -> str:
    for child in el:
        if _name(child) in names:
            return "".join(child.itertext()).strip()
    return ""


def _name(el: Any) -> str:
    return el.tag.rpartition("}")[2] if isinstance(el.tag, str) else ""
