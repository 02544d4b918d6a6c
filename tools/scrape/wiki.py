"""MediaWiki pages of any host: what belongs to the article and what to the software around it."""

from __future__ import annotations

from typing import Any

from tools.scrape.words import words

_DROPPED_CLASSES = words(
    "mw-editsection reference navbox navbox-styles vertical-navbox hatnote dablink noprint metadata ambox tmbox "
    "mbox-small toc toclimit-2 toclimit-3 reflist references mw-references-wrap mw-cite-backlink shortdescription "
    "sistersitebox portalbox portal-bar authority-control mw-jump-link mw-empty-elt printfooter catlinks "
    "navigation-not-searchable Inline-Template error rellink mw-indicators mw-kartographer-container sidebar "
    "nomobile geo-nondefault geo-multi-punct mw-heading-edit box-Unreferenced plainlinksneverexpand stub asbox "
    "refbegin infobox-below-nav navbar mw-collapsible-toggle wikitable-nav mw-hidden-catlinks mw-normal-catlinks"
)
_DROPPED_IDS = words(
    "toc siteSub contentSub jump-to-nav catlinks siteNotice mw-navigation mw-head mw-panel footer coordinates "
    "mw-page-base"
)
_TAIL_SECTIONS = words(
    "references notes footnotes citations bibliography sources einzelnachweise weblinks références liens_externes "
    "referencias enlaces_externos 参考资料 参考文献 外部链接 外部連結 "
    "參考資料 注释 註釋 脚注 出典 外部リンク "
    "external_links further_reading "
    "see_also notes_and_references references_and_notes siehe_auch 延伸阅读 参见 參見"
)


def body_of(root: Any) -> Any | None:
    """The element that holds a MediaWiki article, None for any other page."""
    found = root.xpath("//*[@id='mw-content-text']") or root.xpath(
        "//*[contains(concat(' ', @class, ' '), ' mw-parser-output ')]"
    )
    return found[0] if found else None


def dropped(body: Any) -> frozenset[Any]:
    """Elements of the article's body that are not its text: citation marks, edit links, navigation boxes, templates."""
    gone: set[Any] = set()
    for el in body.iter():
        classes = el.get("class")
        if (classes and not _DROPPED_CLASSES.isdisjoint(classes.split())) or el.get("id") in _DROPPED_IDS:
            gone.add(el)
    gone.update(_tail(body))
    return frozenset(gone)


def _tail(body: Any) -> list[Any]:
    """Headings of the sections of references and links, and what follows each up to the next heading."""
    gone: list[Any] = []
    for heading in body.iter("h2"):
        name = (
            heading.get("id") or next((s.get("id") for s in heading.iter("span") if s.get("id")), "") or ""
        ).casefold()
        if name not in _TAIL_SECTIONS:
            continue
        parent = heading.getparent()
        start = parent if parent is not None and "mw-heading" in (parent.get("class") or "") else heading
        gone.append(start)
        for after in start.itersiblings():
            if after.tag == "h2" or (after.find("h2") is not None and "mw-heading" in (after.get("class") or "")):
                break
            gone.append(after)
    return gone
