"""For httpx: ``httpx.Client(auth=HttpxAuth())``, and AsyncClient alike."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterable
from typing import Optional

import httpx

from .agent import Agent, TokenAnswer, default_agent
from .origins import check_allowed, is_allowed, origins_of


class HttpxAuth(httpx.Auth):
    """Puts a valid token on each request, and another if the server answers 401.

    The token goes to the connection's own service and to the servers named in ``hosts``. A request to any other
    raises LatchkeyError, and a redirect to another never carries it.
    """

    def __init__(
        self, connection: Optional[str] = None, hosts: Optional[Iterable[str]] = None, agent: Agent = default_agent
    ) -> None:
        self._agent = agent
        self._connection = connection
        self._hosts = origins_of(hosts)

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        answer = self._agent.token(connection=self._connection)
        response = yield self._bearing(request, answer)
        if self._is_refused(response, answer) and _can_repeat(request):
            yield self._bearing(request, self._agent.rejected(answer.token, self._connection))

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        # Asking can wait for a refresh, which must not stop the loop.
        answer = await asyncio.to_thread(self._agent.token, connection=self._connection)
        response = yield self._bearing(request, answer)
        if self._is_refused(response, answer) and _can_repeat(request):
            yield self._bearing(request, await asyncio.to_thread(self._agent.rejected, answer.token, self._connection))

    def _bearing(self, request: httpx.Request, answer: TokenAnswer) -> httpx.Request:
        check_allowed(str(request.url), answer.origin, self._hosts)
        request.headers["Authorization"] = f"Bearer {answer.token}"
        return request

    def _is_refused(self, response: httpx.Response, answer: TokenAnswer) -> bool:
        """A 401 from a server that was shown the token: after a redirect it can be another's."""
        url = str(response.request.url)
        return response.status_code == 401 and is_allowed(url, answer.origin, self._hosts)


def _can_repeat(request: httpx.Request) -> bool:
    """A body that is a generator can't be sent again."""
    return isinstance(request.stream, httpx.ByteStream)
