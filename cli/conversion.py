"""``evalmark convert``: what becomes of each file, and with ``--needs`` what records lack."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalmark.cli.convert_options import ConvertOptions
from evalmark.cli.unused_files import say_findings
from evalmark.converters.convert_files import convert_files, is_several
from evalmark.converters.outcomes import SAME_RUN, ConvertedFile, Tally
from evalmark.converters.proof.proof import sentence_of
from evalmark.converters.step import NOT_STATED, SuiteEdit
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.formats.records.record_fields import places_of
from evalmark.validator.formats.suites.suite import METRICS
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.terminal import (
    CLEAN,
    COULD_NOT_RUN,
    FOUND,
    counting,
    print_line,
    print_note,
    reason_of,
    report_error,
    write_diff,
    write_stdout,
)
from evalmark.validator.io.writing import remove_stale_temp_files, write_atomically
from evalmark.validator.outputs.rendering import finding_data

if TYPE_CHECKING:
    from evalmark.converters.overrides.defaults import Defaults

#: Missing value -> the option that supplies it; ``{}`` is what needs the value.
_OPTIONS = {
    "columns": '--column "{}=ROLE" says what it is: item, condition, region, sentence, version, '
    "label or ignored",
    "directions": "say it with --set {}=true or =false, or by metric in a file that --needs makes",
    "formats": "`evalmark explain` names all",
    "mapping": "use --mapping FILE",
    "metric": f"choose with --metric: {', '.join(METRICS)}",
    "output": "use -o {}",
    "predictions": "--predictions FILE takes them from a file; "
    "--no-predictions writes an empty list",
    "renames": '--rename "{}=NEW" renames it',
    "report": "`evalmark check` shows where",
    "split_conjunctions": "--split-conjunctions makes a prediction of each part of an `&`",
    "strip_results": "--strip-results removes the results of a model",
    "time": "supply it, once for all of them, with --set {}=VALUE, or with "
    "--set /retrieved_timestamp=VALUE if only that is known",
    "values": "supply it with --set {}=VALUE",
    "wide_table": "--to wide-table writes a suite as tables",
}
#: The suggestion where values are not stated.
_SUPPLY = "supply what is not stated with --set POINTER=VALUE or --defaults FILE; --needs makes one"
#: Errors of a refused file that are shown.
SHOWN = 3
#: Names in a file of defaults that are listed though no file has them.
_LISTED = 10


def convert_paths(options: ConvertOptions, supplied: Supplied, edits: tuple[SuiteEdit, ...]) -> int:
    """Convert files, and print the outcome of each; the exit code."""
    several = is_several(options.paths)
    to_stdout = options.as_json or str(options.report) == "-"
    writes = options.in_place or options.output is not None
    previews = options.check or options.diff
    if several and not (writes or previews):
        return report_error("several files: use --in-place, -o FOLDER, --check or --diff")
    if to_stdout:
        _require_stdout(options, writes=writes)
    worst = CLEAN
    entries: list[dict[str, Any]] = []
    skipped: list[tuple[str, str]] = []
    lines: set[str] = set()
    tally = Tally(refusal)
    outcomes = convert_files(
        options.paths,
        to=options.to,
        supplied=supplied,
        edits=edits,
        output=options.output,
        in_place=options.in_place,
        skip_unknown=options.skip_unknown,
        write=not previews,
        skipped=lambda *entry: skipped.append(entry),
    )
    with counting("converting", "files", enabled=writes, resumes=options.in_place) as progress:
        for outcome in outcomes:
            tally.take(outcome)
            if not several or outcome.failed is not None:
                show(outcome, lines)
            _print(outcome, options, report_only=to_stdout)
            worst = max(worst, _code(outcome, check=options.check))
            if to_stdout or options.report is not None:
                entries.append(_entry(outcome))
            if progress:
                progress(tally.files)
    if not tally.files and not options.skip_unknown:
        return report_error(f"no files to convert{reason_of(skipped)}")
    if several:
        _tell(tally, len(skipped), check=options.check, has_report=bool(entries))
    _tell_unowned(tally)
    _tell_anonymous(tally)
    tell_unused(supplied.defaults, tally)
    _tell_unneeded(options, supplied, tally)
    _tell_proved(tally)
    _write_report(entries, options.report, to_stdout=to_stdout)
    return worst


def _tell_proved(tally: Tally) -> None:
    if proved := sentence_of(tally.proved):
        print_note(proved if proved.startswith("not verified") else f"verified: {proved}")


def _require_stdout(options: ConvertOptions, *, writes: bool) -> None:
    if options.diff or not (writes or options.check):
        option = "--format json" if options.as_json else "--report -"
        raise UsageError(
            f"{option} needs stdout for itself: use -o, --in-place or --check, without --diff"
        )


def _write_report(
    entries: Sequence[dict[str, Any]], report: Path | None, *, to_stdout: bool
) -> None:
    if to_stdout:
        write_stdout({"files": entries})
    if report is not None and str(report) != "-":
        text = json_text({"version": 1, "files": entries}, indent=2) + "\n"
        remove_stale_temp_files(report)  # temporary files of an interrupted run
        write_atomically(report, text.encode())


def _code(outcome: ConvertedFile, *, check: bool) -> int:
    if outcome.failed is not None:
        return COULD_NOT_RUN
    is_whole = outcome.refused is None and not outcome.left_out
    return FOUND if not is_whole or (check and outcome.changed) else CLEAN


def show(outcome: ConvertedFile, shown: set[str]) -> None:
    """Say what became of one file; what several parts of it share is said once."""
    path = outcome.path
    for left_out in outcome.left_out:
        print_note(f"{path}: {refusal(left_out.reason)}")
    if outcome.refused is not None:
        print_note(f"{path}: {refusal(outcome.refused)}")
        say_findings(outcome.refused.findings[1:SHOWN])
    elif outcome.failed is not None:
        report_error(f"{path}: {outcome.failed}")
    elif outcome.repeats:
        print_note(f"{path}: {SAME_RUN}: {outcome.repeats}")
    else:
        lines = [f"{path}: {', '.join(outcome.steps) or 'already current'}"]
        lines += (f"{path}: note: {note}" for note in outcome.notes)
        if any(NOT_STATED in note for note in outcome.notes):
            lines.append(f"{path}: note: {_SUPPLY}")
        for line in dict.fromkeys(lines):
            if line not in shown:
                print_note(line)
        shown.update(lines)


def _tell(tally: Tally, skipped: int, *, check: bool, has_report: bool) -> None:
    for line in tally.lines():
        print_note(line)
    if tally.lacks_facts:
        print_note(f"note: {_SUPPLY}")
    counts = tally.counts
    words = {
        "to convert" if check else "converted": counts["converted"],
        "already current": counts["current"],
        "the same run": counts["repeated"],
        "refused": counts["refused"],
        "failed": counts["failed"],
        f"file{'s' if skipped != 1 else ''} skipped": skipped,
    }
    listed = ", ".join(f"{count:,} {word}" for word, count in words.items() if count)
    if tally.left_out:
        listed += f"; {tally.left_out:,} result{'s' if tally.left_out > 1 else ''} left out"
    more = "; --report FILE lists each file" if counts["refused"] > 1 and not has_report else ""
    runs = f"{tally.outcomes:,} runs in " if tally.outcomes > tally.files else ""
    print_note(f"{runs}{tally.files:,} file{'s' if tally.files != 1 else ''}: {listed}{more}")


def tell_unused(defaults: Defaults, tally: Tally) -> None:
    """Say which names in a file of defaults no record has: they may be misspelt."""
    unused = list(defaults.unused(tally.seen))
    for line in unused[:_LISTED]:
        print_note(f"--defaults: {line}")
    if len(unused) > _LISTED:
        print_note(f"--defaults: {len(unused) - _LISTED:,} more names that no record has")


def _tell_unneeded(options: ConvertOptions, supplied: Supplied, tally: Tally) -> None:
    """Say which values no file took, as long as none is refused, which may take them later."""
    used = {*supplied.used}
    if options.metric is None and "metric" in used:
        used.add("predictions")  # a file of predictions may have a metric, too
    names = {
        "--metric": "metric" if options.metric is not None else "",
        "--predictions": "predictions" if options.predictions is not None else "",
        "--no-predictions": "predictions" if options.no_predictions else "",
        "--mapping": "mapping" if options.mapping is not None else "",
        **{f"--set {place}": place for place in supplied.values},
    }
    if not tally.counts["refused"] + tally.counts["failed"]:
        for option, name in names.items():
            if name and name not in used:
                print_note(f"{option} is not used: no file asks for it")


def _tell_unowned(tally: Tally) -> None:
    """Ask once for the owners of models: records are filed by them, and joined by whole ids."""
    if not tally.unowned:
        return
    ids = [json_text(model) for model, _ in tally.unowned.most_common(_LISTED)]
    more = len(tally.unowned) - len(ids)
    listed = ", ".join(ids) + (f" and {more:,} more" if more else "")
    noun = "model id has" if len(tally.unowned) == 1 else "model ids have"
    print_note(
        f"{len(tally.unowned):,} {noun} no owner: {listed}; name it once for all records in a "
        f"--defaults file, models: {{{ids[0]}: {{id: OWNER/NAME}}}}; --needs writes one to fill in"
    )


def _tell_anonymous(tally: Tally) -> None:
    if tally.anonymous:
        s, does, them = ("", "does", "it") if tally.anonymous == 1 else ("s", "do", "them")
        print_note(
            f"{tally.anonymous:,} record{s} {does} not say who publishes {them}: use --set "
            f"{places_of('organization')[0]}=NAME and --set "
            f"{places_of('relationship')[0]}=first_party (or third_party, collaborative)"
        )


def refusal(error: ConversionError) -> str:
    """The reason of a refusal, and a way to avoid it."""
    return "; ".join(filter(None, (f"refused: {error.reason}", _help(error))))


def _print(outcome: ConvertedFile, options: ConvertOptions, *, report_only: bool) -> None:
    if outcome.refused is not None or outcome.failed is not None or outcome.repeats:
        return
    if outcome.text is None:
        (print_note if report_only else print_line)(str(outcome.target))
    elif options.diff:
        write_diff(outcome.old, outcome.text, outcome.path)
    elif outcome.target is None and not options.check:
        write_stdout(outcome.text)


def _help(error: ConversionError) -> str:
    option = _OPTIONS.get(error.needs)
    return error.help if option is None else option.format(error.subject)


def _entry(outcome: ConvertedFile) -> dict[str, Any]:
    entry: dict[str, Any] = {"path": outcome.path, "from": outcome.source}
    if outcome.left_out:
        entry["left_out"] = [left_out.reason.reason for left_out in outcome.left_out]
    if outcome.refused is not None:
        entry |= {"refused": outcome.refused.reason, "help": _help(outcome.refused)}
        return {**entry, "findings": [*map(finding_data, outcome.refused.findings)]}
    if outcome.failed is not None:
        return {**entry, "failed": outcome.failed}
    if outcome.repeats:
        return {**entry, "same_run": outcome.repeats}
    if outcome.proof is not None:
        entry["proof"] = outcome.proof.data()
    entry |= {"to": outcome.format, "steps": list(outcome.steps), "notes": list(outcome.notes)}
    return entry if outcome.text is not None else {**entry, "written": str(outcome.target)}


def show_needs(paths: Sequence[str], to: str | None, supplied: Supplied) -> int:
    """Print what records lack, as a file of defaults; the exit code."""
    from evalmark.converters.find_needs import find_needs  # loads importers
    from evalmark.converters.overrides.needs import needs_text

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
        return report_error(f"no records{reason_of(skipped)}")
    write_stdout(needs_text(needs, missing.target))
    for line in tally.lines():
        print_note(line)
    tell_unused(supplied.defaults, tally)
    print_note(
        f"records: {needs.lacking:,} of {needs.records:,} lack values; "
        f"{needs.count:,} value{'' if needs.count == 1 else 's'} to fill in; "
        f"refused: {tally.files:,}; other files: {missing.others:,}"
    )
    return COULD_NOT_RUN if any(o.failed for o in missing.refused) else CLEAN
