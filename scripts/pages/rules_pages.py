"""The pages of rules: a table of all, and a page for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from types import FunctionType

from evalmark.validator.findings.rule import NOT_CHECKED, Rule
from evalmark.validator.formats.builtin import FAMILIES, FORMATS
from evalmark.validator.formats.rule_registry import RULES, rule_text

#: The first letters of codes -> what their rules are about; else the name of a format.
TITLES = {
    "F": "Files",
    "SG": "Suites",
    "EE": "Records",
    "LT": "Conversations",
    "MP": "Minimal pairs",
}

HEAD = """# Rules

Each rule has a code and a name; you can use either of them. `evalmark explain CODE` prints its
page, and [settings](checking-a-suite-repository.md#settings) say how to ignore it.
"""
TABLE = "| rule | name | severity | what is wrong |\n|---|---|---|---|"
IGNORE = """## Ignore it

For one run: `evalmark check --ignore {code} FILES`. Always, in `evalmark.toml`:

```toml
ignore = ["{code}"]
```

For some files only:

```toml
[[per-file-ignores]]
files = "drafts/*"
rules = ["{code}"]
reason = "not finished"
```
"""
OPTIONAL = "Checked only with `--select {code}`, or if `select` in `evalmark.toml` lists it."
ALWAYS = "This file could not be checked, so the finding cannot be ignored."


def rules_pages() -> dict[str, str]:
    """Path -> text of ``rules.md`` and of the page of each rule."""
    titles = {form.family: form.name.capitalize() for form in FORMATS} | TITLES
    lines, pages = [HEAD], {}
    for family in FAMILIES:
        lines += [f"## {titles[family]}\n", TABLE]
        for code, rule in RULES.items():
            if code.rstrip("0123456789") == family:
                severity = f"{rule.severity}{', optional' if rule.optional else ''}"
                cells = (f"[{code}](rules/{code}.md)", rule.name, severity, rule.summary)
                lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |")
                pages[f"rules/{code}.md"] = _page(rule, titles[family])
        lines.append("")
    return {"rules.md": "\n".join(lines), **pages}


def _page(rule: Rule, family: str) -> str:
    text = re.sub(r"\n+(Bad|Good): ", r"\n\n**\1:** ", rule_text(rule))
    ignore = ALWAYS if rule.code in NOT_CHECKED else IGNORE.format(code=rule.code)
    anchor = family.lower().replace(" ", "-")
    parts = [f"# {rule.code} {rule.name}", f"[{family}](rules.md#{anchor}) · {rule.severity}"]
    parts += [OPTIONAL.format(code=rule.code)] if rule.optional else []
    return "\n\n".join([*parts, text, ignore.strip(), *_code(rule)])


def _code(rule: Rule) -> Iterator[str]:
    """Where the code of a rule is, if it is a function; one of many names their table."""
    if (check := rule.check) is None:
        return
    function = check.func if isinstance(check, partial) else check
    if isinstance(function, FunctionType):
        file = f"`{function.__module__.removeprefix('evalmark.').replace('.', '/')}.py`"
        where = f"`{function.__name__}` in {file}."
        if function is not check:
            text = " ".join((function.__doc__ or "").split()).replace("``", "`")
            where = f"{file}. {text}".rstrip()
        yield f"## In the code\n\n{where}"
