"""For SQLAlchemy: each new connection to the database has the current token."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Optional
from urllib.parse import urlsplit

from .agent import Agent, default_agent
from .errors import LatchkeyError
from .origins import origins_of


def use_token(
    engine: Any,
    argument: str = "password",
    connection: Optional[str] = None,
    hosts: Optional[Iterable[str]] = None,
    agent: Agent = default_agent,
) -> None:
    """Passes a valid token to the driver as ``argument`` whenever the engine connects.

    A token goes to the host of the connection's own service, whatever the port, and to the hosts named in
    ``hosts`` (``https://warehouse.example.com`` names one).
    """
    from sqlalchemy import event

    names = {_host(origin) for origin in origins_of(hosts)}

    def connect(dialect: object, record: object, args: list[object], parameters: dict[str, object]) -> None:
        answer = agent.token(connection=connection)
        allowed = names | ({_host(answer.origin)} if answer.origin else set())
        if engine.url.host is None or engine.url.host.lower() not in allowed:
            raise LatchkeyError(
                "foreign_host",
                f"The token isn't sent to {engine.url.host or 'a database without a host'}, "
                f"only to {', '.join(sorted(allowed)) or 'no host'}. Name another server in hosts to send it there.",
            )
        parameters[argument] = answer.token

    event.listen(engine, "do_connect", connect)


def _host(origin: str) -> str:
    return urlsplit(origin).hostname or ""
