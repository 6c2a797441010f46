"""Rules on what a record says twice: in a field and in the command, in details, or next to it."""

from __future__ import annotations

import math
import re
import shlex
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from itertools import pairwise
from typing import Any

from evalmark.validator.findings.finding import Action, At, Hit
from evalmark.validator.findings.phrasing import quoted, shown
from evalmark.validator.formats.records.record_view import RecordResult, RecordView
from evalmark.validator.formats.records.rules.identity_rules import plain
from evalmark.validator.formats.shared.fields import mapping

#: Options of a command that name the model, besides ``pretrained=`` among its arguments.
_MODEL_OPTIONS = ("--model-name", "--model_name", "--model-path", "--model_path", "--model")
_IN_ARGUMENTS = re.compile(r"(?:^|,)(pretrained|model|model_name|temperature|top_p|top_k)=([^,]+)")
#: Settings that a command or free details may repeat.
_SETTINGS = ("temperature", "top_p", "top_k", "max_tokens", "max_attempts")
#: Keys of details that count what was right, and of how many.
_RIGHT = ("correct", "n_correct", "num_correct", "correct_count")
_OF = ("total", "n", "n_total", "num_samples", "total_count", "count")
#: Names of a result that sums up the others.
_AVERAGES = frozenset(("average", "avg", "mean", "overall average", "macro average", "macro avg"))
#: Digits that two results do not share by chance, and numbers of them that say so together.
_LONG, _TOGETHER = 3, 4


def command_contradicts(record: RecordView) -> Iterator[Hit]:
    """The command of an evaluation contradicts the record of it.

    A command that was pasted from another run names another model, sets another temperature, or
    ran fewer samples than the record counts.

    Bad: `"execution_command": "lm_eval --limit 10 …"`, and `"num_samples": 1000`
    Good: the command that ran
    """
    names = {result.name for result in record.results if isinstance(result.name, str)}
    parsed: dict[str, Mapping[str, str]] = {}  # results of one run have one command
    for result in record.results:
        # Most results say nothing of how they were generated.
        if result.settings is None or (command := result.text("command")) is None:
            continue
        if command not in parsed:
            parsed[command] = _options(command)
        for what, field, words in _command_faults(record, result, parsed[command], names):
            yield Hit(
                f"the command {what}",
                At(result.at("command")),
                labels=((At(result.at(field)), words),) if field else (),
                fold=what,
            )


def _options(command: str) -> Mapping[str, str]:
    """What a command sets: options, and the arguments in them."""
    try:
        words = shlex.split(command)
    except ValueError:
        return {}
    options: dict[str, str] = {}
    for word, after in pairwise([*words, ""]):
        name, equals, value = word.partition("=")
        if name.startswith("--"):
            options.setdefault(name, value if equals else after)
        for key, text in _IN_ARGUMENTS.findall(word if not word.startswith("--") else value):
            options.setdefault("pretrained" if key in ("model", "model_name") else key, text)
    return options


def _command_faults(
    record: RecordView, result: RecordResult, options: Mapping[str, str], names: Collection[str]
) -> Iterator[tuple[str, str, str]]:
    """What a command says otherwise: in words, the field that differs, and its label.

    ``names`` are those of all results.
    """
    models = [options[name] for name in ("pretrained", *_MODEL_OPTIONS) if name in options]
    hub = [name for name in models if re.fullmatch(r"[\w.-]+/[\w.-]+", name)]
    if hub and not any(_is_named(record, name) for name in models):
        yield f"runs {shown(hub[0])}, and the record is of {shown(record.model_id)}", "", ""
    for field in _SETTINGS:
        stated, ran = result.number(field), _number(options.get(field) or options.get(f"--{field}"))
        if stated is not None and ran is not None and stated != ran:
            yield f"sets {field} to {ran:g}", field, f"{stated:g} here"
    limit, scored = _number(options.get("--limit")), result.number("num_samples")
    if limit is not None and scored is not None and 1 <= limit < scored:
        yield f"runs {limit:g} samples", "num_samples", f"{scored:g} here"
    tasks = re.split(r"[, ]", options.get("--tasks", ""))
    if len(tasks) == 1 and tasks[0] in names and result.name != tasks[0]:
        yield f"runs {shown(tasks[0])}, which is another result", "", ""


