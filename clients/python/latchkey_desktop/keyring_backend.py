"""For programs that read the system's keychain through the ``keyring`` package.

``keyring.get_password("latchkey", "default")`` is a valid token of the connection named ``default``. Installing this
package is enough: keyring asks the system's own keychain first. It asks this backend for entries that the keychain
doesn't have. For every other service, keyring behaves as if this package weren't installed.
"""

from __future__ import annotations

from typing import Optional

from keyring.backend import KeyringBackend, get_all_keyring
from keyring.backends.chainer import ChainerBackend
from keyring.errors import KeyringError, NoKeyringError, PasswordDeleteError, PasswordSetError

from .agent import default_agent
from .errors import LatchkeyError

SERVICE = "latchkey"


class KeyringLatchkeyError(LatchkeyError, KeyringError):
    """A LatchkeyError that ``except keyring.errors.KeyringError`` catches, too."""


class LatchkeyKeyring(KeyringBackend):
    # Above 0, so that keyring reads from this backend, but below every backend that stores passwords (keyrings.alt has
    # 0.5), because a chain stores passwords in the backend with the highest priority.
    priority = 0.01
    # poetry stores nothing in a keychain whose name begins with `null` (`_check` in poetry/utils/password_manager.py),
    # and uses its own file instead.
    name = "null LatchkeyKeyring"

    def get_password(self, service: str, username: str) -> Optional[str]:
        if service != SERVICE:
            _check_for_another()
            return None
        try:
            return default_agent.token(connection=username or None).token
        except LatchkeyError as error:
            raise KeyringLatchkeyError(error.code, str(error)) from error.__cause__

    def set_password(self, service: str, username: str, password: str) -> None:
        if service != SERVICE:
            _check_for_another()
        raise PasswordSetError("Latchkey only provides tokens and stores no passwords.")

    def delete_password(self, service: str, username: str) -> None:
        if service != SERVICE:
            _check_for_another()
        raise PasswordDeleteError("Latchkey only provides tokens and stores no passwords.")


def _check_for_another() -> None:
    """Raises the error that programs expect without a keychain; they then keep their passwords elsewhere."""
    if not any(each.priority > 0 and not isinstance(each, _OURS) for each in get_all_keyring()):
        raise NoKeyringError("No recommended backend was available. Latchkey only provides its own tokens.")


# ChainerBackend only combines other backends, so it doesn't count as another keychain.
_OURS = (LatchkeyKeyring, ChainerBackend)
