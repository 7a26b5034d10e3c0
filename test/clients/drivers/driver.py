"""Reads one command per line, as a JSON object. Executes it with the library and answers with one JSON object."""

import asyncio
import json
import os
import sys
import threading

import httpx
import requests

import latchkey_desktop.location
import latchkey_desktop.origins
from latchkey_desktop import HttpxAuth, LatchkeyError, RequestsAuth


def fetch_requests(url, method, body, auth):
    if body == "stream":
        body = (piece for piece in [b"a", b"b"])
    response = requests.request(method, url, data=body, auth=RequestsAuth(**auth))
    return response.status_code


def fetch_httpx(url, method, body, auth):
    if body == "stream":
        body = (piece for piece in [b"a", b"b"])
    with httpx.Client(auth=HttpxAuth(**auth), follow_redirects=True) as client:
        return client.request(method, url, content=body).status_code


async def fetch_httpx_async(url, method, body, auth):
    async def chunks():
        yield b"a"
        yield b"b"

    if body == "stream":
        body = chunks()
    async with httpx.AsyncClient(auth=HttpxAuth(**auth), follow_redirects=True) as client:
        return (await client.request(method, url, content=body)).status_code


def fetch(via, url, method="GET", body=None, **auth):
    if via == "requests":
        return fetch_requests(url, method, body, auth)
    if via == "httpx":
        return fetch_httpx(url, method, body, auth)
    return asyncio.run(fetch_httpx_async(url, method, body, auth))


def in_threads(count):
    """Requests a token in each of several threads at once."""
    tokens = []
    threads = [threading.Thread(target=lambda: tokens.append(latchkey_desktop.token())) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tokens


def after_fork(count):
    """Requests a token in each of several child processes. Their parent has a connection open."""
    tokens = [latchkey_desktop.token()]
    children = []
    for _ in range(count):
        read, write = os.pipe()
        if os.fork() == 0:
            answers = {latchkey_desktop.token() for _ in range(20)}
            os.write(write, "\n".join(answers).encode())
            os._exit(0)
        os.close(write)
        children.append(read)
    # The parent's own connection must still work.
    tokens += [latchkey_desktop.token() for _ in range(20)]
    for read in children:
        with os.fdopen(read) as pipe:
            tokens += pipe.read().split("\n")
        os.wait()
    return tokens


def loop(seconds):
    """Calls the library in a loop. Returns how many calls succeeded, and the errors."""
    import time

    end = time.monotonic() + seconds
    done, failed = 0, []
    while time.monotonic() < end:
        try:
            latchkey_desktop.token()
            done += 1
        except LatchkeyError as error:
            failed.append(str(error))
        time.sleep(0.02)
    return {"done": done, "failed": failed}


def where(platform, env, there):
    location = latchkey_desktop.location.locate(platform, env, "/home/ana", 1000, lambda path: path in there)
    return vars(location)


def origin(url):
    try:
        return latchkey_desktop.origins.origin_of(url)
    except ValueError:
        return None


COMMANDS = {
    "locate": where,
    "origin": origin,
    "token": latchkey_desktop.token,
    "rejected": latchkey_desktop.rejected,
    "fetch": fetch,
    "in_threads": in_threads,
    "after_fork": after_fork,
    "loop": loop,
}

for line in sys.stdin:
    order = json.loads(line)
    os.environ["LATCHKEY_SOCKET"] = order.pop("socket")
    try:
        answer = {"value": COMMANDS[order.pop("do")](**order)}
    except LatchkeyError as error:
        answer = {"code": error.code, "message": str(error)}
    except Exception as error:
        answer = {"code": type(error).__name__, "message": str(error)}
    print(json.dumps(answer), flush=True)
