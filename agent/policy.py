"""May this URL be asked for, may this address be connected to? Pure: a canonical URL, or a reason and its class."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urljoin

import idna  # comes with requests, which imports it in any case

from agent.errors import ConfigError, PolicyDenied

DEFAULT_PORTS = {"http": 80, "https": 443}
MAX_URL_CHARS = 8192  # RFC 9110 section 4.1 asks for at least 8000; nothing a search result offers is longer
# Not str.strip(): it would also drop U+001C to U+001F, which are control characters and a reason to refuse.
OUTER_SPACE = " \t\r\n\f\v\u00a0\u1680\u202f\u205f\u3000\u2028\u2029" + "".join(map(chr, range(0x2000, 0x200B)))

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_USERINFO = re.compile(r"^([^/?#]*//)[^/?#]*@")
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ASCII = "".join(map(chr, range(0x21, 0x7F)))

# Lists of our own rather than `is_global`: its answers differ between patch releases of Python (CVE-2024-4032) and let
# through multicast, NAT64, 6to4 and cloud host agents. Sources: IANA special-purpose address registries.
_PRIVATE_4 = (
    "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 "
    "192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 "
    "168.63.129.16/32"  # Azure's host agent stands at a public address
)
_PUBLIC_6 = "2000::/3"  # all that IANA has given out; loopback, link-local, unique-local and multicast stand outside
# IETF protocols (Teredo, ORCHID), documentation, 6to4 (its packets go to the IPv4 address inside), documentation.
_PRIVATE_6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20"
_NAT64 = "64:ff9b::/96"  # RFC 6052: the last 32 bits are the IPv4 address that is really asked

# Names below which strangers register: a whitelist entry like these would admit anyone. A small list by design; the
# public suffix list has 10,000 entries and a user who means one of those is asked nothing.
_SHARED = (
    "co.uk org.uk ac.uk gov.uk me.uk com.au net.au org.au edu.au gov.au co.nz org.nz co.jp ne.jp or.jp ac.jp go.jp "
    "com.cn net.cn org.cn gov.cn edu.cn ac.cn com.tw org.tw gov.tw com.hk org.hk co.kr or.kr co.in org.in gov.in "
    "com.br org.br gov.br com.mx com.ar co.za org.za com.tr com.sg com.my co.id co.il com.ua eu.org uk.com "
    "github.io gitlab.io blogspot.com wordpress.com netlify.app vercel.app pages.dev workers.dev web.app "
    "firebaseapp.com herokuapp.com appspot.com cloudfront.net amazonaws.com s3.amazonaws.com azurewebsites.net "
    "azureedge.net fly.dev onrender.com readthedocs.io nip.io sslip.io ngrok.io ngrok-free.app duckdns.org"
)


@dataclass(frozen=True, slots=True)
class Place:
    """A URL taken apart. `port` is the effective one; `target` is path and query as they go on the wire."""

    scheme: str
    host: str
    port: int
    target: str

    @property
    def netloc(self) -> str:
        """host, or host:port where the port is not the scheme's own."""
        return self.host if self.port == DEFAULT_PORTS[self.scheme] else f"{self.host}:{self.port}"

    @property
    def origin(self) -> str:
        """scheme://host[:port]."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def url(self) -> str:
        """The whole in canonical form."""
        return self.origin + self.target


@dataclass(frozen=True)
class Policy:
    """What a run may read. `sites` are whitelisted domains in ASCII form, `grants` are "host:port" to trust by name.

    Classes of refusal: malformed, scheme, userinfo, port, ip_literal, host_not_allowed.
    """

    sites: tuple[str, ...]
    grants: tuple[str, ...] = ()

    def canonical(self, url: str) -> str:
        """`url` in the one spelling in which it is compared and asked for. Raises PolicyDenied."""
        place = place_of(url)
        if self.granted(place.host, place.port):
            return place.url
        self._admit_host(url, place.host)
        if place.port != DEFAULT_PORTS[place.scheme]:
            raise _denied(url, f"port {place.port} is not allowed, only the default port", "port")
        return Place("https", place.host, DEFAULT_PORTS["https"], place.target).url

    def refusal(self, url: str) -> str:
        """Why `url` may not be asked for; "" when it may."""
        try:
            self.canonical(url)
        except PolicyDenied as err:
            return err.reason
        return ""

    def granted(self, host: str, port: int) -> bool:
        """The user has named exactly this host and port: http and private addresses are all right there."""
        return f"{host}:{port}" in self.grants

    def address_refusal(self, host: str, port: int, address: str) -> str:
        """Why a connection for host:port may not go to `address`; "" when it may. An answer of the resolver."""
        try:
            parsed = ipaddress.ip_address(address)
        except ValueError:
            return f"{host} resolves to {address!r}, which is no address"
        if self.granted(host, port) or is_public(parsed):
            return ""
        return f"{host} resolves to {address}, which is not a public address"

    def _admit_host(self, url: str, host: str) -> None:
        if _is_ip(host):
            raise _denied(url, "addresses are not allowed, only names", "ip_literal")
        # A suffix match needs the dot: "evil-example.org" is not below "example.org".
        if not any(host == site or host.endswith("." + site) for site in self.sites):
            allowed = ", ".join(self.sites[:8]) + (", …" if len(self.sites) > 8 else "")
            raise _denied(url, f"{host} is not whitelisted; allowed: {allowed or 'nothing'}", "host_not_allowed")
        if "_" in host:
            # No public certificate has one (CA/Browser Forum ballot SC 12); hosts in a private network do.
            raise _denied(url, "a public host name has no underscore", "malformed")


def place_of(url: str) -> Place:
    """`url` taken apart by the strictest reading, whoever it points at. Raises PolicyDenied.

    Where parsers disagree (backslash, control characters, percent in the host) nothing is guessed: malformed.
    """
    text = url.strip(OUTER_SPACE)
    if _CONTROL.search(text):
        raise _denied(url, "control characters in the URL", "malformed")
    if not text or len(text) > MAX_URL_CHARS:
        raise _denied(url, f"a URL has 1 to {MAX_URL_CHARS} characters", "malformed")
    scheme = _SCHEME.match(text)
    if not scheme or scheme[1].lower() not in DEFAULT_PORTS:
        raise _denied(url, "only https is allowed; write the whole URL", "scheme")
    rest = text[scheme.end() :].partition("#")[0]
    if "\\" in rest or not rest.startswith("//"):
        raise _denied(url, "not of the form https://host/path", "malformed")
    authority, target = _split(rest[2:])
    if "@" in authority:
        raise _denied(url, "user names in a URL are not allowed", "userinfo")
    host, port = _host_port(url, authority, DEFAULT_PORTS[scheme[1].lower()])
    return Place(scheme[1].lower(), host, port, _encoded(target))


def joined(base: str, reference: str) -> str:
    """Where `reference`, as a Location or a link has it, leads from `base`. Not canonical yet. Raises PolicyDenied."""
    text = reference.strip(OUTER_SPACE)
    # Before urljoin, which drops tabs and line breaks and so would repair what has to be refused.
    if not text or _CONTROL.search(text) or "\\" in text.partition("#")[0]:
        raise _denied(reference, f"{base} redirects to no valid URL", "malformed")
    # "https:path" and "///host" are a path to urljoin and a host to browsers; left as they are, place_of refuses them.
    if text.startswith("//"):
        return place_of(base).scheme + ":" + text
    return text if _SCHEME.match(text) else urljoin(base, text)


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """A place on the public internet. What carries an IPv4 address inside is judged by that, or refused."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _networks(_PRIVATE_4))
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped:
        return is_public(address.ipv4_mapped)
    if address in ipaddress.IPv6Network(_NAT64):
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return address in ipaddress.IPv6Network(_PUBLIC_6) and not any(address in n for n in _networks(_PRIVATE_6))


