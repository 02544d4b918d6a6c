"""One line for each failing case, then `N passed, M failed`; exit 1 on a failure, 2 on wrong usage.

A kind is a module beside this one with `check(case, folder) -> str`: what went wrong with a line, "" for nothing.
`folder` is the one the file stands in.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

KINDS = ("actions", "urls", "pages", "search_results", "evidence")


def failures(kind: str, file: Path) -> tuple[int, list[str]]:
    """How many cases passed, and a line for each that did not."""
    check = importlib.import_module(f"tests.corpus.{kind}").check
    cases: list[dict[str, Any]] = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    found = [(case, check(case, file.parent)) for case in cases]
    lines = [f"{case['id']} {case.get('kind', '')}: {wrong}" for case, wrong in found if wrong]
    return len(cases) - len(lines), lines


def main(argv: list[str]) -> int:
    if not argv or argv[0] not in KINDS:
        print(f"usage: python -m tests.corpus {'|'.join(KINDS)} [FILE.jsonl …]", file=sys.stderr)
        return 2
    kind, *names = argv
    files = [Path(name) for name in names] or [Path(__file__).parent.parent / "data" / f"{kind}.jsonl"]
    passed, lines = 0, list[str]()
    for file in files:
        if not file.is_file():
            print(f"no file {file}", file=sys.stderr)
            return 2
        good, bad = failures(kind, file)
        passed += good
        lines += bad
    print(*lines, f"{passed} passed, {len(lines)} failed", sep="\n")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
