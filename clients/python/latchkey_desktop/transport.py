"""One kept connection to the agent: HTTP/1.1 over a Unix socket or a Windows pipe."""

from __future__ import annotations

import http.client
import io
import json
import os
import socket
import stat
import struct
import sys
from typing import Any, Callable, Optional, Protocol

from .errors import LatchkeyError
from .location import Location, SocketFile

# The agent answers within 30 s, so this is longer.
TIMEOUT_S = 40


# Before Python 3.10, socket.timeout wasn't a TimeoutError.
TIMEOUTS = (TimeoutError, socket.timeout)


class NobodyAnswers(Exception):
    """Nothing listens, or the connection broke: Latchkey isn't running, is starting, or is quitting."""


class Stream(Protocol):
    """The methods of a socket that http.client needs."""

    def sendall(self, data: Any) -> None: ...

    def makefile(self, mode: str) -> io.BufferedIOBase: ...

    def close(self) -> None: ...


OpenPipe = Callable[[str], Stream]


class Connection(http.client.HTTPConnection):
    """A connection of http.client over a stream that is already open."""

    def __init__(self, location: Location, tool: str, open_pipe: OpenPipe) -> None:
        super().__init__("localhost", timeout=TIMEOUT_S)
        self._location = location
        self._open_pipe = open_pipe
        self._headers: dict[str, Any] = {"User-Agent": tool.encode("utf-8"), "Accept": "application/json"}

    def connect(self) -> None:
        if isinstance(self._location, SocketFile):
            self.sock = connect_socket(self._location.path)
            return
        pipe, secret = read_pipe_file(self._location.path)
        self._headers["Authorization"] = f"Bearer {secret}"
        self.sock = self._open_pipe(pipe)

    def ask(
        self, method: str, path: str, body: Optional[object] = None, timeout: float = TIMEOUT_S
    ) -> tuple[int, dict[str, Any]]:
        """The answer's status and its JSON object."""
        response = self.send_request(method, path, body, timeout)
        try:
            answer = json.loads(response.read())
        except TIMEOUTS:
            raise _timed_out(timeout) from None
        except (OSError, http.client.HTTPException) as error:
            raise NobodyAnswers(str(error)) from error
        except (ValueError, RecursionError):
            raise LatchkeyError("unexpected_answer", f"What answers at {self._location.path} isn't Latchkey.") from None
        if not isinstance(answer, dict):
            raise LatchkeyError("unexpected_answer", f"What answers at {self._location.path} isn't Latchkey.")
        return response.status, answer

    def send_request(
        self, method: str, path: str, body: Optional[object] = None, timeout: float = TIMEOUT_S
    ) -> http.client.HTTPResponse:
        try:
            if self.sock is None:
                self.connect()
            if isinstance(self.sock, socket.socket):
                self.sock.settimeout(timeout)
            headers = dict(self._headers)
            content = None
            if body is not None:
                headers["Content-Type"] = "application/json"
                content = json.dumps(body).encode()
            self.request(method, path, content, headers)
            return self.getresponse()
        except TIMEOUTS:
            raise _timed_out(timeout) from None
        except http.client.BadStatusLine as error:
            if isinstance(error, ConnectionError):
                raise NobodyAnswers(str(error)) from error
            raise LatchkeyError("unexpected_answer", f"What answers at {self._location.path} isn't Latchkey.") from None
        except (OSError, http.client.HTTPException) as error:
            raise NobodyAnswers(str(error)) from error


def _timed_out(timeout: float) -> LatchkeyError:
    return LatchkeyError("timeout", f"Latchkey didn't answer in {timeout:.0f} s. Try again.")


def connect_socket(path: str) -> socket.socket:
    check_owner(path, os.getuid())
    connected = socket.socket(socket.AF_UNIX)
    try:
        connected.settimeout(TIMEOUT_S)
        connected.connect(path)
        # SECURITY: since the check, the path could have become another user's socket.
        if peer_uid(connected) not in (os.getuid(), None):
            raise not_own(path)
    except BaseException:
        connected.close()
        raise
    return connected


def check_owner(path: str, uid: int) -> None:
    """SECURITY: another user who owns the socket or its folder could listen there instead of Latchkey."""
    folder = os.stat(os.path.dirname(path) or ".")
    found = os.lstat(path)
    if not stat.S_ISSOCK(found.st_mode):
        raise NobodyAnswers(f"{path} isn't a socket")
    if folder.st_uid != uid or found.st_uid != uid:
        raise not_own(path)


def not_own(path: str) -> LatchkeyError:
    return LatchkeyError(
        "not_own", f"{path} belongs to another user, so nothing was sent. Run this as the user who runs Latchkey."
    )


def peer_uid(connected: socket.socket) -> Optional[int]:
    """The user who listens at the other end; None on a system that doesn't tell."""
    if hasattr(socket, "SO_PEERCRED"):
        # `struct ucred`: https://man7.org/linux/man-pages/man7/unix.7.html
        _, uid, _ = struct.unpack("iII", connected.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
        return int(uid)
    if sys.platform == "darwin":
        # `SOL_LOCAL`, `LOCAL_PEERCRED` and `struct xucred`, whose version comes first, in `sys/un.h` and `sys/ucred.h`.
        return int(struct.unpack_from("II", connected.getsockopt(0, 1, 76))[1])
    return None


def read_pipe_file(path: str) -> tuple[str, str]:
    """The pipe's name, and the secret that each request must contain."""
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
        pipe, secret = content["pipe"], content["secret"]
    except OSError as error:
        raise NobodyAnswers(f"nothing usable in {path}") from error
    except (ValueError, LookupError, TypeError, RecursionError):
        # SECURITY: the JSON parser's error contains the whole text with the secret.
        raise NobodyAnswers(f"nothing usable in {path}") from None
    # SECURITY: a line break in the secret would start a new header.
    if not isinstance(pipe, str) or not isinstance(secret, str) or not secret.isprintable():
        raise NobodyAnswers(f"nothing usable in {path}")
    return pipe, secret
