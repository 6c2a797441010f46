"""Importers: each recognizes the results of a program, and names what reads them.

Importers of evalmark are in ``registry.py``; applications and other packages add theirs by their
``Plugin``. This module is light, and so is everything that recognizes results: what reads them is
imported when results are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evalmark.converters.importers.imported import ImportSource
    from evalmark.converters.records.run import Run

#: The runs of results: one for each model they are about, mostly a single one.
Reader = Callable[["ImportSource"], Iterator["Run"]]


@dataclass(frozen=True, slots=True)
class Importer:
    """The importer of the results of one program.

    Attributes:
        name: The name of their format.
        what: What is read, in words.
        reader: Imports what reads results, and returns it. A reader raises ``ConversionError`` for
            results that cannot be read whole.
        recognizes: Whether parsed data is of this program; None if it is not JSON or YAML.
        recognizes_folder: Whether a folder holds its results; None if they are files.
        recognizes_large: Whether a large JSON file is better not parsed as a whole, by what it
            begins with; None if none is.
        suffix: What the names of its files end in, if they are neither JSON nor YAML; "" else.
    """

    name: str
    what: str
    reader: Callable[[], Reader]
    recognizes: Callable[[Any], bool] | None = None
    recognizes_folder: Callable[[Path], bool] | None = None
    recognizes_large: Callable[[bytes], bool] | None = None
    suffix: str = ""
