"""``evalmark judge``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import DeviceOption, TableFormatOption, model_option

app = new_app()

EPILOG = """
\b
Example: evalmark judge people.csv --judge gpt-4o --judge-url https://api.example/v1
Exit code: 0 done, 1 the judge gave no verdict on some answers, 2 failed.
"""

LabelsArgument = Annotated[
    list[Path], typer.Argument(metavar="LABELS...", help="Answers that people have judged.")
]
JudgeOption = Annotated[
    str | None,
    model_option("--judge", metavar="JUDGE", help="Model, script (.json) or MODULE:CLASS."),
]
UrlOption = Annotated[
    str | None, model_option("--judge-url", metavar="URL", help="Endpoint of the judge.")
]
KeyOption = Annotated[
    str | None, model_option("--key-env", metavar="NAME", help="Variable of the key for it.")
]
PromptOption = Annotated[
    Path | None, model_option("--judge-prompt", metavar="FILE", help="Ask with this prompt.")
]


@app.command(cls=Command, epilog=EPILOG)
def judge(
    labels: LabelsArgument,
    judge_name: JudgeOption = None,
    url: UrlOption = None,
    key: KeyOption = None,
    prompt: PromptOption = None,
    device: DeviceOption = "auto",
    output_format: TableFormatOption = "table",
) -> None:
    """Measure how far a judge agrees with people.

    LABELS are CSV or JSON Lines with `answer`, `expected` and a person's `verdict`, and perhaps
    `question` and `type`. Shows the agreement and Cohen's kappa by question type.
    """
    from evalmark.cli.conversing.labels import judge_labels, named_in_call

    chosen = named_in_call(judge_name, url, key, device)
    as_json = output_format == "json"
    raise typer.Exit(judge_labels(labels, chosen, prompt, as_json=as_json))
