"""Write what is derived: ``python -m scripts.generate [--check | --pages FOLDER]``.

In the repository:

.pre-commit-hooks.yaml       from scripts/hook_table.py
__init__.pyi                 from the tables of public names
docs/*.md                    the tables of scripts/reference_tables.py

With ``--pages``, for the site, which ``make docs`` builds:

rules.md        from the docstrings of the rules
commands.md     from the help of the commands
definitions.md  from docstrings and the tables of columns and settings
metrics.md      from schemas/metrics/metric_table.py
api.md          from the tables of public names
conformance.md  from tests/conformance/*.toml and the markers of the tests
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from evalmark.schemas.compilation import write_modules
from evalmark.validator.formats.builtin import FORMATS
from evalmark.validator.formats.rule_registry import FAMILIES, RULES, TITLES, rule_text

from scripts.commands_page import commands_page
from scripts.conformance import conformance_page
from scripts.definitions_page import definitions_page
from scripts.hook_table import hooks_yaml
from scripts.metrics_page import metrics_page
from scripts.public_names import FACES, api_page, stub
from scripts.reference_tables import TABLES, with_tables

ROOT = Path(__file__).resolve().parent.parent


def rules_page() -> str:
    """The page of all rules."""
    lines = [
        "# Rules",
        "",
        "Generated from the rules by `make generate`. Every rule has a code and a name; you can",
        "use either of them. The first sentence of an entry says what the rule requires.",
        "`evalmark explain CODE` prints one of these entries.",
    ]
    first: dict[str, str] = {}  # page -> code of the first rule that has it
    titles = {form.family: form.name.capitalize() for form in FORMATS} | TITLES
    for family in ("F", *FAMILIES):
        lines += ["", f"## {titles[family]}"]
        for code, rule in RULES.items():
            if code.rstrip("0123456789") != family:
                continue
            optional = " Optional: checked only if selected." if rule.optional else ""
            lines += ["", f"### {code} {rule.name}", "", f"Severity: {rule.severity}.{optional}"]
            shown = first.setdefault(rule.page, code)
            lines += ["", rule_text(rule) if shown == code else f"See {shown}."]
    return "\n".join(lines) + "\n"


#: Pages of the site that nobody writes -> what makes them.
PAGES = {
    "api.md": api_page,
    "commands.md": commands_page,
    "conformance.md": conformance_page,
    "definitions.md": definitions_page,
    "metrics.md": metrics_page,
    "rules.md": rules_page,
}


def derived() -> dict[Path, str]:
    """Every derived file of the repository with the text it must have."""
    files = {ROOT / ".pre-commit-hooks.yaml": hooks_yaml()}
    for name in TABLES:
        files[ROOT / name] = with_tables(name, (ROOT / name).read_text(encoding="utf-8"))
    files |= {ROOT / place: stub(module) for module, place in FACES.items()}
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only report what is out of date")
    parser.add_argument("--pages", type=Path, help="write the pages of the site to this folder")
    options = parser.parse_args()
    try:
        if options.pages:
            options.pages.mkdir(parents=True, exist_ok=True)
            for name, page in PAGES.items():
                (options.pages / name).write_text(page(), encoding="utf-8")
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
