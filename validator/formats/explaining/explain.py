"""Turn the errors of ``jsonschema`` into one violation for each mistake.

A ``oneOf`` whose branches are told apart by a tag is narrowed to the branch that the tag names; a
failed ``if``/``then`` names its condition; all missing keys of an object are one violation.

What only follows from another violation is none: a condition (``if``) looks at a key, and if that
is missing, misspelt or wrong itself, what the condition demands does not matter.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalmark.schemas.backend import Backend
from evalmark.schemas.files import Schema
from evalmark.schemas.ordered_errors import OrderedValidator, skips_valid_parts
from evalmark.validator.findings.finding import Action, At, Change, Mistake
from evalmark.validator.findings.phrasing import cited, listed
from evalmark.validator.format import PLAIN, Advice, Demand, Document, JsonPath, SchemaMistake
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key, of_other_version
from evalmark.validator.formats.explaining.schema_context import (
    MAX_KEYS,
    Context,
    Error,
    branches_of,
    constants,
    expectations,
    followed,
    holder_of,
    is_misspelt,
    meant_branch,
    meant_keys,
    object_schema,
    tag_of,
    tags,
)
from evalmark.validator.formats.explaining.wording import (
    TYPE_NAMES,
    beyond,
    broken,
    elements_to_write,
    got,
    quoted_list,
    unfit_key,
    unknown_value,
    wrong_type,
)
from evalmark.validator.reading.source import make_pointer, parse_pointer

Labels = tuple[tuple[At, str], ...]

#: Characters of a value that is written out; a longer one is described.
SHORT = 60
_INFINITE = {"inf": "Infinity", "infinity": "Infinity", "∞": "Infinity"}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def instead(context: Context, error: Error) -> tuple[str, ...]:
    """The suggestion for a value that the schema rejects, if one is clear; at most one."""
    path = tuple(error.absolute_path)
    name = path[-1] if path and isinstance(path[-1], str) else ""
    advised = context.advice.suggest_values(name, error.instance)
    if advised is not None:
        return advised
    if error.instance is None and not context.needs(error):
        return (Action.REMOVE(name),)
    return (
        _meant(context, error, name)
        or _one_of_the_texts(context, error, name)
        or context.advice.suggest_default(context.data, path)
    )


def _meant(context: Context, error: Error, name: str) -> tuple[str, ...]:
    value, part = error.instance, error.schema
    # Where a text is one of several forms, a number is rarely a text without its quotes.
    has_forms = "anyOf" in part or "oneOf" in part or isinstance(part.get("type"), list)
    if has_forms and not isinstance(value, str | dict | list):
        return ()
    for candidate in _candidates(value, name):
        if candidate == "Infinity" and name.startswith("min"):
            candidate = "-Infinity"
        if context.fits(candidate, part):
            return (_written(candidate, value),)
    return ()


def _one_of_the_texts(context: Context, error: Error, name: str) -> tuple[str, ...]:
    texts = [text for text in error.schema.get("enum", ()) if isinstance(text, str)]
    if not texts or isinstance(error.instance, str) or isinstance(error.schema.get("type"), list):
        return ()
    holder = context.holder(error) if name else {}
    around = context.above(error) if name else {}
    fitting = [text for text in texts if context.fits({**holder, name: text}, around)]
    return ((Action.WRITE if len(fitting) == 1 else Action.CHOOSE)(quoted_list(fitting or texts)),)


def _candidates(value: object, name: str) -> Iterator[Any]:
    """The values that may have been meant, the likeliest first."""
    # Not everything is tried: a suggestion is what somebody meant, not what would be accepted.
    match value:
        case None:
            return
        case bool():
            yield json.dumps(value)
        case int() | float():
            yield json.dumps(value)
            yield from (bool(value),) if value in (0, 1) else ()
        case str():
            yield from _read(value)
        case [element]:
            yield element
        case {**members} if members.keys() in ({"value"}, {name}):
            yield from members.values()
    if value not in ([], {}):
        yield [value]


def _read(text: str) -> Iterator[Any]:
    plain = text.strip()
    sign, _, size = plain.rpartition("-")
    if size.lower().lstrip("+") in _INFINITE and sign == "":
        yield f"{'-' if plain.startswith('-') else ''}Infinity"
    if plain.lower() in _TRUTHS:
        yield _TRUTHS[plain.lower()]
    for spelling in (plain, plain.replace(",", ".") if plain.count(",") == 1 else plain):
        try:
            yield json.loads(spelling, parse_constant=lambda _: None)  # NaN and infinities
        except ValueError:
            continue


def _written(candidate: object, value: object) -> str:
    text = json.dumps(candidate, ensure_ascii=False)
    if len(text) <= SHORT:
        return Action.WRITE(text)
    if candidate == [value]:
        return "put `[` and `]` around it"
    if isinstance(value, dict):
        return f"keep only the value of `{next(iter(value))}`"
    return "remove the `[` and `]` around it" if value == [candidate] else Action.WRITE(text)


def tag_values(
    context: Context, instance: Mapping[str, Any], tag: str, branches: list[Schema]
) -> list[str]:
    """The values of a tag with which an object is valid, the likeliest first."""
    fitting = [
        branch
        for branch in branches
        if context.fits({**instance, tag: branch["properties"][tag]["const"]}, branch)
    ]
    fitting.sort(key=lambda branch: -len(instance.keys() & branch["properties"].keys()))
    return [branch["properties"][tag]["const"] for branch in fitting]


def unknown_keys(error: Error, mistake: Mistake) -> Iterator[SchemaMistake]:
    """The keys of a closed object that its schema does not have."""
    properties = error.schema.get("properties", {})
    meant = meant_keys(error.instance, error.schema)
    unknown = [key for key in error.instance if key not in properties]
    for key in unknown[:MAX_KEYS]:
        name = meant.get(key)
        missing = name in error.schema.get("required", ())
        yield SchemaMistake(
            "unknown-key",
            replace(
                mistake,
                message=f"unknown key `{key}`{f', and `{name}` is missing' if missing else ''}",
                at=At(mistake.at.pointer + make_pointer([key]), key=True),
                caret="not a key of this format",
                helps=(Action.RENAME(key, name),) if name else (),
                subject=(key,),
            ),
        )
    if len(unknown) > MAX_KEYS:
        message = f"{len(unknown) - MAX_KEYS} more unknown keys in this object"
        yield SchemaMistake("unknown-key", replace(mistake, message=message))


def missing_keys(context: Context, group: list[Error], labels: Labels) -> Iterator[SchemaMistake]:
    """The keys that an object lacks: one violation, except those that are misspelt."""
    error = group[0]
    instance = error.instance
    around = object_schema(context.schema, list(error.absolute_schema_path))
    missing = [key for key in error.validator_value if key not in instance]
    shape = {"properties": around.get("properties", {}), "required": missing}
    renamed = {name: key for key, name in meant_keys(instance, shape).items()}
    condition = context.condition(error)
    rule = context.advice.rules.get(missing[0], "missing-key") if condition else "missing-key"
    for name, key in renamed.items():
        if not is_misspelt(name, instance, around):
            mistake = context.mistake(error, message=f"`{name}` is missing", labels=labels)
            yield SchemaMistake(rule, _to_rename(mistake, key, name, "not a key of this format"))
    keys = [key for key in missing if key not in renamed]
    if not keys:
        return
    is_wrapped = instance.keys() == {"value"} and context.fits(instance["value"], around)
    unwrapped = ("keep only the value of `value`",) if is_wrapped else ()
    if condition is None:
        message, caret = f"{_named(keys)} missing", _lacks(keys)
        mistake = context.mistake(
            error, message=message, caret=caret, labels=labels, subject=(*keys,)
        )
        helps = unwrapped or _additions(context, keys, instance, around)
        yield SchemaMistake("missing-key", replace(mistake, helps=helps))
    elif condition.key in condition.holder:
        yield SchemaMistake(rule, _demanded(context, error, keys, condition, labels))
    else:  # A condition on an absent key is true.
        mistake = _absent_condition(context, error, keys, condition)
        yield SchemaMistake(rule, replace(mistake, helps=unwrapped or mistake.helps))


def _demanded(
    context: Context, error: Error, keys: list[str], condition: Demand, labels: Labels
) -> Mistake:
    at, value = At(make_pointer(error.absolute_path)), condition.holder[condition.key]
    mistake = context.mistake(
        error,
        message=f"`{condition.key}` is {cited(value)}, but {_named(keys)} missing",
        caret=f"this value requires {listed(f'`{key}`' for key in keys)}",
        labels=((at, _lacks(keys)), *labels),
        helps=context.advice.suggest_missing_keys(context.data, condition, keys),
        pointer=at.pointer,
        subject=(*keys,),
    )
    return replace(mistake, at=At(condition.at + make_pointer([condition.key])))


def _lacks(keys: list[str]) -> str:
    return f"this object lacks {'it' if len(keys) == 1 else 'them'}"


def _named(keys: list[str]) -> str:
    return f"{listed(f'`{key}`' for key in keys)} {'is' if len(keys) == 1 else 'are'}"


def _to_rename(mistake: Mistake, key: str, name: str, caret: str) -> Mistake:
    at = At(mistake.at.pointer + make_pointer([key]), key=True)
    helps = (Action.RENAME(key, name),)
    return replace(mistake, at=at, caret=caret, helps=helps, subject=(key,))


def _additions(
    context: Context, keys: list[str], instance: Mapping[str, Any], schema: Schema
) -> tuple[str, ...]:
    """Suggestions of keys to add, if the schema lists the values of all missing ones."""
    parts = []
    for key in keys:
        rule = schema.get("properties", {}).get(key, {})
        values = [rule["const"]] if "const" in rule else rule.get("enum", [])
        if rule.get("type") == "boolean" and len(keys) == 1:
            return (f'say which: "{key}": true, or "{key}": false',)
        if len(keys) == 1:  # several values may need other keys as well
            values = [v for v in values if context.fits({**instance, key: v}, schema)] or values
        if not values:
            return ()
        first, *others = map(json.dumps, values)
        more = f" (or {', '.join(others)})" if others else ""
        parts.append(f'"{key}": {first}{more}')
    return tuple(Action.ADD(part) for part in parts)


def _absent_condition(
    context: Context, error: Error, keys: list[str], condition: Demand
) -> Mistake:
    names, key = listed(f"`{key}`" for key in keys), condition.key
    near = tuple(Action.RENAME(k, key) for k in condition.holder if nearest_key(k, (key,), ()))
    return context.mistake(
        error,
        message=f"`{key}` is missing, which makes {names} required",
        notes=(f"this version of the format treats a missing `{key}` as {cited(condition.value)}",),
        helps=near or context.advice.suggest_condition_key(context.data, condition),
        subject=(key,),
    )


#: Errors of one file that are examined; one with more is probably of another kind.
MAX_ERRORS = 2000


def explain(
    data: object,
    schema: Schema,
    backend: Backend = Backend.PURE,
    advice: Advice = PLAIN,
) -> list[SchemaMistake]:
    """The violations of a (bundled) schema in data; ``advice`` is that of the data's format."""
    kind = OrderedValidator if backend is Backend.PURE else skips_valid_parts(schema)
    validator = kind(schema)
    errors = validator.iter_errors(data)
    first = list(itertools.islice(errors, MAX_ERRORS))
    explained = list(_Explainer(Context(data, schema, validator, advice)).explain(first))
    if first and not explained:
        # Rejected data always has a finding, even if all errors seem to follow from others.
        at = At(make_pointer(first[0].absolute_path))
        explained = [SchemaMistake("schema-mismatch", Mistake(first[0].message, at))]
    if next(errors, None) is not None:
        last = explained[-1]
        note = f"only the first {MAX_ERRORS} mistakes of this file were examined"
        explained[-1] = SchemaMistake(
            last.rule, replace(last.mistake, notes=(*last.mistake.notes, note))
        )
    return explained


