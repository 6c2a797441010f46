"""The runs that an importer yields, before they become records."""

from __future__ import annotations

from evalmark.converters.importers.registry import folder_format, import_results, results_format
from evalmark.converters.step import NOTHING
from evalmark.converters.syntax import parsed_value


def read_results(path, supplied=NOTHING):
    """The runs of a file or folder of results."""
    data = None if path.is_dir() else parsed_value(path.read_text(), path.name)
    name = folder_format(path) if data is None else results_format(data)
    return import_results(name, path, data, supplied)
