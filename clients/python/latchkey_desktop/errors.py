"""The package's error: a sentence for people and a code for programs."""

from __future__ import annotations


class LatchkeyError(Exception):
    """No token. The message says why and what to do.

    ``code`` is one of the agent's error codes (``docs/developers/agent.openapi.json``), such as ``signed_out``,
    ``turned_off`` or ``unavailable``, or one of these:

    - ``not_running``: Latchkey isn't running.
    - ``not_reachable``: Latchkey is running, or may be, but its agent doesn't answer.
    - ``not_own``: the socket or pipe belongs to another user. Nothing was sent.
    - ``timeout``: no answer in time.
    - ``unexpected_answer``: the answer doesn't have the agent's format.
    - ``foreign_host``: a request to a host that must not see the token. Nothing was sent.
    - ``unencrypted``: a plain http request that would go through a proxy. Nothing was sent.
    - ``unknown_driver``, ``unknown_parameter``, ``not_verified``: ``use_token`` can't be sure that only the named
      database would get the token. Nothing was sent.
    - ``stopped``: ``stop()`` was called on the Follower.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[LatchkeyError], tuple[str, str]]:
        return type(self), (self.code, str(self))
