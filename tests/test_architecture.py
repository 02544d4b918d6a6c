"""The house rules that import-linter cannot say, read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = [p for top in ("agent", "tools") for p in sorted((ROOT / top).rglob("*.py"))] + [ROOT / "main.py"]
TESTS = sorted((ROOT / "tests").rglob("*.py"))
LONGEST_FUNCTION = 60
# Who alone may import what. A door is the only way to its part of the world.
ONLY_IN = {
    "requests": ("agent/doors/",),
    "urllib3": ("agent/doors/",),
    "socket": ("agent/doors/",),
    "sqlite3": ("agent/doors/store.py",),
    "smtplib": ("agent/doors/mail.py",),
    "time": ("agent/doors/clock.py",),
    "ollama": ("agent/models/ollama_client.py",),
    "xllamacpp": ("agent/models/embedded_server.py",),
    "lxml": ("tools/",),
    "subprocess": ("agent/models/",),
}
# Deferred on purpose: start-up time, or an optional extra.
MAY_DEFER = (
    "agent/evidence/__init__.py",
    "agent/models/",
    "agent/doors/",
    "agent/shell/",
    "tools/",
    "agent/settings.py",
)


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imports(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name.split(".")[0], child) for alias in child.names)
        elif isinstance(child, ast.ImportFrom) and child.module:
            yield child.module.split(".")[0], child


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef))


@pytest.mark.parametrize("path", PRODUCT, ids=name)
def test_only_doors_reach_the_world(path: Path) -> None:
    breaches = [
        module
        for module, _ in imports(tree(path))
        if module in ONLY_IN and not any(name(path).startswith(allowed) for allowed in ONLY_IN[module])
    ]
    assert breaches == []


@pytest.mark.parametrize("path", PRODUCT, ids=name)
def test_only_settings_reads_the_environment_and_only_the_shell_prints(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            said = f"{node.value.id}.{node.attr}"
            assert said not in ("os.environ", "os.getenv") or name(path) == "agent/settings.py", said
            if said in ("sys.stdin", "sys.stdout", "sys.stderr"):
                assert name(path).startswith("agent/shell/") or name(path) == "agent/models/embedded_server.py", said
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
            assert name(path).startswith("agent/shell/") or name(path) == "agent/models/embedded_server.py"


def test_except_exception_stands_once() -> None:
    broad = [
        name(path)
        for path in PRODUCT
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException")))
        and not any(isinstance(child, ast.Raise) and child.exc is None for child in ast.walk(node))
    ]
    assert broad == ["agent/shell/cli.py"]


@pytest.mark.parametrize("path", PRODUCT, ids=name)
def test_imports_stand_at_the_top_unless_they_are_deferred_on_purpose(path: Path) -> None:
    deferred = [module for function in functions(path) for module, _ in imports(function)]
    assert deferred == [] or any(name(path).startswith(allowed) for allowed in MAY_DEFER), deferred


@pytest.mark.parametrize("path", PRODUCT, ids=name)
def test_no_function_is_longer_than_a_screen(path: Path) -> None:
    longest = [(f.name, f.end_lineno - f.lineno + 1) for f in functions(path) if f.end_lineno]
    assert [(f, lines) for f, lines in longest if lines > LONGEST_FUNCTION] == []


def test_functions_are_short_at_the_median_and_at_the_ninetieth_percentile() -> None:
    lengths = sorted(f.end_lineno - f.lineno + 1 for path in PRODUCT for f in functions(path) if f.end_lineno)
    assert lengths[len(lengths) // 2] <= 10
    assert lengths[len(lengths) * 9 // 10] <= 30


@pytest.mark.parametrize("path", TESTS, ids=name)
def test_there_are_no_mocks(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.module != "unittest.mock"
            assert not (node.module == "unittest" and any(alias.name == "mock" for alias in node.names))
        if isinstance(node, ast.Import):
            assert not any(alias.name in ("mock", "unittest.mock") for alias in node.names)


@pytest.mark.parametrize("path", [*PRODUCT, *TESTS], ids=name)
def test_a_file_opens_with_a_sentence_that_says_what_it_owns(path: Path) -> None:
    assert ast.get_docstring(tree(path))


def test_no_work_is_done_at_import() -> None:
    """Importing reads, writes and reaches nothing: module level holds definitions only."""
    allowed = (
        ast.Import,
        ast.ImportFrom,
        ast.Assign,
        ast.AnnAssign,
        ast.FunctionDef,
        ast.ClassDef,
        ast.Expr,
        ast.If,
        ast.With,
        ast.AugAssign,
    )
    for path in PRODUCT:
        assert all(isinstance(node, allowed) for node in tree(path).body), name(path)
