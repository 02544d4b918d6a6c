"""One line of a pages corpus: is the page read as the case demands?"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from tools.scrape import read
from tools.scrape.status import resolved

URL = "https://www.example.org/dir/page.html"


def check(case: dict[str, Any], folder: Path) -> str:
    """What is wrong with how the page is read, "" when nothing is."""
    now = datetime.fromisoformat(case["now"]) if case.get("now") else None
    page = read((folder / case["file"]).read_bytes(), case.get("content_type", ""), URL, now)
    if page.status != case["status"]:
        return f"status {page.status}, not {case['status']}: {page.text[:80]!r}"
    return _wrong_text(page.text, case) or _wrong_head(page, case)


def _wrong_text(text: str, case: dict[str, Any]) -> str:
    exact = case.get("exact_whitespace", False)

    def shaped(said: str) -> str:
        return said if exact else " ".join(said.split())

    missing = [want for want in case["must_contain"] if shaped(want) not in shaped(text)]
    extra = [
        shun for shun in case["must_not_contain"] if shun in text or (shun.split() and shaped(shun) in shaped(text))
    ]
    return f"lacks {missing}, has {extra}: {text[:200]!r}" if missing or extra else ""


def _wrong_head(page: Any, case: dict[str, Any]) -> str:
    if case["title"] not in page.title:
        return f"title {page.title!r}, not {case['title']!r}"
    day = page.published
    if case.get("date_kind") == "modified":
        day = day or page.modified
    said = day.isoformat() if day else None
    is_free = case.get("date_optional") and (said is None or case["date"] is None)
    if said != case["date"] and not is_free:
        return f"date {said}, not {case['date']}"
    if case.get("refresh_to") and page.refresh_to not in (case["refresh_to"], resolved(URL, case["refresh_to"])):
        return f"refreshes to {page.refresh_to!r}"
    if case.get("next") and resolved(URL, case["next"]) not in [link.url for link in page.links]:
        return f"no link to {case['next']}: {page.links}"
    return ""
