"""Write what is derived: ``python -m scripts.generate [--check | --pages FOLDER]``.

In the repository:

__init__.pyi                 from the tables of public names
docs/*.md                    the tables of scripts/pages/reference_tables.py

With ``--pages``, for the site, which ``make docs`` builds:

rules.md        from the docstrings of the rules, with a page for each
commands.md     from the help of the commands, with a page for each
definitions.md  from docstrings and the tables of columns and settings
metrics.md      from schemas/metrics/metric_table.py
columns.md      from the columns of tables, facts of mappings and fields of outputs
api.md          from the tables of public names, with a page for each package
conformance.md  from tests/conformance/*.toml and the markers of the tests
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from evalmark.schemas.compilation import write_modules

from scripts.pages.columns_page import columns_page
from scripts.pages.commands_page import commands_pages
from scripts.pages.conformance import conformance_page
from scripts.pages.definitions_page import definitions_page
from scripts.pages.metrics_page import metrics_page
from scripts.pages.public_names import FACES, api_pages, stub
from scripts.pages.reference_tables import TABLES, with_tables
from scripts.pages.rules_pages import rules_pages

ROOT = Path(__file__).resolve().parent.parent


def site_pages() -> dict[str, str]:
    """Path -> text of the pages of the site that nobody writes."""
    return {
        **api_pages(),
        "columns.md": columns_page(),
        **commands_pages(),
        "conformance.md": conformance_page(),
        "definitions.md": definitions_page(),
        "metrics.md": metrics_page(),
        **rules_pages(),
    }


def derived() -> dict[Path, str]:
    """Every derived file of the repository with the text it must have."""
    files = {ROOT / n: with_tables(n, (ROOT / n).read_text(encoding="utf-8")) for n in TABLES}
    files |= {ROOT / place: stub(module) for module, place in FACES.items()}
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only report what is out of date")
    parser.add_argument("--pages", type=Path, help="write the pages of the site to this folder")
    options = parser.parse_args()
    try:
        if options.pages:
            shutil.rmtree(options.pages, ignore_errors=True)
            for name, text in site_pages().items():
                path = options.pages / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return 0
        files = derived()
    except ValueError as error:
        sys.exit(str(error))
    stale = [
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if not options.check:
        write_modules(ROOT / "schemas/compiled")  # git ignores them
    for path in stale:
        print(f"{'out of date' if options.check else 'wrote'}: {path.relative_to(ROOT)}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
    return int(bool(stale) and options.check)


if __name__ == "__main__":
    sys.exit(main())
