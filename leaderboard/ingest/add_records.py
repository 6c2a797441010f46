"""Adding records to a store: changed files are found, checked and flattened, results replaced."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Unpack

from evalmark.leaderboard.identity import encodable
from evalmark.leaderboard.ingest.ingest_file import CLEAN, Content, take_files
from evalmark.leaderboard.ingest.manifest import (
    Found,
    KnownFile,
    fingerprint,
    folder_of,
    found_in,
    known_file,
    order_of,
    write_files,
)
from evalmark.leaderboard.ingest.results_table import NewRows, write_results
from evalmark.leaderboard.ingest.samples_table import (
    listed_parts,
    remove_other_parts,
    rows_of_part,
    sample_files,
    write_parts,
)
from evalmark.leaderboard.open_store import SAMPLE_PARTS, SAMPLES_FOLDER, Store, require_store
from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import UsageError
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.check_files import BatchOptions, no_collection, processors
from evalmark.validator.batch.walking import Glob, entries, size_of
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import At, Finding, Hit, Severity, locate
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import FILE_CODES
from evalmark.validator.formats.records.record_rule_table import REPEATED
from evalmark.validator.formats.unreadable_files import is_foreign
from evalmark.validator.io.redaction import redacted
from evalmark.validator.io.terminal import counting
from evalmark.validator.io.writing import only_writer
from evalmark.validator.options.check_options import Arguments
from evalmark.validator.settings.config import Config

_ERROR = Severity.ERROR.value


@dataclass(slots=True)
class Survey:
    """The files that a store will hold, and which of them have to be read.

    Attributes:
        before: The files of the store: path -> what is known of the file.
        check: Digest of how records are checked; what was checked otherwise is read again.
        paths: Files found now: path in the store -> path for this call.
        folders: Path in the store -> the folder that it starts from.
        to_read: Those that are new or have changed.
        kept: Files that stay as they are.
        unchanged: How many of the records that were found have not changed.
        removed: How many records are gone.
        skipped: Path and reason of what was skipped in folders.
        telling: Paths that hold a secret.
        named: Paths that were named, not found in a folder.
    """

    before: dict[str, KnownFile]
    check: str
    paths: dict[str, str] = field(default_factory=dict)
    folders: dict[str, str | None] = field(default_factory=dict)
    to_read: list[str] = field(default_factory=list)
    kept: dict[str, KnownFile] = field(default_factory=dict)
    unchanged: int = 0
    removed: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    telling: list[str] = field(default_factory=list)
    named: set[str] = field(default_factory=set)

    def look(self, paths: Sequence[str], exclude: Sequence[Glob]) -> None:
        """Look at files, and search folders."""
        at_place = {row.place: row for row in self.before.values()}
        self._require_folders(paths, at_place)
        for entry in entries(paths, exclude, skipped=lambda *why: self.skipped.append(why)):
            path = entry.path
            if path == "-":
                raise UsageError("records cannot be added from standard input")
            if path.endswith(".jsonl"):
                continue  # sample files are checked with their records
            if redacted(path) != path:
                self.telling.append(path)
                continue
            self.named |= {path} if entry.named else set()
            former = at_place.get(_place(path))
            row = former or self._moved(path)
            if row is not None and entry.named and not os.path.lexists(path):
                continue  # it was deleted
            file = row.file if row else _plain(path)
            if file not in self.paths:
                self.paths[file] = path
                self.folders[file] = former.folder if former else folder_of(file)
                self._compare(file, path, row)
        self._look_at_others(paths)

    def _require_folders(self, paths: Sequence[str], places: Collection[str]) -> None:
        """Refuse a folder that is gone: it may be on a disk that is not mounted."""
        for path in paths:
            place = _place(path)
            if os.path.lexists(path) or place in places:
                continue
            if count := sum(_is_below(file, place) for file in places):
                raise UsageError(
                    f"{path} does not exist, and the store has {count:,} "
                    f"{'file' if count == 1 else 'files'} of it; to remove them, add the folder "
                    "that it was in"
                )

    def _compare(self, file: str, path: str, row: KnownFile | None) -> None:
        now = row.is_unchanged(path, self.check) if row else None
        if now is None:
            self.to_read.append(file)
        else:
            self.unchanged += now.kind == RECORD
            folder = self.folders[file]
            self.kept[file] = now if now.folder == folder else now._replace(folder=folder)

    def _moved(self, path: str) -> KnownFile | None:
        """The row of a file with this path, if the folder around it has moved."""
        row = self.before.get(_plain(path))
        if row is None or row.folder is None:
            return row
        if os.path.lexists(row.place):
            raise UsageError(
                f"{path}: the store holds another file of this path, {row.place}; run the command "
                f"in {row.folder}, or give absolute paths"
            )
        return row

    def _look_at_others(self, paths: Sequence[str]) -> None:
        """Keep the files of the store that are not below the paths."""
        roots = [_place(path) for path in paths]
        for file, row in self.before.items():
            if file in self.paths:
                continue
            places = [row.place]
            if row.folder is not None and not os.path.lexists(row.place):
                places.append(_place(file))
            if any(_is_below(place, root) for place in places for root in roots):
                self.removed += row.kind == RECORD
            else:
                self.kept[file] = row


def _plain(path: str) -> str:
    return encodable(os.path.normpath(path)).replace(os.sep, "/")


def _place(path: str) -> str:
    return encodable(os.path.abspath(path))


def _is_below(place: str, root: str) -> bool:
    return place == root or place.startswith(root.rstrip(os.sep) + os.sep)


@dataclass(frozen=True, slots=True)
class Added:
    """The outcome of adding records to a store.

    Attributes:
        store: The store.
        added: Records that are new.
        changed: Records that were read again.
        unchanged: Records at the given paths that were not.
        removed: Records that are gone.
        records: All records of the store.
        tables: Table -> its rows, and the bytes of its files.
        verdicts: Verdict -> number of records of the store that have it.
        unreadable: Path and reason of each file that could not be read or parsed.
        skipped: Path and reason of what was skipped in folders.
        left_out: Path and reason of each record with errors that was not added.
    """

    store: Store
    added: int
    changed: int
    unchanged: int
    removed: int
    records: int
    tables: Mapping[str, tuple[int, int]]
    verdicts: Mapping[str, int]
    unreadable: tuple[tuple[str, str], ...]
    skipped: tuple[tuple[str, str], ...]
    left_out: tuple[tuple[str, str], ...] = ()


def add_records(
    paths: Iterable[str | os.PathLike[str]],
    store: str | os.PathLike[str],
    *,
    config: Config | None = None,
    exclude: Sequence[str] = (),
    ignore: Collection[str] = (),
    jobs: int | None = None,
    ray: bool = False,
    ray_address: str | None = None,
    samples: bool = False,
    include_errors: bool = False,
    progress: bool = False,
    **arguments: Unpack[Arguments],
) -> Added:
    """Read the records at some paths into a store, which is made if there is none.

    Files that are unchanged are neither read nor checked again, and the rows of records that are
    gone from these paths are removed. Records with errors are left out. Secrets are never written.

    Args:
        paths: Files and folders; folders are searched as ``check_files`` does.
        store: Folder of the store.
        config: Settings of a repository; see ``load_config``. The other arguments add to them.
        exclude: Globs of files to skip in folders.
        ignore: Codes or names of rules whose findings are dropped.
        jobs: Worker processes; None for one per processor once there is enough to check.
        ray: Check on a Ray cluster.
        ray_address: Address of the cluster; None starts one on this machine for this call.
        samples: Read the sample files of all records of the store too, into the table ``samples``;
            a store that has this table keeps it up to date.
        include_errors: Add records with errors too, with this verdict, which all answers show.
        progress: Show progress on stderr.
        arguments: See ``Arguments``; only records can be added, so ``kind`` cannot be given.

    Raises:
        FolderInUse: Another call adds to the store.
        NotInstalledError: What a store needs is not installed.
        UnknownNameError: An argument names nothing that exists.
        UsageError: A path cannot be added, or the folder holds something else than a store.
        OSError: The store cannot be written.
    """
    require_store()
    if arguments.get("kind"):
        raise UsageError("a store holds records; `kind` cannot be chosen")
    checker = Checker(config, exclude=exclude, ignore=ignore, **arguments)
    options = checker.options
    options = options._replace(
        jobs=jobs, ray=ray, ray_address=ray_address or options.ray_address, bars=progress
    )
    folder = Path(store)
    folder.mkdir(parents=True, exist_ok=True)
    with only_writer(folder), no_collection():
        before = found_in(folder / Store(folder).results.name)
        survey = Survey(before.files, _check_of(options, include_errors))
        survey.look([os.fspath(path) for path in paths], options.exclude)
        adding = _Adding(Store(folder), checker, options, before, survey, include_errors)
        adding.take()
        return adding.finish(samples)


def _check_of(options: BatchOptions, include_errors: bool) -> str:
    """A digest of how records are checked."""
    return fingerprint(
        include_errors=include_errors,
        version=version("evalmark"),
        ignore=frozenset(options.ignore),
        per_file_ignores=[ignore._replace(reason="") for ignore in options.per_file_ignores],
        **options.check._replace(backend=None)._asdict(),
    )


@dataclass(slots=True)
class _Adding:
    """One call: what the store held, what is at the paths, and what it will hold."""

    store: Store
    checker: Checker
    options: BatchOptions
    before: Found
    survey: Survey
    include_errors: bool
    files: dict[str, KnownFile] = field(default_factory=dict)
    troubles: dict[str, str] = field(default_factory=dict)
    new: NewRows = field(default_factory=NewRows)

    def take(self) -> None:
        """Read the files that are new or have changed."""
        options, survey = self.options, self.survey
        names = sorted(survey.to_read, key=order_of)
        paths = [survey.paths[name] for name in names]
        backend = options.check.backend or backend_for(map(size_of, paths))
        checker = self.checker.asking(backend=backend)
        self.files.update(survey.kept)
        workers = options.jobs or processors()
        with counting("adding", "files", enabled=options.bars) as progress:
            files = take_files(iter(paths), checker, workers, options.ray, options.ray_address)
            for done, (name, (path, taken)) in enumerate(zip(names, files, strict=True), 1):
                if taken.trouble is not None and self._is_foreign(name, path, taken.trouble):
                    taken = taken._replace(verdict=None, codes=(), is_complete=False)
                elif taken.trouble is not None:
                    self.troubles[name] = taken.trouble.message
                if taken.verdict == _ERROR and not self.include_errors:
                    taken = taken._replace(flat=None)
                row = known_file(name, survey.folders[name], path, taken, survey.check)
                self.files[name] = row
                if taken.flat is not None:
                    self.new.add(taken.flat, name, row.digest)
                if progress:
                    progress(done, len(paths))

    def _is_foreign(self, name: str, path: str, trouble: Finding) -> bool:
        """True if a file that cannot be read is of another program: a folder has many."""
        known = self.before.files.get(name)
        was_ours = path in self.survey.named or (known is not None and known.kind is not None)
        return is_foreign(Report(path, None, None, (trouble,)), was_ours=was_ours)

    def finish(self, samples: bool) -> Added:
        """Write the tables; the one of results decides what the store holds."""
        rows = self._compared([self.files[name] for name in sorted(self.files, key=order_of)])
        results, before = self.store.results, self.before
        had = listed_parts(results) if before.table else None
        parts = self._parts(rows, had or []) if samples or had is not None else None
        written = before.table if parts == had and self._is_same(rows) else None
        if is_new := written is None:
            metadata = {} if parts is None else {SAMPLE_PARTS: json.dumps(parts)}
            read = set(self.survey.to_read)
            written = write_results(results, before, rows, read, self.new, metadata)
        remove_other_parts(self.store.folder, parts or ())
        if is_new or rows != list(before.files.values()):
            write_files(self.store.folder, rows, written.digest)
        return self._added(rows, written, parts)

    def _parts(self, rows: Sequence[KnownFile], had: Sequence[str]) -> list[str]:
        """Write the parts of the table of samples; their names."""
        files = sample_files(rows, self.survey.paths)
        with counting("adding", "sample files", enabled=self.options.bars) as progress:
            return write_parts(self.store.folder, had, files, progress)

    def _is_same(self, rows: Sequence[KnownFile]) -> bool:
        """True if the table of results would be the same."""

        def content(row: KnownFile) -> tuple[object, ...]:
            return row.file, row.verdict, row.codes, row.digest, row.results

        files = self.before.files
        return not any(files[name].results for name in self.survey.to_read if name in files) and [
            content(row) for row in rows if row.results
        ] == [content(row) for row in files.values() if row.results]

    def _compared(self, rows: list[KnownFile]) -> list[KnownFile]:
        """The rows with the verdicts that other files of the store explain."""
        options, first, compared = self.options, set[str](), []
        for row in rows:
            codes, verdict = row.codes, row.alone or row.verdict
            if REPEATED.code in codes:
                codes = tuple(code for code in codes if code != REPEATED.code)
            if row.record is not None and not options.check.schema_only:
                if row.record in first:
                    hit = Hit("duplicate evaluation id", At("/evaluation_id"))
                    if self.checker.kept([locate(hit, REPEATED, row.file, None)]):
                        codes = tuple(sorted((*codes, REPEATED.code)))
                        verdict = REPEATED.severity.value
                first.add(row.record)
            is_same = codes == row.codes and verdict == row.verdict
            row = row if is_same else row._replace(codes=codes, verdict=verdict)
            if verdict == _ERROR and not self.include_errors and row.results:
                # It is read again next time: the other file may be gone by then.
                is_here = row.file in self.survey.paths
                row = row._replace(results=0, check=None) if is_here else row
            compared.append(row)
        return compared

    def _added(
        self, rows: Sequence[KnownFile], written: Content, parts: Sequence[str] | None
    ) -> Added:
        left_out = {row.file for row in rows if row.is_left_out and not self.include_errors}
        records = [row for row in rows if row.kind == RECORD and row.file not in left_out]
        new = {row.file for row in records} & {*self.survey.to_read}
        former = {
            row.file
            for row in self.before.files.values()
            if row.kind == RECORD and not row.is_left_out
        }
        same = {row.file for row in records if self._is_as_before(row)} & new & former
        tables = {"results": (sum(row.results for row in rows), written.size)}
        if parts is not None:
            home = self.store.folder / SAMPLES_FOLDER
            count = sum(rows_of_part(home / part) for part in parts)
            tables["samples"] = count, sum(size_of(str(home / part)) for part in parts)
        return Added(
            self.store,
            added=len(new - former),
            changed=len(new & former - same),
            unchanged=self.survey.unchanged + len(same),
            removed=self.survey.removed + len(former & {*self.survey.to_read} - new),
            records=len(records),
            tables=tables,
            verdicts=Counter(row.verdict or CLEAN for row in records),
            unreadable=tuple(self._unreadable()),
            left_out=(
                *((path, "its name holds a secret") for path in self.survey.telling),
                *(
                    (self.survey.paths[row.file], f"errors ({', '.join(row.codes)})")
                    for row in rows
                    if row.file in left_out and row.file in self.survey.paths
                ),
            ),
            skipped=tuple(self.survey.skipped),
        )

    def _is_as_before(self, row: KnownFile) -> bool:
        """True if a record was read only because its samples were missing, and they still are."""
        before = self.before.files.get(row.file)
        return (
            before is not None
            and before.check is row.check is None
            and (before.digest == row.digest is not None)
        )

    def _unreadable(self) -> Iterator[tuple[str, str]]:
        """The files at the paths that may be records, but cannot be read or parsed, and why."""
        bad = [
            name
            for name in self.survey.paths
            if self.files[name].kind is None and self.files[name].verdict == "error"
        ]
        for name in sorted(bad, key=order_of):
            codes = (f"{FILE_CODES.get(code, code)} ({code})" for code in self.files[name].codes)
            why = self.troubles.get(name) or ", ".join(codes)
            yield self.survey.paths[name], why
