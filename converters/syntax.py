"""Texts of documents: JSON, YAML, tables and lists, read and written."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Any

from evalmark.converters.steps.tables import read_table, write_table
from evalmark.converters.yaml_text import rewrite_yaml, yaml_text
from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.rewrite import rewrite


class Syntax(StrEnum):
    """How a document is written."""

    JSON = "json"
    YAML = "yaml"
    JSONL = "jsonl"
    CSV = "csv"
    TSV = "tsv"
    TXT = "txt"

    @staticmethod
    def of(path: str) -> Syntax:
        """The syntax that the ending of a file's name stands for; JSON if none."""
        ending = path.rpartition(".")[2].lower()
        return Syntax("yaml" if ending == "yml" else ending) if ending in _ENDINGS else Syntax.JSON


_ENDINGS = ("json", "yaml", "yml", "jsonl", "csv", "tsv", "txt")

#: Form → the syntax it is written in, where that is not JSON or YAML.
SYNTAXES: dict[str, Syntax] = {
    "table": Syntax.CSV,
    "rows": Syntax.JSONL,
    "sentences": Syntax.TXT,
}


def read_text(text: str, path: str, syntax: Syntax) -> Any:
    """The data of a text.

    Raises:
        ConversionError: The text cannot be read.
    """
    if syntax in (Syntax.CSV, Syntax.TSV):
        return read_table(text, "," if syntax is Syntax.CSV else "\t")
    if syntax is Syntax.TXT:
        raise ConversionError("a list of sentences does not say which suite it is of")
    name = path if syntax is Syntax.YAML else "x.json"
    reading = read(text.encode("utf-8", "surrogatepass"), name)
    if not reading.readable:
        first = reading.findings[0]
        place = f" at {first.span.line}:{first.span.column}" if first.span else ""
        raise ConversionError(f"{first.code} {first.message}{place}")
    return reading.data


def write_text(data: Any, form: str, syntax: Syntax, old: str, old_syntax: Syntax) -> str:
    """The text of data; what did not change keeps its characters, where the syntax is the same."""
    if syntax is Syntax.JSON:
        if old_syntax is Syntax.JSON:
            return rewrite(old, data)
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n"
    if syntax is Syntax.YAML:
        return rewrite_yaml(old, data) if old_syntax is Syntax.YAML else yaml_text(data)
    if syntax is Syntax.JSONL and form == "rows":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in data)
    if syntax in (Syntax.CSV, Syntax.TSV) and form == "table":
        return write_table(data, "," if syntax is Syntax.CSV else "\t")
    if syntax is Syntax.TXT and form == "sentences":
        return "".join(f"{sentence}\n" for sentence in data)
    raise ConversionError(f"{form or 'this form'} is not written as {syntax}")
