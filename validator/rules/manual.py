"""The documentation of all rules as one page, docs/rules.md."""

from __future__ import annotations

import inspect

from evalmark.validator.rules.registry import RULES
from evalmark.validator.rules.rule import Rule

_FAMILIES = {"F": "Files", "SG": "Suites", "EE": "Records", "LT": "Conversations"}


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
    shown: set[str] = set()
    for family, title in _FAMILIES.items():
        lines += ["", f"## {title}"]
        for code, rule in RULES.items():
            if code.rstrip("0123456789") != family:
                continue
            lines += ["", f"### {code} {rule.name}", "", _severity(rule), ""]
            if rule.page in shown:
                lines.append(f"See {_first_with(rule.page)}.")
            else:
                lines.append(rule_text(rule))
            shown.add(rule.page)
    return "\n".join(lines) + "\n"


def _severity(rule: Rule) -> str:
    optional = " Optional: checked only if selected." if rule.optional else ""
    return f"Severity: {rule.severity}.{optional}"


def _first_with(page: str) -> str:
    first = next(
        rule for family in _FAMILIES for rule in RULES.values()
        if rule.code.rstrip("0123456789") == family and rule.page == page
    )  # fmt: skip
    return f"{first.code}"
