"""For requests: ``requests.get(url, auth=RequestsAuth())``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .auth import ConnectionAuth, refused_token

if TYPE_CHECKING:
    from requests import PreparedRequest, Response


class RequestsAuth(ConnectionAuth):
    """Puts a valid token on each request. If the server answers 401, the request is sent again with another token.

    The token goes to the connection's own service and to the servers named in ``hosts``. A request to any other
    server raises LatchkeyError, and a redirect to another server never carries the token.
    """

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        request.headers["Authorization"] = self._header(str(request.url), self._current())
        request.register_hook("response", self._retry)
        return request

    def _retry(self, response: Response, **options: Any) -> Response:
        # On a redirect to another server, the requests library removes the header but keeps this hook.
        refused = refused_token(response.status_code, response.request.headers.get("Authorization"))
        if refused is None:
            return response
        answer = self._another(refused)
        again = response.request.copy()
        if not self._is_allowed(str(again.url), answer) or not _rewind(again):
            return response
        # Reading the whole answer returns the connection to its pool.
        _ = response.content
        response.close()
        again.headers["Authorization"] = self._header(str(again.url), answer)
        again.deregister_hook("response", self._retry)
        second: Response = response.connection.send(again, **options)
        second.history.append(response)
        second.request = again
        return second


def _rewind(request: PreparedRequest) -> bool:
    """True if the body can be sent again, which is impossible for a generator."""
    from requests.utils import rewind_body

    position = getattr(request, "_body_position", None)
    if isinstance(position, int):
        rewind_body(request)
        return True
    return request.body is None or isinstance(request.body, (bytes, str))
