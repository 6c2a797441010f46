"""The record of a finished run."""

from __future__ import annotations

from evalmark.conversations.conversation import Finished
from evalmark.conversations.running.conversation_folder import RUN, list_files, load_object
from evalmark.conversations.running.outcome import SCORED, Outcome
from evalmark.converters.importers.ltm import about_converse_run
from evalmark.converters.records.memory_run import MemoryTest, run_of_tests
from evalmark.converters.records.run import Producer, Run
from evalmark.converters.records.writer import RECORD_VERSION, Written, write_record
from evalmark.converters.step import Supplied
from evalmark.validator.edge.writing import staying_in


def write_conversation_record(
    finished: Finished,
    source: Producer,
    *,
    model_id: str | None = None,
    version: str = RECORD_VERSION,
) -> Written:
    """Write a run's record and samples to ``records/<agent>``; replace its earlier record."""
    place = finished.home / "records" / finished.folder.name
    with staying_in(finished.home):
        place.mkdir(parents=True, exist_ok=True)
        written = write_record(_run(finished, source, model_id), place, version=version)
        list_files(finished.home, finished.folder, (written.record, written.samples))
    return written


def _run(finished: Finished, source: Producer, model_id: str | None) -> Run:
    supplied = {
        "/model_info/id": model_id,
        "/source_metadata/source_organization_name": source.organization,
        "/source_metadata/evaluator_relationship": source.relationship,
    }
    about = about_converse_run(
        load_object(finished.folder / RUN),
        load_object(finished.home / "definitions" / "config.json"),
        load_object(finished.folder / "runstats.json"),
        finished.folder,
        Supplied(values={key: value for key, value in supplied.items() if value is not None}),
    )
    scored = [_test(outcome) for outcome in finished.outcomes if outcome.state == SCORED]
    # In the order of their files, as an importer reads them.
    return run_of_tests(sorted(scored, key=lambda t: (t.dataset, f"{t.id}_0.json")), about)


def _test(outcome: Outcome) -> MemoryTest:
    example = outcome.example
    return MemoryTest(
        example.dataset_name, example.example_id, outcome.result(), example.definition()
    )
