"""The record of a finished run."""

from __future__ import annotations

from evalmark.converters.records.run import Producer, Run
from evalmark.converters.records.writer import RECORD_VERSION, Written, write_record
from evalmark.converters.step import Supplied
from evalmark.memory.converters.ltm_results import about_converse_run
from evalmark.memory.converters.memory_run import MemoryTest, load_object, run_of_tests
from evalmark.memory.running.conversation import Finished
from evalmark.memory.running.outcome import SCORED, Outcome
from evalmark.memory.running.run_folder import RUN, list_files
from evalmark.validator.formats.records.record_fields import places_of
from evalmark.validator.io.writing import confined_to, make_folder


def write_conversation_record(
    finished: Finished,
    source: Producer,
    *,
    model_id: str | None = None,
    version: str = RECORD_VERSION,
) -> Written:
    """Write a run's record and samples to ``records/<agent>``; replace its earlier record."""
    place = finished.home / "records" / finished.folder.name
    with confined_to(finished.home):
        make_folder(place)
        run = _run_of_outcomes(finished, source, model_id)
        written = write_record(run, place, version=version)
        list_files(finished.home, finished.folder, (written.record, written.samples))
    return written


def _run_of_outcomes(finished: Finished, source: Producer, model_id: str | None) -> Run:
    supplied = {
        places_of("model_id")[0]: model_id,
        places_of("organization")[0]: source.organization,
        places_of("relationship")[0]: source.relationship,
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
