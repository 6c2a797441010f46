"""Verification: whether a record's numbers follow from its samples, and its samples from a model.

Of every result, score, number of items, standard error and interval are computed again from the
rows beside the record. Of items drawn at random, the sentences are scored again with the model and
the settings of the record: their surprisals are compared with the recorded ones, and the outcome
that follows from those with the recorded outcome. A record whose share p of items is false is found
by n of them with probability 1 - (1 - p)^n.
"""

from __future__ import annotations

import json
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.schemas.errors import EvalmarkError, ScoringError
from evalmark.scoring.comparison.compared_run import ROUNDED
from evalmark.scoring.comparison.read_run import rows_of_file
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.score_settings import WITHIN_WORD, Settings
from evalmark.scoring.suites.regions import region_value
from evalmark.scoring.surprisals.rounding import TOKEN
from evalmark.scoring.surprisals.sentence_surprisals import token_surprisals
from evalmark.stats.means import mean_error, mean_interval
from evalmark.stats.proportions import CONFIDENCE, QUANTILE, wilson_interval
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.pairs.pair_sets import MEAN
from evalmark.validator.formats.records.compared_results import are_close
from evalmark.validator.formats.records.record_view import RecordResult, view_of
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_view import SampleView, sample_view
from evalmark.validator.formats.shared.fields import mapping, number
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse, references
from evalmark.validator.formats.suites.formula.meaning import evaluate
from evalmark.validator.formats.suites.suite import Sentence
from evalmark.validator.formats.unreadable_files import has_signs
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

AnyModel = LanguageModel | MaskedLanguageModel
#: Bits by which the surprisal of a text may differ at least: devices and sizes of packs differ.
LEAST = 1e-4
#: By how much of itself, or of the error, a recomputed error or end of an interval may differ.
_NEAR = 1e-3
_REGIONS = "token_surprisals_by_region"
_DIGESTS = {"weights_sha256": "weights", "tokenizer_sha256": "tokenizer"}


class Disagreement(NamedTuple):
    """A number of a result or an item that does not follow: what it is, and what it should be."""

    where: str
    what: str
    recorded: Any
    computed: Any


@dataclass(frozen=True, slots=True)
class Verification:
    """What has been found of a record.

    Attributes:
        path: The record.
        why: Why it, or its items, cannot be verified; empty if they can.
        differs: What is another model than that of the record: ``weights``, ``tokenizer``.
        recomputed: Results whose numbers were computed again.
        results: All of its results.
        numbers: Those of them that do not follow from the samples.
        drawn: Items that were scored again.
        total: All of its items.
        items: The disagreements of the items that do not agree.
        tolerance: Bits by which texts of the drawn items may differ at most.
    """

    path: str
    why: str = ""
    differs: tuple[str, ...] = ()
    recomputed: int = 0
    results: int = 0
    numbers: tuple[Disagreement, ...] = ()
    drawn: int = 0
    total: int = 0
    items: tuple[Disagreement, ...] = ()
    tolerance: float = 0.0

    @property
    def agrees(self) -> bool:
        """True if everything that was compared agrees."""
        return not (self.numbers or self.items)


@dataclass(frozen=True, slots=True)
class Claim:
    """A record with its results by name and id, and its samples; ``why`` there are none."""

    path: str
    data: Mapping[str, Any]
    results: Mapping[str, RecordResult]
    rows: Sequence[SampleView]
    why: str = ""

    @property
    def model(self) -> Mapping[str, Any]:
        """The details of its model."""
        return mapping(mapping(self.data.get("model_info")).get("additional_details"))

    def of_row(self, row: SampleView) -> RecordResult | None:
        """The result that a row belongs to."""
        return self.results.get(str(row.result[1]))


def claims_at(path: Path) -> Iterator[Claim]:
    """The records at a path: a file, or those in a folder.

    Raises:
        ScoringError: There is none, or a sample file has a line that is no sample.
        OSError: A file cannot be read.
    """
    none = True
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        raw = read_whole(file)
        reading = read(raw, str(file))
        if not reading.readable and (file == path or has_signs(raw, str(file))):
            none = False
            yield Claim(str(file), {}, {}, (), "it cannot be read: `evalmark check` says why")
        elif isinstance(reading.data, dict) and identify(reading.data).is_record:
            none = False
            yield _claim(file, reading.data)
    if none:
        raise ScoringError(f"{path}: no record, so nothing to verify")


