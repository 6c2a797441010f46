"""Results of another program in one file or folder: a record and its samples for each run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from evalmark.converters.conversion_formats import CONVERTIBLE, CURRENT, RESULTS
from evalmark.converters.found_files import ConversionTask
from evalmark.converters.importers.directions import DirectedRun, directed, outlined
from evalmark.converters.importers.registry import Importer, import_results
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.overrides.defaults import Seen
from evalmark.converters.overrides.table_keys import generalized
from evalmark.converters.proof.imported_values import Importing
from evalmark.converters.proof.proof import Proof
from evalmark.converters.records.run import Model, Run
from evalmark.converters.records.writer import WRITTEN_VERSIONS, BuiltRecord, build_record
from evalmark.converters.sources.placed_values import Pieces
from evalmark.converters.sources.run_facts import SUPPLIED, supplied_text
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, InvalidDocument
from evalmark.schemas.versions import RECORD, current
from evalmark.validator.findings.finding import Finding
from evalmark.validator.formats.records.record_fields import places_of


def import_file(
    path: str, importer: Importer, data: object, task: ConversionTask
) -> Iterator[ConvertedFile]:
    """Import results, one outcome for each run.

    ``data`` is the parsed file, None for a folder. A run that is the same in another file of the
    call is not written again.
    """
    name, supplied = importer.name, task.supplied
    to = task.to or _usual_format(supplied)
    if to not in RESULTS:
        versions = " or ".join(WRITTEN_VERSIONS)
        yield ConvertedFile(path, name, failed=f"results become records of version {versions}")
        return
    if task.output is None:
        error = ConversionError("results become several files", needs="output", subject="FOLDER")
        yield ConvertedFile(path, name, refused=error)
        return
    outcomes: list[ConvertedFile] = []
    read = Pieces()
    made: dict[str, Any] = {}
    try:
        for run in found_runs(path, importer, data, supplied, read):
            first = task.runs.get(run.run.identity, path)
            if first != path:
                outcomes.append(ConvertedFile(path, name, to, repeats=first))
                continue
            for outcome, built in _write_run(path, name, run, to, task.output, write=task.write):
                outcomes.append(outcome)
                if built and run.run.identity:
                    task.runs[run.run.identity] = path
                if built and not read.are_too_many:
                    made.update(_made_of(built))
    except (ConversionError, OSError) as error:
        outcomes.append(refused_file(path, name, error))
    _add_proof(outcomes, read, made)
    yield from outcomes


def _add_proof(outcomes: list[ConvertedFile], read: Pieces, made: Mapping[str, Any]) -> None:
    """Give the last outcome the proof of all, unless one was not made."""
    if any(outcome.refused or outcome.failed for outcome in outcomes):
        return
    if read.are_too_many and any(outcome.target for outcome in outcomes):
        outcomes[-1] = replace(outcomes[-1], proof=Proof({"unverified": 1}))
    if not read or not made:
        return
    with suppress(RecursionError):  # values of one file, many runs
        imported = Importing(read, made, read.left_out)
        outcomes[-1] = replace(outcomes[-1], proof=Proof(imported.counts, imported=imported))


def _usual_format(supplied: Supplied) -> str:
    """The format of records if the call names none: what settings say, else the current one."""
    if supplied.checker is None:
        return CURRENT[RECORD]
    settings = supplied.checker.settings
    return f"{RECORD}-{settings.version_of_records(None, current(RECORD).name)}"


def found_runs(
    path: str, importer: Importer, data: object, supplied: Supplied, read: Pieces | None = None
) -> Iterator[DirectedRun]:
    """The runs of results with what is supplied, and what is left out of each.

    ``read`` gets what has been read of them. A ConversionError or an OSError if they cannot be read
    whole.
    """
    for run in import_results(importer, Path(path), data, supplied.about({}, path), read):
        facts = supplied.about(outlined(run), path)
        yield directed(_with_model_id(_with_deployment(run, facts), supplied, path), facts)


def _write_run(
    path: str, name: str, directed: DirectedRun, to: str, output: Path, *, write: bool
) -> Iterator[tuple[ConvertedFile, BuiltRecord | None]]:
    """Writes a run, or only checks it; one that cannot be written does not keep others from it."""
    run, version = directed.run, CONVERTIBLE[to].version
    if directed.left_out and not run.results:
        reason = ConversionError("no result is left")
        yield ConvertedFile(path, name, refused=reason, left_out=directed.left_out), None
        return
    try:
        built = build_record(run, output, version=version.name if version else to)
        if write:
            built.write()
    except (ConversionError, InvalidDocument, OSError) as error:
        yield refused_file(path, name, error, "written"), None
        return
    notes = (
        f"{_counted(len(run.results), 'result')}, {_counted(built.count, 'sample')}",
        *_class_id_note(run.model),
        *_time_note(run),
        *_left_out(run.left_out, Path(path).name),
        *directed.notes,
    )
    converted = ConvertedFile(
        path,
        name,
        to,
        (f"{name} → {to}",),
        notes,
        target=built.paths.record,
        seen=Seen(path, run.collection, (run.model.id,)),
        left_out=directed.left_out,
        is_anonymous=not run.producer.is_stated,
    )
    yield converted, built
    for result, why in run.unusable.items():
        yield ConvertedFile(f"{path}/{result}", name, failed=f"left out: {why}"), None


def _made_of(built: BuiltRecord) -> dict[str, Any]:
    """A record and its samples, by benchmark, developer, model and name of their files."""
    samples = [json.loads(line) for line in b"".join(built.rows).splitlines()]
    paths = built.paths.record, built.paths.samples
    record, rows = ("/".join(path.parts[-4:]) for path in paths)
    return {record: json.loads(built.text), **({rows: samples} if samples else {})}


def refused_file(path: str, name: str, error: Exception, step: str = "read") -> ConvertedFile:
    """The outcome of results that cannot be read, or whose record cannot be written."""
    if isinstance(error, OSError):
        return ConvertedFile(path, name, failed=f"cannot be {step}: {error.strerror or error}")
    if isinstance(error, InvalidDocument) and error.report.findings:
        first = error.report.findings[0]
        return ConvertedFile(path, name, refused=_record_refusal(first))
    refusal = error if isinstance(error, ConversionError) else ConversionError(str(error))
    return ConvertedFile(path, name, refused=refusal)


def _record_refusal(first: Finding) -> ConversionError:
    """The refusal of results that make no valid record: their file has no such place.

    What they state is not replaced by what is supplied. A bound that is none in this version is
    what evalmark knows of the metric.
    """
    reason = f"the record would have {first.code} {first.message}, at {first.pointer or '/'}"
    place = generalized(first.pointer)
    is_bound = any(place in places_of(field, "*") for field in ("low", "high"))
    if not is_bound or first.name != "wrong-type":
        return ConversionError(reason)
    return ConversionError(reason, f"supply a value for {place}", needs="values", subject=place)


def _class_id_note(model: Model) -> Iterator[str]:
    if model.is_class:
        yield (
            f"{model.id} is the class of the agent: the run does not name its model; "
            "--set /model_info/id=ID names it"
        )


def _time_note(run: Run) -> Iterator[str]:
    if run.retrieved == SUPPLIED:
        yield "the results state no time: retrieved_timestamp is as supplied"
    elif run.retrieved:
        yield "the results state no time: retrieved_timestamp is the time of their newest commit"


def _left_out(counts: Mapping[str, int], name: str) -> Iterator[str]:
    """A note for each place of the results whose values the record does not have.

    The file that was read is not named again: the same note on many files is one line.
    """
    for place, count in sorted(counts.items()):
        place = place.removeprefix(f"{name} ").replace(
            " : ", ": ", 1
        )  # a whole file has no pointer
        place = place.replace(" /*: ", ": ", 1)  # nor do rows need one
        is_file = "/" not in place.partition(": ")[0] and not place.startswith(":")
        where = place if place.startswith(":") else f" of {place}"
        yield f"left out: {place if count == 1 and is_file else _counted(count, 'value') + where}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' if count != 1 else ''}"


def _with_deployment(run: Run, supplied: Supplied) -> Run:
    model = run.model
    deployment = supplied_text(supplied, "deployment") or model.deployment
    availability = supplied_text(supplied, "availability") or model.availability
    return replace(run, model=replace(model, deployment=deployment, availability=availability))


def _with_model_id(run: Run, supplied: Supplied, path: str) -> Run:
    if any(supplied.values.get(place) is not None for place in places_of("model_id")):
        return run
    defaults = Supplied(values=supplied.defaults.values_for(outlined(run), path))
    identity, model = supplied_text(defaults, "model_id"), run.model
    if identity in (None, model.id):
        return run
    owner = identity.rpartition("/")[0] or None
    details = {**model.details, "stated_name": model.id}
    named = replace(model, id=identity, developer=owner or model.developer, details=details)
    return replace(run, model=named)
