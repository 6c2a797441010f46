"""The judges of ``evalmark judge``, and the answers that they judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evalmark.cli.conversing.agents import say_withheld
from evalmark.cli.settings import settings
from evalmark.conversations.agents.agents import Completer
from evalmark.conversations.agents.keys import is_same_endpoint
from evalmark.conversations.judges.naming_judges import named_judge, needs_endpoint
from evalmark.conversations.judges.planting import GivenAnswer, planted
from evalmark.conversations.judges.questions import read_questions
from evalmark.conversations.sets.answer_files import given_answers, rescore_answers
from evalmark.conversations.sets.set_files import load_sets
from evalmark.schemas.errors import ScoringError, UsageError


def planted_answers(
    sources: Sequence[Path], examples: int | None, seed: int, skipped: list[str]
) -> list[GivenAnswer]:
    """Answers made from the expected ones; questions that cannot be used are ``skipped``."""
    found = read_questions(sources)
    if found.without_answer:
        many = found.without_answer
        skipped.append(f"{many} question{'s' * (many > 1)} without one text or number as answer")
    kept = found if examples is None else found.some(examples, seed)
    return planted(kept.questions, seed)


def answers_to_sets(
    sources: Sequence[Path], paths: Sequence[Path], failed: Callable[[Path, Exception], None]
) -> list[GivenAnswer]:
    """The answers of files to questions of sets."""
    sets = load_sets(list(map(str, paths)))
    if not sets:
        raise ScoringError(f"{paths[0]} is not a memory set; `evalmark check` says more")
    return [a for path in sources for a in given_answers(rescore_answers(path, sets, failed))]


def chosen_judges(
    judges: list[str], urls: list[str], keys: list[str], device: str, seed: int
) -> list[Completer]:
    """The judges of the call, or the one of the settings.

    Raises:
        UsageError: There is none, or it is unclear which endpoint or key is whose.
    """
    named = _with_keys(list(_named(judges, urls)), keys)
    return [_judge(name, url, key, device, seed) for name, url, key in named]


def _named(judges: list[str], urls: list[str]) -> Iterator[tuple[str | None, str | None]]:
    """Each judge with its endpoint: those of the call, or the one of the settings."""
    if not judges and not urls:
        config = settings("converse.judge", "converse.judge-url")
        if config.judge is None and config.judge_url is None:
            raise UsageError("no judge: give --judge, or set EVALMARK_JUDGE")
        yield config.judge, config.judge_url
        return
    settings()  # says what is not used
    names: list[str | None] = [*judges] or [None]
    if len(names) > 2:
        raise UsageError(f"{len(names)} judges: at most two can be compared")
    remote = [name for name in names if name is None or needs_endpoint(name)]
    if urls and len(urls) not in (1, len(remote)):
        raise UsageError(
            f"{len(urls)} --judge-url for {len(remote)} judges at endpoints: give one for all, or "
            "one for each"
        )
    if urls and not remote:
        raise UsageError("--judge-url is for models at an endpoint; no --judge is one")
    ends = iter(urls if len(urls) == len(remote) else urls * len(remote))
    for name in names:
        yield name, next(ends, None) if name is None or needs_endpoint(name) else None


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
    given = iter(keys if len(keys) == len(urls) else keys * len(urls))
    for name, url in named:
        key = next(given, None) if url is not None else None
        say_withheld((url, key, "--key-env"))
        yield name, url, key


def _judge(name: str | None, url: str | None, key: str | None, device: str, seed: int) -> Completer:
    found = named_judge(name, url=url, key=key, device=device, seed=seed)
    if found is None:
        raise UsageError("no judge: give --judge")
    return found
