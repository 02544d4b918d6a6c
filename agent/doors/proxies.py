"""Who is asked through which proxy. Pure."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proxies:
    """URL of a proxy for each scheme, and whom to reach without: comma-separated names, "*" for all."""

    http: str = ""
    https: str = ""
    no_proxy: str = ""

    def of(self, scheme: str, host: str, port: int) -> str:
        """The proxy for a request; "" for none. This machine itself is never asked through one."""
        if host == "localhost" or _is_loopback(host) or self._excluded(host, port):
            return ""
        return self.https if scheme == "https" else self.http

    def _excluded(self, host: str, port: int) -> bool:
        for entry in (part.strip().lower() for part in self.no_proxy.split(",")):
            name = entry.removesuffix(f":{port}").removeprefix("*.").removeprefix(".")
            if name and (name == "*" or host == name or host.endswith("." + name) or _in_network(host, name)):
                return True
        return False


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _in_network(host: str, network: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")) in ipaddress.ip_network(network)
    except ValueError:
        return False
