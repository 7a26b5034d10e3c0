"""Chooses the token for a request, and records which server received it: for RequestsAuth and HttpxAuth."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Optional

from .agent import Agent, TokenAnswer, default_agent
from .origins import check_allowed, is_allowed, origins_of

_SCHEME = "Bearer "


class ConnectionAuth:
    def __init__(
        self, connection: Optional[str] = None, hosts: Optional[Iterable[str]] = None, agent: Agent = default_agent
    ) -> None:
        self._agent = agent
        self._connection = connection
        self._hosts = origins_of(hosts)

    def _current(self) -> TokenAnswer:
        return self._agent.token(connection=self._connection)

    def _another(self, token: str) -> TokenAnswer:
        return self._agent.rejected(token, self._connection)

    def _header(self, url: str, answer: TokenAnswer) -> str:
        """The Authorization header. Raises LatchkeyError if the server at ``url`` must not see the token."""
        check_allowed(url, answer.origin, self._hosts)
        return f"{_SCHEME}{answer.token}"

    def _is_allowed(self, url: str, answer: TokenAnswer) -> bool:
        return is_allowed(url, answer.origin, self._hosts)


def refused_token(status: int, sent: Optional[str]) -> Optional[str]:
    """The token that the server refused.

    After a redirect the 401 can come from another server, which received no token.
    """
    return sent[len(_SCHEME) :] if status == 401 and sent is not None and sent.startswith(_SCHEME) else None
