"""Asks the agent for tokens over kept connections, and retries while Latchkey restarts."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import weakref
from dataclasses import dataclass, field
from typing import Any, Callable, Optional, Union, cast
from urllib.parse import urlencode

from .errors import LatchkeyError
from .location import Location, SocketFile, locate
from .transport import TIMEOUT_S, Connection, NobodyAnswers, OpenPipe
from .windows import open_pipe

# If the previous call was answered, a call retries for this long: Latchkey is probably restarting or updating.
RESTART_S = 30.0
# If the previous call wasn't answered, or there was none, a call retries for this long.
START_S = 5.0
_RETRY_S = 0.1
# How long a call that waits for a token pauses between two requests.
_AGAIN_S = 1.0
_MOST_KEPT = 4

# The longest wait for a token: a week.
LONGEST_WAIT_S = 604_800.0
# How long one request may wait for a token; a longer wait takes several requests.
_MOST_HELD_S = 300.0
# How long one request may wait if the caller can cancel the wait: it is cancelled only between two requests.
_MOST_CANCELLABLE_S = 30.0

#: How many seconds a call waits for a token; True: up to a week.
Wait = Union[bool, float]

# Codes of an agent that is shutting down or has too many connections: a retry can succeed.
_PASSING = ("stopping", "too_many_connections")
# Codes after which a later request can bring a token.
WAITABLE = (*_PASSING, "signed_out", "unavailable", "timeout")


@dataclass(frozen=True)
class TokenAnswer:
    # SECURITY: repr() leaves the token out, because some tracebacks print variables.
    token: str = field(repr=False)
    expires_at: int
    account: str
    # The service that the token is for; None if Latchkey is too old to say.
    origin: Optional[str]


class Agent:
    """Asks the agent for tokens. Safe to share between threads, and across a fork."""

    def __init__(
        self,
        location: Optional[Location] = None,
        tool: Optional[str] = None,
        open_pipe: OpenPipe = open_pipe,
        restart_s: float = RESTART_S,
        start_s: float = START_S,
    ) -> None:
        self._location = location
        self._tool = tool
        self._open_pipe = open_pipe
        self._restart_s = restart_s
        self._start_s = start_s
        self._has_answered = False
        self._lock = threading.Lock()
        self._kept: list[Connection] = []
        # Parent and child would get each other's answers if they used the same connection.
        call_after_fork(self._forget_connections)

    def __reduce__(self) -> Union[str, tuple[type[Agent], tuple[object, ...]]]:
        """Locks and connections can't be copied, or sent to another process."""
        if self is default_agent:
            return "default_agent"
        return type(self), (self._location, self._tool, self._open_pipe, self._restart_s, self._start_s)

    def token(
        self,
        min_validity: int = 60,
        connection: Optional[str] = None,
        wait: Wait = 0,
        cancelled: Optional[threading.Event] = None,
    ) -> TokenAnswer:
        path = f"/v1/token?{_query(connection, min_validity=min_validity)}"
        left = LONGEST_WAIT_S if wait is True else min(float(wait), LONGEST_WAIT_S)
        return _token_in(self._wait(path, left, cancelled) or self._ask("GET", path))

    def rejected(self, token: str, connection: Optional[str] = None) -> TokenAnswer:
        return _token_in(self._ask("POST", f"/v1/token/rejected?{_query(connection)}", {"token": token}))

    def connection_at(self, origin: str) -> Optional[str]:
        """The name of the connection whose service is at this origin, if there is one."""
        try:
            connections = self._ask("GET", "/v1/status").get("connections")
        except LatchkeyError:
            return None
        known = connections.items() if isinstance(connections, dict) else ()
        return next((name for name, each in known if each == origin), None)

    def new_connection(self) -> Connection:
        # The agent is located for each connection, because Latchkey may use another path after a restart.
        return Connection(self._location or find_agent(), self._tool or tool_name(), self._open_pipe)

    def _forget_connections(self) -> None:
        for connection in self._kept:
            connection.close()
        self._lock = threading.Lock()
        self._kept = []

    def _wait(self, path: str, left: float, cancelled: Optional[threading.Event]) -> Optional[dict[str, Any]]:
        """The answer with a token; None if there was none in time. Latchkey may start, stop or restart meanwhile."""
        most = _MOST_HELD_S if cancelled is None else _MOST_CANCELLABLE_S
        while left > 0 and not (cancelled is not None and cancelled.is_set()):
            held = min(left, most)
            began = time.monotonic()
            try:
                status, answer = self._ask_once("GET", f"{path}&strict=true&wait={math.ceil(held)}", None, held + TIMEOUT_S)
                self._has_answered = True
                if status == 200:
                    return answer
                raise _failure_in(status, answer)
            except NobodyAnswers:
                pass
            except LatchkeyError as error:
                if error.code == "too_short":
                    if time.monotonic() - began < held:
                        # The agent answers early only if even a new token would expire too soon.
                        return None
                elif error.code not in WAITABLE:
                    raise
            if time.monotonic() - began < held:
                time.sleep(_AGAIN_S)
            # At most the time of one request is subtracted: if more has passed, the computer slept, and nobody could
            # sign in.
            left -= min(time.monotonic() - began, held + _AGAIN_S)
        return None

    def _ask(self, method: str, path: str, body: Optional[object] = None) -> dict[str, Any]:
        deadline = time.monotonic() + (self._restart_s if self._has_answered else self._start_s)
        while True:
            try:
                status, answer = self._ask_once(method, path, body)
            except NobodyAnswers as error:
                code, failure = "", no_answer(self._location or find_agent(), error)
            else:
                self._has_answered = True
                if status == 200:
                    return answer
                failure = _failure_in(status, answer)
                code = failure.code
            if code not in ("", *_PASSING) or time.monotonic() >= deadline:
                self._has_answered = self._has_answered and code != ""
                raise failure
            time.sleep(_RETRY_S)

    def _ask_once(
        self, method: str, path: str, body: Optional[object], timeout: float = TIMEOUT_S
    ) -> tuple[int, dict[str, Any]]:
        with self._lock:
            kept = self._kept.pop() if self._kept else None
        if kept is not None:
            try:
                return self._ask_on(kept, method, path, body, timeout)
            except NobodyAnswers:
                # The agent closes a connection that was idle for a minute, so the request is repeated on a new one.
                # That is harmless even if the agent has already received the request.
                pass
        return self._ask_on(self.new_connection(), method, path, body, timeout)

    def _ask_on(
        self, connection: Connection, method: str, path: str, body: Optional[object], timeout: float
    ) -> tuple[int, dict[str, Any]]:
        try:
            answer = connection.ask(method, path, body, timeout)
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if len(self._kept) < _MOST_KEPT and connection.sock is not None:
                self._kept.append(connection)
                return answer
        connection.close()
        return answer


