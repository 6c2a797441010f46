"""``evalmark judge``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.judging.judging_table import JUDGINGS
from evalmark.cli.typed import option
from evalmark.conversations.agents.agents import Completer
from evalmark.conversations.agents.http import KEY
from evalmark.conversations.interface.named_class import look_in_current_folder
from evalmark.conversations.judges.judge_prompt import read_prompt
from evalmark.conversations.judges.judging_report import judging_report
from evalmark.conversations.judges.naming_judges import named_judge, needs_endpoint
from evalmark.conversations.judges.planting import GivenAnswer, planted
from evalmark.conversations.judges.questions import read_questions
from evalmark.conversations.judges.run_answers import run_answers
from evalmark.conversations.judges.set_prompt import SET_PROMPT
from evalmark.conversations.sets.answer_files import given_answers, rescore_answers
from evalmark.conversations.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.config import load_config
from evalmark.validator.edge.lines import CLEAN, FOUND, complain_about
from evalmark.validator.edge.progress import counting

EPILOG = """Examples:
  evalmark judge --planted --judge gpt-4o --judge-url https://api.example/v1
  evalmark judge --planted my-questions.json --judge ./chat-model
  evalmark judge runs/mine --judge mine:Strict --judge mine:Lenient

Exit code: 0 done, 1 a judge gave no verdict on some answers, 2 failed.
"""


def command(
    sources: Annotated[list[Path] | None, option("judge_sources")] = None,
    plant: Annotated[bool, option("planted")] = False,
    judges: Annotated[list[str] | None, option("judges")] = None,
    urls: Annotated[list[str] | None, option("judge_urls")] = None,
    key: Annotated[str, option("key_env")] = KEY,
    device: Annotated[str, option("device")] = "auto",
    examples: Annotated[int | None, option("judge_examples")] = None,
    sets: Annotated[list[Path] | None, option("judge_sets")] = None,
    prompt: Annotated[Path | None, option("prompt")] = None,
    seed: Annotated[int, option("seed")] = 0,
    output_format: Annotated[str, option("judge_format")] = "table",
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
    asks = read_prompt(prompt) if prompt else SET_PROMPT if sets else None
    look_in_current_folder(*(judges or ()))
    skipped: list[str] = []
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    if plant:
        answers = _planted(sources, examples, seed, skipped)
    elif sets:
        answers = _to_sets(sources, sets, failed)
    else:
        answers = [a for run in sources for a in run_answers(run, skipped.append, failed)]
    if not answers:
        raise ScoringError("no answers to judge")
    asked = [_judge(name, url, key, device, seed) for name, url in _named(judges, urls)]
    with counting("judging", "answers") as progress:
        report = judging_report(
            asked,
            answers,
            seed=seed if plant else None,
            skipped=skipped,
            progress=progress or (lambda *_: None),
            asks=asks,
        )
    JUDGINGS[output_format](report)
    raise typer.Exit(max(*codes, FOUND if report.no_verdict else CLEAN))


def _planted(
    sources: Sequence[Path], examples: int | None, seed: int, skipped: list[str]
) -> list[GivenAnswer]:
    found = read_questions(sources)
    if found.without_answer:
        many = found.without_answer
        skipped.append(f"{many} question{'s' * (many > 1)} without one text or number as answer")
    kept = found if examples is None else found.some(examples, seed)
    return planted(kept.questions, seed)


def _to_sets(
    sources: Sequence[Path], paths: Sequence[Path], failed: Callable[[Path, Exception], None]
) -> list[GivenAnswer]:
    """The answers of files to questions of sets."""
    sets = load_sets(list(map(str, paths)))
    if not sets:
        raise ScoringError(f"{paths[0]} is not a memory set; `evalmark check` says more")
    return [a for path in sources for a in given_answers(rescore_answers(path, sets, failed))]


def _named(
    judges: list[str] | None, urls: list[str] | None
) -> Iterator[tuple[str | None, str | None]]:
    """Each judge with its endpoint: those of the call, or the one of the settings."""
    if not judges and not urls:
        config = load_config()
        if config.judge is None and config.judge_url is None:
            raise UsageError("no judge: give --judge, or set `judge` in the table `converse`")
        yield config.judge, config.judge_url
        return
    names: list[str | None] = [*judges] if judges else [None]
    if len(names) > 2:
        raise UsageError(f"{len(names)} judges: at most two can be compared")
    remote = [name for name in names if name is None or needs_endpoint(name)]
    given = urls or []
    if given and len(given) not in (1, len(remote)):
        raise UsageError(
            f"{len(given)} --judge-url for {len(remote)} judges at endpoints: give one for all, or "
            "one for each"
        )
    if given and not remote:
        raise UsageError("--judge-url is for models at an endpoint; no --judge is one")
    ends = iter(given if len(given) == len(remote) else given * len(remote))
    for name in names:
        yield name, next(ends, None) if name is None or needs_endpoint(name) else None


def _judge(name: str | None, url: str | None, key: str, device: str, seed: int) -> Completer:
    found = named_judge(name, url=url, key=key, device=device, seed=seed)
    if found is None:
        raise UsageError("no judge: give --judge")
    return found
