"""The shell as a process: pipes that close, disks that are full, encodings, signals."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from tests.shell_console import command, environment

LONG = {"FAKE_ANSWER": "a long line\n", "FAKE_TIMES": "100000"}  # more than a pipe holds


def shell(folder: Path, line: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    """Run `line` in bash, where `scout` is the stand-in."""
    script = f'scout() {{ {" ".join(command())} "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", script], env=environment(folder, **env), cwd=folder, capture_output=True, timeout=60
    )


def test_a_reader_that_leaves_after_one_line_is_no_error(tmp_path: Path) -> None:
    ran = shell(tmp_path, "scout Q </dev/null | head -1; echo ${PIPESTATUS[0]}", **LONG)
    assert (ran.stdout, ran.stderr) == (b"a long line\n0\n", b"")


def test_a_reader_that_leaves_does_not_hide_how_the_run_ended(tmp_path: Path) -> None:
    ran = shell(tmp_path, "scout Q </dev/null | true; echo ${PIPESTATUS[0]}", FAKE_STATUS="unsupported", **LONG)
    assert (ran.stdout, ran.stderr) == (b"3\n", b"")


def test_a_reader_of_events_that_leaves_does_not_stop_the_run(tmp_path: Path) -> None:
    ran = shell(tmp_path, "scout --jsonl Q </dev/null | true; echo ${PIPESTATUS[0]}", FAKE_LASTS="0.2")
    assert (ran.stdout, ran.stderr) == (b"0\n", b"")


@pytest.mark.parametrize("options", ["", "--json", "--jsonl"])
def test_stdout_on_a_full_disk_is_one_clear_line_and_status_2(tmp_path: Path, options: str) -> None:
    ran = shell(tmp_path, f"scout {options} Q </dev/null >/dev/full")
    assert ran.returncode == 2
    assert ran.stderr == b"scout: stdout: cannot be written: No space left on device\n"


def test_streams_that_are_closed_are_empty_ones(tmp_path: Path) -> None:
    assert shell(tmp_path, "scout Q <&- >&- 2>&-").returncode == 0


def test_dev_null_on_stdin_is_no_input(tmp_path: Path) -> None:
    ran = shell(tmp_path, "scout </dev/null")
    assert (ran.returncode, ran.stdout) == (2, b"")
    assert ran.stderr.startswith(b"usage: scout")


def test_a_slow_writer_is_waited_for(tmp_path: Path) -> None:
    ran = shell(tmp_path, "(sleep 0.3; echo How long?) | scout --json")
    assert (ran.returncode, b'"question": "How long?"' in ran.stdout) == (0, True)


def test_a_writer_that_never_ends_is_cut_off(tmp_path: Path) -> None:
    ran = shell(tmp_path, "yes | scout --json Q; echo ${PIPESTATUS[1]}")
    assert ran.stdout.endswith(b"}\n0\n")
    assert ran.stderr == b"scout: of the piped text the first 20,000 characters are used, of 1,048,575\n"


def test_no_input_does_not_wait_for_a_pipe_that_nobody_writes_to(tmp_path: Path) -> None:
    read, write = os.pipe()
    ran = subprocess.run(command("--no-input", "Q"), stdin=read, env=environment(tmp_path), timeout=60)
    os.close(read)
    os.close(write)
    assert ran.returncode == 0


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk", "latin-1"])
def test_no_character_crashes_a_stream_that_cannot_hold_it(tmp_path: Path, encoding: str) -> None:
    env = {"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0", "FAKE_ANSWER": "40 分钟, Øresund 🚢 [1]"}
    ran = shell(tmp_path, "scout Q </dev/null && scout --json Q </dev/null", **env)
    assert ran.returncode == 0
    text, _, document = ran.stdout.partition(b'{"schema"')
    assert text.decode(encoding).startswith("40 ")
    assert document.isascii()  # JSON has its own way to write what the stream cannot hold
    assert rb"\u5206\u949f" in document


def test_an_interrupt_while_stdin_is_read_ends_in_130_without_a_traceback(tmp_path: Path) -> None:
    read, write = os.pipe()
    process = subprocess.Popen(
        command("-v", "Q"), stdin=read, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(tmp_path)
    )
    os.close(read)
    wait_until_it_reads(process.pid)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    os.close(write)
    assert (process.returncode, out, err) == (130, b"", b"")


def test_an_interrupt_in_a_run_ends_in_130_with_the_outcome_as_json(tmp_path: Path) -> None:
    process = subprocess.Popen(
        command("--json", "-v", "Q"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, FAKE_LASTS="15"),
    )
    assert process.stderr
    process.stderr.readline()  # the run has begun
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b'"status": "interrupted"' in out
    assert b"Traceback" not in err


def wait_until_it_reads(pid: int) -> None:
    """Until the process sleeps in a read of its pipe, which Linux tells in /proc."""
    where = Path(f"/proc/{pid}/wchan")
    if not where.exists():
        pytest.skip("needs Linux's /proc")
    for _ in range(1000):
        if "pipe" in where.read_text():
            return
        signal.sigtimedwait([], 0.01)
    pytest.skip("the kernel does not tell what a process waits for")
