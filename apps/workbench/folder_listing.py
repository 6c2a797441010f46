"""Listing of the folder: suites, records and runs. What has not changed is not read again."""

from __future__ import annotations

import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from evalmark.converters.formats import SUITE, SUITES, kind_of_format
from evalmark.converters.syntax import DELIMITERS, parse_text
from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ConfigError,
    EvalmarkError,
    ParseRejected,
    failure,
)
from evalmark.schemas.versions import RECORD
from evalmark.validator.batch.walking import expand
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Severity
from evalmark.validator.formats.records.record_fields import fields_in
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.strict_json import decode
from evalmark.workbench.file_opening import ENDINGS, opened
from evalmark.workbench.page_check import checked, checker_of
from evalmark.workbench.served_folder import LARGEST, ServedFolder

#: Kinds of files that are listed.
LISTED = (SUITE, "pairs", RECORD)
#: Seconds of checking for one answer; the page asks again for the rest.
PATIENCE = 1.0
#: Endings of tables: what refuses one as a suite is all that is known to be wrong with it.
TABLES = tuple(f".{syntax}" for syntax in DELIMITERS)
#: A folder with a file of this name is listed as a run.
MANIFEST = "run.json"


class Browser:
    """The files of a folder, each described as of its last change."""

    def __init__(self, folder: ServedFolder, *, with_runs: bool = True) -> None:
        self.folder = folder
        self._with_runs = with_runs  # without, what shows them need not be installed
        self._known: dict[str, tuple[object, dict[str, Any]]] = {}
        self._checked: dict[str, tuple[object, tuple[int, int]]] = {}
        self._lock = Lock()

    def listing(self, *, patience: float = PATIENCE) -> dict[str, Any]:
        """Suites, runs and records. ``pending`` files have no counts of findings yet."""
        with self._lock:
            return self._listing(time.monotonic() + patience)

    def _listing(self, until: float) -> dict[str, Any]:
        runs, problems = [], []
        files: list[dict[str, Any]] = []
        records: list[dict[str, Any]] = []
        try:
            checker = checker_of(self.folder.root)
        except ConfigError as error:  # the files are there all the same
            checker = checker_of(None)
            where, _, why = self.folder.relative(str(error)).partition(": ")
            problems.append({"path": where, "message": f"{why}: the settings do not count"})
        pending = 0
        seen = set()
        for path, name, stamp in self._entries():
            seen.add(name)
            if checker.excludes(path):
                continue
            entry = self._entry(path, name, stamp)
            if "run" in entry:
                runs.append(entry["run"])
            elif "problem" in entry:
                problems.append({"path": name, "message": self.folder.relative(entry["problem"])})
            elif entry:
                counts = self._findings(path, name, stamp, entry["format"], checker, until)
                pending += counts is None
                errors, warnings = counts or (None, None)
                listed = records if entry["kind"] == RECORD else files
                listed.append({**entry, "errors": errors, "warnings": warnings})
        for cache in (self._known, self._checked):
            for gone in cache.keys() - seen:
                del cache[gone]
        runs.sort(key=lambda run: (run["when"], run["path"]), reverse=True)
        return {
            "root": self.folder.root.name,
            "id": sha256(str(self.folder.root).encode()).hexdigest()[:16],
            "join": checker.context.join,
            "files": files,
            "runs": runs,
            "records": records,
            "problems": problems,
            "pending": pending,
        }

    def _entries(self) -> Iterator[tuple[Path, str, object]]:
        for entry in expand([str(self.folder.root)], ENDINGS):
            path = Path(entry.path)
            try:
                status = path.stat()
            except OSError:
                continue  # deleted meanwhile
            stamp = status.st_mtime_ns, status.st_size, status.st_ino
            yield path, self.folder.name(path), stamp

    def _entry(self, path: Path, name: str, stamp: object) -> dict[str, Any]:
        cached = self._known.get(name)
        if cached is None or cached[0] != stamp:
            is_run = self._with_runs and path.name == MANIFEST
            try:
                entry = _run(path, name) if is_run else _describe(path, name)
            except Exception as error:  # a bug of ours is a line of one file
                entry = {"problem": f"F099 {failure(error)}; {PLEASE_REPORT}"}
            self._known[name] = cached = stamp, entry
        return cached[1]

    def _findings(
        self,
        path: Path,
        name: str,
        stamp: object,
        form: str,
        checker: Checker,
        until: float,
    ) -> tuple[int, int] | None:
        """The numbers of errors and of warnings; None if there was no time to check."""
        state = stamp, checker.context
        cached = self._checked.get(name)
        if cached is None or cached[0] != state:
            if time.monotonic() > until:
                return None
            try:
                numbers = self._counted(path, name, form, checker)
            except Exception:  # unreadable, or a bug of ours: whoever opens the file is told
                numbers = 1, 0
            self._checked[name] = cached = state, numbers
        return cached[1]

    def _counted(self, path: Path, name: str, form: str, checker: Checker) -> tuple[int, int]:
        """The errors and warnings of a file as its page shows them.

        A file of another format is shown as the suite that it becomes; a file that is several
        suites is checked as it is.
        """
        raw = read_whole(path)
        suite = None if form == SUITE or kind_of_format(form) == RECORD else opened(raw, name, {})
        if suite is not None and suite.converted:
            report = checked(suite.data, name, self.folder.root, checker)[1]
        elif suite is not None and suite.refused and not suite.needs and name.endswith(TABLES):
            return 1, 0
        else:
            report = checker.text(raw, str(path), is_file=True)
        errors = sum(finding.severity is Severity.ERROR for finding in report.findings)
        return errors, len(report.findings) - errors


