"""Signs that a file that cannot be read is one of ours: its keys, its name, its place."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import cache, lru_cache
from typing import Any

from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import FILE_CODES, NOT_CHECKED
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import FORMATS, format_at
from evalmark.validator.formats.explaining.misspelt_keys import nearest_key
from evalmark.validator.formats.records.records_format import SAMPLE
from evalmark.validator.io.opening import open_regular, read_or_nothing
from evalmark.validator.reading.lines import LFS_POINTER
from evalmark.validator.reading.other_formats import CELLS, WIDE
from evalmark.validator.reading.top_keys import top_keys

#: Bytes of a file, and files of a folder, that tell whether the files of the folder are ours.
_HEAD, _FILES = 1 << 16, 20
#: Keys of an object that may be one of ours.
_KEYS = 30
#: Keys that many programs use: they alone do not say what a file is.
COMMON = frozenset(
    (
        "answer", "characters", "config", "data", "datasets", "duration", "evaluation", "input",
        "items", "label", "max_score", "meta", "model_id", "options", "predictions", "prefix",
        "question", "ratio", "reasoning", "schema_version", "score", "sentence_a", "sentence_b",
        "sentences", "source_sentence", "target_sentence", "test_id", "timestamp", "tokens",
        "total_tokens", "type",
    )
)  # fmt: skip
_YAML = (".yaml", ".yml")
_ENDINGS = (".json", ".jsonl", *_YAML)
_UNREADABLE = FILE_CODES.keys() - NOT_CHECKED - {"F019"}


def is_foreign(report: Report, raw: bytes | None = None, *, was_ours: bool = False) -> bool:
    """True if a file that nobody has named is skipped: nothing says that it is ours.

    Args:
        report: The report on it.
        raw: What it holds, if that is known.
        was_ours: Whether it was ours when it could be read.
    """
    codes = {finding.code for finding in report.findings}
    if "F012" in codes:
        return not any(finding.subject for finding in report.findings)  # see ``nearly_ours``
    # Rows that cannot be read count as samples.
    is_known = was_ours or report.kind not in (None, SAMPLE.name)
    if is_known or codes.isdisjoint(_UNREADABLE):
        return False
    return not has_signs(read_or_nothing(report.path) if raw is None else raw, report.path)


def has_signs(raw: bytes, path: str) -> bool:
    """True if something says that a file that cannot be read is ours, or of another package."""
    signs = are_ours(raw, path)
    if signs or (signs is None and _is_among_ours(path)):
        return True
    return _may_be_of_others(raw, path)


def _may_be_of_others(raw: bytes, path: str) -> bool:
    from evalmark.validator.formats.plugins import may_be_of_others  # few files

    return may_be_of_others(raw, path)


def are_of_nobody(raw: bytes, path: str) -> bool:
    """True if the beginning of a text tells that the file is neither ours nor of a package."""
    return are_ours(raw, path) is False and not _may_be_of_others(raw, path)


def are_ours(raw: bytes, path: str, formats: Collection[Format] = FORMATS) -> bool | None:
    """Whether the beginning of a text is that of a file of ours; None if it does not tell.

    A file is ours by its name, by its place, or by the keys at its top: an object of another
    program may well have ours somewhere inside. A pointer of Git LFS could be any file.
    """
    if raw.startswith(LFS_POINTER.encode()) or format_at(path) in formats:
        return True
    if path.endswith(_ENDINGS) and any(form.may_lie_at(path) for form in formats):
        return True
    found = top_keys(raw, path)
    for top, below in found.objects:
        if any(signs <= top for signs in (CELLS, WIDE)):
            return True  # a suite as a table
        for form in formats:
            names = _slips(form, top)
            if _is_marked(form, {names.get(key, key) for key in top}):
                return True
        if found.is_open and any(_may_begin(form, top, below) for form in formats):
            return True
    keys = {key for top, _ in found.objects for key in top}
    is_cut_early = found.is_open and len(keys) == 1 and not path.endswith(_YAML)
    return None if is_cut_early or not keys else False


def nearly_ours(data: object) -> tuple[Format, dict[str, str]] | None:
    """The format of an object, or of the first of a list, but for slips in some of its keys.

    Returns:
        The format, and the name that each of these keys should have; None if there is none. All
        other keys are of the format, so that it is not a file of another program.
    """
    first: Any = next(iter(data), None) if isinstance(data, list) else data
    if not isinstance(first, dict):
        return None
    for form in FORMATS:
        names = _slips(form, first.keys())
        if names and form.recognizes({names.get(key) or key: first[key] for key in first}):
            return form, names
    return None


def _slips(form: Format, keys: Collection[str]) -> dict[str, str]:
    """The right names of misspelt keys, if these and keys of the format are all that there is."""
    known = _keys_of(form)
    unknown = [key for key in keys if key not in known]
    if not 0 < len(unknown) < len(keys) <= _KEYS or COMMON.union(unknown).issuperset(keys):
        return {}
    names = {key: nearest_key(key, known, keys) or "" for key in unknown}
    return names if all(names.values()) else {}


def _is_marked(form: Format, keys: set[str]) -> bool:
    is_whole = any(signs <= keys for signs in form.signs)
    return is_whole and (not form.has_no_other_keys or keys <= _keys_of(form))


def _may_begin(form: Format, top: set[str], below: set[str]) -> bool:
    """True if a file of a format that lacks its end, or a bracket, may have these keys."""
    keys = top | below  # without a bracket, keys are one level too deep
    if all(signs.isdisjoint(keys) for signs in form.signs):
        return False  # what all its files have is not here
    known = top & _keys_of(form)
    if 2 * len(known) <= len(top):
        return False  # most keys are of another program
    return _is_marked(form, keys) or (len(known) > 1 and any(signs & top for signs in form.signs))


@cache
def _keys_of(form: Format) -> frozenset[str]:
    """All keys that files of a format may have at the top."""
    keys = frozenset[str]().union(*form.signs, *form.common_signs)
    return keys.union(*(schema.get("properties", {}) for schema in form.schemas()))


def _is_among_ours(path: str) -> bool:
    """True if the other files of a folder are ours, so that a text without keys is too."""
    folder, name = os.path.split(os.path.abspath(path))
    if not name.endswith(_ENDINGS) or not os.path.isdir(folder):
        return False
    ours, others = _neighbors(folder, os.stat(folder).st_mtime_ns)
    return bool(ours - {name}) and not others - {name}


@lru_cache(maxsize=64)
def _neighbors(folder: str, changed: int) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the first files of a folder that are ours, and of those that are not."""
    del changed  # a folder is looked at again once it has changed
    names: dict[bool | None, set[str]] = {True: set(), False: set(), None: set()}
    for name in sorted(name for name in os.listdir(folder) if name.endswith(_ENDINGS))[:_FILES]:
        path = os.path.join(folder, name)
        try:
            with open_regular(path) as file:
                names[are_ours(file.read(_HEAD), path)].add(name)
        except OSError:
            continue
    return frozenset(names[True]), frozenset(names[False])
