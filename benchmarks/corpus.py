"""The corpus beside other programs: ``python -m benchmarks.corpus [--ajv FOLDER] …``.

Runs the programs that are there over ``fixtures/corpus`` and prints each verdict that is not that
of the corpus, with what is said of it: ``files.json`` under its schemas (jsonschema, ajv),
``formulas.json`` (SyntaxGym), ``gate.json`` (Every Eval Ever). A difference that the corpus gives
no reason for is new, and the exit code is 1.

- ajv: ``npm install ajv@8`` in a folder, and ``--ajv FOLDER``.
- SyntaxGym: its source distribution, unpacked, and ``--syntaxgym FOLDER``; its evaluator runs in
  ``--python PYTHON``, which has ``pyparsing==2.4.7`` and ``numpy``.
- Every Eval Ever: ``--eee PYTHON``, as for ``benchmarks.gate``.
"""

from __future__ import annotations

import argparse
import copy
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.schemas.files import bundle
from evalmark.validator.reading.source import parse_pointer
from jsonschema import Draft7Validator

from benchmarks.gate.__main__ import judged_by_eee

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"

#: What runs in node: files with their schemas → a line of true or false for each.
AJV = """
const { readFileSync } = require("fs");
const Ajv = require(require.resolve("ajv", { paths: [process.argv[1]] })).default;
const { schemas, files } = JSON.parse(readFileSync(0, "utf-8"));
const compiled = {};
for (const [name, schema] of Object.entries(schemas)) {
  compiled[name] = new Ajv({ strict: false, validateFormats: false }).compile(schema);
}
for (const [schema, path] of files) {
  console.log(compiled[schema](JSON.parse(readFileSync(path, "utf-8"))));
}
"""

#: What runs beside SyntaxGym's grammar, without the rest of the package: a line for each formula.
SYNTAXGYM = """
import json, sys, types
import numpy
package, utils = types.ModuleType("syntaxgym"), types.ModuleType("syntaxgym.utils")
package.__path__, utils.METRICS = [sys.argv[1] + "/syntaxgym"], {"sum": sum}
sys.modules |= {"syntaxgym": package, "syntaxgym.utils": utils}
from syntaxgym.prediction import Prediction
corpus = json.load(sys.stdin)
values = {(name, region): value for name, regions in corpus["values"].items()
          for region, value in enumerate(regions, 1)}
for case in corpus["formulas"]:
    try:
        result = Prediction(0, case["formula"], "sum").formula(values)
    except Exception:
        print('"rejected"')
        continue
    print(json.dumps(result.item() if isinstance(result, numpy.generic) else result))
"""


class Difference(NamedTuple):
    """A verdict of a program that is not that of the corpus, and what the corpus says of it."""

    case: str
    theirs: object
    ours: object
    why: str


def read(name: str) -> Any:
    return json.loads((FIXTURES / "corpus" / name).read_text(encoding="utf-8"))


def of_schemas(verdicts: Sequence[bool], lines: Sequence[Any]) -> Iterator[Difference]:
    """Differences of a program that checks files against their schemas."""
    for line, verdict in zip(lines, verdicts, strict=True):
        if verdict != line["valid"]:
            yield Difference(line["file"], verdict, line["valid"], line.get("why", ""))


def of_jsonschema(lines: Sequence[Any]) -> list[bool]:
    found = []
    for line in lines:
        data = json.loads((FIXTURES / line["file"]).read_text(encoding="utf-8"))
        found.append(Draft7Validator(bundle(line["schema"])).is_valid(data))
    return found


def of_ajv(folder: Path, lines: Sequence[Any]) -> list[bool]:
    schemas = {line["schema"]: bundle(line["schema"]) for line in lines}
    files = [(line["schema"], str(FIXTURES / line["file"])) for line in lines]
    asked = json.dumps({"schemas": schemas, "files": files})
    return answers(["node", "-e", AJV, str(folder.resolve())], asked)


