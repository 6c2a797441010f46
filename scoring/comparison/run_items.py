"""The items of a run, as a comparison matches them: the same for runs of every program."""

from __future__ import annotations

import hashlib
import math
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path

from evalmark.converters.importers.lm_eval import PAIR_ID, UID
from evalmark.converters.records.builders import axes_of
from evalmark.converters.records.run import Result, Run, Sample
from evalmark.converters.step import as_text
from evalmark.schemas.errors import ScoringError
from evalmark.schemas.metrics.known_metrics import same_name
from evalmark.scoring.comparison.compared_run import (
    ALL,
    NEVER_RIGHT,
    NOT_COMPARED,
    OUTCOME,
    PAIRS,
    ROUNDED,
    SAMPLES,
    SUITES,
    TESTS,
    ComparedRun,
    ComparedSuite,
    ItemScore,
    RunKind,
    ScoredItems,
    all_of,
)
from evalmark.scoring.runs.pair_views import is_of_pairs
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.suite_views import is_of_suite, suite_label
from evalmark.scoring.score_settings import bos_token
from evalmark.validator.formats.pairs.pair_sets import language_of
from evalmark.validator.formats.records.record_fields import JUDGE_FIELDS
from evalmark.validator.formats.shared.field_layout import Fields

#: Keys that identify the prompts of a judge.
_PROMPTS = ("prompt_sha256", "prompts_of_the_dataset_sha256")
#: Kinds of runs. A run is of the first one that recognizes a result; else its items are samples.
KINDS: tuple[RunKind, ...] = (
    RunKind(SUITES, is_of_suite),
    RunKind(PAIRS, is_of_pairs, is_total=lambda result: "averaged" in result.details),
    TESTS,
    RunKind(SAMPLES, lambda _: True),
)


#: Characters of a text that identifies an item as it is.
LONGEST = 200


@dataclass(slots=True)
class _Rows:
    samples: list[str] = field(default_factory=list)  # their own ids
    #: The ids of their items, which several samples have if one was repeated.
    items: list[str] = field(default_factory=list)
    scores: list[ItemScore] = field(default_factory=list)
    say_ties: bool = False  # whether one says if rounding decided it

    def add(self, sample: Sample, run: Run, kind: RunKind) -> None:
        metadata, raw, item = sample.metadata, sample.raw, sample.id
        # Of a suite, the formula is compared on its own.
        reference = () if kind.words is SUITES else sample.reference
        text = (kind.text and kind.text(metadata)) or _identity(raw, reference)
        bare = _without_spaces(raw, reference) if raw[:1] == " " or "\n " in raw else None
        rounded = metadata.get(ROUNDED)
        score = run.score_of(sample) if sample.score is None else sample.score
        if kind.words is not PAIRS:
            epoch = metadata.get("epoch")
            item = item if epoch is None else item.removesuffix(f"#{epoch}")
            item = str(metadata.get(PAIR_ID, item))
            # Other programs take the first of equal answers.
            if metadata.get(OUTCOME) in NEVER_RIGHT:
                score = 0.0
        self.samples.append(sample.id)
        self.items.append(item)
        self.scores.append(ItemScore(score, rounded == "true", text, bare))
        self.say_ties = self.say_ties or rounded is not None


def compared_run(path: Path) -> ComparedRun:
    """The run at a path, as a comparison sees it; raises ScoringError if it has no samples."""
    return replace(compared_items(run_at(path)), path=path)


def compared_items(run: Run) -> ComparedRun:
    """A run, as a comparison sees it; raises ScoringError if it has no samples."""
    if run.lacks:
        raise ScoringError(f"{run.path} has no items to compare: {run.lacks}")
    kind = next(kind for kind in KINDS if any(map(kind.recognizes, run.results)))
    is_compared = {r.name for r in run.results if NOT_COMPARED not in r.details}
    rows = {name: _Rows() for name in is_compared}
    for sample in run.samples:
        if sample.result in is_compared:
            rows[sample.result].add(sample, run, kind)
    rows = {name: scores for name, scores in rows.items() if scores.samples}
    facts = {k: text for k, text in run.model.details.items() if k not in axes_of(run.model)}
    if run.model.engine:
        facts["engine"] = run.model.engine[0]
    bos = facts.pop("bos", None)
    return ComparedRun(
        run,
        run.path or Path(run.id),
        run.model.id,
        facts,
        tuple(_suites(run, rows, bos)),
        tuple(
            result_name(result)
            for result in run.results
            if result.name in is_compared and result.name not in rows and not kind.is_total(result)
        ),
        kind.words,
        {**{name: why for k in KINDS for name, why in k.left_out(run).items()}, **run.unusable},
    )


