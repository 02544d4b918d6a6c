"""The interactive session, on a real pseudo-terminal."""

from __future__ import annotations

import io
import json
import re
import stat
from pathlib import Path

import pytest

from agent.errors import ConfigError
from agent.settings import Settings
from agent.shell.repl import session
from agent.shell.stdio import Stdio
from agent.types import Outcome
from tests.fakes import ScriptedConversation, event, fake_app, outcome
from tests.shell_console import terminal


def typed(folder: Path, *lines: str, talk: ScriptedConversation | None = None) -> tuple[str, str]:
    """stdout and stderr of a session in which these lines are typed, and then Ctrl-D."""
    keyboard = "".join(f"{line}\n" for line in lines)
    stdio = Stdio(io.StringIO(keyboard), out := io.StringIO(), err := io.StringIO())
    assert session(Settings(data_dir=str(folder)), stdio, fake_app(talk or ScriptedConversation(outcome()))) == 0
    return out.getvalue().replace("scout> ", ""), err.getvalue()


def test_a_question_on_a_terminal_is_answered_and_ctrl_d_leaves(tmp_path: Path) -> None:
    with terminal(tmp_path, NO_COLOR="1") as tty:
        tty.wait_for("/help lists the commands.")
        tty.wait_for("scout> ")
        tty.type("How long?\n")
        tty.wait_for("The crossing takes 40 minutes [1].")
        tty.wait_for("“The ferry takes 40 minutes.”")
        tty.wait_for("scout> ")
        tty.type("\x04")
        assert tty.end() == 0


def test_ctrl_c_stops_a_run_and_keeps_the_session(tmp_path: Path) -> None:
    with terminal(tmp_path, FAKE_LASTS="30") as tty:
        tty.wait_for("scout> ")
        tty.type("How long?\n")
        tty.wait_for("searching “ferry” · 0 requests · 1 s")
        tty.interrupt()
        tty.wait_for("scout: interrupted before an answer")
        tty.wait_for("scout> ")
        tty.type("/quit\n")
        assert tty.end() == 0
        assert "Traceback" not in tty.seen


def test_ctrl_c_at_the_prompt_clears_the_line_and_a_second_one_leaves(tmp_path: Path) -> None:
    with terminal(tmp_path) as tty:
        tty.wait_for("scout> ")
        tty.type("half a quest")
        tty.wait_for("half a quest")
        tty.interrupt()
        tty.wait_for("(Ctrl-C again or /quit to leave)")
        tty.wait_for("scout> ")
        tty.type("/model\n")
        tty.wait_for("scripted:1")
        tty.wait_for("scout> ")
        tty.interrupt()
        tty.wait_for("scout> ")
        tty.interrupt()
        assert tty.end() == 0


