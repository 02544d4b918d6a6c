"""The program when something is wrong outside: input, disk, model server, search provider, network."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from tests.program import ANSWERS, PAGE, QUESTION, SENTENCE, Program
from tests.scriptedserver import Line, endless, hanging, streamed
from tests.shell_console import Ran
from tests.site import Reply, Route, Silent, json_reply

SLACK = 3.0  # a loaded machine is slow


def one_line(ran: Ran) -> str:
    """The one line of a run that has nothing but a failure to tell."""
    assert ran.out == ""
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1, ran.err
    assert ran.err.startswith("scout: ")
    return ran.err


# What comes in


@pytest.mark.parametrize(
    ("argv", "stdin", "said"),
    [
        ((" ",), b"", "the question is empty; write for example: scout"),
        (("q" * 100_000,), b"", "the question has 100,000 characters, and 20,000 is the limit"),
        ((), b"q " * 50_000, "and 20,000 is the limit; pipe long text in"),
        ((QUESTION,), b"\x89PNG\r\n\0\0", "stdin: this is binary, not text"),
        (("--frob", QUESTION), b"", "no option --frob"),
        (("--model", "gpt:4", QUESTION), b"", "no kind of model 'gpt'"),
        (("--search", "altavista", QUESTION), b"", "no provider 'altavista'"),
        (("--allow-private", "example.org", QUESTION), b"", "--allow-private"),
    ],
)
def test_wrong_input_is_one_line_and_status_2_before_anything_is_sent(
    argv: tuple[str, ...], stdin: bytes, said: str, program: Program
) -> None:
    ran = program.run(*argv, stdin=stdin)
    assert (ran.status, said in one_line(ran)) == (2, True), ran.err
    assert (program.web.hits, program.model.asked) == ([], [])


def test_nothing_at_all_is_usage_and_status_2(program: Program) -> None:
    ran = program.run()
    assert (ran.status, ran.out, ran.err.startswith("usage: scout")) == (2, "", True)


def test_a_setting_that_does_not_exist_is_named_with_its_file(program: Program) -> None:
    (program.folder / ".env").write_text("SCOUT_MAX_STEP=3\n")
    ran = program.run(QUESTION)
    assert (ran.status, one_line(ran)) == (2, "scout: .env: no setting SCOUT_MAX_STEP; did you mean SCOUT_MAX_STEPS?\n")


@pytest.mark.parametrize("name", ["SEARXNG_URL", "OPENAI_BASE_URL", "REQUESTS_CA_BUNDLE"])
def test_an_address_or_file_that_is_none_is_named_with_its_variable(name: str, program: Program) -> None:
    program.environ[name] = "nowhere.lan"
    ran = program.run(QUESTION)
    assert (ran.status, one_line(ran).startswith(f"scout: {name}: ")) == (2, True)


# The disk


def test_a_data_folder_that_is_a_file_is_one_line_and_status_2(program: Program) -> None:
    (program.folder / "taken").write_text("")
    ran = program.run("--data-dir", "taken", QUESTION)
    assert (ran.status, "--data-dir names another folder" in one_line(ran)) == (2, True)


def test_a_journal_that_is_none_is_one_line_and_status_2(program: Program) -> None:
    (program.folder / "scout").mkdir()
    program.journal.write_bytes(b"no database" * 1000)
    ran = program.run(QUESTION)
    assert (ran.status, "not a database; move it away" in one_line(ran)) == (2, True)


def test_a_disk_that_fills_up_on_the_way_costs_the_record_and_not_the_answer(program: Program) -> None:
    noise = "".join(f"<p>{n * 7919 % 100003} {hash((n, 'x'))}</p>" for n in range(20_000))
    program.web.add("/tern", Reply(PAGE.replace("</body>", noise)))
    limit = 160 * 1024  # of one file: enough to begin a journal

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    ran = program.run(QUESTION, before=fill)
    assert (ran.status, ran.out.splitlines()[0]) == (0, f"{SENTENCE} [1]")
    assert ran.err.startswith("scout: not everything of this run is kept: ")
    assert ran.err.count("\n") == 1
    assert program.recorded("SELECT count(*) FROM events")[0][0] >= 3


# The model


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        (Reply("boom", 400), 5, "the server answered with status 400 (boom)"),
        (json_reply({"error": {"message": "no such key"}}, 401), 5, "the server refuses the key; set OPENAI_API_KEY"),
        (Reply("<html>hello</html>"), 5, "sent something else than a chat completion"),
        (Reply(b"\x00\xff" * 50_000), 5, "sent something else than a chat completion"),
        (
            Reply(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ndata: {", raw=True),
            5,
            "is the server of OPENAI_BASE_URL",
        ),
        (endless(), 4, "stopped after 3 bad actions in a row"),
        (streamed("I would look it up in an atlas."), 4, "stopped after 3 bad actions in a row"),
    ],
    ids=["400", "401", "html", "binary", "cut off", "endless", "prose"],
)
def test_a_model_server_that_makes_no_sense_is_one_line(line: Line, status: int, said: str, program: Program) -> None:
    program.model.says(line)
    ran = program.run(QUESTION)
    assert (ran.status, said in one_line(ran)) == (status, True), ran.err
    assert program.web.hits == []


@pytest.mark.parametrize(
    "line",
    [hanging(), Reply("busy", 500), endless(" ", 0.3)],
    ids=["hangs", "500", "drips for ever"],
)
def test_a_model_server_that_is_too_slow_ends_at_the_deadline(line: Line, program: Program) -> None:
    program.model.says(line)
    started = time.monotonic()
    ran = program.run(QUESTION, SCOUT_MODEL_SECONDS="1")
    assert (ran.status, "openai:scripted: " in one_line(ran)) == (5, True)
    assert time.monotonic() - started < 2 * SLACK


def test_a_model_server_that_is_not_there_is_one_line(program: Program) -> None:
    with Silent() as silent:
        gone = silent.port
    ran = program.run(QUESTION, OPENAI_BASE_URL=f"http://127.0.0.1:{gone}/v1")
    assert (ran.status, "is the server of OPENAI_BASE_URL running?" in one_line(ran)) == (5, True)
    assert "nothing listens there" in ran.err


def test_a_model_that_dies_on_the_way_loses_nothing_that_was_found(program: Program) -> None:
    program.model.reads = SENTENCE
    program.model.says(*ANSWERS[:2], json_reply({"error": {"message": "gone"}}, 401))
    ran = program.run("--guide", "steps", QUESTION)
    assert ran.status == 5
    assert f"Found:\n[1] Tern Bridge — {program.web.url('/tern')}\n    “{SENTENCE}”" in ran.out
    assert program.outcome["found"] == [{"source": 1, "text": SENTENCE}]


def test_a_server_that_drops_the_grammar_is_understood_all_the_same(program: Program) -> None:
    search, _, answer = ANSWERS
    url = program.web.url("/tern")
    program.model.says(
        f"Sure! I will search first.\n```json\n{search}\n```",
        f'<tool_call>{{"name": "scrape", "arguments": {{"url": "{url}"}}}}</tool_call>',
        "<think>The page says it.</think>" + str(answer),
    )
    ran = program.run(QUESTION)
    assert (ran.status, ran.out.splitlines()[0]) == (0, f"{SENTENCE} [1]")


def test_a_server_that_knows_no_schema_is_asked_in_plainer_ways(program: Program) -> None:
    refusal = json_reply({"error": {"message": "response_format is not supported"}}, 400)
    search, _, answer = (str(line) for line in ANSWERS)
    read = f'{{"action": "scrape", "url": "{program.web.url("/tern")}"}}'
    program.model.site.add("/v1/chat/completions", refusal, refusal, streamed(search), streamed(read), streamed(answer))
    assert program.run(QUESTION).status == 0
    forms = [seen.json.get("response_format", {}).get("type") for seen in program.model.site.seen]
    assert forms == ["json_schema", "json_object", None, None, None]


# The web


@pytest.mark.parametrize(
    ("searxng", "wiki", "said"),
    [
        (Reply("", 202), Reply("", 202), ("searxng answered", "wikipedia answered")),
        (Reply("no", 403), Reply("no", 403), ("searxng answered 403: JSON is not allowed", "wikipedia answered 403")),
        (Reply("", 429), Reply("", 429), ("searxng answered 429", "wikipedia answered 429")),
        (Reply("", 500), Reply("", 503), ("searxng answered 500", "wikipedia answered 503")),
        (
            Reply("<html>hi</html>"),
            Reply("<html>hi</html>"),
            ("searxng answered with a web page instead of its JSON", "wikipedia answered with a web page"),
        ),
        (
            Reply("[" * 99_999),
            Reply(after_s=60),
            ("searxng answered with the beginning", "wikipedia cannot be reached"),
        ),
    ],
    ids=["202", "403", "429", "5xx", "html", "deep and silent"],
)
def test_providers_that_fail_are_each_named_in_one_line_and_status_6(
    searxng: Route, wiki: Route, said: tuple[str, ...], program: Program
) -> None:
    program.web.add("/search", searxng)
    program.web.add("/w/api.php", wiki)
    place = program.web.url("/w/api.php")
    ran = program.run("--search", "searxng,wikipedia", QUESTION, SCOUT_WIKIPEDIA_URL=place, SCOUT_SEARCH_SECONDS="1")
    assert ran.status == 6
    assert all(words in one_line(ran) for words in said), ran.err


@pytest.mark.parametrize("address", ["http://search.invalid/", "http://127.0.0.1:1/"])
def test_without_a_network_there_is_one_line_and_status_6(address: str, program: Program) -> None:
    ran = program.run(QUESTION, SEARXNG_URL=address)
    assert (ran.status, "searxng cannot be reached: " in one_line(ran)) == (6, True)


def test_offline_sends_nothing_and_asks_no_model(program: Program) -> None:
    ran = program.run("--offline", QUESTION)
    assert (ran.status, "--offline" in one_line(ran)) == (6, True)
    assert (program.web.hits, program.model.asked) == ([], [])


def test_the_journal_lands_in_the_folder_of_the_environment_alone(program: Program) -> None:
    program.run(QUESTION)
    assert program.journal.is_file()
    assert {path.name for path in program.folder.iterdir()} == {"scout"}
    assert Path(program.journal).stat().st_mode & 0o077 == 0
