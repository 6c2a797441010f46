"""Verification: whether a record's numbers follow from its samples, and its samples from a model.

First come the errors that ``check`` finds, such as samples of another checksum, and outputs that
contradict their scores. Of every result, score, number of items, standard error and interval are
computed again from the rows beside the record. With the file that was scored, its items are those
of the record (``source_items``). Of items drawn at random, the sentences are scored again with the
model and the settings of the record: their surprisals are compared with the recorded ones, and the
outcome that follows from those with the recorded outcome. A record whose share p of items is false
is found by n of them with probability 1 - (1 - p)^n.

Surprisals may differ by what rounding can do to them in the less exact of both dtypes, with t the
margin of a token (``rounding``) and u half the step between numbers: a text of n tokens by
√n t + 2 u × its bits, a token by 2 t + 4 u × (its bits + the mean of its text, since the other
tokens show how sharp a model is). Of 7 models in float16 and bfloat16
against float32, errors were at most .6 and .9 of this.
"""

from __future__ import annotations

import json
import math
import random
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.record_run import rows_of, run_of_record
from evalmark.schemas.errors import ContradictionError, EvalmarkError, ScoringError
from evalmark.scoring.comparison.compared_run import ROUNDED
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.pairs.text_scores import ScoredText, error_in_tokens, text_score
from evalmark.scoring.runs.run_tables import view_of_run
from evalmark.scoring.runs.suite_views import REGIONS
from evalmark.scoring.score_settings import Settings, kind_of_model, settings_of_record
from evalmark.scoring.source_items import SourceItems, compare_with_source
from evalmark.scoring.suites.regions import region_value
from evalmark.scoring.surprisals.rounding import Rounding, rounding_of
from evalmark.scoring.surprisals.sentence_surprisals import token_surprisals
from evalmark.stats.intervals import (
    CONFIDENCE,
    QUANTILE,
    average_interval,
    mean_error,
    mean_interval,
    wilson_interval,
)
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Severity
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.records.compared_records import are_close
from evalmark.validator.formats.records.record_fields import fields_in
from evalmark.validator.formats.records.record_view import RecordResult, view_of
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_rules import SampleView, sample_view
from evalmark.validator.formats.shared.field_layout import replaced
from evalmark.validator.formats.shared.json_values import mapping, number
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Reference,
    parse_formula,
    references,
)
from evalmark.validator.formats.suites.formula.meaning import evaluate, is_close
from evalmark.validator.formats.suites.suite import (
    NO_SPACE_BEFORE,
    Sentence,
    is_spaced,
    join_regions,
)
from evalmark.validator.formats.unrecognized import has_signs
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.pair_columns import NO_TABLES, PairTables
from evalmark.validator.reading.reading import read

#: The dtype, ``bos`` and kind that a record states -> the model.
Load = Callable[[str, str, str], LanguageModel | MaskedLanguageModel]

