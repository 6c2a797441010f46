"""The options that ``evalmark score`` has besides those of every call of ``score``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from evalmark.cli.options import AtLeastOption, QuietOption
from evalmark.scoring.score_options import ScoreOptions
from evalmark.validator.options.declaration import choice_of, output_option, scoring_option
from evalmark.validator.settings.check_options import read_jobs

#: The format of a table with each prediction or UID.
DETAILS = "details"


@dataclass(frozen=True, kw_only=True)
class ScoreCommandOptions(ScoreOptions):
    """The options of ``evalmark score``: those of every call, and those of a command alone."""

    dry_run: Annotated[
        bool, scoring_option("--dry-run", help="Only check files; with --model, print a plan too.")
    ] = False
    jobs: Annotated[
        str | None,
        scoring_option(
            "--jobs",
            "-j",
            metavar="N|ray",
            parser=read_jobs,
            show_default=False,
            help="Models scored at a time (default 1); `ray`: on a Ray cluster.",
            details="Each in a process with its share of the processors (`OMP_NUM_THREADS` sets "
            "another). The files are those of one model after the other, apart from last bits. A "
            "process that dies is replaced, and its model is tried once more, alone.",
        ),
    ] = None
    output_format: Annotated[
        str,
        output_option(
            "--format",
            metavar="FORMAT",
            **choice_of("table format", ("table", DETAILS, "json")),
            show_default=False,
            help="table (default), details (of several models, each prediction or UID), json.",
        ),
    ] = "table"
    at_least: AtLeastOption = ()
    quiet: QuietOption = False

    @property
    def is_for_people(self) -> bool:
        """True if people read the output, rather than programs."""
        return self.output_format != "json"
