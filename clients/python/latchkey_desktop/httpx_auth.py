"""For httpx: ``httpx.Client(auth=HttpxAuth())``, and the same for AsyncClient."""

from __future__ import annotations

import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import Any, Callable, Optional, TypeVar

import httpx

from .agent import TokenAnswer
from .auth import ConnectionAuth, refused_token, through_proxy
from .errors import LatchkeyError
from .origins import is_plain, pinned
from .threads import in_thread

T = TypeVar("T")


class HttpxLatchkeyError(LatchkeyError, httpx.RequestError):
    """A LatchkeyError that ``except httpx.HTTPError`` catches, too."""


class HttpxAuth(ConnectionAuth, httpx.Auth):
    """Puts a valid token on each request. If the server answers 401, the request is sent again with another token.

    The token goes to the connection's own service and to the servers named in ``hosts``. A request to any other
    server raises LatchkeyError, and a redirect to another server never carries the token.
    """

    def sync_auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        body = _Body(request)
        response = yield self._bearing(request, self._current(), _Guard)
        refused = _refused(response)
        answer = None if refused is None else self._another(refused)
        if answer is not None and self._is_allowed(str(request.url), answer) and body.rewind():
            response.stream = _Unread(response.stream)
            yield self._bearing(request, answer, _Guard)

    async def async_auth_flow(self, request: httpx.Request) -> AsyncGenerator[httpx.Request, httpx.Response]:
        # Getting a token may take as long as a refresh, so a thread does it, which doesn't block the event loop.
        body = _Body(request)
        response = yield self._bearing(request, await _in_thread(self._current), _AsyncGuard)
        refused = _refused(response)
        answer = None if refused is None else await _in_thread(lambda cancelled: self._another(str(refused), cancelled))
        if answer is not None and self._is_allowed(str(request.url), answer) and body.rewind():
            response.stream = _Unread(response.stream)
            yield self._bearing(request, answer, _AsyncGuard)

    def _bearing(self, request: httpx.Request, answer: TokenAnswer, guard: type[_Guard]) -> httpx.Request:
        header = self._header(str(request.url), answer)
        # SECURITY: another user could listen on [::1] at the port of a service that listens on 127.0.0.1.
        target = pinned(str(request.url))
        if target != str(request.url):
            request.url = httpx.URL(target)
            request.headers["Host"] = request.url.netloc.decode("ascii")
        request.headers["Authorization"] = _Header(header)
        if is_plain(target):
            own = request.extensions.get("trace")
            before = own.own if isinstance(own, _Guard) else own
            request.extensions = {**request.extensions, "trace": guard(request.url, header, before)}
        return request

    def _own(self, error: LatchkeyError) -> LatchkeyError:
        return HttpxLatchkeyError(error.code, str(error))


async def _in_thread(call: Callable[[threading.Event], T]) -> T:
    """Runs the call in a thread, with an event that is set when nobody waits for the result any more."""
    cancelled = threading.Event()
    try:
        return await _in_some_thread(lambda: call(cancelled))
    finally:
        cancelled.set()


async def _in_some_thread(call: Callable[[], T]) -> T:
    if "trio" in sys.modules:
        import sniffio
        import trio

        if sniffio.current_async_library() == "trio":
            try:
                return await trio.to_thread.run_sync(call, abandon_on_cancel=True)
            except TypeError:
                # Before trio 0.23, the argument had this name.
                return await trio.to_thread.run_sync(call, cancellable=True)
    return await in_thread(call)


class _Header(str):
    """The value of the Authorization header, which httpx encodes and keeps."""

    def encode(self, encoding: str = "utf-8", errors: str = "strict") -> bytes:
        return _Unsaved(super().encode(encoding, errors))


class _Unsaved(bytes):
    """SECURITY: this header is saved without the token. A saved request that is sent gets a 401, and then a new token."""

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        return bytes, (b"Bearer removed",)

    def __deepcopy__(self, memo: object) -> _Unsaved:
        return self


class _Guard:
    """Sees each step of sending a request (https://www.encode.io/httpcore/extensions/#trace).

    An ``auth`` object isn't told whether a client uses a proxy, so this looks where each connection leads.
    """

    def __init__(self, url: httpx.URL, header: str, own: Optional[Callable[[str, Any], Any]]) -> None:
        self._host = url.host
        self._port = url.port or 80
        self._header = header.encode("ascii")
        self.own = own

    def __call__(self, event: str, info: Any) -> Any:
        self._check(event, info)
        return None if self.own is None else self.own(event, info)

    def _check(self, event: str, info: Any) -> None:
        step = event.rpartition(".")[0].rpartition(".")[2]
        if not event.endswith(".started"):
            return
        if step == "setup_socks5_connection":
            is_direct = (info["host"], info["port"]) != (self._host, self._port)
        elif step == "send_request_headers":
            sent = info["request"]
            is_direct = (sent.url.host.decode("ascii").strip("[]"), sent.url.port or 80) == (self._host, self._port)
            # A request that was redirected to another server has no token.
            is_direct = is_direct or self._header not in [value for _, value in sent.headers]
        else:
            return
        # SECURITY: a proxy could read the token.
        if not is_direct:
            error = through_proxy(f"http://{self._host}:{self._port}")
            raise HttpxLatchkeyError(error.code, str(error))


class _AsyncGuard(_Guard):
    async def __call__(self, event: str, info: Any) -> Any:
        self._check(event, info)
        return None if self.own is None else await self.own(event, info)


class _Unread(httpx.SyncByteStream, httpx.AsyncByteStream):
    """SECURITY: before httpx sends the request again, it reads the refused answer, whose body could be endless."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for nothing in ():
            yield nothing

    def close(self) -> None:
        self._stream.close()

    async def aclose(self) -> None:
        await self._stream.aclose()


class _Body:
    """A request's body, which may have to be sent again."""

    def __init__(self, request: httpx.Request) -> None:
        self._stream = request.stream
        # A file passed as `content`. The files of aiofiles and anyio can't be rewound here, because their `seek` is a
        # coroutine.
        file = getattr(request.stream, "_stream", None)
        can_rewind = isinstance(request.stream, httpx.SyncByteStream) and _is_seekable(file)
        self._file = file if can_rewind else None
        self._position = 0 if self._file is None else self._file.tell()

    def rewind(self) -> bool:
        """False if the body can't be sent again: a generator's, for example."""
        if isinstance(self._stream, httpx.ByteStream):
            return True
        if self._file is not None:
            self._file.seek(self._position)
            return True
        # Files passed as `files`: httpx itself rewinds them.
        fields = getattr(self._stream, "fields", None)
        if fields is None:
            return False
        files = [field.file for field in fields if hasattr(field, "file")]
        return all(isinstance(file, (bytes, str)) or _is_seekable(file) for file in files)


def _is_seekable(file: Any) -> bool:
    try:
        return bool(file.seekable())
    except AttributeError:
        return False


def _refused(response: httpx.Response) -> Optional[str]:
    return refused_token(response.status_code, response.request.headers.get("Authorization"))
