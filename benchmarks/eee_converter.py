"""Records of results, compared with those of Every Eval Ever's own converter, key by key.

    python -m benchmarks.eee_converter --eee PYTHON PATH …

PYTHON has every-eval-ever 0.3.0 and what its converters import. Each path is a results file of
the LM evaluation harness, a log of Inspect or the folder of a run of HELM. Records are matched by
their collection, results by their id, rows by result and sample. Every key whose value differs is
printed once: how often it differs, the first values, and why, from the table of
benchmarks/README.md. A key that it does not explain is marked ``?``, and makes the exit code 1. A
null is a missing key.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from evalmark.converters.convert_files import convert_files
from evalmark.converters.importers.registry import importer_of, importer_of_path
from evalmark.converters.syntax import parsed_value

DOCS = Path(__file__).parent / "README.md"
HEADING = "## Records of Every Eval Ever's converters\n"
#: Their values of these keys are others each time.
VOLATILE = ("retrieved_timestamp", "checksum", "file_path", "evaluation_id")
#: What they call the programs.
KINDS = {"lm-eval": "lm_eval", "inspect": "inspect", "inspect-eval": "inspect", "helm": "helm"}
OURS, THEIRS, BOTH = "only ours", "only theirs", "differ"
#: A whole result and a whole row: patterns that say nothing of their keys.
WHOLE = ("/evaluation_results/*", "/rows/*")
SIDES = (OURS, THEIRS, BOTH)
SHOWN = 70


@dataclass
class Difference:
    """A key that differs: how often, with the first values."""

    first: str
    count: int = 0
    seen: set[str] = field(default_factory=set)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--eee", type=Path, required=True, metavar="PYTHON")
    parser.add_argument("paths", nargs="+", type=Path)
    options = parser.parse_args()
    reasons = list(explanations(DOCS.read_text(encoding="utf-8")))
    unexplained, used = 0, set()
    found: dict[str, dict[tuple[str, str], Difference]] = {}
    for path in options.paths:
        kind = kind_of(path)
        with tempfile.TemporaryDirectory() as folder:
            theirs = other_records(options.eee, kind, path, Path(folder) / "theirs")
            ours = own_records(path, Path(folder) / "ours")
        known = found.setdefault(kind, {})
        for name in sorted(ours.keys() | theirs.keys()):
            compare(ours.get(name), theirs.get(name), "", known)
    for kind, differences in found.items():
        print(f"\n{kind}: {len(differences)} keys differ")
        for (place, side), one in sorted(differences.items()):
            reason = next((r for r in reasons if fits(r, kind, place, side)), None)
            used.add(reason)
            unexplained += reason is None
            print(f"{'?' if reason is None else ' '} {side:11} {place} ({one.count}×): {one.first}")
            print(f"      {reason[-1] if reason else 'not explained'}")
    print(f"\n{sum(map(len, found.values()))} keys, {unexplained} not explained")
    for reason in reasons:
        if reason not in used:
            print(f"not seen: {reason[1]}")
    return 1 if unexplained else 0


def kind_of(path: Path) -> str:
    found = importer_of_path(path) or importer_of(parsed_value(path.read_text("utf-8"), path.name))
    return KINDS[found.name if found else ""]


def explanations(text: str) -> Iterator[tuple[str, str, str, str]]:
    """Program, pattern of keys, side and reason of each row of the table; "" is any program."""
    if HEADING not in text:
        return
    section = text.partition(HEADING)[2].partition("\n## ")[0]
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if len(cells) == 3 and cells[1] in SIDES:
            program, _, _ = cells[0].rpartition(": ")
            for pattern in cells[0].removeprefix(f"{program}: ").split(", "):
                yield program, pattern.strip("`"), cells[1], cells[2]


def fits(reason: tuple[str, str, str, str], kind: str, place: str, side: str) -> bool:
    program, pattern, wanted, _ = reason
    matches = place == pattern if pattern in WHOLE else fnmatchcase(place, pattern)
    return program in ("", kind) and wanted == side and matches


def other_records(python: Path, kind: str, path: Path, folder: Path) -> dict[str, Any]:
    samples = ["--include_samples"] if kind == "lm_eval" else []
    # It exits with 1 if a task has no samples, and has written the records then.
    done = subprocess.run(
        [python, "-m", "every_eval_ever", "convert", kind, "--log_path", path,
         "--output_dir", folder, *samples],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = records(folder)
    if not found:
        reason = done.stderr.strip().rpartition("\n")[2]
        sys.exit(f"{path}: the other converter has written nothing: {reason}")
    return found


def own_records(path: Path, folder: Path) -> dict[str, Any]:
    for outcome in convert_files([path], to="record-0.3.0", output=folder):
        if outcome.refused or outcome.failed:
            sys.exit(f"{path}: {outcome.refused or outcome.failed}")
    return records(folder)


def records(folder: Path) -> dict[str, Any]:
    """Collection -> its record, with results by id and samples by result and id."""
    found = {}
    for path in sorted(folder.rglob("*.json")):
        if path.parent.name == "adapter_reports":
            continue
        record = json.loads(path.read_text("utf-8"))
        samples = path.with_name(f"{path.stem}_samples.jsonl")
        lines = samples.read_text("utf-8").split("\n") if samples.is_file() else []
        rows = [json.loads(line) for line in lines if line]
        name = record["evaluation_id"].partition("/")[0]
        record["evaluation_results"] = {
            r["evaluation_result_id"]: r for r in record["evaluation_results"]
        }
        record["rows"] = {(r.get("evaluation_result_id"), r["sample_id"]): r for r in rows}
        found[name] = record
    return found


def compare(ours: Any, theirs: Any, place: str, found: dict[tuple[str, str], Difference]) -> None:
    """Note each key that differs; entries of lists and of the tables by id are ``*``."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        is_table = place in ("/evaluation_results", "/rows")
        for key in [*ours, *(key for key in theirs if key not in ours)]:
            name = "*" if is_table else str(key)
            compare(ours.get(key), theirs.get(key), f"{place}/{name}", found)
    elif is_said(ours) and is_said(theirs):
        if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
            for one, other in zip(ours, theirs, strict=True):
                compare(one, other, f"{place}/*", found)
        elif ours != theirs:
            note(found, place, BOTH, f"{shown(ours, place)} and {shown(theirs, place)}")
    elif is_said(ours):
        leaves(ours, place, OURS, found)
    elif is_said(theirs):
        leaves(theirs, place, THEIRS, found)


def leaves(value: Any, place: str, side: str, found: dict[tuple[str, str], Difference]) -> None:
    """Note each key of an object that only one of them has; a whole result or row is one."""
    if isinstance(value, dict) and not place.endswith("/*"):
        for key, child in value.items():
            if is_said(child):
                leaves(child, f"{place}/{key}", side, found)
    else:
        note(found, place, side, shown(value, place))


def is_said(value: Any) -> bool:
    return value is not None and value not in ({}, [])


def note(found: dict[tuple[str, str], Difference], place: str, side: str, values: str) -> None:
    found.setdefault((place, side), Difference(values)).count += 1


def shown(value: Any, place: str) -> str:
    if place.rpartition("/")[2] in VOLATILE:
        return "…"
    if isinstance(value, dict):
        value = value.get("evaluation_result_id") or value.get("sample_id") or "…"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


if __name__ == "__main__":
    sys.exit(main())
