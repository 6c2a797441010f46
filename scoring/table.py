"""Every region of a run that was computed as a row, for analysis with other tools."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from evalmark.converters.steps.tables import for_spreadsheets
from evalmark.schemas.errors import require
from evalmark.scoring.regions import condition_values
from evalmark.scoring.scores import Scores, has_several_metrics
from evalmark.validator.edge.writing import sweep, write_atomically

COLUMNS = (
    "model", "suite", "metric", "item", "condition", "region", "region_name", "content", "tokens",
    "value",
)  # fmt: skip

Row = tuple[str, str, str, int, str, int, str, str, int, float | None]


def unique_names(scores: Scores) -> list[str]:
    """The names of the suites, with the metric where a suite has several.

    Suites of the same name are numbered.
    """
    names: list[str] = []
    several = has_several_metrics(scores)
    for scored in scores.suites:
        suite = scored.source.suite
        named = scored.source.path in several
        name = base = f"{suite.name} ({suite.metric})" if named else suite.name
        number = 2
        while name in names:
            name, number = f"{base}#{number}", number + 1
        names.append(name)
    return names


def tidy_rows(scores: Scores) -> Iterator[Row]:
    """One row for each region that was computed; None for an undefined value (bits)."""
    for unique, scored in zip(unique_names(scores), scores.suites, strict=True):
        suite = scored.source.suite
        names = {int(key): str(name) for key, name in suite.region_meta.items()}
        for item, row in zip(suite.items, scored.surprisals, strict=True):
            for condition, surprisals in zip(item.conditions, row, strict=True):
                values = condition_values(condition, surprisals, scored.metric or suite.metric)
                for region, tokens in zip(condition.regions, surprisals, strict=True):
                    if tokens is None:
                        continue
                    yield (
                        scores.model.id, unique, suite.metric, item.number, condition.name,
                        region.number, names.get(region.number, ""), region.content, len(tokens),
                        values[region.number],
                    )  # fmt: skip


def tidy_csv(scores: Scores) -> str:
    """The rows as CSV, with a header."""
    return csv_text(COLUMNS, tidy_rows(scores))


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV, with a header."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def write_table(scores: Scores, path: Path, *, spreadsheet: bool = False) -> None:
    """Write the rows in the format of the file's name; see ``write_rows``."""
    write_rows(COLUMNS, tidy_rows(scores), path, spreadsheet=spreadsheet)


def write_rows(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    path: Path,
    *,
    spreadsheet: bool = False,
) -> None:
    """Write rows in the format of the file's name: ``.parquet``, or else CSV.

    With ``spreadsheet``, no cell of a CSV is a formula.

    Raises:
        NotInstalledError: pyarrow is not installed.
        OSError: The file cannot be written.
    """
    sweep(path)  # temporary files of an interrupted run
    if path.suffix == ".parquet":
        require("pyarrow")
        import pyarrow as pa
        from pyarrow import parquet

        found = zip(*rows, strict=True)
        table = pa.table(dict(zip(columns, map(list, found), strict=True)))
        stream = io.BytesIO()
        parquet.write_table(table, stream)
        write_atomically(path, stream.getvalue())
    else:
        text = csv_text(columns, rows)
        write_atomically(path, (for_spreadsheets(text) if spreadsheet else text).encode("utf-8"))
