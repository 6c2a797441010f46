"""``evalmark convert --needs``: what records lack, as a file to fill in."""

from __future__ import annotations

from collections.abc import Sequence

from evalmark.cli.converting.conversion import refusal, show, tell_unused
from evalmark.converters.find_needs import find_needs
from evalmark.converters.outcomes import Tally
from evalmark.converters.overrides.needs_text import needs_text
from evalmark.converters.step import Supplied
from evalmark.validator.io.terminal import (
    CLEAN,
    COULD_NOT_RUN,
    complain,
    counting,
    put,
    reason_of,
    say,
)


def show_needs(paths: Sequence[str], to: str | None, supplied: Supplied) -> int:
    """Print what records lack, as a file of defaults; the exit code."""
    skipped: list[tuple[str, str]] = []
    with counting("reading", "files", enabled=True, resumes=False) as progress:
        missing = find_needs(
            paths, to=to, supplied=supplied, progress=progress,
            skipped=lambda *entry: skipped.append(entry),
        )  # fmt: skip
    needs = missing.needs
    tally = Tally(refusal)
    tally.seen |= missing.seen
    for outcome in missing.refused:
        tally.take(outcome)
        if outcome.failed is not None:
            show(outcome, set())
    if not needs.records and not missing.refused:
        return complain(f"no records{reason_of(skipped)}")
    put(needs_text(needs, missing.target))
    for line in tally.lines():
        say(line)
    tell_unused(supplied.defaults, tally)
    say(
        f"records: {needs.lacking:,} of {needs.records:,} lack values, {needs.count:,} to fill in; "
        f"refused: {tally.files:,}; other files: {missing.others:,}"
    )
    return COULD_NOT_RUN if any(o.failed for o in missing.refused) else CLEAN
