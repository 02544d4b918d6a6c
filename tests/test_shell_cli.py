"""The command line called as main(argv, stdio, app): what is asked, what is printed where, and the exit status."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import __version__
from agent.errors import ConfigError, ModelUnavailable, WebUnavailable
from agent.outcome import document
from agent.shell.commands import LATER
from agent.spec import Kind, Param, Tool
from agent.types import Action, Answer, Hit, Observation, Outcome, Quote, Status
from tests.fakes import FERRY, ScriptedConversation, event, fake_app, outcome
from tests.shell_console import Console

STATUSES = {
    Status.SUPPORTED: 0,
    Status.UNSUPPORTED: 3,
    Status.ABSTAINED: 4,
    Status.LIMIT: 4,
    Status.NO_MODEL: 5,
    Status.NO_WEB: 6,
    Status.INTERRUPTED: 130,
    Status.ERROR: 1,
}


@pytest.fixture
def console(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Console:
    monkeypatch.chdir(tmp_path)
    return Console(tmp_path)


def test_the_words_are_the_question_and_stdout_is_the_answer_alone(console: Console) -> None:
    ran = console.run("How", "long?")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("The crossing takes 40 minutes [1].\n\nSources:\n")
    assert (console.talk.asked, console.talk.closed) == ([("How long?", "")], 1)


def test_piped_text_is_the_question_or_the_context_of_one(console: Console) -> None:
    console.run(stdin=b"How long?\n")
    console.run("Who", "wrote", "it?", stdin=b"A poem.\n")
    assert console.talk.asked == [("How long?", ""), ("Who wrote it?", "A poem.")]


def test_no_input_leaves_stdin_alone(console: Console) -> None:
    console.run("--no-input", "Q", stdin=b"\x00binary")
    assert console.talk.asked == [("Q", "")]


def test_a_terminal_is_not_read_where_a_question_is_given(console: Console) -> None:
    console.run("Q", stdin=b"typed ahead", stdin_isatty=True)
    assert console.talk.asked == [("Q", "")]


def test_a_cut_context_is_noted_on_stderr_and_not_with_quiet(console: Console) -> None:
    long = b"x" * 30_000
    assert console.run("Q", stdin=long).err == (
        "scout: of the piped text the first 20,000 characters are used, of 30,000\n"
    )
    assert console.run("-q", "Q", stdin=long).err == ""
    assert [len(context) for _, context in console.talk.asked] == [20_000, 20_000]


@pytest.mark.parametrize("status", Status)
def test_the_exit_status_tells_how_the_run_ended(console: Console, status: Status) -> None:
    console.talk.result = outcome(status)
    assert console.run("Q").status == STATUSES[status]
    assert console.run("--json", "Q").status == STATUSES[status]


@pytest.mark.parametrize("status", Status)
def test_json_is_one_document_and_nothing_else(console: Console, status: Status) -> None:
    console.talk.result = outcome(status)
    ran = console.run("--json", "Q")
    assert ran.json == document(outcome(status, question="Q"))
    assert (ran.out.count("\n"), ran.err) == (1, "")


def test_jsonl_is_every_event_as_it_happens_and_the_outcome_last(console: Console) -> None:
    console.talk.events = (event(1, "run", question="Q"), event(2, "observe", notes=["1 result hidden"]))
    ran = console.run("--jsonl", "Q")
    lines = [line.split('"kind": "')[1].split('"')[0] for line in ran.out.splitlines()]
    assert (ran.status, lines) == (0, ["run", "observe", "outcome"])
    assert ran.err == "scout: 1 result hidden\n"


def test_a_failure_with_nothing_found_is_one_line_on_stderr(console: Console) -> None:
    console.talk.result = outcome(Status.NO_WEB, note="wikipedia: cannot be reached")
    ran = console.run("Q")
    assert (ran.status, ran.out, ran.err) == (6, "", "scout: wikipedia: cannot be reached\n")


def test_a_failure_that_found_something_prints_it_on_stdout(console: Console) -> None:
    console.talk.result = outcome(Status.INTERRUPTED, sources=(FERRY,), found=(Quote(1, "40 minutes"),))
    ran = console.run("Q")
    assert ran.status == 130
    assert "“40 minutes”" in ran.out


def test_to_abstain_is_a_result_on_stdout(console: Console) -> None:
    console.talk.result = outcome(Status.ABSTAINED, note="no page read answers the question")
    ran = console.run("Q")
    assert (ran.status, ran.out, ran.err) == (4, "no page read answers the question\n", "")


def test_no_model_is_status_5_with_the_remedy_and_a_document_with_json(console: Console) -> None:
    app = fake_app(ModelUnavailable("ollama:x", "Ollama has no such model", "ollama pull x"))
    ran = console.run("Q", app=app)
    assert (ran.status, ran.out, ran.err) == (5, "", "scout: ollama:x: Ollama has no such model; ollama pull x\n")
    ran = console.run("--json", "Q", app=app)
    assert (ran.status, ran.json["status"], ran.json["question"], ran.err) == (5, "no_model", "Q", "")
    assert ran.json["note"] == "ollama:x: Ollama has no such model; ollama pull x"
    ran = console.run("--jsonl", "Q", app=app)
    assert (ran.status, ran.json["kind"], ran.json["status"]) == (5, "outcome", "no_model")


def test_a_configuration_error_of_the_program_is_one_line_and_status_2(console: Console) -> None:
    ran = console.run("Q", app=fake_app(ConfigError("SEARXNG_URL: no URL\x1b[2J\nat all")))
    assert (ran.status, ran.out, ran.err) == (2, "", "scout: SEARXNG_URL: no URL at all\n")


def test_any_error_of_a_run_that_reaches_the_shell_keeps_its_status(console: Console) -> None:
    assert console.run("Q", app=fake_app(WebUnavailable("no network"))).status == 6


def test_a_bug_is_a_traceback_and_one_line_and_status_1(console: Console) -> None:
    ran = console.run("Q", app=fake_app(ZeroDivisionError("of course")))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err.startswith("Traceback (most recent call last):\n")
    assert ran.err.splitlines()[-1].startswith("scout: a bug: ZeroDivisionError: of course; ")


def test_the_conversation_is_closed_even_where_asking_fails(console: Console) -> None:
    class Failing(ScriptedConversation):
        def ask(self, question: str, context: str = "") -> Outcome:
            raise ConfigError(f"{question}: no")

    console.talk = Failing(outcome())
    assert (console.run("Q").status, console.talk.closed) == (2, 1)


@pytest.mark.parametrize("argv", [[""], ["  "], ["--"], ["--", " "], ["--json", ""]])
def test_an_empty_question_is_status_2(console: Console, argv: list[str]) -> None:
    ran = console.run(*argv)
    assert (ran.status, ran.out, console.talk.asked) == (2, "", [])
    assert 'scout "How long' in ran.err


def test_nothing_at_all_prints_the_usage_on_stderr(console: Console) -> None:
    for ran in (console.run(), console.run(stdin=b" \n"), console.run("--no-input", stdin_isatty=True)):
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith("usage: scout [options] QUESTION")


@pytest.mark.parametrize(
    ("argv", "stdin", "line"),
    [
        (["--modle", "none", "Q"], b"", "scout: no option --modle; did you mean --model?"),
        (["--max-steps", "many", "Q"], b"", "scout: --max-steps: 'many' is no whole number"),
        (["--guide", "hard", "Q"], b"", "scout: --guide: 'hard' is none of auto, free, steps"),
        (["x" * 100_000], b"", "scout: the question has 100,000 characters, and 20,000 is the limit"),
        ([], b"x" * 100_000, "scout: the question has 100,000 characters, and 20,000 is the limit"),
        (["Q"], b"\x7fELF\x00", "scout: stdin: this is binary, not text"),
    ],
)
def test_bad_input_is_one_line_and_status_2(console: Console, argv: list[str], stdin: bytes, line: str) -> None:
    ran = console.run(*argv, stdin=stdin)
    assert (ran.status, ran.out, console.talk.asked) == (2, "", [])
    assert ran.err.startswith(line)
    assert ran.err.count("\n") == 1


def test_an_unknown_setting_is_one_line_and_status_2(console: Console) -> None:
    (console.folder / ".env").write_text("SCOUT_MODLE=none\n")
    ran = console.run("Q")
    assert (ran.status, ran.err) == (2, "scout: .env: no setting SCOUT_MODLE; did you mean SCOUT_MODEL?\n")


def test_help_and_version_go_to_stdout_whatever_else_is_given(console: Console) -> None:
    assert console.run("--help").out.startswith("usage: scout [options] QUESTION")
    assert console.run("Q", "-h").status == 0
    assert console.run("--version").out == f"scout {__version__}\n"
    assert console.talk.asked == []


@pytest.mark.parametrize("word", sorted(LATER))
def test_a_command_of_a_later_version_says_how_to_ask_about_the_word(console: Console, word: str) -> None:
    ran = console.run(word, "x")
    assert (ran.status, ran.out, console.talk.asked) == (2, "", [])
    assert ran.err == (
        f"scout: '{word}' is a command of a later version; to ask about the word write: scout -- {word} x\n"
    )
    assert console.run("--", word).status == 0


@pytest.mark.parametrize(
    "question",
    [
        "trace the history of tea",
        "trace elements",
        "models of economic growth",
        "tools of the bronze age",
        "memory of water in glass",
        "read me the news",
        "Trace",
        "what is trace",
    ],
)
def test_a_question_may_begin_with_the_name_of_a_command(console: Console, question: str) -> None:
    assert console.run(*question.split()).status == 0
    assert console.talk.asked == [(question, "")]


def test_tools_prints_the_cards(console: Console) -> None:
    card = Tool(
        "search", "Find pages.", (Param("query", Kind.QUERY, "words to look for"),), lambda **_: Observation("")
    )
    ran = console.run("tools", app=fake_app(console.talk, {"search": card}))
    assert (ran.status, ran.out) == (0, "search (read): Find pages.\n    query: words to look for\n")


def test_in_a_pipe_nobody_is_asked_and_only_what_yes_names_is_approved(console: Console) -> None:
    console.run("--yes", "submit", "Q")
    approver = console.talk.approver
    assert approver
    assert [approver.approve(Action(tool)) for tool in ("submit", "send")] == [True, False]


def test_colour_is_for_terminals_and_can_be_switched_off(console: Console) -> None:
    assert "\x1b[" not in console.run("Q").out
    assert "\x1b[36m[1]" in console.run("Q", stdout_isatty=True).out
    console.environ["NO_COLOR"] = "1"
    assert "\x1b[" not in console.run("Q", stdout_isatty=True).out


def test_what_was_found_before_a_limit_is_not_lost(console: Console) -> None:
    hits = (Hit("Ferry", "https://en.wikipedia.org/wiki/Ferry"),)
    console.talk.result = outcome(Status.LIMIT, answer=Answer(""), hits=hits, note="8 steps are spent")
    ran = console.run("Q")
    assert ran.out == ("8 steps are spent\n\nSearch results not read:\nFerry — https://en.wikipedia.org/wiki/Ferry\n")