def _is_named(record: RecordView, name: str) -> bool:
    """True if a record names a model, whoever has it and however it is written."""
    tail = plain(name.rpartition("/")[2])
    stated = [record.model_id, record.model_name, *mapping(record.get("about_model")).values()]
    return any(isinstance(text, str) and tail in plain(text) for text in stated)


def _number(text: object) -> float | None:
    try:
        return float(text) if isinstance(text, str | int | float) else None
    except ValueError:
        return None


def details_contradict(record: RecordView) -> Iterator[Hit]:
    """A free key repeats a field with another value.

    `additional_details` of the settings may have further settings, and `details` of a score counts
    of its answers. One that the format has a field for has the value of the field.

    Bad: `"temperature": 0.7`, and `"additional_details": {"temperature": "0.0"}`
    Good: the setting in its field alone
    """
    for result in record.results:
        settings = mapping(result.settings and result.get("more_settings"))
        for field in _SETTINGS if settings else ():
            stated, free = result.number(field), _number(settings.get(field))
            if stated is not None and free is not None and stated != free:
                yield Hit(
                    f"`{field}` is {free:g} in the details, and {stated:g} among the settings",
                    At(f"{result.at('more_settings')}/{field}"),
                    labels=((At(result.at(field)), "the setting"),),
                    fold=f"{field} {free} {stated}",
                )
        if hit := _other_share(result):
            yield hit


def _other_share(result: RecordResult) -> Hit | None:
    """The counts of right answers whose share is not the score."""
    details, score = result.get("details"), result.score
    if type(details) is not dict:
        return None
    right = next((key for key in _RIGHT if key in details), None)
    of = next((key for key in _OF if key in details), None)
    if right is None or of is None or score is None or not _is_accuracy(result):
        return None
    correct, total = _number(details[right]), _number(details[of])
    if correct is None or not total or not 0 <= correct <= total:
        return None
    share = correct / total
    # A score may be a mean over groups, whose share is near.
    if min(abs(score - share), abs(score / 100 - share)) <= 0.05:
        return None
    return Hit(
        f"{correct:g} of {total:g} in the details is a share of {share:.4g}, and the score is "
        f"{score:g}",
        At(result.at("score")),
        labels=((At(f"{result.at('details')}/{right}"), "the count"),),
    )


def _is_accuracy(result: RecordResult) -> bool:
    """True if the metric is the share of right answers."""
    names = (str(result.metric_id), str(result.metric_name))
    return any(plain(name) in ("accuracy", "acc", "exactmatch", "em") for name in names)


def neighbours_contradict(record: RecordView) -> Iterator[Hit]:
    """A result has what belongs to the result next to it.

    Copied entries keep the repository, the name or the numbers of the first one. An average is
    between the numbers that it is of.

    Bad: `"dataset_name": "mmlu"` with `"hf_repo": "example/npi"`, which the result of npi has too
    Good: the repository of mmlu
    """
    if len(record.results) < 2:
        return
    yield from _repositories(record)
    yield from _exchanged_names(record)
    yield from _same_numbers(record)
    yield from _odd_averages(record)


