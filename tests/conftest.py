"""Fixtures that more than one test module asks for."""

from tests.wikiserver import wiki, wiki_zh

__all__ = ["wiki", "wiki_zh"]
