"""The command ``evalmark mteb``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Annotated

import typer
from evalmark import ConversionError, check_file
from evalmark.extending import write_atomically

app = typer.Typer(add_completion=False)


@app.command()
def scores(
    folder: Annotated[Path, typer.Argument(help="Results: the folder of a model's revision.")],
    out: Annotated[Path | None, typer.Option(help="The file to write; else stdout.")] = None,
) -> None:
    """Write the main scores of a model as CSV."""
    rows = [("task", "split", "subset", "main score")]
    for path in sorted(folder.glob("*.json")):
        report = check_file(path)
        if report.kind != "mteb-task":
            continue
        report.raise_for_errors()
        task = json.loads(path.read_bytes())
        for split, entries in task["scores"].items():
            rows += ((task["task_name"], split, e["hf_subset"], e["main_score"]) for e in entries)
    if len(rows) == 1:
        raise ConversionError(f"{folder} has no results of MTEB")
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows(rows)
    if out is None:
        typer.echo(table.getvalue(), nl=False)
    else:
        write_atomically(out, table.getvalue().encode())
