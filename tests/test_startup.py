"""Start-up: what a run imports before it first asks the model. Times are for `make bench`; here only what is loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# What a run does not need before its first request, or not at all. Each of these is slow to import.
HEAVY = ("ollama", "httpx", "pydantic", "xllamacpp", "lxml", "cssselect", "dateutil", "dotenv", "asyncio", "readline")
OURS = (
    "tools.scrape.html",
    "tools.scrape.content",
    "tools.scrape.dates",
    "tools.scrape.hidden",
    "agent.evidence.report",
    "agent.models.ollama_client",
    "agent.models.embedded",
)


def loaded(code: str) -> frozenset[str]:
    """The modules that are loaded after `code` in a fresh interpreter."""
    script = f"{code}\nimport json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return frozenset(json.loads(done.stdout))


@pytest.fixture(scope="module")
def at_start() -> frozenset[str]:
    """The program, and the backend that most servers are asked through."""
    return loaded("import main, agent.models.openai")


@pytest.mark.parametrize("module", HEAVY + OURS)
def test_the_program_starts_without(module: str, at_start: frozenset[str]) -> None:
    assert module not in at_start


def test_auto_looks_for_ollama_without_its_client(tmp_path: Path) -> None:
    modules = loaded(
        "from pathlib import Path; from agent.models.choose import open_model; from agent.settings import Settings;"
        f"open_model('auto', Settings(ollama_host='http://127.0.0.1:1', data_dir={str(tmp_path)!r}))"
    )
    assert modules.isdisjoint({"ollama", "httpx", "pydantic", "xllamacpp"})
    assert "agent.models.ollama" in modules


def test_what_was_put_off_is_loaded_when_a_page_is_read() -> None:
    modules = loaded("from tools.scrape import read; read(b'<p>Text of a page.</p>', 'text/html', 'https://a.org/')")
    assert {"lxml", "tools.scrape.html"} <= modules


@pytest.mark.parametrize(
    "call", ["read_text('# T\\n\\ntext', 'u')", "read_json('{\"a\": 1}', 'u')", "read_feed(FEED, 'u')"]
)
def test_each_reader_of_plain_documents_loads_what_it_needs_itself(call: str) -> None:
    feed = "<rss><channel><title>T</title><item><title>A</title><pubDate>2024-04-15</pubDate></item></channel></rss>"
    assert "tools.scrape.html" in loaded(f"FEED = {feed!r}\nfrom tools.scrape import plain\nassert plain.{call}.text")
