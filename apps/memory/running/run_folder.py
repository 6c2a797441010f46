"""The folder of a run, laid out as the LTM benchmark lays its runs out.

``definitions/<dataset>/<id>.def.json``, ``results/<agent>/<dataset>/<id>_0.json``. The folder of an
agent also holds its log, ``run.json`` with what the scores depend on, and ``unscored/`` with the
tests that were not judged or failed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import datetime
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from evalmark.converters.records.writer import RECORD_NAMES
from evalmark.memory.converters.memory_run import OVERRIDES, UNSCORED, load_object
from evalmark.memory.datasets.dataset_registry import KEYS
from evalmark.memory.evaluation.llm_judge import AskedPrompts
from evalmark.memory.evaluation.replies import EVALUATOR
from evalmark.memory.interface.dataset_interface import TestExample
from evalmark.memory.running.outcome import FAILED, SCORED, UNJUDGED, Outcome, Totals
from evalmark.memory.running.run_log import LOG, RunLog
from evalmark.schemas.errors import OtherRun, ScoringError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import is_plain_name, without_links
from evalmark.validator.io.portable_names import portable_name
from evalmark.validator.io.writing import (
    confined_to,
    json_bytes,
    listed_files,
    lock_folder,
    make_folder,
    manifest,
    remove_empty,
    remove_listed,
    remove_stale_temp_files,
    remove_superseded,
    write_atomically,
)

_RUN_VERSION = 1
#: Describes the run and lists the files of its record, in the folder of an agent.
RUN = "run.json"


class ConversationFolder:
    """The files of a run."""

    def __init__(self, home: Path, about: Mapping[str, str]) -> None:
        self.home = home
        agent = " - ".join((about["kind"], about["model"].replace("/", "__")))
        self.agent = home / "results" / part_of_a_path(portable_name(agent), "agent")
        self.log = self.agent / LOG

    @contextmanager
    def running(self, plan: Mapping[str, object], *, retry: bool) -> Iterator[RunLog]:
        """Open the log of a run, whose process is the only one that writes to the folder.

        Folders in which nothing was run do not stay.

        Raises:
            OtherRun: The folder holds another run.
            FolderInUse: Another process writes to it.
            OSError: A file cannot be read or written.
        """
        made = [path for path in (self.agent, *self.agent.parents) if not path.exists()]
        with confined_to(self.home):
            make_folder(self.agent)
        try:
            with (
                confined_to(self.home),
                lock_folder(self.agent),
                closing(RunLog(self.log, plan, retry=retry)) as log,
            ):
                yield log
        finally:
            remove_empty(made)

    def prepare(self, tests: Sequence[TestExample], *, memory_span: int, mode: str) -> None:
        """Write the definitions and the configuration."""
        make_folder(self.agent)
        definitions = self.home / "definitions"  # shared with the runs of other agents
        remove_stale_temp_files(definitions)  # temporary files of an interrupted run
        for test in tests:
            path = definitions / _place(test, ".def.json")
            raw = json_bytes(test.definition())
            if path.exists() and read_whole(path) != raw:
                raise OtherRun(f"{path} is from another run")
            make_folder(path.parent)
            write_atomically(path, raw)
        config = _config(without_links(self.home).name, tests, memory_span, mode)
        if config is not None:
            write_atomically(definitions / "config.json", json_bytes(config))

    def check_unchanged(self, tests: Iterable[TestExample]) -> None:
        """Make sure that no result that will be written again was changed by hand."""
        for path in (path for test in tests for path in self._places(test)):
            if path.exists() and any(f'"{key}"'.encode() in read_whole(path) for key in OVERRIDES):
                raise OtherRun(f"{path} was edited by hand")

    def _places(self, test: TestExample) -> tuple[Path, Path]:
        name = _place(test, "_0.json")
        return self.agent / name, self.agent / UNSCORED / name

    def keep(self, outcome: Outcome) -> None:
        """Write the result of a test. It replaces what an earlier attempt wrote of this test."""
        scored = outcome.state == SCORED
        with_score, without_score = self._places(outcome.example)
        path, obsolete = (with_score, without_score) if scored else (without_score, with_score)
        make_folder(path.parent)
        write_atomically(path, json_bytes(outcome.result() if scored else outcome.without_score()))
        remove_superseded(obsolete)

    def finish(
        self,
        outcomes: Sequence[Outcome],
        totals: Totals,
        *,
        began: datetime,
        plan: Mapping[str, object],
        judged: Mapping[str, AskedPrompts],
        judges: Sequence[str],
        thoughts: str = "",
    ) -> None:
        """Write statistics, and what the scores depend on."""
        stats = {
            "total_tokens": totals.tokens,
            "agent_tokens": totals.agent_tokens,
            # The benchmark's format wants numbers: `run.json` says what is not known.
            "agent_costs_usd": totals.agent_cost or 0.0,
            "managing_costs_usd": totals.judge_cost or 0.0,
            "duration": totals.seconds,  # without the jumps of the clock
        }
        write_atomically(self.agent / "runstats.json", json_bytes(stats))
        states = {
            state: sorted(o.example.unique_id for o in outcomes if o.state == state)
            for state in (UNJUDGED, FAILED)
        }
        why = {o.example.unique_id: o.reasons for o in outcomes if o.state != SCORED}
        run = {
            "version": _RUN_VERSION,
            "evalmark": installed("evalmark"),
            "evaluator": EVALUATOR,
            **plan,
            "began": began.isoformat(),
            "totals": asdict(totals),
            "judged": sorted(judged),
            **({"judge_models": list(judges)} if judges else {}),
            **(
                {"judging": {name: judged[name].data() for name in sorted(judged)}}
                if judged
                else {}
            ),
            **({"thoughts": thoughts} if thoughts else {}),
            "not_judged": states[UNJUDGED],
            "errors": states[FAILED],
            "why": dict(sorted(why.items())),
            # Until the new record is written, the files of the earlier one are still listed.
            "files": listed_files(self.agent / RUN),
        }
        write_atomically(self.agent / RUN, json_bytes(run))


def part_of_a_path(name: str, role: str) -> str:
    """The name, if it is one part of a path on every system: datasets and agents name folders.

    Raises:
        ScoringError: It could lead elsewhere, or it cannot be shown.
    """
    if not is_plain_name(name) or name == UNSCORED:
        raise ScoringError(f"the name of {role} {name!r} cannot be the name of a folder")
    return name


def _place(test: TestExample, suffix: str) -> Path:
    dataset = part_of_a_path(test.dataset_name, "dataset")
    return Path(dataset, part_of_a_path(test.example_id, "test") + suffix)


def list_files(home: Path, agent: Path, paths: Iterable[Path]) -> None:
    """List the files of a record in ``run.json``; delete those of the run's earlier record."""
    earlier, files = listed_files(agent / RUN), manifest(home, paths)
    write_atomically(agent / RUN, json_bytes({**load_object(agent / RUN), "files": files}))
    names = re.compile(f"records/{re.escape(agent.name)}/({RECORD_NAMES})")
    remove_listed(home, earlier, keep=files, names=names)


def _config(
    name: str, tests: Sequence[TestExample], memory_span: int, mode: str
) -> dict[str, Any] | None:
    """A configuration of the benchmark; None if it does not know a dataset."""
    counts = Counter(test.dataset_name for test in tests)
    if not set(counts) <= set(KEYS):
        return None
    return {
        "config": {"run_name": name, "isolated": mode == "isolated"},
        "datasets": {
            "args": {"dataset_examples": max(counts.values()), "memory_span": memory_span},
            "datasets": [
                {"name": KEYS[dataset], "args": {"dataset_examples": count}}
                for dataset, count in sorted(counts.items())
            ],
        },
    }
