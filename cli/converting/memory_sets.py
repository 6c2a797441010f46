"""``evalmark convert --to memory-set``: a published set in the general form."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from evalmark.converters.formats import MEMORY_SET
from evalmark.converters.memory_sets.published import read_memory_set
from evalmark.schemas.errors import ConversionError, UsageError
from evalmark.validator.check import check_data
from evalmark.validator.findings.rule import SHAPES
from evalmark.validator.io.terminal import CLEAN, put, say
from evalmark.validator.io.writing import write_atomically

#: Options of the command that a set cannot have.
_ONLY = "--to memory-set takes the files of one set, and -o"


def convert_set(paths: Sequence[str], output: Path | None, *, has_others: bool) -> int:
    """Write the set of the files to a file or to stdout; the exit code.

    Raises:
        UsageError: Other options are given.
        ConversionError: The files hold no set, or what was made of it is not valid.
    """
    if has_others or "-" in paths:
        raise UsageError(_ONLY)
    name, data = read_memory_set([Path(path) for path in paths])
    findings = check_data(data, kind=MEMORY_SET).findings
    if any(finding.name in SHAPES.values() for finding in findings):
        raise ConversionError(f"{name} cannot be written: {findings[0].message}")
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    histories = data["histories"]
    questions = sum(len(history["questions"]) for history in histories)
    if output is None:
        put(text)
    else:
        write_atomically(output, text.encode("utf-8", "surrogatepass"))
        say(
            f"{name}: {_counted(len(histories), 'history', 'histories')}, "
            f"{_counted(questions, 'question', 'questions')}; wrote {output}"
        )
    if findings:
        count = _counted(len(findings), "finding", "findings")
        say(f"note: {count}: `evalmark check {output or 'FILE'}` lists them")
    return CLEAN


def _counted(count: int, one: str, several: str) -> str:
    return f"{count} {one if count == 1 else several}"
