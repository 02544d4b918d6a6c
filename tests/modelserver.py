"""A real model server for the tests: llama.cpp with SmolLM2-135M, and over it a stand-in that speaks as Ollama does.

Both start once a session. The 135 M model has no sense: tests look at form, counts, ends and errors. The stand-in is
not Ollama: it loads and unloads nothing, keeps no context, and thinks nothing.
"""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import requests

import agent.models.embedded_server
from agent.errors import AgentError
from agent.models.weights import Origins, get, named

CACHE = Path(__file__).parent.parent / ".cache" / "weights"
SMALL = named("smollm2-135m")
MODEL = "smollm2:135m"


@dataclass(frozen=True)
class Llama:
    """llama.cpp's own server. `base_url` ends in /v1."""

    base_url: str
    key: str
    child: subprocess.Popen[bytes]


@pytest.fixture(scope="session")
def small_weights() -> Path:
    """The folder with the small weights, fetched once into the repository's cache."""
    pytest.importorskip("xllamacpp", reason='the embedded runtime is not installed: pip install ".[local]"')
    try:
        get(SMALL, CACHE, Origins(), lambda have, total: None)
    except AgentError as err:
        pytest.skip(f"no weights for a real model server: {err}")
    return CACHE


@pytest.fixture(scope="session")
def llama(small_weights: Path) -> Iterator[Llama]:
    """A real OpenAI-compatible server."""
    with started(small_weights / SMALL.file) as server:
        yield server


@pytest.fixture(scope="session")
def ollama_host(llama: Llama) -> Iterator[str]:
    """Where Ollama's wire format is spoken."""
    with _Wire(llama) as wire:
        thread = threading.Thread(target=wire.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{wire.server_port}"
        wire.shutdown()
        thread.join()


@contextmanager
def started(weights: Path, context: int = 2048) -> Iterator[Llama]:
    """The child process of the embedded model, by its own protocol. One thread: tests share the machine."""
    file = agent.models.embedded_server.__file__
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-P", file], stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
        assert child.stdin
        assert child.stdout
        order = {"weights": str(weights), "key": secrets.token_hex(8), "context": context, "threads": 1}
        child.stdin.write(json.dumps(order).encode() + b"\n")
        child.stdin.flush()
        told = json.loads(child.stdout.readline())
        yield Llama(f"http://127.0.0.1:{told['port']}/v1", order["key"], child)  # type: ignore[arg-type]


class _Wire(ThreadingHTTPServer):
    """Ollama's endpoints over an OpenAI-compatible server."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, llama: Llama) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.llama = llama

    def complete(self, asked: dict[str, Any]) -> requests.Response:
        options = asked.get("options") or {}
        body = {"messages": asked["messages"], "stream": True, "stream_options": {"include_usage": True}}
        body |= {name: options[name] for name in ("temperature", "seed") if name in options}
        if "num_predict" in options:
            body["max_tokens"] = options["num_predict"]
        if isinstance(asked.get("format"), dict):
            named = {"name": "format", "schema": asked["format"]}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        headers = {"Authorization": f"Bearer {self.llama.key}"}
        url = f"{self.llama.base_url}/chat/completions"
        return requests.post(url, json=body, headers=headers, stream=True, timeout=120)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Wire

    def do_GET(self) -> None:
        entry = {"name": MODEL, "model": MODEL, "modified_at": "2026-11-30T09:00:00Z", "size": SMALL.size}
        told: dict[str, Any] = {"/api/version": {"version": "0.0.0"}, "/api/tags": {"models": [entry]}}
        self.answer(told.get(self.path))

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"] != MODEL:
            self.answer({"error": f"model '{asked['model']}' not found"}, 404)
        elif self.path == "/api/show":
            info = {"general.architecture": "llama", "llama.context_length": 2048}
            details = {"parameter_size": "134.52M", "family": "llama"}
            self.answer({"capabilities": ["completion"], "model_info": info, "details": details})
        else:
            self.chat(asked)

    def chat(self, asked: dict[str, Any]) -> None:
        with self.server.complete(asked) as response:
            if response.status_code != 200:
                message = "the prompt is longer than the context length currently available to the model"
                return self.answer({"error": message}, response.status_code)
            self.send_response(200)
            self.send_header("Content-Type", "application/x-ndjson")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            finish, usage = "stop", dict[str, int]()
            for line in response.iter_lines():
                part = json.loads(line[6:]) if line.startswith(b"data: {") else {}
                usage = part.get("usage") or usage
                for choice in part.get("choices", ()):
                    finish = choice["finish_reason"] or finish
                    self.piece({"message": {"role": "assistant", "content": choice["delta"].get("content") or ""}})
            counts = {"prompt_eval_count": usage["prompt_tokens"], "eval_count": usage["completion_tokens"]}
            ended = {"message": {"role": "assistant", "content": ""}, "done": True, "done_reason": finish}
            self.piece(ended | counts | {"total_duration": 1_000_000})
            self.wfile.write(b"0\r\n\r\n")
        return None

    def piece(self, part: dict[str, Any]) -> None:
        line = json.dumps({"model": MODEL, "created_at": "2026-11-30T09:00:00Z", "done": False} | part).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def answer(self, body: dict[str, Any] | None, status: int = 200) -> None:
        data = json.dumps(body or {"error": "not found"}).encode()
        self.send_response(status if body else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""
