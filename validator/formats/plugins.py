"""Formats of other packages, which their plug-ins add.

They are asked when no format of ours recognizes a file, when one is asked for by name, and when a
command lists formats. What they do wrong is said of their package, and never a traceback.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TypeGuard

from evalmark.schemas.errors import ExtensionError
from evalmark.validator.findings.rule import Rule, others_error, shape_rules
from evalmark.validator.findings.rule_pages import paged
from evalmark.validator.format import CheckResult, FailedCheck, Format
from evalmark.validator.formats.builtin import FAMILIES, KINDS
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.extensions import Extension, Plugin, added


@dataclass(frozen=True, slots=True)
class OtherFormats:
    """The formats of other packages."""

    named: Mapping[str, Format] = field(default_factory=dict)
    refused: tuple[str, ...] = ()  # a line for each that is not used

    def rules(self) -> dict[str, Rule]:
        """Code -> rule, those of their schemas included."""
        return {code: rule for form in self.named.values() for code, rule in _rules(form).items()}


def other_formats(path: str = "") -> OtherFormats:
    """The formats of other packages, none from the current folder or one that holds the file."""
    here = os.path.abspath(os.curdir)
    folder = os.path.dirname(os.path.join(here, path)) if path else here
    return _load_formats(folder, here, tuple(sys.path))


def format_named(kind: str, path: str = "") -> Format:
    """The format with a name, of ours or of a package."""
    return KINDS.get(kind) or other_formats(path).named[kind]


def others_asked(
    path: str, asks: Callable[[Format], bool]
) -> tuple[Format | None, tuple[str, ...]]:
    """The first format of which ``asks`` is true, and lines on those that fail or are not used."""
    others = other_formats(path)
    failed: list[str] = []
    for form in others.named.values():
        try:
            with _blame_package(form, "when it looks at a file"):
                if asks(form):
                    return form, (*others.refused, *failed)
        except ExtensionError as error:
            failed.append(str(error))
    return None, (*others.refused, *failed)


def result_of(form: Format, check: Callable[[FailedCheck], CheckResult]) -> CheckResult:
    """The result of a check by a package: of the file by itself, with findings of its own rules.

    ``check`` gets what makes the finding of a rule that fails; raises ExtensionError if ``check``
    itself fails.
    """
    assert form.origin is not None
    origin = form.origin
    with _blame_package(form):
        result = check(lambda error, path: others_error(origin.fault(error, "fails"), path))
        codes = _rules(form)
        for finding in result.findings:
            if finding.code not in codes and not finding.code.startswith("F0"):
                raise ValueError(f"{finding.code} is not a rule of this format")
        return CheckResult(
            list(result.findings),
            tuple(result.remarks),
            result.companions,
            identity=result.identity,
        )


@contextmanager
def _blame_package(form: Format, when: str = "") -> Iterator[None]:
    """Name the package of a format in what goes wrong."""
    assert form.origin is not None
    try:
        yield
    except (Exception, SystemExit) as error:  # code of others raises anything
        raise form.origin.fault(error, f"fails {when}".rstrip()) from error


@lru_cache(maxsize=64)
def _load_formats(folder: str, here: str, path: tuple[str, ...]) -> OtherFormats:
    del here, path  # what counts as the environment depends on them
    loaded = added(_formats_of, _is_format, taken=KINDS, file=folder)
    formats: dict[str, Format] = {}
    refused = list(loaded.refused)
    for name, value in loaded.usable.items():
        origin = loaded.origins[name]
        try:
            formats[name] = _require_usable(value, origin)
        except (Exception, SystemExit) as error:  # code of others raises anything
            refused.append(str(origin.fault(error, "cannot be loaded")))
    conflicts = {name: _conflict(form, formats) for name, form in formats.items()}
    refused += (str(loaded.origins[name].unfit(why)) for name, why in conflicts.items() if why)
    usable = {name: form for name, form in formats.items() if not conflicts[name]}
    return OtherFormats(usable, tuple(refused))


def _formats_of(plugin: Plugin) -> Iterator[tuple[str, object]]:
    yield from ((getattr(form, "name", "a format"), form) for form in plugin.formats())


def _is_format(value: object) -> TypeGuard[Format]:
    return isinstance(value, Format)


def _require_usable(form: Format, origin: Extension) -> Format:
    if reason := _why_unusable(form):
        raise origin.unfit(reason)
    return replace(form, origin=origin)


def _why_unusable(form: Format) -> str:
    rules = form.checks.rules()
    if form.family in FAMILIES or not re.fullmatch("[A-Z]{1,8}", form.family):
        why = "is one of evalmark" if form.family in FAMILIES else "is not 1 to 8 capital letters"
        return f"its family {shown(form.family)} {why}"
    taken = {rule.code: rule.name for rule in shape_rules(form.family)}
    for rule in rules:
        if not re.fullmatch(f"{form.family}[0-9]{{3}}", rule.code):
            return f"the code {shown(rule.code)} is not {form.family} and three digits"
        if rule.code in taken:
            return f"{rule.code} is both {taken[rule.code]} and {shown(rule.name)}"
        taken[rule.code] = rule.name
    return ""


@lru_cache(maxsize=64)
def _rules(form: Format) -> Mapping[str, Rule]:
    of_schema = map(paged, shape_rules(form.family))
    return {rule.code: rule for rule in (*of_schema, *form.checks.rules())}


def _conflict(form: Format, formats: Mapping[str, Format]) -> str:
    for neighbour in formats.values():
        if neighbour.family != form.family or neighbour is form:
            continue
        assert form.origin is not None
        assert neighbour.origin is not None
        if neighbour.origin.package != form.origin.package:
            return f"another package has the family {form.family} too"
        for code in sorted(_rules(neighbour).keys() & _rules(form).keys()):
            if _rules(neighbour)[code] != _rules(form)[code]:
                return f"{code} is another rule in {neighbour.name}"
    return ""
