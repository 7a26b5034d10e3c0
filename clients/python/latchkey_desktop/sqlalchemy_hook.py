"""For SQLAlchemy: each new connection to the database has the current token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional
from urllib.parse import urlsplit

from .agent import Agent, default_agent
from .errors import LatchkeyError
from .origins import allowed_origins, origins_of


def use_token(
    engine: Any,
    argument: str = "password",
    connection: Optional[str] = None,
    hosts: Optional[Iterable[str]] = None,
    agent: Agent = default_agent,
) -> None:
    """Passes a valid token to the driver as ``argument`` whenever the engine connects.

    A token goes to the host of the Latchkey connection's own service, on any port, and to the hosts named in ``hosts``,
    such as ``https://warehouse.example.com``.
    """
    from sqlalchemy import event

    named = origins_of(hosts)

    def connect(dialect: object, record: object, args: list[object], parameters: dict[str, object]) -> None:
        answer = agent.token(connection=connection)
        allowed = {_host(origin) for origin in allowed_origins(answer.origin, named)}
        foreign = [each for each in _hosts(engine.url.host, parameters) if each not in allowed]
        if foreign:
            raise LatchkeyError(
                "foreign_host",
                f"The token isn't sent to {foreign[0] or 'a database without a host'}, only to "
                f"{', '.join(sorted(allowed)) or 'no host'}. Name another server in hosts to send it there.",
            )
        parameters[argument] = answer.token

    event.listen(engine, "do_connect", connect)


def _hosts(url_host: Optional[str], parameters: dict[str, object]) -> list[str]:
    """All values that could become the host. SECURITY: the URL's query and ``connect_args`` override the URL's host."""
    overrides = [parameters[name] for name in ("host", "hostaddr", "hostname", "server") if name in parameters]
    return [str(each or "").lower() for each in (url_host, *overrides)]


def _host(origin: str) -> str:
    return urlsplit(origin).hostname or ""
