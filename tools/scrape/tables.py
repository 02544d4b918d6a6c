"""Tables: which ones hold data, and their rows as lines under the names of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

_MAX_SPAN = 60
_LONGEST_REPEATED = 60  # characters; a longer cell that spans columns is said once
NOTHING = "–"  # stands in an empty first cell, or all others would move under their neighbours' names
_LONGEST_CELL = 1500
_MOST_BLOCKS_IN_CELL = 40


class Run(Protocol):
    """What is needed of a run here; `tools/scrape/outline.py` has the whole."""

    text: str
    kind: str
    links: int


@dataclass(slots=True)
class Cell:
    """A cell: its text is the runs from `start` to `end`."""

    is_head: bool
    rows: str | None
    columns: str | None
    start: int
    end: int = -1


@dataclass(slots=True)
class Table:
    """A table while it is being read. `first` is the first run after its start tag."""

    first: int
    presentation: bool = False
    nested: bool = False
    rows: list[list[Cell]] = field(default_factory=list)
    open: list[Cell] = field(default_factory=list)

    def open_cell(self, cell: Cell) -> None:
        """A cell begins; one without a row gets a row."""
        if not self.rows:
            self.rows.append([])
        self.rows[-1].append(cell)
        self.open.append(cell)

    def close_cell(self, end: int) -> None:
        """The innermost open cell ends before run number `end`."""
        if self.open:
            self.open.pop().end = end

    def first_cell(self, default: int) -> int:
        """Number of the first run inside a cell: what comes before is the caption."""
        return next((cell.start for row in self.rows for cell in row), default)


def collate(table: Table, runs: Sequence[Run], is_infobox: bool) -> list[tuple[str, str, int]] | None:
    """(text, header, link characters) of each row of a data table; None for a table that only lays out a page."""
    rows = [row for row in table.rows if row]
    if table.nested or table.presentation or not _holds_data(rows, runs):
        return None
    filled = _grid(rows, runs)
    header = ""
    lines: list[tuple[str, str, int]] = []
    for row, cells in zip(rows, filled, strict=True):
        links = sum(run.links for cell in row for run in runs[cell.start : cell.end])
        texts = [text for text, _ in cells]
        if not any(texts):
            continue
        is_header = _is_header(cells)
        is_pair = len(cells) == 2 or (len(row) == 2 and sum(_width(cell, row) for cell in row) == len(cells))
        if is_pair and _is_key_and_value(cells, header, is_infobox):
            text = f"{texts[0].rstrip(' :：')}: {texts[-1]}"
        elif (header or is_header) and len(texts) > 1:
            text = " | ".join([texts[0] or NOTHING, *texts[1:]]).rstrip(" |")
        else:
            text = " | ".join(texts).strip(" |")
        if is_header:
            header = text
            lines.append((text, "", links))
        else:
            lines.append((text, header, links))
    return lines


def _is_header(cells: list[tuple[str, bool]]) -> bool:
    """A row of names of columns; the corner over the names of the rows may be an empty cell of any kind."""
    return len(cells) > 1 and all(head for _, head in cells[1:]) and (cells[0][1] or not cells[0][0])


def _holds_data(rows: list[list[Cell]], runs: Sequence[Run]) -> bool:
    if (len(rows) < 2 and sum(map(len, rows)) < 3) or max(map(len, rows), default=0) < 2:
        return False
    for row in rows:
        for cell in row:
            inside = runs[cell.start : cell.end]
            if len(inside) > _MOST_BLOCKS_IN_CELL or sum(len(run.text) for run in inside) > _LONGEST_CELL:
                return False
            if any(run.kind == "heading" and not cell.is_head for run in inside):
                return False
    return True


def _grid(rows: list[list[Cell]], runs: Sequence[Run]) -> list[list[tuple[str, bool]]]:
    """The texts of each row; a cell that spans is repeated, so that every row and column can stand alone."""
    carried: dict[int, tuple[int, str, bool]] = {}
    grid: list[list[tuple[str, bool]]] = []
    for row in rows:
        line: list[tuple[str, bool]] = []
        column = 0
        for cell in [*row, None]:
            while column in carried:
                left, text, head = carried.pop(column)
                line.append((text, head))
                if left > 1:
                    carried[column] = (left - 1, text, head)
                column += 1
            if cell is None:
                break
            text = _text(runs[cell.start : cell.end])
            down = _span(cell.rows)
            for n in range(_width(cell, row)):
                said = text if n == 0 or len(text) <= _LONGEST_REPEATED else ""
                line.append((said, cell.is_head))
                if down > 1:
                    carried[column] = (down - 1, said, cell.is_head)
                column += 1
        grid.append(line)
    return grid


def _text(runs: Sequence[Run]) -> str:
    return "; ".join(" ".join(run.text.split()) for run in runs)


def _width(cell: Cell, row: Sequence[Cell]) -> int:
    """How many columns to fill. What spans to the end without naming columns pushes nothing aside."""
    return 1 if len(row) == 1 or (cell is row[-1] and not cell.is_head) else _span(cell.columns)


def _span(value: str | None) -> int:
    return min(int(value), _MAX_SPAN) if value and value.isdecimal() and value.isascii() and value != "0" else 1


def _is_key_and_value(cells: list[tuple[str, bool]], header: str, is_infobox: bool) -> bool:
    if header or not cells[0][0] or not cells[-1][0]:
        return False
    return (cells[0][1] and not cells[-1][1]) or is_infobox
