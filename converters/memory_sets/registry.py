"""The published sets that are read into the general form, and how one is recognized."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from evalmark.converters.memory_sets.published import (
    read_locomo,
    read_longmemeval,
    reads_locomo,
    reads_longmemeval,
)
from evalmark.converters.memory_sets.sources import SetSource, sources
from evalmark.converters.step import Object
from evalmark.schemas.errors import ConversionError


class SetImporter(NamedTuple):
    """A set that can be read.

    Attributes:
        name: Its name.
        what: The files that hold it.
        recognizes: True if files hold it.
        read: The set in the general form.
    """

    name: str
    what: str
    recognizes: Callable[[Sequence[SetSource]], bool]
    read: Callable[[Sequence[SetSource]], Object]


#: The sets.
SET_IMPORTERS: tuple[SetImporter, ...] = (
    SetImporter("LoCoMo", "its JSON files, in both layouts", reads_locomo, read_locomo),
    SetImporter(
        "LongMemEval",
        "its JSON files, and variants with several questions to an entry",
        reads_longmemeval,
        read_longmemeval,
    ),
)


def read_memory_set(paths: Sequence[Path]) -> tuple[str, Object]:
    """The name of the set that files hold, and the set in the general form.

    Raises:
        ConversionError: They hold no set that can be read, or a part of it cannot be used.
        OSError: A file cannot be read.
    """
    files = sources(paths)
    found = None
    try:
        found = next((each for each in SET_IMPORTERS if each.recognizes(files)), None)
        if found is None:
            names = ", ".join(f"{each.name} ({each.what})" for each in SET_IMPORTERS)
            raise ConversionError(f"{paths[0]} is not a memory set that can be read: {names}")
        return found.name, found.read(files)
    except ConversionError:
        raise
    except (
        LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError,
    ) as error:  # fmt: skip
        raise ConversionError(
            f"{paths[0]}: not as {found.name if found else 'a set'} is published: "
            f"{type(error).__name__}: {error}"
        ) from error