def _claim(path: Path, data: Mapping[str, Any]) -> Claim:
    document = identify(data, "record")
    results: dict[str, RecordResult] = {}
    for result in view_of(document).results:
        named = {name for name in (result.name, result.identity) if isinstance(name, str)}
        if twice := named & results.keys():
            return Claim(str(path), data, {}, (), f"two results have the name {min(twice)!r}")
        results |= dict.fromkeys(named, result)
    link = companion(data, str(path))
    if link is None or link.problem is not None:
        why = link.problem.message if link and link.problem else "the record names no samples"
        return Claim(str(path), data, results, (), why)
    rows = [sample_view(row, document.version) for row in rows_of_file(link.path, link.whole())]
    return Claim(str(path), data, results, rows, "" if rows else "the sample file is empty")


def loader(name: str, dtype: str | None) -> Callable[[Claim, Settings], AnyModel]:
    """Loads a model as the record says: its dtype, and tokens before sentences."""
    from evalmark.scoring.models.load_models import load_model

    @lru_cache(maxsize=1)  # records of one run have one dtype
    def loaded(dtype: str, bos: str) -> AnyModel:
        return load_model(name, dtype=dtype, bos=bos)

    return lambda claim, settings: loaded(
        dtype or str(claim.model.get("dtype", "float32")), settings.bos
    )


def verify(
    claim: Claim,
    load: Callable[[Claim, Settings], AnyModel] | None,
    *,
    items: int,
    seed: int,
) -> Verification:
    """Verify a record: its numbers and, with a model, items drawn at random.

    Args:
        claim: The record with its samples.
        load: Gives the model for settings of the record; None verifies the numbers alone.
        items: How many items are scored again.
        seed: Decides which.

    Raises:
        ScoringError: The model cannot be loaded, or does not read a sentence.
    """
    if claim.why:
        return Verification(claim.path, f"unverifiable: {claim.why}")
    found = _numbers(claim)
    if load is None:
        return found
    settings = _settings(claim)
    if isinstance(settings, str):
        return replace(found, why=f"no item can be scored again: {settings}")
    by_item = defaultdict[str, list[SampleView]](list)
    for row in claim.rows:
        by_item[str(row.get("sample_id"))].append(row)
    chosen = random.Random(seed).sample(sorted(by_item), min(items, len(by_item)))
    rows = [row for name in chosen for row in by_item[name]]
    texts = sorted({text for row in rows for text in _texts(row)})
    model = load(claim, settings)
    said, details = claim.model, model.info.details
    sentences = [Sentence(text, ((0, len(text)),)) for text in texts]
    scored = token_surprisals(model, sentences, settings)
    bits = {text: [one.bits for one in of] for text, of in zip(texts, scored, strict=True)}
    token = max(TOKEN.get(str(of.get("dtype")), TOKEN["float32"]) for of in (said, details))
    wrong: dict[str, Disagreement] = {}
    for row in rows:
        for one in (*_surprisals(row, bits, token), *_outcome(row, claim.of_row(row))):
            wrong.setdefault(one.where, one)
    is_as_it_is = said.get("dtype") == details.get("dtype")  # else weights have other digests
    keys = [key for key in _DIGESTS if said.get(key) not in (None, "", details.get(key))]
    return replace(
        found,
        differs=tuple(_DIGESTS[key] for key in keys if key != "weights_sha256" or is_as_it_is),
        drawn=len(chosen),
        total=len(by_item),
        items=tuple(wrong.values()),
        tolerance=_tolerance(token, max(map(len, bits.values()), default=0)),
    )


def _tolerance(token: float, tokens: int) -> float:
    """Bits by which the surprisal of a text may differ: errors of tokens are independent."""
    return max(LEAST, token * math.sqrt(tokens))


def _settings(claim: Claim) -> Settings | str:
    """The settings of a record, or why its items cannot be scored again with them."""
    first = next(iter(claim.results.values()), None)
    config = mapping(first.data.get("generation_config")) if first else {}
    stated = mapping(config.get("additional_details"))
    if not any(_metadata(row).keys() & {_REGIONS, "surprisals"} for row in claim.rows):
        return "its samples have no surprisals of sentences"
    for key, usual in (("boundary", "none"), ("regions", "all")):
        if (value := stated.get(key)) not in (usual, None):
            return f"its samples do not show how {key} {str(value)!r} divides sentences"
    bos, first_token = (str(stated.get(key, "unknown")) for key in ("bos", "first_token"))
    if "unknown" in (bos, first_token, *(stated.get(key) for key in ("boundary", "regions"))):
        return "the record does not say how its sentences became numbers"
    method = str(stated.get("masked_method", WITHIN_WORD))
    return Settings(bos, first_token, masked_method=method)


