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

from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.schemas.errors import EvalmarkError, ScoringError
from evalmark.scoring.comparison.compared_run import ROUNDED
from evalmark.scoring.comparison.read_run import rows_of_file
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.score_settings import WITHIN_WORD, Settings
from evalmark.scoring.suites.regions import region_value, whole_texts
from evalmark.scoring.surprisals.rounding import TOKEN
from evalmark.scoring.surprisals.sentence_surprisals import TextSurprisals, surprisals_of
from evalmark.stats.means import mean_interval
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.pairs.pair_sets import MEAN
from evalmark.validator.formats.records.compared_results import are_close
from evalmark.validator.formats.records.record_view import RecordResult, view_of
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_view import SampleView, sample_view
from evalmark.validator.formats.shared.fields import mapping, number
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse, references
from evalmark.validator.formats.suites.formula.meaning import evaluate
from evalmark.validator.formats.unreadable_files import has_signs
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

AnyModel = LanguageModel | MaskedLanguageModel
#: Bits by which the surprisal of a text may differ at least: devices and sizes of packs differ.
LEAST = 1e-4
#: By how much of itself a recomputed error or end of an interval may differ.
_NEAR = 1e-3
_REGIONS, _SURPRISALS = "token_surprisals_by_region", "surprisals"
_DIGESTS = {"weights_sha256": "weights", "tokenizer_sha256": "tokenizer"}


class Disagreement(NamedTuple):
    """A number of a record that does not follow.

    Attributes:
        where: The result, or the item.
        what: Which number of it.
        recorded: It.
        computed: What it should be.
    """

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
    """A record and its samples.

    Attributes:
        path: The record.
        data: It.
        results: Name or id of a result -> it.
        rows: Its samples.
        why: Why there are none.
    """

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

    @property
    def settings(self) -> Mapping[str, Any]:
        """How its sentences became numbers."""
        first = next(iter(self.results.values()), None)
        config = mapping(first.data.get("generation_config")) if first else {}
        return mapping(config.get("additional_details"))


def read_claim(path: Path, data: Mapping[str, Any]) -> Claim:
    """A record with the samples beside it.

    Raises:
        ScoringError: The sample file has a line that is no sample.
        OSError: It cannot be read.
    """
    document = identify(data, "record")
    results: dict[str, RecordResult] = {}
    for result in view_of(document).results:
        named = {name for name in (result.name, result.identity) if isinstance(name, str)}
        if twice := named & results.keys():
            why = f"two results have the name {min(twice)!r}"
            return Claim(str(path), data, {}, (), why)
        results |= dict.fromkeys(named, result)
    link = companion(data, str(path))
    if link is None or link.problem is not None:
        why = link.problem.message if link and link.problem else "the record names no samples"
        return Claim(str(path), data, results, (), why)
    rows = [sample_view(row, document.version) for row in rows_of_file(link.path, link.whole())]
    return Claim(str(path), data, results, rows, "" if rows else "the sample file is empty")


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
    by_item = defaultdict[str, list[SampleView]](list)
    for row in claim.rows:
        by_item[str(row.get("sample_id"))].append(row)
    settings, why = _settings(claim)
    if settings is None:
        return replace(found, why=f"no item can be scored again: {why}")
    model = load(claim, settings)
    details = model.info.details
    differs = [
        word
        for key, word in _DIGESTS.items()
        if (said := claim.model.get(key))
        and said != details.get(key)
        and (key != "weights_sha256" or claim.model.get("dtype") == details.get("dtype"))
    ]
    chosen = random.Random(seed).sample(sorted(by_item), min(items, len(by_item)))
    rows = [row for name in chosen for row in by_item[name]]
    texts = {text for row in rows for text in _texts(row)}
    tokens = {text: model.tokenize(text) for text in sorted(texts)}
    longest = max((len(each.ids) for each in tokens.values()), default=0)
    around = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    if model.max_tokens is not None and longest + around > model.max_tokens:
        raise ScoringError(f"{claim.path}: a text has {longest} tokens, more than the model reads")
    bits, _ = surprisals_of(whole_texts(tokens), model, settings)
    token = max(TOKEN.get(str(of.get("dtype")), TOKEN["float32"]) for of in (claim.model, details))
    wrong: dict[str, Disagreement] = {}
    for row in rows:
        for disagreement in (*_surprisals(row, bits, token), *_outcome(row, claim.of_row(row))):
            wrong.setdefault(disagreement.where, disagreement)
    return replace(
        found,
        differs=tuple(differs),
        drawn=len(chosen),
        total=len(by_item),
        items=tuple(wrong.values()),
        tolerance=_tolerance(token, longest),
    )


def _tolerance(token: float, tokens: int) -> float:
    """Bits by which the surprisal of a text may differ: errors of tokens are independent."""
    return max(LEAST, token * math.sqrt(tokens))


