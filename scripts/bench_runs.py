"""Whole runs over the tests' MediaWiki: `python -m scripts.bench_runs [--every N] [MODEL …]`, models as for --model.

Each question of tests/wiki_questions.jsonl is asked of the shipped program, on the wiki of its language. Right: the
known answer stands in what is printed with the verdict supported. Ten questions have no answer on any page; there the
right thing is to find none.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from agent.errors import AgentError
from agent.settings import load
from agent.types import Event, Outcome, Status
from main import Session
from scripts.bench_models import Nobody
from scripts.wiki import PAGES, build, free_port, serve, stop, url

ROOT = Path(__file__).parent.parent
QUESTIONS = ROOT / "tests" / "wiki_questions.jsonl"
BUILT = ROOT / ".cache" / "wiki"


def silent(event: Event) -> None:
    """Hears nothing."""


@contextmanager
def session(model: str, language: str, folder: str) -> Iterator[Session]:
    """The program at a wiki of that language."""
    port = free_port()
    server = serve(build(BUILT, PAGES, language), port)
    flags = {
        "model": model,
        "wikipedia_url": url(port) + "w/api.php",
        "allow_private": (f"127.0.0.1:{port}",),
        "timeout": 600.0,
    }
    try:
        settings = load({})
        (Path(folder) / "weights").symlink_to(settings.data_path / "weights")  # the journal is new, the weights are not
        asking = Session(load(flags | {"data_dir": folder}), silent, Nobody())
        yield asking
        asking.close()
    finally:
        stop(server)


def right(answer: str | None, outcome: Outcome) -> bool:
    """Is this what should have come out?"""
    if answer is None:
        return outcome.status in (Status.ABSTAINED, Status.LIMIT)
    return outcome.status is Status.SUPPORTED and answer.casefold() in outcome.answer.text.casefold()


def main(argv: list[str]) -> int:
    """A row for each model and language, and below it each question that went wrong."""
    every = int(argv.pop(argv.index("--every") + 1)) if "--every" in argv else 1
    models = [name for name in argv if name != "--every"] or ["none", "local"]
    cases = [json.loads(line) for line in QUESTIONS.read_text("utf-8").splitlines()][::every]
    print(f"{'model':24} {'lang':4} {'right':>9} {'abstains':>9} {'seconds':>8} {'requests':>8} {'tokens':>7}")
    for model in models:
        for language in ("en", "zh"):
            try:
                measure(model, language, [case for case in cases if case["lang"] == language])
            except AgentError as err:
                print(f"{model}: left out: {err}")
    return 0


def measure(model: str, language: str, cases: list[dict[str, str | None]]) -> None:
    """One row."""
    with tempfile.TemporaryDirectory() as folder, session(model, language, folder) as asking:
        outcomes = [(case, asking.ask(str(case["question"]))) for case in cases]
    told = [right(case["answer"], outcome) for case, outcome in outcomes if case["answer"] is not None]
    none = [right(None, outcome) for case, outcome in outcomes if case["answer"] is None]
    n = len(outcomes)
    seconds = sum(outcome.usage.seconds for _, outcome in outcomes) / n
    requests = sum(outcome.usage.requests for _, outcome in outcomes) / n
    tokens = sum(outcome.usage.prompt_tokens for _, outcome in outcomes) / n
    share = f"{sum(told)}/{len(told)}"
    abstains = f"{sum(none)}/{len(none)}"
    print(
        f"{model:24} {language:4} {share:>9} {abstains:>9} {seconds:>8.1f} {requests:>8.1f} {tokens:>7.0f}", flush=True
    )
    for case, outcome in outcomes:
        if not right(case["answer"], outcome):
            said = outcome.answer.text or outcome.note
            print(f"    {case['question']} → {outcome.status}: {said[:110]!r} (wanted {case['answer']!r})")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
