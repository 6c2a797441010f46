"""What has been written, read again without our readers where Python has one."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from evalmark.converters.formats import Syntax
from evalmark.converters.tables.sheets import Sheets
from evalmark.schemas.errors import PLEASE_REPORT, ConversionError


def _yaml(text: str) -> Any:
    from ruamel.yaml import YAML

    return YAML(typ="safe", pure=True).load(text)


def _rows(text: str, delimiter: str) -> list[Any]:
    return list(csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter))


#: What reads each syntax; workbooks can only be read by what writes them.
READ: Mapping[Syntax, Callable[[str], Any]] = {
    Syntax.JSON: json.loads,
    Syntax.JSONL: lambda text: [json.loads(line) for line in text.split("\n") if line.strip()],
    Syntax.YAML: _yaml,
    Syntax.TXT: lambda text: text.split("\n")[:-1],
    Syntax.CSV: partial(_rows, delimiter=","),
    Syntax.TSV: partial(_rows, delimiter="\t"),
}


def require_written(data: Any, text: str, syntax: Syntax, files: Mapping[str, bytes]) -> None:
    """Refuse a text, or the files of tables, that would be read as other data.

    Raises:
        ConversionError: It would.
    """
    if read := READ.get(syntax):
        tables = {name: read(content.decode()) for name, content in files.items()}
        if (Sheets(**tables) if files else read(text)) != data:
            raise ConversionError("the text would be read as something else", PLEASE_REPORT)
