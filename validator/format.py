"""The protocol of a format: how its files are recognized, checked and explained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from evalmark.schemas import versions
from evalmark.schemas.backend import Backend, accepts
from evalmark.validator.findings.finding import Finding, Hit
from evalmark.validator.findings.report import Comparable, Report
from evalmark.validator.findings.rule import Rule, failed_check
from evalmark.validator.options.pair_columns import NO_TABLES, PairTables
from evalmark.validator.reading.lines import Progress
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

Path = tuple[str | int, ...]


class Violation(NamedTuple):
    """A violation of a schema, explained.

    Attributes:
        rule: The name of the rule that it breaks, or its code.
        hit: What is wrong and where.
    """

    rule: str
    hit: Hit


class Demand(NamedTuple):
    """The ``if`` whose ``then`` or ``else`` led to an error.

    Attributes:
        key: The key that it looks at.
        wanted: The value, or the list of values, for which it holds.
        holder: The object that has the key, or lacks it.
        at: Pointer of that object.
    """

    key: str
    value: Any
    holder: Mapping[str, Any]
    at: str


@dataclass(frozen=True)
class Advice:
    """Knowledge of a format about its keys that its schema does not have; by itself, none.

    Attributes:
        rules: Key → the rule that is broken if a condition demands the key and it is missing, or if
            the key tells alternatives apart and its value is unknown.
        spellings: How else people write a value, in lower case → the value.
        forms: Pattern of the schema → what it asks for, in words.
    """

    rules: Mapping[str, str] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    forms: Mapping[str, str] = field(default_factory=dict)

    def instead(self, key: str, value: object) -> tuple[str, ...] | None:
        """Suggestions for a value; None to suggest what the schema accepts."""
        del key, value
        return None

    def usual(self, data: object, path: Path) -> tuple[str, ...]:
        """Suggestions for a place whose value cannot be read as one that the schema accepts."""
        del data, path
        return ()

    def demanded(self, data: object, demand: Demand, keys: list[str]) -> tuple[str, ...]:
        """Suggestions for missing keys that the value of another one demands."""
        del data, demand, keys
        return ()

    def undecided(self, data: object, demand: Demand) -> tuple[str, ...]:
        """Suggestions for the missing key of a condition."""
        del data, demand
        return ()

    def explained(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations of a document, as its authors understand them."""
        del document
        return violations


PLAIN = Advice()


if TYPE_CHECKING:  # the schemas of ours are compiled; few files are in an editor
    from evalmark.schemas.files import Schema
    from evalmark.validator.findings.editing import Editing

#: Does pieces of work in other processes: ``in_processes``, without its ``processes``.
Share = Callable[..., Iterator[Any]]
#: Each file, and whether it passes the checks of a leaderboard: ``pass`` or ``refuse``.
Verdicts = tuple[tuple[str, str], ...]


class Glob(NamedTuple):
    """A glob of paths, and the folder that it is relative to; empty for paths as written."""

    pattern: str
    folder: str = ""


class FileIgnore(NamedTuple):
    """Rules that are ignored in some files, or at some places of them."""

    files: str  # a glob of paths
    pointer: str  # only findings at or below this JSON pointer; empty for the whole file
    codes: frozenset[str]
    reason: str
    folder: str = ""  # that the glob is relative to; empty for paths as they are written


