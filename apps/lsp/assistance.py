"""Answers about a place in an open file: hover, completion, names, sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from evalmark.lsp.cursor import Cursor, Part, cursor_in, read_loosely, text_of
from evalmark.lsp.live_text import LiveText
from evalmark.schemas.errors import UsageError
from evalmark.schemas.files import Schema, bundle
from evalmark.schemas.ordered_errors import OrderedValidator
from evalmark.schemas.versions import VERSIONS
from evalmark.validator.findings.editing import Editing, Mention
from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import CheckContext, Document, as_document
from evalmark.validator.formats.recognition import recognize
from evalmark.validator.formats.rule_registry import RULES, rule_text
from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import Source, member
from lsprotocol import types

_BRANCHES = ("anyOf", "oneOf")
#: Values that a hover lists.
_SHOWN = 12


class KnownKey(NamedTuple):
    """A key that an object may have."""

    name: str  # the key
    text: str  # its description
    is_required: bool  # whether the object needs it, as it is


def schema_of(document: Document) -> Schema | None:
    """The bundled schema of a document; None if it has none."""
    if document.format is None:
        return None
    own = document.format.own_schema()
    return own or (bundle(document.schema) if document.schema else None)


class SchemaHelp:
    """A schema and the data that it is asked about."""

    def __init__(self, schema: Schema, data: object) -> None:
        self.schema, self.data = schema, data
        self._validator = OrderedValidator(schema)

    def parts(self, path: Sequence[str]) -> list[Schema]:
        """The parts of the schema that hold for the value at a path, conditional ones included."""
        parts, value = [self.schema], self.data
        for token in path:
            whole = [part for schema in parts for part in self._whole(schema, value)]
            parts = [part for schema in whole for part in _below(schema, token)]
            value = member(value, token)
        return [part for schema in parts for part in self._whole(schema, value)]

    def _whole(self, part: Schema, value: object) -> Iterator[Schema]:
        """A part, and those that it includes for a value."""
        part = self._meant(part)
        yield part
        for inner in part.get("allOf", ()):
            yield from self._whole(inner, value)
        for keyword in _BRANCHES:
            branches = part.get(keyword, [])
            meant = [branch for branch in branches if self._may_be(branch, value)]
            for branch in meant or branches:
                yield from self._whole(branch, value)
        if "if" in part and isinstance(value, dict):
            fits = self._validator.evolve(schema=part["if"]).is_valid(value)
            inner = part.get("then" if fits else "else")
            if isinstance(inner, dict):
                yield from self._whole(inner, value)

    def _meant(self, part: Schema) -> Schema:
        """A part, or the one that it refers to; a schema that is true or false says nothing."""
        if not isinstance(part, dict):
            return {}
        label = part.get("$ref", "").rpartition("/")[2]
        defined: Schema = self.schema.get("definitions", {}).get(label, part)
        return defined

    def _may_be(self, branch: Schema, value: object) -> bool:
        """True if no constant of a branch contradicts a value that is not finished."""
        branch = self._meant(branch)
        if not isinstance(value, dict):
            return True
        for key, rule in branch.get("properties", {}).items():
            allowed = [rule["const"]] if "const" in rule else rule.get("enum")
            if allowed and key in value and value[key] not in allowed:
                return False
        return True

    def keys(self, path: Sequence[str]) -> list[KnownKey]:
        """The keys that the object at a path may have, the required ones first."""
        found: dict[str, str] = {}
        required: set[str] = set()
        for part in self.parts(path):
            required |= set(part.get("required", ()))
            for name, rule in part.get("properties", {}).items():
                whole = self._whole(rule, None)
                text = next((p["description"] for p in whole if "description" in p), "")
                found[name] = found.get(name) or text
        found = {**dict.fromkeys(sorted(required), ""), **found}
        known = [KnownKey(name, text, name in required) for name, text in found.items()]
        return sorted(known, key=lambda key: not key.is_required)

    def values(self, path: Sequence[str]) -> list[str]:
        """The values at a path that the schema lists, or shows as examples, as JSON."""
        parts = self.parts(path)
        listed = [value for part in parts for value in _listed(part)]
        if not listed and any(part.get("type") == "boolean" for part in parts):
            listed = [True, False]
        shown = listed or [value for part in parts for value in part.get("examples", ())]
        return list(dict.fromkeys(json.dumps(value, ensure_ascii=False) for value in shown))

    def words(self, path: Sequence[str], document: Document) -> str:
        """Markdown about the value at a path: description, type, values, example, versions."""
        parts = self.parts(path)
        if not parts:
            return ""
        types = dict.fromkeys(
            kind
            for part in parts
            for kind in ([part["type"]] if isinstance(part.get("type"), str)
                         else part.get("type", ()))
        )  # fmt: skip
        needed = any(key.name == path[-1] and key.is_required for key in self.keys(path[:-1]))
        head = " · ".join(
            filter(None, [f"**{path[-1]}**", " or ".join(types), "required" if needed else ""])
        )
        lines = [head, *dict.fromkeys(p["description"] for p in parts if "description" in p)]
        listed = [f"`{json.dumps(v, ensure_ascii=False)}`" for p in parts for v in _listed(p)]
        if listed:
            more = "" if len(listed) <= _SHOWN else " …"
            lines.append(f"One of: {', '.join(dict.fromkeys(listed[:_SHOWN]))}{more}")
        examples = [example for part in parts for example in part.get("examples", ())]
        if examples:
            lines.append(f"Example: `{json.dumps(examples[0], ensure_ascii=False)}`")
        if versions := _versions_with(path, document):
            lines.append(versions)
        return "\n\n".join(lines)


def _versions_with(path: Sequence[str], document: Document) -> str:
    kind = document.kind or ""
    names = [
        version.name
        for version in VERSIONS.get(kind, ())
        if SchemaHelp(bundle(version.schema), document.data).parts(path)
    ]
    if not names:
        return ""
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    return f"In versions {span}" if len(names) > 1 else f"In version {span} only"


def _below(part: Schema, token: str) -> Iterator[Schema]:
    if token in part.get("properties", {}):
        yield part["properties"][token]
    elif isinstance(part.get("additionalProperties"), dict) and "type" in part:
        yield part["additionalProperties"]
    items = part.get("items")
    if token.isdecimal() and isinstance(items, dict):
        yield items


def _listed(part: Schema) -> list[Any]:
    return [part["const"]] if "const" in part else list(part.get("enum", ()))


#: Endings of files that have a document in each row, where there is no help.
ROWS = (".jsonl", ".csv", ".tsv")


@dataclass(frozen=True)
class Assistance:
    """One text of a file, and what is known about it."""

    path: str  # its path
    text: LiveText  # the text
    context: CheckContext  # that of its check

    @cached_property
    def reading(self) -> Reading:
        """The text as data, if it can be parsed."""
        return read(self.text.text.encode("utf-8", "surrogatepass"), self.path)

    @property
    def source(self) -> Source | None:
        """The places in the text, if it can be parsed."""
        return self.reading.source if self.reading.readable else None

    @cached_property
    def is_yaml(self) -> bool:
        """True if it is YAML."""
        return self.path.endswith((".yaml", ".yml"))

    @cached_property
    def document(self) -> Document:
        """The data and its format; of a text that cannot be parsed, as far as it goes."""
        if self.path.endswith(ROWS):
            return Document(None, None)
        data = self.reading.data
        if not self.reading.readable:
            data = None if self.is_yaml else read_loosely(self.text.text, 0)[0]
        return as_document(data, recognize(self.path, data).form)

    @cached_property
    def editing(self) -> Editing:
        """The knowledge of its format."""
        form = self.document.format
        try:
            return form.checks.editing(self.document.data, self.context) if form else Editing()
        except Exception:
            if form is not None and form.origin is not None:  # of a package, on incomplete data
                return Editing()
            raise

    @cached_property
    def schema(self) -> SchemaHelp | None:
        """The knowledge of its schema."""
        schema = schema_of(self.document)
        return None if schema is None else SchemaHelp(schema, self.document.data)

    def cursor(self, offset: int) -> Cursor:
        """The place of an offset."""
        if self.source is not None:
            return cursor_in(self.source, offset)
        if self.is_yaml or self.path.endswith(ROWS):
            return Cursor((), Part.NONE, offset, offset)
        return read_loosely(self.text.text, offset)[1]

    def hover(self, position: types.Position, findings: Sequence[Finding]) -> types.Hover | None:
        """Words about a key, a value or a formula, and the rules of the findings there."""
        offset = self.text.offset(position)
        cursor = self.cursor(offset)
        parts = []
        if cursor.part is Part.VALUE:
            parts.append(self.editing.hover(cursor.pointer, offset - cursor.start - 1))
        if not any(parts) and self.schema and cursor.path and cursor.part is not Part.NONE:
            parts.append(self.schema.words(cursor.path, self.document))
        for finding in findings:
            place = self.text.range_of(finding.span)
            if is_in(position, place) and (rule := RULES.get(finding.code)):
                parts.append(f"**{rule.code} {rule.name}**\n\n{rule_text(rule)}")
        if not any(parts):
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, "\n\n---\n\n".join(
            filter(None, parts)))  # fmt: skip
        return types.Hover(content, self.text.range(cursor.start, cursor.end))

    def completions(self, position: types.Position) -> list[types.CompletionItem]:
        """The keys or values that can be written at a position."""
        offset = self.text.offset(position)
        cursor = self.cursor(offset)
        if cursor.part is Part.KEY:
            return list(self._keys(cursor))
        if cursor.part is Part.NONE:
            return []
        return list(self._choices(cursor, offset)) or list(self._values(cursor))

    def _keys(self, cursor: Cursor) -> Iterator[types.CompletionItem]:
        above, place = cursor.path[:-1], self.text.range(cursor.start, cursor.end)
        holder: object = self.document.data
        for token in above:
            holder = member(holder, token)
        present = set(holder) - {cursor.path[-1]} if isinstance(holder, dict) else set()
        has_colon = self.text.text[cursor.end : cursor.end + 9].lstrip().startswith(":")
        for key in self.schema.keys(above) if self.schema else ():
            if key.name not in present:
                written = key.name if self.is_yaml else json.dumps(key.name, ensure_ascii=False)
                yield types.CompletionItem(
                    key.name,
                    kind=types.CompletionItemKind.Property,
                    detail="required" if key.is_required else None,
                    documentation=key.text or None,
                    sort_text=f"{not key.is_required:d}{key.name}",
                    filter_text=written,
                    text_edit=types.TextEdit(place, written + ("" if has_colon else ": ")),
                )

    def _values(self, cursor: Cursor) -> Iterator[types.CompletionItem]:
        place = self.text.range(cursor.start, cursor.end)
        for value in self.schema.values(cursor.path) if self.schema else ():
            is_plain = self.is_yaml and value[1:-1].replace("_", "").isalnum()
            written = value[1:-1] if is_plain and value[0] == '"' else value
            yield types.CompletionItem(
                value.strip('"'),
                kind=types.CompletionItemKind.EnumMember,
                filter_text=written,
                text_edit=types.TextEdit(place, written),
            )

    def _choices(self, cursor: Cursor, offset: int) -> Iterator[types.CompletionItem]:
        before = self.text.text[cursor.start + 1 : offset]
        for choice in self.editing.choices(cursor.pointer, before):
            start, end = (cursor.start, cursor.end) if choice.typed is None else (
                offset - choice.typed, offset)  # fmt: skip
            yield types.CompletionItem(
                choice.text.strip(' "'),
                kind=types.CompletionItemKind.Reference,
                detail=choice.detail or None,
                filter_text=choice.text,
                text_edit=types.TextEdit(self.text.range(start, end), choice.text),
            )

    def mentions(self, position: types.Position) -> list[tuple[Mention, types.Range]]:
        """All places with the name that is at a position; none if there is none."""
        source = self.source
        if source is None:
            return []
        every = list(self.editing.mentions())
        here = next((m for m in every if is_in(position, self._place(m, source))), None)
        same = [m for m in every if here and (m.kind, m.name) == (here.kind, here.name)]
        return [(mention, self._place(mention, source)) for mention in same]

    def _place(self, mention: Mention, source: Source) -> types.Range:
        place = self.text.range_of(source.span_of(mention.at))
        start, end = self.text.offset(place.start), self.text.offset(place.end)
        if self.text.text[start : start + 1] in ('"', "'") and end - start > 1:
            return self.text.range(start + 1, end - 1)
        return place

    def renamed(self, position: types.Position, name: str) -> list[types.TextEdit]:
        """The edits that rename what is at a position; a UsageError says why it cannot be."""
        mentions = self.mentions(position)
        if not mentions:
            unread = "" if self.source else ", and the file cannot be parsed as it is"
            raise UsageError(f"no condition or region is here{unread}")
        first = mentions[0][0]
        if name != first.name and (reason := self.editing.can_be_called(first.kind, name)):
            raise UsageError(reason)
        for mention, place in mentions:
            written = self.text.text[self.text.offset(place.start) : self.text.offset(place.end)]
            if normal_name(text_of(f'"{written}"')) != mention.name:
                line = place.start.line + 1
                raise UsageError(f"line {line} has the name in another form: rename it there first")
        return [types.TextEdit(place, name) for _, place in mentions]

    def lenses(self) -> list[types.CodeLens]:
        """Sentences above the conditions, and commands above the first line."""
        lenses, source = [], self.source
        for command, title in self.editing.commands() if source else ():
            arguments = [self.path]
            run = types.Command(title, f"evalmark.{command}", arguments=arguments)
            lenses.append(types.CodeLens(self.text.range(0, 0), command=run))
        for pointer, sentence in self.editing.sentences() if source else ():
            if source and (span := source.value_span(pointer)):
                shown = types.Command(sentence or "(no text)", "")
                lenses.append(types.CodeLens(self.text.range_of(span), command=shown))
        return lenses


def is_in(position: types.Position, place: types.Range) -> bool:
    """True if a position is in a range, or at its end."""
    start, end = place.start, place.end
    here = (position.line, position.character)
    return (start.line, start.character) <= here <= (end.line, end.character)
