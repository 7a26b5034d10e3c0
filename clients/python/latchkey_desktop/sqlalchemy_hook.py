"""For SQLAlchemy: each new connection to the database has the current token."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable
from typing import Any, Optional
from urllib.parse import urlsplit

from .agent import Agent, TokenAnswer, default_agent
from .databases import Driver, check_hosts, check_odbc, check_parameters, driver_of, hosts_in, unknown_driver, unknown_parameters
from .origins import allowed_origins, origins_of
from .threads import in_thread

_HOST_NAMES = ("host", "hostaddr", "hostname", "server")


def use_token(
    engine: Any,
    argument: Optional[str] = None,
    connection: Optional[str] = None,
    hosts: Optional[Iterable[str]] = None,
    agent: Agent = default_agent,
    unchecked_driver: Optional[str] = None,
) -> None:
    """Passes a valid token to the driver as ``argument`` whenever the engine connects. ``engine`` can be an AsyncEngine.

    A token goes to the host of the Latchkey connection's own service, on any port, and to the hosts named in ``hosts``,
    such as ``https://warehouse.example.com``. Except on this machine, the driver is told to verify the server's
    certificate. Parameters and drivers that Latchkey doesn't know are refused. ``unchecked_driver`` names a driver whose
    encryption and parameters aren't checked.
    """
    from sqlalchemy import event
    from sqlalchemy.engine import Engine

    engine = getattr(engine, "sync_engine", engine)
    if not isinstance(engine, Engine):
        raise TypeError(f"use_token takes an engine, as create_engine() returns it, not {type(engine).__name__}")
    named = origins_of(hosts)
    name = engine.dialect.driver
    if unchecked_driver not in (None, name):
        raise ValueError(f"the engine's driver is {name}, not {unchecked_driver}")
    driver = None if unchecked_driver else driver_of(engine.dialect)
    if driver is None and not unchecked_driver and name != "pyodbc":
        raise unknown_driver(name)
    if driver is not None and argument is not None and argument not in driver.others:
        raise ValueError(f"the driver {name} has no argument {argument}")

    def connect(dialect: Any, record: object, args: list[Any], parameters: dict[str, Any]) -> object:
        answer = _ask(agent, connection, dialect)
        allowed = frozenset(urlsplit(origin).hostname or "" for origin in allowed_origins(answer.origin, named))
        if driver is not None:
            if any(args):
                raise unknown_parameters(["its connection string"])
            own = argument or _argument(driver)
            given = {each: value for each, value in parameters.items() if each != own}
            ready = check_parameters(driver, given, os.environ, allowed, _libpq_version(dialect))
            ready[own] = driver.wrap(answer.token)
        elif not unchecked_driver:
            # SECURITY: the connection string names the server.
            args = [check_odbc(*(args or [""])[:1], parameters, answer.token, allowed)]
            ready = parameters
        else:
            ready = {**parameters, argument or "password": answer.token}
            # SECURITY: the URL's query and ``connect_args`` override the URL's host.
            overrides = [host for each in _HOST_NAMES if each in parameters for host in hosts_in(parameters[each])]
            check_hosts([*hosts_in(engine.url.host or ""), *overrides], allowed)
        # SECURITY: this function connects by itself, so that no later listener can change what was checked, and the
        # engine keeps no token.
        return dialect.connect(*args, **ready)

    event.listen(engine, "do_connect", connect)


def _ask(agent: Agent, connection: Optional[str], dialect: Any) -> TokenAnswer:
    if dialect.is_async and _has_loop():
        from sqlalchemy.util import await_only

        # Getting a token may take as long as a refresh, so a thread does it, which doesn't block the event loop.
        answer: TokenAnswer = await_only(in_thread(lambda: agent.token(connection=connection)))
        return answer
    return agent.token(connection=connection)


def _has_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _argument(driver: Driver) -> str:
    return next(name for name in ("password", "access_token", "auth") if name in driver.others)


def _libpq_version(dialect: Any) -> int:
    """The version of libpq, such as 160002 for 16.2; 0 if the driver doesn't tell it."""
    module = getattr(dialect.dbapi, "psycopg", dialect.dbapi)
    try:
        return int(module.pq.version() if hasattr(module, "pq") else module.extensions.libpq_version())
    except AttributeError:
        return 0
