"""Formats of other packages, which their plug-ins add.

They are read when no format of ours recognizes a file, when one is asked for by name, and when a
command lists formats. What they do wrong is said of their package, and never a traceback.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from functools import lru_cache
from typing import TYPE_CHECKING, Any, BinaryIO, TypeGuard

from evalmark.schemas.errors import ExtensionError, Rejected
from evalmark.schemas.files import Schema
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.rule import Rule, others_error, shape_rules
from evalmark.validator.findings.rule_pages import paged
from evalmark.validator.format import Advice, CheckContext, CheckResult, Document, Format
from evalmark.validator.formats.builtin import FAMILIES, FIRST, KINDS
from evalmark.validator.formats.pairs.pair_files import header_of
from evalmark.validator.formats.shared.row_findings import first_row
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.extensions import Extension, Plugin, added
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # few files are in an editor
    from evalmark.validator.findings.editing import Editing


@dataclass(frozen=True)
class OtherFormat(Format):
    """A format of another package, whose errors name the package.

    Attributes:
        inner: The format.
        origin: Where it is from.
        codes: Code -> rule, those of its schema included.
    """

    inner: Format = field(kw_only=True, compare=False)
    origin: Extension = field(kw_only=True)
    codes: Mapping[str, Rule] = field(kw_only=True, compare=False)

    def recognizes(self, data: dict[str, Any]) -> bool:
        """As the package says."""
        with self._blamed("when it looks at a file"):
            return self.inner.recognizes(data)

    def recognizes_columns(self, header: Collection[str]) -> bool:
        """As the package says."""
        with self._blamed("when it looks at a table"):
            return self.inner.recognizes_columns(header)

    def lies_at(self, path: str) -> bool:
        """As the package says."""
        with self._blamed("when it looks at a path"):
            return self.inner.lies_at(path)

    def nearly_recognizes_columns(self, header: Collection[str]) -> bool:
        """As the package says."""
        with self._blamed("when it looks at a table"):
            return self.inner.nearly_recognizes_columns(header)

    def may_lie_at(self, path: str) -> bool:
        """As the package says."""
        with self._blamed("when it looks at a path"):
            return self.inner.may_lie_at(path)

    def identity(self, document: Document) -> str | None:
        """As the package says."""
        with self._blamed():
            return self.inner.identity(document)

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """As the package says; where that fails, the finding is that it does."""
        try:
            with self._blamed():
                said = CheckResult([self.inner.same_identity(source, raw, other, other_raw)])
                return self._found(said).findings[0]
        except ExtensionError as error:
            return others_error(error, source.path)

    def editing(self, data: object, context: CheckContext) -> Editing:
        """As the package says; no help where that fails, as it may while a file is written."""
        with suppress(Exception):
            return self.inner.editing(data, context)
        return super().editing(data, context)

    def advice(self) -> Advice:
        """As the package says."""
        return self.inner.advice()

    def rules(self) -> tuple[Rule, ...]:
        """The rules, without those of the schema."""
        return self.inner.rules()

    def schema(self) -> Schema | None:
        """As the package says."""
        return self.inner.schema()

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """As the package does."""
        with self._blamed():
            return self._found(self.inner.check(document, reading, self._blaming(context)))

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """As the package does."""
        with self._blamed():
            return self._found(self.inner.check_rows(file, path, self._blaming(context)))

    def _blaming(self, context: CheckContext) -> CheckContext:
        """A context in which a rule that fails is a bug of the package."""
        return context._replace(
            failed=lambda error, path: others_error(self.origin.fault(error, "fails"), path)
        )

    def _found(self, checked: CheckResult) -> CheckResult:
        """The findings in a file by itself; of other files, only the identity is compared."""
        for finding in checked.findings:
            if finding.code not in self.codes and not finding.code.startswith("F0"):
                raise ValueError(f"{finding.code} is not a rule of this format")
        return CheckResult(list(checked.findings), tuple(checked.remarks), checked.companions)

    @contextmanager
    def _blamed(self, when: str = "") -> Iterator[None]:
        """Name the package in what goes wrong."""
        try:
            yield
        except (Exception, SystemExit) as error:  # code of others raises anything
            raise self.origin.fault(error, f"fails {when}".rstrip()) from error


@dataclass(frozen=True, slots=True)
class OtherFormats:
    """The formats of other packages.

    Attributes:
        named: Name -> format.
        refused: A line for each that is not used.
    """

    named: Mapping[str, OtherFormat] = field(default_factory=dict)
    refused: tuple[str, ...] = ()

    def first(self, asks: Callable[[Format], bool]) -> tuple[Format | None, tuple[str, ...]]:
        """The first format for which something is true, and lines on those that fail or refuse.

        Args:
            asks: Whether it is true of a format.
        """
        failed: list[str] = []
        for form in self.named.values():
            try:
                if asks(form):
                    return form, (*self.refused, *failed)
            except ExtensionError as error:
                failed.append(str(error))
        return None, (*self.refused, *failed)

    def rules(self) -> dict[str, Rule]:
        """Code -> rule."""
        return {code: rule for form in self.named.values() for code, rule in form.codes.items()}


def other_formats(path: str = "") -> OtherFormats:
    """The formats of other packages; none is from the current folder, or one that holds a file.

    Args:
        path: The file.
    """
    here = os.path.abspath(os.curdir)
    folder = os.path.dirname(os.path.join(here, path)) if path else here
    return _others(folder, here, tuple(sys.path))


def format_named(kind: str, path: str = "") -> Format:
    """The format with a name, of ours or of a package."""
    return KINDS.get(kind) or other_formats(path).named[kind]


def other_at(path: str, data: Any) -> tuple[Format | None, tuple[str, ...]]:
    """The format of a file that is none of ours; lines on those that cannot be used."""

    def is_one(form: Format) -> bool:
        if form.lies_at(path):
            return True
        if isinstance(data, list):
            rows = [row for row in data[:FIRST] if isinstance(row, dict)]
            return form.in_lists and any(map(form.recognizes, rows))
        return isinstance(data, dict) and form.recognizes(data)

    return other_formats(path).first(is_one)


def other_of_rows(file: BinaryIO, path: str) -> tuple[Format | None, tuple[str, ...]]:
    """The format of a file of rows that are none of ours. Rewinds the file."""
    try:
        data = first_row(file)
    except Rejected:
        data = None
    is_row = isinstance(data, dict)
    return other_formats(path).first(
        lambda form: form.has_rows and (form.lies_at(path) or (is_row and form.recognizes(data)))
    )


def other_of_table(file: BinaryIO, path: str) -> tuple[Format | None, tuple[str, ...]]:
    """The format of a table that is none of ours. Rewinds the file."""
    others = other_formats(path)
    if not others.named:
        return None, ()
    header = header_of(file, path)
    return others.first(
        lambda form: (
            form.has_tables
            and (form.recognizes_columns(header) or form.nearly_recognizes_columns(header))
        )
    )


def may_be_of_others(raw: bytes, path: str) -> bool:
    """True if a text has the keys of a format of another package; see ``could_be_ours``."""

    def is_one(form: Format) -> bool:
        return (
            form.lies_at(path)
            or form.may_lie_at(path)
            or any(
                all(key.encode() in raw for key in signs)
                for signs in (*form.signs, *form.common_signs)
            )
        )

    return other_formats(path).first(is_one)[0] is not None


@lru_cache(maxsize=64)
def _others(folder: str, here: str, path: tuple[str, ...]) -> OtherFormats:
    """The formats of other packages that can be used together."""
    del here, path  # what counts as the environment depends on them
    loaded = added(_formats_of, _is_format, taken=KINDS, file=folder)
    formats: dict[str, OtherFormat] = {}
    refused = list(loaded.refused)
    for name, value in loaded.usable.items():
        origin = loaded.origins[name]
        try:
            formats[name] = _ready(value, origin)
        except (Exception, SystemExit) as error:  # code of others raises anything
            refused.append(str(origin.fault(error, "cannot be loaded")))
    shared = {name: _shared_with(form, formats) for name, form in formats.items()}
    refused += (str(formats[name].origin.unfit(why)) for name, why in shared.items() if why)
    return OtherFormats({n: form for n, form in formats.items() if not shared[n]}, tuple(refused))


def _formats_of(plugin: Plugin) -> Iterator[tuple[str, object]]:
    yield from ((getattr(form, "name", "a format"), form) for form in plugin.formats())


def _is_format(value: object) -> TypeGuard[Format]:
    return isinstance(value, Format)


def _ready(form: Format, origin: Extension) -> OtherFormat:
    """A format that can be used.

    Raises:
        ExtensionError: It cannot be, and why.
    """
    rules = form.rules()
    if reason := _unfit(form, rules):
        raise origin.unfit(reason)
    codes = {rule.code: rule for rule in (*map(paged, shape_rules(form.family)), *rules)}
    members = {member.name: getattr(form, member.name) for member in fields(Format)}
    return OtherFormat(**members, inner=form, origin=origin, codes=codes)


def _unfit(form: Format, rules: tuple[Rule, ...]) -> str:
    """The reason that a format cannot be used; empty if it can."""
    hash(form)
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


def _shared_with(form: OtherFormat, formats: Mapping[str, OtherFormat]) -> str:
    """The conflict of a format with another one; empty if there is none."""
    for neighbour in formats.values():
        if neighbour.family != form.family or neighbour is form:
            continue
        if neighbour.origin.package != form.origin.package:
            return f"another package has the family {form.family} too"
        for code in sorted(neighbour.codes.keys() & form.codes.keys()):
            if neighbour.codes[code] != form.codes[code]:
                return f"{code} is another rule in {neighbour.name}"
    return ""
