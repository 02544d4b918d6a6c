"""Google's Custom Search JSON API: for keys that exist already, until 2027-01-01."""

from __future__ import annotations

from typing import Any

from agent.types import Endpoint, Fetched, Hit, ServiceRequest
from tools.search.clean import hit, line
from tools.search.provider import ASKED, Failure, Provider, check_status, document, failed, limited

ENDS = "2027-01-01"  # developers.google.com/custom-search/v1/overview
ORIGIN = "https://customsearch.googleapis.com"
PATH = "/customsearch/v1"

# Machine codes in lower case: errors[].reason, details[].reason, then status, from the narrow to the wide. A status
# number says little: 403 stands for a spent quota and for a disabled API, 400 for a wrong key.
_DAY = {"dailylimitexceeded", "dailylimitexceededunreg", "quotaexceeded", "limitexceeded"}
_PACE = {
    "ratelimitexceeded",
    "userratelimitexceeded",
    "concurrentlimitexceeded",
    "rate_limit_exceeded",
    "resource_exhausted",
}
_KEY = {
    "keyinvalid",
    "keyexpired",
    "api_key_invalid",
    "api_key_expired",
    "api_key_service_blocked",
    "api_key_http_referrer_blocked",
    "api_key_ip_address_blocked",
    "accessnotconfigured",
    "service_disabled",
    "billing_disabled",
    "billingnotenabled",
    "iprefererblocked",
    "autherror",
    "insufficientpermissions",
    "forbidden",
    "unauthenticated",
    "permission_denied",
    "consumer_invalid",
    "consumer_suspended",
}
_DOWN = {"backenderror", "internalerror", "internal", "unavailable", "deadline_exceeded", "servingerror"}


def request(query: str, endpoint: Endpoint, sites: tuple[str, ...], lang: str) -> ServiceRequest:
    """One site goes into the API's own filter, several into operators."""
    base = (endpoint.base_url or ORIGIN).rstrip("/").removesuffix(PATH)
    params = [
        # Not revealed: a Secret goes on the wire as it is and prints as asterisks until then.
        ("key", endpoint.keys[0] if endpoint.keys else ""),
        ("cx", endpoint.extra.get("cx", "")),
        ("num", str(ASKED)),
        ("hl", {"zh": "zh-CN"}.get(lang, lang)),
    ]
    if len(sites) == 1:
        params += [("q", query), ("siteSearch", sites[0]), ("siteSearchFilter", "i")]
    else:
        params.append(("q", limited(query, sites)))
    return ServiceRequest(base + PATH, tuple(params))


def parse(fetched: Fetched, endpoint: Endpoint) -> tuple[Hit, ...]:
    """`items` is missing when nothing was found; then `kind` and its like show that it is this API that answers."""
    reply = document("google", fetched)
    if "error" in reply:
        raise _failure(reply["error"], fetched)
    check_status("google", fetched)
    items = reply.get("items")
    if items is None and {"kind", "searchInformation", "queries", "items"} & reply.keys():
        items = []
    if not isinstance(items, list):
        raise failed(Failure.PARSE_CHANGED, "google", fetched, "answered without a list of items")
    found = (hit("google", i.get("title"), i.get("link"), i.get("snippet")) for i in items if isinstance(i, dict))
    return tuple(h for h in found if h)


def _failure(error: Any, fetched: Fetched) -> Exception:
    """What an error object means; it may come with status 200 through a proxy."""
    fields = error if isinstance(error, dict) else {"message": str(error)}
    code = fields.get("code")
    status = code if isinstance(code, int) else fetched.status
    message = line(str(fields.get("message") or ""))
    kind = _kind(_reasons(fields), message.lower(), status)
    if fetched.retrieved >= ENDS and status in (403, 404, 410) and kind not in (Failure.QUOTA, Failure.RATE_LIMITED):
        kind, message = Failure.GONE, f"Google ended this API on {ENDS}"
    return failed(kind, "google", fetched, f"answered {status}: {message[:160]}".rstrip(": "))


def _kind(reasons: set[str], message: str, status: int) -> Failure:
    spent = "quota" in message or "limit exceeded" in message
    if reasons & (_DAY | _PACE) or (spent and not reasons & _KEY):
        day = reasons & _DAY or not reasons & _PACE or "per day" in message
        return Failure.QUOTA if day else Failure.RATE_LIMITED
    # The oldest form of a wrong key has no code but badRequest.
    if reasons & _KEY or status in (401, 403) or "api key" in message:
        return Failure.AUTH
    if reasons & _DOWN or status >= 500:
        return Failure.UNAVAILABLE
    if status == 429:
        return Failure.RATE_LIMITED
    return Failure.GONE if status in (404, 410) else Failure.BAD_REQUEST


def _reasons(error: dict[str, Any]) -> set[str]:
    """The machine codes of an error object."""
    parts = [part for name in ("errors", "details") for part in _list(error.get(name)) if isinstance(part, dict)]
    return {str(code).lower() for code in (error.get("status"), *(part.get("reason") for part in parts)) if code}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


GOOGLE = Provider(
    "google",
    request,
    parse,
    origin=ORIGIN,
    notice=f"google's Custom Search API ends on {ENDS}",
)
