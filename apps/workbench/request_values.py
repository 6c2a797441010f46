"""Values of a request: they are checked once, and refused with a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, RequestRefused, failure
from evalmark.validator.io.redaction import redacted
from evalmark.validator.reading.reading import read

#: Marks a value that has no default.
_REQUIRED: Any = object()


def body_of(raw: bytes, source: str = "the request") -> dict[str, Any]:
    """The JSON object of a request, or of a file; RequestRefused if it is not strict JSON."""
    reading = read(raw, "request.json")
    if not reading.readable or reading.findings:
        first = reading.findings[0]
        raise RequestRefused(f"{source} is not JSON: {first.code} {first.message}")
    if not isinstance(reading.data, dict):
        raise RequestRefused(f"{source} is not a JSON object")
    return reading.data


def refusal(error: Exception) -> tuple[dict[str, Any], int]:
    """The answer for a request that failed: one sentence, and a status of HTTP."""
    if isinstance(error, RequestRefused):
        return {"error": redacted(str(error)), **error.answer}, error.status
    if isinstance(error, EvalmarkError):
        return {"error": redacted(str(error))}, 422
    if isinstance(error, OSError):  # a full disk, a folder that is gone
        return {"error": (error.strerror or str(error)).lower()}, 500
    return {"error": f"F099 {failure(error)}; {PLEASE_REPORT}"}, 500  # a bug of ours


class RequestValues:
    """The values of a request, by name."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def any(self, name: str) -> Any:
        """Any value, which has to be there."""
        if name not in self.values:
            raise RequestRefused(f"`{name}` is missing")
        return self.values[name]

    def text(self, name: str, otherwise: Any = _REQUIRED) -> Any:
        """A text."""
        return self._typed(name, str, "a text", otherwise)

    def number(self, name: str) -> Any:
        """A whole number."""
        return self._typed(name, int, "a whole number", _REQUIRED)

    def flag(self, name: str) -> bool:
        """Yes or no; no if it is not there."""
        return bool(self._typed(name, bool, "true or false", False))

    def texts(self, name: str) -> Any:
        """A list of texts."""
        texts = self._typed(name, list, "a list", _REQUIRED)
        if not all(isinstance(text, str) for text in texts):
            raise RequestRefused(f"`{name}` is a list of texts")
        return texts

    def object(self, name: str, otherwise: Any = _REQUIRED) -> Any:
        """An object."""
        return self._typed(name, dict, "an object", otherwise)

    def _typed(self, name: str, kind: type, noun: str, otherwise: Any) -> Any:
        value = self.values.get(name)
        if value is None:
            if otherwise is _REQUIRED:
                raise RequestRefused(f"`{name}` is missing")
            return otherwise
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RequestRefused(f"`{name}` is not {noun}")
        return value
