"""``evalmark score`` for minimal pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from evalmark.cli.checking import UnusedFiles
from evalmark.cli.scoring.delivery import HINTS, Delivery, ScoreCall, score_with_models
from evalmark.pages.score_table import print_choices, print_pairs, print_plan, print_sets
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.output import run_time
from evalmark.scoring.pairs.load_pairs import LoadedPairs, load_pairs
from evalmark.scoring.pairs.pair_output import (
    lacking_pairs,
    pairs_data,
    tidy_rows,
    write_pairs,
)
from evalmark.scoring.pairs.pair_results import PairScores, PairSettings
from evalmark.scoring.pairs.pair_run import PairTask
from evalmark.scoring.quality import notes_of
from evalmark.scoring.run_files import PAIR_COLUMNS
from evalmark.scoring.suite_scores import write_rows
from evalmark.validator.edge.terminal import put_json, say, tell


def score_pair_files(paths: Sequence[str], settings: PairSettings, call: ScoreCall) -> int:
    """Score files of minimal pairs; the exit code."""
    unused = UnusedFiles("scored", HINTS)
    files = load_pairs(paths, method=settings.method, limit=call.limit, failed=unused.add)
    if files:
        call.own_folder()
    task = PairTask(files, settings, call.loading, call.computing, run_time())
    if call.dry_run:
        _show_plans(call.models, task, unused, as_json=not call.delivering.is_for_people)
        return unused.say()
    if files:
        call.say_who_publishes()
    deliver = PairDelivery(call.delivering, call.config, task.started, unused, files=files)
    code = score_with_models(call, task, deliver) if files else 0
    if len(deliver.scored) > 1 and deliver.prints:
        print_sets(deliver.scored)
    return max(code, deliver.finish())


@dataclass(frozen=True, slots=True)
class PairDelivery(Delivery):
    """What happens to the scores of minimal pairs.

    Attributes:
        files: The files of the call.
        scored: The scores of each model.
    """

    files: Sequence[LoadedPairs] = ()
    scored: list[PairScores] = field(default_factory=list)

    def lacking(self, folder: Path) -> list[str]:
        """The files that a finished run in a folder has not scored as they are now."""
        return [file.path for file in lacking_pairs(folder, self.files)]

    def scores(self, scores: PairScores, folder: Path | None, model: str = "") -> None:
        """Show the scores of a model and write its files, if it has any."""
        for unused in scores.unused:
            self.unused.add(*unused, model)
        if not scores.uids:
            return
        print_choices(scores.model, scores.computed)
        for note in notes_of({Path(path).name: doubt for path, doubt in scores.doubts.items()}):
            say(f"note: {note}")
        if self.prints:
            print_pairs(scores)
        self.scored.append(scores)
        how, written = self.how, []
        if how.table is not None:
            write_rows(PAIR_COLUMNS, tidy_rows(scores), how.table, spreadsheet=how.spreadsheet)
            written.append(how.table)
        if folder is not None:
            written += write_pairs(
                scores,
                folder,
                source=self.source,
                collection=self.config.collection,
                started=scores.started or self.started,
                version=how.version,
            )
        self.wrote({} if how.is_for_people else pairs_data(scores), written, folder)


def _show_plans(
    models: Sequence[str], task: PairTask, unused: UnusedFiles, *, as_json: bool
) -> None:
    """Print what would be scored, and what each model would compute."""
    files, rows = len(task.suites), sum(file.rows for file in task.suites)
    if files and not as_json:
        count = "1 file" if files == 1 else f"{files} files"
        tell(f"{count} with {rows} rows of minimal pairs can be scored")
    plans: list[dict[str, Any]] = []
    for name in models if files else ():
        plan = task.plan(load_model(name, **task.loading))
        for file in plan.unused:
            unused.add(*file, name)
        if not as_json and len(plan.unused) < files:
            tell(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan.packs) if plan.packs else None})
    if as_json:
        put_json({"files": files, "rows": rows, "plans": plans, "not_scored": unused.data()})
