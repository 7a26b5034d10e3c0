"""For requests: ``requests.get(url, auth=RequestsAuth())``."""

from __future__ import annotations

import http.client
import sys
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from .auth import ConnectionAuth, refused_token, through_proxy
from .errors import LatchkeyError
from .origins import is_plain, pinned

if TYPE_CHECKING:
    from requests import PreparedRequest, Response


class RequestsAuth(ConnectionAuth):
    """Puts a valid token on each request. If the server answers 401, the request is sent again with another token.

    The token goes to the connection's own service and to the servers named in ``hosts``. A request to any other
    server raises LatchkeyError, and a redirect to another server never carries the token.
    """

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        self._sign(request, self._header(str(request.url), self._current()))
        request.register_hook("response", self._retry)
        return request

    def _sign(self, request: PreparedRequest, header: str) -> None:
        # SECURITY: another user could listen on [::1] at the port of a service that listens on 127.0.0.1.
        request.url = pinned(str(request.url))
        request.headers["Authorization"] = (DirectHeader if is_plain(request.url) else Header)(header, request.url)

    def _retry(self, response: Response, **options: Any) -> Response:
        # After a redirect to another server, requests keeps this hook, but sends no header.
        refused = refused_token(response.status_code, response.request.headers.get("Authorization"))
        answer = None if refused is None else self._another(refused)
        if answer is None:
            return response
        again = response.request.copy()
        if not self._is_allowed(str(again.url), answer) or not _rewind(again):
            return response
        # SECURITY: the body isn't read, because it could be endless.
        response.close()
        self._sign(again, self._header(str(again.url), answer))
        # The lists of hooks belong to the first request, too, which may be sent again, so they aren't changed in place.
        again.hooks = {event: [each for each in hooks if each != self._retry] for event, hooks in again.hooks.items()}
        second: Response = response.connection.send(again, **options)
        second.history.append(response)
        second.request = again
        return second

    def _own(self, error: LatchkeyError) -> LatchkeyError:
        from .requests_error import RequestsLatchkeyError

        return RequestsLatchkeyError(error.code, str(error))


class Header(str):
    """SECURITY: this header is saved without the token. A saved request that is sent gets a 401, and then a new token."""

    _url: str

    def __new__(cls, header: str, url: str) -> Header:
        made = super().__new__(cls, header)
        made._url = url
        return made

    def __reduce__(self) -> tuple[type[Header], tuple[str, str]]:
        return type(self), ("Bearer removed", self._url)

    def __deepcopy__(self, memo: object) -> Header:
        return self


class DirectHeader(Header):
    """The header of a plain http request, which must not go through a proxy.

    An ``auth`` object isn't told whether a session uses a proxy. So the header itself checks the connection, when
    ``http.client`` encodes the header to write it.
    """

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        connection = sys._getframe(1).f_locals.get("self")
        if isinstance(connection, http.client.HTTPConnection):
            parts = urlsplit(self._url)
            host, port = parts.hostname or "", parts.port or 80
            is_socks = any(each.__name__ == "SOCKSConnection" for each in type(connection).__mro__)
            # SECURITY: a proxy could read the token.
            if is_socks or (connection.host.strip("[]"), connection.port) != (host, port):
                raise through_proxy(f"http://{host}:{port}")
        return super().encode(encoding, errors)


def _rewind(request: PreparedRequest) -> bool:
    """True if the body can be sent again, which is impossible for a generator."""
    from requests.exceptions import UnrewindableBodyError
    from requests.utils import rewind_body

    position = getattr(request, "_body_position", None)
    if isinstance(position, int):
        try:
            rewind_body(request)
        except UnrewindableBodyError:
            return False
        return True
    return request.body is None or isinstance(request.body, (bytes, str))
