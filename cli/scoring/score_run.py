"""What one run of ``evalmark score`` knows, whatever is scored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evalmark.cli.score_options import PARQUET, RECORDED, SHARED, TEXTS, TOKENS, ScoreOptions
from evalmark.cli.settings import settings_for
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.schemas.errors import ScoringError, require
from evalmark.scoring.comparison.gates import read_floors
from evalmark.scoring.jobs import ModelJob, folders
from evalmark.scoring.models.checkpoints import notes_on, with_checkpoints
from evalmark.scoring.runs.run_files import own_folder
from evalmark.scoring.score_settings import (
    FIRST_TOKENS,
    Chosen,
    Computing,
    Settings,
    SettingsChoice,
    choice_of,
    settings_of,
)
from evalmark.validator.io.terminal import print_note
from evalmark.validator.options.pair_columns import PairTables, stated_tables
from evalmark.validator.settings.check_options import shared
from evalmark.validator.settings.config import Config


@dataclass(frozen=True, slots=True)
class ScoreRun:
    """The options of a call, the settings of its folder, and what follows from both."""

    options: ScoreOptions
    config: Config
    choice: SettingsChoice  # what a name of settings decides
    settings: Settings  # how texts become numbers
    models: Sequence[str]  # with their checkpoints
    floors: dict[str, float]  # name -> the least score, below which the exit code is 1
    locks: ExitStack  # releases folders at the end

    @classmethod
    def of(cls, options: ScoreOptions, locks: ExitStack) -> ScoreRun:
        """The run of some options, in the current folder.

        Raises:
            EvalmarkError: The options cannot be used together, or the settings not at all.
        """
        floors = read_floors(options.at_least)
        config = settings_for(options.jobs)
        choice = _choice(options)
        settings = settings_of(
            choice, options.join or config.join, options.undefined, options.boundary,
            options.regions,
        )  # fmt: skip
        _require_one_source(options)
        if len(options.model) > 1 and options.model_id:
            raise ScoringError("--model-id takes one model")
        models = _checkpoints(options)
        for table in options.also if options.out is None else ():
            raise ScoringError(f"--also {table} writes tables into a folder: give --out as well")
        if PARQUET in options.also:
            require("pyarrow")  # before hours of scoring
        return cls(options, config, choice, settings, models, floors, locks)

    @property
    def is_for_people(self) -> bool:
        """True if people read the output, rather than programs."""
        return self.options.output_format != "json"

    @property
    def is_several(self) -> bool:
        """True if there are several models: they share one table, and notes that they have."""
        return len(self.models) > 1

    @property
    def version(self) -> str:
        """The version of records."""
        return self.config.version_of_records(self.options.record_version)

    @property
    def is_recorded(self) -> bool:
        """True if the numbers are those that the suites have."""
        return list(self.options.surprisals) == [RECORDED]

    @property
    def has_tokens(self) -> bool:
        """True if samples of pairs have tokens."""
        return TOKENS in self.options.also

    @property
    def processes(self) -> int:
        """How many models are scored at a time on this machine."""
        return shared(self.options.jobs)[0] or 1

    @property
    def is_on_ray(self) -> bool:
        """True if a Ray cluster computes."""
        return shared(self.options.jobs)[1]

    @property
    def tables(self) -> PairTables:
        """The columns of tables of pairs."""
        stated = self.options.columns
        return stated_tables(stated) if stated else self.config.pairs

    @property
    def computing(self) -> Computing:
        """How the work is done."""
        return Computing(**self.config.score)

    @property
    def producer(self) -> Producer:
        """Who publishes the record."""
        return Producer(self.config.organization, self.config.relationship)

    @property
    def loading(self) -> dict[str, Any]:
        """How models are loaded, as ``load_model`` takes it."""
        options = self.options
        device_map = options.device if options.device in SHARED else None
        return {
            "model_id": options.model_id,
            "dtype": options.dtype,
            "device": "auto" if device_map else options.device,
            "device_map": device_map,
            "bos": self.settings.bos,
            "kind": options.kind,
            "allow_pickle": options.allow_pickle,
            "trust_remote_code": options.trust_remote_code,
        }

    @property
    def jobs(self) -> list[ModelJob]:
        """Each model with its folder."""
        places = folders(self.models, self.options.out)
        return [ModelJob(*job) for job in zip(self.models, places, strict=True)]

    def own_folder(self, folder: Path) -> None:
        """Take a folder until the end of the call."""
        self.locks.enter_context(own_folder(folder, overwrite=self.options.overwrite))

    def say_who_publishes(self) -> None:
        """Say that nobody knows who publishes the record, if so."""
        if self.options.out is not None and not self.producer.is_stated:
            print_note(f"note: {UNSTATED}")

    def require_applicable(self, *, pairs: bool) -> None:
        """Refuse options that are for suites, if pairs are scored, or the other way round."""
        options = self.options
        excludes = self.choice.chosen.first_token == FIRST_TOKENS[-1]
        others = {
            "--surprisals": options.surprisals,
            "--join": options.join,
            "--metric": options.metric,
            "--predictions": options.predictions,
            "--boundary": options.boundary != "none",
            "--regions": options.regions != "all",
            "--also regions": "regions" in options.also,
        } if pairs else {
            "--like": options.like,
            "--method": options.method,
            "--pairs": options.columns,
            "--leading-space": options.leading_space,
            "--first-token excluded": excludes,
            "--also pairs": TEXTS in options.also,
        }  # fmt: skip
        for name, value in others.items():
            if value:
                scored = "minimal pairs" if pairs else "suites"
                raise ScoringError(f"{name} does not apply to {scored}")


def _choice(options: ScoreOptions) -> SettingsChoice:
    """The settings that a name decides; those that are given in spite of it are noted."""
    space = options.leading_space
    chosen = Chosen(
        options.bos, options.first_token, None if space is None else space == "yes",
        options.method, options.masked_method,
    )  # fmt: skip
    choice = choice_of(options.like, chosen)
    if choice.overridden:
        print_note(f"note: settings of {choice.like}")
    return choice


def _require_one_source(options: ScoreOptions) -> None:
    surprisals = options.surprisals
    if options.model and surprisals:
        raise ScoringError("give only one of --model and --surprisals")
    if RECORDED in surprisals[1:] or (surprisals[1:] and surprisals[0] == RECORDED):
        raise ScoringError("give only one of --surprisals recorded and files of surprisals")
    if not options.model and not surprisals and not options.dry_run:
        raise ScoringError("nothing to score with: give --model or --surprisals")


def _checkpoints(options: ScoreOptions) -> list[str]:
    """The models of a call, with their checkpoints; a note says where there are some.

    Raises:
        ScoringError: A model has no such checkpoint.
    """
    if options.revision is not None and not options.model:
        raise ScoringError("--revision needs --model")
    for note in notes_on(options.model, options.revision):
        print_note(f"note: {note}")
    return with_checkpoints(options.model, options.revision)
