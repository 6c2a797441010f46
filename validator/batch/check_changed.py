"""What a branch changes, and what the base must be compared with: ids, duplicates, sample files.

The changed files are checked like all others. What only the base can tell is found here: a record
whose id the base has, also if it has gained it since the branch was made; a record that repeats
another; a record whose sample file has changed; a sample file whose record is gone.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalmark.validator.batch.batch_options import BatchOptions
from evalmark.validator.batch.branch import Branch
from evalmark.validator.batch.changes import (
    RepositoryPaths,
    changed_settings,
    changes,
    require_paths,
)
from evalmark.validator.batch.check_files import LEADS_OUT
from evalmark.validator.edge.git import Repository
from evalmark.validator.edge.terminal import counting
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import changed_settings as settings_finding
from evalmark.validator.findings.rule import file_finding


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be checked of a branch.

    Attributes:
        paths: The changed files, and the records whose sample files have changed.
        changed: The changed files alone: these may be fixed.
        options: The options of the check, which compares with the base.
        skipped: Path and reason of what was skipped.
        remarks: What was compared with what.
    """

    paths: tuple[str, ...]
    changed: frozenset[str]
    options: BatchOptions
    skipped: tuple[tuple[str, str], ...]
    remarks: tuple[str, ...]


def select_changed(paths: Sequence[str], base: str, options: BatchOptions) -> Selection:
    """What a branch changes at or below some paths, and how to check it; see ``check_batch``.

    Args:
        paths: Files and folders.
        base: The branch or commit that the current one will be merged into.
        options: As for ``check_batch``.

    Raises:
        UsageError: git is not installed, this is not a repository, it does not have the base, or
            the base and the current branch have no commit in common.
    """
    repository = Repository()
    commit = repository.commit(base)
    start = repository.merge_base(commit, base)
    places = RepositoryPaths(repository.root, paths, options.exclude)
    skipped: list[tuple[str, str]] = []
    everything = changes(repository, start, places, lambda *entry: skipped.append(entry))
    require_paths(paths, places, everything)
    asked = [change for change in everything if places.are_asked(change.place)]
    found = [change for change in asked if not change.leads_out]
    others = [c for c in everything if not (c.leads_out or places.are_asked(c.place))]
    replaced = {change.place for change in everything}
    branch = Branch(repository, base, places, found, others, replaced)
    remarks = [f"{len(asked)} files changed since {start[:12]}"]
    if not options.asked.schema_only:
        with counting("comparing", "files", wanted=options.bars) as progress:
            seen = branch.compare(commit.id, progress or (lambda _: None))
        remarks.append(f"compared with {seen} files of {base} ({commit.id[:12]})")

    def beyond() -> Iterator[Report]:
        for change in asked:
            if change.leads_out:
                finding = file_finding("F011", change.path, LEADS_OUT)
                yield Report(change.path, None, None, (finding,))
        yield from branch.reports()
        own = options.asked.own
        schemas = [os.path.join(own.folder, one.path) for one in own.schemas] if own else []
        for path, known in changed_settings(repository, start, places, schemas):
            finding = settings_finding(path, base, known=known)
            yield Report(path, None, None, (finding,))

    there = {change.path for change in found if change.is_there}
    # Documents first: sample files are then checked with their records.
    ordered = sorted(there | branch.brought, key=lambda path: (path.endswith(".jsonl"), path))
    return Selection(
        tuple(ordered),
        frozenset(there),
        options._replace(picked=True, beyond=beyond),
        tuple(skipped),
        tuple(remarks),
    )
