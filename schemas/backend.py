"""The backends that parse JSON and check it against schemas; their verdicts are the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from evalmark.schemas.files import PARTS, checksum, load, module_name, read_schema

#: Bytes that repay loading orjson and jsonschema-rs, measured on records and suites.
ENOUGH = 2_500_000


class Backend(StrEnum):
    """The standard library with generated code, or orjson with jsonschema-rs (extra ``fast``)."""

    PURE = "pure"
    NATIVE = "native"


def backend_for(sizes: Iterable[int]) -> Backend:
    """The backend for files of these sizes: native where installed and worth loading.

    Sizes are in bytes; they are read only until they suffice.
    """
    total = 0
    for size in sizes:
        total += size
        if total >= ENOUGH:
            return Backend.NATIVE if native_is_installed() else Backend.PURE
    return Backend.PURE


def native_is_installed() -> bool:
    """True if orjson and jsonschema-rs can be imported."""
    return bool(find_spec("orjson") and find_spec("jsonschema_rs"))


@cache
def _validator(name: str, *, is_closed: bool = False) -> Any:
    import jsonschema_rs

    parts = [(document["$id"], document) for document in map(read_schema, PARTS)]
    schema = load(name)
    if is_closed:
        both = {schema["$id"]: schema, "urn:known-keys": _validating_module(name).KEYS}
        parts += both.items()
        schema = {"allOf": [{"$ref": identity} for identity in both]}
    return validator_of(schema, registry=jsonschema_rs.Registry(parts))


def validator_of(schema: Any, **options: Any) -> Any:
    """A schema compiled by jsonschema-rs."""
    import jsonschema_rs

    # `format` is not an assertion in draft-07; the other validators ignore it too.
    return jsonschema_rs.Draft7Validator(schema, validate_formats=False, **options)


def is_valid(validator: Any, data: Any) -> bool:
    """True if jsonschema-rs accepts the data."""
    try:
        return bool(validator.is_valid(data))
    except (ValueError, TypeError, OverflowError, UnicodeError):
        return False


def accepts(name: str, data: Any, backend: Backend = Backend.PURE) -> bool:
    """True if parsed JSON is valid under the schema ``name``.

    The verdict is that of ``jsonschema.Draft7Validator``; it comes without reasons. The native
    backend may be stricter than the others, so only its yes counts.

    Raises:
        KeyError: There is no schema of this name.
        ModuleNotFoundError: jsonschema-rs is not installed.
    """
    return acceptor(name, backend)(data)


@cache
def acceptor(name: str, backend: Backend = Backend.PURE) -> Callable[[Any], bool]:
    """``accepts`` for one schema, for callers that ask often."""
    module = _validating_module(name)
    pure = partial(_is_accepted, module.validate, module.Invalid)
    if backend is Backend.PURE:
        return pure
    validator = _validator(name)
    return lambda data: is_valid(validator, data) or pure(data)


def surely_fits(name: str, data: Any, backend: Backend) -> bool:
    """True only if data is valid under the schema ``name``, and has no key unknown to it."""
    if backend is Backend.NATIVE:
        return is_valid(_validator(name, is_closed=True), data)
    return accepts(name, data) and not has_unknown_keys(name, data)


def has_unknown_keys(name: str, data: Any) -> bool:
    """True if an object in the data has a key that the schema ``name`` does not know there."""
    return bool(_validating_module(name).is_odd(data))


@cache
def _validating_module(name: str) -> ModuleType:
    """The module that the build made of the schema; made now if it is missing or of another one."""
    wanted = checksum(name)
    try:
        module = import_module(f"evalmark.schemas.compiled.{module_name(name)}")
    except ModuleNotFoundError:
        module = ModuleType("missing")
    if getattr(module, "CHECKSUM", None) != wanted:
        from evalmark.schemas.compilation import module_text

        module = ModuleType(module_name(name))
        exec(module_text(name), module.__dict__)  # noqa: S102  code made here, of a schema of ours
    return module


def _is_accepted(validate: Callable[[Any], Any], invalid: type[Exception], data: Any) -> bool:
    try:
        validate(data)
    except invalid:
        return False
    return True
