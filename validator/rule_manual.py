"""The documentation of all rules as one page, docs/rules.md."""

from __future__ import annotations

import inspect

from evalmark.validator.findings.rule import Rule
from evalmark.validator.formats.known import FORMATS
from evalmark.validator.rule_registry import RULES

#: The first letters of codes -> what their rules are about; else the name of a format.
_FAMILIES = {
    "F": "Files",
    "SG": "Suites",
    "EE": "Records",
    "LT": "Conversations",
    "MP": "Minimal pairs",
    "MT": "Memory sets",
    "HF": "Community evals",
}


def rule_text(rule: Rule) -> str:
    """The page of a rule as Markdown, without its heading."""
    return inspect.cleandoc(rule.page)


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
    others = {form.family: form.name.capitalize() for form in FORMATS}
    for family, title in (_FAMILIES | others | _FAMILIES).items():
        lines += ["", f"## {title}"]
        for code, rule in RULES.items():
            if code.rstrip("0123456789") != family:
                continue
            optional = " Optional: checked only if selected." if rule.optional else ""
            lines += ["", f"### {code} {rule.name}", "", f"Severity: {rule.severity}.{optional}"]
            shown = first.setdefault(rule.page, code)
            lines += ["", rule_text(rule) if shown == code else f"See {shown}."]
    return "\n".join(lines) + "\n"
