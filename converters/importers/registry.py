"""Which results can be read: form → reader."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.converters.formats import form_of
from evalmark.converters.importers.inspect_log import read_inspect
from evalmark.converters.importers.lm_eval import read_lm_eval
from evalmark.converters.importers.ltm import is_ltm_run, read_ltm_run
from evalmark.converters.records.run import Run
from evalmark.converters.step import Facts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.reading import read


@dataclass(frozen=True, slots=True)
class Reader:
    """How results of one program are read.

    Attributes:
        read: Path, parsed data and facts → run.
        reads: What it reads, in words.
    """

    read: Callable[[Path, Any, Facts], Run]
    reads: str


READERS: dict[str, Reader] = {
    "lm-eval": Reader(read_lm_eval, "results_*.json, with the samples_*.jsonl beside it"),
    "inspect": Reader(read_inspect, "a log written as JSON"),
    "ltm-run": Reader(read_ltm_run, "the folder of an agent, with the definitions of its run"),
}


def read_results(path: Path, facts: Facts) -> Run:
    """The run of a file or folder of results.

    Raises:
        ConversionError: They are of no program that is read, or they are not complete.
        OSError: They cannot be read.
    """
    if path.is_dir():
        if is_ltm_run(path):
            return read_ltm_run(path, None, facts)
        raise ConversionError("the folder is not that of an agent in an LTM run")
    reading = read(path.read_bytes(), str(path))
    if not reading.readable:
        first = reading.findings[0]
        raise ConversionError(f"{first.code} {first.message}")
    form = form_of(reading.data)
    if form not in READERS:
        raise ConversionError("these are results of no program that is read")
    try:
        return READERS[form].read(path, reading.data, facts)
    except (KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        if isinstance(error, ConversionError):
            raise
        raise ConversionError(
            f"the file is not of the shape of {form} results: {error!r}"
        ) from error
