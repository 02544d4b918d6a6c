"""The real MediaWiki: its pages, its API, and exactly how its search behaves, for Scout's search is written to that."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import lxml.html
import pytest
import requests

from scripts.wiki import WikiError, build, free_port, missing, serve, url
from tests.wikiserver import BUILT, served, wiki_questions

ROOT = Path(__file__).parent.parent
INSTALL = ROOT / "scripts" / "system-packages.sh"
needs_mediawiki = pytest.mark.skipif(bool(missing()), reason=missing() or "-")


def found(base: str, query: str, **more: str) -> list[str]:
    """Titles that the search API gives, in its order. The text is searched, as Wikipedia does by default."""
    asked = {"action": "query", "list": "search", "srsearch": query, "srwhat": "text", "format": "json"} | more
    reply = requests.get(f"{base}w/api.php", params=asked, timeout=10)
    return [hit["title"] for hit in reply.json()["query"]["search"]]


def page(base: str, title: str) -> str:
    """What a reader sees of an article, white space collapsed."""
    reply = requests.get(f"{base}wiki/{title.replace(' ', '_')}", timeout=10)
    assert reply.status_code == 200
    (content,) = lxml.html.fromstring(reply.content).iterfind(".//*[@class='mw-parser-output']")
    return " ".join("".join(map(str, content.itertext())).split())


def test_the_site_says_where_its_articles_stand(wiki: str) -> None:
    asked = {"action": "query", "meta": "siteinfo", "format": "json"}
    general = requests.get(f"{wiki}w/api.php", params=asked, timeout=10).json()["query"]["general"]
    stated = [general[key] for key in ("server", "articlepath", "script", "lang")]
    assert stated == [wiki.rstrip("/"), "/wiki/$1", "/w/index.php", "en"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("wiki/Veyra", 200),
        ("index.php/Veyra", 200),
        ("w/index.php?title=Veyra", 200),
        ("api.php?action=query&format=json", 200),
        ("w/api.php?action=query&format=json", 200),
        ("wiki/No_such_page", 404),
        ("robots.txt", 404),
        ("LocalSettings.php", 404),
        ("w/skins/Vector/skin.json", 404),
        ("resources/%2e%2e/includes/Setup.php", 404),
    ],
)
def test_addresses_answer_as_on_wikipedia_and_nothing_else_is_served(wiki: str, path: str, status: int) -> None:
    assert requests.get(wiki + path, timeout=10, allow_redirects=False).status_code == status


def test_the_root_leads_to_the_main_page(wiki: str) -> None:
    assert requests.get(wiki, timeout=10).url == f"{wiki}wiki/Main_Page"


def test_a_reader_sees_the_text_tables_and_footnotes_without_noise_of_php(wiki: str) -> None:
    html = requests.get(f"{wiki}wiki/Harrowgate_Bridge", timeout=10).text
    tree = lxml.html.fromstring(html)
    assert tree.findtext(".//title") == "Harrowgate Bridge - Loopback Wiki"
    assert tree.findtext(".//table[@class='wikitable infobox']/caption") == "Harrowgate Bridge\n"
    assert tree.findtext(".//ol[@class='references']//i") == "A Crossing at Last"
    assert "Warning:" not in html
    assert "Deprecated:" not in html


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_each_answer_stands_on_its_page_as_a_reader_sees_it(wiki: str, lang: str) -> None:
    asked = [case for case in wiki_questions() if case.lang == lang and case.answer is not None]
    assert [case for case in asked if str(case.answer) not in page(wiki, case.title)] == []


def test_there_are_questions_with_and_without_an_answer_in_both_languages() -> None:
    def count(lang: str, *, answered: bool) -> int:
        return sum(case.lang == lang and (case.answer is not None) == answered for case in wiki_questions())

    assert [count(lang, answered=answered) for lang in ("en", "zh") for answered in (True, False)] == [38, 7, 14, 3]


def test_two_pages_disagree_on_the_population_of_veyra(wiki: str) -> None:
    assert "4,180 inhabitants" in page(wiki, "Veyra")
    assert "4,318 inhabitants" in page(wiki, "Demographics of Veyra")


def test_search_wants_every_word_in_the_text_of_one_page(wiki: str) -> None:
    assert found(wiki, "shipments Q3 2023") == ["Northlight Devices"]
    assert found(wiki, "varenne BRIDGE") == ["Harrowgate Bridge", "Odile Varenne", "Pont des Saules"]
    assert found(wiki, "How long is the longest span of Harrowgate Bridge?") == []


def test_search_knows_no_operator_but_quotes_and_a_star_at_the_end(wiki: str) -> None:
    assert found(wiki, '"tied-arch road bridge"') == ["Harrowgate Bridge"]
    assert found(wiki, '"road arch bridge"') == []
    assert found(wiki, "lightho*") == ["List of lighthouses on Veyra", "Skerry Light", "Veyra"]
    assert found(wiki, "lighthouse -veyra") == found(wiki, "lighthouse veyra") == ["Skerry Light"]
    assert found(wiki, "Kask OR Quillbase") == []  # "or" is a word like the others
    assert found(wiki, "intitle:Kask") == []


def test_search_stems_nothing_and_orders_by_age_not_by_merit(wiki: str) -> None:
    assert found(wiki, "glaciologists") == []
    bridges = found(wiki, "bridge")
    assert bridges == sorted(bridges)  # pages were made in the order of their names


def test_search_without_srwhat_looks_at_titles_alone(wiki: str) -> None:
    # MediaWiki's database search does; Wikipedia's own engine takes srwhat=text as the default.
    assert found(wiki, "hangers", srwhat="title") == []
    assert found(wiki, "hangers") == ["Harrowgate Bridge", "Odile Varenne"]
    assert found(wiki, "moon", srwhat="title") == ["Pelle (moon)"]
    asked = {"action": "query", "list": "search", "srsearch": "hangers", "format": "json"}
    assert requests.get(f"{wiki}w/api.php", params=asked, timeout=10).json()["query"]["search"] == []


def test_a_snippet_is_raw_wikitext_with_marks_in_html(wiki: str) -> None:
    asked = {"action": "query", "list": "search", "srsearch": "Isbister", "srwhat": "text", "format": "json"}
    (hit,) = requests.get(f"{wiki}w/api.php", params=asked, timeout=10).json()["query"]["search"]
    assert "Marta <span class='searchmatch'>Isbister</span> hung kelp" in hit["snippet"]


def test_an_english_wiki_finds_chinese_only_as_a_whole_run_of_characters(wiki: str) -> None:
    assert found(wiki, "澜石大桥") == ["沈若川", "澜石大桥"]  # bold, or the text of a link
    assert found(wiki, "澜石*") == ["沈若川", "澜石大桥"]
    assert found(wiki, "澜石") == []
    assert found(wiki, "斜拉索") == []


def test_a_chinese_wiki_takes_each_run_of_the_query_as_a_phrase(wiki_zh: str) -> None:
    assert found(wiki_zh, "斜拉索") == ["澜石大桥"]
    assert found(wiki_zh, "望北天文台 厨师") == ["望北天文台"]
    assert found(wiki_zh, "望北天文台厨师") == []
    assert found(wiki_zh, "澜石大桥的主跨是多少米？") == []
    assert found(wiki_zh, "瀾石大橋") == ["沈若川", "澜石大桥"]  # traditional characters find simplified ones
    assert found(wiki_zh, "shipments Q3 2023") == ["Northlight Devices"]


@needs_mediawiki
def test_a_wiki_is_built_again_only_when_a_page_changed(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "One.wiki").write_text("First", encoding="utf-8")
    first = build(tmp_path / "built", pages)
    made = (first / "wiki.sqlite").stat().st_mtime_ns
    assert (build(tmp_path / "built", pages), (first / "wiki.sqlite").stat().st_mtime_ns) == (first, made)
    (pages / "One.wiki").write_text("Second", encoding="utf-8")
    assert build(tmp_path / "built", pages) != first
    assert not list((tmp_path / "built").glob("new-*"))


def test_a_port_that_another_program_serves_is_refused(wiki: str) -> None:
    with pytest.raises(WikiError, match="another program"):
        serve(Path("unused"), int(wiki.rstrip("/").rpartition(":")[2]))


@needs_mediawiki
def test_a_folder_that_holds_no_wiki_is_an_error_and_leaves_no_server(tmp_path: Path) -> None:
    port = free_port()
    with pytest.raises(WikiError, match="no wiki in the folder"):
        serve(tmp_path / "nothing here", port)
    with pytest.raises(requests.ConnectionError):
        requests.get(url(port), timeout=5)


@needs_mediawiki
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_the_command_says_where_it_serves_and_takes_its_server_with_it(how: signal.Signals) -> None:
    port = free_port()
    command = [sys.executable, str(ROOT / "scripts" / "wiki.py"), str(BUILT), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == f"serving http://127.0.0.1:{port}/\n"
        assert requests.get(f"{url(port)}wiki/Veyra", timeout=10).status_code == 200
        running.send_signal(how)
        assert running.wait(timeout=10) == 0
    with pytest.raises(requests.ConnectionError):
        requests.get(url(port), timeout=5)


def test_where_php_is_missing_the_fixture_skips_and_says_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(pytest.skip.Exception, match=r"system-packages\.sh installs it"), served("en"):
        pass


def installing(path: Path, **commands: str) -> subprocess.CompletedProcess[str]:
    """Runs the installing script where there are these commands and no others."""
    for name, script in commands.items():
        (path / name.replace("_", "-")).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (path / name.replace("_", "-")).chmod(0o755)
    bash = shutil.which("bash")
    assert bash is not None
    return subprocess.run([bash, str(INSTALL)], env={"PATH": str(path)}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("commands", "says"),
    [
        ({}, "no apt-get here"),
        ({"apt_get": "exit 1", "id": "echo 1000"}, "not root; type: sudo apt-get install"),
        ({"apt_get": "exit 1", "id": "echo 1000", "sudo": "exit 1"}, "not root; type: sudo apt-get install"),
    ],
)
def test_where_nothing_can_be_installed_one_line_says_so_and_all_goes_on(
    tmp_path: Path, commands: dict[str, str], says: str
) -> None:
    done = installing(tmp_path, **commands)
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (0, 1, "")
    assert says in done.stdout


@needs_mediawiki
def test_where_all_is_installed_the_script_is_silent() -> None:
    done = subprocess.run([str(INSTALL)], capture_output=True, text=True, check=False, timeout=5)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
