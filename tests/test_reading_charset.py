"""Bytes to text with right, wrong and missing labels: what is read is what was written, never its mojibake."""

from __future__ import annotations

import pytest

from tools.scrape.charset import decode

WRITTEN = {
    "gb18030": "桥梁工程于2019年完工，全长三公里。附近居民可以免费通行。",
    "big5": "橋樑工程於2019年完工，全長三公里。附近居民可以免費通行。",
    "shift_jis": "この橋は2019年に完成しました。長さは三キロです。カモメが見えます。",
    "euc-jp": "この橋は2019年に完成しました。長さは三キロです。カモメが見えます。",
    "euc-kr": "다리는 2019년에 완공되었습니다. 길이는 삼 킬로미터입니다.",
    "windows-1251": "Мост был построен в 2019 году. Длина моста три километра.",
    "koi8-r": "Мост был построен в 2019 году. Длина моста три километра.",
    "windows-1252": "Le pont a été achevé à l’été 2019. Péage : 3 €.",
    "windows-1250": "Most ukończono w 2019 roku. Żółte łodzie płyną pod nim, światła gasną.",
    "iso-8859-2": "Most ukończono w 2019 roku. Żółte łodzie płyną pod nim, światła gasną.",
    "windows-1253": "Η γέφυρα ολοκληρώθηκε το 2019. Το μήκος είναι τρία χιλιόμετρα.",
    "windows-1255": "הגשר הושלם בשנת 2019. אורכו שלושה קילומטרים.",
    "windows-1256": "اكتمل الجسر في عام 2019. طوله ثلاثة كيلومترات.",
    "cp874": "สะพานสร้างเสร็จในปี 2019 ยาวสามกิโลเมตร",
}
WESTERN = (
    "Die Brücke über die Flüsse wurde für große Züge geöffnet. 30 m²",
    "El año pasado la ciudad abrió el puente. ¿Qué pasó? ¡Sí!",
    "A construção não terminou; a câmara pediu mais três milhões.",
    "Bron öppnades på våren. Sjön är djup och ån är lång.",
    "Brúin var opnuð í maí. Þórður fór yfir ána.",
    "Il ponte è stato aperto. La città è più bella di così.",
    "He said “no” and ‘yes’ – it isn’t naïve. © Zoë",
    "It was 20 °C.",
    "Price: £5.",
    "Café",
)


def page(text: str, encoding: str, head: str = "") -> bytes:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>".encode(encoding)


@pytest.mark.parametrize("said", ["", "; charset=utf-8", "; charset=iso-8859-1", "; charset=nonsense"])
@pytest.mark.parametrize("encoding", WRITTEN)
def test_a_missing_or_wrong_label_does_not_change_what_is_read(encoding: str, said: str) -> None:
    assert WRITTEN[encoding] in decode(page(WRITTEN[encoding], encoding), f"text/html{said}").text


@pytest.mark.parametrize("encoding", [*WRITTEN, "utf-8", "windows-1254", "iso-2022-jp"])
def test_a_right_label_is_believed_in_header_and_in_page(encoding: str) -> None:
    text = WRITTEN.get(encoding, {"windows-1254": "Geçiş ücretsizdir, köprü ışıklı."}.get(encoding, "橋は長い。"))
    assert text in decode(page(text, encoding), f"text/html; charset={encoding}").text
    assert text in decode(page(text, encoding, f"<meta charset='{encoding}'>")).text
    by_pragma = f'<meta http-equiv="Content-Type" content="text/html; charset={encoding}">'
    assert text in decode(page(text, encoding, by_pragma)).text


@pytest.mark.parametrize("said", ["", "; charset=utf-8", "; charset=ISO-8859-1"])
@pytest.mark.parametrize("text", WESTERN)
def test_western_text_is_not_taken_for_another_script(text: str, said: str) -> None:
    assert text in decode(page(text, "cp1252"), f"text/html{said}").text


@pytest.mark.parametrize("text", ["Każdy może żyć, żeby też żartować.", "Może też każdy.", "żaba"])
def test_a_polish_letter_is_no_question_mark_of_spain(text: str) -> None:
    assert text in decode(page(text, "cp1250")).text


def test_the_page_speaks_before_a_header_that_says_latin_1() -> None:
    body = page("Привет", "windows-1251", "<meta charset=windows-1251>")
    assert decode(body, "text/html; charset=iso-8859-1").encoding == "cp1251"


def test_a_declaration_behind_long_scripts_is_still_found() -> None:
    script = f"<script>{'x' * 3000}</script>"
    assert "ßa" in decode(page("ßa", "iso-8859-15", f"{script}<meta charset=iso-8859-15>")).text


def test_an_xml_declaration_counts() -> None:
    body = '<?xml version="1.0" encoding="windows-1251"?><p>Щука</p>'.encode("cp1251")
    assert "Щука" in decode(body).text


def test_one_broken_byte_leaves_the_rest_of_a_utf8_page_as_it_is() -> None:
    body = page("桥梁工程完工，居民可以免费通行。" * 10, "utf-8").replace(b"<p>", b"<p>\xff")
    assert "\ufffd桥梁工程完工" in decode(body).text


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_mark_is_read_and_left_out(encoding: str) -> None:
    assert decode("桥 bridge".encode(encoding), "text/html; charset=gbk").text == "桥 bridge"


@pytest.mark.parametrize("encoding", ["gb18030", "utf-8", "big5"])
@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_body_cut_within_a_character_keeps_its_encoding(encoding: str, cut: int) -> None:
    body = page(WRITTEN["big5"] * 3, encoding).split(b"</p>")[0][:-cut]
    assert "附近居民" in decode(body, f"text/html; charset={encoding}").text


def test_utf_7_is_no_encoding_of_the_web() -> None:
    assert decode(b"+ADw-script+AD4-", "text/html; charset=utf-7").text == "+ADw-script+AD4-"


def test_a_flood_of_zeros_is_no_utf_16() -> None:
    assert decode(b"<p>honest</p>" + b"\0" * 1000).text.startswith("<p>honest</p>")
    assert decode("<p>honest</p>".encode("utf-16-le")).text == "<p>honest</p>"