def explained(
    document: Document, advice: Advice, schema: Schema, backend: Backend
) -> list[SchemaMistake]:
    """The violations of its schema in a document, as its authors understand them."""
    violations = explain(document.data, schema, backend, advice)
    return [
        _of_other_version(violation, document)
        for violation in advice.merge_violations(document, violations)
    ]


def _of_other_version(violation: SchemaMistake, document: Document) -> SchemaMistake:
    """A violation; an unknown key that other versions of the format have is named as that."""
    mistake = violation.mistake
    if document.version is None or violation.rule != "unknown-key" or mistake.helps:
        return violation
    value, path = document.data, list[str | int]()
    for token in parse_pointer(mistake.at.pointer):
        path.append(int(token) if isinstance(value, list) else token)
        value = value[path[-1]]
    other = of_other_version(mistake, document, path[:-1], value) if mistake.subject else None
    return violation if other is None else violation._replace(mistake=other)


class _Explainer:
    def __init__(self, context: Context) -> None:
        self.context = context

    def explain(self, errors: Iterable[Error], labels: Labels = ()) -> Iterator[SchemaMistake]:
        missing: dict[tuple[Any, ...], list[Error]] = {}
        errors = independent(list(errors), self.context.data, self.context.schema)
        mistyped = {tuple(e.absolute_path) for e in errors if e.validator == "type"}
        fixed = {tuple(e.absolute_path) for e in errors if e.validator == "const"}
        for error in errors:
            at = tuple(error.absolute_path)
            if error.validator != "type" and at in mistyped:
                continue  # a value of the wrong type also breaks other keywords
            if error.validator in ("minimum", "maximum") and at in fixed:
                continue  # one value only is allowed
            match error.validator:
                case "required":
                    # jsonschema reports each missing key on its own.
                    key = (tuple(error.absolute_path), tuple(error.absolute_schema_path))
                    missing.setdefault(key, []).append(error)
                case "oneOf" | "anyOf":
                    yield from self._alternatives(error)
                case _:
                    yield from self._explain_error(error, labels)
        for group in missing.values():
            yield from missing_keys(self.context, group, labels)

    def _explain_error(self, error: Error, labels: Labels) -> Iterator[SchemaMistake]:
        pointer = make_pointer(error.absolute_path)
        name = self.context.name(error)
        value, argument = error.instance, error.validator_value
        condition = self.context.condition(error)
        if condition is not None and condition.key in condition.holder:
            at = At(condition.at + make_pointer([condition.key]))
            labels = (*labels, (at, "required because of this value"))
        mistake = self.context.mistake(error, labels=labels)
        match error.validator:
            case "type":
                mistake = wrong_type(mistake, name, value, argument, error.schema)
                if isinstance(error.absolute_path[-1] if error.absolute_path else "", int):
                    # Elements of one list that are wrong in one way are one violation.
                    mistake = replace(
                        mistake, fold=f"{pointer.rpartition('/')[0]} {type(value).__name__}"
                    )
                yield SchemaMistake("wrong-type", self._proposing(mistake, error))
            case "enum" if is_key_error(error):
                at = At(pointer + make_pointer([value]), key=True)
                fold = f"keys at {pointer}"
                mistake = unfit_key(replace(mistake, at=at, fold=fold), value, argument)
                yield SchemaMistake("unknown-key", mistake)
            case "enum" | "const":
                allowed = argument if error.validator == "enum" else [argument]
                mistake = unknown_value(
                    mistake, name, value, allowed, self.context.advice.spellings
                )
                yield SchemaMistake("unknown-value", self._proposing(mistake, error))
            case "additionalProperties":
                yield from unknown_keys(error, mistake)
            case keyword:
                rule, message, caret = broken(
                    keyword, name, value, argument, self.context.advice.forms
                )
                helps = beyond(keyword, value, argument) or self._elements(error)
                mistake = replace(mistake, message=message, caret=caret, helps=helps)
                yield SchemaMistake(rule, mistake)

    def _elements(self, error: Error) -> tuple[str, ...]:
        items = error.schema.get("items")
        allowed = self.context.resolve(items).get("enum", ()) if isinstance(items, dict) else ()
        return elements_to_write(error.validator, error.instance, allowed)

    def _proposing(self, mistake: Mistake, error: Error) -> Mistake:
        """A mistake with what to write instead; a null that need not be there is removed."""
        if mistake.helps:
            return mistake
        helps = instead(self.context, error)
        if error.instance is not None or not helps or not helps[0].startswith("remove"):
            return replace(mistake, helps=helps)
        # A free key without a value says something that an absent one does not.
        is_property = error.absolute_path[-1] in self.context.above(error).get("properties", {})
        return replace(
            mistake, helps=helps, changes=(Change(mistake.at, None),) if is_property else ()
        )

    def _alternatives(self, error: Error) -> Iterator[SchemaMistake]:
        branches = [self.context.resolve(branch) for branch in error.validator_value]
        tag = tag_of(branches)
        if tag is not None and isinstance(error.instance, dict):
            yield from self._explain_tag(error, branches, tag)
        elif meant := meant_branch(error.context or []):
            yield from self.explain(meant)
        elif not error.context:  # a oneOf of which several branches accept it, an empty list
            name = self.context.name(error)
            message = f"{name} matches several alternatives; it must match one"
            yield SchemaMistake("schema-mismatch", self.context.mistake(error, message=message))
        else:
            yield self._explain_no_branch(error, branches)

    def _explain_no_branch(self, error: Error, branches: list[Schema]) -> SchemaMistake:
        name, value = self.context.name(error), error.instance
        mistake = self.context.mistake(error)
        allowed = list(constants(branches))
        types = list(dict.fromkeys(expectations(branches)))
        expected = listed(types, 12).replace(" and ", " or ")
        if any(type(value) is type(constant) for constant in allowed):
            mistake = unknown_value(mistake, name, value, allowed, self.context.advice.spellings)
            mistake = replace(
                mistake, message=f"{name} cannot be {cited(value)}; expected {expected}"
            )
            return SchemaMistake("unknown-value", self._proposing(mistake, error))
        message = f"{name} must be {expected}, got {got(value)}"
        kinds = tuple(kind for kind, words in TYPE_NAMES.items() if words in types)
        mistake = replace(mistake, message=message, caret=f"expected {expected}", types=kinds)
        return SchemaMistake("wrong-type", self._proposing(mistake, error))

    def _explain_tag(
        self, error: Error, branches: list[Schema], tag: str
    ) -> Iterator[SchemaMistake]:
        pointer = make_pointer(error.absolute_path)
        allowed = tags(branches, tag)
        mistake = self.context.mistake(error)
        if tag not in error.instance:
            yield self._explain_missing_tag(error, branches, tag)
            return
        value, at = error.instance[tag], At(pointer + make_pointer([tag]))
        if value not in allowed:
            rule = self.context.advice.rules.get(tag, "unknown-value")
            spellings = self.context.advice.spellings
            unknown = unknown_value(replace(mistake, at=at), f"`{tag}`", value, allowed, spellings)
            message = f"unknown {tag} {cited(value)}; expected one of {quoted_list(allowed)}"
            helps = unknown.helps or self._likely(error, branches, tag, "write ")
            yield SchemaMistake(rule, replace(unknown, message=message, helps=helps))
            return
        index = allowed.index(value)
        chosen = [e for e in error.context or () if e.schema_path[0] == index]
        name = self.context.name(error)
        sort = tag.removesuffix("_type")
        yield from self.explain(chosen, ((at, f"this makes {name} a `{value}` {sort}"),))

    def _explain_missing_tag(self, error: Error, branches: list[Schema], tag: str) -> SchemaMistake:
        instance, message = error.instance, f"`{tag}` is missing"
        mistake = self.context.mistake(error, message=message, caret=_lacks([tag]))
        properties = {key for branch in branches for key in branch["properties"]}
        shape = {"properties": dict.fromkeys(properties), "required": [tag]}
        for key, name in meant_keys(instance, shape).items():
            return SchemaMistake(
                "missing-key", _to_rename(mistake, key, name, f"expected `{name}`")
            )
        helps = self._likely(error, branches, tag, f'add "{tag}": ')
        helps = helps or (f'say what it is: "{tag}" is one of {quoted_list(tags(branches, tag))}',)
        return SchemaMistake("missing-key", replace(mistake, helps=helps))

    def _likely(self, error: Error, branches: list[Schema], tag: str, verb: str) -> tuple[str, ...]:
        values = tag_values(self.context, error.instance, tag, branches)
        others = f" (or {quoted_list(values[1:])})" if values[1:] else ""
        return tuple(f"{verb}{quoted_list([value])}{others}" for value in values[:1])


