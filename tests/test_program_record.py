"""The record of the program's runs, when runs end badly or go on side by side."""

from __future__ import annotations

import subprocess
import sys

from agent.journal import chained
from tests.program import ANSWERS, MAIN, QUESTION, Program
from tests.scriptedserver import hanging
from tests.shell_console import PATIENCE_S


def assert_chained(program: Program) -> int:
    """Each event carries the hash of the one before it, whichever run that was of; how many there are."""
    rows = program.recorded("SELECT run, seq, kind, at, data, previous, hash FROM events ORDER BY id")
    previous = ""
    for run, seq, kind, at, data, before, digest in rows:
        assert before == previous
        assert digest == chained(previous, (run, seq, kind, at, data))
        previous = digest
    return len(rows)


def test_a_run_that_was_killed_is_in_the_journal_as_far_as_it_got(program: Program) -> None:
    program.model.says(*ANSWERS[:2], hanging())
    with program.started(QUESTION) as process:
        while len(program.model.asked) < 3:
            assert process.poll() is None
        process.kill()
        process.wait(PATIENCE_S)
    kinds = [kind for (kind,) in program.recorded("SELECT kind FROM events ORDER BY id")]
    assert (kinds[0], kinds[-1], "outcome" in kinds) == ("run", "observe", False)
    assert program.web.url("/tern") in program.run("trace").out
    assert f"  -            {QUESTION}" in program.run("trace", "list").out
    program.model.says(*ANSWERS)
    assert program.run(QUESTION).status == 0
    assert_chained(program)


def test_runs_side_by_side_are_all_recorded_in_one_chain(program: Program) -> None:
    program.model.says(ANSWERS[-1])
    line = [sys.executable, str(MAIN), "-q", "--no-input", QUESTION]
    env = program.environment()
    running = [subprocess.Popen(line, env=env, cwd=program.folder, stdout=subprocess.PIPE) for _ in range(4)]
    for process in running:
        process.communicate(timeout=PATIENCE_S * 4)
    assert [process.returncode for process in running] == [3] * 4
    assert program.recorded("SELECT count(*) FROM runs") == [(4,)]
    assert assert_chained(program) % 4 == 0