def _repositories(record: RecordView) -> Iterator[Hit]:
    homes: dict[str, list[RecordResult]] = defaultdict(list)
    for source in record.sources:
        if isinstance(source.hf_repo, str):
            homes[source.hf_repo] += source.results
    if len(homes) < 2:
        return
    for repository, results in homes.items():
        tail = plain(repository.rpartition("/")[2])
        fits = [plain(str(result.get("dataset"))) in (tail, "") for result in results]
        for result, is_own in zip(results, fits, strict=True):
            name = plain(str(result.get("dataset")))
            # Other data of this record are in repositories of their names.
            if not is_own and any(fits) and tail not in name and name not in tail:
                yield Hit(
                    f"{shown(repository)} is the repository of another result, of "
                    f"{shown(_dataset(results, fits))}",
                    At(result.at("hf_repo")),
                    labels=((At(result.at("dataset")), "the data of this one"),),
                    fold=f"repository {repository}",
                )


def _dataset(results: list[RecordResult], fits: list[bool]) -> Any:
    return results[fits.index(True)].get("dataset")


def _exchanged_names(record: RecordView) -> Iterator[Hit]:
    """Two results, each named after the data of the other, in a record that names by data."""
    by_data: dict[str, list[RecordResult]] = defaultdict(list)
    for result in record.results:
        if isinstance(data := result.get("dataset"), str) and isinstance(result.name, str):
            by_data[data].append(result)
    for data, (result, *more) in by_data.items():
        other = by_data.get(result.name, ())
        if more or result.name == data or len(other) != 1 or other[0].name != data:
            continue
        if result.index < other[0].index:
            yield Hit(
                f"{shown(result.name)} and {shown(data)} have each other's names",
                At(result.at("name")),
                labels=((At(other[0].at("name")), "the other one"),),
                helps=(Action.WRITE(quoted(data)),),
            )


def _same_numbers(record: RecordView) -> Iterator[Hit]:
    """Results of different data with the same score, error and interval, all of many digits."""
    seen: dict[tuple[float, ...], RecordResult] = {}
    for result in record.with_uncertainty:
        fields = ("standard_error", "standard_deviation", "lower", "upper")
        numbers = [result.score, *map(result.number, fields)]
        known = tuple(value for value in numbers if value is not None and _is_long(value))
        if len(known) < _TOGETHER or _is_of_counts(result):
            continue
        first = seen.setdefault(known, result)
        if first is not result and first.get("dataset") != result.get("dataset"):
            yield Hit(
                f"all numbers are those of {shown(first.name)}, to the last digit",
                At(result.at("score")),
                labels=((At(first.at("score")), "the same"),),
                fold="the same numbers",
            )


def _is_of_counts(result: RecordResult) -> bool:
    """True if all numbers follow from a share, so that equal counts alone make them equal."""
    low, high = result.low or 0, 1 if result.high is None else result.high
    deviation, count = result.number("standard_deviation"), result.number("num_samples")
    error = result.number("standard_error")
    if deviation is None and error is not None and count:
        deviation = error * math.sqrt(count)
    if deviation is None or result.score is None or not low <= result.score <= high or low == high:
        return True  # nobody knows
    share = (result.score - low) / (high - low)
    return math.isclose(deviation / (high - low), math.sqrt(share * (1 - share)), rel_tol=0.03)


def _is_long(value: float) -> bool:
    """True if a number has digits that no count, bound or default has."""
    return len(f"{value!r}".partition("e")[0].replace(".", "").strip("0-")) >= _LONG


def _odd_averages(record: RecordView) -> Iterator[Hit]:
    """Averages that are beyond all results with their bounds."""
    for result in record.results:
        if not isinstance(result.name, str) or _spaced(result.name) not in _AVERAGES:
            continue
        scores = [
            other.score
            for other in record.results
            if other is not result
            and other.score is not None
            and (other.low, other.high) == (result.low, result.high)
            and not (isinstance(other.name, str) and _spaced(other.name) in _AVERAGES)
        ]
        if result.score is None or len(scores) < 2 or len(scores) < len(record.results) / 2:
            continue
        if not min(scores) <= result.score <= max(scores):
            side = "above" if result.score > max(scores) else "below"
            yield Hit(
                f"an average of {result.score:g} is {side} all {len(scores)} other results",
                At(result.at("score")),
            )


def _spaced(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))
