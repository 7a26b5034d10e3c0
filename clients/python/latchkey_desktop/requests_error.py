"""A LatchkeyError for code that catches the errors of requests. Imported only if requests is."""

from __future__ import annotations

from requests.exceptions import RequestException

from .errors import LatchkeyError


class RequestsLatchkeyError(LatchkeyError, RequestException):
    """A LatchkeyError that ``except requests.RequestException`` catches, too."""