# Items


def _metadata(row: SampleView) -> Mapping[str, Any]:
    return mapping(row.data.get("metadata"))


def _json(row: SampleView, key: str) -> Any:
    try:
        return json.loads(str(_metadata(row).get(key, "null")))
    except (ValueError, RecursionError):
        return None


def _list(row: SampleView, key: str) -> list[Any]:
    value = _json(row, key)
    return value if isinstance(value, list) else []


def _texts(row: SampleView) -> list[str]:
    """The texts of a row: of a pair its choices, of an item of a suite its lines."""
    choices = mapping(row.data.get("input")).get("choices")
    return [*map(str, choices)] if isinstance(choices, list) else str(row.get("raw")).split("\n")


def _surprisals(
    row: SampleView, bits: Mapping[str, Sequence[float | None]], token: float
) -> Iterator[Disagreement]:
    """The first text of a row whose recorded surprisals are not those of the model."""
    texts, where, regions = _texts(row), str(row.get("sample_id")), _json(row, _REGIONS)
    sums, counts = _list(row, "surprisals"), _list(row, "tokens")
    by_token = isinstance(regions, dict)
    names = [name for name in _list(row, "conditions") if isinstance(name, str)]
    recorded = [_in_order(regions.get(name)) for name in names] if by_token else [[n] for n in sums]
    if len(recorded) != len(texts) or not (by_token or len(counts) == len(sums)):
        yield Disagreement(where, "texts with surprisals", len(recorded), len(texts))
        return
    for place, (text, values) in enumerate(zip(texts, recorded, strict=True)):
        computed = [*bits[text]]
        if by_token and len(values) != len(computed):
            yield Disagreement(where, f"tokens of {text!r}", len(values), len(computed))
            return
        if not by_token and type(counts[place]) is int and 0 < counts[place] <= len(computed):
            computed = computed[-counts[place] :]
        old, new = _sum(values), _sum(computed)
        limit = _tolerance(token, len(computed))
        # Each token as well: what is moved from one region to another leaves the sum.
        pairs = [(old, new), *(zip(values, computed, strict=True) if by_token else ())]
        if not all(_agree(number(a), b, limit) for a, b in pairs):
            yield Disagreement(where, f"bits of {text!r}", old, new)
            return


def _in_order(regions: object) -> list[Any]:
    """The surprisals of the tokens of a sentence, in the order of the numbers of its regions."""
    by_number = sorted(mapping(regions).items(), key=lambda pair: (len(pair[0]), pair[0]))
    return [value for _, of in by_number if isinstance(of, list) for value in of]


def _sum(values: Sequence[Any]) -> float | None:
    numbers = [value for value in map(number, values) if value is not None]
    return math.fsum(numbers) if len(numbers) == len(values) else None


def _is_finite(values: Sequence[Any]) -> bool:
    return all(math.isfinite(math.nan if (n := number(v)) is None else n) for v in values)


def _agree(one: float | None, other: float | None, limit: float) -> bool:
    return one is other or (one is not None and other is not None and abs(one - other) <= limit)


def _outcome(row: SampleView, result: RecordResult | None) -> Iterator[Disagreement]:
    """The recorded outcome, if it does not follow from the recorded surprisals."""
    score = row.number("score")
    if _json(row, ROUNDED) is True or score is None:
        return
    regions = _json(row, _REGIONS)
    expected = _holds(row, regions, result) if isinstance(regions, dict) else _prefers(row)
    if expected is not None and not math.isclose(expected, score, abs_tol=1e-6):
        yield Disagreement(str(row.get("sample_id")), "score", score, expected)


