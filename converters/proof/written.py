"""What has been written, read again without our readers where Python has one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from evalmark.converters.formats import Syntax
from evalmark.converters.tables.sheets import Sheets
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError


def require_written(data: Any, text: str, syntax: Syntax, files: Mapping[str, bytes]) -> Any:
    """The data of a text, or of the files of tables, which is what was to be written.

    Raises:
        ConversionError: It is not.
    """
    if syntax is Syntax.XLSX:
        return data  # which only what writes workbooks can read
    back = read_again(text, syntax)
    if files:
        back = Sheets(
            **{name: read_again(content.decode(), syntax) for name, content in files.items()}
        )
    if back != data:
        raise ConversionError("the text would be read as something else", PLEASE_REPORT)
    return back


def read_again(text: str, syntax: Syntax) -> Any:
    """The data of a text; None of a syntax that only our readers know."""
    match syntax:
        case Syntax.JSON:
            return json.loads(text)
        case Syntax.JSONL:
            return [json.loads(line) for line in text.split("\n") if line.strip()]
        case Syntax.YAML:
            from ruamel.yaml import YAML

            return YAML(typ="safe", pure=True).load(text)
        case Syntax.TXT:
            return text.split("\n")[:-1]
        case Syntax.CSV | Syntax.TSV:
            delimiter = "\t" if syntax is Syntax.TSV else ","
            return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))
    return None
