"""The runs that an importer yields, before they become records."""

from evalmark.converters.importers.directions import directed
from evalmark.converters.importers.registry import (
    import_results,
    importer_named,
    importer_of,
    importer_of_path,
)
from evalmark.converters.supplied import NOTHING
from evalmark.converters.syntax import parse_text
from evalmark.schemas.errors import ConversionError


def read_results(path, supplied=NOTHING):
    """The runs of a file or folder of results as they are written: with what is supplied.

    In a folder of the LM evaluation harness, those of one file.
    """
    for run in undirected_results(path, supplied):
        yield directed(run, supplied).run


def only_run(path, supplied=NOTHING):
    (run,) = read_results(path, supplied)
    return run


def undirected_results(path, supplied=NOTHING):
    """The same with the results that nobody says the direction of."""
    if path.is_dir():
        path = next(path.glob("results_*.json"), path)
    importer = importer_named("scores") if supplied.mapping else importer_of_path(path)
    data = None if importer else parsed_data(path)
    importer = importer or importer_of(data)
    if importer is None:
        raise ConversionError("not results")
    return import_results(importer, path, data, supplied)


def parsed_data(path):
    parsed = parse_text(path.read_text("utf-8"), path.name)
    if parsed.error is not None:
        raise parsed.error
    return parsed.data
