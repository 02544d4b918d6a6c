"""Which runs of an outline are the page's content: by structure, then by density, then the body without its frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from tools.scrape.outline import Box, Outline, Run
from tools.scrape.words import words

_FRAME_TAGS = words("nav footer aside header dialog form noscript button")
_FRAME_ROLES = words("navigation banner contentinfo search dialog alertdialog complementary menu menubar alert")
_STRONG = re.compile(r"cookie|consent|gdpr|onetrust|cc-window")
_COMMENTS = re.compile(r"comment(?!ary|ator|ed)|disqus|respond(?:$|[\s_-])|livefyre|reader-?responses|guestbook")
_WEAK = re.compile(
    r"(?<!has-)(?<!with-)(?<!no-)side-?bar|(?:^|[\s_-])(?:nav|menu|foot|footer|masthead|banner|ads?|advert\w*"
    r"|social|share|sharing|shares|tags?|tools?|toolbar|popup|modal|overlay|meta"
    r"|login|signup|promo\w*|rail|teaser|teasers|legal|copyright|skip\w*|rss|pager|paging|bio|aside|rating"
    r"|utility|topbar|subnav|authorbox|byline|dateline|print|toc)(?:$|[\s_-])"
    r"|(?:^|\s)widget(?:$|[\s_-])|(?:^|\s)(?:site-?|page-?|main-?|global-?|top-?)?header(?:$|\s)|related"
    r"|recommend|breadcrumb|newsletter|subscri|sponsor|pagination|outbrain|taboola|most-?(?:read|popular"
    r"|viewed)|popular|trending|read-?more|see-?also|more-?(?:stories|news|articles|from|posts)"
    r"|navbar|navigation|navi(?:$|[\s_-])|sidenav|shar(?:e|ing)-?(?:bar|buttons|links|tools|post)"
    r"|social-?(?:share|media|links|icons)|addtoany|jp-relatedposts|sharedaddy|author-?(?:box|bio|info|card)"
    r"|post-?(?:nav|footer|tags)|article-?(?:footer|tags|meta|tools|share)|entry-?(?:footer|meta|utility)"
    r"|caption|credit|footer(?:$|[\s_-])|prev-?next|next-?prev|further|inline-?promo|call-?to-?action|donat"
    r"|paywall|regwall|piano"
)
_FAR = re.compile(
    r"related|recommend|(?:^|[\s_-])aside|more-?(?:stories|news|articles|from|posts)|most-?(?:read|popular"
    r"|viewed)"
)
_CONTENT = re.compile(
    r"article-?(?:body|content|text)|post-?(?:body|content|text)|entry-?content|story-?(?:body|content|text)"
    r"|main-?(?:content|text)|(?:^|\s)(?:content|article|story|post|entry|text)(?:$|\s)|articlebody"
    r"|single-?content|body-?copy|blog-?content"
)
_FILLER = re.compile(
    r"^(?:share|tweet|e-?mail|print|save|like|reply|advertisement|anzeige|werbung|publicité|reklama|loading"
    r"|sign in|log in|subscribe|close|menu|search|home|read more|more|follow us.{0,30}|share this.{0,30}"
    r"|(?:filed under|tags?|posted in|categories|category|tagged|schlagworte|themen)\b.{0,200}"
    r"|leave a (?:reply|comment).{0,40}|\d+ (?:comments?|shares?|views?|likes?)|comments?(?: \(\d+\))?"
    r"|related(?: (?:articles|posts|stories|content|topics|links))?:?"
    r"|skip to .{0,30}|copyright .{0,80}|©.{0,120}|all rights reserved.{0,40}|image:? .{0,60}|photo:? .{0,60}"
    r"|by|posted by|advertising|story continues below.{0,30}|click here.{0,40}|责任编辑.{0,30}|分享.{0,10}"
    r"|来源：.{0,20}|编辑：.{0,20}|上一篇.{0,60}|下一篇.{0,60})$",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[.!?。！？…:;،؟۔।\"”»]\s*$")


@dataclass(frozen=True, slots=True)
class Choice:
    """Numbers of the runs that are content, and the level that found them: structure, density or body."""

    runs: tuple[int, ...]
    level: str


@dataclass(frozen=True, slots=True)
class Tuning:
    """Thresholds, found on one half of the public benchmarks by site and checked on the other."""

    good_width: int = 45
    good_links: float = 0.3
    void_share: float = 0.35
    void_far: float = 0.6
    void_all: float = 0.15
    title_bonus: float = 5.0
    descend: float = 0.85
    descend_loose: float = 0.9
    article_share: float = 0.3
    body_share: float = 0.15
    list_links: float = 0.6
    short_width: int = 300


TUNING = Tuning()


class Chooser:
    """One page's decision. Sums over prefixes make every question about a box a subtraction."""

    def __init__(self, out: Outline, *, article: bool, forum: bool, title: str, tuning: Tuning = TUNING) -> None:
        self.t = tuning
        self.runs, self.boxes = out.runs, out.boxes
        self.article, self.forum, self.title = article, forum, title
        widths = [_width(run.text) for run in self.runs]
        self.widths = widths
        self.good = [w if self._is_good(run, w) else 0 for run, w in zip(self.runs, widths, strict=True)]
        self.link_sum = _sums([min(run.links, len(run.text)) for run in self.runs])
        self.char_sum = _sums([len(run.text) for run in self.runs])
        good_sum = _sums(self.good)
        self.frame = self._framed(good_sum)
        kept = sum(g for g, f in zip(self.good, self.frame, strict=True) if not f)
        if kept < tuning.void_all * good_sum[-1]:
            self.frame = self._framed(
                good_sum, by_name=False
            )  # class names that cover all of the text mean something else
        self.kept_good = _sums([0 if f else g for f, g in zip(self.frame, self.good, strict=True)])

    def _is_good(self, run: Run, width: int) -> bool:
        if run.kind in ("heading", "term"):
            return False
        share = run.links / (len(run.text) or 1)
        if run.kind == "code":
            return width > 20
        if run.kind == "row":
            return share < 0.7 and width > 15
        return share < self.t.good_links and (
            width >= self.t.good_width
            or (width > 25 and run.kind == "paragraph" and bool(_SENTENCE.search(run.text[-3:])))
        )

    def _framed(self, good_sum: list[int], *, by_name: bool = True) -> bytearray:
        """One byte a run: 1 in a weak frame (navigation, related links), 2 in a strong one (comments, consent)."""
        frame = bytearray(len(self.runs))
        total = good_sum[-1] or 1
        for number, box in enumerate(self.boxes):
            weight = self._weight(number, box, by_name=by_name)
            if not weight or box.end <= box.start:
                continue
            share = (good_sum[box.end] - good_sum[box.start]) / total
            if share > (self.t.void_far if _FAR.search(box.hint) else self.t.void_share) and weight == 1:
                continue
            for i in range(box.start, box.end):
                frame[i] = max(frame[i], weight)
        if 2 in frame and not any(w > 12 and not f for w, f in zip(self.widths, frame, strict=True)):
            frame = bytearray(1 if f == 1 else 0 for f in frame)  # nothing else is left: it is what the page has
        return frame

    def _weight(self, number: int, box: Box, *, by_name: bool = True) -> int:
        if number == 0 or (box.tag in ("body", "html", "main", "article", "p", "tbody") and box.tag != "p"):
            return 0
        if box.tag == "dialog" or box.role in ("dialog", "alertdialog") or (box.hint and _STRONG.search(box.hint)):
            return 2
        if not self.forum and box.hint and _COMMENTS.search(box.hint):
            return 2
        if box.tag == "header" and self._is_in_article(box):
            return 0  # a post's own header names who wrote it and when
        if box.tag in _FRAME_TAGS or box.role in _FRAME_ROLES:
            return 1
        return (
            1
            if by_name
            and box.hint
            and _WEAK.search(box.hint)
            and not _CONTENT.search(box.hint)
            and "elementor-" not in box.hint
            else 0
        )

    def _is_in_article(self, box: Box) -> bool:
        while box.parent > 0:
            box = self.boxes[box.parent]
            if box.tag == "article":
                return True
        return False

    def weight_of(self, box: Box) -> int:
        """Good characters outside frames."""
        return self.kept_good[box.end] - self.kept_good[box.start]

    def choose(self) -> Choice:
        """The best level that passes its quality test."""
        total = self.kept_good[-1]
        if total:
            root, level = self._structure(total)
            root = self._descend(root)
            picked = self._inside(self.boxes[root])
            if self._is_enough(picked):
                return Choice(tuple(picked), level)
        return Choice(tuple(self._body()), "body")

    def _structure(self, total: int) -> tuple[int, str]:
        """An element that says it is the article, if it holds enough of what reads like text."""
        best, weight, anchored = 0, 0.0, False
        head = self._title_run()
        for number, box in enumerate(self.boxes):
            is_body = box.prop == "articleBody" or (box.tag == "article" and self.article)
            if not (is_body or box.tag == "main" or box.role == "main") or box.end <= box.start:
                continue
            w: float = self.weight_of(box)
            holds_title = is_body and box.start <= head < box.end
            if not is_body and w < 0.5 * total:
                continue
            if holds_title:
                w *= self.t.title_bonus  # teasers of other articles are `article` elements too
            if w > weight * 1.02 or (w >= 0.7 * weight and is_body and self._is_below(number, best)):
                best, weight, anchored = number, w, holds_title
        share = self.t.article_share / (self.t.title_bonus if anchored else 1)
        is_enough = self.weight_of(self.boxes[best]) >= share * total
        return (best, "structure") if weight and is_enough else (0, "density")

    def _title_run(self) -> int:
        """Number of the heading that repeats the page's title, -1 without one."""
        title = self.title.casefold()
        return (
            next(
                (
                    i
                    for i, run in enumerate(self.runs)
                    if run.kind == "heading"
                    and len(run.text) > 4
                    and (run.text.casefold() in title or title in run.text.casefold())
                ),
                -1,
            )
            if title
            else -1
        )

    def _is_below(self, number: int, ancestor: int) -> bool:
        while number > 0:
            if number == ancestor:
                return True
            number = self.boxes[number].parent
        return ancestor == 0

    def _descend(self, root: int) -> int:
        """Down to the smallest box that still holds most of the text."""
        share = self.t.descend if self.article else self.t.descend_loose
        children: dict[int, list[int]] = {}
        for number, box in enumerate(self.boxes[1:], 1):
            if box.end > box.start:
                children.setdefault(box.parent, []).append(number)
        while True:
            heavy = max(children.get(root, ()), key=lambda n: self.weight_of(self.boxes[n]), default=0)
            if not heavy or self.boxes[heavy].tag in ("p", "li", "table", "ul", "ol", "td", "blockquote", "pre"):
                if (
                    heavy
                    and self.boxes[heavy].tag in ("table", "td")
                    and self.weight_of(self.boxes[heavy]) >= share * self.weight_of(self.boxes[root])
                    and not self._has_rows(self.boxes[heavy])
                ):
                    root = heavy
                    continue
                return root
            if self.weight_of(self.boxes[heavy]) < share * self.weight_of(self.boxes[root]):
                return root
            root = heavy

    def _has_rows(self, box: Box) -> bool:
        return any(run.kind == "row" for run in self.runs[box.start : box.end])

    def _inside(self, root: Box) -> list[int]:
        lists = self._link_lists(root)
        picked = [
            i for i in range(root.start, root.end) if not self.frame[i] and i not in lists and self._is_content(i)
        ]
        return self._trimmed(self._once(picked))

    def _once(self, picked: Sequence[int]) -> list[int]:
        """Without long texts that stood before: pages bring the same block for wide and for narrow screens."""
        seen: set[str] = set()
        kept: list[int] = []
        for i in picked:
            run = self.runs[i]
            if self.widths[i] > 60 and run.kind not in ("row", "code"):
                if run.text in seen:
                    continue
                seen.add(run.text)
            kept.append(i)
        return kept

    def _link_lists(self, root: Box) -> set[int]:
        """Runs of boxes below `root` that are mostly links."""
        found: set[int] = set()
        for box in self.boxes:
            if box.start < root.start or box.end > root.end or box.end <= box.start or box is root:
                continue
            chars = self.char_sum[box.end] - self.char_sum[box.start]
            links = self.link_sum[box.end] - self.link_sum[box.start]
            if (
                links > self.t.list_links * chars
                and chars < 0.5 * (self.char_sum[root.end] - self.char_sum[root.start])
                and not self._has_rows(box)
            ):
                found.update(range(box.start, box.end))
        return found

    def _is_content(self, i: int) -> bool:
        run = self.runs[i]
        if run.kind in ("code", "row"):
            return True
        return not (len(run.text) < 220 and _FILLER.match(run.text))

    def _trimmed(self, picked: list[int]) -> list[int]:
        """Without the title again, and without headings that nothing follows."""
        kept: list[int] = []
        nearest = 9
        for i in reversed(picked):
            run = self.runs[i]
            if run.kind == "heading":
                if nearest <= run.level:
                    continue
                nearest = run.level
                if run.text.casefold() == self.title.casefold():
                    continue
            else:
                nearest = 9
            kept.append(i)
        return kept[::-1] if kept else picked

    def _is_enough(self, picked: Sequence[int]) -> bool:
        width = sum(self.widths[i] for i in picked)
        rest = sum(w for w, f in zip(self.widths, self.frame, strict=True) if not f)
        # On a short page there is nothing to be gained by choosing, and a line lost may be the answer.
        return width >= (self.t.body_share if width > self.t.short_width else 0.8) * rest and width > 0

    def _body(self) -> list[int]:
        open_runs = [i for i, f in enumerate(self.frame) if not f and self._is_content(i)]
        return open_runs or [i for i, f in enumerate(self.frame) if f < 2]


def _width(text: str) -> int:
    """Length in columns: a Chinese character says as much as two letters."""
    if text.isascii():
        return len(text)
    return 2 * len(text) if len(text.encode("utf-8", "replace")) > 2.2 * len(text) else len(text)


def _sums(values: Sequence[int]) -> list[int]:
    return [0, *accumulate(values)]
