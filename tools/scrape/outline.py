"""One walk over the tree: the document's text as runs in order, and the boxes (containers) as ranges over them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from tools.scrape.hidden import is_hidden
from tools.scrape.tables import Cell, Table, collate
from tools.scrape.words import words

SKIPPED = words(
    "script style template iframe object embed select option textarea datalist svg canvas audio video map head "
    "title rt rp annotation annotation-xml link meta amp-sidebar amp-ad amp-analytics frameset noframes input"
)
INLINE = words(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark math mfrac mi mn mo mrow "
    "ms msqrt mstyle msub msup mtext nobr output picture q rb ruby s samp small source span strike strong sub sup "
    "time tt u var wbr area semantics o:p center-inline blink marquee progress meter amp-img"
)
_HEADINGS = {f"h{n}": n for n in range(1, 7)}
_KINDS = {"p": "paragraph", "li": "item", "dt": "term", "dd": "definition", "pre": "code", "blockquote": "quote"}
BREAK = "\0"  # stands for br inside the buffer; the document itself cannot hold one
_HIDDEN_CLASSES = words("sr-only visually-hidden screen-reader-text visuallyhidden screenreader-text u-hidden")
_RAISED = str.maketrans("0123456789+-−()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ")
_LOWERED = str.maketrans("0123456789+-−()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₍₎")
_SIMPLE = frozenset("0123456789+-−()")
_ORDINALS = words("st nd rd th er re e ème eme o a º ª tm sm ® ™ © c r")


@dataclass(slots=True)
class Run:
    """A block as it stands in the document. `links` counts the characters of it that are link text."""

    text: str
    kind: str
    level: int
    links: int
    box: int
    header: str = ""
    table: int = -1


@dataclass(slots=True)
class Box:
    """A container. Its text is `runs[start:end]`, of its descendants included."""

    tag: str
    parent: int
    start: int
    end: int = 0
    hint: str = ""  # class and id, lower case
    role: str = ""
    prop: str = ""  # itemprop


@dataclass(slots=True)
class Anchor:
    """A link where it stands: the run it belongs to comes at or after `run`."""

    href: str
    text: str
    run: int


@dataclass(slots=True)
class Outline:
    """What the walk gives. Box 0 is the whole document."""

    runs: list[Run] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    anchors: list[Anchor] = field(default_factory=list)


def outline(root: Any, hidden: frozenset[Any] = frozenset(), dropped: frozenset[Any] = frozenset()) -> Outline:
    """Walk `root` once. `hidden` elements are invisible, `dropped` ones unwanted: both vanish with all they hold."""
    return _Walk(hidden | dropped).over(root)


class _Walk:
    """State of the walk. Iterative: the depth of the document costs no stack."""

    def __init__(self, gone: frozenset[Any]) -> None:
        self.gone = gone
        self.out = Outline(boxes=[Box("body", -1, 0)])
        self.box = 0
        self.parts: list[str] = []
        self.link_from = -1  # where in `parts` the open link began
        self.link_chars = 0
        self.link_run = 0
        self.context: list[tuple[str, int]] = [("paragraph", 0)]
        self.depth = 0  # of lists
        self.marks: list[int] = []  # where open sup and sub began
        self.tables: list[Table] = []
        self.table_count = 0

    def over(self, root: Any) -> Outline:
        self.root = root
        walker = etree.iterwalk(root, events=("start", "end"))
        skipped = None
        for event, el in walker:
            tag = el.tag
            if event == "start":
                if self._is_gone(el, tag):
                    walker.skip_subtree()
                    skipped = el
                    continue
                self.start(el, tag)
                if el.text:
                    self.parts.append(el.text)
            else:
                if el is skipped:
                    skipped = None
                else:
                    self.end(el, tag)
                if el.tail and el is not root:
                    self.parts.append(el.tail)
        self.flush()
        self.out.boxes[0].end = len(self.out.runs)
        return self.out

    def _is_gone(self, el: Any, tag: str) -> bool:
        if tag in SKIPPED or el in self.gone:
            return True
        attrs = el.attrib
        if not attrs:
            return False
        if tag not in ("html", "body") and is_hidden(el, self.root):
            return True
        if tag == "button":
            return "aria-controls" not in attrs
        return not _HIDDEN_CLASSES.isdisjoint((el.get("class") or "").split())

    def start(self, el: Any, tag: str) -> None:
        if tag in INLINE:
            if tag == "a":
                self.link_from, self.link_run = len(self.parts), len(self.out.runs)
            elif tag in ("sup", "sub"):
                self.marks.append(len(self.parts))
            return
        if tag == "br":
            self.parts.append(BREAK)
            return
        self.flush()
        level = _HEADINGS.get(tag, 0)
        if level:
            self.context.append(("heading", level))
        elif tag in _KINDS:
            self.context.append((_KINDS[tag], self.depth))
        elif tag in ("ul", "ol"):
            self.depth += 1
        if tag in ("table", "tr", "td", "th"):
            self._start_table_part(el, tag)
        if not level and tag not in ("tr", "tbody", "thead", "wbr"):
            self._open_box(el, tag)

    def _open_box(self, el: Any, tag: str) -> None:
        hint = f"{el.get('class') or ''} {el.get('id') or ''}".lower()
        box = Box(tag, self.box, len(self.out.runs), 0, hint, el.get("role") or "", el.get("itemprop") or "")
        self.box = len(self.out.boxes)
        self.out.boxes.append(box)

    def end(self, el: Any, tag: str) -> None:
        if tag in INLINE:
            if tag == "a":
                self._end_link(el)
            elif tag in ("sup", "sub"):
                self._end_mark(el, tag)
            return
        if tag == "br":
            return
        self.flush()
        if tag in _HEADINGS or tag in _KINDS:
            self.context.pop()
        elif tag in ("ul", "ol"):
            self.depth -= 1
        if tag not in _HEADINGS and tag not in ("tr", "tbody", "thead", "wbr"):
            box = self.out.boxes[self.box]
            box.end = len(self.out.runs)
            if tag == "table" and self.tables:
                self._end_table(box)
            self.box = box.parent
        if tag in ("td", "th") and self.tables:
            self.tables[-1].close_cell(len(self.out.runs))

    def _start_table_part(self, el: Any, tag: str) -> None:
        if tag == "table":
            if self.tables:
                self.tables[-1].nested = True
            self.tables.append(Table(len(self.out.runs), presentation=el.get("role") in ("presentation", "none")))
        elif self.tables:
            if tag == "tr":
                self.tables[-1].rows.append([])
            else:
                self.tables[-1].open_cell(Cell(tag == "th", el.get("rowspan"), el.get("colspan"), len(self.out.runs)))

    def _end_table(self, box: Box) -> None:
        table = self.tables.pop()
        rows = collate(table, self.out.runs, "infobox" in box.hint)
        if rows is None:
            return
        for inner in reversed(self.out.boxes):
            if inner is box:
                break
            inner.start = inner.end = table.first
        kept = table.first_cell(len(self.out.runs))
        for text, header, links in rows:
            self.out.runs.append(Run(text, "row", 0, links, self.box, header, self.table_count))
        del self.out.runs[kept : len(self.out.runs) - len(rows)]
        self.table_count += 1
        box.end = len(self.out.runs)

    def _end_link(self, el: Any) -> None:
        if self.link_from < 0:
            return
        text = " ".join("".join(self.parts[self.link_from :]).replace(BREAK, " ").split())
        self.link_chars += len(text)
        if self.link_run < len(self.out.runs):
            text = " ".join([*(run.text for run in self.out.runs[self.link_run :][:3]), text]).strip()
        href = el.get("href")
        if href:
            text = text or el.get("aria-label") or ""
            self.out.anchors.append(Anchor(href, text[:200], len(self.out.runs)))
        self.link_from = -1

    def _end_mark(self, el: Any, tag: str) -> None:
        """Raised and lowered text: digits keep their height, or an exponent would melt into its number."""
        start = self.marks.pop() if self.marks else len(self.parts)
        text = "".join(self.parts[start:]).replace(BREAK, " ").strip()
        del self.parts[start:]
        if not text or (tag == "sup" and (text[0] == "[" or (el.find(".//a[@href]") is not None and len(text) < 4))):
            return
        if set(text) <= _SIMPLE:
            text = text.translate(_RAISED if tag == "sup" else _LOWERED)
        elif len(text) < 12 and text.lower() not in _ORDINALS and self.parts and not self.parts[-1][-1:].isspace():
            text = ("^" if tag == "sup" else "_") + text
        self.parts.append(text)

    def flush(self) -> None:
        """Turn what is in the buffer into runs."""
        if not self.parts:
            return
        raw = "".join(self.parts)
        if self.link_from >= 0:
            self.link_chars += len("".join(self.parts[self.link_from :]).strip())
            self.link_from = 0
        links, self.link_chars = self.link_chars, 0
        self.parts.clear()
        self.marks.clear()
        if raw.isspace():
            return
        kind, level = self.context[-1]
        if kind == "code":
            self.out.runs.append(Run(raw.replace(BREAK, "\n").strip("\r\n"), kind, level, links, self.box))
        elif BREAK not in raw:
            self._add(" ".join(raw.split()), kind, level, links)
        else:
            pieces = _paragraphs(raw)
            size = sum(map(len, pieces)) or 1
            for piece in pieces:
                self._add(piece, kind, level, links * len(piece) // size)

    def _add(self, text: str, kind: str, level: int, links: int) -> None:
        runs = self.out.runs
        if kind == "definition" and runs and runs[-1].kind == "term" and len(runs[-1].text) < 80:
            term = runs.pop()
            text, links = f"{term.text.rstrip(' :：')}: {text}", links + term.links
        if text:
            runs.append(Run(text, kind, level, links, self.box))


def _paragraphs(raw: str) -> list[str]:
    """Lines that single breaks part stay together, two breaks part paragraphs."""
    lines = [" ".join(line.split()) for line in raw.split(BREAK)]
    return [part.strip("\n") for part in "\n".join(lines).split("\n\n") if part.strip("\n")]
