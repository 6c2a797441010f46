"""Further tables of a run over minimal pairs: effects of contests, and tokens of texts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

from evalmark.scoring.pairs.pair_results import GROUPED, JudgedContest, PairScores
from evalmark.scoring.runs.run_output import portable
from evalmark.scoring.runs.run_tables import (
    CONTEST_COLUMNS,
    EFFECTS,
    PAIR_TOKEN_COLUMNS,
    TOKENS,
    RunTable,
)


def further_tables(scores: PairScores) -> list[RunTable]:
    """The table of contests."""
    return [RunTable(EFFECTS, CONTEST_COLUMNS, partial(contest_rows, scores))]


def with_tokens(scores: PairScores) -> list[RunTable]:
    """The same and, if the tokens are known, that of tokens: 1.3 KB a pair."""
    tables = further_tables(scores)
    if scores.tokens:
        tables.append(RunTable(TOKENS, PAIR_TOKEN_COLUMNS, partial(token_rows, scores)))
    return tables


def contest_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """The rows of ``effects.csv``: the right text of each contest and the best other one."""
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            labels = contest.source.labels
            other = rival(contest)
            right, wrong = contest.bits[0], contest.bits[other]
            yield (
                uid.set, uid.label, name, portable(contest.file.path),
                *(labels.get(label, "") for label in GROUPED), uid.method, contest.outcome,
                right, wrong, _difference(right, wrong),
                _difference(contest.scores[0], contest.scores[other]),
            )  # fmt: skip


def rival(contest: JudgedContest) -> int:
    """The place of the wrong text with the best score; the first one if none has a score."""
    wrong = enumerate(contest.scores[1:], 1)
    return min(wrong, key=lambda other: math.inf if other[1] is None else other[1])[0]


def _difference(right: float | None, wrong: float | None) -> float | None:
    return None if right is None or wrong is None else wrong - right


def token_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """The rows of ``tokens.csv``.

    A surprisal (bits) is None if it is undefined, or if the token does not count since it belongs
    to the context.
    """
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            texts, tokens = contest.file.texts, scores.tokens[contest.file.path]
            for place, side in enumerate(contest.source.sides):
                text = texts[side].text
                for position, (token, start, end, bits) in enumerate(tokens[side].each(), 1):
                    yield (
                        uid.set, uid.label, name, place, position, text[start:end], token,
                        None if math.isnan(bits) else bits,
                    )  # fmt: skip
