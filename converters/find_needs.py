"""One pass over files that finds what their conversion needs; nothing is converted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from evalmark.converters.convert_document import convert_data
from evalmark.converters.convert_files import parsed_file
from evalmark.converters.formats import CONVERTIBLE, CURRENT, kind_of_format
from evalmark.converters.found_files import FoundFile, found_files
from evalmark.converters.import_file import found_runs, refused_file
from evalmark.converters.importers.registry import Importer
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.overrides.defaults import Seen
from evalmark.converters.overrides.needs import Needs
from evalmark.converters.records.builders import axes_of
from evalmark.converters.step import NOTHING, Question, Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import ConversionError, ParseRejected, UsageError
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.walking import Skipped


def find_needs(
    paths: Iterable[str],
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    skipped: Skipped | None = None,
    progress: Callable[[int], None] | None = None,
) -> FoundNeeds:
    """Finds the values that the conversion of records in files and folders needs.

    ``skipped`` is called with path and reason of what a search of folders skips, ``progress`` with
    the number of files after each.

    Raises:
        UsageError: ``to`` is not a format of records.
    """
    target = to or CURRENT[RECORD]
    if target not in CONVERTIBLE or CONVERTIBLE[target].kind != RECORD:
        raise UsageError(f"only records lack values that are supplied; {target} is not a record")
    found = FoundNeeds(target, supplied)
    files = (file for path in paths for file in found_files(path, skipped, has_results=True))
    for number, file in enumerate(files, 1):
        if progress:
            progress(number)
        found.take(file)
    return found


@dataclass(slots=True)
class FoundNeeds:
    """The outcome of a pass over files; ``take`` adds one after the other."""

    target: str  # the format they are to become
    supplied: Supplied  # what is known already
    needs: Needs = field(default_factory=Needs)  # what the records lack
    #: Records that would be refused whatever is supplied, and files that cannot be read.
    refused: list[ConvertedFile] = field(default_factory=list)
    others: int = 0  # how many files are not records
    seen: set[Seen] = field(default_factory=set)  # what the records are about

    def take(self, file: FoundFile) -> None:
        """Look at a file."""
        try:
            parsed = parsed_file(file.path, is_mapped=self.supplied.mapping is not None)
        except (OSError, ParseRejected) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            self.refused.append(ConvertedFile(file.path, failed=f"cannot be read: {reason}"))
            return
        if parsed.importer is not None:
            self._take_results(file.path, parsed.importer, parsed.data)
        elif kind_of_format(parsed.format or "") == RECORD and isinstance(parsed.data, dict):
            self._take_record(parsed, file.path)
        else:
            self.others += 1

    def _take_results(self, path: str, importer: Importer, data: object) -> None:
        try:
            for directed in found_runs(path, importer, data, self.supplied):
                run = directed.run
                self.seen.add(Seen(path, run.collection, (run.model.id,)))
                self.needs.add_run(path, run, directed.undirected, axes_of(run.model))
        except (ConversionError, OSError) as error:
            self.refused.append(refused_file(path, importer.name, error))

    def _take_record(self, parsed: ParsedText, path: str) -> None:
        questions: list[Question] = []
        asking = replace(self.supplied, ask=questions.append)
        try:
            convert_data(parsed.data, to=self.target, supplied=asking, path=path)
        except ConversionError as error:
            self.refused.append(ConvertedFile(path, parsed.format, refused=error))
            return
        self.seen.add(Seen.of(parsed.data, path))
        self.needs.add(parsed.data, path, questions)