def call_after_fork(method: Callable[[], None]) -> None:
    """Calls the method in each child process, as long as the method's object exists."""
    if not hasattr(os, "register_at_fork"):
        return
    reference = weakref.WeakMethod(method)

    def call() -> None:
        found = reference()
        if found is not None:
            found()

    os.register_at_fork(after_in_child=call)


def find_agent() -> Location:
    uid = os.getuid() if hasattr(os, "getuid") else 0
    return locate(sys.platform, os.environ, os.path.expanduser("~"), uid, os.path.exists)


def tool_name() -> str:
    """The program's name in Latchkey's window: LATCHKEY_TOOL, or the script's own name."""
    script = os.path.basename(sys.argv[0]) if sys.argv else ""
    if "ipykernel" in sys.modules:
        own = "Jupyter (Python)"
    elif script in ("", "-c", "-"):
        own = "Python"
    else:
        own = f"{script} (Python)"
    name = os.environ.get("LATCHKEY_TOOL") or own
    # SECURITY: a line break in the tool's name would start a new header.
    return "".join(each if each.isprintable() else " " for each in name)


def no_answer(location: Location, cause: NobodyAnswers) -> LatchkeyError:
    """An error that says whether Latchkey isn't running, or is running but its agent doesn't answer."""
    where = f"(No answer at {location.path}.)"
    if not isinstance(location, SocketFile) or not os.path.isdir(location.data_folder):
        error = LatchkeyError(
            "not_reachable", f"Latchkey isn't running, or can't be reached. Start Latchkey. {where}"
        )
    elif is_app_running(os.path.join(location.data_folder, "SingletonLock")):
        error = LatchkeyError(
            "not_reachable", f"Latchkey is running, but its agent doesn't answer. Latchkey's window says why. {where}"
        )
    else:
        error = LatchkeyError("not_running", f"Latchkey isn't running. Start it and sign in. {where}")
    error.__cause__ = cause
    return error


def is_app_running(lock: str) -> bool:
    """True if the app is running. Chromium's lock is a symbolic link to `<host name>-<process id>`."""
    try:
        pid = int(os.readlink(lock).rpartition("-")[2])
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, ValueError):
        return False
    return True


def _query(connection: Optional[str], **parameters: object) -> str:
    return urlencode({**parameters, **({} if connection is None else {"connection": connection})})


def _failure_in(status: int, answer: dict[str, Any]) -> LatchkeyError:
    code = str(answer.get("error", "unexpected_answer"))
    return LatchkeyError(code, str(answer.get("message", f"Latchkey answered with status {status}.")))


def _token_in(answer: dict[str, Any]) -> TokenAnswer:
    expires_at, account, origin = answer.get("expiresAt"), answer.get("account"), answer.get("origin")
    own = origin if isinstance(origin, str) else None
    return TokenAnswer(checked_token(answer.get("token")), cast(int, expires_at), cast(str, account), own)


def checked_token(token: object) -> str:
    # SECURITY: a line break in a token would start a new header.
    if not isinstance(token, str) or not token.isascii() or not token.isprintable() or " " in token or not token:
        raise LatchkeyError("unexpected_answer", "Latchkey answered with something that is not a token.")
    return token


default_agent = Agent()