def test_lines_are_kept_for_the_next_session_and_nobody_else_may_read_them(tmp_path: Path) -> None:
    with terminal(tmp_path) as tty:
        tty.wait_for("scout> ")
        tty.type("/model\n/quit\n")
        tty.end()
    kept = tmp_path / "scout" / "history"
    assert kept.read_text().splitlines()[-2:] == ["/model", "/quit"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with terminal(tmp_path) as tty:
        tty.wait_for("scout> ")
        tty.type("\x1b[A")
        tty.wait_for("/quit")
        tty.type("\n")
        assert tty.end() == 0


def test_bytes_that_are_no_text_are_a_question_like_any_other(tmp_path: Path) -> None:
    with terminal(tmp_path) as tty:
        tty.wait_for("scout> ")
        tty.type("caf\udce9?\n")
        tty.wait_for("The crossing takes 40 minutes")
        tty.wait_for("scout> ")
        tty.type("\x04")
        assert tty.end() == 0


def test_a_one_shot_question_on_a_terminal_wipes_its_status_line(tmp_path: Path) -> None:
    with terminal(tmp_path, "How", "long?", FAKE_LASTS="1.5", NO_COLOR="1") as tty:
        tty.wait_for("searching “ferry” · 0 requests · 2 s")
        shown = tty.wait_for("The crossing takes")
        assert re.search(r"\r {20,}\r(\x1b\S*)?The crossing takes$", shown)
        assert tty.end() == 0


def test_ctrl_c_in_a_one_shot_run_ends_in_130_without_a_traceback(tmp_path: Path) -> None:
    with terminal(tmp_path, "How", "long?", FAKE_LASTS="30") as tty:
        tty.wait_for("searching")
        tty.interrupt()
        assert tty.end() == 130
        assert "scout: interrupted before an answer" in tty.seen
        assert "Traceback" not in tty.seen


def test_a_session_with_json_is_refused(tmp_path: Path) -> None:
    with terminal(tmp_path, "--json") as tty:
        assert tty.end() == 2
        assert "scout: --json and --jsonl need a question" in tty.seen


def test_allow_and_model_reach_the_conversation(tmp_path: Path) -> None:
    talk = ScriptedConversation(outcome())
    out, err = typed(tmp_path, "/allow example.org", "/model ollama:other", "/model", talk=talk)
    assert (talk.allowed, talk.model, talk.closed, err) == (["example.org"], "ollama:other", 1, "")
    assert out.splitlines()[1:] == [
        "example.org may be read in this session.",
        "ollama:other",
        "ollama:other",
        "",
    ]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("/allow", "scout: /allow needs a domain, for example: /allow example.org"),
        ("/allow nothing", "scout: /allow: 'nothing' is no domain"),
        ("/model gone", "scout: gone: there is no such model; ollama pull gone"),
        ("/sorces", "scout: no command /sorces; did you mean /sources?"),
        ("/xyzzy", "scout: no command /xyzzy; /help lists them"),
        ("/sources", "scout: nothing was asked yet in this session"),
        ("/trace", "scout: nothing was asked yet in this session"),
        ("/save x.txt", "scout: nothing was asked yet in this session"),
        ("x" * 20_001, "scout: the question has 20,001 characters"),
    ],
)
def test_an_error_is_one_line_and_the_session_goes_on(tmp_path: Path, line: str, error: str) -> None:
    talk = ScriptedConversation(outcome())
    out, err = typed(tmp_path, line, "", "How long?", talk=talk)
    assert err.startswith(error)
    assert err.count("\n") == 1
    assert talk.asked == [("How long?", "")]
    assert "40 minutes" in out


def test_sources_and_trace_tell_of_the_last_run_alone(tmp_path: Path) -> None:
    talk = ScriptedConversation(outcome(), events=(event(1, "run", question="Q", model="m"), event(2, "observe")))
    out, _ = typed(tmp_path, "one", "two", "/trace", "/sources", talk=talk)
    assert out.count("  outcome ") == 1
    told = out[out.rindex("    0.0 s") :]
    assert [line.split()[2] for line in told.splitlines()[:3]] == ["run", "observe", "outcome"]
    assert told.endswith("    “The ferry takes 40 minutes.”\n\n")


def test_save_writes_text_or_json_and_never_over_a_file(tmp_path: Path) -> None:
    text, document = tmp_path / "answer.txt", tmp_path / "answer.json"
    _, err = typed(tmp_path, "Q", f"/save {text}", f"/save {document}", f"/save {text}", "/save /no/such/folder/x")
    assert text.read_text().startswith("The crossing takes 40 minutes [1].\n")
    assert json.loads(document.read_text())["status"] == "supported"
    assert err.splitlines() == [
        f"scout: {text}: there is such a file already; choose another name",
        "scout: /no/such/folder/x: cannot be written: No such file or directory",
    ]


def test_help_names_every_command(tmp_path: Path) -> None:
    out, _ = typed(tmp_path, "/help")
    assert all(f"  {name} " in out for name in ("/allow", "/model", "/sources", "/trace", "/save", "/help", "/quit"))


def test_an_interrupt_that_escapes_a_run_does_not_end_the_session(tmp_path: Path) -> None:
    class Escaping(ScriptedConversation):
        def ask(self, question: str, context: str = "") -> Outcome:
            self.asked.append((question, context))
            raise KeyboardInterrupt

    talk = Escaping(outcome())
    _, err = typed(tmp_path, "one", "two", talk=talk)
    assert (len(talk.asked), err) == (2, "\nscout: stopped\n" * 2)


def test_a_session_that_cannot_open_its_model_ends_before_the_first_prompt(tmp_path: Path) -> None:
    stdio = Stdio(io.StringIO("Q\n"), out := io.StringIO(), io.StringIO())
    with pytest.raises(ConfigError):
        session(Settings(data_dir=str(tmp_path)), stdio, fake_app(ConfigError("no")))
    assert out.getvalue() == ""