def _holds(row: SampleView, regions: dict[str, Any], result: RecordResult | None) -> float | None:
    """1 if the formulas of a row hold for the values of its regions; None if one is undefined."""
    details = mapping(mapping(result.data.get("score_details")).get("details")) if result else {}
    metric = str(details.get("metric", "sum"))

    def value_of(reference: Reference) -> float | None:
        of = mapping(regions.get(reference.condition))
        wanted = of if reference.region is None else [str(reference.region)]
        return _sum([region_value(of.get(name, ()), metric) for name in wanted])

    try:
        trees = [parse(formula).tree for formula in row.entries("reference")]
        if any(value_of(each) is None for tree in trees for each in references(tree)):
            return None
        return float(all(evaluate(tree, value_of) for tree in trees))  # type: ignore[arg-type]
    except (EvalmarkError, ValueError, LookupError, TypeError):  # no formula, or no such metric
        return None


def _prefers(row: SampleView) -> float | None:
    """The outcome of a pair: 1 if its first text has the lowest score, or its share."""
    lists = [_list(row, key) for key in ("scores", "surprisals", "tokens")]
    scores, bits, counts = ([*map(float, each)] if _is_finite(each) else [] for each in lists)
    if len(scores) < 2:
        return None
    if _metadata(row).get("method") == MEAN and len(bits) == len(counts) and all(counts):
        scores = [total / count for total, count in zip(bits, counts, strict=True)]
    if "outcome" not in _metadata(row):
        return float(1 / (1 + 2 ** min(1000.0, scores[0] - scores[1])))
    return None if scores[0] == min(scores[1:]) else float(scores[0] < min(scores[1:]))


# Numbers


def _numbers(claim: Claim) -> Verification:
    """How many results were computed again of how many, and what does not follow."""
    scores = defaultdict[int, list[float]](list)
    for row in claim.rows:
        result, score = claim.of_row(row), row.number("score")
        if result is not None and score is not None and math.isfinite(score):
            scores[result.index].append(score)
    by_index = {result.index: result for result in claim.results.values()}
    without = len(by_index) - len(scores)
    why = f"unverifiable: {without} of its results have no samples with scores" if without else ""
    return Verification(
        claim.path,
        why if by_index else "unverifiable: the record has no results that are named",
        recomputed=len(scores),
        results=len(by_index),
        numbers=tuple(d for index, of in scores.items() for d in _compared(by_index[index], of)),
    )


def _compared(result: RecordResult, values: Sequence[float]) -> Iterator[Disagreement]:
    """The numbers of a result that are none of those that its samples can mean."""
    count, stated = len(values), result.number("num_samples")
    scale = 100.0 if result.high == 100 and max(values) <= 1 else 1.0
    whole = [value * scale for value in values]
    mean, near = statistics.fmean(whole), (1e-9, 1e-6)
    numbers: list[tuple[str, float | None, Sequence[float], tuple[float, float]]] = [
        ("score", result.score, [mean], near),
        ("number of items", stated, [count], near),
    ]
    if count > 1 and result.uncertainty and stated in (None, count):
        error = mean_error(whole)
        near = _NEAR, _NEAR * error
        if result.get("error_method") in (None, "analytic"):
            of_all = error * math.sqrt((count - 1) / count)
            found = result.number("standard_error")
            numbers.append(("standard error", found, [error, of_all], near))
        intervals = _intervals(result, whole, scale)
        for place, end in enumerate(("lower", "upper") if intervals else ()):
            ends = [interval[place] for interval in intervals]
            numbers.append((f"{end} end of the interval", result.number(end), ends, near))
    for what, recorded, computed, (by, least) in numbers:
        if recorded is not None and not any(
            math.isclose(recorded, each, rel_tol=by, abs_tol=least) or are_close(recorded, each)
            for each in computed
        ):
            yield Disagreement(str(result.name), what, recorded, computed[0])


def _intervals(
    result: RecordResult, values: Sequence[float], scale: float
) -> list[tuple[float, float]]:
    """The 95 % intervals that a record may mean; none if it names another method or level."""
    stated = mapping(mapping(result.uncertainty).get("confidence_interval"))
    known = str(stated.get("method", "")).casefold() in ("", "wilson", "normal", "t")
    if stated.get("confidence_level", CONFIDENCE) != CONFIDENCE or not known:
        return []
    mean, half = statistics.fmean(values), QUANTILE * mean_error(values)
    found = [(mean - half, mean + half), mean_interval(values) or (mean, mean)]
    if set(values) <= {0.0, scale}:
        low, high = wilson_interval(mean / scale, len(values))
        found.insert(0, (low * scale, high * scale))
    return found