class CheckContext(NamedTuple):
    """What a run of checks knows: what is wanted, under the settings, and its circumstances."""

    # What is wanted, as `CheckOptions` and the settings have it, with names resolved.
    kind: str | None = None
    schema_version: str | None = None
    join: str = "core"
    models: str = "left-to-right"
    select: frozenset[str] = frozenset()  # codes
    profile: str | None = None
    datastore: bool = False
    schema_only: bool = False
    backend: Backend | None = None
    pairs: PairTables = NO_TABLES
    words: frozenset[str] = frozenset()  # words of suites that are right
    # The circumstances of one file.
    is_file: bool = True  # its content is read from the path: other files may lie beside it
    progress: Progress | None = None  # called with the bytes read so far of a file of rows
    share: Share | None = None  # does what ``in_processes`` does, for a large file of rows
    seen: Callable[[bytes], object] | None = None  # called with the bytes of a document
    wants: Callable[[Document, Reading], bool] | None = None  # whether to check one that is read
    no_rows: NoRows | None = None  # finds why a file does not have an object on each line
    failed: Callable[[Exception, str], Finding] = failed_check  # of a rule, from error and path
    # Those of many files.
    exclude: Sequence[Glob] = ()  # files to skip in folders
    ignore: Collection[str] = ()  # codes of rules whose findings are dropped
    per_file_ignores: tuple[FileIgnore, ...] = ()
    jobs: int | None = None  # worker processes; None for one per processor, for enough work
    ray: bool = False  # check on a Ray cluster
    ray_address: str | None = None  # None starts one on this machine for this call
    picked: bool = False  # a program picked the paths: skip them if unrecognized or excluded
    ours: Collection[str] = ()  # paths known to be of files of ours, even if unreadable
    #: They are also those of a commit: do not follow links out of the repository, use one process,
    #: and do not compare identities, since the other files are missing.
    hook: bool = False
    bars: bool = False  # show progress on stderr
    stdin: tuple[str, bytes] | None = None  # name and content of the path ``-``
    each: Callable[[Report], Report] | None = None  # called with every report, which it replaces
    listed: bool = False  # keep the paths of all checked files
    #: Called after all files were checked; yields further reports, of what other files explain.
    beyond: Callable[[], Iterable[Report]] | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes get it without what is called in this one."""
        alone = self._replace(
            progress=None, share=None, seen=None, wants=None, each=None, beyond=None, stdin=None,
            failed=failed_check,
        )  # fmt: skip
        return type(self), tuple(alone)


class NoRows(Protocol):
    """Finds why a file does not have an object on each line; see ``unrecognized.not_rows``."""

    def __call__(self, file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
        """The finding, if it has not."""


@dataclass(slots=True)
class CheckResult:
    """The result of the check of a file; see ``Report``.

    Attributes:
        findings: What is wrong.
        remarks: What could not be checked, and why.
        companions: Further files that were checked with it.
        verdicts: With a profile: whether they pass the checks of a leaderboard.
        compared: What other files of the call are compared with.
    """

    findings: list[Finding] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    verdicts: Verdicts = ()
    compared: Comparable | None = None


@dataclass(frozen=True)
class Format(ABC):
    """A format of files; ours are in ``formats``, a folder for each family.

    A package adds formats by its ``Plugin``. A format is loaded to recognize files: it imports its
    rules, its view and whatever is large in its methods.

    Attributes:
        name: As in ``--kind`` and in reports.
        looks: What a file of this format looks like, in words.
        family: The first letters of the codes of its rules.
        signs: Sets of keys; an object that has all keys of a set is of this format.
        common_signs: Further sets, of keys that many other files have too: ``could_be_ours`` does
            not look for them.
        has_no_other_keys: It is of this format only if it has no further keys.
        ending: The end of the paths of files that may be of it; see ``may_lie_at``.
        has_rows: Whether a ``.jsonl`` file has one of them on each line; see ``check_rows``.
        has_tables: Whether a table may have one of them in each row; see ``check_rows``.
        in_lists: Whether a JSON list of them is a file of this format.
    """

    name: str
    looks: str
    family: str
    signs: tuple[frozenset[str], ...]
    common_signs: tuple[frozenset[str], ...] = ()
    has_no_other_keys: bool = False
    ending: str = ""
    has_rows: bool = False
    has_tables: bool = False
    in_lists: bool = False

    def recognizes(self, data: dict[str, Any]) -> bool:
        """True if an object is of this format: it has the keys, and ``holds``."""
        for signs in (*self.signs, *self.common_signs):
            if signs.issubset(data) and (not self.has_no_other_keys or len(data) == len(signs)):
                return self.holds(data)
        return False

    def holds(self, data: dict[str, Any]) -> bool:
        """True if the values of an object with the keys of this format fit it as well."""
        del data
        return True

    def recognizes_columns(self, header: Collection[str]) -> bool:
        """True if the rows of a table with these columns are of this format."""
        del header
        return False

    def nearly_recognizes_columns(self, header: Collection[str]) -> bool:
        """True if they are of this format but for the spelling of the columns."""
        del header
        return False

    def lies_at(self, path: str) -> bool:
        """True if the path says that the file is of this format, whatever it holds."""
        del path
        return False

    def may_lie_at(self, path: str) -> bool:
        """True if the path says that a file that cannot be read is probably of this format."""
        return bool(self.ending) and f"/{path}".replace("\\", "/").endswith(self.ending)

    def identity(self, document: Document) -> str | None:
        """A text that must differ between files of a call; see ``same_identity`` and ``Report``."""
        del document
        return None

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """The finding for a file with the identity of another one.

        Args:
            source: The text of the file.
            raw: What it holds.
            other: The other file, in words.
            other_raw: What that one holds.
        """
        raise NotImplementedError

    def advice(self) -> Advice:
        """The knowledge of this format about its keys that its schema does not have."""
        return PLAIN

    def rules(self) -> tuple[Rule, ...]:
        """The rules on a document of this format."""
        return ()

    def schema(self) -> Schema | None:
        """Its JSON schema (draft-07); None if it is among ours, as ``Document.schema`` says."""
        return None

    def schemas(self) -> tuple[Schema, ...]:
        """The schemas of all its versions."""
        from evalmark.schemas.files import load  # few files are neither whole nor foreign

        if (own := self.schema()) is not None:
            return (own,)
        names = [version.schema for version in versions.VERSIONS.get(self.name, ())]
        return tuple(map(load, names or [self.name]))

    def editing(self, data: object, context: CheckContext) -> Editing:
        """Help with a file of this format in an editor; the data may be incomplete."""
        from evalmark.validator.findings.editing import Editing

        del data, context
        return Editing()

    @abstractmethod
    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a document: against the schema, and by the rules."""

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a file with one of them on each line, or in each row of a table."""
        raise NotImplementedError


class LightFormat(Format):
    """A format as it is known before a file of it is met: the rest of it is imported then."""

    @abstractmethod
    def checks(self) -> type[Format]:
        """The class of this format with all that it does, from the only module it imports."""

    @cached_property
    def _whole(self) -> Format:
        return self.checks()(**{each.name: getattr(self, each.name) for each in fields(self)})

    def identity(self, document: Document) -> str | None:
        """As the whole format says."""
        return self._whole.identity(document)

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """As the whole format says."""
        return self._whole.same_identity(source, raw, other, other_raw)

    def advice(self) -> Advice:
        """As the whole format says."""
        return self._whole.advice()

    def rules(self) -> tuple[Rule, ...]:
        """As the whole format says."""
        return self._whole.rules()

    def editing(self, data: object, context: CheckContext) -> Editing:
        """As the whole format says."""
        return self._whole.editing(data, context)

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """As the whole format does."""
        return self._whole.check(document, reading, context)

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """As the whole format does."""
        return self._whole.check_rows(file, path, context)


class Document(NamedTuple):
    """Parsed data and what it is.

    Attributes:
        data: The parsed JSON.
        format: Its format, or None.
        version: Version of the format, where it has several: the one it is checked against, or the
            unknown one that it declares.
    """

    data: Any
    format: Format | None
    version: str | None = None

    @property
    def kind(self) -> str | None:
        """The name of its format."""
        return self.format.name if self.format else None

    @property
    def is_record(self) -> bool:
        """True if it is an evaluation record."""
        return self.kind == versions.RECORD

    @property
    def schema(self) -> str | None:
        """Name of the schema it is checked against; None if there is none."""
        if self.version is None or self.format is None:
            return self.kind
        version = versions.find(self.format.name, self.version)
        return version.schema if version else None


def as_document(data: object, form: Format | None, version: str | None = None) -> Document:
    """Parsed JSON as a document of a format; ``version`` overrides what it says itself."""
    if form is None or form.name not in versions.VERSIONS:
        return Document(data, form)
    if version is None:
        return Document(data, form, version_of(data, form.name))
    entry = versions.find(form.name, version)
    return Document(data, form, entry.name if entry else version)


def version_of(data: object, kind: str) -> str:
    """The version that data of a versioned format says it has; else the one that fits."""
    declared = data.get("schema_version") if isinstance(data, dict) else None
    if isinstance(declared, str):
        return versions.named_by(kind, declared)
    return fitting_version(data, kind) or versions.current(kind).name


def fitting_version(data: object, kind: str) -> str | None:
    """The newest version under which the data would be valid if its label were right."""
    if not isinstance(data, dict):
        return None
    for version in reversed(versions.VERSIONS[kind]):
        if accepts(version.schema, {**data, "schema_version": version.name}):
            return version.name
    return None
