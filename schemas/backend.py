"""Which backend parses JSON and checks it against schemas. The verdicts are the same."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from importlib.util import find_spec

#: Bytes that repay loading orjson and jsonschema-rs, measured on records and suites.
ENOUGH = 2_500_000


class Backend(StrEnum):
    """The standard library with generated code, or orjson with jsonschema-rs (extra ``fast``)."""

    PURE = "pure"
    NATIVE = "native"


def backend_for(sizes: Iterable[int]) -> Backend:
    """The backend for files of these sizes: native where it is installed and repays loading.

    Args:
        sizes: Bytes of each file; read only until they are enough.
    """
    total = 0
    for size in sizes:
        total += size
        if total >= ENOUGH:
            return Backend.NATIVE if native_is_installed() else Backend.PURE
    return Backend.PURE


def native_is_installed() -> bool:
    """Whether orjson and jsonschema-rs can be imported."""
    return bool(find_spec("orjson") and find_spec("jsonschema_rs"))
