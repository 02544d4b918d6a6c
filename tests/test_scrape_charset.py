"""Bytes to text: labels as the web means them, and bytes that contradict their label."""

import pytest

from tools.scrape.charset import codec, decode


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("gb2312", "gb18030"),
        ("ISO-8859-1", "cp1252"),
        ("Shift_JIS", "cp932"),
        ("euc-kr", "cp949"),
        ("windows-1251", "cp1251"),
        ("iso-8859-15", "iso8859-15"),
        ("utf-7", ""),
        ("rot13", ""),
        ("base64", ""),
        ("idna", ""),
    ],
)
def test_label_means_what_browsers_take_it_for(label: str, name: str) -> None:
    assert codec(label) == name


def test_byte_order_mark_beats_the_header() -> None:
    assert decode("\ufeffÅs".encode(), "text/html; charset=big5").text == "Ås"


def test_valid_utf8_beats_a_wrong_header() -> None:
    assert decode("Größe €".encode(), "text/html; charset=iso-8859-1").text == "Größe €"


def test_utf16_without_a_mark_is_seen_by_its_zeros() -> None:
    assert decode("<p>plain text in two bytes</p>".encode("utf-16-be")).text == "<p>plain text in two bytes</p>"


def test_character_cut_by_the_size_limit_does_not_change_the_encoding() -> None:
    assert decode(("桥" * 100).encode()[:-1]).encoding == "utf-8"


def test_empty_body_is_empty_text() -> None:
    assert decode(b"").text == decode(b"\0\0").text == ""
