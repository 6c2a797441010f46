"""Saving a suite: nobody's edits are lost, and what was not edited keeps its bytes."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from threading import Lock
from typing import Any

from evalmark.converters.conversion_formats import Syntax
from evalmark.converters.convert_document import convert_data
from evalmark.converters.syntax import DELIMITERS, ParsedText, parse_text, write_text
from evalmark.converters.yaml_text import edited_yaml
from evalmark.schemas.errors import ConversionError, EvalmarkError, ParseRejected, RequestRefused
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.portable_names import why_not_portable
from evalmark.validator.io.writing import remove_stale_temp_files, write_atomically
from evalmark.validator.reading.rewrite import align, rewrite
from evalmark.validator.reading.strict_json import decode
from evalmark.workbench.file_opening import (
    ENDINGS,
    SAVED_AS,
    SUITE,
    difference,
    digest_of,
    opened,
    suite_of_data,
)
from evalmark.workbench.served_folder import ServedFolder

#: One file at a time is compared and replaced.
_SAVING = Lock()
UNEDITED = "nothing was edited, so the file keeps its format"


def save(
    folder: ServedFolder,
    name: str,
    data: Any,
    digest: str | None,
    *,
    force: bool = False,
    export: bool = False,
    convert: bool = False,
) -> dict[str, Any]:
    """Write a suite to a file of the folder, if the file is still the one that was opened.

    ``digest`` is that of the file when it was opened; None if it is new. ``force`` replaces the
    file whatever it holds; ``export`` writes a table although it cannot hold all of the suite;
    ``convert`` writes a suite of an old format as a current one, even if nothing was edited. The
    new digest comes back, and whether the file was written.

    Raises:
        RequestRefused: The file is not the one that was opened (status 409, with what it holds and
            how that differs), or it cannot be written.
    """
    path = folder.path(name)
    syntax = _syntax_of(path)
    if not isinstance(data, dict):
        raise RequestRefused("a suite is an object with `meta`, `predictions` and `items`")
    with _SAVING:
        old = _content(path, name)
        if old is not None and not convert and _is_as_opened(old, name, data):
            return {"digest": digest_of(old), "written": False, "notes": [UNEDITED]}
        text, notes = new_text(old, name, data, syntax, export=export)
        new = text.encode("utf-8")
        if old == new:
            return {"digest": digest_of(new), "written": False, "notes": notes}
        _replace(path, name, text, old, digest, force=force)
    return {"digest": digest_of(new), "written": True, "notes": notes}


def save_text(
    folder: ServedFolder, name: str, text: str, digest: str | None, *, force: bool = False
) -> dict[str, Any]:
    """Write the text of a file as it is; see ``save``.

    A RequestRefused also if evalmark checks no file of such a name.
    """
    path = folder.path(name)
    if path.suffix.lower() not in ENDINGS:
        raise RequestRefused(f"a text is saved as {', '.join(ENDINGS)}: {path.name} is not")
    try:
        new = text.encode("utf-8")
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        raise RequestRefused(f"line {line} has half of a character (a lone surrogate)") from error
    with _SAVING:
        old = _content(path, name)
        if old != new:
            _replace(path, name, text, old, digest, force=force)
    return {"digest": digest_of(new), "written": old != new, "notes": []}


def _replace(
    path: Path, name: str, text: str, old: bytes | None, digest: str | None, *, force: bool
) -> None:
    """Write a file that still is the one that was opened, or whatever it holds with ``force``."""
    there = None if old is None else digest_of(old)
    if there != digest and not force:
        raise _changed_answer(name, old, text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_stale_temp_files(path)  # temporary files of a save that was interrupted
        write_atomically(path, text.encode("utf-8"), instead_of=old)
    except OSError as error:
        if error.errno == errno.EBUSY:
            raise _changed_answer(name, _content(path, name), text) from error
        reason = error.strerror or str(error)
        raise RequestRefused(f"{name} cannot be written: {reason}", status=403) from error


def _require_portable(name: str) -> None:
    for part in name.split("/"):
        if why := why_not_portable(part):
            raise RequestRefused(f"{name} is not a name for a file: {why}; choose another name")


def _is_as_opened(old: bytes, name: str, data: dict[str, Any]) -> bool:
    meta = data.get("meta")
    named = meta if isinstance(meta, dict) else {}
    choices = {"metric": str(named.get("metric")), "uid": str(named.get("name"))}
    file = opened(old, name, choices)
    return file.converted and _equal(settled(file.data, data), file.data)


def _equal(left: Any, right: Any) -> bool:
    return json.dumps(left) == json.dumps(right)  # 1 and true are not the same


def new_text(
    old: bytes | None, name: str, data: Any, syntax: Syntax, *, export: bool = False
) -> tuple[str, list[str]]:
    """The new text of a file, and notes; RequestRefused if the syntax cannot hold the data."""
    before = _parsed(old, name)
    try:
        if syntax in DELIMITERS:
            return _table(data, syntax, name, export=export)
        if before is None or not isinstance(before.data, dict):
            none = ParsedText("", name, Syntax.TXT)
            return write_text(data, SUITE, syntax, none), []
        data = settled(before.data, data)
        if syntax is Syntax.YAML:
            return edited_yaml(before.text, before.data, data), []
        return rewrite(before.text, data, before.data), []
    except ConversionError as error:
        raise RequestRefused(f"{name} cannot be saved: {error}", status=422) from error


def _table(data: Any, syntax: Syntax, name: str, *, export: bool) -> tuple[str, list[str]]:
    stem = Path(name).name.partition(".")[0]
    try:
        done = convert_data(data, to="table")
        whole = suite_of_data(done.data, stem).data == data
    except EvalmarkError as error:
        raise RequestRefused(f"{name} cannot be saved: {error}", status=422) from error
    if not whole and not export:
        raise RequestRefused(
            "a table holds only the texts of regions: no predictions, and nothing of `meta`; save "
            "the suite as a .json or .yaml file",
            status=422,
        )
    none = ParsedText("", name, Syntax.TXT)
    return write_text(done.data, "table", syntax, none), list(done.notes)


def _syntax_of(path: Path) -> Syntax:
    syntax = SAVED_AS.get(path.suffix.lower())
    if syntax is None:
        raise RequestRefused(f"a suite is saved as {', '.join(SAVED_AS)}: {path.name} is not")
    return syntax


def _content(path: Path, name: str) -> bytes | None:
    """The bytes of a file, None if it does not exist.

    Raises RequestRefused if it cannot be read, or a new name is not portable.
    """
    try:
        return read_whole(path)
    except FileNotFoundError:
        _require_portable(name)
        return None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RequestRefused(f"{name} cannot be read: {reason}", status=403) from error


def _parsed(old: bytes | None, name: str) -> ParsedText | None:
    try:
        parsed = None if old is None else parse_text(decode(old), name)
    except ParseRejected:
        return None
    return parsed if parsed is not None and parsed.error is None else None


def _changed_answer(name: str, old: bytes | None, text: str) -> RequestRefused:
    if old is None:
        return RequestRefused(
            f"{name} has been deleted or renamed since it was opened",
            status=409, changed=True, digest=None, data=None, difference=difference("", text, name),
        )  # fmt: skip
    file = opened(old, name, {})
    return RequestRefused(
        f"{name} has been changed by another window or program since it was opened",
        status=409,
        changed=True,
        digest=file.digest,
        data=file.data,
        difference=difference(file.text, text, name),
    )


def settled(old: Any, new: Any) -> Any:
    """New data with the numbers and the order of keys of the old data, where these are equal.

    A browser writes 1.0 as 1, loses digits of large whole numbers, and puts keys that are whole
    numbers first. Nobody has edited these.
    """
    if isinstance(old, dict) and isinstance(new, dict):
        kept = {key: settled(value, new[key]) for key, value in old.items() if key in new}
        return {**kept, **{key: value for key, value in new.items() if key not in old}}
    if isinstance(old, list) and isinstance(new, list):
        values = []
        for before, after in align(old, new):
            if after is not None:
                value = new[after]
                values.append(value if before is None else settled(old[before], value))
        return values
    if _is_number(old) and _is_number(new) and float(old) == float(new):
        return old
    return new


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
