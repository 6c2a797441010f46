"""Datastores for ``benchmarks.gate``: a record, perhaps a sample file, and what can be wrong."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evalmark.converters.convert_document import convert_data
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.versions import names
from evalmark.validator.formats.builtin import detect
from evalmark.validator.formats.records.datastore import misnamed_model

from benchmarks.torture.fuzz import places

ROOT = Path(__file__).resolve().parent.parent.parent
UUID = "0b6f1f0e-1111-4a6b-8f00-0000000000aa"
#: Values in the place of others; the validator reads some texts as numbers or truth values.
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 1.0, 0.5, 1e20, 10**30, 10**309, "", " ", "x", "1", "0.5",
    "1.0", " 7 ", "1_000", "1e3", "nan", "inf", "true", "No", "t", "Infinity", "-Infinity",
    "levels", "continuous", "unknown", "other", "data", "a/b", "jsonl", [], [1], ["x"], [None], {},
    {"a": 1}, {"a": "x"}, {"a": None},
)  # fmt: skip
KEYS = ("extra", "score_type", "min_score", "max_score", "level_names", "has_unknown_level",
        "messages", "output", "developer", "additional_details", "uncertainty", "llm_scoring",
        "generation_config", "source_type", "num_turns", "evaluation_result_id")  # fmt: skip
JUDGE = {"name": "j", "id": "o/j", "additional_details": {
    "deployment_type": "unknown", "model_availability": "unknown"}}  # fmt: skip
#: Parts that few files have, so that mistakes can be made in them.
PARTS: dict[str, Any] = {
    "metric_config": {"llm_scoring": {"judges": [{"model_info": JUDGE, "weight": 1}],
                                      "input_prompt": "x", "aggregation_method": "average"},
                      "level_names": ["a", "b"], "has_unknown_level": True,
                      "metric_parameters": {"k": 1}},
    "score_details": {"uncertainty": {
        "standard_error": {"value": 0.1, "method": "analytic"}, "standard_deviation": 0.2,
        "confidence_interval": {"lower": 0, "upper": 1, "confidence_level": 0.9},
        "num_samples": 9}, "details": {"a": "b"}},
    "generation_config": {"generation_args": {
        "temperature": 0.5, "max_tokens": 5, "reasoning": True,
        "eval_plan": {"steps": ["x"], "config": {"a": "b"}}, "sandbox": {"type": "docker"},
        "eval_limits": {"time_limit": 5}, "agentic_eval_config": {"available_tools": [
            {"name": "bash", "parameters": {"a": "b"}}]}}, "additional_details": {"a": "b"}},
}  # fmt: skip


@dataclass(frozen=True)
class Layout:
    """A record in a datastore, and the rows beside it; None where there is no such file."""

    record: Any
    rows: list[Any] | None = None
    folders: tuple[str, ...] = ("data", "suite", "example", "model-1")
    stem: str = UUID
    #: Changes of the texts, after everything else.
    record_text: Callable[[str], bytes] = str.encode
    rows_text: Callable[[str], bytes] = str.encode
    has_record: bool = True
    has_rows: bool = True

    def write(self, home: Path) -> list[Path]:
        """The paths of the files."""
        folder = home.joinpath(*self.folders)
        folder.mkdir(parents=True)
        written = []
        if self.has_record:
            written.append(folder / f"{self.stem}.json")
            text = json.dumps(self.record, ensure_ascii=False)
            written[-1].write_bytes(self.record_text(text))
        if self.rows is not None and self.has_rows:
            written.append(folder / f"{self.stem}_samples.jsonl")
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)
            written[-1].write_bytes(self.rows_text("".join(lines)))
        return written


def good(folders: list[Path]) -> Iterator[Layout]:
    """Records of every version, and those of 0.3.0 that they become; some with samples."""
    paths = [*(ROOT / "fixtures/versions").glob("record-*.json")]
    paths += [path for folder in folders for path in sorted(folder.rglob("*.json"))]
    rows = {path.stem.removeprefix("sample-"): [json.loads(line) for line in path.open()]
            for path in (ROOT / "fixtures/versions").glob("sample-*.jsonl")}  # fmt: skip
    for path in paths:
        try:
            record = json.loads(path.read_bytes())
        except ValueError:
            continue
        if detect(record) != "record":
            continue
        for data in (record, _newest(record)):
            if data is not None:
                layout = _placed(data)
                yield layout
                yield from (_with_rows(layout, found) for found in rows.values())


def _newest(record: Any) -> Any:
    """A record as one of the version that the validator reads, if it can be converted."""
    supplied = Supplied(
        values={
            "/evaluation_results/*/source_data/dataset_name": "@evaluation_name",
            "/model_info/additional_details/deployment_type": "unknown",
            "/model_info/additional_details/model_availability": "unknown",
            "/eval_library/name": "unknown",
            "/eval_library/version": "unknown",
        }
    )
    try:
        return convert_data(record, to=f"record-{names('record')[-1]}", supplied=supplied).data
    except ConversionError:
        return None


def _placed(record: Any) -> Layout:
    model = record.get("model_info") or {}
    owner, slash, name = str(model.get("id")).partition("/")
    place = (owner, name) if slash else (str(model.get("developer")), owner)
    folders = tuple(part.replace("/", "_").replace(":", "_") for part in place)
    if misnamed_model(model.get("id"), model.get("developer"), ("suite", *folders)):
        folders = ("example", "model-1")
    return Layout(
        {**record, "detailed_evaluation_results": None}, folders=("data", "suite", *folders)
    )


def _with_rows(layout: Layout, rows: list[Any]) -> Layout:
    record, rows = copy.deepcopy(layout.record), copy.deepcopy(rows)
    path = "/".join((*layout.folders, f"{layout.stem}_samples.jsonl"))
    record["detailed_evaluation_results"] = {
        "format": "jsonl", "file_path": path, "hash_algorithm": "sha256", "total_rows": len(rows),
    }  # fmt: skip
    for row in rows:
        row["evaluation_id"] = record.get("evaluation_id")
        row["model_id"] = (record.get("model_info") or {}).get("id")
        row["token_usage"] = {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}
        row["performance"] = {"latency_ms": 1.5, "additional_details": {"a": "b"}}
    return replace(layout, record=record, rows=rows)


def mutants(layouts: list[Layout], count: int, r: random.Random) -> Iterator[tuple[str, Layout]]:
    """Layouts with a mistake each, and its name."""
    newest = [layout for layout in layouts if layout.record["schema_version"] == "0.3.0"]
    for _ in range(count):
        # Most of the validator's checks can be seen only where its models accept the rest.
        layout = copy.deepcopy(r.choice(newest if r.random() < 0.8 else layouts))
        if r.random() < 0.5:
            _enrich(layout.record)
        operators = [*_OPERATORS, *(_OF_ROWS if layout.rows else ())]
        operator = r.choice([_value] * len(operators) + operators)
        changed = operator(layout, r)
        yield operator.__name__.strip("_").replace("_", " "), changed


def _enrich(record: Any) -> None:
    for result in record["evaluation_results"][:1]:
        for name, part in PARTS.items():
            result[name] = {**copy.deepcopy(part), **(result.get(name) or {})}


def _value(layout: Layout, r: random.Random) -> Layout:
    """A value that is another one, or missing."""
    target = layout.rows if layout.rows and r.random() < 0.5 else layout.record
    holder, key = r.choice(list(places(target)))
    if r.random() < 0.2:
        del holder[key]
    elif r.random() < 0.2 and isinstance(holder, dict):
        holder[r.choice(KEYS)] = copy.deepcopy(r.choice(ODD))
    else:
        holder[key] = copy.deepcopy(r.choice(ODD))
    return layout


def _metric(layout: Layout, r: random.Random) -> Layout:
    """The type, the bounds and the score of a result."""
    results = layout.record.get("evaluation_results") or [{}]
    metric = results[0].setdefault("metric_config", {})
    for key in r.sample(["score_type", "min_score", "max_score"], 2):
        options = [None, "continuous", "levels", "binary", " ", 0, 1, -3.5, "Infinity", "1", True]
        metric[key] = r.choice(options)
        if r.random() < 0.2:
            del metric[key]
    results[0].setdefault("score_details", {})["score"] = r.choice([0, 0.5, 1, 2, -4, "0.5", True])
    return layout


def _axes(layout: Layout, r: random.Random) -> Layout:
    """What a model or a judge says about how it was run."""
    models = [layout.record["model_info"]]
    for holder, key in places(layout.record["evaluation_results"]):
        if key == "model_info":
            models.append(holder[key])
    details = r.choice(models).setdefault("additional_details", {})
    if not isinstance(details, dict):
        return layout
    axis = r.choice(["deployment_type", "model_availability"])
    details[axis] = r.choice(["api", "unknown", None, 1, "", "Unknown", "open_weights"])
    if r.random() < 0.4:
        del details[axis]
    return layout


def _identity(layout: Layout, r: random.Random) -> Layout:
    """The id of the model, or its developer."""
    model = layout.record["model_info"]
    model["id"] = r.choice(
        ["model-1", "unknown/model-1", "Unknown/x", "example/model-1", "example/unknown", "a:b/c",
         "example/a/b", "example//b", "/x", "", " ", "example/ model-1", " example/model-1 ",
         "con/x", "example/x.", "data/x", "ex?/y", "..", "a/..", 3, "MODEL", "example/model:1"]
    )  # fmt: skip
    model["developer"] = r.choice(
        ["example", "unknown", "", None, 3, "Example", " example ", "a/b"]
    )
    if r.random() < 0.5:
        del model["developer"]
    folders = r.choice([layout.folders, ("data", "suite", "example", "model-1"),
                        ("data", "suite", "a_b", "c"), ("data", "suite", "example", "model_1"),
                        ("data", "suite", "example", "a_b")])  # fmt: skip
    return replace(layout, folders=folders)


def _place(layout: Layout, r: random.Random) -> Layout:
    """The folders and the name of the file."""
    folders = list(layout.folders)
    at = r.randrange(4)
    folders[at] = r.choice(["data", "x.", "x ", "con", "COM1.x", "a b", "é", "x?", "a:b", "Data"])
    if r.random() < 0.3:
        del folders[at]
    stem = r.choice([UUID, UUID, UUID.upper(), "record", UUID.replace("-4", "-5"), f"{UUID}x"])
    return replace(layout, folders=tuple(folders), stem=stem)


def _link(layout: Layout, r: random.Random) -> Layout:
    """What the record says about its sample file."""
    link = dict(layout.record.get("detailed_evaluation_results") or {})
    path = str(link.get("file_path"))
    key, value = r.choice(
        [("format", "json"), ("format", "JSONL"), ("file_path", f"./{path}"), ("file_path", " "),
         ("file_path", f" {path} "), ("file_path", f"{path}\n"), ("file_path", path.upper()),
         ("file_path", path[5:]), ("file_path", f"{UUID}_samples.jsonl"), ("file_path", 3),
         ("total_rows", 7), ("total_rows", True), ("total_rows", 2.0), ("total_rows", 7.0),
         ("total_rows", "2"), ("total_rows", "7"), ("checksum", "0"), ("hash_algorithm", "sha1"),
         ("format", None), ("file_path", None)]
    )  # fmt: skip
    link[key] = value
    if r.random() < 0.2:
        del link[key]
    layout.record["detailed_evaluation_results"] = r.choice([link] * 6 + [None, {}, "x", []])
    return layout


def _text(layout: Layout, r: random.Random) -> Layout:
    """The JSON of the record."""
    seed = r.random()
    return replace(layout, record_text=lambda text: _broken(text, random.Random(seed)))


def _broken(text: str, r: random.Random) -> bytes:
    return r.choice(
        [text[:-1].encode(), b"\xef\xbb\xbf" + text.encode(), text.encode("utf-16"),
         text.replace("{", '{"a": NaN, ', 1).encode(), b"", b" ", text.encode() + b"{}",
         text.replace("{", '{"evaluation_id": "x", ', 1).encode(), b"[]", b"null",
         text.replace("{", '{"extra": 1e400, ', 1).encode(), f"{text},".encode(),
         text.replace('"metric_config": {', '"metric_config": {"x": "\\ud83d", ', 1).encode(),
         text.replace('"metric_config": {', '"metric_config": {"x": 1' + "0" * 400 + ", ").encode(),
         text.replace('"metric_config": {', '"metric_config": {"x": ' + "[" * 300 + "]" * 300
                      + ", ").encode(), b"\xff" + text.encode(),
         text.replace(" ", "\u00a0").encode()]
    )  # fmt: skip


def _rows(layout: Layout, r: random.Random) -> Layout:
    """Which rows there are, and what they refer to."""
    rows = list(layout.rows or ())
    match r.randrange(7):
        case 0:
            rows.append(copy.deepcopy(rows[0]))
        case 1:
            del rows[0]
        case 2:
            rows = []
        case 3:
            rows[-1][r.choice(["evaluation_id", "model_id"])] = r.choice(["x", None, 3])
        case 4:
            rows[0]["schema_version"] = r.choice(["9.9", "0.2.0", None, 3])
        case 5:
            rows.insert(1, r.choice([[], None, 3, "x", {}]))
        case _:
            rows[0]["interaction_type"] = r.choice(["single_turn", "multi_turn", "agentic"])
    return replace(layout, rows=rows)


def _lines(layout: Layout, r: random.Random) -> Layout:
    """The text of the sample file."""
    seed = r.random()
    return replace(layout, rows_text=lambda text: _cut(text, random.Random(seed)))


def _cut(text: str, r: random.Random) -> bytes:
    first, _, rest = text.partition("\n")
    return r.choice(
        [f"{first}\n\n{rest}".encode(), f"{first}\n \u00a0\n{rest}".encode(),
         f"\u00a0{text}".encode(), f"{first}\r{rest}".encode(), text.replace("\n", "\r\n").encode(),
         text.replace("What", "W\u2028hat").encode(), text.replace("What", "W\x85hat").encode(),
         text.replace(": ", ":\r", 1).encode(), text.replace(": ", ":\t", 1).encode(),
         text[:-9].encode(), b"", b"\n", text.encode("utf-16"), b"\xff" + text.encode(),
         b"\xef\xbb\xbf" + text.encode(), text.replace("What", "W\\ud83dhat").encode(),
         text.replace("{", '{"sample_id": "x", ', 1).encode(), f"{text}x".encode(),
         text.replace('"score": 1.0', '"score": NaN').encode(), f"{text}\x1c\n".encode(),
         text.replace('"score": 1.0', '"score": 1e400').encode(), (text + first).encode(),
         text.replace("What", "W\x0chat").encode()]
    )  # fmt: skip


def _only_one(layout: Layout, r: random.Random) -> Layout:
    """One of the two files is not there."""
    has_record = r.random() < 0.5
    return replace(layout, has_record=has_record, has_rows=not has_record)


def _nothing(layout: Layout, _: random.Random) -> Layout:
    """No mistake at all."""
    return layout


_OPERATORS: list[Callable[[Layout, random.Random], Layout]] = [
    _metric, _axes, _identity, _place, _link, _text, _nothing,
]  # fmt: skip
_OF_ROWS: list[Callable[[Layout, random.Random], Layout]] = [_rows, _lines, _only_one, _lines]
