"""``evalmark judge``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import (
    DeviceOption,
    SeedOption,
    model_option,
    one_of,
    output_option,
    tests_option,
)
from evalmark.schemas.errors import UsageError

app = new_app()


def _formats() -> Iterable[str]:
    from evalmark.cli.conversing.judging_table import JUDGINGS

    return JUDGINGS


EPILOG = """
\b
Examples:
  evalmark judge --planted --judge gpt-4o --judge-url https://api.example/v1
  evalmark judge --planted my-questions.json --judge ./chat-model
  evalmark judge runs/mine --judge mine:Strict --judge mine:Lenient
  evalmark judge --labels people.csv --judge ./chat-model

Exit code: 0 done, 1 a judge gave no verdict on some answers, 2 failed.
"""


SourcesArgument = Annotated[
    list[Path] | None, typer.Argument(metavar="[SOURCES...]", help="What is judged: see above.")
]
PlantOption = Annotated[
    bool, tests_option("--planted", help="Judge planted answers, not those of runs.")
]
JudgesOption = Annotated[
    list[str] | None,
    model_option(
        "--judge",
        metavar="JUDGE",
        help="Model, script (.json) or MODULE:CLASS; give two to compare them.",
    ),
]
UrlsOption = Annotated[
    list[str] | None,
    model_option("--judge-url", metavar="URL", help="Endpoint of the judges, or one for each."),
]
KeysOption = Annotated[
    list[str] | None,
    model_option(
        "--key-env",
        "--judge-key-env",
        metavar="NAME",
        help="Variable of the key, or one for each --judge-url.",
    ),
]
ExamplesOption = Annotated[
    int | None,
    tests_option("--examples", metavar="N", min=1, help="Questions of each type; default: all."),
]
SetsOption = Annotated[
    list[Path] | None,
    tests_option("--set", metavar="SET", help="SOURCES are answers to this memory set."),
]
LabelsOption = Annotated[
    bool, tests_option("--labels", help="SOURCES are answers that people have judged.")
]
PromptOption = Annotated[
    list[Path] | None,
    tests_option("--prompt", metavar="FILE", help="Ask with this prompt; with --labels, two."),
]
OutputFormatOption = Annotated[
    str,
    output_option(
        "--format",
        metavar="table|json|csv",
        **one_of("judge format", _formats),
        help="Output format.",
    ),
]


@app.command(cls=Command, epilog=EPILOG)
def judge(
    sources: SourcesArgument = None,
    plant: PlantOption = False,
    judges: JudgesOption = None,
    urls: UrlsOption = None,
    keys: KeysOption = None,
    device: DeviceOption = "auto",
    examples: ExamplesOption = None,
    sets: SetsOption = None,
    labels: LabelsOption = False,
    prompt: PromptOption = None,
    seed: SeedOption = None,
    output_format: OutputFormatOption = "table",
) -> None:
    """Measure a judge on planted answers, or compare two judges on the same answers.

    With `--planted`, right, nearly right, vague and other answers are made from the expected
    answers of SOURCES: JSON with questions and answers, or LTM definitions; by default, from
    40 built-in questions. A judge should accept the right ones only. Without it, SOURCES are
    folders of finished runs, or with `--set` files of answers, which are judged. Two judges are
    compared by question type. With `--labels`, SOURCES are CSV or JSON Lines with `answer`,
    `expected` and a person's `verdict`, with which judges are compared.
    """
    if not plant and not sources:
        raise UsageError("nothing to judge: give --planted, or the folder of a finished run")
    if not plant and examples is not None:
        raise UsageError("--examples is for --planted")
    if plant and sets:
        raise UsageError("--set is for answers: with --planted, the set itself is a source")
    if labels and (plant or sets):
        raise UsageError("--labels, --planted and --set exclude each other")
    from evalmark.cli.conversing.judges import (
        JudgeOptions,
        Planting,
        judge_answers,
        judge_labelled,
    )

    options = JudgeOptions(judges or [], urls or [], keys or [], device, seed or 0)
    prompts = prompt or []
    if labels:
        code = judge_labelled(sources or [], options, prompts, output_format)
        raise typer.Exit(code)
    if len(prompts) > 1:
        raise UsageError("two prompts are compared with --labels only")
    planting = Planting(examples, seed or 0) if plant else None
    one = prompts[0] if prompts else None
    code = judge_answers(sources or [], sets or [], planting, options, one, output_format)
    raise typer.Exit(code)
