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
    test_option,
)
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.edge.lines import CLEAN, FOUND, complain_about
from evalmark.validator.edge.progress import counting

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

Exit code: 0 done, 1 a judge gave no verdict on some answers, 2 failed.
"""


SourcesArgument = Annotated[
    list[Path] | None, typer.Argument(metavar="[SOURCES...]", help="What is judged: see above.")
]
PlantOption = Annotated[
    bool, test_option("--planted", help="Judge planted answers, not those of runs.")
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
    test_option("--examples", metavar="N", min=1, help="Questions of each type; default: all."),
]
SetsOption = Annotated[
    list[Path] | None,
    test_option("--set", metavar="SET", help="SOURCES are answers to this memory set."),
]
PromptOption = Annotated[
    Path | None,
    test_option("--prompt", metavar="FILE", help="Ask with the prompt of this file."),
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
    prompt: PromptOption = None,
    seed: SeedOption = None,
    output_format: OutputFormatOption = "table",
) -> None:
    """Measure a judge on planted answers, or compare two judges on the same answers.

    With `--planted`, right, wrong, partly right and evasive answers are made from the expected
    answers of SOURCES: JSON with questions and answers, or LTM definitions; by default, from
    40 built-in questions. A judge should accept the right ones only. Without it, SOURCES are
    folders of finished runs, or with `--set` files of answers, which are judged. Two judges are
    compared by question type.
    """
    sources = sources or []
    if not plant and not sources:
        raise UsageError("nothing to judge: give --planted, or the folder of a finished run")
    if not plant and examples is not None:
        raise UsageError("--examples is for --planted")
    if plant and sets:
        raise UsageError("--set is for answers: with --planted, the set itself is a source")
    from evalmark.cli.conversing.judges import answers_to_sets, chosen_judges, planted_answers
    from evalmark.cli.conversing.judging_table import JUDGINGS
    from evalmark.conversations.interface.named_class import look_in_current_folder
    from evalmark.conversations.judges.judge_prompt import read_prompt
    from evalmark.conversations.judges.judging_report import judging_report
    from evalmark.conversations.judges.run_answers import run_answers
    from evalmark.conversations.judges.set_prompt import SET_PROMPT

    asks = read_prompt(prompt) if prompt else SET_PROMPT if sets else None
    look_in_current_folder(*(judges or ()))
    skipped: list[str] = []
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    if plant:
        answers = planted_answers(sources, examples, seed or 0, skipped)
    elif sets:
        answers = answers_to_sets(sources, sets, failed)
    else:
        answers = [a for run in sources for a in run_answers(run, skipped.append, failed)]
    if not answers:
        raise ScoringError("no answers to judge")
    asked = chosen_judges(judges or [], urls or [], keys or [], device, seed or 0)
    with counting("judging", "answers") as progress:
        report = judging_report(
            asked,
            answers,
            seed=(seed or 0) if plant else None,
            skipped=skipped,
            progress=progress or (lambda *_: None),
            asks=asks,
        )
    JUDGINGS[output_format](report)
    raise typer.Exit(max(*codes, FOUND if report.no_verdict else CLEAN))
