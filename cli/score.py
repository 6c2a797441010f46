"""``evalmark score``."""

from __future__ import annotations

from evalmark.cli.score_command import ScoreCommandOptions
from evalmark.validator.options.declaration import command


@command(
    ScoreCommandOptions,
    "evalmark score suites/*.json --model gpt2 --out results/",
    exit_code="0 done, 1 undefined value or below --at-least, 2 something failed",
    settings="[tool.evalmark.score], .record and .ray in pyproject.toml",
)
def score(options: ScoreCommandOptions) -> int:
    """Score suites or minimal pairs with a language model, and write a record."""
    from evalmark.cli.score_run import run_score

    return run_score(options)
