"""Tables: cells parted, rows under the names of their columns, and what only lays out a page is no table."""

from __future__ import annotations

import pytest

from tools.scrape import read


def rows(table: str, attrs: str = "") -> list[tuple[str, str]]:
    """(text, header) of each row of a page with one table."""
    body = f"<html><body><table {attrs}>{table}</table></body></html>"
    blocks = read(body.encode(), "text/html", "https://example.org/").blocks
    return [(block.text, block.header) for block in blocks if block.kind == "row"]


def heads(*names: str) -> str:
    return f"<tr>{''.join(f'<th>{name}</th>' for name in names)}</tr>"


def cells(*texts: str) -> str:
    return f"<tr>{''.join(f'<td>{text}</td>' for text in texts)}</tr>"


def test_cells_of_a_row_are_parted_and_read_under_their_header() -> None:
    names = "Ferry | Seats | Fare"
    assert rows(heads("Ferry", "Seats", "Fare") + cells("Moth", "40", "2.50") + cells("Heron", "90", "4.00")) == [
        (names, ""), ("Moth | 40 | 2.50", names), ("Heron | 90 | 4.00", names),
    ]  # fmt: skip


def test_a_row_that_is_named_is_still_a_row_under_its_header() -> None:
    table = heads("Year", "Ships") + "<tr><th>1901</th><td>5</td></tr>"
    assert rows(table)[-1] == ("1901 | 5", "Year | Ships")


def test_a_cell_that_spans_rows_stands_in_each_of_them() -> None:
    table = heads("Port", "Kind", "Fee") + "<tr><td rowspan=2>North</td><td>Car</td><td>4</td></tr>"
    assert [text for text, _ in rows(table + cells("Van", "9"))] == [
        "Port | Kind | Fee", "North | Car | 4", "North | Van | 9",
    ]  # fmt: skip


def test_a_name_that_spans_columns_stands_over_each_of_them() -> None:
    table = "<tr><th>Name</th><th colspan=2>Size</th><th>Colour</th></tr>"
    assert rows(table + cells("A", "1", "2", "red"))[-1] == ("A | 1 | 2 | red", "Name | Size | Size | Colour")


def test_a_total_that_spans_columns_leaves_its_number_under_its_own_name() -> None:
    table = heads("Port", "Kind", "Fee") + cells("North", "Car", "4") + "<tr><td colspan=2>Total</td><td>4</td></tr>"
    assert rows(table)[-1] == ("Total | Total | 4", "Port | Kind | Fee")


def test_the_names_of_two_rows_of_heads_are_those_of_the_lower_one() -> None:
    table = "<tr><th rowspan=2>Town</th><th colspan=2>People</th></tr>" + heads("1900", "2000")
    assert rows(table + cells("Orrin", "40", "90"))[-1] == ("Orrin | 40 | 90", "Town | 1900 | 2000")


@pytest.mark.parametrize("corner", ["<th></th>", "<td></td>", "<td>&nbsp;</td>"])
def test_an_empty_corner_keeps_its_column(corner: str) -> None:
    table = f"<tr>{corner}<th>1900</th><th>2000</th></tr><tr><th>Orrin</th><td>40</td><td>90</td></tr>"
    assert rows(table) == [("– | 1900 | 2000", ""), ("Orrin | 40 | 90", "– | 1900 | 2000")]


def test_an_empty_cell_moves_no_other_under_its_name() -> None:
    table = heads("Port", "Kind", "Fee") + cells("North", "", "4") + cells("", "Van", "9") + cells("South", "Car", "")
    assert [text for text, _ in rows(table)[1:]] == ["North | | 4", "– | Van | 9", "South | Car"]


def test_an_empty_row_is_left_out() -> None:
    assert len(rows(heads("A", "B") + cells("", "") + cells("1", "2"))) == 2


def test_lines_and_lists_within_a_cell_are_parted() -> None:
    table = heads("A", "B") + cells("one<br>two", "<ul><li>x</li><li>y</li></ul>")
    assert rows(table)[-1][0] == "one two | x; y"


def test_key_and_value_are_one_line_with_a_colon() -> None:
    table = "<tr><th>Height</th><td>61 m</td></tr><tr><th>Built:</th><td>1931</td></tr>"
    assert [text for text, _ in rows(table)] == ["Height: 61 m", "Built: 1931"]


def test_equal_values_under_no_header_are_both_kept() -> None:
    table = "<tr><th>1901</th><td>5</td><td>5</td></tr><tr><th>1902</th><td>6</td><td>7</td></tr>"
    assert [text for text, _ in rows(table)] == ["1901 | 5 | 5", "1902 | 6 | 7"]


def test_an_infobox_pairs_plain_cells_and_spans_alike() -> None:
    table = "<tr><td>Height</td><td colspan=3>61 m</td></tr><tr><td>Built</td><td>1931</td></tr>"
    assert [text for text, _ in rows(table, "class=infobox")] == ["Height: 61 m", "Built: 1931"]


def test_two_tables_keep_their_own_headers_and_numbers() -> None:
    tables = "".join(
        f"<table>{heads(name, 'Age')}{cells('x' + name, '5')}{cells('y' + name, '6')}</table>"
        for name in ("Dog", "Cat")
    )
    blocks = read(f"<body>{tables}</body>".encode(), "text/html", "https://example.org/").blocks
    assert [(block.header, block.table) for block in blocks if block.text in ("yDog | 6", "yCat | 6")] == [
        ("Dog | Age", 0), ("Cat | Age", 1),
    ]  # fmt: skip


def test_a_caption_comes_before_its_rows() -> None:
    body = f"<body><table><caption>Trees by the road</caption>{heads('T', 'H')}{cells('Oak', '4')}</table></body>"
    text = read(body.encode(), "text/html", "https://example.org/").text
    assert text == "Trees by the road\n\nT | H\nOak | 4"


@pytest.mark.parametrize(
    ("table", "attrs"),
    [
        (cells("a", "b") + cells("c", "d"), "role=presentation"),
        (cells("<table><tr><td>a</td></tr></table>", "b"), ""),
        (cells("<h2>Left</h2><p>words</p>", "<p>other words</p>"), ""),
        (cells("word " * 400, "b") + cells("c", "d"), ""),
        (cells("alone"), ""),
    ],
)
def test_a_table_that_lays_out_a_page_has_no_rows(table: str, attrs: str) -> None:
    assert rows(table, attrs) == []


@pytest.mark.parametrize("span", ["0", "-3", "x", "1000000000", "²"])
def test_a_span_that_is_none_or_huge_costs_nothing(span: str) -> None:
    table = heads("A", "B") + f"<tr><td rowspan='{span}' colspan='{span}'>1</td><td>2</td></tr>" + cells("3", "4")
    assert rows(table)[1][0].startswith("1 | ")
    assert len(rows(table)) == 3