def _settings(claim: Claim) -> tuple[Settings | None, str]:
    """The settings of a record, or why its items cannot be scored again with them."""
    stated = claim.settings
    if not any(_metadata(row).keys() & {_REGIONS, _SURPRISALS} for row in claim.rows):
        return None, "its samples have no surprisals of sentences"
    values = {key: str(stated.get(key)) for key in ("bos", "first_token", "boundary", "regions")}
    for key, usual in (("boundary", "none"), ("regions", "all")):
        if values[key] not in (usual, "None"):
            return None, f"its samples do not show how {key} {values[key]!r} divides sentences"
    if "unknown" in values.values() or "None" in (values["bos"], values["first_token"]):
        return None, "the record does not say how its sentences became numbers"
    method = str(stated.get("masked_method", WITHIN_WORD))
    return Settings(values["bos"], values["first_token"], masked_method=method), ""


# Items


def _metadata(row: SampleView) -> Mapping[str, Any]:
    return mapping(row.data.get("metadata"))


def _listed(row: SampleView, key: str) -> Any:
    try:
        return json.loads(str(_metadata(row).get(key, "null")))
    except (ValueError, RecursionError):
        return None


def _texts(row: SampleView) -> list[str]:
    """The texts of a row: of a pair its choices, of an item of a suite its lines."""
    choices = mapping(row.data.get("input")).get("choices")
    if isinstance(choices, list):
        return [str(choice) for choice in choices]
    return str(row.get("raw")).split("\n")


def _surprisals(row: SampleView, bits: TextSurprisals, token: float) -> Iterator[Disagreement]:
    """The texts of a row whose recorded surprisals are not those of the model."""
    texts, where = _texts(row), str(row.get("sample_id"))
    regions, sums = _listed(row, _REGIONS), _listed(row, _SURPRISALS)
    counts = _listed(row, "tokens")
    if isinstance(regions, dict):
        names = _listed(row, "conditions")
        listed = names if isinstance(names, list) else ()
        recorded = [_in_order(regions.get(n)) for n in listed if isinstance(n, str)]
    elif isinstance(sums, list) and isinstance(counts, list) and len(sums) == len(counts):
        recorded = [[total] for total in sums]
    else:
        recorded = []
    if len(recorded) != len(texts):
        yield Disagreement(where, "texts with surprisals", len(recorded), len(texts))
        return
    for place, (text, values) in enumerate(zip(texts, recorded, strict=True)):
        computed = list(bits.of(text))
        if isinstance(regions, dict):
            if len(values) != len(computed):
                yield Disagreement(where, f"tokens of {text!r}", len(values), len(computed))
                return
        elif type(counts[place]) is int and 0 < counts[place] <= len(computed):
            computed = computed[-counts[place] :]
        old, new = (_sum(each) for each in (values, computed))
        limit = _tolerance(token, len(computed))
        # Each token as well: what is moved from one region to another leaves the sum.
        pairs = [(old, new), *(zip(values, computed, strict=True) if regions else ())]
        if not all(_agree(a, b, limit) for a, b in pairs):
            yield Disagreement(where, f"bits of {text!r}", old, new)
            return


def _in_order(regions: object) -> list[Any]:
    """The surprisals of the tokens of a sentence, in the order of its regions."""
    listed = sorted(
        mapping(regions).items(), key=lambda pair: int(pair[0]) if pair[0].isdecimal() else 0
    )
    return [value for _, values in listed if isinstance(values, list) for value in values]


def _sum(values: Sequence[float | None]) -> float | None:
    numbers = [value for value in map(number, values) if value is not None]
    return math.fsum(numbers) if len(numbers) == len(values) else None


def _agree(first: object, second: object, limit: float) -> bool:
    one, other = number(first), number(second)
    return one is other is None or (
        one is not None and other is not None and abs(one - other) <= limit
    )


def _outcome(row: SampleView, result: RecordResult | None) -> Iterator[Disagreement]:
    """The recorded outcome, if it does not follow from the recorded surprisals."""
    score, where = row.number("score"), str(row.get("sample_id"))
    if _listed(row, ROUNDED) is True or score is None:
        return
    regions = _listed(row, _REGIONS)
    expected = _holds(row, regions, result) if isinstance(regions, dict) else _prefers(row)
    if expected is not None and not math.isclose(expected, score, abs_tol=1e-6):
        yield Disagreement(where, "score", score, expected)


def _holds(row: SampleView, regions: dict[str, Any], result: RecordResult | None) -> float | None:
    """1 if the formulas of a row hold for the values of its regions; None if one is undefined."""
    details = mapping(mapping(result.data.get("score_details")).get("details")) if result else {}
    metric = str(details.get("metric", "sum"))

    def value_of(reference: Reference) -> float | None:
        of_regions = mapping(regions.get(reference.condition))
        wanted = of_regions if reference.region is None else [str(reference.region)]
        values = [region_value(of_regions.get(name, ()), metric) for name in wanted]
        return _sum(values)

    try:
        trees = [parse(formula).tree for formula in row.entries("reference")]
        if any(value_of(each) is None for tree in trees for each in references(tree)):
            return None
        return float(all(evaluate(tree, value_of) for tree in trees))  # type: ignore[arg-type]
    except (EvalmarkError, ValueError, LookupError, TypeError):  # no formula, or no such metric
        return None


