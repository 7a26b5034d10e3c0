"""Always has the current token, for a job that passes tokens to a driver or a connection pool."""

from __future__ import annotations

import http.client
import json
import logging
import socket
import threading
from types import TracebackType
from typing import Any, Callable, Optional
from urllib.parse import urlencode

from .agent import Agent, call_after_fork, checked_token, default_agent, find_agent, no_answer
from .errors import LatchkeyError
from .transport import TIMEOUTS, Connection, NobodyAnswers

_RETRY_S = 2.0

_log = logging.getLogger("latchkey_desktop")


class Follower:
    """Listens to the agent, which sends each new token as soon as Latchkey has it.

    ``on_token`` is called with each token, in the follower's own thread::

        with Follower(on_token=pool.set_password) as follower:
            run(follower.token())
    """

    def __init__(
        self,
        connection: Optional[str] = None,
        on_token: Optional[Callable[[str], object]] = None,
        agent: Agent = default_agent,
    ) -> None:
        self._connection = connection
        self._agent = agent
        self._path = "/v1/events" + ("" if connection is None else f"?{urlencode({'connection': connection})}")
        self._on_token = on_token
        self._token: Optional[str] = None
        self._reason = LatchkeyError("timeout", "Latchkey hasn't answered yet.")
        self._has_stopped = False
        self._renew()
        call_after_fork(self._renew)

    def __reduce__(self) -> tuple[type[Follower], tuple[object, ...]]:
        """A copy has its own thread and connection, because those can't be copied, or sent to another process."""
        return type(self), (self._connection, self._on_token, self._agent)

    def _renew(self) -> None:
        """In a child process, the thread is gone, its lock may be held, and its connection is the parent's."""
        self._changed = threading.Condition()
        self._listening: Optional[Connection] = None
        self._stopped = threading.Event()
        if self._has_stopped:
            self._stopped.set()
        self._thread: Optional[threading.Thread] = None

    def start(self) -> Follower:
        self._thread = threading.Thread(target=self._run, name="latchkey", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        with self._changed:
            self._has_stopped = True
            self._stopped.set()
            self._token = None
            self._changed.notify_all()
        listening = self._listening
        if listening is not None and listening.sock is not None:
            _shut(listening)
        if self._thread is not None:
            self._thread.join(timeout=5)

    def __enter__(self) -> Follower:
        return self.start()

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.stop()

    def token(self, timeout: Optional[float] = None) -> str:
        """Returns the current token, and waits if there is none yet. If none arrives, the LatchkeyError says why."""
        if not self._stopped.is_set() and (self._thread is None or not self._thread.is_alive()):
            # The thread was never started, or a fork didn't copy it.
            self.start()
        with self._changed:
            self._changed.wait_for(lambda: self._token is not None or self._stopped.is_set(), timeout)
            if self._stopped.is_set():
                raise LatchkeyError("stopped", "This Follower was stopped and has no token. Create another one.")
            if self._token is None:
                raise self._reason
            return self._token

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                self._listen()
            except NobodyAnswers as error:
                self._lose(no_answer(find_agent(), error))
            except LatchkeyError as error:
                self._lose(error)
            # The thread retries even after Latchkey has quit, because the user may start Latchkey later.
            self._stopped.wait(_RETRY_S)

    def _listen(self) -> None:
        connection = self._listening = self._agent.new_connection()
        try:
            # The agent sends a heartbeat every 15 s, so a TimeoutError means that the agent hangs.
            response = connection.send_request("GET", self._path)
            if response.status != 200:
                answer = json.loads(response.read())
                raise LatchkeyError(str(answer["error"]), str(answer["message"]))
            for line in response:
                if self._stopped.is_set():
                    return
                if line.startswith(b"data: "):
                    self._take(json.loads(line[len(b"data: ") :]))
        except TIMEOUTS:
            raise NobodyAnswers("no sign of life") from None
        except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError, RecursionError) as error:
            raise NobodyAnswers(str(error)) from error
        finally:
            connection.close()

    def _take(self, event: Any) -> None:
        if not isinstance(event, dict):
            raise LatchkeyError("unexpected_answer", "Latchkey answered with something that is not a token.")
        if event.get("token") is None:
            self._lose(LatchkeyError(str(event.get("error", "signed_out")), str(event.get("message", ""))))
            return
        token = checked_token(event["token"])
        with self._changed:
            if self._stopped.is_set():
                return
            # A new connection begins with the current token, which this follower may already have.
            is_new = token != self._token
            self._token = token
            self._changed.notify_all()
        if is_new and self._on_token is not None:
            try:
                self._on_token(token)
            except Exception as error:
                # SECURITY: logs only the error's type, because the error's message could contain the token.
                _log.error("on_token failed: %s", type(error).__name__)

    def _lose(self, reason: LatchkeyError) -> None:
        with self._changed:
            if self._stopped.is_set():
                # stop() closed the connection.
                return
            # If the connection was lost for any other reason, such as a restart of Latchkey, the last token stays
            # usable.
            if reason.code == "signed_out":
                self._token = None
            if str(reason) != str(self._reason):
                _log.warning("%s", reason)
            self._reason = reason


def _shut(connection: Connection) -> None:
    try:
        if isinstance(connection.sock, socket.socket):
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
