"""Rules: their codes, names, severities, pages, and the functions that check.

A code is never reused. A name can have several codes (`wrong-type` is SG112 for suites and EE112
for records). Users can write the code or the name. The rules of a format are listed in its folder,
so that a check loads no others; `rule_registry` has all of them. Rules on whole files, and those
that schemas check, are here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache
from itertools import groupby, starmap
from operator import attrgetter
from typing import Any, NamedTuple

from evalmark.schemas.errors import PLEASE_REPORT, ExtensionError, failure
from evalmark.validator.findings.finding import (
    Action,
    At,
    Change,
    Finding,
    Mistake,
    Places,
    Remark,
    Severity,
    Span,
    locate,
)

#: A check gets the view of a document, and yields what it finds.
Check = Callable[[Any], Iterator[Mistake] | Iterator[Mistake | Remark]]


class Rule(NamedTuple):
    """A rule as users know it.

    Attributes:
        code: For example ``SG204``.
        name: For example ``unknown-condition``.
        severity: How serious a finding is.
        page: Its documentation: what is wrong, why, bad, good.
        check: The function that checks it; None if the parser or a schema does.
        optional: Checked only if it is selected: it reports a fact, not a mistake.
        asks: The part of a view that it looks at; views where that is empty are not shown to it.
    """

    code: str
    name: str
    severity: Severity
    page: str
    check: Check | None = None
    optional: bool = False
    asks: Callable[[Any], object] | None = None

    @classmethod
    def of(
        cls, code: str, name: str, severity: Severity, check: Check, *, optional: bool = False
    ) -> Rule:
        """The rule that a function checks; its docstring is the page.

        It gets what ``view`` of the format returns (by itself, the ``Document``), and yields a
        ``Mistake`` for each mistake.
        """
        assert check.__doc__, f"{name} has no documentation"
        return cls(code, name, severity, check.__doc__, check, optional)

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.partition("\n")[0]


def checked_rules(
    *table: tuple[str, str, Severity, Check],
    optional: tuple[str, ...] = (),
    asks: Callable[[Any], object] | None = None,
) -> tuple[Rule, ...]:
    """The rules of a table of code, name, severity and function; the docstring is the page."""
    rules = (Rule.of(*entry, optional=entry[0] in optional) for entry in table)
    return tuple(rule._replace(asks=asks) for rule in rules)


class RuleGroup(NamedTuple):
    """Rules that look at the same part of a view: where it is empty, none of them is called."""

    asks: Callable[[Any], object] | None
    optional: bool
    rules: tuple[tuple[Check, Rule], ...]


def grouped(rules: Iterable[Rule]) -> tuple[RuleGroup, ...]:
    """Rules with a check, in their order; those that ask the same follow each other."""
    return tuple(
        RuleGroup(*key, tuple((rule.check, rule) for rule in group if rule.check is not None))
        for key, group in groupby(rules, attrgetter("asks", "optional"))
    )


#: Code → name. All of them are errors.
FILE_CODES = {
    "F001": "invalid-json",
    "F002": "invalid-utf8",
    "F003": "byte-order-mark",
    "F004": "wrong-encoding",
    "F005": "duplicate-key",
    "F006": "not-a-number",
    "F007": "number-too-large",
    "F008": "lone-surrogate",
    "F009": "nested-too-deep",
    "F010": "empty-file",
    "F011": "unreadable-file",
    "F012": "unknown-kind",
    "F013": "unknown-version",
    "F014": "invalid-yaml",
    "F015": "ambiguous-scalar",
    "F016": "beyond-json",
    "F017": "exploding-aliases",
    "F018": "line-too-long",
    "F019": "enclosed-file",
    "F099": "internal-error",
}
#: Codes of files that could not be checked.
NOT_CHECKED = frozenset({"F011", "F099"})
BEGINNING = Span(1, 1, 1, 1)  # of a file


class FileRule(NamedTuple):
    """A rule without its documentation: the part of it that findings need."""

    code: str
    name: str
    severity: Severity = Severity.ERROR


#: Checked over what a branch changes.
NEW_SETTINGS = FileRule("F022", "changed-settings", Severity.WARNING)
CASE_ONLY = FileRule("F023", "differs-in-case-only", Severity.WARNING)
NOT_READ = FileRule("F024", "skipped-file", Severity.WARNING)
#: Checked over all files of a call.
SAME_NAME = FileRule("SG418", "same-suite-name", Severity.WARNING)


def file_finding(
    code: str, path: str, message: str, *, span: Span | None = BEGINNING, **details: Any
) -> Finding:
    """A finding about a file, at its beginning unless ``span`` says where; see ``FILE_CODES``."""
    name = FILE_CODES[code]
    return Finding(code, name, Severity.ERROR, message, path, span=span, fold=message, **details)


def internal_error(error: Exception, path: str) -> Finding:
    """The finding for a file whose check failed because of a bug in evalmark."""
    return file_finding("F099", path, failure(error), helps=(PLEASE_REPORT,))


def failed_check(error: Exception, path: str, opened: str = "") -> Finding:
    """The finding for a file whose check failed; ``opened`` is its path without links.

    A file that cannot be read is not to blame for other errors of the system: they are ours.
    """
    if isinstance(error, OSError) and error.filename in (path, opened or path):
        reason = (error.strerror or str(error)).lower()
        return file_finding("F011", path, f"cannot be read: {reason}")
    if isinstance(error, ExtensionError):
        return others_error(error, path)
    return internal_error(error, path)


def found_by(
    groups: Iterable[RuleGroup],
    view: object,
    path: str,
    places: Callable[[], Places | None],
    select: Collection[str] = (),
    failed: Callable[[Exception, str], Finding] = failed_check,
) -> list[Finding | Remark]:
    """The findings of rules in a view; if a rule crashes, that is the last of its own.

    Optional rules are applied if ``select`` has their code. ``places`` finds positions once there
    is a finding; ``failed`` makes the finding of a bug.
    """
    found: list[Finding | Remark] = []
    for asks, optional, group in groups:
        rules = [pair for pair in group if pair[1].code in select] if optional else group
        try:
            if asks is not None and not asks(view):
                continue
        except Exception as error:
            found.append(failed(error, path))
            continue
        for check, rule in rules:
            try:
                for mistake in check(view):  # most views have none: no comprehension is as fast
                    if isinstance(mistake, Mistake):
                        found.append(locate(mistake, rule, path, places()))
                    else:
                        found.append(mistake)
            except Exception as error:
                found.append(failed(error, path))
    return found


def others_error(error: ExtensionError, path: str) -> Finding:
    """The finding for a file whose check failed because of a bug in another package."""
    helps = ("this is a bug in that package: report it to those who make it",)
    return file_finding("F099", path, str(error), helps=helps)


def unknown_version(
    kind: str, version: str, versions: tuple[str, ...], path: str, source: Places | None
) -> Finding:
    """The finding for a version that has no schema."""
    plain = version.strip().lstrip("vV=")
    meant = next((name for name in versions if name in (plain, f"{plain}.0")), None)
    at = At("/schema_version")
    help_text = Action.TERMINAL(
        "write one of the known versions, or check against one with `--schema-version VERSION`"
    )
    mistake = Mistake(
        f'no schema for {kind} version "{version}"',
        at,
        caret=f"known: {', '.join(versions)}",
        helps=(f'write "{meant}"',) if meant else (help_text,),
        changes=(Change(at, f'"{meant}"'),) if meant else (),
    )
    return locate(mistake, FileRule("F013", FILE_CODES["F013"]), path, source)


def same_suite_name(path: str, first: str, source: Places) -> Finding:
    """The finding for a suite with the name of another suite of the call."""
    mistake = Mistake(f"duplicate suite name: also in {first}", At("/meta/name"), fold="same name")
    return locate(mistake, SAME_NAME, path, source)


#: Number -> name of the rules of schemas, for each family of formats; suggestions for them are in
#: ``formats/explaining``, and in the ``Advice`` of a format.
SHAPES = {
    "101": "missing-key",  # EE101, LT101, MP101, SG101
    "112": "wrong-type",  # EE112, LT112, MP112, SG112
    "113": "unknown-value",  # EE113, LT113, MP113, SG113
    "114": "unknown-key",  # EE114, LT114, MP114, SG114
    "115": "too-short",  # EE115, LT115, MP115, SG115
    "116": "out-of-range",  # EE116, LT116, MP116, SG116
    "117": "wrong-form",  # EE117, LT117, MP117, SG117
    "119": "schema-mismatch",  # EE119, LT119, MP119, SG119
    "120": "misspelt-key",  # EE120, LT120, MP120, SG120
}
#: Those of them that are warnings.
_MILD = ("misspelt-key",)
#: Code -> name of those of records only.
RECORD_SHAPES = {
    "EE102": "wrong-version",
    "EE103": "unfit-old-record",
    "EE111": "unknown-source-type",
    "EE131": "levels-need-names",
    "EE132": "bounds-missing",
    "EE133": "interaction-needs",
}


@cache
def shape_rules(family: str) -> tuple[FileRule, ...]:
    """The rules that the schemas of any family of formats check."""
    return tuple(
        FileRule(f"{family}{number}", name, Severity.WARNING if name in _MILD else Severity.ERROR)
        for number, name in SHAPES.items()
    )


@cache
def shape_rule(name: str, family: str) -> FileRule:
    """The rule with a name, or a code, for the formats of a family."""
    of_records = starmap(FileRule, RECORD_SHAPES.items() if family == "EE" else ())
    rules = (*shape_rules(family), *of_records)
    is_of_records = name == "unknown-source-type" and family != "EE"
    name = "unknown-value" if is_of_records else name
    return next(rule for rule in rules if name in (rule.code, rule.name))
