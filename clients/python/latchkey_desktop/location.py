"""Finds the agent's socket or pipe.

The platform and the function that checks whether a path exists are arguments, so that tests can replace them.
"""

from __future__ import annotations

import ntpath
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Callable, Union


@dataclass(frozen=True)
class SocketFile:
    """A Unix socket."""

    path: str
    # The folder with the app's lock.
    data_folder: str


@dataclass(frozen=True)
class PipeFile:
    """The file with the name of a Windows pipe, and the secret that each request must contain."""

    path: str


Location = Union[SocketFile, PipeFile]


def locate(
    platform: str, env: Mapping[str, str], home: str, uid: int, is_socket: Callable[[str], bool]
) -> Location:
    """Finds the agent as the ``latchkey`` command does. ``platform`` is ``sys.platform``."""
    override = env.get("LATCHKEY_SOCKET")
    if platform == "win32":
        local = env.get("LOCALAPPDATA") or ntpath.join(home, "AppData", "Local")
        return PipeFile(override or ntpath.join(local, "Latchkey", "agent.json"))
    if override:
        # With --user-data-dir, socket and lock are in the same folder.
        return SocketFile(override, posixpath.dirname(override))
    if platform == "darwin":
        folder = posixpath.join(home, "Library", "Application Support", "Latchkey")
        return SocketFile(posixpath.join(folder, "agent.sock"), folder)
    folder = posixpath.join(env.get("XDG_CONFIG_HOME") or posixpath.join(home, ".config"), "Latchkey")
    in_data = posixpath.join(folder, "agent.sock")
    runtime = env.get("XDG_RUNTIME_DIR", "")
    if posixpath.isabs(runtime):
        in_runtime = posixpath.join(runtime, "latchkey", "agent.sock")
        return SocketFile(in_data if is_socket(in_data) and not is_socket(in_runtime) else in_runtime, folder)
    # cron doesn't set XDG_RUNTIME_DIR.
    in_run = f"/run/user/{uid}/latchkey/agent.sock"
    return SocketFile(in_run if is_socket(in_run) and not is_socket(in_data) else in_data, folder)
