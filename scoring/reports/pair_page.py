"""The page of runs over minimal pairs: averages, a table of models and UIDs, and failures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from evalmark.scoring.pairs.pair_averages import GROUPED, RIGHT, WRONG
from evalmark.scoring.pairs.text_scores import SAID, UNITS
from evalmark.scoring.reports.comparison.base_comparison import compared_with_first
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.run_page import (
    Card,
    Contents,
    ScoreRow,
    rows_of_table,
    run_page,
    score_charts,
    with_names,
)
from evalmark.scoring.reports.suite_page import bits
from evalmark.scoring.runs.pair_views import ContestView, PairRunView, TextView, UidView
from evalmark.validator.formats.pairs.pair_characters import common_start

#: Pairs listed of a UID.
LISTED = 50
#: Bytes of all lists of a page, for each model: short sentences need less.
LISTS = 700_000
#: Characters shown of a text, and of what precedes it.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class UidSection:
    """A UID under all runs that have it."""

    uid: UidView
    row: ScoreRow
    failures: tuple[tuple[str, str], ...]  # for each run its name and what fails, in words
    table: str  # the list of pairs that fail, as HTML; empty if none does
    failing: int  # how many pairs fail in some run
    shown: int
    methods: tuple[str, ...]  # how its texts are scored, in words

    @property
    def kind(self) -> str:
        """The classes of the section: what the views of the page show."""
        return self.row.kind


ABOUT = (
    "Accuracy is the share of pairs whose right text has the lowest score, by more than rounding: "
    "a tie is never right. An average gives each UID the weight that its set defines. Chance is "
    "the accuracy of a model to which every text is as likely as the others. Wug tests have "
    "Spearman's correlation with people's ratios instead.",
)


def pairs_page(
    runs: Sequence[PairRunView], *, items: int = LISTED, page: Path | None = None
) -> str:
    """HTML with accuracies of UIDs, and the pairs that fail.

    It lists at most ``items`` pairs of each UID, and not more than 50: those with the largest
    differences. ``page`` is where it will be, for links to the records.
    """
    runs = with_names(runs)
    # Correlations have no right and wrong pairs, which could be compared.
    are_comparable = all(any(not uid.is_correlated for uid in run.uids) for run in runs)
    rows, models = rows_of_table([scores_of(run.run) for run in runs]), [run.model for run in runs]
    uids = _uids(runs)
    size = LISTS * len(runs) // max(len(rows), 1)
    contents = Contents(
        kind="minimal pairs",
        template="pairs.html.j2",
        counts=[f"{len(run.uids)} UID{'s'[: len(run.uids) != 1]}" for run in runs],
        cards=[list(_cards(row)) for row in averages_of(runs, is_whole=True)],
        averages=averages_of(runs, is_whole=False),
        averaged=("Average accuracy by field, term and language", "UIDs of", "UIDs"),
        rows=rows,
        heads=("UID",),
        items="pairs",
        tags=GROUPED,
        sections={
            row.names[0]: _section(models, uids[row.names[0]], row, min(items, LISTED), size)
            for row in rows
        },
        chart=score_charts("Accuracy by UID", models, rows),
        about=ABOUT,
        has_counts=True,
    )
    compared = compared_with_first([run.run for run in runs], models) if are_comparable else None
    return run_page(runs, contents, page, compared)


def _cards(row: ScoreRow) -> Iterator[Card]:
    for place, score in enumerate(row.cells):
        if score is not None:
            measure = "correlation with people" if score.is_signed else "accuracy"
            words = f"average {measure} of {score.parts} UIDs" if score.parts > 1 else measure
            yield Card(place, score, f"{row.names[0]}: {words}")


def averages_of(runs: Sequence[PairRunView], *, is_whole: bool) -> list[ScoreRow]:
    """The averages over all UIDs of a set, or over those that share a label."""
    keys = dict.fromkeys(key for run in runs for key in run.averages if (not key[1]) == is_whole)
    return [
        ScoreRow(
            (set_name if is_whole else f"{set_name}, {label} {value}",),
            tuple(run.averages.get((set_name, label, value)) for run in runs),
        )
        for set_name, label, value in keys
    ]


def _uids(runs: Sequence[PairRunView]) -> dict[str, list[UidView | None]]:
    found: dict[str, list[UidView | None]] = {}
    for index, run in enumerate(runs):
        for uid in run.uids:
            found.setdefault(uid.label, [None] * len(runs))[index] = uid
    return found


def _section(
    models: Sequence[str], views: Sequence[UidView | None], row: ScoreRow, most: int, size: int
) -> UidSection:
    first = next(view for view in views if view)
    methods = tuple(
        f"Method {method}: {SAID[method]}."
        for method in dict.fromkeys(view.method for view in views if view)
    )
    if first.is_correlated:
        return UidSection(first, row, (), "", 0, 0, methods)
    failures = tuple(
        (model, told_of(view)) for model, view in zip(models, views, strict=True) if view
    )
    failing = worst_first(views)
    shown = list(_rows_within((_row(pair) for pair in failing[:most]), size))
    table = _table(models, views, shown) if shown else ""
    return UidSection(first, row, failures, table, len(failing), len(shown), methods)


def told_of(view: UidView) -> str:
    """The number of pairs that fail, and their outcomes, in words."""
    outcomes = [contest.outcome for contest in view.contests if contest.fails]
    if not outcomes:
        return f"none of {len(view.contests)} fails"
    kinds = [f"{outcomes.count(kind)} {kind}" for kind in dict.fromkeys(sorted(outcomes))]
    detail = "" if set(outcomes) == {WRONG} else f": {', '.join(kinds)}"
    return f"{len(outcomes)} of {len(view.contests)} fail{detail}"


#: A pair under each run; None where a run does not have it.
_Pair = tuple[ContestView | None, ...]


def worst_first(views: Sequence[UidView | None]) -> list[_Pair]:
    """The pairs that fail in some run: wrong ones by the largest difference, then the others."""
    pairs: dict[tuple[str, tuple[TextView, ...]], list[ContestView | None]] = {}
    for index, view in enumerate(views):
        for contest in view.contests if view else ():
            key = contest.name, contest.texts
            pairs.setdefault(key, [None] * len(views))[index] = contest
    failing = [
        tuple(pair) for pair in pairs.values() if any(contest and contest.fails for contest in pair)
    ]
    return sorted(failing, key=_badness, reverse=True)


def _badness(pair: _Pair) -> float:
    """The largest difference among runs where a pair is wrong; of ties and others, less than 0."""
    return max(
        (c.worse or 0.0 for c in pair if c and c.outcome == WRONG),
        default=-float(any(c and c.outcome != RIGHT and c.worse is None for c in pair)) - 1,
    )


def _rows_within(rows: Iterator[str], size: int) -> Iterator[str]:
    """The rows that fit into ``size`` bytes; at least one."""
    for number, row in enumerate(rows):
        size -= len(row.encode())
        if size < 0 and number:
            return
        yield row


def _table(models: Sequence[str], views: Sequence[UidView | None], rows: Sequence[str]) -> str:
    """Pairs that fail. HTML allows the end tags of cells and rows to be left out."""
    label = next(view.label for view in views if view)
    units = [UNITS[view.method] if view else "" for view in views]
    unit = " or ".join(dict.fromkeys(filter(None, units)))
    heads = [f"worse by ({unit})"]
    if len(models) > 1:
        marks = units if " or " in unit else [""] * len(units)
        heads = [f"{m} ({mark})" if mark else m for m, mark in zip(models, marks, strict=True)]
    caption = f"Pairs that fail, and by how much the right text is worse ({unit}): {label}"
    return "".join(
        [
            f"<table class=pairs><caption>{escape(caption)}</caption><thead><tr>",
            "<th scope=col>pair<th scope=col>right text<th scope=col>wrong text",
            *(f"<th scope=col>{escape(head)}" for head in heads),
            "</thead><tbody>\n",
            *rows,
            "</table>",
        ]
    )


def _row(pair: _Pair) -> str:
    worst = max((c for c in pair if c and c.fails), key=lambda c: c.worse or 0.0)
    good, bad = worst.texts[0], worst.texts[worst.rival]
    others = len(worst.texts) - 2
    more = f" <small>and {others} more</small>" if others else ""
    texts = "".join(f"<td>{text}" for text in _marked(good, bad))
    cells = "".join(f"<td>{_outcome(contest)}" for contest in pair)
    return f"<tr><th scope=row>{escape(cut(worst.name))}{texts}{more}{cells}\n"


def _outcome(contest: ContestView | None) -> str:
    if contest is None:
        return ""
    if contest.outcome == WRONG and contest.worse is not None:
        return bits(contest.worse)
    return contest.outcome if contest.fails else f"<i>{contest.outcome}</i>"


def _marked(good: TextView, bad: TextView) -> tuple[str, str]:
    cells = []
    for parts, view in zip(differing(good, bad), (good, bad), strict=True):
        context = f"<small>{escape(cut(view.context, ends=True))}</small>" if view.context else ""
        if len(view.text) > LONGEST:
            cells.append(context + escape(cut(view.text)))
            continue
        start, middle, rest = map(escape, parts)
        cells.append(context + " ".join(filter(None, (start, middle and f"<b>{middle}</b>", rest))))
    return cells[0], cells[1]


def differing(good: TextView, bad: TextView) -> tuple[tuple[str, str, str], ...]:
    """Both texts, by words: what they begin with, what differs, and what they end with."""
    word_lists = [good.text.split(" "), bad.text.split(" ")]
    before = common_start(*word_lists)
    after = common_start(*(text_words[before:][::-1] for text_words in word_lists))
    parts = []
    for words in word_lists:
        end = len(words) - after
        start, middle, rest = words[:before], words[before:end], words[end:]
        parts.append((" ".join(start), " ".join(middle), " ".join(rest)))
    return tuple(parts)


def cut(text: str, *, ends: bool = False) -> str:
    """A text that may be long: its beginning, or its end."""
    if len(text) <= LONGEST:
        return text
    return f"… {text[-LONGEST:]}" if ends else f"{text[:LONGEST]} …"
