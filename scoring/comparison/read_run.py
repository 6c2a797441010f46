"""From a path to a run to compare, whichever program wrote it."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.importers.importer import Importer
from evalmark.converters.importers.lm_eval_samples import PAIR_ID, UID
from evalmark.converters.importers.registry import (
    import_results,
    importer_of,
    importer_of_folder,
    importer_of_path,
)
from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.run import Run
from evalmark.converters.records.v0_3_0 import record_of, row_of
from evalmark.converters.step import NOTHING, as_text
from evalmark.converters.syntax import parsed_value
from evalmark.schemas.errors import (
    ConversionError,
    EvalmarkError,
    InvalidDocument,
    Rejected,
    ScoringError,
)
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
    ComparedRun,
    ComparedSuite,
    ItemScore,
    RunKind,
    ScoredItems,
    all_of,
    by_id,
    conjunction,
)
from evalmark.scoring.comparison.conversations import TESTS
from evalmark.scoring.runs.run_files import SCORES, is_of_pairs
from evalmark.scoring.score_settings import BOS_RULES
from evalmark.scoring.surprisals.rounding import margin_text
from evalmark.validator.checker import Checker
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.pairs.pair_sets import language_of
from evalmark.validator.formats.records.record_view import view_of
from evalmark.validator.formats.records.samples.companions import companion
from evalmark.validator.formats.records.samples.sample_view import sample_view
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.strict_json import decode

Object = Mapping[str, Any]
#: Keys that identify the prompts of a judge.
_PROMPTS = ("prompt_sha256", "prompts_of_the_dataset_sha256")
#: Kinds of runs. A record is of the first one that recognizes a result; else its items are samples.
KINDS: tuple[RunKind, ...] = (
    RunKind(SUITES, lambda result: "suite_digest" in _details(result)),
    RunKind(PAIRS, lambda result: "impossible_pairs" in _details(result)),
    TESTS,
    RunKind(SAMPLES, lambda _: True),
)


class _Row(NamedTuple):
    """A sample row.

    Attributes:
        result: For which result it is.
        sample: Its own id.
        item: The id of its item, which several samples have if it was repeated.
        score: Its score.
        says_ties: Whether it says if rounding decided it.
    """

    result: str
    sample: str
    item: str
    score: ItemScore
    says_ties: bool


def run_of_imports(path: Path, runs: Sequence[Run]) -> ComparedRun:
    """Runs of one model by another program, as its importer has read them: one for each task."""
    parts = [_run(path, record_of(r), (row_of(s, r) for s in r.samples)) for r in runs]
    return replace(
        parts[0],
        suites=tuple(suite for run in parts for suite in run.suites),
        without_samples=tuple(name for run in parts for name in run.without_samples),
        without_score={name: why for run in runs for name, why in _without_score(run).items()},
    )


def _without_score(run: Run) -> dict[str, str]:
    """The items of a run that have no score, and why."""
    reasons = {name: why for kind in KINDS for name, why in kind.left_out(run).items()}
    return {**reasons, **run.unusable}


def rows_of_file(path: str, raw: bytes) -> Iterator[Object]:
    """The rows of a sample file.

    Raises:
        ScoringError: A line is not a sample.
    """
    for number, line in enumerate(raw.split(b"\n"), 1):
        if line.strip():
            reading = read(line, "row.json")
            if not reading.readable or not isinstance(reading.data, dict):
                raise ScoringError(f"{path}, line {number}: not a sample")
            yield reading.data


def _run(path: Path, record: Object, rows: Iterable[Object]) -> ComparedRun:
    version = identify(record, "record").version
    results = {
        str(result.get("identity") or result.name): result.data
        for result in view_of(identify(record, "record")).results
    }
    kind = next(kind for kind in KINDS if any(map(kind.recognizes, results.values())))
    grouped: dict[str, list[_Row]] = {}
    for data in rows:
        row = _row(data, version, results, kind)
        if row is not None and NOT_COMPARED not in _details(results[row.result]):
            grouped.setdefault(row.result, []).append(row)
    model = record.get("model_info") or {}
    facts = {key: as_text(value) for key, value in (model.get("additional_details") or {}).items()}
    if model.get("inference_engine"):
        facts["engine"] = as_text(model["inference_engine"].get("name"))
    bos = facts.pop("bos", None)
    suites = _suites({name: results[name] for name in results if name in grouped}, grouped, bos)
    without = [
        _name(result)
        for name, result in results.items()
        if name not in grouped and not kind.is_total(result)
    ]
    return ComparedRun(
        path, str(model.get("id") or path), facts, tuple(suites), tuple(without), kind.words
    )


def _name(result: Object) -> str:
    """The name of a result: that of its evaluation, with its id if that says more."""
    name, identity = result.get("evaluation_name"), result.get("evaluation_result_id")
    if identity in (None, name) or "suite_digest" in _details(result):
        return str(name)
    return f"{name}/{str(identity).replace(':', '/')}"


def _row(
    data: Object, version: str | None, results: Mapping[str, Object], kind: RunKind
) -> _Row | None:
    """A row; None if it belongs to no result of the record, or has no score."""
    view = sample_view(data, version)
    score = view.number("score")
    names = (view.get("identity"), view.get("evaluation_name"))
    result = next((str(name) for name in names if name in results), None)
    if score is None or result is None:
        return None
    # Of a suite, the formula is compared on its own.
    reference = () if "suite_digest" in _details(results[result]) else view.entries("reference")
    metadata = data.get("metadata") or {}
    raw = view.get("raw")
    text = kind.text(metadata) or sample_hash(raw, tuple(reference))
    bare = _without_spaces(raw, reference) if "\n " in f"\n{raw}" else None
    sample, epoch = str(view.get("sample_id")), metadata.get("epoch")
    item = sample if epoch is None else sample.removesuffix(f"#{epoch}")
    item = str(metadata.get(PAIR_ID, item))
    rounded = metadata.get(ROUNDED)
    if metadata.get(OUTCOME) in NEVER_RIGHT:
        score = 0.0
    scored = ItemScore(score, rounded == "true", text, bare)
    return _Row(result, sample, item, scored, rounded is not None)


def _without_spaces(raw: Any, reference: Sequence[Any]) -> str | None:
    """The hash of texts, one a line, without the spaces before them."""
    if not isinstance(raw, str) or not all(isinstance(text, str) for text in reference):
        return None
    lines = "\n".join(line.lstrip(" ") for line in raw.split("\n"))
    return sample_hash(lines, tuple(text.lstrip(" ") for text in reference))


def _suites(
    results: Mapping[str, Object], grouped: Mapping[str, list[_Row]], bos: str | None
) -> Iterator[ComparedSuite]:
    """The suites of a record of ours, and the results of others, in the order of the results."""
    parts: dict[str, dict[str, str]] = {}
    for key, result in results.items():
        label, prediction = _name(result), ""
        if "suite_digest" in _details(result):
            label, _, prediction = label.rpartition("/")
        parts.setdefault(label, {})[prediction] = key
    for label, keys in parts.items():
        if keys.keys() == {"1", ALL}:
            del keys[ALL]  # the same
        first = results[next(iter(keys.values()))]
        details = _details(first)
        settings = _settings(first)
        if bos is not None and settings.get("bos") in BOS_RULES:
            settings["bos"] = bos
        columns = {
            prediction: _column(results[key], label, grouped[key])
            for prediction, key in keys.items()
        }
        if ALL in columns:
            whole = columns.pop(ALL)
            columns[ALL] = replace(whole, asks=all_of(columns.values()))
        source = first.get("source_data") or {}
        uid = (source.get("additional_details") or {}).get(UID)
        dataset = str(source.get("dataset_name") or "")
        name = uid or dataset or label
        yield ComparedSuite(
            label,
            str(name),
            str(details["metric"]) if "metric" in details else None,
            columns,
            settings,
            **(_group(dataset, details.get("language")) if "impossible_pairs" in details else {}),
        )


def _group(of: str, language: object) -> dict[str, str]:
    """The set of a UID and its language, unknown to be that of other sets if nothing says it.

    Rows that say theirs are averaged by it.
    """
    group = f"{of} ({language})" if language else of
    return {"group": group, "language": str(language or language_of(of) or of)}


def _details(result: Object) -> Mapping[str, str]:
    return (result.get("score_details") or {}).get("details") or {}


def _settings(result: Object) -> dict[str, str]:
    generation = result.get("generation_config") or {}
    settings = {
        **(generation.get("generation_args") or {}),
        **generation.get("additional_details", {}),
    }
    return {key: as_text(value) for key, value in settings.items()} | _judging(result)


def _judging(result: Object) -> dict[str, str]:
    """The judges of replies and their prompts; empty if there are none, or none is stated."""
    scoring = (result.get("metric_config") or {}).get("llm_scoring") or {}
    if not scoring:
        return {}
    judges = [(judge.get("model_info") or {}).get("id") for judge in scoring.get("judges") or ()]
    details = scoring.get("additional_details") or {}
    stated = [details[key] for key in _PROMPTS if key in details] or [scoring.get("input_prompt")]
    return {"judge": ", ".join(map(str, judges)), "judge_prompt": ", ".join(map(str, stated))}


def _column(result: Object, label: str, rows: Sequence[_Row]) -> ScoredItems:
    metric = result["metric_config"]
    once, repeated = by_id((row.sample, row.score) for row in rows)
    items: dict[str, list[ItemScore]] = {}
    for row in rows:
        if row.sample in once:
            items.setdefault(row.item.removeprefix(f"{label}/"), []).append(row.score)
    direction = metric.get("lower_is_better")
    ties = str(_details(result).get("ties") or "0")
    # The result of a suite is described by its formula.
    described = "evaluation_description" if "suite_digest" in _details(result) else ""
    asks = str(metric.get("metric_name" if "metric_name" in metric else described) or "")
    return ScoredItems(
        asks=same_name(asks),
        items={name: _mean(scores) for name, scores in items.items()},
        repeated=frozenset(name.removeprefix(f"{label}/") for name in repeated),
        unplaced_ties=int(ties) if ties.isdecimal() and not any(r.says_ties for r in rows) else 0,
        lower_is_better=direction if isinstance(direction, bool) else None,
        bounds=_bounds(metric),
        chance=_chance(_details(result)),
    )


def _chance(stated: Mapping[str, Any]) -> float | None:
    """The accuracy by chance that our runs and records state."""
    try:
        return float(Fraction(str(stated.get("chance_fraction") or stated["chance"])))
    except (KeyError, ValueError, ZeroDivisionError):
        return None


def _bounds(metric: Object) -> tuple[float, float] | None:
    """The least and the greatest score of a metric, if it states both."""
    low, high = metric.get("min_score"), metric.get("max_score")
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low, high
    return None


def _mean(scores: Sequence[ItemScore]) -> ItemScore:
    """The score of an item that was repeated: the mean over its repetitions."""
    if len(scores) == 1:
        return scores[0]
    return ItemScore(
        statistics.fmean(score.score for score in scores),
        any(score.is_tie for score in scores),
        scores[0].text,
        scores[0].bare,
    )


#: Members of ``model`` that are not facts about it.
_NAMES = ("id", "name", "engine")


def run_of_scores(path: Path, data: Mapping[str, Any]) -> ComparedRun:
    """The run of suites."""
    model, facts, settings = known_of(path, data)
    return ComparedRun(
        path,
        model,
        facts,
        tuple(_suite(suite, settings) for suite in data["suites"]),
        words=SUITES,
    )


def known_of(path: Path, data: Mapping[str, Any]) -> tuple[str, dict[str, str], dict[str, str]]:
    """The id of the model, what is known of it, and the settings."""
    model = data.get("model") or {}
    facts = {key: as_text(value) for key, value in model.items() if key not in _NAMES}
    if model.get("engine"):
        facts["engine"] = as_text(model["engine"]["name"])
    settings = {key: as_text(value) for key, value in (data.get("settings") or {}).items()}
    # What the tokenizer had, rather than a rule.
    if settings.get("bos") in BOS_RULES and "bos" in facts:
        settings["bos"] = facts["bos"]
    if "computation" in data:
        settings["computation"] = as_text(data["computation"])
    if "rounding_margin" in data:  # as records have it
        settings["rounding_margin"] = margin_text(data["rounding_margin"])
    facts.pop("bos", None)
    return str(model.get("id") or path), facts, settings


def _suite(suite: Mapping[str, Any], settings: Mapping[str, str]) -> ComparedSuite:
    name, metric, predictions = str(suite["name"]), suite.get("metric"), suite["predictions"]
    ids = [str(number) for number in suite["item_numbers"]]
    texts = [str(text) for text in suite["item_hashes"]]
    rows = [_prediction_row(prediction, ids, texts) for prediction in predictions]
    columns = {
        str(place): _prediction_column(str(prediction.get("formula", "")), ids, row, prediction)
        for place, (prediction, row) in enumerate(zip(predictions, rows, strict=True), 1)
    }
    if len(columns) > 1:
        whole = [conjunction(of_item) for of_item in zip(*rows, strict=True)]
        stated = suite.get("conjunction") or {}
        columns[ALL] = _prediction_column(all_of(columns.values()), ids, whole, stated)
    return ComparedSuite(
        str(suite["label"]), name, None if metric is None else as_text(metric), columns,
        settings, str(suite["digest"]),
    )  # fmt: skip


def _prediction_row(
    prediction: Mapping[str, Any], ids: Sequence[str], texts: Sequence[str]
) -> list[ItemScore]:
    ties = {str(number) for number in prediction.get("ties") or ()}
    return [
        ItemScore(float(bool(outcome)), name in ties, text)
        for name, outcome, text in zip(ids, prediction["outcomes"], texts, strict=True)
    ]


def _prediction_column(
    asks: str, ids: Sequence[str], row: Sequence[ItemScore], stated: Mapping[str, Any]
) -> ScoredItems:
    items, repeated = by_id(zip(ids, row, strict=True))
    return ScoredItems(asks, items, repeated, chance=_chance(stated))


#: The question of a pair: the name of its metric in records.
_ASKS = "accuracy"


def run_of_pairs(path: Path, data: Mapping[str, Any]) -> ComparedRun:
    """The run. Correlations are not compared: they have no right and wrong items."""
    model, facts, settings = known_of(path, data)
    accuracies = [uid for uid in data["uids"] if "outcomes" in uid and "correlation" not in uid]
    others = tuple(str(uid["label"]) for uid in data["uids"] if "correlation" in uid)
    return ComparedRun(
        path, model, facts, tuple(_uid(uid, settings) for uid in accuracies), others, PAIRS
    )


def _uid(uid: Mapping[str, Any], settings: Mapping[str, str]) -> ComparedSuite:
    ties = set(uid["ties"])
    rows = zip(uid["item_ids"], uid["outcomes"], uid["item_hashes"], strict=True)
    items, repeated = by_id(
        (name, ItemScore(float(outcome), name in ties, text)) for name, outcome, text in rows
    )
    return ComparedSuite(
        str(uid["label"]),
        str(uid["name"]),
        None,
        {"": ScoredItems(_ASKS, items, repeated, chance=_chance(uid))},
        {**settings, "method": str(uid["method"])},
        **_group(str(uid.get("set", "")), (uid.get("labels") or {}).get("language")),
    )


#: The kinds of runs, for messages.
_EXPECTED = "a record with its samples, the results of an importer, or the folder of a run"


def read_run(path: Path) -> ComparedRun:
    """A run: a folder, its ``scores.json``, a record, or the results of another program.

    Raises:
        ScoringError: It is none of these, or it has no samples.
        OSError: It cannot be read.
    """
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except ConversionError as error:
        raise ScoringError(f"{path} cannot be compared: {error}") from error
    except (InvalidDocument, Rejected) as error:
        raise _not_a_run(path, error) from error


#: Errors of a member that is missing, or that has another kind of value than it should.
_MALFORMED = (AttributeError, KeyError, IndexError, TypeError, ValueError)


def _not_a_run(path: Path, error: Exception) -> ScoringError:
    kind = "a scores.json of evalmark" if path.name == SCORES else "a run"
    return ScoringError(f"{path} is not {kind}: {error!r}")


def _run_of_ours(path: Path, data: Mapping[str, Any]) -> ComparedRun:
    """The run of a ``scores.json``, which has no schema: reading it shows what is wrong."""
    try:
        return run_of_pairs(path, data) if is_of_pairs(data) else run_of_scores(path, data)
    except _MALFORMED as error:
        raise _not_a_run(path, error) from error


def _run_of_record(path: Path, data: Object) -> ComparedRun:
    """The run of a record with the sample file that it names.

    An error is the file's if ``check`` finds one in it or its samples.
    """
    link = companion(data, str(path))
    if link is None:
        raise ScoringError(f"{path} names no sample file that can be read: nothing to compare")
    if link.problem is not None:
        raise ScoringError(f"{path}: {link.problem.message}")
    try:
        return _run(path, data, rows_of_file(link.path, link.whole()))
    except EvalmarkError:
        raise
    except _MALFORMED as error:
        if all(Checker().file(file).ok for file in (path, link.path)):
            raise  # a bug of ours
        raise _not_a_run(path, error) from error


def _folder(path: Path) -> ComparedRun:
    if (path / SCORES).exists():
        return read_run(path / SCORES)
    agents = sorted(p for p in (path / "results").glob("*") if p.is_dir())
    if len(agents) > 1:
        names = ", ".join(str(agent) for agent in agents)
        raise ScoringError(f"{path} has the results of several agents; name one: {names}")
    folder = agents[0] if agents else path
    if importer := importer_of_folder(folder):
        return _imported(importer, folder, None)
    records = sorted(path.rglob("*.json"))
    if len(records) == 1:
        return _file(records[0])
    raise ScoringError(
        f"{path} is not the folder of a run: there is no scores.json, no agent with results, and "
        f"{'no' if not records else 'more than one'} record"
    )


def _file(path: Path) -> ComparedRun:
    if importer := importer_of_path(path):
        return _imported(importer, path, None)
    if path.suffix == ".jsonl":
        raise ScoringError(
            f"{path} is not a run: samples are read with their record or their results_*.json; "
            "name that file"
        )
    try:
        data = parsed_value(decode(read_whole(path)), path.name)
    except Rejected as error:
        raise ScoringError(f"{path} is not UTF-8 text") from error
    is_of_suites = isinstance(data, dict) and "suites" in data and "items" not in data
    if is_of_suites or is_of_pairs(data):
        return _run_of_ours(path, data)
    if importer := importer_of(data, str(path)):
        return _imported(importer, path, data)
    if isinstance(data, dict) and identify(data).is_record:
        return _run_of_record(path, data)
    if path.name == SCORES:
        raise ScoringError(f"{path} is not a scores.json of evalmark")
    raise ScoringError(f"{path} is not a run: expected {_EXPECTED}")


def _imported(importer: Importer, path: Path, data: object) -> ComparedRun:
    runs = list(import_results(importer, path, data, NOTHING))
    models = {run.model.id for run in runs}
    if len(models) != 1:
        raise ScoringError(
            f"{path} has the results of {len(models)} models: convert it to records with "
            "`evalmark convert`, and compare two of these"
        )
    if all(next(iter(run.samples), None) is None for run in runs):
        read = f"read as {importer.what}"
        raise ScoringError(f"{path} has no samples, so items cannot be matched ({read})")
    return run_of_imports(path, runs)
