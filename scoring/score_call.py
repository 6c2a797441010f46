"""One call of ``score``, whoever makes it: from its options to the work of each model.

The command line, Python (``score_files``) and the page give ``ScoreOptions`` and the settings of
the folder; what follows from both is here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from evalmark.converters.records.run import Producer, Run
from evalmark.schemas.errors import OptionsError, require
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.demo_files import with_demo_suite
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import PAIR_RUN, PAIR_RUN_WITH_TOKENS
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.runs.run_files import Output, ResultFiles, run_of, run_time, write_run
from evalmark.scoring.score_options import (
    OF_PAIRS,
    OF_SUITES,
    PARQUET,
    RECORDED,
    REGIONS_TABLE,
    SHARED,
    TEXTS,
    TOKENS,
    ScoreOptions,
)
from evalmark.scoring.score_settings import (
    FIRST_TOKENS,
    SCORE_SETTINGS,
    Computing,
    Settings,
    chosen_settings,
    kind_of,
    settings_that_are,
    unlisted,
)
from evalmark.scoring.suites.recorded_scores import score_recorded
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_output import SUITE_RUN
from evalmark.scoring.suites.suite_run import SuiteContests
from evalmark.validator.findings.unusable import Failed, raising
from evalmark.validator.options.declaration import declared_in
from evalmark.validator.reading.pair_columns import PairTables, stated_tables
from evalmark.validator.settings.config import Config

#: The options of a model that has a name: how it is loaded, and what a record calls it.
OF_NAMES = (
    "model_id",
    *(
        name
        for name, (_, option) in declared_in(ScoreOptions).items()
        if option.keywords.get("rich_help_panel") == "Model" and name not in ("model", "surprisals")
    ),
)
_NO_CONTENTS: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class ScoreCall:
    """The options of a call, the settings of its folder, and what follows from both."""

    options: ScoreOptions
    config: Config
    settings: Settings  # how texts become numbers
    pairs: Sequence[str]  # the files of minimal pairs; without any, suites are scored
    contents: Mapping[str, bytes]  # of files, in place of those on disk

    @classmethod
    def of(
        cls,
        options: ScoreOptions,
        config: Config,
        contents: Mapping[str, bytes] = _NO_CONTENTS,
        *,
        is_plan: bool = False,
    ) -> ScoreCall:
        """The call with some options, in a folder with some settings.

        Args:
            options: The options.
            config: The settings.
            contents: The contents of some of the files, in place of those on disk.
            is_plan: Whether nothing is scored, so that no model is needed.

        Raises:
            EvalmarkError: The options cannot be used together, or one of them not at all.
        """
        _require_together(options, is_plan=is_plan)
        settings = chosen_settings({"join": config.join, **_given_settings(options)})
        options = replace(options, paths=with_demo_suite(options.paths))
        pairs = [] if contents else pair_paths(options.paths, _tables(options, config))
        _require_applicable(options, is_pairs=bool(pairs))
        return cls(options, config, settings, pairs, contents)

    @property
    def is_recorded(self) -> bool:
        """True if the numbers are those that the suites have."""
        return [*self.options.surprisals] == [RECORDED]

    @property
    def loading(self) -> dict[str, Any]:
        """How models are loaded, as ``load_model`` takes it."""
        options = self.options
        device_map = options.device if options.device in SHARED else None
        return {
            **{name: getattr(options, name) for name in OF_NAMES if name != "revision"},
            "device": "auto" if device_map else options.device,
            "device_map": device_map,
            "bos": self.settings.bos,
        }

    def load(self, failed: Failed = raising, *, limit: int | None = None) -> Sequence[Any]:
        """The suites, or the files of minimal pairs.

        Args:
            failed: Called with each file that cannot be scored, and why; by default, the first such
                file is an error.
            limit: The number of items to take from each file, in place of that of the options.
        """
        options, settings, limit = self.options, self.settings, limit or self.options.limit
        if self.pairs:
            return load_pairs(
                self.pairs, method=settings.own_method, limit=limit, failed=failed,
                tables=_tables(options, self.config), reading=settings.reading,
                like=settings.like,
            )  # fmt: skip
        return load_suites(
            options.paths, join=settings.join, metric=options.metric, limit=limit,
            predictions=options.predictions, contents=self.contents, failed=failed,
        )  # fmt: skip

    def task(self, files: Sequence[Any]) -> ContestTask[Any]:
        """The work of each model on files that are loaded."""
        return ContestTask(
            PairContests if self.pairs else SuiteContests, files, self.settings, self.loading,
            Computing(**self.config.score), run_time(),
        )  # fmt: skip

    def recorded(self, files: Sequence[Any]) -> Any:
        """The scores of suites with the numbers that they have, or that files have."""
        surprisals = None if self.is_recorded else [*self.options.surprisals]
        return score_recorded(
            files, self.settings, surprisals=surprisals, model_id=self.options.model_id,
            keep_going=True,
        )  # fmt: skip

    @property
    def content(self) -> ResultFiles[Any]:
        """What scores are in a record."""
        if not self.pairs:
            return SUITE_RUN
        return PAIR_RUN_WITH_TOKENS if TOKENS in self.options.also else PAIR_RUN

    @property
    def producer(self) -> Producer:
        """Who publishes the record."""
        return Producer(self.config.organization, self.config.relationship)

    @property
    def version(self) -> str:
        """The version of records."""
        return self.config.version_of_records(self.options.record_version)

    def other_settings(self, run: Run, files: Sequence[Any]) -> Iterator[str]:
        """The settings in which a finished run is not one of this call: ``bos auto (not none)``."""
        stated = run.settings_of(run.results[0]) if run.results else {}
        theirs = {**unlisted(stated), **stated, "method": self._method_in(run, files)}
        ours = {
            name: getattr(self.settings, name)
            for name in settings_that_are(of_pairs=bool(self.pairs))
        }
        of_model = _as_loaded(run.model.details, self.options.dtype, self.options.kind)
        named = {name: (theirs.get(name, value), value) for name, value in ours.items()}
        for name, (there, here) in {**named, **of_model}.items():
            if there != here:
                yield f"{name.replace('_', ' ')} {there} (not {here})"

    def _method_in(self, run: Run, files: Sequence[Any]) -> str:
        """The method of a run: that of this call, unless a set of the files has another there."""
        methods = {file.set: file.method for file in files} if self.pairs else {}
        for result in run.results:
            method = result.settings.get("method", "")
            if method != methods.get(result.dataset.details.get("set", ""), method):
                return method
        return self.settings.method

    def run_of(self, scores: Any, content: ResultFiles[Any], started: int | None = None) -> Run:
        """Scores as a run; ``started`` is for scores that do not know when they were made."""
        return run_of(scores, content, self.producer, self.config.collection, started)

    def write(
        self, run: Run, folder: Path, *, is_complete: bool = True, weights: str = ""
    ) -> Output:
        """Write the files of a run; it is not complete if computed values wait for other files."""
        return write_run(
            run, folder, version=self.version, also=self.options.also, is_complete=is_complete,
            weights=weights,
        )  # fmt: skip


def _as_loaded(details: Mapping[str, str], dtype: str, kind: str) -> dict[str, tuple[str, str]]:
    """How a model was loaded, as its record says, and how a call loads it, as far as both say."""
    actual = kind_of(details)
    found = {} if kind == "auto" and actual != "mntp" else {"kind": (actual, kind)}
    if "quantization" in details:  # its method decides the dtype
        return found
    stated = details.get("dtype_choice" if dtype == "auto" else "dtype", details.get("dtype", ""))
    return {**found, "dtype": (stated, dtype)}


def _given_settings(options: ScoreOptions) -> dict[str, str]:
    """The options that are settings; None is not given."""
    values = {each.name: getattr(options, each.name) for each in fields(options)}
    return {n: value for n, value in values.items() if n in SCORE_SETTINGS and value is not None}


def _tables(options: ScoreOptions, config: Config) -> PairTables:
    """The columns of tables of pairs."""
    return stated_tables(options.pairs) if options.pairs else config.pairs


def _require_together(options: ScoreOptions, *, is_plan: bool) -> None:
    surprisals = [*options.surprisals]
    if options.model and surprisals:
        raise OptionsError("give only one of {} and {}", "model", "surprisals")
    if RECORDED in surprisals and len(surprisals) > 1:
        raise OptionsError("{} takes `recorded` or files, not both", "surprisals")
    if not options.model and not surprisals and not is_plan:
        raise OptionsError("nothing to score with: give {} or {}", "model", "surprisals")
    if options.revision is not None and not options.model:
        raise OptionsError("{} needs {}", "revision", "model")
    if len(options.model) > 1 and options.model_id:
        raise OptionsError("{} needs a single model", "model_id")
    for table in options.also if options.out is None else ():
        words = f"{{}} {table} writes tables into a folder: give {{}} as well"
        raise OptionsError(words, "also", "out")
    if PARQUET in options.also:
        require("pyarrow")  # before hours of scoring


def _require_applicable(options: ScoreOptions, *, is_pairs: bool) -> None:
    """Refuse options that are for suites, if pairs are scored, or the other way round."""
    usual = {option.name: option.default for option in fields(options)}
    ours = settings_that_are(of_pairs=is_pairs)
    others = [name for name in SCORE_SETTINGS if name in usual and name not in ours]
    others.sort(key=lambda name: name != "like")  # that of another program explains the others
    names = (*(OF_SUITES if is_pairs else OF_PAIRS), *others)
    wrong = [(name, "") for name in names if getattr(options, name) != usual[name]]
    if not is_pairs and options.first_token == FIRST_TOKENS[-1]:
        wrong.append(("first_token", f" {options.first_token}"))
    table = REGIONS_TABLE if is_pairs else TEXTS
    if table in options.also:
        wrong.append(("also", f" {table}"))
    for name, value in wrong:
        kind = "minimal pairs" if is_pairs else "suites"
        raise OptionsError(f"{{}}{value} does not apply to {kind}", name)
