"""The embedded model: a child process that starts when needed, ends with its parent, and never ends the program."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from agent.errors import ConfigError, ModelUnavailable
from agent.models.embedded import EmbeddedModel
from agent.types import Message
from tests.modelserver import SMALL, Llama

ASK = (Message("user", "Capital of Peru?"),)
# Asked for at least so many characters the smallest model cannot stop by itself.
LONG: Mapping[str, Any] = {
    "type": "object",
    "properties": {"content": {"type": "string", "minLength": 900, "maxLength": 1000}},
    "required": ["content"],
}
SCHEMA: Mapping[str, Any] = {
    "anyOf": [
        {
            "type": "object",
            "properties": {"action": {"const": "search"}, "query": {"type": "string", "minLength": 1, "maxLength": 20}},
            "required": ["action", "query"],
        },
        {
            "type": "object",
            "properties": {
                "action": {"const": "read"},
                "id": {"type": "integer"},
                "how": {"enum": ['"a"', "b\\c", "利马"]},
            },
            "required": ["action", "id", "how"],
        },
    ]
}


@pytest.fixture(scope="module")
def model(small_weights: Path) -> Iterator[EmbeddedModel]:
    model = EmbeddedModel(SMALL.name, small_weights, context=2048, threads=1)
    yield model
    model.close()


def child_of(model: EmbeddedModel) -> int:
    assert model._child
    return model._child.pid


def is_running(pid: int) -> bool:
    """Not gone, and no zombie that only waits to be asked for."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def wait_until_gone(pid: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_running(pid)


def interrupt_after(seconds: float) -> None:
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()


def test_nothing_starts_before_the_first_reply(small_weights: Path) -> None:
    model = EmbeddedModel(SMALL.name, small_weights)
    assert model._child is None
    assert (model.name, model.size_b, model.window) == ("local:smollm2-135m", 0.135, 4096)
    model.close()
    model.close()


def test_a_reply_is_held_to_the_grammar_and_its_cost_is_told(model: EmbeddedModel) -> None:
    reply = model.complete(ASK, SCHEMA, 60, 120)
    said = json.loads(reply.text)
    assert said["action"] in ("search", "read")
    assert "\n" not in reply.text
    assert (reply.model, reply.finish) == (model.name, "stop")
    assert min(reply.prompt_tokens, reply.output_tokens, reply.seconds) > 0


@pytest.mark.parametrize("how", ['"a"', "b\\c", "利马", "tab\there", "line\nbreak", "{}[]()|*+?"])
def test_an_enumerated_value_comes_out_as_it_was_listed(how: str, model: EmbeddedModel) -> None:
    schema = {"type": "object", "properties": {"how": {"enum": [how]}}, "required": ["how"]}
    assert json.loads(model.complete(ASK, schema, 60, 120).text) == {"how": how}


def test_a_schema_that_is_not_flat_is_held_to_as_well(model: EmbeddedModel) -> None:
    nested = {"type": "object", "properties": {"a": {"type": "array", "items": {"const": 1}}}, "required": ["a"]}
    said = model.complete(ASK, {**nested, "additionalProperties": False}, 30, 120).text
    assert said.lstrip().startswith("{")
    assert '"a"' in said


def test_a_prompt_that_does_not_fit_is_told_with_both_numbers(model: EmbeddedModel) -> None:
    with pytest.raises(ModelUnavailable, match=r"prompt of \d{4} tokens does not fit its window of 2048"):
        model.complete((Message("user", "word " * 3000),), None, 5, 120)


def test_ctrl_c_ends_a_reply_within_a_second_and_the_child_lives(model: EmbeddedModel) -> None:
    model.complete(ASK, None, 1, 120)
    pid = child_of(model)
    interrupt_after(0.5)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.complete(ASK, LONG, 1500, 120)
    assert time.monotonic() - started < 1.5
    assert model.complete(ASK, None, 3, 120).output_tokens == 3
    assert child_of(model) == pid


def test_the_terminals_ctrl_c_does_not_reach_the_child(model: EmbeddedModel) -> None:
    model.complete(ASK, None, 1, 120)
    assert os.getsid(child_of(model)) != os.getsid(0)
    os.kill(child_of(model), signal.SIGINT)
    assert model.complete(ASK, None, 3, 120).output_tokens == 3


def test_the_deadline_holds_and_the_next_reply_comes(model: EmbeddedModel) -> None:
    model.complete(ASK, None, 1, 120)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"smollm2-135m: no whole reply within 0\.5 s"):
        model.complete(ASK, LONG, 1500, 0.5)
    assert time.monotonic() - started < 1.5
    assert model.complete(ASK, None, 3, 120).output_tokens == 3


