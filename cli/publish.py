"""``evalmark publish``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import StoreArgument, file_option, refuse_dash
from evalmark.validator.io.terminal import CLEAN, say, tell

app = new_app()

EPILOG = """
\b
Examples:
  evalmark publish leaderboard/ -o site/
  evalmark publish leaderboard/ -o site/ --title "Grammar"
  evalmark publish leaderboard/ -o site/ \\
    --record-url "https://github.com/me/records/blob/main/{file}"

Exit code: 0 done, 2 something failed.
"""
#: Records that are named.
_NAMED = 3


@app.command(cls=Command, epilog=EPILOG)
def publish(
    store: StoreArgument,
    out: Annotated[
        Path,
        file_option(
            "--out", "-o", metavar="FOLDER", callback=refuse_dash, help="Folder of the site."
        ),
    ],
    title: Annotated[
        str, file_option("--title", metavar="TEXT", help="What the site is called.")
    ] = "Leaderboard",
    record_url: Annotated[
        str | None,
        file_option(
            "--record-url",
            metavar="URL",
            help="URL of a record, {file} for its path; "
            "without it, records are copied into the site.",
        ),
    ] = None,
) -> None:
    """Write a static site of a store: models, benchmarks, and every number with its source.

    The first page has a table of models and benchmarks that can be sorted and filtered; each model
    and each benchmark has a page. Numbers that contradict each other are shown side by side with
    the settings in which they differ, and never averaged. Every number has a link to its record.
    The site loads nothing from other hosts, and works from a disk too. Files of an earlier site in
    the folder are replaced; other files stay.
    """
    from evalmark.cli.stores.answering import opened
    from evalmark.pages.site.write_site import publish as write_site

    found = write_site(opened(store), out, title=title, record_url=record_url)
    counts = (
        (found.models, "model"),
        (found.benchmarks, "benchmark"),
        (found.results, "result"),
        (found.conflicts, "conflict"),
    )
    tell(", ".join(f"{count:,} {what}{'' if count == 1 else 's'}" for count, what in counts))
    if found.unnamed:
        what = "1 result names" if found.unnamed == 1 else f"{found.unnamed:,} results name"
        say(f"note: {what} no model: only in the tables for download")
    if found.lost:
        names = ", ".join(found.lost[:_NAMED])
        more = f" and {len(found.lost) - _NAMED:,} more" if len(found.lost) > _NAMED else ""
        say(
            f"note: {len(found.lost):,} of the records are not linked, since they are gone, have "
            "changed, or have paths from another folder than this one (run `publish` where "
            f"`store add` was run): {names}{more}"
        )
    say(f"wrote {out / 'index.html'} and {found.files - 1:,} more files, {found.size / 1e6:.1f} MB")
    raise typer.Exit(CLEAN)
