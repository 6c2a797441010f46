"""One pass over files that finds what their conversion needs; nothing is converted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from evalmark.converters.convert_document import convert_data
from evalmark.converters.convert_files import found_files, parsed_file
from evalmark.converters.formats import CURRENT, FORMATS, RECORD, kind_of
from evalmark.converters.import_file import found_runs, refused_file
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.overrides.defaults import Seen
from evalmark.converters.overrides.needs import Needs
from evalmark.converters.step import NOTHING, Question, Supplied
from evalmark.schemas.errors import ConversionError, Rejected, UsageError
from evalmark.validator.batch.walking import Skipped


@dataclass(frozen=True, slots=True)
class FoundNeeds:
    """What a pass over files found.

    Attributes:
        needs: What the records lack.
        target: The format they are to become.
        refused: Records that would be refused whatever is supplied, and files that cannot be read.
        others: How many files are not records.
        seen: What the records are about.
    """

    needs: Needs
    target: str
    refused: tuple[ConvertedFile, ...] = ()
    others: int = 0
    seen: frozenset[Seen] = field(default_factory=frozenset)


def find_needs(
    paths: Iterable[str],
    *,
    to: str | None = None,
    supplied: Supplied = NOTHING,
    skipped: Skipped | None = None,
    progress: Callable[[int], None] | None = None,
) -> FoundNeeds:
    """What the records in files and folders lack for their conversion.

    Args:
        paths: Files and folders.
        to: The format of records that is wanted; the current one if None.
        supplied: What is known already.
        skipped: Called with the path and the reason of each entry that a search of folders skips.
        progress: Called with the number of files after each.

    Raises:
        UsageError: ``to`` is not a format of records.
    """
    target = to or CURRENT[RECORD]
    if target not in FORMATS or FORMATS[target].kind != RECORD:
        raise UsageError(f"only records lack values that are supplied; {target} is not a record")
    needs, others, done = Needs(), 0, 0
    refused: list[ConvertedFile] = []
    seen: set[Seen] = set()
    for found in (found for path in paths for found in found_files(path, skipped)):
        done += 1
        if progress:
            progress(done)
        try:
            parsed = parsed_file(found.path, is_mapped=supplied.mapping is not None)
        except (OSError, Rejected) as error:
            reason = getattr(error, "strerror", None) or "not UTF-8 text"
            refused.append(ConvertedFile(found.path, failed=f"cannot be read: {reason}"))
            continue
        if parsed.importer is not None and found.is_named:
            try:
                for run in found_runs(found.path, parsed.importer, parsed.data, supplied):
                    seen.add(Seen(found.path, run.run.collection, (run.run.model.id,)))
                    needs.add_results(found.path, run.run.collection, run.undirected)
            except (ConversionError, OSError) as error:
                refused.append(refused_file(found.path, parsed.importer.name, error))
            continue
        if kind_of(parsed.format or "") != RECORD or not isinstance(parsed.data, dict):
            others += 1
            continue
        asked: list[Question] = []
        questions = replace(supplied, ask=asked.append)
        try:
            convert_data(parsed.data, to=target, supplied=questions, path=found.path)
        except ConversionError as error:
            refused.append(ConvertedFile(found.path, parsed.format, refused=error))
            continue
        seen.add(Seen.of(parsed.data, found.path))
        needs.add(parsed.data, found.path, asked)
    return FoundNeeds(needs, target, tuple(refused), others, frozenset(seen))
