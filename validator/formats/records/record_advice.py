"""Suggestions for records and samples that their schemas reject: types and bounds of scores."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from evalmark.schemas import versions
from evalmark.schemas.known_keys import KnownKeys, known_keys
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.format import (
    Advice,
    Demand,
    Document,
    JsonPath,
    SchemaMistake,
    fitting_version,
    version_of,
)
from evalmark.validator.formats.records.record_fields import RecordLayout, record_layout
from evalmark.validator.formats.records.record_view import evaluation_id
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.formats.shared.json_values import mapping, number, seconds_in, timestamp
from evalmark.validator.reading.source import make_pointer, parse_pointer


def _known(data: Any, keys: KnownKeys) -> Iterator[tuple[str, bool]]:
    """The pointers that a schema has a place for, and whether it lists the key by name."""
    stack: list[tuple[str, Any, KnownKeys | None]] = [("", data, keys)]
    while stack:
        above, node, here = stack.pop()
        if here is None:
            continue
        if isinstance(node, dict):
            below = [(key, here.child(key)) for key in node if here.is_free or here.child(key)]
        else:
            below = [(place, here.items) for place in range(len(node)) if here.items]
        for token, child in below:
            pointer = above + make_pointer((token,))
            yield pointer, child is not None and isinstance(token, str)
            if isinstance(node[token], dict | list):
                stack.append((pointer, node[token], child))


def with_version(document: Document, explained: list[SchemaMistake]) -> list[SchemaMistake]:
    """The violations; a label that is missing, or is not text, is that of the version that fits."""
    label = f'"schema_version": "{document.version}"'
    written = []
    for violation in explained:
        mistake = violation.mistake
        if violation.rule == "missing-key" and mistake.subject == ("schema_version",):
            mistake = replace(mistake, helps=(Action.ADD(label),))
        elif mistake.at.pointer == "/schema_version" and violation.rule == "wrong-type":
            mistake = replace(mistake, helps=(Action.WRITE(label),))
        written.append(violation._replace(mistake=mistake))
    return written


def with_label(document: Document, explained: list[SchemaMistake]) -> list[SchemaMistake]:
    """The violations of a record; one only, if all of them have one cause."""
    explained = with_version(document, explained)
    if not explained:
        return explained
    declared = document.data.get("schema_version") if isinstance(document.data, dict) else None
    if declared != document.version:
        return explained  # the user has chosen the version, or the label itself is a mistake
    fitting = fitting_version(document.data, versions.RECORD)
    if fitting is not None and _is_mislabelled(document, fitting, explained):
        at, first = At("/schema_version"), explained[0].mistake
        count = len(explained)
        mistake = Mistake(
            f"record is labelled {declared} but matches {fitting}",
            at,
            caret=f'expected "{fitting}"',
            notes=(f"checked as {declared}, it has {count} mistake{'s'[: count - 1]}",),
            helps=(f'write "schema_version": "{fitting}"',),
            changes=(Change(at, f'"{fitting}"'),),
            schema_location=first.schema_location,
        )
        return [SchemaMistake("EE102", mistake)]
    version = versions.find(versions.RECORD, document.version)
    return _other_layout(version, explained) if version and version.is_ambiguous else explained


def _other_layout(version: versions.Version, explained: list[SchemaMistake]) -> list[SchemaMistake]:
    """The finding for a record whose version had several layouts: it may have been another one."""
    newest = versions.current(version.kind).schema
    command = f"`evalmark convert --to {newest} FILE` reads every layout that {version.name} had"
    convert = Action.TERMINAL(command)
    message = f"record of version {version.name} does not match its schema"
    first, *others = (violation.mistake for violation in explained)
    if not others:
        mistake = replace(
            first, message=f"{message}: {first.message}", helps=(*first.helps, convert)
        )
        return [SchemaMistake("EE103", mistake)]
    mistake = Mistake(
        f"{message}: {_message_with_place(first)}, and {len(others)} more",
        At("/schema_version"),
        notes=tuple(map(_message_with_place, others)),
        helps=(convert,),
        schema_location=first.schema_location,
    )
    return [SchemaMistake("EE103", mistake)]


def _message_with_place(mistake: Mistake) -> str:
    return f"{mistake.message}, at {mistake.at.pointer or 'the root'}"


def _is_mislabelled(document: Document, fitting: str, explained: list[SchemaMistake]) -> bool:
    """True if the version that a record fits is its own, and not the one whose schema it breaks."""
    data, version = document.data, versions.find(versions.RECORD, fitting)
    assert document.schema
    assert version
    names = document.schema, version.schema
    places = [dict(_known(data, known_keys(name))) for name in names]
    here, there = ({at for at, is_listed in keys.items() if is_listed} for keys in places)
    if here - there:
        return False
    # Or the other one alone allows the type of a value.
    retyped = (v.mistake.at.pointer for v in explained if v.rule == "wrong-type")
    return bool(there - here) or any(all(at in keys for keys in places) for at in retyped)


#: Keys that belong in the part of a record that lacks them, wherever around it they are.
_PLACED = frozenset({
    "source_data", "metric_config", "score_details", "score", "lower_is_better", "evaluation_name",
})  # fmt: skip
#: Those that are objects.
_OBJECTS = frozenset({"source_data", "metric_config", "score_details"})
#: Details of a model that versions from 0.3.0 on require, and what is true of every model.
_UNKNOWN = '"deployment_type": "unknown", "model_availability": "unknown"'
_KNOWN = (
    'where they are known: "deployment_type" is "self_deployed" or "externally_managed", '
    '"model_availability" is "open_weights" or "closed_weights"'
)
#: The key of objects with free keys.
_DETAILS = "additional_details"
#: Names that other programs have for a score.
_SCORES = ("value", "accuracy", "acc", "result", "mean", "mean_score")
_NUMBER = r"-?(0|[1-9]\d*)(\.\d+)?([eE]-?\d+)?"
_PERCENT = r"\s*(\d+(?:[.,]\d+)?)\s*%\s*"

#: A mistake with a cure; None where there is none.
Cured = Mistake | None


class _Rejected(NamedTuple):
    """A record that its schema rejects: the fields that it has nevertheless."""

    data: dict[str, Any]
    fields: Fields
    layouts: RecordLayout

    @staticmethod
    def of(data: dict[str, Any], version: str | None) -> _Rejected:
        """This record, as one of a version."""
        layouts = record_layout(version)
        return _Rejected(data, Fields(data, "", layouts.record), layouts)

    def at(self, pointer: str) -> Any:
        """What is at a pointer; None if nothing is."""
        return _at(self.data, pointer)

    def result(self, pointer: str) -> Fields:
        """The result that a pointer leads into, or one without fields."""
        above = self.fields.at("results")
        if pointer.startswith(f"{above}/"):
            above += f"/{pointer.removeprefix(f'{above}/').partition('/')[0]}"
        return Fields(self.at(above), above, self.layouts.result)

    @property
    def parts(self) -> tuple[str, ...]:
        """Objects that a record has once."""
        return "", self.fields.at("model"), self.fields.at("harness")


def with_cures(document: Document, violations: list[SchemaMistake]) -> list[SchemaMistake]:
    """The violations of a record, with suggestions; keys in a wrong place are one violation."""
    if not isinstance(document.data, dict):
        return violations
    record = _Rejected.of(document.data, document.version)
    cured: list[SchemaMistake] = []
    for violation in _with_moves(record, violations):
        mistake = None if violation.mistake.changes else _with_cure(record, violation)
        cured.append(violation if mistake is None else violation._replace(mistake=mistake))
    return cured


def _with_cure(record: _Rejected, violation: SchemaMistake) -> Cured:
    mistake = violation.mistake
    if violation.rule == "missing-key":
        is_open = not mistake.helps or mistake.subject == ("lower_is_better",)
        return _with_missing(record, mistake) if is_open else None
    if violation.rule in ("wrong-type", "unknown-value"):
        path = parse_pointer(mistake.at.pointer)
        # An entry of a list of steps has a number for its last key.
        cure = _OF_VALUES.get(
            "/".join(path[-2:-1]) if path[-1:] and path[-1].isdigit() else "".join(path[-1:])
        )
        return cure(record, mistake, record.at(mistake.at.pointer)) if cure else None
    return None


def _at(data: Any, pointer: str) -> Any:
    for token in parse_pointer(pointer):
        if isinstance(data, list):
            data = data[int(token)] if token.isdigit() and int(token) < len(data) else None
        else:
            data = mapping(data).get(token)
    return data


def _with_value(mistake: Mistake, text: str, safety: Safety = Safety.SAFE) -> Mistake:
    change = Change(mistake.at, text)
    return replace(mistake, helps=(Action.WRITE(text),), changes=(change,), safety=safety)


# Keys in a wrong place


def _with_moves(record: _Rejected, violations: list[SchemaMistake]) -> list[SchemaMistake]:
    """The violations, those on a key that is in a wrong place made one."""
    targets: dict[str, list[str]] = {}
    for violation in violations:
        for origin in _origins(record, violation):
            targets.setdefault(origin, []).append(violation.mistake.at.pointer)
    if not targets:
        return violations
    merged: list[SchemaMistake] = []
    reported: set[str] = set()
    for violation in violations:
        pointer = violation.mistake.at.pointer
        origins = list(_origins(record, violation))
        if not (origins or (violation.rule == "unknown-key" and pointer in targets)):
            merged.append(violation)
        for origin in origins:
            if origin not in reported:
                reported.add(origin)
                merged.append(
                    SchemaMistake("missing-key", _misplaced_key(record, origin, targets[origin]))
                )
    return merged


def _origins(record: _Rejected, violation: SchemaMistake) -> Iterator[str]:
    """Pointers of the keys that an object lacks, where they are; all of them, or none."""
    mistake = violation.mistake
    if violation.rule != "missing-key" or mistake.at.key:
        return  # a key that is at hand has another name
    found = [next(_elsewhere(record, mistake.at.pointer, key), None) for key in mistake.subject]
    if None not in found:
        yield from (origin for origin in found if origin is not None)


def _elsewhere(record: _Rejected, pointer: str, key: str) -> Iterator[str]:
    above = pointer
    while above:
        above = above.rpartition("/")[0]
        holder = record.at(above)
        is_root = not above and key == _DETAILS and pointer == record.fields.at("model")
        if not ((key in _PLACED or is_root) and isinstance(holder, dict) and key in holder):
            continue
        if key in _OBJECTS and not isinstance(holder[key], dict):
            continue  # an older version has a list of URLs there
        yield above + make_pointer([key])


def _misplaced_key(record: _Rejected, origin: str, targets: list[str]) -> Mistake:
    key, value = parse_pointer(origin)[-1], json.dumps(record.at(origin), ensure_ascii=False)
    in_results = all(target == record.result(target).pointer for target in targets)
    place = f"`{parse_pointer(targets[0])[-1]}`"
    if in_results:
        place = "each result" if len(targets) > 1 or "/" not in origin[1:] else "the result"
    additions = (Change(At(target), f'"{key}": {value}', adds=True) for target in targets)
    return Mistake(
        f"`{key}` is in the wrong place: it belongs in {place}",
        At(origin, key=True),
        caret="not a key of this object",
        helps=(f"move it into {place}",),
        changes=(Change(At(origin), None), *additions),
        pointer=targets[0],
        also=(origin, *targets[1:]),
    )


# Keys that are missing


def _with_missing(record: _Rejected, mistake: Mistake) -> Cured:
    pointer = mistake.at.pointer
    members: list[str] = []
    notes: tuple[str, ...] = ()
    for key in mistake.subject:
        make = _missing(record, pointer, key)
        member = make if isinstance(make, str) else make(record, pointer)
        if not member:
            return _renamed_score(record, mistake) if mistake.subject == ("score",) else None
        members.append(f'"{key}": {member}')
        notes += (_KNOWN,) if key == _DETAILS else ()
    text = ", ".join(members)
    # What a model is and who runs it must be said by somebody who knows.
    changes = () if notes else (Change(mistake.at, text, adds=True),)
    return replace(
        mistake, helps=(Action.ADD(text),), notes=(*mistake.notes, *notes), changes=changes
    )


def _identity(record: _Rejected, _: str) -> str:
    fields, first = record.fields, record.result(f"{record.fields.at('results')}/0")
    return evaluation_id(first.get("name"), fields.get("model_id"), fields.get("retrieved"))


def _time_in_id(record: _Rejected, _: str) -> str:
    """The time in an evaluation id."""
    time = str(record.fields.get("evaluation_id")).rpartition("/")[2]
    return quoted(time) if timestamp(time) else ""


def _renamed_score(record: _Rejected, mistake: Mistake) -> Cured:
    """The mistake for a score under another name, the only number there."""
    holder = mapping(record.at(mistake.at.pointer))
    names = [key for key in _SCORES if number(holder.get(key)) is not None]
    if len(names) != 1:
        return None
    at = At(mistake.at.pointer + make_pointer(names), key=True)
    return replace(
        mistake,
        at=at,
        pointer=mistake.at.pointer,
        helps=(f"rename `{names[0]}` to `score`",),
        changes=(Change(at, '"score"'),),
    )


def _id_of_model(record: _Rejected, _: str) -> str:
    """The name, where it is that of an owner and a model."""
    name = record.fields.text("model_name")
    return quoted(name) if name and re.fullmatch(r"[^\s/]+/[^\s/]+", name) else ""


def _direction(record: _Rejected, pointer: str) -> str:
    result = record.result(pointer)
    names = (result.text(field) for field in ("metric_id", "metric_name"))
    known = known_metric(*(name for name in names if name is not None))
    is_known = known is not None and known.lower_is_better is not None
    return json.dumps(known.lower_is_better) if known and is_known else ""


#: Field that a record lacks → what its value is to be, as JSON. Where it is not known, the format's
#: own tools write "unknown".
_MISSING: dict[str, Callable[[_Rejected, str], str] | str] = {
    "harness": '{"name": "unknown", "version": "unknown"}',
    "evaluation_id": _identity,
    "retrieved": _time_in_id,
    "model_id": _id_of_model,
    "about_model": f"{{{_UNKNOWN}}}",
    "library_version": '"unknown"',
}


def _missing(record: _Rejected, pointer: str, key: str) -> Callable[[_Rejected, str], str] | str:
    """What makes the value of a key that an object lacks; "" if nothing does."""
    if pointer in record.parts:
        place = f"{pointer}/{key}"
        return next((make for at, make in _MISSING.items() if record.fields.at(at) == place), "")
    if key == record.layouts.result["lower_is_better"][-1]:
        return _direction
    return _MISSING["about_model"] if key == _DETAILS else ""


# Values


def _wrap_value(key: str, **others: str) -> Callable[[_Rejected, Mistake, Any], Cured]:
    """The cure for a value without the object whose only required key has it."""

    def cure(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
        if key != "name" and isinstance(value, str) and re.fullmatch(_NUMBER, value.strip()):
            value = json.loads(value)
        kinds = (str,) if key == "name" else (int, float)
        if type(value) not in kinds or value in ("", math.inf, -math.inf):
            return None
        return _with_value(mistake, quoted({key: value, **others}))

    return cure


def _interval(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
    if not isinstance(value, list) or len(value) != 2 or None in map(number, value):
        return None
    low, high = sorted(value)
    return _with_value(mistake, f'{{"lower": {json.dumps(low)}, "upper": {json.dumps(high)}}}')


def _score(record: _Rejected, mistake: Mistake, value: Any) -> Cured:
    """A score that is a percentage, or the name of a level."""
    if not isinstance(value, str):
        return None
    result = record.result(mistake.at.pointer)
    names = result.get("level_names")
    if isinstance(names, list) and value.strip():
        plain = [name.strip().casefold() if isinstance(name, str) else "" for name in names]
        if plain.count(value.strip().casefold()) == 1:
            level = plain.index(value.strip().casefold())
            return _with_value(mistake, str(level), Safety.UNSAFE)
    if match := re.fullmatch(_PERCENT, value):
        percentage = float(match[1].replace(",", "."))
        share = result.get("high") == 1
        text = f"{round(percentage / 100, 12):.12g}" if share else f"{percentage:.12g}"
        return _with_value(mistake, text, Safety.UNSAFE)
    return None


def _time(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
    """A time in milliseconds or finer, as a number."""
    seconds = seconds_in(value) if isinstance(value, int) else ""
    return _with_value(mistake, quoted(seconds), Safety.UNSAFE) if seconds else None


def _model(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
    if not isinstance(value, str) or not value.strip():
        return None
    return _with_value(mistake, f'{{"name": {quoted(value)}, "id": {quoted(value)}}}')


def _source(record: _Rejected, mistake: Mistake, value: Any) -> Cured:
    """The URLs alone, as before 0.2.0: the maintainers named the data after the evaluation."""
    urls = [value] if isinstance(value, str) else value
    if not isinstance(urls, list) or not urls:
        return None
    if not all(isinstance(url, str) and url.startswith(("http://", "https://")) for url in urls):
        return None
    name = record.result(mistake.at.pointer).text("name")
    if name is None:
        return None
    return _with_value(mistake, quoted({"dataset_name": name, "source_type": "url", "url": urls}))


def _step(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
    """A step of a plan, which the format's own converter writes as JSON in a text."""
    return _with_value(mistake, quoted(quoted(value))) if isinstance(value, dict) else None


