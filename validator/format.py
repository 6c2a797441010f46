"""The protocol of a format: how its files are recognized, checked and explained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, Protocol

from evalmark.schemas import versions
from evalmark.schemas.backend import Backend, accepts
from evalmark.validator.findings.finding import Finding, Mistake
from evalmark.validator.findings.report import Comparable, Report
from evalmark.validator.findings.rule import Rule, failed_check
from evalmark.validator.io.extensions import Extension
from evalmark.validator.options.pair_columns import NO_TABLES, PairTables
from evalmark.validator.reading.lines import Progress
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source

JsonPath = tuple[str | int, ...]


class SchemaMistake(NamedTuple):
    """A violation of a schema, explained."""

    rule: str  # the name of the rule that it breaks, or its code
    mistake: Mistake


class Demand(NamedTuple):
    """The ``if`` whose ``then`` or ``else`` led to an error."""

    key: str  # that it looks at
    value: Any  # the value, or the list of values, for which it holds
    holder: Mapping[str, Any]  # the object that has the key, or lacks it
    at: str  # pointer of that object


@dataclass(eq=False)
class Advice:
    """Knowledge of a format about its keys that its schema does not have; by itself, none."""

    #: Key → the rule that is broken if a condition demands the key and it is missing, or if the key
    #: tells alternatives apart and its value is unknown.
    rules: Mapping[str, str] = field(default_factory=dict)
    #: How else people write a value, in lower case → the value.
    spellings: Mapping[str, str] = field(default_factory=dict)
    #: Pattern of the schema → what it asks for, in words.
    forms: Mapping[str, str] = field(default_factory=dict)

    def suggest_values(self, key: str, value: object) -> tuple[str, ...] | None:
        """Suggestions for a value; None to suggest what the schema accepts."""
        del key, value
        return None

    def suggest_default(self, data: object, path: JsonPath) -> tuple[str, ...]:
        """Suggestions for a place whose value cannot be read as one that the schema accepts."""
        del data, path
        return ()

    def suggest_missing_keys(
        self, data: object, demand: Demand, keys: list[str]
    ) -> tuple[str, ...]:
        """Suggestions for missing keys that the value of another one demands."""
        del data, demand, keys
        return ()

    def suggest_condition_key(self, data: object, demand: Demand) -> tuple[str, ...]:
        """Suggestions for the missing key of a condition."""
        del data, demand
        return ()

    def merge_violations(
        self, document: Document, violations: list[SchemaMistake]
    ) -> list[SchemaMistake]:
        """The violations of a document, as its authors understand them."""
        del document
        return violations


PLAIN = Advice()


if TYPE_CHECKING:  # the schemas of ours are compiled; few files are in an editor
    from evalmark.schemas.files import Schema
    from evalmark.validator.findings.editing import Editing

#: Makes the finding of a rule that failed, from its error and the path.
FailedCheck = Callable[[Exception, str], Finding]
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
    """The result of the check of a file; see ``Report`` for its fields."""

    findings: list[Finding] = field(default_factory=list)
    remarks: tuple[str, ...] = ()
    companions: tuple[str, ...] = ()
    verdicts: Verdicts = ()
    compared: Comparable | None = None
    identity: str | None = None


@dataclass(eq=False)
class Format:
    """A format of files: what it is called, its signs, and what checks its files.

    Ours are in ``formats``, a folder for each family; a package adds formats by its ``Plugin``. A
    format is known before a file of it is met: ``load`` imports its rules and its view.
    """

    #: As in ``--kind`` and in reports.
    name: str
    #: What a file of this format is, in words.
    description: str
    #: The first letters of the codes of its rules.
    family: str
    #: Sets of keys; an object that has all keys of a set is of this format.
    keys: tuple[frozenset[str], ...]
    #: Makes what checks its files; for example a subclass of ``JsonChecks``.
    load: Callable[[Format], Checks]
    _: KW_ONLY
    #: Returns its JSON schema (draft-07); None if it is among ours, as ``Document.schema`` says.
    schema: Callable[[], Schema] | None = None
    #: Further sets of keys, which many other files have too: alone, they are no sign in a text.
    common_keys: tuple[frozenset[str], ...] = ()
    #: It is of this format only if it has no further keys.
    exact_keys: bool = False
    #: True if the values of an object with these keys fit the format as well.
    values_match: Callable[[dict[str, Any]], bool] | None = None
    #: True if a path says that the file is of this format, whatever it holds.
    matches_path: Callable[[str], bool] | None = None
    #: True if a path says that a file that cannot be read is probably of this format.
    may_match_path: Callable[[str], bool] | None = None
    #: True if the rows of a table with these columns are of this format.
    columns_match: Callable[[Collection[str]], bool] | None = None
    #: True if they are, but for the spelling of the columns.
    columns_nearly_match: Callable[[Collection[str]], bool] | None = None
    has_rows: bool = False  # a ``.jsonl`` file may have one of them on each line
    has_tables: bool = False  # a table may have one of them in each row
    in_lists: bool = False  # a JSON list of them is a file of this format
    #: The package that adds it; None for ours.
    origin: Extension | None = None

    @cached_property
    def checks(self) -> Checks:
        """What checks its files."""
        return self.load(self)

    @cached_property
    def signs(self) -> tuple[frozenset[str], ...]:
        """All sets of keys that are a sign of it."""
        return (*self.keys, *self.common_keys)

    def recognizes(self, data: dict[str, Any]) -> bool:
        """True if an object is of this format: it has the keys, and its values match."""
        for keys in self.signs:
            if data.keys() >= keys and (not self.exact_keys or len(data) == len(keys)):
                return self.values_match is None or self.values_match(data)
        return False

    def is_at(self, path: str) -> bool:
        """True if a path says that the file is of this format."""
        return self.matches_path is not None and self.matches_path(path)

    def may_be_at(self, path: str) -> bool:
        """True if a path says that a file that cannot be read is probably of this format."""
        return self.may_match_path is not None and self.may_match_path(path)

    def has_columns(self, header: Collection[str], *, nearly: bool = False) -> bool:
        """True if the rows of a table with these columns are of this format, or nearly are."""
        match = self.columns_nearly_match if nearly else self.columns_match
        return match is not None and match(header)

    def own_schema(self) -> Schema | None:
        """Its JSON schema; None if it is among ours."""
        return self.schema() if self.schema is not None else None

    def schemas(self) -> tuple[Schema, ...]:
        """The schemas of all its versions."""
        from evalmark.schemas.files import load  # few files are neither whole nor unrecognized

        if (own := self.own_schema()) is not None:
            return (own,)
        names = [version.schema for version in versions.VERSIONS.get(self.name, ())]
        return tuple(map(load, names or [self.name]))


class Checks(ABC):
    """What a format does with its files; ``JsonChecks`` has what most formats do."""

    def __init__(self, form: Format) -> None:
        self.format = form

    def rules(self) -> tuple[Rule, ...]:
        """The rules on a document of this format."""
        return ()

    def advice(self) -> Advice:
        """The knowledge of this format about its keys that its schema does not have."""
        return PLAIN

    @abstractmethod
    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a document: against the schema, and by the rules."""

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a file with one of them on each line, or in each row of a table."""
        raise NotImplementedError

    def identity(self, document: Document) -> str | None:
        """A text that must differ between files of a call; see ``same_identity`` and ``Report``."""
        del document
        return None

    def same_identity(self, source: Source, raw: bytes, other: str, other_raw: bytes) -> Finding:
        """The finding for a file, which holds ``raw``, with the identity of another one."""
        raise NotImplementedError

    def editing(self, data: object, context: CheckContext) -> Editing:
        """Help with a file of this format in an editor; the data may be incomplete."""
        from evalmark.validator.findings.editing import Editing

        del data, context
        return Editing()


class Document(NamedTuple):
    """Parsed JSON and what it is."""

    data: Any
    format: Format | None
    #: Version of the format, where it has several: the one it is checked against, or the unknown
    #: one that it declares.
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
