"""Which servers may see a token."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Optional
from urllib.parse import urlsplit

from .errors import LatchkeyError

_DEFAULT_PORTS = {"https": 443, "http": 80}
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")


def origin_of(url: str) -> str:
    """Scheme, host and port, as ``https://data.example.com:8443``. Raises ValueError for anything that isn't one."""
    # SECURITY: parsers disagree about these, and the one that connects must not read another host.
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise ValueError(f"not an address: {url!r}")
    parts = urlsplit(url)
    if parts.scheme not in _DEFAULT_PORTS or not parts.hostname:
        raise ValueError(f"not an http address: {url!r}")
    return build_origin(parts.scheme, parts.hostname, parts.port)


def build_origin(scheme: str, host: str, port: Optional[int]) -> str:
    host = host.lower().rstrip(".").strip("[]")
    # SECURITY: a token is never sent in the clear over a network.
    if scheme == "http" and not _LOOPBACK.fullmatch(host):
        raise ValueError(f"https is needed for {host}")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}")


def origins_of(hosts: Optional[Iterable[str]]) -> frozenset[str]:
    """The origins of the addresses a caller names; of a base URL only the origin counts."""
    if isinstance(hosts, str):
        raise TypeError("hosts is a list of addresses, such as ['https://api.example.com']")
    return frozenset(origin_of(host) for host in hosts or ())


def is_allowed(url: str, own: Optional[str], others: frozenset[str]) -> bool:
    """True if this server may see a token of the connection whose service is at ``own``."""
    try:
        origin = origin_of(url)
    except ValueError:
        return False
    return origin in others or (own is not None and origin == origin_of(own))


def check_allowed(url: str, own: Optional[str], others: frozenset[str]) -> None:
    if not is_allowed(url, own, others):
        allowed = ", ".join(sorted(others | ({own} if own else set()))) or "no host"
        raise LatchkeyError(
            "foreign_host",
            f"The token isn't sent to {_shown(url)}, only to {allowed}. Name another server in hosts to send it there.",
        )


def _shown(url: str) -> str:
    parts = urlsplit(re.sub(r"[\x00-\x20\x7f\\]", "", url))
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