def _prefers(row: SampleView) -> float | None:
    """The outcome of a pair: 1 if its first text has the lowest score, or its share."""
    scores, bits, counts = (_floats(row, key) for key in ("scores", _SURPRISALS, "tokens"))
    if len(scores) < 2:
        return None
    if _metadata(row).get("method") == MEAN and len(bits) == len(counts) and all(counts):
        scores = [total / count for total, count in zip(bits, counts, strict=True)]
    if "outcome" not in _metadata(row):
        return float(1 / (1 + 2 ** min(1000.0, scores[0] - scores[1])))
    return None if scores[0] == min(scores[1:]) else float(scores[0] < min(scores[1:]))


def _floats(row: SampleView, key: str) -> list[float]:
    """The numbers in a list; none if it has anything else."""
    listed = _listed(row, key)
    values = [number(value) for value in listed] if isinstance(listed, list) else []
    found = [value for value in values if value is not None and math.isfinite(value)]
    return found if len(found) == len(values) else []


# Numbers


def _numbers(claim: Claim) -> Verification:
    """How many results were computed again of how many, and what does not follow."""
    scores = defaultdict[int, list[float]](list)
    for row in claim.rows:
        result, score = claim.of_row(row), row.number("score")
        if result is not None and score is not None and math.isfinite(score):
            scores[result.index].append(score)
    by_index = {result.index: result for result in claim.results.values()}
    found = [d for index, values in scores.items() for d in _compared(by_index[index], values)]
    without = len(by_index) - len(scores)
    why = f"unverifiable: {without} of its results have no samples with scores" if without else ""
    return Verification(
        claim.path,
        why if by_index else "unverifiable: the record has no results that are named",
        recomputed=len(scores),
        results=len(by_index),
        numbers=tuple(found),
    )


def _compared(result: RecordResult, values: Sequence[float]) -> Iterator[Disagreement]:
    name, mean, count = str(result.name), statistics.fmean(values), len(values)
    scale = 100.0 if result.high == 100 and max(values) <= 1 else 1.0
    score, stated = result.score, result.number("num_samples")
    mean *= scale
    if score is not None and not (
        math.isclose(score, mean, abs_tol=1e-6) or are_close(score, mean)
    ):
        yield Disagreement(name, "score", score, mean)
    if stated is not None and stated != count:
        yield Disagreement(name, "number of items", stated, count)
    if count < 2 or not result.uncertainty or stated not in (None, count):
        return
    error, method = result.number("standard_error"), result.get("error_method")
    whole = [value * scale for value in values]
    right = mean_uncertainty(whole)["standard_error"]["value"]
    exact = (right, right * math.sqrt((count - 1) / count))
    if error is not None and method in (None, "analytic") and not _near(error, exact):
        yield Disagreement(name, "standard error", error, right)
    for end, place in (("lower", 0), ("upper", 1)):
        if (recorded := result.number(end)) is not None:
            ends = [interval[place] for interval in _intervals(result, whole, right, scale)]
            if ends and not _near(recorded, ends):
                yield Disagreement(name, f"{end} end of the interval", recorded, ends[0])


def _intervals(
    result: RecordResult, values: Sequence[float], error: float, scale: float
) -> list[tuple[float, float]]:
    """The 95 % intervals that a record may mean; none if it names another method or level."""
    interval = mapping(mapping(result.uncertainty).get("confidence_interval"))
    method, mean = str(interval.get("method", "")).casefold(), statistics.fmean(values)
    if interval.get("confidence_level", 0.95) != 0.95 or method not in (
        "",
        "wilson",
        "normal",
        "t",
    ):
        return []
    of_share = None
    if set(values) <= {0.0, scale}:
        of_share = proportion_uncertainty(round(math.fsum(values) / scale), len(values))
    found = [(mean - 1.96 * error, mean + 1.96 * error), mean_interval(values)]
    if of_share:
        ends = of_share["confidence_interval"]
        found.insert(0, (ends["lower"] * scale, ends["upper"] * scale))
    return [each for each in found if each]


def _near(value: float, right: Sequence[float]) -> bool:
    return any(
        math.isclose(value, each, rel_tol=_NEAR, abs_tol=1e-9) or are_close(value, each)
        for each in right
    )


def loader(name: str, dtype: str | None) -> Callable[[Claim, Settings], AnyModel]:
    """Loads a model as the record says: its dtype, and tokens before sentences."""

    @lru_cache(maxsize=1)  # records of one run have one dtype
    def loaded(dtype: str, bos: str) -> AnyModel:
        from evalmark.scoring.models.load_models import load_model

        return load_model(name, dtype=dtype, bos=bos)

    def load(claim: Claim, settings: Settings) -> AnyModel:
        return loaded(dtype or str(claim.model.get("dtype", "float32")), settings.bos)

    return load


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
        is_record = reading.readable and identify(reading.data).is_record
        if not reading.readable and (file == path or has_signs(raw, str(file))):
            none = False
            yield Claim(str(file), {}, {}, (), "it cannot be read: `evalmark check` says why")
        elif is_record and isinstance(reading.data, dict):
            none = False
            yield read_claim(file, reading.data)
    if none:
        raise ScoringError(f"{path}: no record, so nothing to verify")
