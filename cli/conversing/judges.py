"""The judges of ``evalmark judge``, and the answers that they judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from evalmark.cli.conversing.agents import say_withheld
from evalmark.cli.conversing.judging_table import JUDGINGS
from evalmark.cli.conversing.labels import judge_labels
from evalmark.cli.settings import settings
from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.agents.completers import named_judge, needs_endpoint
from evalmark.conversations.agents.endpoint_keys import is_same_endpoint
from evalmark.conversations.interface.user_code import look_in_current_folder
from evalmark.conversations.judges.judge_prompt import SET_PROMPT, read_prompt
from evalmark.conversations.judges.judging_report import judging_report
from evalmark.conversations.judges.run_answers import run_answers
from evalmark.conversations.judges.synthetic_answers import GivenAnswer, planted, read_questions
from evalmark.conversations.sets.answer_files import given_answers, rescore_answers
from evalmark.conversations.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.validator.io.terminal import CLEAN, FOUND, complain_about, counting


class Planting(NamedTuple):
    """The number of answers planted for each question type, None for all, and the seed."""

    examples: int | None
    seed: int


class JudgeOptions(NamedTuple):
    """The judges as the command line names them."""

    names: list[str]
    urls: list[str]
    keys: list[str]
    device: str
    seed: int


def judge_answers(
    sources: Sequence[Path],
    sets: Sequence[Path],
    planting: Planting | None,
    options: JudgeOptions,
    prompt: Path | None,
    output_format: str,
) -> int:
    """Judge answers that are planted, those to sets, or those of runs; the exit code."""
    default = SET_PROMPT if sets else None
    asks = read_prompt(prompt) if prompt else default
    look_in_current_folder(*options.names)
    skipped: list[str] = []
    codes = [CLEAN]

    def failed(path: Path, error: Exception) -> None:
        codes.append(complain_about(path, error))

    if planting is not None:
        answers = _planted(sources, planting, skipped)
    elif sets:
        answers = _to_sets(sources, sets, failed)
    else:
        answers = [a for run in sources for a in run_answers(run, skipped.append, failed)]
    if not answers:
        raise ScoringError("no answers to judge")
    judges = _chosen(options)
    with counting("judging", "answers") as progress:
        report = judging_report(
            judges,
            answers,
            seed=planting.seed if planting else None,
            skipped=skipped,
            progress=progress or (lambda *_: None),
            asks=asks,
        )
    JUDGINGS[output_format](report)
    return max(*codes, FOUND if report.no_verdict else CLEAN)


def judge_labelled(
    sources: Sequence[Path], options: JudgeOptions, prompts: Sequence[Path], output_format: str
) -> int:
    """Compare judges with the people who judged the answers of files; the exit code."""
    look_in_current_folder(*options.names)
    return judge_labels(sources, _chosen(options), prompts, output_format)


def _planted(sources: Sequence[Path], planting: Planting, skipped: list[str]) -> list[GivenAnswer]:
    """Answers made from the expected ones; questions that cannot be used are ``skipped``."""
    examples, seed = planting
    question_set = read_questions(sources)
    if question_set.without_answer:
        many = question_set.without_answer
        skipped.append(f"{many} question{'s' * (many > 1)} without one text or number as answer")
    kept = question_set if examples is None else question_set.some(examples, seed)
    return planted(kept.questions, seed)


def _to_sets(
    sources: Sequence[Path], paths: Sequence[Path], failed: Callable[[Path, Exception], None]
) -> list[GivenAnswer]:
    """The answers of files to questions of sets."""
    sets = load_sets(list(map(str, paths)))
    if not sets:
        raise ScoringError(f"{paths[0]} is not a memory set; `evalmark check` says more")
    return [a for path in sources for a in given_answers(rescore_answers(path, sets, failed))]


def _chosen(options: JudgeOptions) -> list[Completer]:
    """The judges of the call, or the one of the settings.

    Raises:
        UsageError: There is none, or it is unclear which endpoint or key is whose.
    """
    named = _with_keys(list(_named(options.names, options.urls)), options.keys)
    return [_judge(name, url, key, options.device, options.seed) for name, url, key in named]


def _named(judges: list[str], urls: list[str]) -> Iterator[tuple[str | None, str | None]]:
    """Each judge with its endpoint: those of the call, or the one of the settings."""
    if not judges and not urls:
        yield _judge_of_settings()
        return
    settings()  # says what is not used
    names: list[str | None] = [*judges] or [None]
    if len(names) > 2:
        raise UsageError(f"{len(names)} judges: at most two can be compared")
    remote = [name is None or needs_endpoint(name) for name in names]
    ends = iter(_each_url(urls, sum(remote)))
    for name, is_remote in zip(names, remote, strict=True):
        yield name, next(ends, None) if is_remote else None


def _judge_of_settings() -> tuple[str | None, str | None]:
    config = settings("converse.judge", "converse.judge-url")
    if config.judge is None and config.judge_url is None:
        raise UsageError("no judge: give --judge, or set EVALMARK_JUDGE")
    return config.judge, config.judge_url


def _each_url(urls: list[str], judges: int) -> list[str]:
    """The endpoint of each judge that is at one.

    Raises:
        UsageError: It is unclear which endpoint is whose.
    """
    if urls and len(urls) not in (1, judges):
        raise UsageError(
            f"{len(urls)} --judge-url for {judges} judges at endpoints: give one for all, or "
            "one for each"
        )
    if urls and not judges:
        raise UsageError("--judge-url is for models at an endpoint; no --judge is one")
    return urls if len(urls) == judges else urls * judges


def _with_keys(
    named: list[tuple[str | None, str | None]], keys: list[str]
) -> Iterator[tuple[str | None, str | None, str | None]]:
    """Each judge with its endpoint, and with the variable of the key that is for this endpoint.

    Raises:
        UsageError: It is unclear which key is for which endpoint.
    """
    urls = [url for _, url in named if url is not None]
    if keys and len(keys) not in (1, len(urls)):
        raise UsageError(f"{len(keys)} --key-env for {len(urls)} endpoints: give one for each")
    if len(keys) == 1 and not all(is_same_endpoint(urls[0], url) for url in urls):
        raise UsageError("1 --key-env for 2 endpoints: give one for each, in the same order")
    key_names = iter(keys if len(keys) == len(urls) else keys * len(urls))
    for name, url in named:
        key = next(key_names, None) if url is not None else None
        say_withheld((url, key, "--key-env"))
        yield name, url, key


def _judge(name: str | None, url: str | None, key: str | None, device: str, seed: int) -> Completer:
    judge = named_judge(name, url=url, key=key, device=device, seed=seed)
    if judge is None:
        raise UsageError("no judge: give --judge")
    return judge
