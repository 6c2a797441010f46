"""Suggestions for records and samples that their schemas reject: types and bounds of scores."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from evalmark.validator.format import Advice, Demand, Document, Path, Violation
from evalmark.validator.formats.records.record_cures import with_cures
from evalmark.validator.formats.records.version_labels import with_label, with_version
from evalmark.validator.formats.shared.fields import timestamp
from evalmark.validator.reading.source import make_pointer, parse_pointer

#: Key of a bound → which score it is.
_BOUNDS = {"min_score": "lowest possible", "max_score": "highest possible"}
_LEVELS = ("level_names", "has_unknown_level")


class RecordAdvice(Advice):
    """Suggestions for the scores and times of a record."""

    def suggest_values(self, key: str, value: Any) -> tuple[str, ...] | None:
        """A time, which is a text."""
        is_number = isinstance(value, int | float)
        if not key.endswith("timestamp") or not is_number or timestamp(value):
            return None
        return ('write the seconds since 1970 in quotes, as in "1760000000"',)

    def suggest_default(self, data: Any, path: Path) -> tuple[str, ...]:
        """The usual bound of a score."""
        name = str(path[-1]) if path else ""
        if name not in _BOUNDS:
            return ()
        score = _score_beside(data, make_pointer(path[:-1]))
        return (f"write {_bounds([name], score)[name]}, if that is the {_BOUNDS[name]} score",)

    def suggest_missing_keys(self, data: Any, demand: Demand, keys: list[str]) -> tuple[str, ...]:
        """The keys to add that the type of a score demands; nothing for other keys."""
        metric, score = demand.holder, _score_beside(data, demand.at)
        if set(keys) <= _BOUNDS.keys():
            which = f"that is the {_BOUNDS[keys[0]]} score"
            which = "those are the lowest and highest possible scores" if len(keys) > 1 else which
            return (f"add {_members(keys, score)}, if {which}",)
        if not set(keys) <= set(_LEVELS):
            return ()
        if (score < 0 and score != -1) or score != int(score) or score > 20:
            absent = [key for key in _BOUNDS if key not in metric]
            more = f", {_members(absent, score)}" if absent else ""
            return (f'the score is not a level number; write "score_type": "continuous"{more}',)
        names = json.dumps([f"level {number}" for number in range(max(2, int(score) + 1))])
        members = {"level_names": names, "has_unknown_level": json.dumps(score == -1)}
        text = ", ".join(f'"{key}": {members[key]}' for key in keys)
        why = ", with the names of the levels from lowest to highest"
        return (f"add {text}{why if 'level_names' in keys else ''}",)

    def suggest_condition_key(self, data: Any, demand: Demand) -> tuple[str, ...]:
        """The type to add to a metric that has none: the one that its other keys belong to."""
        if demand.key != "score_type":
            return ()
        metric, score = demand.holder, _score_beside(data, demand.at)
        if "level_names" in metric:
            text = '"levels"'
            text += "" if "has_unknown_level" in metric else ', "has_unknown_level": false'
        elif _BOUNDS.keys() & metric.keys() or score not in (0, 1):
            absent = [key for key in _BOUNDS if key not in metric]
            text = f'"continuous"{f", {_members(absent, score)}" if absent else ""}'
        else:
            return ('add "score_type": "binary", if each answer is either right or wrong',)
        return (f'add "score_type": {text}',)

    def merge_violations(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations with cures; one only, if the record has the label of another version."""
        return with_label(document, with_cures(document.data, violations))


def _score_beside(data: Any, pointer: str) -> float:
    """The score that the metric at a pointer is about; 0 if it has none."""
    node = data
    for token in parse_pointer(pointer)[:-1]:
        node = node[int(token)] if isinstance(node, list) else node[token]
    details = node.get("score_details") if isinstance(node, Mapping) else None
    score = details.get("score") if isinstance(details, Mapping) else None
    if not isinstance(score, int | float) or isinstance(score, bool):
        return 0
    return score if abs(score) < 1e15 else 0


def _bounds(keys: list[str], score: float) -> dict[str, int]:
    """The usual bounds around a score: 0, and 1 or the next power of ten."""
    size = int(10 ** math.ceil(math.log10(abs(score)))) if abs(score) > 1 else 1
    usual = (
        {"min_score": -size, "max_score": 1} if score < 0 else {"min_score": 0, "max_score": size}
    )
    return {key: usual[key] for key in keys}


def _members(keys: list[str], score: float) -> str:
    """The usual bounds as members of an object."""
    return ", ".join(f'"{key}": {value}' for key, value in _bounds(keys, score).items())


class SampleAdvice(Advice):
    """Suggestions for the turns of a sample."""

    def suggest_values(self, key: str, value: Any) -> tuple[str, ...] | None:
        """A number of turns, which a rule asks for; no attributions are an empty list."""
        if key == "answer_attribution" and value is None:
            return ("write []",)
        is_required = value is None and key == "num_turns"
        return ("say how many turns there are",) if is_required else None

    def merge_violations(self, document: Document, violations: list[Violation]) -> list[Violation]:
        """The violations; a label that is missing is that of the version that fits."""
        return with_version(document, violations)


#: A value of the format → how other programs write it.
_SPELLINGS = {
    "externally_managed": ("api", "hosted", "cloud", "managed", "external", "proprietary api"),
    "self_deployed": ("local", "self-hosted", "self_hosted", "selfhosted", "on-premise"),
    "open_weights": ("open", "open-source", "open_source", "public"),
    "closed_weights": ("closed", "proprietary", "private", "api-only"),
    "documentation": ("leaderboard", "paper", "website", "blog", "report", "model card"),
    "evaluation_run": ("run", "eval", "evaluation", "eval_run"),
    "continuous": ("numeric", "number", "numerical", "float", "real", "percent", "percentage"),
    "binary": ("bool", "boolean", "pass_fail"),
    "levels": ("level", "ordinal", "categorical", "discrete"),
    "average": ("mean", "avg", "arithmetic mean", "arithmetic_mean"),
    "majority_vote": ("majority", "vote", "voting", "majority voting", "mode"),
    "weighted_average": ("weighted_mean", "weighted mean", "weighted"),
    "hf_dataset": ("hf", "huggingface", "hugging face", "hub"),
}
RECORD_ADVICE = RecordAdvice(
    spellings={text: value for value, texts in _SPELLINGS.items() for text in texts},
    rules={
        "source_type": "unknown-source-type",
        **dict.fromkeys(_LEVELS, "levels-need-names"),
        **dict.fromkeys(_BOUNDS, "bounds-missing"),
    },
    forms={
        (
            r"^data/[^/]+/[^/]+/[^/]+/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-4[0-9A-Fa-f]{3}"
            r"-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}_samples\.jsonl$"
        ): '"data/COLLECTION/DEVELOPER/MODEL/UUID_samples.jsonl", where UUID is of version 4'
    },
)
SAMPLE_ADVICE = SampleAdvice(
    rules=dict.fromkeys(("output", "messages", "interactions"), "interaction-needs")
)
