"""The formats, as data: one draft-07 file for each format and version, and what finds them.

Importing this package loads nothing; ``accepts`` loads one generated module, the other names load
the schema files.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evalmark.schemas.files import FILES as FILES
    from evalmark.schemas.files import Schema as Schema
    from evalmark.schemas.files import bundle as bundle
    from evalmark.schemas.files import load as load
    from evalmark.schemas.files import registry as registry

__all__ = [
    "FILES",
    "Schema",
    "acceptor",
    "accepts",
    "bundle",
    "load",
    "registry",
    "validator_class",
]


def accepts(name: str, data: Any, *, fast: bool = False) -> bool:
    """Whether parsed JSON is valid under the schema ``name``, by generated code.

    The verdict is that of ``jsonschema.Draft7Validator``; it comes without reasons. With ``fast``,
    jsonschema-rs is asked first. It may be stricter than the others, so only its yes counts.

    Raises:
        ModuleNotFoundError: There is no schema of this name, or jsonschema-rs is not installed.
    """
    if fast:
        from evalmark.schemas.native import says_yes

        if says_yes(name, data):
            return True
    from importlib import import_module

    module = import_module(f"evalmark.schemas.compiled.{name.replace('-', '_').replace('.', '_')}")
    try:
        module.validate(data)
    except module.Invalid:
        return False
    return True


def acceptor(name: str, *, fast: bool = False) -> Callable[[Any], bool]:
    """``accepts`` for one schema, for those who ask often."""
    from functools import partial

    if not fast:
        return partial(accepts, name)
    from evalmark.schemas.native import quick_yes

    return quick_yes(name, partial(accepts, name))


def validator_class(schema: Schema, *, fast: bool = False) -> Any:
    """The class of ``jsonschema`` validators for a bundled schema; see ``accepts`` for ``fast``."""
    if fast:
        from evalmark.schemas.skipping import skips_valid_parts

        return skips_valid_parts(schema)
    from jsonschema import Draft7Validator

    return Draft7Validator


def __getattr__(name: str) -> Any:
    if name in __all__:
        from evalmark.schemas import files as _files

        return getattr(_files, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
