"""Good files in which mistakes are made, each with the files that belong to it."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.mistakes.contents import CONTENTS, clean_records
from benchmarks.mistakes.formulas import FORMULAS, TRIPLES, formula_bare
from benchmarks.mistakes.items import COLUMNS, ITEMS
from benchmarks.mistakes.operators import Operator
from benchmarks.mistakes.records import RECORDS
from benchmarks.mistakes.samples import SAMPLES
from benchmarks.mistakes.slips import (
    COLUMN_SLIPS,
    FORMULA_SLIPS,
    ITEM_SLIPS,
    LABEL_SLIPS,
    SCRIPT_SLIPS,
)
from benchmarks.mistakes.suites import GRID
from benchmarks.mistakes.texts import DESIGN, NOTATIONS, TEXTS
from benchmarks.mistakes.unseen_contents import UNSEEN

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
#: Real files to make mistakes in, if there are any: the folder that the tests read, too.
SHARED = Path(os.environ.get("EVALMARK_SHARED", "/nowhere")) / "data"
#: Larger files say no more, and take longer.
LARGEST = 200_000


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """Files by their path in a folder of their own, the one to change, and the ones to check."""

    files: dict[str, bytes]
    changed: str
    named: tuple[str, ...]

    def data(self) -> Any:
        raw = self.files[self.changed]
        if self.changed.endswith(".jsonl"):
            return [json.loads(line) for line in raw.splitlines() if line.strip()]
        return json.loads(raw)

    def with_data(self, data: Any) -> Case:
        """The case with other data, and with the record's checksum of them, as programs do."""
        files = dict(self.files)
        if not self.changed.endswith(".jsonl"):
            files[self.changed] = json.dumps(data, ensure_ascii=False, indent=1).encode()
            return Case(files, self.changed, self.named)
        lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in data)
        files[self.changed] = "".join(lines).encode()
        for name in self.named:
            if name != self.changed and name in files:
                record = json.loads(files[name])
                digest = hashlib.sha256(files[self.changed]).hexdigest()
                record["detailed_evaluation_results"]["checksum"] = digest
                files[name] = json.dumps(record).encode()
        return Case(files, self.changed, self.named)


@dataclass(frozen=True, slots=True)
class Sort:
    """A sort of file: the kind it is counted under, its good files, its operators."""

    name: str
    kind: str
    cases: Callable[[], Iterable[Case]]
    operators: tuple[Operator, ...]


def _small(paths: Iterable[Path]) -> Iterator[Path]:
    return (path for path in sorted(paths) if path.stat().st_size <= LARGEST)


def _alone(*globs: tuple[Path, str]) -> Iterator[Case]:
    for folder, pattern in globs:
        for path in _small(folder.glob(pattern)):
            yield Case({path.name: path.read_bytes()}, path.name, (path.name,))


def _records() -> Iterator[Case]:
    folders = ((FIXTURES / "good", "record.json"), (FIXTURES / "versions", "record-*.json"))
    return _alone(*folders, (SHARED / "records", "**/*.json"))


def _clean_records() -> Iterator[Case]:
    for number, record in enumerate(clean_records(40)):
        name = f"{number}.json"
        yield Case({name: json.dumps(record).encode()}, name, (name,))


def _samples() -> Iterator[Case]:
    for folder in (FIXTURES / "good", FIXTURES / "results", SHARED / "records"):
        for rows in _small(folder.rglob("*_samples.jsonl")):
            record = rows.with_name(rows.name.replace("_samples.jsonl", ".json"))
            files = {path.name: path.read_bytes() for path in (record, rows)}
            yield Case(files, rows.name, (record.name,))


def _current_suites() -> Iterator[Case]:
    """Suites of at least ten items, in the current dialect of formulas."""
    published = SHARED / "suites/published-json"
    for case in _alone((FIXTURES / "suites", "*.json"), (published, "*.json")):
        data = case.data()
        for prediction in data["predictions"]:
            prediction["formula"] = prediction["formula"].replace("[", "(").replace("]", ")")
        if len(data["items"]) >= 10:
            yield case.with_data(data)


def _languages() -> Iterator[dict[str, Any]]:
    """A suite of two conditions in each of several languages."""
    for name, stated in json.loads((FIXTURES / "languages.json").read_text("utf-8")).items():
        if name == "digits":
            continue
        rows = [(row.split("|"), row.replace(*forms).split("|")) for row, forms in stated["rows"]]
        meta = {"name": name, "metric": "sum"}
        differs = 1 + [a == b for a, b in zip(*rows[0], strict=True)].index(False)
        yield {
            "meta": {**meta, "no_space_before": "all"} if stated["unspaced"] else meta,
            "region_meta": {str(n): name for n, name in enumerate(stated["regions"], 1)},
            "predictions": [
                {"type": "formula", "formula": f"({differs};%bad%) > ({differs};%good%)"}
            ],
            "items": [
                {
                    "item_number": number,
                    "conditions": [
                        {
                            "condition_name": label,
                            "regions": [
                                {"region_number": n, "content": text}
                                for n, text in enumerate(texts, 1)
                            ],
                        }
                        for label, texts in zip(("good", "bad"), row, strict=True)
                    ],
                }
                for number, row in enumerate(rows, 1)
            ],
        }


def _all_suites() -> Iterator[Case]:
    """Suites of many items and of five, in many languages, of two to eight conditions."""
    for case in _current_suites():
        data = case.data()
        yield case
        yield Case(case.files, case.changed, case.named).with_data(
            {**data, "items": data["items"][:5]}
        )
    for suite in _languages():
        for count in (5, 12):
            name = f"{suite['meta']['name']}{count}.json"
            case = Case({name: b""}, name, (name,))
            yield case.with_data({**suite, "items": suite["items"][:count]})


SORTS = (
    Sort(
        "suites",
        "suites",
        lambda: _alone(
            (FIXTURES / "good", "suite.json"),
            (FIXTURES / "suites", "*.json"),
            (FIXTURES / "legacy", "*.new.json"),
            (SHARED / "suites/published-json", "*.json"),
        ),
        (*GRID, *FORMULAS, formula_bare),
    ),
    Sort("designs", "careful reader", _current_suites, DESIGN),
    Sort("texts", "careful reader", _current_suites, TEXTS),
    Sort("notations", "careful reader", _current_suites, NOTATIONS),
    Sort("items", "whole suite", _current_suites, ITEMS),
    Sort("columns", "whole suite", _current_suites, COLUMNS),
    *(
        Sort(f"slips: {name}", "slips", _all_suites, operators)
        for name, operators in (
            ("items", ITEM_SLIPS),
            ("columns", COLUMN_SLIPS),
            ("labels", LABEL_SLIPS),
            ("scripts", SCRIPT_SLIPS),
            ("formulas", FORMULA_SLIPS),
        )
    ),
    Sort(
        "legacy suites",
        "suites",
        lambda: _alone(
            (FIXTURES / "legacy", "triples.old.json"),
            (SHARED / "suites/legacy-triples", "test_in.json"),
        ),
        (*GRID, *TRIPLES),
    ),
    Sort("records", "records", _records, RECORDS),
    Sort("contents", "contents of records", _clean_records, CONTENTS),
    Sort("unseen contents", "contents of records, unseen", _clean_records, tuple(UNSEEN)),
    Sort("samples", "samples", _samples, SAMPLES),
)
