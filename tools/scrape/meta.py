"""What a page says of itself: title, language, kind, dates, next page."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from tools.scrape import jsonld
from tools.scrape.chars import clean
from tools.scrape.dates import day_in, stamp
from tools.scrape.words import words

_PUBLISHED = (
    "article:published_time", "og:article:published_time", "datepublished", "date.published", "publish_date",
    "publishdate", "pubdate", "publication_date", "sailthru.date", "parsely-pub-date", "dc.date.issued",
    "dcterms.created", "dcterms.issued", "dc.date.created", "dc.date", "dcterms.date", "citation_publication_date",
    "citation_date", "originalpublicationdate", "article_date_original", "cxenseparse:recs:publishtime",
    "shareaholic:article_published_time", "apub:time", "firstpublishedtime", "rnews:datepublished", "bt:pubdate",
    "article.published", "published", "publishtime", "og:published_time", "date", "og:pubdate", "displaydate",
    "created", "video:release_date", "og:release_date", "weibo:article:create_at",
)  # fmt: skip
_MODIFIED = (
    "article:modified_time", "og:updated_time", "og:article:modified_time", "datemodified", "dcterms.modified",
    "dc.date.modified", "last-modified", "lastmod", "article.updated", "modified", "revised",
    "weibo:article:update_at",
)  # fmt: skip
_DATED = re.compile(
    r"date|publi|time|posted|byline|created|entry-meta|post-meta|meta|info|source|datum|fecha|laiyuan"
    r"|timestamp|zeit|subtitle|author"
)
_UPDATE = re.compile(
    r"updated?\b|modified|revised|更新|修改|aktualisiert|mise? à jour|actualizado|zuletzt|stand:", re.IGNORECASE
)
_FOREIGN = re.compile(
    r"related|sidebar|comment|footer|widget|recommend|latest|recent|aside|teaser|popular|nav|copyright|calendar"
)
_IN_URL = re.compile(
    r"/((?:19|20)\d\d)[/-]?(0[1-9]|1[0-2])[/-]?(0[1-9]|[12]\d|3[01])(?=[/_.-]|$)|[/_-]((?:19"
    r"|20)\d\d)-(\d\d)-(\d\d)(?!\d)|/t((?:19|20)\d\d)(\d\d)(\d\d)_"
)
_COPYRIGHT = re.compile(r"©|copyright|\(c\)|all rights|版权|版權", re.IGNORECASE)
_SEPARATORS = re.compile(r"\s+[|–—·»•_-]+\s+|\s*[_|｜]\s*|\s+::\s+")
_DAY_FIRST = words("de fr es it pt pl nl ru cs sk da no nb sv fi el tr uk ro hu bg hr sl")


@dataclass(frozen=True, slots=True)
class About:
    """What the document's head and its JSON-LD say. `is_article`, `is_forum` and `free` are the page's own claims."""

    metas: Mapping[str, str]
    objects: tuple[Mapping[str, Any], ...]
    title: str
    lang: str
    is_article: bool
    is_forum: bool
    free: bool  # False when the page says that it is not free to read

    def day_first(self, locale: str = "") -> bool | None:
        """Whether 04/05 is the fourth of May in this page's language; None where that is not certain."""
        lang = (self.lang or locale).lower().replace("_", "-")
        if lang.split("-")[0] in _DAY_FIRST or lang in ("en-gb", "en-au", "en-nz", "en-ie", "en-in"):
            return True
        return False if lang == "en-us" else None


def about(root: Any) -> About:
    """Read the head once."""
    metas = _metas(root)
    objects = jsonld.objects(root)
    kinds = frozenset().union(*(jsonld.types(item) for item in objects)) if objects else frozenset()
    body = root.find("body")
    classes = (body.get("class") or "").lower() if body is not None else ""
    article = metas.get("og:type", "").lower() in ("article", "news", "blog", "post") or bool(kinds & jsonld.ARTICLES)
    forum = bool(kinds & (jsonld.FORUMS - {"FAQPage"})) or bool(
        re.search(
            r"phpbb|vbulletin|discourse|xenforo|smf|mybb|vanilla|invision",
            metas.get("generator", "").lower() + root.get("id", "").lower() + classes,
        )
    )
    free = not any(str(item.get("isAccessibleForFree", "")).lower() == "false" for item in objects)
    return About(
        metas,
        objects,
        _title(root, metas, objects),
        _lang(root, metas),
        article or "single-post" in classes,
        forum,
        free,
    )


def _metas(root: Any) -> dict[str, str]:
    metas: dict[str, str] = {}
    for el in root.iter("meta"):
        name = el.get("property") or el.get("name") or el.get("itemprop") or el.get("http-equiv")
        content = el.get("content")
        if name and content and content.strip():
            metas.setdefault(name.strip().lower(), content.strip())
    return metas


def _lang(root: Any, metas: Mapping[str, str]) -> str:
    lang: str = (
        root.get("lang")
        or root.get("{http://www.w3.org/XML/1998/namespace}lang")
        or metas.get("content-language", "")
        or metas.get("og:locale", "")
    )
    return lang.strip()[:20]