def site_entry(text: str) -> str:
    """A whitelist entry as the user writes it ("Example.org", "*.example.org") in the form Policy wants.

    The domain and all names below it are meant. Raises ConfigError.
    """
    entry = text.strip().lower()
    if any(mark in entry for mark in "/?#@\\"):
        raise ConfigError(f"--allow {text}: write the domain alone, as in --allow example.org")
    if ":" in entry or _is_ip(entry):
        raise ConfigError(f"--allow {text}: not a domain; --allow-private HOST:PORT admits one host on one port")
    host = _ascii(entry.removeprefix("*.").removesuffix("."))
    if not _is_name(host):
        raise ConfigError(f"--allow {text}: not a domain name; write it as in --allow example.org")
    if "." not in host or host in _SHARED.split():
        raise ConfigError(f"--allow {text}: too wide, strangers have names below it; name one domain below it")
    return host


def grant_entry(text: str) -> str:
    """A private host as the user writes it, "HOST:PORT", in the form Policy wants. Raises ConfigError."""
    host, _, port = text.strip().lower().rpartition(":")
    try:
        place = place_of(f"http://{host}:{port}/")
    except PolicyDenied as err:
        raise ConfigError(f"--allow-private {text}: write HOST:PORT, as in wiki.lan:8080") from err
    if not host or not port or place.target != "/" or not place.port:
        raise ConfigError(f"--allow-private {text}: write HOST:PORT, as in wiki.lan:8080")
    return f"{place.host}:{place.port}"


