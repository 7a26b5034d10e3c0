"""For programs that read the system's keychain through the ``keyring`` package.

``keyring.get_password("latchkey", "default")`` is a valid token of the connection named ``default``. Installing this
package is enough: keyring asks the system's own keychain first. It asks this backend for entries that the keychain
doesn't have.
"""

from __future__ import annotations

from typing import Optional

from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError, PasswordSetError

from .agent import default_agent

SERVICE = "latchkey"


class LatchkeyKeyring(KeyringBackend):
    # The priority is above 0, so that keyring reads from this backend, but below 1, so that keyring never stores
    # passwords in it.
    priority = 0.5

    def get_password(self, service: str, username: str) -> Optional[str]:
        if service != SERVICE:
            return None
        return default_agent.token(connection=username or None).token

    def set_password(self, service: str, username: str, password: str) -> None:
        raise PasswordSetError("Latchkey only provides tokens and stores no passwords.")

    def delete_password(self, service: str, username: str) -> None:
        raise PasswordDeleteError("Latchkey only provides tokens and stores no passwords.")