def answers(command: list[str], asked: str) -> list[Any]:
    """What a program answers, a line of JSON each."""
    done = subprocess.run(command, input=asked, capture_output=True, check=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def of_syntaxgym(python: Path, folder: Path) -> Iterator[Difference]:
    corpus = read("formulas.json")
    found = answers([str(python), "-c", SYNTAXGYM, str(folder.resolve())], json.dumps(corpus))
    for case, result in zip(corpus["formulas"], found, strict=True):
        known = case.get("reference", case["result"])
        if result != case["result"] or result != known:
            why = case.get("why", "") if result == known else ""
            yield Difference(case["formula"], result, case["result"], why)


def of_eee(python: Path) -> Iterator[Difference]:
    corpus = read("gate.json")
    cases: list[tuple[str, Path, str, str, str]] = []
    with tempfile.TemporaryDirectory() as home:
        for number, (case, data) in enumerate(laid_out(corpus)):
            folder = Path(home) / str(number) / corpus["base"]["folder"]
            folder.mkdir(parents=True)
            record = folder / f"{corpus['base']['name']}.json"
            record.write_text(json.dumps(data["record"]), encoding="utf-8")
            paths = [record]
            if "rows" in data:
                paths.append(record.with_name(f"{record.stem}_samples.jsonl"))
                rows = (json.dumps(row, ensure_ascii=False) + "\n" for row in data["rows"])
                paths[1].write_text("".join(rows), encoding="utf-8")
            ours = case.get("verdicts") or [case["verdict"]]
            theirs = case.get("references") or [case.get("reference", ours[0])] * (len(ours) == 1)
            theirs = theirs or ours
            for path, verdict, known in zip(paths, ours, theirs, strict=True):
                cases.append((case["name"], path, verdict, known, case.get("why", "")))
        judged = list(judged_by_eee(python, [path for _, path, *_ in cases]))
    for (name, path, ours, known, why), verdict in zip(cases, judged, strict=True):
        theirs = "refuse" if verdict.get("verdict") == "refuse" else "pass"
        if theirs != ours or theirs != known:
            yield Difference(f"{name}, {path.suffix[1:]}", theirs, ours, why * (theirs == known))


def laid_out(corpus: Any) -> Iterator[tuple[Any, Any]]:
    """Each case of the gate with its record, and its rows if it has any."""
    base = corpus["base"]
    record = json.loads((FIXTURES / base["record"]).read_text(encoding="utf-8"))
    record = changed(record, base["set"], ())
    text = (FIXTURES / base["rows"]).read_text(encoding="utf-8")
    rows = [{**json.loads(line), "evaluation_id": record["evaluation_id"]}
            for line in text.splitlines()]  # fmt: skip
    for case in corpus["records"]:
        yield case, {"record": changed(record, case.get("set", {}), case.get("remove", ()))}
    place = f"{base['folder']}/{base['name']}_samples.jsonl"
    link = {"format": "jsonl", "file_path": place, "total_rows": len(rows)}
    pair = {"record": {**record, "detailed_evaluation_results": link}, "rows": rows}
    for case in corpus["pairs"]:
        yield case, changed(pair, case.get("set", {}), case.get("remove", ()))


def changed(data: Any, values: dict[str, Any], gone: Sequence[str]) -> Any:
    """The data with values at pointers, and without the members at others."""
    data = copy.deepcopy(data)
    for pointer in (*values, *gone):
        *above, last = parse_pointer(pointer)
        node = data
        for step in above:
            node = node[int(step) if isinstance(node, list) else step]
        key = int(last) if isinstance(node, list) else last
        if pointer in values:
            node[key] = values[pointer]
        else:
            del node[key]
    return data


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ajv", type=Path, help="a folder in which ajv is installed")
    parser.add_argument("--syntaxgym", type=Path, help="its source distribution, unpacked")
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    parser.add_argument("--eee", type=Path, help="Python that has every-eval-ever")
    options = parser.parse_args()
    lines = [line for line in read("files.json") if "schema" in line]
    gate, formulas = read("gate.json"), read("formulas.json")["formulas"]
    found = {f"jsonschema, {len(lines)} files": [*of_schemas(of_jsonschema(lines), lines)]}
    if options.ajv:
        verdicts = of_ajv(options.ajv, lines)
        found[f"ajv, {len(lines)} files"] = [*of_schemas(verdicts, lines)]
    if options.syntaxgym:
        differences = [*of_syntaxgym(options.python, options.syntaxgym)]
        found[f"SyntaxGym, {len(formulas)} formulas"] = differences
    if options.eee:
        count = len(gate["records"]) + 2 * len(gate["pairs"])
        found[f"Every Eval Ever, {count} files"] = [*of_eee(options.eee)]
    for name, differences in found.items():
        new = [each for each in differences if not each.why]
        print(f"{name}: {len(differences)} differences, {len(new)} without a reason")
        for case, theirs, ours, why in differences:
            print(f"  {case}: {theirs} there, {ours} here: {why or 'NEW'}")
    return int(any(not each.why for differences in found.values() for each in differences))


if __name__ == "__main__":
    sys.exit(main())
