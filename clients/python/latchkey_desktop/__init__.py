"""A valid access token from the Latchkey that runs on this desktop.

    import requests
    from latchkey_desktop import RequestsAuth

    requests.get("https://data.example.com/tables", auth=RequestsAuth())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

from .agent import Wait, default_agent
from .errors import LatchkeyError
from .follower import Follower
from .requests_auth import RequestsAuth
from .sqlalchemy_hook import use_token

if TYPE_CHECKING:
    from .httpx_auth import HttpxAuth as HttpxAuth

# HttpxAuth is left out, because `import *` must work without httpx.
__all__ = ["Follower", "LatchkeyError", "RequestsAuth", "rejected", "token", "use_token"]
__version__ = "0.1.0"


def token(min_validity: int = 60, connection: Optional[str] = None, wait: Wait = 0) -> str:
    """Returns a token of the named connection that is valid for at least ``min_validity`` seconds.

    If there is none, the call waits up to ``wait`` seconds for one, even if the user has to sign in first; with
    ``True``, it waits up to a week.
    """
    return default_agent.token(min_validity, connection, wait).token


def rejected(token: str, connection: Optional[str] = None) -> str:
    """A new token to replace one that a server refused with status 401."""
    return default_agent.rejected(token, connection).token


def __getattr__(name: str) -> Any:
    # Imports httpx only for programs that use HttpxAuth.
    if name == "HttpxAuth":
        from .httpx_auth import HttpxAuth

        return HttpxAuth
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
