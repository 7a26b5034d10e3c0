"""For asyncio: runs a blocking call in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from typing import Callable, Optional, TypeVar

T = TypeVar("T")


async def in_thread(call: Callable[[], T]) -> T:
    """Like ``asyncio.to_thread``, but a program that ends doesn't wait for a cancelled request."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(result: Optional[T], error: Optional[BaseException]) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, failure = None, None
        try:
            result = call()
        except BaseException as error:
            failure = error
        try:
            loop.call_soon_threadsafe(settle, result, failure)
        except RuntimeError:
            # The loop was closed meanwhile.
            pass

    threading.Thread(target=run, name="latchkey", daemon=True).start()
    return await future
