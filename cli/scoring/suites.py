"""``evalmark score`` for suites."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

from evalmark.cli.checking import UnusedFiles
from evalmark.cli.scoring.delivery import (
    HINTS,
    Delivery,
    ScoreCall,
    score_with_models,
)
from evalmark.pages.score_table import (
    print_notes,
    print_plan,
    print_scores,
    print_without_predictions,
)
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.output import lacking, run_time, scores_data, write_output
from evalmark.scoring.recorded_scores import evaluated_among, score_recorded
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suite_loading import LoadedSuite, load_suites
from evalmark.scoring.suite_run import ScoringTask
from evalmark.scoring.suite_scores import Scores, write_table
from evalmark.validator.edge.terminal import put_json, say, tell


class SuiteSources(NamedTuple):
    """Where numbers are from, if not from a model, and what suites do not say.

    Attributes:
        recorded: Whether the numbers are those that the suites have.
        surprisals: Files of numbers, if they are used.
        metric: The metric of suites that name none, or several.
        predictions: Predictions for suites without any.
        model_id: The model of numbers that are not computed.
    """

    recorded: bool
    surprisals: list[Path] | None
    metric: str | None
    predictions: Path | None
    model_id: str | None


def score_suite_files(
    paths: Sequence[str], settings: Settings, sources: SuiteSources, call: ScoreCall
) -> int:
    """Score files of suites; the exit code."""
    unused = UnusedFiles("scored", HINTS)
    suites = load_suites(
        paths, join=settings.join, metric=sources.metric, limit=call.limit,
        predictions=sources.predictions, failed=unused.add,
    )  # fmt: skip
    suites = _evaluated(suites, paths) if sources.recorded else suites
    if suites:
        call.own_folder()
    task = ScoringTask(suites, settings, call.loading, call.computing, run_time())
    if call.dry_run:
        _show_plans(call.models, task, unused, as_json=not call.delivering.is_for_people)
        return unused.say()
    if any(suite.trees for suite in suites):
        call.say_who_publishes()
    deliver = SuiteDelivery(call.delivering, call.config, task.started, unused, suites=suites)
    code = 0
    if suites and call.models:
        code = score_with_models(call, task, deliver)
    elif suites:
        scores = score_recorded(
            suites, settings, surprisals=sources.surprisals, model_id=sources.model_id,
            keep_going=True,
        )  # fmt: skip
        deliver.scores(scores, call.out)
    return max(code, deliver.finish())


def _evaluated(suites: Sequence[LoadedSuite], paths: Sequence[str]) -> list[LoadedSuite]:
    """Suites without the ones in folders that were never evaluated, which are named."""
    found, skipped = evaluated_among(suites, paths)
    if skipped:
        count = f"{len(skipped)} suite{'s'[: len(skipped) - 1]}"
        names = f"{', '.join(skipped[:3])}{' …' if len(skipped) > 3 else ''}"
        say(f"note: skipped {count} without recorded values: {names}")
    return found


@dataclass(frozen=True, slots=True)
class SuiteDelivery(Delivery):
    """What happens to the scores of suites.

    Attributes:
        suites: The suites of the call.
    """

    suites: Sequence[LoadedSuite] = ()

    def lacking(self, folder: Path) -> list[str]:
        """The suites that a finished run in a folder has not scored as they are now."""
        return [suite.path for suite in lacking(folder, self.suites)]

    def scores(self, scores: Scores, folder: Path | None, model: str = "") -> None:
        """Show the scores of a model and write its files, if it has any."""
        for unused in scores.unused:
            self.unused.add(*unused, model)
        if not scores.suites:
            return
        print_notes(scores)
        if self.prints and any(scored.result.predictions for scored in scores.suites):
            print_scores(scores)
        print_without_predictions(scores)
        files: list[Path] = []
        how, has_record = self.how, False
        if how.table is not None:
            write_table(scores, how.table, spreadsheet=how.spreadsheet)
            files.append(how.table)
        if folder is not None:
            output = write_output(
                scores,
                folder,
                source=self.source,
                collection=self.config.collection,
                started=scores.started or self.started,
                version=how.version,
            )
            found = (output.scores, output.regions, output.record, output.samples)
            files += [file for file in found if file is not None]
            has_record = output.record is not None
        self.wrote(scores_data(scores), files, folder, has_record=has_record)


def _show_plans(
    models: Sequence[str], task: ScoringTask, unused: UnusedFiles, *, as_json: bool
) -> None:
    """Print what would be scored, and what each model would compute."""
    # A suite with several metrics is one suite here.
    files = {suite.path: len(suite.suite.items) for suite in task.suites}
    count = "1 suite" if len(files) == 1 else f"{len(files)} suites"
    items = sum(files.values())
    if files and not as_json:
        tell(f"{count} with {items} items can be scored")
    plans = []
    for name in models if files else ():
        plan = task.plan(load_model(name, **task.loading))
        for file in plan.unused:
            unused.add(*file, name)
        if not as_json and {file.name for file in plan.unused} != set(files):
            tell(name)
            print_plan(plan)
        plans.append({"model": name, "packs": asdict(plan.packs) if plan.packs else None})
    if as_json:
        put_json(
            {
                "suites": len(files),
                "items": items,
                "plans": plans,
                "not_scored": unused.data(),
            }
        )
