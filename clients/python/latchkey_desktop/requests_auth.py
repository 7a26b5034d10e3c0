"""For requests: ``requests.get(url, auth=RequestsAuth())``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Optional

from .agent import Agent, default_agent
from .origins import check_allowed, is_allowed, origins_of

if TYPE_CHECKING:
    from requests import PreparedRequest, Response


class RequestsAuth:
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

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        answer = self._agent.token(connection=self._connection)
        check_allowed(str(request.url), answer.origin, self._hosts)
        request.headers["Authorization"] = f"Bearer {answer.token}"
        request.register_hook("response", self._retry)
        return request

    def _retry(self, response: Response, **options: Any) -> Response:
        # requests takes the header off when it follows a redirect to another server, and leaves this hook on.
        sent = response.request.headers.get("Authorization", "")
        if response.status_code != 401 or not sent.startswith("Bearer "):
            return response
        answer = self._agent.rejected(sent[len("Bearer ") :], self._connection)
        again = response.request.copy()
        if not is_allowed(str(again.url), answer.origin, self._hosts) or not _rewind(again):
            return response
        # The connection goes back to its pool once the answer is read.
        _ = response.content
        response.close()
        again.headers["Authorization"] = f"Bearer {answer.token}"
        again.deregister_hook("response", self._retry)
        second: Response = response.connection.send(again, **options)
        second.history.append(response)
        second.request = again
        return second


def _rewind(request: PreparedRequest) -> bool:
    """Whether the body can be sent again: a generator's can't."""
    from requests.utils import rewind_body

    position = getattr(request, "_body_position", None)
    if isinstance(position, int):
        rewind_body(request)
        return True
    return request.body is None or isinstance(request.body, (bytes, str))
