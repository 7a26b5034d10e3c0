"""For RequestsAuth and HttpxAuth: gets the token for a request, and checks whether the server may receive it."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Optional

from .agent import WAITABLE, Agent, TokenAnswer, Wait, default_agent
from .errors import LatchkeyError
from .origins import check_allowed, is_allowed, origins_of

_SCHEME = "Bearer "


class ConnectionAuth:
    def __init__(
        self,
        connection: Optional[str] = None,
        hosts: Optional[Iterable[str]] = None,
        agent: Agent = default_agent,
        wait: Wait = 0,
    ) -> None:
        if connection is not None and not isinstance(connection, str):
            # An HTTP library that gets the class instead of an object calls the class with a request.
            name = type(self).__name__
            raise TypeError(f"the connection is a name. Without one, write auth={name}(), with brackets.")
        self._agent = agent
        self._connection = connection
        self._hosts = origins_of(hosts)
        self._wait = wait

    def _current(self, cancelled: Optional[threading.Event] = None) -> TokenAnswer:
        try:
            return self._agent.token(connection=self._connection, wait=self._wait, cancelled=cancelled)
        except LatchkeyError as error:
            raise self._own(error) from error.__cause__

    def _another(self, token: str, cancelled: Optional[threading.Event] = None) -> Optional[TokenAnswer]:
        """None if Latchkey has no other token. The caller then gets the service's own 401, which says more."""
        try:
            return self._agent.rejected(token, self._connection)
        except LatchkeyError as error:
            if not self._wait or error.code not in WAITABLE:
                return None
        try:
            # After a sign-out, the service refuses the old tokens, and only the next sign-in brings another.
            answer = self._current(cancelled)
        except LatchkeyError:
            return None
        return None if answer.token == token else answer

    def _header(self, url: str, answer: TokenAnswer) -> str:
        """The Authorization header. Raises LatchkeyError if the server at ``url`` must not see the token."""
        try:
            check_allowed(url, answer.origin, self._hosts, self._agent.connection_at)
        except LatchkeyError as error:
            raise self._own(error) from None
        return f"{_SCHEME}{answer.token}"

    def _is_allowed(self, url: str, answer: TokenAnswer) -> bool:
        return is_allowed(url, answer.origin, self._hosts)

    def _own(self, error: LatchkeyError) -> LatchkeyError:
        """Subclasses return the error in a class that callers of the HTTP library catch."""
        return error


def refused_token(status: int, sent: Optional[str]) -> Optional[str]:
    """The token that the server refused.

    After a redirect the 401 can come from another server, which received no token.
    """
    return sent[len(_SCHEME) :] if status == 401 and sent is not None and sent.startswith(_SCHEME) else None


def through_proxy(origin: str) -> LatchkeyError:
    return LatchkeyError(
        "unencrypted",
        f"The token isn't sent to {origin}, because the request would go through a proxy, unencrypted. Add 127.0.0.1 "
        "to NO_PROXY, or turn the proxy off for this request.",
    )
