"""For httpx: ``httpx.Client(auth=HttpxAuth())``, and the same for AsyncClient."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from typing import Optional

import httpx

from .agent import TokenAnswer
from .auth import ConnectionAuth, refused_token


class HttpxAuth(ConnectionAuth, httpx.Auth):
    """Puts a valid token on each request. If the server answers 401, the request is sent again with another token.

    The token goes to the connection's own service and to the servers named in ``hosts``. A request to any other
    server raises LatchkeyError, and a redirect to another server never carries the token.
    """

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        response = yield self._bearing(request, self._current())
        refused = _refused(response)
        if refused is not None and _can_repeat(request):
            yield self._bearing(request, self._another(refused))

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        # Getting a token may wait for a refresh, which must not block the event loop.
        response = yield self._bearing(request, await asyncio.to_thread(self._current))
        refused = _refused(response)
        if refused is not None and _can_repeat(request):
            yield self._bearing(request, await asyncio.to_thread(self._another, refused))

    def _bearing(self, request: httpx.Request, answer: TokenAnswer) -> httpx.Request:
        request.headers["Authorization"] = self._header(str(request.url), answer)
        return request


def _refused(response: httpx.Response) -> Optional[str]:
    return refused_token(response.status_code, response.request.headers.get("Authorization"))


def _can_repeat(request: httpx.Request) -> bool:
    """A body that is a generator can't be sent again."""
    return isinstance(request.stream, httpx.ByteStream)
