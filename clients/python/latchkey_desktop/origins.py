"""Decides which servers may receive a token."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Optional
from urllib.parse import urlsplit

from .errors import LatchkeyError

_DEFAULT_PORTS = {"https": 443, "http": 80}
_LOOPBACK = re.compile(r"localhost|127(\.\d{1,3}){3}|::1")


def origin_of(url: str) -> str:
    """Scheme, host and port, such as ``https://data.example.com:8443``. Raises ValueError for an invalid address."""
    # SECURITY: URL parsers disagree about these characters, so the HTTP library could connect to another host than the
    # one checked here.
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise ValueError("not an address")
    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname, parts.port
    except ValueError:
        # SECURITY: the parser's message quotes the address, which can contain a password.
        raise ValueError("not an address") from None
    if scheme not in _DEFAULT_PORTS or not host:
        raise ValueError("not an https address")
    return build_origin(scheme, host, port)


def build_origin(scheme: str, host: str, port: Optional[int]) -> str:
    host = host.lower().rstrip(".").strip("[]")
    # SECURITY: never send a token unencrypted over a network.
    if scheme == "http" and not is_loopback(host):
        raise ValueError(f"https is needed for {host}")
    shown = f"[{host}]" if ":" in host else host
    return f"{scheme}://{shown}" + ("" if port in (None, _DEFAULT_PORTS[scheme]) else f":{port}")


def is_loopback(host: str) -> bool:
    """``host`` is in lower case, and an IPv6 address has no brackets."""
    return _LOOPBACK.fullmatch(host) is not None


def pinned(url: str) -> str:
    """Replaces ``localhost`` in an http URL with 127.0.0.1, the address that Latchkey itself uses.

    With https, the certificate shows who answers, so the URL stays as it is.
    """
    parts = urlsplit(url)
    if not is_plain(url) or (parts.hostname or "").rstrip(".") != "localhost":
        return url
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    port = "" if parts.port is None else f":{parts.port}"
    return parts._replace(netloc=f"{user}127.0.0.1{port}").geturl()


def is_plain(url: str) -> bool:
    return urlsplit(url).scheme == "http"


def origins_of(hosts: Optional[Iterable[str]]) -> frozenset[str]:
    """The origins of the addresses that a caller lists. Paths don't matter."""
    if isinstance(hosts, str):
        raise TypeError("hosts is a list of addresses, such as ['https://api.example.com']")
    return frozenset(origin_of(host) for host in hosts or ())


def is_allowed(url: str, own: Optional[str], others: frozenset[str]) -> bool:
    """True if this server may receive a token of the connection whose service is at ``own``."""
    origin = _origin_or_none(url)
    allowed = allowed_origins(own, others)
    return origin is not None and (origin in allowed or origin in [pinned(each) for each in allowed])


def allowed_origins(own: Optional[str], others: frozenset[str]) -> frozenset[str]:
    origin = None if own is None else _origin_or_none(own)
    return others if origin is None else others | {origin}


def check_allowed(
    url: str, own: Optional[str], others: frozenset[str], connection_at: Callable[[str], Optional[str]]
) -> None:
    if not is_allowed(url, own, others):
        allowed = ", ".join(sorted(allowed_origins(own, others))) or "no host"
        # SECURITY: the message leaves out the rest of the address, which can contain a password.
        origin = _origin_or_none(url)
        # SECURITY: hosts must not list another connection's service, so the message doesn't advise that.
        name = None if origin is None else connection_at(origin)
        advice = (
            "Name another server in hosts to send it there."
            if name is None
            else f'That is the service of another connection: use connection="{name}".'
        )
        message = f"The token isn't sent to {origin or 'this address'}, only to {allowed}. {advice}"
        raise LatchkeyError("foreign_host", message)


def _origin_or_none(url: str) -> Optional[str]:
    try:
        return origin_of(url)
    except ValueError:
        return None
