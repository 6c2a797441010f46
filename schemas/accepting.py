"""Whether data is valid under a schema, decided by generated code or by jsonschema-rs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib import import_module
from typing import Any

from evalmark.schemas.backend import Backend


def accepts(name: str, data: Any, backend: Backend = Backend.PURE) -> bool:
    """Whether parsed JSON is valid under the schema ``name``.

    The verdict is that of ``jsonschema.Draft7Validator``; it comes without reasons. The native
    backend may be stricter than the others, so only its yes counts.

    Raises:
        ModuleNotFoundError: There is no schema of this name, or jsonschema-rs is not installed.
    """
    return acceptor(name, backend)(data)


@cache
def acceptor(name: str, backend: Backend = Backend.PURE) -> Callable[[Any], bool]:
    """``accepts`` for one schema, for callers that ask often."""
    module = import_module(f"evalmark.schemas.compiled.{name.replace('-', '_').replace('.', '_')}")
    pure = partial(_is_accepted, module.validate, module.Invalid)
    if backend is Backend.PURE:
        return pure
    from evalmark.schemas.native import quick_yes  # loads jsonschema-rs

    return quick_yes(name, pure)


def _is_accepted(validate: Callable[[Any], Any], invalid: type[Exception], data: Any) -> bool:
    try:
        validate(data)
    except invalid:
        return False
    return True