def result_name(result: Result) -> str:
    """The name of a result: that of its evaluation, with its id if that says more."""
    name = result.evaluation or result.name
    if result.key in ("", name) or is_of_suite(result):
        return name
    return f"{name}/{result.key.replace(':', '/')}"


def _identity(raw: str, reference: Sequence[str]) -> str:
    """What identifies the text of an item: the text, or its hash if it is long."""
    text = "\0".join((raw, *reference))
    if len(text) <= LONGEST:
        return text
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _without_spaces(raw: str, reference: Sequence[object]) -> str | None:
    texts = [text.lstrip(" ") for text in reference if isinstance(text, str)]
    if len(texts) < len(reference):
        return None
    return _identity("\n".join(line.lstrip(" ") for line in raw.split("\n")), texts)


def _suites(run: Run, rows: Mapping[str, _Rows], bos: str | None) -> Iterator[ComparedSuite]:
    parts: dict[str, dict[str, Result]] = {}
    for result in run.results:
        if result.name in rows:
            own = suite_label(result) if is_of_suite(result) else (result_name(result), "")
            parts.setdefault(own[0], {})[own[1]] = result
    for label, results in parts.items():
        first = next(iter(results.values()))
        settings = _settings(run, first)
        settings |= bos_token(settings, bos)
        columns = {
            prediction: _column(result, label, rows[result.name])
            for prediction, result in results.items()
        }
        if columns.keys() == {ALL}:
            columns = {"": columns[ALL]}  # the only prediction
        elif ALL in columns:
            whole = columns.pop(ALL)
            columns[ALL] = ScoredItems(
                all_of(columns.values()), whole.items, whole.repeated, whole.unplaced_ties,
                whole.lower_is_better, whole.bounds, whole.chance,
            )  # fmt: skip
        dataset = first.dataset
        yield ComparedSuite(
            label,
            dataset.details.get(UID) or dataset.name or label,
            first.details.get("metric"),
            columns,
            settings,
            **(_group(first) if is_of_pairs(first) else {}),
        )


def _group(result: Result) -> dict[str, str]:
    """The set of a UID and its language, unknown to be that of other sets if nothing says it.

    Rows that say theirs are averaged by it.
    """
    set_name = result.dataset.details.get("set") or result.dataset.name
    language = result.details.get("language")
    group = f"{set_name} ({language})" if language else set_name
    return {"group": group, "language": language or language_of(set_name) or set_name}


def _settings(run: Run, result: Result) -> dict[str, str]:
    settings = {**result.arguments, **run.settings_of(result)}
    return {key: as_text(value) for key, value in settings.items()} | _judging(result)


def _judging(result: Result) -> dict[str, str]:
    scoring = result.metric.judging or {}
    if not scoring:
        return {}
    judges = [
        Fields(judge, "", JUDGE_FIELDS).get("model_id") for judge in scoring.get("judges") or ()
    ]
    details = scoring.get("additional_details") or {}
    stated = [details[key] for key in _PROMPTS if key in details] or [scoring.get("input_prompt")]
    return {"judge": ", ".join(map(str, judges)), "judge_prompt": ", ".join(map(str, stated))}


def _column(result: Result, label: str, rows: _Rows) -> ScoredItems:
    metric, details = result.metric, result.details
    prefix, repeated = f"{label}/", frozenset[str]()
    names = [item.removeprefix(prefix) for item in rows.items]
    items = dict(zip(names, rows.scores, strict=True))
    if len(items) < len(names) or len({*rows.samples}) < len(names):
        counts = Counter(rows.samples)
        repeated = frozenset(name for name, count in counts.items() if count > 1)
        by_item: dict[str, list[ItemScore]] = {}
        for name, sample, score in zip(names, rows.samples, rows.scores, strict=True):
            if sample not in repeated:
                by_item.setdefault(name, []).append(score)
        items = {name: _mean(scores) for name, scores in by_item.items()}
    ties = details.get("ties") or "0"
    # The result of a suite is described by its formula.
    asks = metric.description if is_of_suite(result) else metric.name or ""
    bounds = metric.bounds
    return ScoredItems(
        asks=same_name(asks),
        items=items,
        repeated=frozenset(name.removeprefix(prefix) for name in repeated),
        unplaced_ties=int(ties) if ties.isdecimal() and not rows.say_ties else 0,
        lower_is_better=metric.lower_is_better,
        bounds=None if bounds is None or any(map(math.isinf, bounds)) else bounds,
        chance=_chance(details),
    )


def _chance(stated: Mapping[str, str]) -> float | None:
    try:
        return float(Fraction(stated.get("chance_fraction") or stated["chance"]))
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def _mean(scores: Sequence[ItemScore]) -> ItemScore:
    if len(scores) == 1:
        return scores[0]
    return ItemScore(
        statistics.fmean(score.score for score in scores),
        any(score.is_tie for score in scores),
        scores[0].text,
        scores[0].bare,
    )
