"""An HTML document to a Page: parse, hide, walk, choose, and say what it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from agent.types import Block, Link, Page
from tools.scrape import jsonld, meta, status, wiki
from tools.scrape.chars import clean, clean_code, defused, visible
from tools.scrape.content import Choice, Chooser
from tools.scrape.hidden import hidden_by_rules
from tools.scrape.markup import parse
from tools.scrape.outline import Anchor, Outline, Run, outline

_FORUM_URL = re.compile(
    r"/(?:forums?|threads?|topics?|discussions?|showthread|viewtopic|questions|t)[/.-]|[/.]forums?\.",
    re.IGNORECASE,
)
_MAX_LINKS = 200
_MIN_ARTICLE = 40
_ESCAPED_TAG = re.compile(r"<[a-zA-Z/][^<>]{0,300}>|&(?:lt|nbsp|amp|#\d{1,6});")


def read_html(text: str, url: str, now: datetime | None = None) -> Page:
    """The page in `text`. No network; a document without an element is an empty page."""
    root = parse(text)
    if root is None:
        return Page(url, "", None, None, (), "", status="js_required")
    page = meta.about(root)
    refresh = status.refresh_target(root, url)
    encyclopedia = wiki.body_of(root)
    if encyclopedia is not None:
        out = outline(encyclopedia, hidden_by_rules(root), wiki.dropped(encyclopedia))
        choice = Choice(tuple(range(len(out.runs))), "structure")
    else:
        out = outline(root, hidden_by_rules(root))
        choice = Chooser(
            out, article=page.is_article, forum=page.is_forum or bool(_FORUM_URL.search(url)), title=page.title
        ).choose()
    blocks = _blocks(out, choice)
    level = choice.level
    spelled = _spelled_body(page)
    if len(spelled) > _MIN_ARTICLE and (
        choice.level == "body" or sum(len(b.text) for b in blocks) < 0.4 * len(spelled)
    ):
        blocks, level = _plain_blocks(spelled), "structure"
    # An encyclopedia's page bears no day; the first one in its text is of its subject.
    heads = _heads(out, page.title) if encyclopedia is None else ()
    days = meta.dates(root, page, url, heads, now)
    body = rendered(blocks)
    state = _state(root, out, page, text, body)
    if refresh and len(body) < 400:
        state = "meta_refresh"
    elif state == "js_required":
        blocks, body = (), ""
    return Page(
        url, page.title, days.published, days.modified, blocks, body, _links(root, out, choice, url), state,
        page.lang, level, refresh if state == "meta_refresh" else "",
    )  # fmt: skip


def rendered(blocks: Sequence[Block]) -> str:
    """The plain text of blocks: rows and items of one list line by line, a blank line between all others."""
    lines: list[str] = []
    before = ""
    for block in blocks:
        kind = f"row {block.table}" if block.kind == "row" else block.kind
        tight = kind == before and block.kind in ("row", "item", "definition")
        lines.append(("\n" if tight else "\n\n") + (f"- {block.text}" if block.kind == "item" else block.text))
        before = kind
    return "".join(lines).strip("\n")


def _blocks(out: Outline, choice: Choice) -> tuple[Block, ...]:
    made = (_block(out.runs[i]) for i in choice.runs)
    return tuple(block for block in made if block.text)


def _block(run: Run) -> Block:
    if run.kind == "code":
        text = clean_code(run.text)
    elif "\n" in run.text:
        text = "\n".join(filter(None, map(clean, run.text.split("\n"))))
    else:
        text = clean(run.text)
    kind = "definition" if run.kind == "term" else run.kind
    return Block(kind, text, run.level, clean(run.header) if run.header else "", run.table)


def _spelled_body(page: meta.About) -> str:
    """The longest `articleBody` in the page's JSON-LD, markup in it removed."""
    bodies = [jsonld.text_of(item, "articleBody") for item in page.objects]
    body = max(bodies, key=len, default="")
    if _ESCAPED_TAG.search(body):
        for _ in range(2):  # some sites escape twice
            inner = parse(f"<div>{body}</div>")
            runs = outline(inner).runs if inner is not None else []
            body = "\n\n".join(run.text for run in runs)
            if not _ESCAPED_TAG.search(body):
                break
    return body.strip()


def _plain_blocks(text: str) -> tuple[Block, ...]:
    paragraphs = re.split(r"\n\s*\n" if "\n\n" in text else r"\n", text)
    return tuple(Block("paragraph", made) for made in map(clean, paragraphs) if made)


def _heads(out: Outline, title: str) -> list[tuple[str, str]]:
    """(hint, text) of the short runs around the title, then of any that is named for dates."""
    start = next((i for i, run in enumerate(out.runs) if run.kind == "heading" and run.text and run.text in title), 0)
    near = out.runs[max(start - 3, 0) : start + 12]
    return [(_hint(out, run), visible(run.text)[:160]) for run in near if len(run.text) < 300]


def _hint(out: Outline, run: Run) -> str:
    box = out.boxes[run.box]
    return f"{box.hint} {out.boxes[box.parent].hint if box.parent > 0 else ''}"


def _state(root: Any, out: Outline, page: meta.About, source: str, body: str) -> str:
    whole = "\n".join(run.text for run in out.runs[:400])
    hints = " ".join(box.hint for box in out.boxes[:2000]) if len(body) < 1500 else ""
    return status.judge(
        title=page.title, whole=whole, content=body, source=source, free=page.free, hints=hints,
        has_app_root=len(body) < 60 and status.has_app_root(root), article=page.is_article,
    )  # fmt: skip


def _links(root: Any, out: Outline, choice: Choice, url: str) -> tuple[Link, ...]:
    """Links that stand in the content, the link to the next page first."""
    chosen = set(choice.runs)
    further = meta.next_page(root)
    anchors: Iterable[Anchor] = (a for a in out.anchors if a.run in chosen or a.run - 1 in chosen)
    found: dict[str, str] = {}
    if further and status.resolved(url, further):
        found[status.resolved(url, further)] = "next page"
    for anchor in anchors:
        if len(found) >= _MAX_LINKS:
            break
        target = status.resolved(url, anchor.href)
        text = clean(anchor.text)
        if target and text and target != url:
            found.setdefault(target, defused(text))
    return tuple(Link(target, text) for target, text in found.items())