def test_a_crash_in_the_midst_of_a_reply_is_a_message_and_the_next_reply_starts_a_new_child(
    model: EmbeddedModel,
) -> None:
    model.complete(ASK, None, 1, 120)
    pid = child_of(model)
    threading.Timer(0.4, os.kill, (pid, signal.SIGSEGV)).start()
    with pytest.raises(ModelUnavailable, match="its process ended by signal 11; ask again"):
        model.complete(ASK, LONG, 1500, 120)
    assert model.complete(ASK, None, 3, 120).output_tokens == 3
    assert child_of(model) != pid


def test_close_ends_the_child(small_weights: Path) -> None:
    model = EmbeddedModel(SMALL.name, small_weights, threads=1)
    model.complete(ASK, None, 1, 120)
    pid = child_of(model)
    model.close()
    assert not is_running(pid)


PARENT = """
import sys
from pathlib import Path
from agent.models.embedded import EmbeddedModel
from agent.types import Message
model = EmbeddedModel("smollm2-135m", Path(sys.argv[1]), threads=1)
model.complete((Message("user", "Hello"),), None, 1, 120)
print(model._child.pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks into /proc for the child")
def test_the_child_dies_with_a_parent_that_is_killed(small_weights: Path) -> None:
    command = [sys.executable, "-c", PARENT, str(small_weights)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    assert wait_until_gone(pid, 3)


def test_the_server_opens_to_nobody_else(llama: Llama) -> None:
    port = urlsplit(llama.base_url).port
    body = {"messages": [{"role": "user", "content": "Hi"}], "max_tokens": 1}
    assert requests.post(f"{llama.base_url}/chat/completions", json=body, timeout=60).status_code == 401
    assert requests.get(f"http://127.0.0.1:{port}/", timeout=60).status_code == 404
    command = Path(f"/proc/{llama.child.pid}/cmdline")
    if command.exists():
        assert llama.key not in command.read_text()


def test_a_load_is_cut_at_the_deadline(small_weights: Path) -> None:
    model = EmbeddedModel(SMALL.name, small_weights)
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match=r"not loaded within 0\.05 s"):
        model.complete(ASK, None, 1, 0.05)
    assert time.monotonic() - started < 1.5
    assert model._child is None


def with_runtime(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> EmbeddedModel:
    """A model whose child finds another runtime than the real one."""
    (folder / "xllamacpp.py").write_text(text)
    (folder / "mine.gguf").write_bytes(b"GGUF")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    return EmbeddedModel(str(folder / "mine.gguf"), folder)


def test_ctrl_c_while_it_loads_leaves_no_child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = with_runtime("import time; time.sleep(60)", tmp_path, monkeypatch)
    interrupt_after(0.3)
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        model.complete(ASK, None, 1, 120)
    assert time.monotonic() - started < 1.3
    assert model._child is None


def test_missing_weights_are_told_with_the_command_that_fetches_them(tmp_path: Path) -> None:
    model = EmbeddedModel("", tmp_path)
    with pytest.raises(ModelUnavailable, match=r"local: .* is not there; scout models get"):
        model.complete(ASK, None, 1, 10)


def test_a_file_that_is_no_model_is_said_to_be_none_and_llama_cpp_speaks_to_the_log(
    tmp_path: Path, small_weights: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    broken, log = tmp_path / "broken.gguf", tmp_path / "log"
    broken.write_bytes(b"GGUF" + b"\0" * 100)
    model = EmbeddedModel(str(broken), tmp_path, log=log)
    with pytest.raises(ModelUnavailable, match=r"broken\.gguf cannot be loaded"):
        model.complete(ASK, None, 1, 60)
    assert log.stat().st_mode & 0o777 == 0o600
    assert capfd.readouterr() == ("", "")


def test_a_missing_runtime_is_told_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = with_runtime("raise ImportError('not here')", tmp_path, monkeypatch)
    with pytest.raises(ModelUnavailable, match=r'runtime is not installed; pip install "scout\[local\]"'):
        model.complete(ASK, None, 1, 60)


def test_a_runtime_that_crashes_at_once_is_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = with_runtime("import os; os.kill(os.getpid(), 4)", tmp_path, monkeypatch)
    with pytest.raises(ModelUnavailable, match="this processor lacks what the runtime needs"):
        model.complete(ASK, None, 1, 60)


def test_a_name_that_is_not_known_is_a_fault_of_configuration(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no weights 'gpt9'; there are: qwen"):
        EmbeddedModel("gpt9", tmp_path)