def independent(errors: list[Error], data: object, schema: Schema) -> list[Error]:
    """The errors of a document, or of one branch, that do not only follow from others of them."""
    certain = [e for e in errors if not branches_of(e) and e.validator not in ("not", "contains")]
    wrong = {tuple(e.absolute_path) for e in certain if e.validator != "required"}
    unknown = {
        (*e.absolute_path, key)
        for e in certain
        if e.validator == "additionalProperties"
        for key in e.instance.keys() - e.schema.get("properties", {}).keys()
    }
    return [e for e in errors if not _follows(e, wrong, unknown, data, schema)]


def _follows(
    error: Error, wrong: set[JsonPath], unknown: set[JsonPath], data: object, schema: Schema
) -> bool:
    path = tuple(error.absolute_path)
    if error.validator == "not":
        return "then" in error.absolute_schema_path
    if error.validator == "contains" and any(
        at[: len(path)] == path and len(at) > len(path) for at in wrong
    ):
        return True  # an element is wrong; it may be the one that is missing
    if is_key_error(error) and (*path, error.instance) in unknown:
        return True  # reported as an unknown key
    for branch in branches_of(error):
        _, parent = followed(schema, list(error.absolute_schema_path)[:branch])
        holder, at = holder_of(error, branch, data)
        condition = parent.get("if", {})
        keys = {*condition.get("required", ()), *condition.get("properties", {})}
        if any(_is_wrong(key, holder, at, wrong, schema) for key in keys):
            return True
    return False


def _is_wrong(key: str, holder: object, at: JsonPath, wrong: set[JsonPath], schema: Schema) -> bool:
    """True if something else is reported about the key that a condition tests."""
    if not isinstance(holder, Mapping):
        return False
    if key in holder:
        return any(path[: len(at) + 1] == (*at, key) for path in wrong)
    return not at and (key in schema.get("required", ()) or is_misspelt(key, holder, schema))


def is_key_error(error: Error) -> bool:
    """True if the error is a key that the other keys or values do not allow."""
    return error.validator == "enum" and "propertyNames" in error.absolute_schema_path