def _run(path: Path, name: str) -> dict[str, Any]:
    """The run of a folder, or why it is not one; empty for one of conversations."""
    # Pages and scoring are not in the browser.
    from evalmark.workbench.runs.run_results import run_row

    try:
        row = run_row(path.parent, name)
    except (OSError, EvalmarkError) as error:
        return {"problem": str(error)}
    return {"run": row} if row else {}


def _describe(path: Path, name: str) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            return {}
        parsed = parse_text(decode(read_whole(path)), name)
    except (OSError, ParseRejected, EvalmarkError):
        return {}
    if parsed.format is None:
        return {}
    kind = kind_of_format(parsed.format)
    if kind not in LISTED:
        return {}
    entry: dict[str, Any] = {"path": name, "kind": kind, "format": parsed.format}
    try:
        if kind == RECORD:
            return {**entry, **_describe_record(parsed.data)}
        if parsed.format in SUITES and isinstance(parsed.data, dict):
            return {**entry, **_describe_suite(parsed.data)}
    except (LookupError, TypeError, AttributeError, ValueError):
        pass  # not as the format wants it: its findings say so
    return {**entry, **_NOTHING, "name": path.name.partition(".")[0]}


_NOTHING: dict[str, Any] = {
    "tags": [], "items": None, "conditions": None, "regions": None, "predictions": None,
}  # fmt: skip


def _describe_suite(data: dict[str, Any]) -> dict[str, Any]:
    meta, items = data["meta"], data["items"]
    tags = meta.get("tags") or []
    formulas = data.get("predictions") or meta.get("string_predictions") or []
    conditions = {c["condition_name"]: None for item in items for c in item["conditions"]}
    return {
        "name": str(meta["name"]),
        "tags": [tags] if isinstance(tags, str) else [str(tag) for tag in tags],
        "items": len(items),
        "conditions": len(conditions),
        "regions": len(data["region_meta"]),
        "predictions": len(formulas),
    }


def _describe_record(data: dict[str, Any]) -> dict[str, Any]:
    record = fields_in(data)
    model = record.text("model_id")
    if model is None:
        raise LookupError("a record without a model")
    return {"model": model, "results": len(record.entries("results"))}
