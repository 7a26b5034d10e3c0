"""Opens a named pipe as a stream, with functions of the Windows API.

CreateFileW: https://learn.microsoft.com/windows/win32/api/fileapi/nf-fileapi-createfilew
GetSecurityInfo: https://learn.microsoft.com/windows/win32/api/aclapi/nf-aclapi-getsecurityinfo
"""

from __future__ import annotations

import io
import os
import re
import sys
from typing import Any

from .errors import LatchkeyError
from .transport import NobodyAnswers

# SECURITY: matches only a pipe on this machine, and no other kind of file.
_PIPE = re.compile(r"\\\\\.\\pipe\\[\w.-]+")

# What an elevated administrator creates belongs to the administrators' group.
_ADMINISTRATORS = "S-1-5-32-544"


def is_pipe_name(name: str) -> bool:
    return _PIPE.fullmatch(name) is not None


def is_own_pipe(owner: str, user: str) -> bool:
    """True if a pipe with this owner belongs to this user. Both arguments are SIDs."""
    return owner in (user, _ADMINISTRATORS)


class PipeStream:
    """An open pipe with the methods of a socket that http.client needs."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw

    def sendall(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[self._raw.write(rest) or 0 :]

    def makefile(self, mode: str) -> io.BufferedReader:
        # Each response is closed after reading; the pipe must stay open.
        return io.BufferedReader(_Unclosed(self._raw))

    def close(self) -> None:
        self._raw.close()


class _Unclosed(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase) -> None:
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self._raw.readinto(buffer) or 0


if sys.platform == "win32":
    import ctypes
    import msvcrt
    from ctypes import wintypes

    _kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    _advapi32 = ctypes.WinDLL("advapi32", use_last_error=True)
    _kernel32.CreateFileW.restype = wintypes.HANDLE
    _kernel32.CreateFileW.argtypes = [
        wintypes.LPCWSTR,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.LPVOID,
        wintypes.DWORD,
        wintypes.DWORD,
        wintypes.HANDLE,
    ]
    _kernel32.GetCurrentProcess.restype = wintypes.HANDLE
    _kernel32.CloseHandle.argtypes = [wintypes.HANDLE]
    _kernel32.LocalFree.argtypes = [wintypes.HLOCAL]
    _advapi32.OpenProcessToken.argtypes = [wintypes.HANDLE, wintypes.DWORD, ctypes.POINTER(wintypes.HANDLE)]
    _advapi32.GetTokenInformation.argtypes = [
        wintypes.HANDLE,
        ctypes.c_int,
        wintypes.LPVOID,
        wintypes.DWORD,
        ctypes.POINTER(wintypes.DWORD),
    ]
    _advapi32.GetSecurityInfo.restype = wintypes.DWORD
    _advapi32.GetSecurityInfo.argtypes = [
        wintypes.HANDLE,
        ctypes.c_int,
        wintypes.DWORD,
        ctypes.POINTER(ctypes.c_void_p),
        wintypes.LPVOID,
        wintypes.LPVOID,
        wintypes.LPVOID,
        ctypes.POINTER(ctypes.c_void_p),
    ]
    _advapi32.ConvertSidToStringSidW.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p)]

    _GENERIC_READ_WRITE = 0xC0000000
    _OPEN_EXISTING = 3
    # SECURITY: the pipe's server must not be able to act as this user.
    _SECURITY_SQOS_PRESENT_ANONYMOUS = 0x00100000
    _INVALID_HANDLE = wintypes.HANDLE(-1).value
    _TOKEN_QUERY = 8
    _TOKEN_USER = 1
    _SE_KERNEL_OBJECT = 6
    _OWNER_SECURITY_INFORMATION = 1

    def open_pipe(name: str) -> PipeStream:
        if not is_pipe_name(name):
            raise NobodyAnswers(f"no pipe of this machine: {name}")
        handle = _kernel32.CreateFileW(
            name, _GENERIC_READ_WRITE, 0, None, _OPEN_EXISTING, _SECURITY_SQOS_PRESENT_ANONYMOUS, None
        )
        if handle == _INVALID_HANDLE:
            raise ctypes.WinError(ctypes.get_last_error())
        # SECURITY: after Latchkey has ended, another user can create a pipe with the same name.
        if not is_own_pipe(_owner_of(handle), _current_user()):
            _kernel32.CloseHandle(handle)
            raise LatchkeyError(
                "not_own", f"{name} belongs to another user, so nothing was sent. Start Latchkey again."
            )
        return PipeStream(os.fdopen(msvcrt.open_osfhandle(handle, os.O_BINARY), "r+b", buffering=0))

    def _owner_of(handle: int) -> str:
        owner, descriptor = ctypes.c_void_p(), ctypes.c_void_p()
        code = _advapi32.GetSecurityInfo(
            handle, _SE_KERNEL_OBJECT, _OWNER_SECURITY_INFORMATION, ctypes.byref(owner), None, None, None,
            ctypes.byref(descriptor),
        )
        if code != 0:
            raise ctypes.WinError(code)
        try:
            return _sid_text(owner)
        finally:
            _kernel32.LocalFree(descriptor)

    def _current_user() -> str:
        token, length = wintypes.HANDLE(), wintypes.DWORD()
        if not _advapi32.OpenProcessToken(_kernel32.GetCurrentProcess(), _TOKEN_QUERY, ctypes.byref(token)):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            _advapi32.GetTokenInformation(token, _TOKEN_USER, None, 0, ctypes.byref(length))
            user = ctypes.create_string_buffer(length.value)
            if not _advapi32.GetTokenInformation(token, _TOKEN_USER, user, length, ctypes.byref(length)):
                raise ctypes.WinError(ctypes.get_last_error())
            # TOKEN_USER begins with the pointer to the SID.
            return _sid_text(ctypes.cast(user, ctypes.POINTER(ctypes.c_void_p)).contents)
        finally:
            _kernel32.CloseHandle(token)

    def _sid_text(sid: ctypes.c_void_p) -> str:
        text = ctypes.c_void_p()
        if not _advapi32.ConvertSidToStringSidW(sid, ctypes.byref(text)):
            raise ctypes.WinError(ctypes.get_last_error())
        try:
            return ctypes.wstring_at(text.value)
        finally:
            _kernel32.LocalFree(text)

else:

    def open_pipe(name: str) -> PipeStream:
        raise NobodyAnswers("there are no named pipes on this system")
