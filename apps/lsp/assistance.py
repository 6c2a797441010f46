"""Answers about a place in an open file: hover, completion, names, sentences."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalmark.lsp.cursor import Cursor, Part, cursor_in, read_loosely, text_of
from evalmark.lsp.live_text import LiveText
from evalmark.lsp.schema_help import SchemaHelp, schema_of
from evalmark.schemas.errors import UsageError
from evalmark.validator.findings.editing import Editing, Mention
from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import CheckContext, Document, as_document
from evalmark.validator.formats.recognition import recognize
from evalmark.validator.formats.rule_registry import RULES, rule_text
from evalmark.validator.formats.suites.condition_names import normal_name
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import Source, member
from lsprotocol import types

#: Endings of files that have a document in each row, where there is no help.
ROWS = (".jsonl", ".csv", ".tsv")


@dataclass(frozen=True)
class Assistance:
    """One text of a file, and what is known about it.

    Attributes:
        path: Its path.
        text: The text.
        context: That of its check.
    """

    path: str
    text: LiveText
    context: CheckContext

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
        """The name itself, without the quotes around it."""
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