def _title(root: Any, metas: Mapping[str, str], objects: Sequence[Mapping[str, Any]]) -> str:
    head = root.find(".//title")
    named = clean("".join(head.itertext())) if head is not None else ""
    shared = clean(metas.get("og:title", "") or metas.get("twitter:title", ""))
    headings = [clean(" ".join(h.itertext())) for _, h in zip(range(4), root.iter("h1"), strict=False)]
    for text in (h for h in headings if len(h) > 2):
        if _same(text, named) or _same(text, shared):
            return text
    headline = next((clean(jsonld.text_of(o, "headline")) for o in objects if jsonld.types(o) & jsonld.ARTICLES), "")
    if shared:
        return _without_site(shared, metas)
    return _without_site(named, metas) or headline or next((h for h in headings if h), "")


def _same(heading: str, title: str) -> bool:
    return bool(title) and heading.casefold() in title.casefold()


def _without_site(title: str, metas: Mapping[str, str]) -> str:
    site = metas.get("og:site_name", "").casefold()
    parts = _SEPARATORS.split(title)
    if len(parts) < 2:
        return title
    if site and parts[-1].casefold() in (site, site.removeprefix("the ")):
        return title[: title.rfind(parts[-1])].rstrip(" |–—·»•_-｜:")
    longest = max(parts, key=len)
    return longest if longest == parts[0] and len(longest) > 0.5 * len(title) else title


@dataclass(frozen=True, slots=True)
class Dates:
    """Days on which a page was published and last changed."""

    published: date | None = None
    modified: date | None = None


def dates(root: Any, page: About, url: str, heads: Sequence[tuple[str, str]], now: datetime | None) -> Dates:
    """Published and modified day. `heads` is (hint, text) of the short lines around the title, in order."""
    published = _first(_stamps(page, "datePublished", _PUBLISHED), page)
    modified = _first(_stamps(page, "dateModified", _MODIFIED), page)
    published = published or _marked(root, page) or _spoken(heads, page, now, updates=False) or _in_url(url)
    modified = modified or _spoken(heads, page, now, updates=True)
    if now and published and published > now.date():
        published = None
    return Dates(published, modified)


def _first(stamps: Iterator[str], page: About) -> date | None:
    return next((day for day in (stamp(s, page.day_first()) for s in stamps) if day), None)


def _stamps(page: About, key: str, names: Sequence[str]) -> Iterator[str]:
    for item in page.objects:
        if jsonld.types(item) & jsonld.ARTICLES and jsonld.text_of(item, key):
            yield jsonld.text_of(item, key)
    for name in names:
        if name in page.metas:
            yield page.metas[name]
    for item in page.objects:
        if not jsonld.types(item) & {"Comment", "Review", "VideoObject", "ImageObject", "Answer"} and jsonld.text_of(
            item, key
        ):
            yield jsonld.text_of(item, key)


def _marked(root: Any, page: About) -> date | None:
    """A `time` element or a published property, outside of asides and lists of other articles."""
    loose: list[date] = []
    for el in root.iter("time", "abbr", "span", "meta", "p", "div"):
        prop = (el.get("itemprop") or el.get("property") or "").lower()
        if el.tag != "time" and not prop and not (el.tag == "abbr" and el.get("title")):
            continue
        is_published = "datepublished" in prop or "datecreated" in prop or el.get("pubdate") is not None
        if (el.tag != "time" and not is_published and "published" not in (el.get("class") or "")) or "modif" in prop:
            continue
        day = stamp(el.get("datetime") or el.get("content") or el.get("title") or "", page.day_first()) or stamp(
            clean("".join(el.itertext()))[:60], page.day_first()
        )
        if day is None or _is_foreign(el):
            continue
        if is_published:
            return day
        if not re.search(r"updat|modif", (el.get("class") or "").lower()):
            loose.append(day)
    return loose[0] if loose else None


def _is_foreign(el: Any) -> bool:
    for up, _ in zip(el.iterancestors(), range(12), strict=False):
        if up.tag in ("aside", "footer", "nav", "li") or _FOREIGN.search(
            f"{up.get('class') or ''} {up.get('id') or ''}".lower()
        ):
            return bool(up.tag != "body")
    return False


def _spoken(heads: Sequence[tuple[str, str]], page: About, now: datetime | None, *, updates: bool) -> date | None:
    """A date in a line around the title: one in a place named for dates first, then any short line."""
    usable = [
        (hint, text) for hint, text in heads if bool(_UPDATE.search(text)) == updates and not _COPYRIGHT.search(text)
    ]
    for named in (True, False):
        for hint, text in usable:
            if (named and not _DATED.search(hint)) or (not named and len(text) > 100):
                continue
            day = day_in(text, now if len(text) < 60 else None, page.day_first())
            if day:
                return day
    return None


def _in_url(url: str) -> date | None:
    m = _IN_URL.search(url)
    if not m:
        return None
    year, month, day = [g for g in m.groups() if g]
    return stamp(f"{year}-{month}-{day}")


def next_page(root: Any) -> str:
    """The `href` of the page that continues this one, as written; "" when there is none."""
    for el in root.iter("link", "a"):
        if "next" in (el.get("rel") or "").lower().split() and el.get("href"):
            return str(el.get("href"))
    for el in root.iter("a"):
        label = (el.get("aria-label") or el.get("title") or "").strip().lower()
        text = (el.text or "").strip().lower()
        if el.get("href") and (
            label in ("next page", "next", "nächste seite", "page suivante", "下一页", "下一頁")
            or text in ("下一页", "下一頁", "next page", "next page »", "next »")
        ):
            return str(el.get("href"))
    return ""