def _names(_: _Rejected, mistake: Mistake, value: Any) -> Cured:
    """The names of levels in one text, with commas between them: as JSON, or in quotes."""
    if not isinstance(value, str) or not re.search("[,;|]", value):
        return None
    parts = [part.strip(" \t\"'") for part in re.split("[,;|]", value.strip(" []\"'"))]
    if "" in parts:
        return replace(mistake, helps=())
    return replace(mistake, helps=(Action.WRITE(quoted(parts)),), changes=())


#: Last key of the pointer of a rejected value → its cure.
_OF_VALUES: Mapping[str, Callable[[_Rejected, Mistake, Any], Cured]] = {
    "standard_error": _wrap_value("value"),
    "confidence_interval": _interval,
    "score": _score,
    "retrieved_timestamp": _time,
    "evaluation_timestamp": _time,
    "model_info": _model,
    "score_details": _wrap_value("score"),
    "source_data": _source,
    "inference_engine": _wrap_value("name"),
    "eval_library": _wrap_value("name", version="unknown"),
    "steps": _step,
    "level_names": _names,
}

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

    def suggest_default(self, data: Any, path: JsonPath) -> tuple[str, ...]:
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
            words = f"that is the {_BOUNDS[keys[0]]} score"
            words = "those are the lowest and highest possible scores" if len(keys) > 1 else words
            return (f"add {_members(keys, score)}, if {words}",)
        if not set(keys) <= set(_LEVELS):
            return ()
        if (score < 0 and score != -1) or score != int(score) or score > 20:
            absent = [key for key in _BOUNDS if key not in metric]
            more = f", {_members(absent, score)}" if absent else ""
            return (
                f"the score {score:g} is not a level number; if it is not meant to be one, "
                f'write "score_type": "continuous"{more}',
            )
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

    def merge_violations(
        self, document: Document, violations: list[SchemaMistake]
    ) -> list[SchemaMistake]:
        """The violations with cures; one only, if the record has the label of another version."""
        return with_label(document, with_cures(document, violations))


def _score_beside(data: Any, pointer: str) -> float:
    """The score that the metric at a pointer is about; 0 if it has none."""
    record = _Rejected.of(data, version_of(data, versions.RECORD))
    score = record.result(pointer).get("score")
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
    return ", ".join(f'"{key}": {value}' for key, value in _bounds(keys, score).items())


class SampleAdvice(Advice):
    """Suggestions for the turns of a sample."""

    def suggest_values(self, key: str, value: Any) -> tuple[str, ...] | None:
        """A number of turns, which a rule asks for; no attributions are an empty list."""
        if key == "answer_attribution" and value is None:
            return ("write []",)
        is_required = value is None and key == "num_turns"
        return ("say how many turns there are",) if is_required else None

    def merge_violations(
        self, document: Document, violations: list[SchemaMistake]
    ) -> list[SchemaMistake]:
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
