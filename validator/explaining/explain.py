"""From the errors of ``jsonschema`` to one hit for each mistake.

A ``oneOf`` whose branches are told apart by a tag is narrowed to the branch that the tag names; a
failed ``if``/``then`` names its condition; all missing keys of an object are one mistake.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from evalmark.schemas.engine import Engine
from evalmark.schemas.ordered import OrderedValidator
from evalmark.validator.explaining.branches import (
    constants,
    expectations,
    is_misspelt,
    tag_of,
    walk,
)
from evalmark.validator.explaining.consequences import independent, is_key_error
from evalmark.validator.explaining.wording import (
    broken,
    field_name,
    got,
    quoted,
    unfit_key,
    unknown_value,
    wrong_type,
)
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import closest, listed, shown, similar
from evalmark.validator.reading.pointer import make_pointer

#: Errors of one file that are examined; one with more is probably of another kind.
MAX_ERRORS = 2000

_LEVELS = (
    "list the levels from lowest to highest: "
    '"level_names": ["low", "high"], "has_unknown_level": false',
    'or, if the score is a number, use "score_type": "continuous" with min_score and max_score',
)
_BOUNDS = ('write the lowest and highest possible score: "min_score": 0, "max_score": 1',)
#: Key that an if/then requires -> rule, and what to write.
_CONDITIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    **dict.fromkeys(("level_names", "has_unknown_level"), ("levels-need-names", _LEVELS)),
    **dict.fromkeys(("min_score", "max_score"), ("bounds-missing", _BOUNDS)),
    **dict.fromkeys(("output", "messages", "interactions"), ("interaction-needs", ())),
}

#: A ``ValidationError``; the stubs type each of its fields as possibly unset, which none is here.
Error = Any


@dataclass(frozen=True, slots=True)
class Explained:
    """A hit and the name of the shape rule it breaks."""

    rule: str
    hit: Hit


def explain(data: Any, schema: dict[str, Any], engine: Engine = Engine.PURE) -> list[Explained]:
    """The mistakes in data that a (bundled) schema rejects."""
    errors = _validator(schema, engine).iter_errors(data)
    first = list(itertools.islice(errors, MAX_ERRORS))
    explained = list(_Explainer(data, schema).explain(first))
    if first and not explained:
        # Rejected data always has a finding, even if all errors seem to follow from others.
        at = At(make_pointer(first[0].absolute_path))
        explained = [Explained("schema-mismatch", Hit(first[0].message, at))]
    if next(errors, None) is not None:
        last = explained[-1]
        note = f"only the first {MAX_ERRORS} mistakes of this file were examined"
        explained[-1] = Explained(last.rule, replace(last.hit, notes=(*last.hit.notes, note)))
    return explained


def _validator(schema: dict[str, Any], engine: Engine) -> Any:
    if engine is Engine.PURE:
        return OrderedValidator(schema)
    from evalmark.schemas.skipping import skips_valid_parts  # loads jsonschema-rs

    return skips_valid_parts(schema)(schema)


class _Explainer:
    def __init__(self, data: Any, schema: Mapping[str, Any]) -> None:
        self.data = data
        self.schema = schema

    def explain(
        self, errors: Iterable[Error], labels: tuple[tuple[At, str], ...] = ()
    ) -> Iterator[Explained]:
        missing: dict[tuple[Any, ...], list[Error]] = {}
        errors = independent(list(errors), self.data, self.schema)
        mistyped = {tuple(e.absolute_path) for e in errors if e.validator == "type"}
        for error in errors:
            if error.validator != "type" and tuple(error.absolute_path) in mistyped:
                continue  # a value of the wrong type also breaks other keywords
            match error.validator:
                case "required":
                    # jsonschema reports each missing key on its own.
                    key = (tuple(error.absolute_path), tuple(error.absolute_schema_path))
                    missing.setdefault(key, []).append(error)
                case "oneOf" | "anyOf":
                    yield from self._alternatives(error)
                case _:
                    yield from self._one(error, labels)
        for group in missing.values():
            yield from self._missing(group, labels)

    def _one(self, error: Error, labels: tuple[tuple[At, str], ...]) -> Iterator[Explained]:
        pointer = make_pointer(error.absolute_path)
        name = field_name(error.absolute_path)
        value, wanted = error.instance, error.validator_value
        condition = self._condition(error)
        if condition is not None:
            at = At(pointer.rpartition("/")[0] + make_pointer([condition[0]]))
            labels = (*labels, (at, "required because of this value"))
        hit = self._hit(error, labels=labels)
        match error.validator:
            case "type":
                yield Explained("wrong-type", wrong_type(hit, name, value, wanted, error.schema))
            case "enum" if is_key_error(error):
                at = At(pointer + make_pointer([value]), key=True)
                yield Explained("unknown-key", unfit_key(replace(hit, at=at), value, wanted))
            case "enum" | "const":
                allowed = wanted if error.validator == "enum" else [wanted]
                yield Explained("unknown-value", unknown_value(hit, name, value, allowed))
            case "additionalProperties":
                yield from self._unknown_keys(error, hit)
            case keyword:
                rule, message, caret = broken(keyword, name, value, wanted)
                yield Explained(rule, replace(hit, message=message, caret=caret))

    def _unknown_keys(self, error: Error, hit: Hit) -> Iterator[Explained]:
        known = error.schema.get("properties", {})
        for key in error.instance:
            if key in known:
                continue
            near = similar(key, known)
            # The similar key is not a suggestion if the object has it too.
            taken = not set(near).isdisjoint(error.instance)
            yield Explained(
                "unknown-key",
                replace(
                    hit,
                    message=f"unknown key `{key}`",
                    at=At(hit.at.pointer + make_pointer([key]), key=True),
                    caret="not a key of this format",
                    helps=() if taken else closest(key, known),
                ),
            )

    def _missing(
        self, group: list[Error], labels: tuple[tuple[At, str], ...]
    ) -> Iterator[Explained]:
        error = group[0]
        instance = error.instance
        keys = [
            key
            for key in error.validator_value
            if key not in instance and not is_misspelt(key, instance, error.schema)
        ]
        if not keys:
            return
        names = listed(f"`{key}`" for key in keys)
        verb = "is" if len(keys) == 1 else "are"
        pointer = make_pointer(error.absolute_path)
        message, caret = f"{names} {verb} missing", "missing from this object"
        hit = self._hit(error, message=message, caret=caret, labels=labels)
        condition = self._condition(error)
        if condition is None:
            near = [(key, match) for key in keys for match in similar(key, instance)]
            helps = tuple(f"rename `{match}` to `{key}`" for key, match in near)
            yield Explained("missing-key", replace(hit, helps=helps))
            return
        rule, helps = _CONDITIONS.get(keys[0], ("missing-key", ()))
        key, wanted = condition
        if key in instance:
            hit = replace(
                hit,
                message=f"`{key}` is {shown(instance[key])}, but {names} {verb} missing",
                at=At(pointer + make_pointer([key])),
                caret=f"this value requires {names}",
                labels=((At(pointer), "missing from this object"), *labels),
                helps=helps,
                pointer=pointer,
            )
            yield Explained(rule, hit)
            return
        # A condition on an absent key is true.
        hit = replace(
            hit,
            message=f"`{key}` is missing, which makes {names} required",
            notes=(f"this version of the format treats a missing `{key}` as {shown(wanted)}",),
            helps=(f'state the type of the score: "{key}": "binary", for example', *helps[:1]),
        )
        yield Explained(rule, hit)

    def _condition(self, error: Error) -> tuple[str, Any] | None:
        """Key and value of the ``if`` that belongs to the innermost ``then`` of an error."""
        path = list(error.absolute_schema_path)
        if "then" not in path:
            return None
        last = len(path) - 1 - path[::-1].index("then")
        _, parent = walk(self.schema, path[:last])
        for key, rule in parent.get("if", {}).get("properties", {}).items():
            if "const" in rule or "enum" in rule:
                return key, rule.get("const", rule.get("enum"))
        return None

    def _alternatives(self, error: Error) -> Iterator[Explained]:
        branches = [self._resolve(branch) for branch in error.validator_value]
        tag = tag_of(branches)
        if tag is None:
            yield self._untagged(error, branches)
        elif not isinstance(error.instance, dict):
            name = field_name(error.absolute_path)
            hit = wrong_type(self._hit(error), name, error.instance, "object", {})
            yield Explained("wrong-type", hit)
        else:
            yield from self._tagged(error, branches, tag)

    def _untagged(self, error: Error, branches: list[Mapping[str, Any]]) -> Explained:
        """A value that is of none of the types, or none of the values, that are allowed."""
        name, value = field_name(error.absolute_path), error.instance
        hit = self._hit(error)
        allowed = list(constants(branches))
        if any(isinstance(value, type(constant)) for constant in allowed):
            return Explained("unknown-value", unknown_value(hit, name, value, allowed))
        expected = listed(expectations(branches), 12).replace(" and ", " or ")
        message = f"{name} must be {expected}, got {got(value)}"
        return Explained("wrong-type", replace(hit, message=message))

    def _tagged(
        self, error: Error, branches: list[Mapping[str, Any]], tag: str
    ) -> Iterator[Explained]:
        """An object whose tag names the branch that it must fit."""
        pointer = make_pointer(error.absolute_path)
        allowed = [branch["properties"][tag]["const"] for branch in branches]
        hit = self._hit(error)
        if tag not in error.instance:
            message, helps = f"`{tag}` is missing", (f"write one of {quoted(allowed)}",)
            missing = replace(hit, message=message, caret="missing from this object", helps=helps)
            yield Explained("missing-key", missing)
            return
        value, at = error.instance[tag], At(pointer + make_pointer([tag]))
        if value not in allowed:
            rule = "unknown-source-type" if tag == "source_type" else "unknown-value"
            unknown = unknown_value(replace(hit, at=at), f"`{tag}`", value, allowed)
            message = f"unknown {tag} {shown(value)}; expected one of {quoted(allowed)}"
            yield Explained(rule, replace(unknown, message=message))
            return
        index = allowed.index(value)
        chosen = [e for e in error.context or () if e.schema_path[0] == index]
        name = field_name(error.absolute_path)
        yield from self.explain(chosen, ((at, f"this makes {name} a `{value}` source"),))

    def _resolve(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        label = schema.get("$ref", "").rpartition("/")[2]
        resolved: Mapping[str, Any] = self.schema["definitions"][label] if label else schema
        return resolved

    def _hit(self, error: Error, message: str = "", **fields: Any) -> Hit:
        """A hit at the place of an error, with the violated keyword in the bundled schema."""
        path, _ = walk(self.schema, list(error.absolute_schema_path))
        at = At(make_pointer(error.absolute_path))
        return Hit(message, at, schema_location=make_pointer(path), **fields)
