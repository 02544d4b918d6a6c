"""Fixtures that more than one test module asks for."""

from tests.modelserver import llama, ollama_host, small_weights
from tests.program import program
from tests.wikiserver import wiki, wiki_zh

__all__ = ["llama", "ollama_host", "program", "small_weights", "wiki", "wiki_zh"]
