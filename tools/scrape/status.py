"""Is this the page that was asked for? Shells, refusals, walls and not-found pages served with status 200."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urljoin

_SHORT = 900  # characters; the notices below are only believed on a page that says little else
_NOT_FOUND = re.compile(
    r"page (?:you (?:are|were) looking for )?(?:was |is |could |can ?)?(?:not|no longer"
    r"|n[o']t) (?:be )?(?:found|exist|available)|(?:could|can)(?: ?not|n['’]t) (?:be found|find (?:the|that"
    r"|this) page)|page not found|no longer available"
    r"|does(?: not|n['’]t) exist|404 (?:error|not found)|error 404|not found|seite nicht gefunden"
    r"|page introuvable|página no encontrada|pagina non trovata|strona nie istnieje"
    r"|页面不存在|找不到(?:该|此|您|网)?.{0,6}页|無法找到|无法找到|已(?:被)?删除|内容不存在"
    r"|頁面不存在|ページが見つかりません|お探しのページ"
    r"|has been (?:removed"
    r"|deleted)|(?:may|might) have (?:been )?(?:moved|removed|deleted)",
    re.IGNORECASE,
)
_NOT_FOUND_TITLE = re.compile(
    r"(?:^|\W)404(?:\W|$)|not found|nicht gefunden|introuvable|no encontrada"
    r"|不存在|找不到|見つかりません"
    r"|^(?:oops|error)",
    re.IGNORECASE,
)
_BLOCKED = re.compile(
    r"verif(?:y|ying) (?:that )?you are (?:a )?human|checking (?:if the site connection|your browser)"
    r"|needs to review the security of your connection|enable javascript and cookies to continue"
    r"|access (?:to this page has been )?denied"
    r"|you don['’]t have permission to access|are you a (?:robot|human)|unusual traffic|attention required"
    r"|request (?:was )?(?:blocked|unsuccessful)|security check|captcha|ray id|pardon our interruption"
    r"|bot detection|automated access"
    r"|请完成安全验证|访问(?:被拒绝|过于频繁)|人机验证|安全验证|滑动验证"
    r"|403 forbidden|you have been blocked|prove you.re (?:not a robot"
    r"|human)|human verification",
    re.IGNORECASE,
)
_BLOCKED_TITLE = re.compile(
    r"just a moment|access denied|attention required|forbidden|robot|captcha|are you human|security check|安全验证"
    r"|请稍候|blocked|pardon our",
    re.IGNORECASE,
)
_BLOCKED_SOURCE = (
    "_cf_chl_opt",
    "cf-challenge",
    "challenge-platform",
    "px-captcha",
    "/_incapsula_resource",
    "geo.captcha-delivery.com",
)
_SCRIPTS = re.compile(
    r"(?:enable|requires?|needs?|turn(?:ed)? on|activate|without|switch on"
    r"|allow)\W{0,3}(?:\w+\W+){0,4}java ?script|java ?script (?:\w+ ){0,5}(?:disabled|required|enabled|enable"
    r"|turned off|activ)|javascript (?:aktivieren|activé)|启用 ?javascript|開啟 ?javascript|javascriptを有効",
    re.IGNORECASE,
)
_WALL = re.compile(
    r"subscri(?:be|bers?|ption)\b.{0,60}(?:continue|read|access|unlimited|full|only|month|week)|(?:continue"
    r"|keep|finish) reading|to read (?:on|more|the (?:full|rest))|(?:create|register for) (?:a"
    r"|your) free account|already (?:a subscriber|registered|have an account)"
    r"|for subscribers only|members[- ]only|(?:jetzt )?weiterlesen mit|réservé aux abonnés|abonnez-vous"
    r"|(?:suscríbete|hazte suscriptor)|订阅(?:后|以)(?:阅读|继续)|付费(?:阅读|内容)|会员专享"
    r"|登录后(?:查看|阅读)"
    r"|剩余.{0,10}付费|有料会員"
    r"|この記事は有料",
    re.IGNORECASE,
)
_WALL_HINT = re.compile(
    r"paywall|regwall|piano-|tp-modal|subscriber-only|premium-wall|metered|gate(?:d|way)?(?:$|[\s_-])"
)
_REFRESH = re.compile(r"\s*+(\d{0,6})[.\d]*+\s*+[;,]?\s*+(?:url\s*+=\s*+)?(.*+)", re.IGNORECASE | re.DOTALL)
_APP_ROOTS = ("__next", "app", "root", "__nuxt", "___gatsby", "main-app", "react-root", "ember-app", "svelte")


def refresh_target(root: Any, url: str) -> str:
    """Absolute target of a `meta refresh` that leads to another page within 30 seconds, "" when there is none."""
    for el in root.iter("meta"):
        if (el.get("http-equiv") or "").lower() == "refresh" and el.get("content"):
            m = _REFRESH.match(el.get("content"))
            target = m[2].strip().strip("'\"") if m else ""
            if m and target and int(m[1] or 0) <= 30:
                return resolved(url, target)
    return ""


def resolved(url: str, href: str) -> str:
    """`href` as an absolute URL without its fragment, "" for what is no web address."""
    href = href.strip()
    if href[:11].lower() == "javascript:" or href.startswith(("#", "mailto:", "tel:", "data:")):
        return ""
    try:
        target = urljoin(url, href)
    except ValueError:
        return ""
    return target.partition("#")[0] if target.startswith(("http://", "https://", "/", "?")) or not url else ""


def judge(
    *, title: str, whole: str, content: str, source: str, free: bool, hints: str, has_app_root: bool, article: bool
) -> str:
    """The page's status. `whole` is all visible text, `content` what was chosen of it, `hints` the classes seen."""
    short = len(whole) < _SHORT
    if short and ((_BLOCKED_TITLE.search(title) and _BLOCKED.search(whole)) or _is_challenge(source, whole)):
        return "blocked"
    if len(content) < _SHORT and _is_not_found(title, content):
        return "not_found"
    if _is_shell(content, source, has_app_root):
        return "js_required"
    if _is_walled(content, whole, free, hints):
        return "paywall"
    return "ok"


def _is_challenge(source: str, whole: str) -> bool:
    lowered = source[:200_000].lower()
    return (any(mark in lowered for mark in _BLOCKED_SOURCE) and len(whole) < 600) or (
        len(whole) < 300 and bool(_BLOCKED.search(whole))
    )


def _is_not_found(title: str, content: str) -> bool:
    notices = len(_NOT_FOUND.findall(content[:_SHORT]))
    if not notices:
        return bool(_NOT_FOUND_TITLE.search(title)) and len(content) < 60
    # An article about missing pages says so in long sentences of its own; a notice is short or owns the title.
    return len(content) < 180 or (bool(_NOT_FOUND_TITLE.search(title)) and len(content) < 200 * notices)


def _is_shell(content: str, source: str, has_app_root: bool) -> bool:
    if len(content) < 400 and _SCRIPTS.search(content):
        return True
    return len(content) < 40 and (has_app_root or source.count("<script") > 3) and "<script" in source


def _is_walled(content: str, whole: str, free: bool, hints: str) -> bool:
    if not free:
        return len(content) < 4000
    return bool(_WALL_HINT.search(hints)) and bool(_WALL.search(whole[-4000:])) and len(content) < 1500


def has_app_root(root: Any) -> bool:
    """An empty element that a script is to fill."""
    return any(el.get("id") in _APP_ROOTS and len(el) == 0 and not (el.text or "").strip() for el in root.iter("div"))