#: Bits by which the surprisal of a text may differ at least: devices and sizes of packs differ.
LEAST = 1e-4
#: By how much of itself, or of the error, a recomputed error or end of an interval may differ.
_NEAR = 1e-3
_DIGESTS = {"weights_sha256": "weights", "tokenizer_sha256": "tokenizer"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A number of a result or an item that does not follow: what it is, and what it should be."""

    where: str
    what: str
    recorded: Any
    computed: Any


@dataclass(frozen=True, slots=True)
class CheckError:
    """An error of a record or of its samples, as ``check`` has it."""

    code: str
    message: str
    path: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Verification:
    """The findings about a record."""

    path: str  # the record
    #: What ``check`` finds in it and in its samples; no item is scored again then.
    errors: tuple[CheckError, ...] = ()
    why: str = ""  # why it, or its items, cannot be verified; empty if they can
    #: Parts of the model that are not the record's: ``weights``, ``tokenizer``.
    differs: tuple[str, ...] = ()
    recomputed: int = 0  # results whose numbers were computed again
    results: int = 0  # all of its results
    numbers: tuple[Disagreement, ...] = ()  # those of them that do not follow from the samples
    drawn: int = 0  # items that were scored again
    total: int = 0  # all of its items
    items: tuple[Disagreement, ...] = ()  # the disagreements of the items that do not agree
    tolerance: float = 0.0  # bits by which texts of the drawn items may differ at most
    hashes: tuple[str, ...] = ()  # samples whose ``sample_hash`` is not that of their texts
    #: What reports refuse: a count of a run of ours that is not that of its samples.
    contradiction: str = ""
    #: The comparison with the file that was scored; None if it was not given.
    source: SourceItems | None = None

    @property
    def agrees(self) -> bool:
        """True if everything that was compared agrees, and nothing contradicts itself."""
        is_of_source = self.source is None or self.source.agrees
        wrong = self.errors, self.numbers, self.items, self.hashes, self.contradiction
        return is_of_source and not any(wrong)


@dataclass(frozen=True, slots=True)
class Claim:
    """A record with its results by name and id, its samples, ``why`` there are none, its errors."""

    path: str
    data: Mapping[str, Any]
    results: Mapping[str, RecordResult]
    rows: Sequence[SampleView]
    why: str = ""
    errors: tuple[CheckError, ...] = ()


def claims_at(path: Path) -> Iterator[Claim]:
    """The records at a path: a file, or those in a folder; raises ScoringError if there is none."""
    none = True
    for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
        raw = read_whole(file)
        reading = read(raw, str(file))
        if not reading.readable and (file == path or has_signs(raw, str(file))):
            none = False
            yield Claim(str(file), {}, {}, (), "it cannot be read: `evalmark check` says why")
        elif isinstance(reading.data, dict) and identify(reading.data).is_record:
            none = False
            yield replace(_claim(file, reading.data), errors=_errors(file))
    if none:
        raise ScoringError(f"{path}: no record, so nothing to verify")


def _errors(path: Path) -> tuple[CheckError, ...]:
    """What is wrong with a record and its samples, whatever the settings of its folder ignore."""
    return tuple(
        CheckError(f.code, f.message, f.path, f.span.line if f.span else None)
        for f in Checker().file(path).findings
        if f.severity is Severity.ERROR
    )


def _claim(path: Path, data: Mapping[str, Any]) -> Claim:
    document = identify(data, "record")
    results = _by_name(view_of(document).results)
    if results is None:
        return Claim(str(path), data, {}, (), "two results have one id, or one name and no id")
    link = companion(data, str(path))
    if link is None or link.problem is not None:
        why = link.problem.message if link and link.problem else "the record names no samples"
        return Claim(str(path), data, results, (), why)
    rows = [*_with_regions(rows_of(link), document.version)]
    return Claim(str(path), data, results, rows, "" if rows else "the sample file is empty")


def _with_regions(rows: Iterable[dict[str, Any]], version: str | None) -> Iterator[SampleView]:
    """Rows whose metadata has the regions of their item, which only the first of each has."""
    known: dict[str, str] = {}
    for data in rows:
        row = sample_view(data, version)
        name, metadata = str(row.get("sample_id")), _metadata(row)
        if REGIONS in metadata:
            known[name] = metadata[REGIONS]
        elif name in known:
            whole = {**metadata, REGIONS: known[name]}
            row = sample_view(replaced(data, row.layout["metadata"], whole), version)
        yield row


def _by_name(results: Iterable[RecordResult]) -> dict[str, RecordResult] | None:
    """The results by their ids, and by names that only one of them has.

    Two metrics of one task have one name, and rows say by an id which of them they are of. None if
    rows cannot say it: two results have one id, or one name and no id.
    """
    by_id: dict[str, RecordResult] = {}
    by_name = defaultdict[str, list[RecordResult]](list)
    for result in results:
        if isinstance(result.identity, str):
            if result.identity in by_id:
                return None
            by_id[result.identity] = result
        if isinstance(result.name, str):
            by_name[result.name].append(result)
    if any(len(group) > 1 and any(r.identity is None for r in group) for group in by_name.values()):
        return None
    return {name: group[0] for name, group in by_name.items() if len(group) == 1} | by_id


def verify(
    claim: Claim,
    load: Load | None,
    *,
    items: int,
    seed: int,
    source: Sequence[str] = (),
    tables: PairTables = NO_TABLES,
) -> Verification:
    """Verify a record: its numbers and, with a model, items drawn at random if ``check`` passes.

    ``load`` gives the model as the record states that it was read; None verifies numbers alone.
    ``items`` is how many are scored again; ``seed`` decides which. ``source`` has the files that
    were scored, if they are at hand.

    Raises:
        ScoringError: The model cannot be loaded, or does not read a sentence, or a file is neither
            a suite nor one of minimal pairs.
        OSError: A file cannot be read.
    """
    if claim.why:
        return Verification(claim.path, claim.errors, f"unverifiable: {claim.why}")
    found = replace(
        _numbers(claim), hashes=tuple(_other_hashes(claim)), contradiction=_contradiction(claim)
    )
    if source:
        compared = compare_with_source(claim.results, claim.rows, source, tables)
        found = replace(found, source=compared)
    if load is None or claim.errors:
        return found
    settings = _settings(claim)
    if isinstance(settings, str):
        return replace(found, why=f"no item can be scored again: {settings}")
    return _scored_again(claim, found, settings, load, items, seed)


def _scored_again(
    claim: Claim,
    found: Verification,
    settings: Settings,
    load: Load,
    items: int,
    seed: int,
) -> Verification:
    by_item = defaultdict[str, list[SampleView]](list)
    for row in claim.rows:
        by_item[str(row.get("sample_id"))].append(row)
    chosen = random.Random(seed).sample(sorted(by_item), min(items, len(by_item)))
    rows = [row for name in chosen for row in by_item[name]]
    texts = sorted({text for row in rows for text in _texts(row, claim.results)})
    about = mapping(fields_in(claim.data).get("about_model"))
    stated = {key: str(value) for key, value in about.items()}
    model = load(stated.get("dtype", "float32"), settings.bos, kind_of_model(stated))
    info, sentences = model.info, [Sentence(text, ((0, len(text)),)) for text in texts]
    scored = token_surprisals(model, sentences, settings)
    bits = {text: [t.bits for t in tokens] for text, tokens in zip(texts, scored, strict=True)}
    both = (rounding_of(m, settings.boundary) for m in (info, replace(info, details=stated)))
    rounding = max(both, key=lambda candidate: candidate.token)

    wrong: dict[str, Disagreement] = {}
    for row in rows:
        for disagreement in (
            *_surprisal_disagreements(row, _texts(row, claim.results), bits, rounding),
            *_outcome_disagreement(row, claim.results, rounding),
        ):
            wrong.setdefault(disagreement.where, disagreement)
    return replace(
        found,
        differs=_differing_parts(stated, info.details),
        drawn=len(chosen),
        total=len(by_item),
        items=tuple(wrong.values()),
        tolerance=max(
            (_tolerance(surprisals, rounding) for surprisals in bits.values()), default=0.0
        ),
    )


def _differing_parts(stated: Mapping[str, str], details: Mapping[str, str]) -> tuple[str, ...]:
    keys = [key for key in _DIGESTS if stated.get(key) not in (None, "", details.get(key))]
    is_as_it_is = stated.get("dtype") == details.get("dtype")  # else weights have other digests
    return tuple(_DIGESTS[key] for key in keys if key != "weights_sha256" or is_as_it_is)


def _settings(claim: Claim) -> Settings | str:
    first = next(iter(claim.results.values()), None)
    stated = mapping(first.get("more_settings")) if first else {}
    if not any(_metadata(row).keys() & {REGIONS, "surprisals"} for row in claim.rows):
        return "its samples have no surprisals of sentences"
    for key, usual, why in (
        ("boundary", "none", "its surprisals are those of whole words"),
        ("regions", "all", "only some regions of its sentences were computed"),
    ):
        if (value := stated.get(key)) not in (usual, None):
            return f"{why} ({key} {value})"
    return settings_of_record(stated) or "the record does not say how its sentences became numbers"


def _contradiction(claim: Claim) -> str:
    """The first count of a run of ours that is not that of its samples, as reports read it."""
    try:
        view_of_run(run_of_record(Path(claim.path), claim.data))
    except ContradictionError as error:
        return str(error.__cause__)  # without the path
    except ScoringError:  # a run of another program, or one with errors
        return ""
    return ""


def _other_hashes(claim: Claim) -> Iterator[str]:
    for row in claim.rows:
        stated, reference = row.get("sample_hash"), tuple(map(str, row.entries("reference")))
        is_ours = _metadata(row).keys() & {REGIONS, "surprisals"}
        if is_ours and stated and stated != sample_hash(str(row.get("raw")), reference):
            yield str(row.get("sample_id"))


# Items


def _metadata(row: SampleView) -> Mapping[str, Any]:
    return mapping(row.get("metadata"))


def _json(row: SampleView, key: str) -> Any:
    try:
        return json.loads(str(_metadata(row).get(key, "null")))
    except (ValueError, RecursionError):
        return None


def _surprisals_by_region(row: SampleView) -> dict[str, dict[str, Any]] | None:
    """Condition -> region -> the surprisals of its tokens; None if a row has no regions."""
    stated = _json(row, REGIONS)
    if not isinstance(stated, dict):
        return None
    found: dict[str, dict[str, Any]] = {}
    for name, columns in stated.items():
        numbers, bits = mapping(columns).get("numbers"), mapping(columns).get("surprisals")
        if isinstance(numbers, list) and isinstance(bits, list):
            found[name] = dict(zip(map(str, numbers), bits, strict=False))
    return found


def _texts(row: SampleView, results: Mapping[str, RecordResult]) -> list[str]:
    """The texts of a row: of a pair its choices, of an item of a suite its sentences."""
    choices = row.get("choices")
    if isinstance(choices, list):
        return [*map(str, choices)]
    raw, result = str(row.get("raw")), results.get(str(row.result[1]))
    lines, regions = raw.split("\n"), mapping(_json(row, REGIONS))
    if regions and result is not None and len(lines) != len(regions):
        with suppress(LookupError, TypeError, ValueError):  # whatever a sample may have
            sentences = [_sentence(columns, result) for columns in regions.values()]
            if "\n".join(sentences) == raw:
                return sentences
    return lines


def _sentence(columns: Any, result: RecordResult) -> str:
    """A sentence, joined of its regions again: one with a line feed is several lines of a row."""
    unspaced = json.loads(str(_details(result).get(NO_SPACE_BEFORE, "null")))
    spaced = [is_spaced(number, unspaced) for number in columns["numbers"]]
    join = str(mapping(result.get("more_settings")).get("join", "core"))
    return join_regions([*map(str, columns["texts"])], join, spaced).text


def _recorded(row: SampleView) -> list[tuple[list[Any], int | None]]:
    """The surprisals of the tokens of each text, or their sum and the number of tokens."""
    regions = _surprisals_by_region(row)
    sums, counts = (_json(row, key) for key in ("surprisals", "tokens"))
    if isinstance(regions, dict):
        by_text = [mapping(region).values() for region in regions.values()]
        return [
            ([bits for part in region if type(part) is list for bits in part], None)
            for region in by_text
        ]
    if not (type(sums) is type(counts) is list and len(sums) == len(counts)):
        return []
    return [([bits], n if type(n) is int else 0) for bits, n in zip(sums, counts, strict=True)]


def _tolerance(surprisals: Sequence[float | None], rounding: Rounding) -> float:
    """How far the sum of surprisals may be off, in bits."""
    return max(
        LEAST, rounding.error([len(surprisals)]) + 2 * rounding.unit * (_sum(surprisals) or 0)
    )


def _agree(recorded: Sequence[Any], computed: Sequence[float | None], rounding: Rounding) -> bool:
    """Whether surprisals differ by no more than rounding may make them differ.

    Each token is compared as well: what is moved from one region to another leaves the sum.
    """
    limits = [_tolerance(computed, rounding)]
    mean = (_sum([bits or 0 for bits in computed]) or 0) / max(len(computed), 1)
    limits += [
        max(LEAST, 2 * rounding.token + 4 * rounding.unit * ((bits or 0) + mean))
        for bits in computed
    ]
    old, new = [_sum(recorded), *map(number, recorded)], [_sum(computed), *computed]
    return all(
        a is b or (a is not None and b is not None and abs(a - b) <= limit)
        for a, b, limit in zip(old, new, limits, strict=True)
    )


def _surprisal_disagreements(
    row: SampleView,
    texts: Sequence[str],
    bits: Mapping[str, Sequence[float | None]],
    rounding: Rounding,
) -> Iterator[Disagreement]:
    """The first text of a row whose recorded surprisals are not those of the model."""
    recorded, where = _recorded(row), str(row.get("sample_id"))
    if len(recorded) != len(texts):
        yield Disagreement(where, "texts with surprisals", len(recorded), len(texts))
        return
    for text, (values, count) in zip(texts, recorded, strict=True):
        tokens = bits[text] if count is None else bits[text][-max(count, 1) :]
        if count is not None:  # their sum alone is recorded
            old = number(values[0])
            new, limit = _sum(tokens), _tolerance(tokens, rounding)
            if old is new or (old is not None and new is not None and abs(old - new) <= limit):
                continue
        elif len(values) != len(tokens):
            yield Disagreement(where, f"tokens of {text!r}", len(values), len(tokens))
            return
        elif _agree(values, tokens, rounding):
            continue
        yield Disagreement(where, f"bits of {text!r}", _sum(values), _sum(tokens))
        return


def _sum(values: Sequence[Any]) -> float | None:
    numbers = [value for value in map(number, values) if value is not None]
    return sum(numbers) if len(numbers) == len(values) else None


def _outcome_disagreement(
    row: SampleView, results: Mapping[str, RecordResult], rounding: Rounding
) -> Iterator[Disagreement]:
    """The recorded outcome, if it does not follow from the recorded surprisals."""
    score, regions = row.number("score"), _surprisals_by_region(row)
    # An undefined value decides nothing; nor does what is not a formula, a metric or a number.
    with suppress(EvalmarkError, ArithmeticError, LookupError, TypeError, ValueError):
        expected, is_close_call = (
            _holds(row, regions, _details(results[str(row.result[1])]), rounding)
            if isinstance(regions, dict)
            else _prefers(row, rounding)
        )
        # Rounding may have decided an item that says so, if it is as close as that.
        is_open = is_close_call and _metadata(row).get(ROUNDED) == "true"
        if None in (score, expected) or is_open:
            return
        if not math.isclose(expected, score, abs_tol=1e-6):  # type: ignore[arg-type]
            yield Disagreement(str(row.get("sample_id")), "score", score, expected)


def _holds(
    row: SampleView, regions: Mapping[str, Any], details: Mapping[str, Any], rounding: Rounding
) -> tuple[float, bool]:
    """1 if the formulas of a row hold for the values of its regions, and if that is close."""
    metric = str(details.get("metric", "sum"))

    def tokens_of(reference: Reference) -> list[Any]:
        condition = mapping(regions.get(reference.condition))
        wanted = condition if reference.region is None else [str(reference.region)]
        return [condition.get(name, ()) for name in wanted]

    def value_of(reference: Reference) -> float:
        return sum(region_value(bits, metric) for bits in tokens_of(reference))  # type: ignore[misc]

    def error_of(comparison: Comparison) -> float:
        every = (bits for reference in references(comparison) for bits in tokens_of(reference))
        return rounding.error(rounding.parts(bits, metric) for bits in every)

    trees = [parse_formula(formula).tree for formula in row.entries("reference")]
    is_close_call = any(is_close(tree, value_of, error_of) for tree in trees)
    return float(all(evaluate(tree, value_of) for tree in trees)), is_close_call


def _prefers(row: SampleView, rounding: Rounding) -> tuple[float | None, bool]:
    """The outcome of a pair: 1 if its first text has the lowest score, or its share."""
    method, sides = (
        str(_metadata(row).get("method")),
        zip(_texts(row, {}), _recorded(row), strict=True),
    )
    first, *others = (
        ScoredText(number(bits), 0, (place,) * (count or 0), len(text))
        for place, (text, ([bits], count)) in enumerate(sides)
    )
    least = min(others, key=lambda side: text_score(side, method))  # type: ignore[arg-type, return-value]
    better = text_score(least, method) - text_score(first, method)  # type: ignore[operator]
    if "outcome" not in _metadata(row):
        return float(1 / (1 + 2 ** min(1000.0, -better))), False
    margin = rounding.error([error_in_tokens(first, least, method, shares=False)])
    return float(better > 0) if better else None, abs(better) <= margin


# Numbers


def _numbers(claim: Claim) -> Verification:
    scores = defaultdict[int, list[float]](list)
    for row in claim.rows:
        result, score = claim.results.get(str(row.result[1])), row.number("score")
        if result is not None and score is not None and math.isfinite(score):
            scores[result.index].append(score)
    by_index = {result.index: result for result in claim.results.values()}
    meant = {index: _meant(by_index[index], values) for index, values in scores.items()}
    for index in by_index.keys() - meant.keys():
        if parts := _parts(by_index[index], ((by_index[i], group) for i, group in scores.items())):
            meant[index] = _meant_by_parts(by_index[index], parts)
    without = len(by_index) - len(meant)
    why = f"unverifiable: {without} of its results have no samples with scores" if without else ""
    return Verification(
        claim.path,
        claim.errors,
        why if by_index else "unverifiable: the record has no results that are named",
        recomputed=len(meant),
        results=len(by_index),
        numbers=tuple(
            Disagreement(_name_of(by_index[index], claim), noun, recorded, computed[0])
            for index, numbers in meant.items()
            for noun, (recorded, computed, near) in numbers.items()
            if recorded is not None and computed and not _is_one_of(recorded, computed, near)
        ),
    )


def _name_of(result: RecordResult, claim: Claim) -> str:
    name = str(result.name)
    return name if name in claim.results else f"{name} ({result.identity})"


def _is_one_of(recorded: float, computed: Sequence[float], near: tuple[float, float]) -> bool:
    by, least = near
    return any(
        math.isclose(recorded, value, rel_tol=by, abs_tol=least) or are_close(recorded, value)
        for value in computed
    )


def _details(result: RecordResult) -> Mapping[str, Any]:
    return mapping(result.get("details"))


def _parts(
    average: RecordResult, scored: Iterable[tuple[RecordResult, Sequence[float]]]
) -> list[Sequence[float]]:
    """The scores of each UID that a result without samples averages, if it is such a mean."""
    details, name = _details(average), str(average.name).removesuffix("/average")
    parts = [v for result, v in scored if mapping(result.get("about_data")).get("set") == name]
    is_plain = details.get("averaged") == f"mean over {len(parts)} UIDs"
    return parts if is_plain and "accuracy_of_all_pairs" in details else []


#: A statement about a result: what its samples can mean, and how near: relative, absolute.
_Meant = dict[str, tuple[float | None, Sequence[float], tuple[float, float]]]
_EXACT = 1e-9, 1e-6


def _meant_by_parts(result: RecordResult, parts: Sequence[Sequence[float]]) -> _Meant:
    shares, counts = [statistics.fmean(part) for part in parts], [len(part) for part in parts]
    ends = zip(("lower", "upper"), average_interval(shares, counts), strict=True)
    near = _NEAR, 0.0
    return {
        "score": (result.score, [statistics.fmean(shares)], _EXACT),
        "number of items": (result.number("num_samples"), [sum(counts)], _EXACT),
        **{f"{n} end of the interval": (result.number(n), [end], near) for n, end in ends},
    }


def _meant(result: RecordResult, values: Sequence[float]) -> _Meant:
    count, stated = len(values), result.number("num_samples")
    scale = 100.0 if result.high == 100 and max(values) <= 1 else 1.0
    whole = [value * scale for value in values]
    meant: _Meant = {
        "score": (result.score, [statistics.fmean(whole)], _EXACT),
        "number of items": (stated, [count], _EXACT),
    }
    if count > 1 and result.get("uncertainty") and stated in (None, count):
        error = mean_error(whole)
        near = _NEAR, _NEAR * error
        if result.get("error_method") in (None, "analytic"):
            both = error, error * math.sqrt((count - 1) / count)
            meant["standard error"] = result.number("standard_error"), both, near
        for end, *ends in zip(("lower", "upper"), *_intervals(result, whole, scale), strict=True):
            meant[f"{end} end of the interval"] = result.number(end), ends, near
    return meant


def _intervals(
    result: RecordResult, values: Sequence[float], scale: float
) -> list[tuple[float, float]]:
    """The 95 % intervals that a record may mean; none if it names another method or level."""
    method = str(result.get("interval_method") or "").casefold()
    if result.get("level") not in (None, CONFIDENCE) or method not in ("", "wilson", "normal", "t"):
        return []
    mean, half = statistics.fmean(values), QUANTILE * mean_error(values)
    found = [(mean - half, mean + half), mean_interval(values) or (mean, mean)]
    if set(values) <= {0.0, scale}:
        low, high = wilson_interval(mean / scale, len(values))
        found.insert(0, (low * scale, high * scale))
    return found