def _denied(url: str, reason: str, kind: str) -> PolicyDenied:
    return PolicyDenied(shown(url), reason, kind)


def shown(url: str) -> str:
    """`url` fit for a message: one line, of bearable length, without a password."""
    plain = _USERINFO.sub(r"\1***@", url[:200])
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in plain)


def without_user(url: str) -> str:
    """`url` without user name and password."""
    return _USERINFO.sub(r"\1", url)


def _split(rest: str) -> tuple[str, str]:
    """Authority, and path with query; an empty path is "/"."""
    end = min((at for mark in "/?" if (at := rest.find(mark)) >= 0), default=len(rest))
    authority, target = rest[:end], rest[end:]
    return authority, target if target.startswith("/") else "/" + target


def _host_port(url: str, authority: str, default: int) -> tuple[str, int]:
    if authority.startswith("["):
        return _bracketed(url, authority, default)
    host, colon, digits = authority.partition(":")
    if not host.isascii():
        # Also keeps out what lower() would turn into a letter: KELVIN SIGN is no k.
        raise _denied(url, "only ASCII host names are allowed; write it in its xn-- form", "host_not_allowed")
    host = host.lower().removesuffix(".")
    if not _is_name(host):
        raise _denied(url, f"{host!r} is no host name", "malformed")
    return host, _port(url, digits) if colon and digits else default


def _bracketed(url: str, authority: str, default: int) -> tuple[str, int]:
    inside, closed, after = authority[1:].partition("]")
    try:
        address = ipaddress.IPv6Address(inside)
    except ValueError as err:
        raise _denied(url, "no valid IPv6 address, and addresses are not allowed", "ip_literal") from err
    if not closed or (after and not after.startswith(":")) or address.scope_id is not None:
        raise _denied(url, "no valid IPv6 address, and addresses are not allowed", "ip_literal")
    return f"[{address}]", _port(url, after[1:]) if after[1:] else default


def _port(url: str, digits: str) -> int:
    # isdigit() alone is true of fullwidth digits, and int() reads them.
    if not (digits.isascii() and digits.isdigit()) or len(digits.lstrip("0")) > 5 or int(digits) > 65535:
        raise _denied(url, "the port is no number up to 65535", "malformed")
    return int(digits)


def _is_name(host: str) -> bool:
    """RFC 1035 section 2.3.4 for the sizes; the underscore is in use though RFC 952 has none."""
    return 0 < len(host) <= 253 and all(_LABEL.fullmatch(label) for label in host.split("."))


def _is_ip(host: str) -> bool:
    """An address in any spelling that getaddrinfo reads: 127.1, 0x7f000001, 0177.0.0.1, 2130706433.

    WHATWG URL, "ends in a number": a last label that is a number makes the whole an IPv4 address. No such TLD exists.
    """
    return ":" in host or bool(_NUMBER.fullmatch(host.rpartition(".")[2]))


def _encoded(target: str) -> str:
    """Blanks, non-ASCII and a lone % as escapes; what is escaped already stays as it is, letter case included."""
    return quote(_LONE_PERCENT.sub("%25", target), safe=_ASCII)


def _ascii(host: str) -> str:
    """The A-label form of a name, "" for one that has none."""
    if host.isascii():
        return host
    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return ""


def _networks(text: str) -> Iterable[ipaddress.IPv4Network | ipaddress.IPv6Network]:
    return map(ipaddress.ip_network, text.split())
