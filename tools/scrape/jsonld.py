"""What a page says of itself in JSON-LD: a flat list of its objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tools.scrape.words import words

_MAX_OBJECTS = 400
ARTICLES = words(
    "Article NewsArticle BlogPosting ReportageNewsArticle AnalysisNewsArticle OpinionNewsArticle TechArticle "
    "Report ScholarlyArticle LiveBlogPosting SocialMediaPosting Recipe MedicalWebPage"
)
FORUMS = words("QAPage DiscussionForumPosting Question FAQPage")


def objects(root: Any) -> tuple[Mapping[str, Any], ...]:
    """Every object in the page's JSON-LD, outer before inner, at most 400. Broken scripts are skipped."""
    found: list[Mapping[str, Any]] = []
    for script in root.iter("script"):
        if "ld+json" in script.get("type", "") and script.text:
            found.extend(_inside(_load(script.text)))
    return tuple(found[:_MAX_OBJECTS])


def _load(text: str) -> Any:
    text = text.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";")
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _inside(value: Any) -> Iterator[Mapping[str, Any]]:
    stack, seen = [value], 0
    while stack and seen < _MAX_OBJECTS:
        item = stack.pop()
        if isinstance(item, Mapping):
            seen += 1
            yield item
            stack.extend(v for v in reversed(list(item.values())) if isinstance(v, Mapping | list))
        elif isinstance(item, list):
            stack.extend(reversed(item))


def types(item: Mapping[str, Any]) -> frozenset[str]:
    """Its `@type`, which may be one word or a list, without a vocabulary in front."""
    value = item.get("@type", ())
    words = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    return frozenset(w.rsplit("/", 1)[-1] for w in words if isinstance(w, str))


def text_of(item: Mapping[str, Any], key: str) -> str:
    """A text property, "" when absent or not text."""
    value = item.get(key)
    return value if isinstance(value, str) else ""
