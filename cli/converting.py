"""What ``evalmark convert`` does: files → forms → files, one after the other."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.cli.checking import CLEAN, FOUND
from evalmark.cli.conversion_job import Job, edits_of, facts_of
from evalmark.cli.lines import complain, put, say, tell
from evalmark.cli.showing import print_diff
from evalmark.converters.convert import Converted, Edit, convert_text
from evalmark.converters.formats import CURRENT, form_of
from evalmark.converters.importers.ltm import is_ltm_run
from evalmark.converters.importers.registry import READERS, read_results
from evalmark.converters.records.writer import WRITTEN_VERSIONS, write_record
from evalmark.converters.step import Facts
from evalmark.converters.syntax import Syntax
from evalmark.converters.with_samples import Samples, convert_pair
from evalmark.schemas.errors import ConversionError, InvalidDocument, Rejected, UsageError
from evalmark.validator.batch.walking import expand
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.writing import sweep, write_atomically
from evalmark.validator.kinds import could_be_ours
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import decode

#: What a folder is walked for.
_ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv")
_UNREADABLE = "unreadable"


class Options(NamedTuple):
    """Which files, and where to."""

    paths: Sequence[str]
    to: str | None = None
    output: Path | None = None
    in_place: bool = False
    check: bool = False
    diff: bool = False
    report: Path | None = None
    skip_unknown: bool = False


def run(options: Options, job: Job) -> int:
    """Convert, and say how it went."""
    try:
        facts, edits = facts_of(job), tuple(edits_of(job))
        _check_usage(options)
    except (UsageError, OSError) as error:
        return complain(str(error))
    session = _Session(options, facts, edits)
    for path, root, named in _files(options):
        session.convert(path, root, named)
    return session.close()


def _check_usage(options: Options) -> None:
    if options.output is not None and options.in_place:
        raise UsageError("--output and --in-place exclude each other")
    several = len(options.paths) > 1 or any(
        os.path.isdir(path) and not is_ltm_run(Path(path)) for path in options.paths
    )
    writes = options.in_place or options.check or options.diff or options.output is not None
    if several and not writes:
        raise UsageError("several files: use --in-place, -o FOLDER, --check or --diff")
    if several and options.output is not None and options.output.is_file():
        raise UsageError(f"several files, and {options.output} is one file")


def _files(options: Options) -> Iterator[tuple[str, str, bool]]:
    """Path, the folder that was named (empty for a file), and whether the file was named."""
    for path in options.paths:
        if path == "-" or not os.path.isdir(path) or is_ltm_run(Path(path)):
            yield path, "", True
            continue
        if options.in_place and not (options.check or options.diff):
            sweep(path)  # what an interrupted run has left
        for candidate in expand([path], _ENDINGS):
            # A link out of the tree is not ours to write to.
            if Path(candidate.path).resolve().is_relative_to(Path(path).resolve()):
                yield candidate.path, path, False


class _Session:
    """One call: its files, what became of them."""

    def __init__(self, options: Options, facts: Facts, edits: tuple[Edit, ...]) -> None:
        self.options = options
        self.facts = facts
        self.edits = edits
        self.worst = CLEAN
        self.entries: list[dict[str, Any]] = []
        self.done: set[str] = set()

    def convert(self, path: str, root: str, named: bool) -> None:
        """Convert one file, with the samples of a record."""
        if os.path.realpath(path) in self.done:
            return  # samples, converted with their record
        options = self.options
        if path != "-" and os.path.isdir(path):
            self._results(path)
            return
        try:
            text = _read(path)
        except (OSError, Rejected) as error:
            reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
            self._failed(path, f"cannot be read: {reason}")
            return
        form = _form(text, path)
        if form is None and (options.skip_unknown or not named):
            return
        if form == _UNREADABLE and (
            options.skip_unknown or not (named or could_be_ours(text.encode()))
        ):
            return
        if form in READERS:
            if named:
                self._results(path)
            return
        if (options.skip_unknown or not named) and form and self._is_foreign(form):
            return  # a folder holds files of other kinds too
        try:
            converted, samples = self._converted(text, path, form)
        except ConversionError as error:
            self._refused(path, form, error)
            return
        if options.in_place and converted.syntax is not Syntax.of(path):
            reason = f"{converted.form} is written as {converted.syntax}"
            self._refused(path, form, ConversionError(reason, "-o FILE says where"))
            return
        if samples and options.in_place and samples.name != os.path.basename(samples.path):
            reason = f"the samples would be called {samples.name}"
            self._refused(path, form, ConversionError(reason, "-o FOLDER writes both anew"))
            return
        self._note(path, form, converted)
        self._write(path, root, text, converted)
        if samples is not None:
            self.done.add(os.path.realpath(samples.path))
            self._note(samples.path, None, samples.converted)
            beside = os.path.join(os.path.dirname(path), samples.name)
            place = samples.path if options.in_place else beside
            self._write(place, root, samples.old, samples.converted)

    def _is_foreign(self, form: str) -> bool:
        """Whether a file that nobody named is none that this call is about."""
        if self.options.to and not _same_kind(form, self.options.to):
            return True
        # What a table becomes is not written in its place.
        return form == "table" and self.options.output is None

    def _converted(
        self, text: str, path: str, form: str | None
    ) -> tuple[Converted, Samples | None]:
        facts = self.facts
        stem = Path(path).name.partition(".")[0] if path != "-" else None
        named = replace(facts, name=facts.name or stem)
        output = self.options.output
        syntax = None
        if output is not None and not output.is_dir() and output.suffix:
            wanted = Syntax.of(output.name)
            syntax = str(wanted)
        if form and form.startswith("record-") and Syntax.of(path) is Syntax.JSON:
            pair = convert_pair(text, path, to=self.options.to, facts=named)
            if pair is not None:
                return pair.record, pair.samples
        try:
            converted = convert_text(
                text, path=path, to=self.options.to, syntax=syntax, facts=named, edits=self.edits
            )
        except ValueError as error:
            if isinstance(error, ConversionError):
                raise
            raise ConversionError(str(error)) from error
        return converted, None

    def _results(self, path: str) -> None:
        """Results of another program: a record and its samples in the folder of --output."""
        options = self.options
        target = options.to or "record-0.3.0"
        version = target.removeprefix("record-")
        if version not in WRITTEN_VERSIONS or target == version:
            self._failed(path, f"results become a record of {' or '.join(WRITTEN_VERSIONS)}")
            return
        if options.output is None:
            self._failed(path, "results become several files: -o FOLDER says where")
            return
        try:
            result = read_results(Path(path), self.facts)
            options.output.mkdir(parents=True, exist_ok=True)
            written = write_record(result, options.output, version=version)
        except ConversionError as error:
            self._refused(path, None, error)
            return
        except InvalidDocument as error:
            self._refused(path, None, ConversionError(str(error)))
            return
        except OSError as error:
            self._failed(path, f"cannot be written: {error.strerror}")
            return
        say(f"{path}: {len(result.results)} results, {len(result.samples)} samples")
        tell(f"{written.record}")
        self.entries.append({"path": path, "to": target, "written": str(written.record)})

    def _write(self, path: str, root: str, old: str, converted: Converted) -> None:
        options = self.options
        differs = converted.text != old
        if options.diff:
            print_diff(old, converted.text, path)
        if options.check and differs:
            self.worst = max(self.worst, FOUND)
        if options.diff or options.check:
            return
        if options.output is not None:
            self._put(self._target(path, root, converted), converted.text)
        elif options.in_place:
            if differs:
                self._put(Path(path), converted.text)
        else:
            put(converted.text)

    def _target(self, path: str, root: str, converted: Converted) -> Path:
        output = self.options.output
        assert output
        if path.endswith("_samples.jsonl") and output.suffix == ".json" and not root:
            return output.with_name(Path(path).name)  # beside the record
        if root:
            target = output / os.path.relpath(path, root)
        elif output.is_dir() or len(self.options.paths) > 1:
            target = output / Path(path).name
        else:
            return output
        extension = {"table": ".csv", "rows": ".jsonl", "sentences": ".txt"}.get(converted.form)
        if extension is None and self.options.to in ("json", "yaml"):
            extension = f".{self.options.to}"
        if extension is None and target.suffix in (".csv", ".tsv"):
            extension = ".json"
        return target.with_suffix(extension) if extension else target

    def _put(self, path: Path, text: str) -> None:
        try:
            if self.options.output is not None and path != self.options.output:
                path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text.encode("utf-8"))
        except OSError as error:
            self._failed(str(path), f"cannot be written: {error.strerror}")

    def _note(self, path: str, form: str | None, converted: Converted) -> None:
        entry = {"path": path, "from": form, "to": converted.form, "steps": list(converted.steps)}
        self.entries.append({**entry, "notes": list(converted.notes)})
        if not converted.steps:
            say(f"{path}: already current")
            return
        say(f"{path}: {', '.join(converted.steps)}")
        for note in converted.notes:
            say(f"{path}: note: {note}")

    def _refused(self, path: str, form: str | None, error: ConversionError) -> None:
        say(f"{path}: refused: {error}")
        self.entries.append(
            {"path": path, "from": form, "refused": error.reason, "help": error.help}
        )
        self.worst = max(self.worst, FOUND)

    def _failed(self, path: str, reason: str) -> None:
        self.worst = max(self.worst, complain(f"{path}: {reason}"))
        self.entries.append({"path": path, "failed": reason})

    def close(self) -> int:
        """Write the report; the exit code."""
        report = self.options.report
        if not self.entries and self.worst == CLEAN and not self.options.skip_unknown:
            return complain("no files to convert")
        if report is not None:
            text = json_text({"version": 1, "files": self.entries}, indent=2)
            if str(report) == "-":
                put(f"{text}\n")
            else:
                write_atomically(report, f"{text}\n".encode())
        return self.worst


def _form(text: str, path: str) -> str | None:
    """The form of a text; None for one of others, ``unreadable`` for what cannot be told."""
    syntax = Syntax.of(path)
    if syntax in (Syntax.CSV, Syntax.TSV):
        return "table" if text.startswith("item_number") or "region_number" in text[:200] else None
    if syntax is Syntax.JSONL:
        first = next((line for line in text.split("\n") if line.strip()), "")
        reading = read(first.encode("utf-8", "surrogatepass"), "x.json")
    else:
        name = path if syntax is Syntax.YAML else "x.json"
        reading = read(text.encode("utf-8", "surrogatepass"), name)
    form = form_of(reading.data) if reading.readable else None
    return form if reading.readable else _UNREADABLE


def _same_kind(form: str, target: str) -> bool:
    if target in ("json", "yaml"):
        return True
    suites = ("suite", "table", "rows", "sentences")
    kinds = [f for f in (form, target) if f.startswith(suites)]
    if kinds:
        return len(kinds) == 2
    return CURRENT.get(form, form).partition("-")[0] == target.partition("-")[0]


def _read(path: str) -> str:
    raw = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    return decode(raw)
