"""Rules on what the settings of a repository expect of its files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

from evalmark.validator.findings.finding import At, Finding, Hit, Severity, Span
from evalmark.validator.findings.phrasing import closest, listed, shown
from evalmark.validator.findings.rule import Rule, checked_rules
from evalmark.validator.format import CountedRows, Document
from evalmark.validator.formats.json_format import rule_findings
from evalmark.validator.formats.records.datastore_rules import datastore_parts
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.options import CheckOptions
from evalmark.validator.own_rules import COUNTED, ExpectedCount, OwnRules
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import make_pointer


@dataclass(frozen=True, slots=True)
class RepositoryFile:
    """A file of a repository: a document, or rows and the record that they belong to."""

    document: Document
    path: str
    settings: OwnRules
    key: str  # of ``REPOSITORY_RULES``
    rows: Mapping[str, int] | None = None  # UID of pairs, else empty -> how many there are

    @property
    def data(self) -> dict[str, Any]:
        """The document; empty if it is not an object."""
        return self.document.data if isinstance(self.document.data, dict) else {}

    @property
    def collections(self) -> Iterator[tuple[str, At | None]]:
        """The collection that a record names, and the folder that it lies in; no place for that."""
        declared = self.data and fields_of(self.document).text("evaluation_id")
        first, slash, _ = (declared or "").partition("/")
        if slash:
            yield first, At(fields_of(self.document).at("evaluation_id"), 0, len(first))
        if parts := datastore_parts(self.path):
            yield parts[0], None

    def counts(self) -> Iterator[ExpectedCount]:
        """The numbers that are expected of this file."""
        meta = self.data.get("meta")
        suite = meta.get("name") if isinstance(meta, dict) else None
        suites = [suite] if isinstance(suite, str) else []
        for count in self.settings.counts:
            if COUNTED[count.unit] == self.key and self.settings.are_of(self.path, count.files):
                collections = (name for name, _ in self.collections)
                if _has(suites, count.suites) and _has(collections, count.collections):
                    yield count

    def numbers(self, count: ExpectedCount) -> Iterator[tuple[int, str, str]]:
        """Each number that a count is about, its pointer, and the UID of pairs."""
        if self.rows is not None and count.uids != "*":
            named = (uid for uid in self.rows if fnmatchcase(uid, count.uids))
            yield from ((self.rows[uid], "", uid) for uid in named)
        elif self.rows is not None:
            yield sum(self.rows.values()), "", ""
        elif self.document.is_record:
            fields = fields_of(self.document)
            if isinstance(entries := fields.get(count.unit), list):
                yield len(entries), fields.at(count.unit), ""
        elif isinstance(entries := self.data.get(count.unit), list):
            yield len(entries), f"/{count.unit}", ""


def _has(names: Iterable[str], glob: str) -> bool:
    return glob == "*" or any(fnmatchcase(name, glob) for name in names)


def expected_count(view: RepositoryFile) -> Iterator[Hit]:
    """A file has as many items, predictions, results, rows or pairs as its repository expects.

    An edit that drops an item leaves a valid suite, and a run that was stopped leaves a valid
    sample file, but their scores cannot be compared with others. The numbers are the setting
    `expected-counts`; without it the rule does nothing.

    Bad: 23 items where the settings have `suites = "npz_*"` and `items = 24`
    Good: 24 items
    """
    for count in view.counts():
        for number, at, uid in view.numbers(count):
            if number < count.least or (count.most is not None and number > count.most):
                unit = count.unit[:-1] if number == 1 else count.unit
                of_uid = f"UID {shown(uid)}: " if uid else ""
                yield Hit(
                    f"{of_uid}{number} {unit}, but this repository expects {count.text}",
                    At(at),
                    caret=f"expected {count.text}",
                    fold=f"pairs {uid}" if uid else f"{count.unit} {count.text}",
                )


def required_field(view: RepositoryFile) -> Iterator[Hit]:
    """A record has the fields that its repository requires.

    The format leaves most fields open. The fields are the setting `required-fields`: JSON pointers,
    in which `*` is any index. Null does not count as a value.

    Bad: no `deployment_type` where the settings have
    `fields = ["/model_info/additional_details/deployment_type"]`
    Good: `"additional_details": {"deployment_type": "api"}`
    """
    for glob, paths in view.settings.required if view.document.is_record else ():
        for path in paths if view.settings.are_of(view.path, glob) else ():
            for at, name in _missing(view.data, path):
                yield Hit(
                    f"`{name}` is missing",
                    At(at),
                    caret="required by this repository",
                    notes=(f"the setting `required-fields` lists {make_pointer(path)}",),
                )


def _missing(node: object, path: tuple[str, ...], at: str = "") -> Iterator[tuple[str, str]]:
    """Where a path ends too early, or at null, and what is missing there."""
    if not path:
        return
    key, *others = path
    if key == "*" and isinstance(node, list):
        for index, child in enumerate(node):
            yield from _missing(child, tuple(others), f"{at}/{index}")
        return
    child = node.get(key) if isinstance(node, dict) else None
    if isinstance(node, list) and key.isdecimal() and int(key) < len(node):
        child = node[int(key)]
    if child is not None:
        yield from _missing(child, tuple(others), at + make_pointer([key]))
    else:
        yield at, ".".join(path)


def allowed_collection(view: RepositoryFile) -> Iterator[Hit]:
    """A record belongs to a collection of its repository.

    The collection is the first part of the `evaluation_id`, and the folder below `data`. Allowed
    are those of the setting `collections`; without it the rule does nothing.

    Bad: `"evaluation_id": "gsm8l/meta/llama/1700000000"` where the settings have
    `collections = ["gsm8k"]`
    Good: `"evaluation_id": "gsm8k/meta/llama/1700000000"`
    """
    allowed = view.settings.collections
    named = dict(reversed([*view.collections])) if allowed and view.document.is_record else {}
    for name, at in named.items():  # the first place of each
        if not any(fnmatchcase(name, glob) for glob in allowed):
            expected = listed((shown(glob) for glob in allowed), 8).replace(" and ", " or ")
            what = shown(name) if at else f"the folder {shown(name)}"
            yield Hit(
                f"{what} is not a collection of this repository",
                at or At(""),
                caret=f"expected {expected}",
                helps=closest(name, [glob for glob in allowed if "*" not in glob]) if at else (),
            )


#: The letters of the codes of a document, or what rows are -> the rules; see ``COUNTED``.
REPOSITORY_RULES: dict[str, tuple[Rule, ...]] = {
    "SG": checked_rules(("SG501", "expected-items", Severity.ERROR, expected_count)),
    "EE": checked_rules(
        ("EE501", "expected-results", Severity.ERROR, expected_count),
        ("EE503", "required-field", Severity.ERROR, required_field),
        ("EE504", "allowed-collection", Severity.ERROR, allowed_collection),
    ),
    "rows": checked_rules(("EE502", "expected-rows", Severity.ERROR, expected_count)),
    "pairs": checked_rules(("MP501", "expected-pairs", Severity.ERROR, expected_count)),
}


def own_findings(
    document: Document, reading: Reading, options: CheckOptions, findings: list[Finding]
) -> list[Finding]:
    """The findings of a document, with those of the rules of its repository."""
    key = document.format.family if document.format else ""
    if options.repository_rules is None or options.schema_only or key not in REPOSITORY_RULES:
        return findings
    view = RepositoryFile(document, reading.path, options.repository_rules, key)
    additions, _ = rule_findings(REPOSITORY_RULES[key], view, reading)
    return [*findings, *(finding for finding in additions if not _is_reported(finding, findings))]


def row_findings(rows: CountedRows, options: CheckOptions) -> list[Finding]:
    """The findings of a repository's rules on a file of rows, which were counted."""
    key, numbers = ("rows", {"": rows.total}) if rows.groups is None else ("pairs", rows.groups)
    if options.repository_rules is None or (options.schema_only and key == "pairs"):
        return []
    view = RepositoryFile(rows.of, rows.path, options.repository_rules, key, numbers)
    found, _ = rule_findings(REPOSITORY_RULES[key], view, Reading(rows.path))
    return [replace(finding, span=Span(1, 1, 1, 1)) for finding in found]


def _is_reported(finding: Finding, others: list[Finding]) -> bool:
    """True if the schema reports the same mistake: all keys that the finding names, there."""
    names = finding.message.split("`")[1::2] if finding.message.endswith("missing") else []
    return any(
        earlier.pointer == finding.pointer
        and earlier.code[2:3] == "1"
        and all(f"`{name}`" in earlier.message for name in names)
        for earlier in others
    )
