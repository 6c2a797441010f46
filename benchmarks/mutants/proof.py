"""Mutants of the converters against the proof alone: ``python -m benchmarks.mutants.proof``.

Each mutant converts a few documents in every direction, once without any check and once with the
proof alone. What it writes is compared with what the converters write as they are: sentences, and
the verdicts of predictions on values of our own. Of those that change a verdict or a sentence, the
share that the proof refuses is printed, and each that it lets pass.
"""

# ruff: noqa: E501 - documents are one line each

from __future__ import annotations

import argparse
import csv
import importlib.util
import io
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.mutants.by_hand import BY_HAND
from benchmarks.mutants.changes import Change, changes

ROOT = Path(__file__).resolve().parents[2]
#: Modules that are changed by program: those that rewrite predictions, regions and their texts.
MODULES = (
    "converters/suites/suite_dialects.py", "converters/suites/edits.py",
    "converters/suites/suite_tables.py", "converters/tables/wide_tables.py",
    "validator/formats/suites/triples.py", "converters/yaml_text.py", "converters/syntax.py",
)  # fmt: skip
#: The regions of what tables and dataset rows hold.
REGIONS = {"a": [1, 2, 3], "b": [1, 2, 3]}
Replaced = tuple[str, str, str]


def suite(predictions: list[Any], metric: object = "sum", **meta: Any) -> dict[str, Any]:
    """Two items of two conditions and three regions."""
    words = {"a": ("The", "dog runs", "home"), "b": ("The", "dogs run", "")}
    return {
        "meta": {"name": "n", "metric": metric, **meta},
        "region_meta": {"1": "np", "2": "verb", "3": "end"},
        "predictions": predictions,
        "items": [
            {
                "item_number": item,
                "conditions": [
                    {
                        "condition_name": name,
                        "regions": [
                            {"region_number": n, "content": text and f"{text}{item}"}
                            for n, text in enumerate(texts, 1)
                        ],
                    }
                    for name, texts in words.items()
                ],
            }
            for item in (1, 2)
        ],
    }


def formulas(*texts: str) -> list[dict[str, str]]:
    return [{"type": "formula", "formula": text} for text in texts]


def triples() -> list[dict[str, Any]]:
    relations = ("lessthan", "equals", "greaterthan")
    return [
        {"region_number": n, "l_operand": "a", "relation": relation, "r_operand": "b"}
        for n, relation in enumerate(relations, 1)
    ]


A, B = "(2;%a%)", "(2;%b%)"
OLD = (
    f"[{A} > {B}] & [(1;%a%) < (1;%b%)]",
    f"[{A} > {B}] | [(1;%a%) < 3] & [(3;%a%) > (3;%b%)]",
    f"[{A} < {B} < (3;%a%)]",
    f"[{A} - {B}] > [(3;%a%) - [(3;%b%) - 1.5]]",
    f"[{A} = {B}] & [(*;%a%) > (*;%b%)]",
    f"[{A} + 1e-3 > {B}] & [[(1;%a%) > 0] | [(1;%b%) > 0]]",
)
NEW = (
    f"{A} > {B} & (1;%a%) < (1;%b%) & (3;%a%) = (3;%b%)",
    f"({A} > {B} | (1;%a%) < 3) & (3;%a%) > (3;%b%)",
    f"{A} - ({B} - 2) > (*;%a%) - 0.0005",
    f"({A} > {B}) & ((1;%a%) > (1;%b%))",
)
PLAIN = (f"{A} > {B}", "(1;%a%) < (1;%b%) & (3;%a%) = (3;%b%)")


def documents() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Name, text, and the arguments of a conversion."""
    old, new, plain = map(suite, ([], formulas(*NEW), formulas(*PLAIN)))
    old["meta"]["string_predictions"] = list(OLD)
    renumber, insert = {"numbers": {1: 2, 2: 3, 3: 1}}, {"number": 2, "name": "new"}
    split, renames = ("split_conjunctions", {}), {"renames": {"a": "c"}}
    sources = {
        "triples": suite(triples(), "mean"), "metrics": suite(triples(), ["sum", "mean"]),
        "strings": old, "bare": suite(list(OLD)), "brackets": suite(formulas(*OLD, PLAIN[0])),
        "plain": plain, "suite": new, "unspaced": suite(formulas(*NEW), no_space_before=[3]),
    }  # fmt: skip
    for name, data in sources.items():
        text = json.dumps(data, indent=1)
        metric = {"metric": "mean"} if name == "metrics" else {}
        yield name, text, {"supplied": metric}
        yield f"{name}, renamed", text, {"supplied": {**metric, **renames}}
        yield f"{name}, yaml", text, {"syntax": "yaml", "supplied": metric}
    for edits in (
        [split], [("canonical", {})], [("renumber", renumber)], [("insert_region", insert)],
        [("renumber", renumber), ("insert_region", insert), split], [("strip_results", {})],
    ):  # fmt: skip
        for name in ("suite", "unspaced"):
            yield f"{name}, {edits}", json.dumps(sources[name]), {"edits": edits}
    for name, to in (("plain", "suite-legacy"), ("plain", "wide-table"), ("suite", "wide-table"),
                     ("plain", "table"), ("suite", "rows"), ("unspaced", "sentences")):  # fmt: skip
        yield f"{name} → {to}, split", json.dumps(sources[name]), {"to": to, "edits": [split]}
    rows = [
        {"item_number": i, "condition_name": c, "region_number": n, "region_name": str(n), "content": t}
        for i in (1, 2) for n, t in ((2, "runs"), (1, "The"), (3, "")) for c, t in (("a", t), ("b", t + "x"))
    ]  # fmt: skip
    wide = [
        {"item": i, "condition": c, "np": f"The{c}", "verb": f"runs{i}"}
        for i in (1, 2)
        for c in "ab"
    ]
    given = {"supplied": {"predictions": (NEW[0], OLD[1]), "metric": "mean"}}
    for table in (rows, wide):
        stream = io.StringIO()
        writer = csv.DictWriter(stream, table[0])
        writer.writeheader()
        writer.writerows(table)
        yield "x.csv", stream.getvalue(), {**given, "to": "suite"}
    sets = [
        {"suite_name": "n", "item_number": i, "predictions": list(PLAIN), "conditions": {
            "condition_name": ["a", "b"],
            "regions": [{"region_number": [1, 2, 3], "content": ["x", f"y{c}", "z"]} for c in "ab"]}}
        for i in (1, 2)
    ]  # fmt: skip
    yield "x.jsonl", "".join(f"{json.dumps(row)}\n" for row in sets), {"to": "suite"}


def converted(with_proof: bool) -> dict[str, str]:
    """Name of a document -> what it becomes; "refused: " and why, if it is refused."""
    from evalmark.converters import Supplied
    from evalmark.converters import convert_document as way
    from evalmark.converters.suites import edits as changed
    from evalmark.converters.tables import table_files, wide_tables
    from evalmark.schemas.errors import ConversionError

    way.require_no_new_error = lambda *_: ()
    for module, check in ((table_files, "_require_equal"), (wide_tables, "_difference")):
        setattr(module, check, lambda *_: None)
    if not with_proof:
        way.prove = lambda *_: None
        way.require_written = lambda data, *_: data
    texts = {}
    for name, text, options in documents():
        edits = tuple(partial(getattr(changed, f), **words) if words else getattr(changed, f)
                      for f, words in options.get("edits", ()))  # fmt: skip
        given = {"to": options.get("to"), "syntax": options.get("syntax"), "edits": edits}
        path = name if "." in name else f"{name}.json"
        try:
            supplied = Supplied(name="n", **options.get("supplied", {}))
            done = way.convert_text(text, path=path, supplied=supplied, **given)
            files = {table: content.decode() for table, content in done.files.items()}
            texts[f"{name} {len(texts)}"] = json.dumps([str(done.syntax), done.text, files])
        except ConversionError as error:
            texts[f"{name} {len(texts)}"] = f"refused: {error.reason}"
        except Exception as error:
            texts[f"{name} {len(texts)}"] = f"refused: {type(error).__name__}"
    return texts


def meaning(name: str, result: str) -> Any:
    """What a result means; None of a refusal."""
    try:
        return meaning_of(name, result)
    except Exception:
        return result  # what no reader would read


def meaning_of(name: str, result: str) -> Any:
    """What a result means: its sentences, its metric, and verdicts on values of our own.

    Of a document whose conjunctions are split, the verdicts are those of whole items.
    """
    if result.startswith("refused: "):
        return None
    syntax, text, files = json.loads(result)
    if syntax in ("csv", "tsv"):
        tables = {table: rows_of(content) for table, content in files.items() if content}
        tables.pop("meta", None)
        of = [verdicts({"formula": row[0]}, REGIONS) for row in tables.pop("predictions", [])]
        return tables or rows_of(text), together(name, of)
    if syntax == "txt":
        return text
    if syntax == "jsonl":
        rows = [json.loads(line) for line in text.splitlines()]
        if "items" in rows[0]:  # suites, one a line
            return meaning_of(name, json.dumps(["json", json.dumps(rows[0]), {}]))
        of = [verdicts({"formula": one}, REGIONS) for row in rows for one in row.pop("predictions")]
        return rows, together(name, of)
    if syntax == "yaml":
        from ruamel.yaml import YAML

        data = YAML(typ="safe", pure=True).load(text)
    else:
        data = json.loads(text)
    parts = [
        (i["item_number"], c["condition_name"], [(r["region_number"], r["content"]) for r in c["regions"]])
        for i in data["items"] for c in i["conditions"]
    ]  # fmt: skip
    regions = {name: [number for number, _ in each] for _, name, each in parts}
    sentences = [(*of, [p for p in each if p[1]], sorted(each)) for *of, each in parts]
    stated = data["predictions"] or data["meta"].get("string_predictions", [])
    unspaced = data["meta"].get("no_space_before", [])
    glued = [["".join(" " * (n not in unspaced) + t for n, t in each if t)] for *_, each in parts]
    of = [verdicts(one, regions) for one in stated]
    return sentences, glued, data["meta"]["metric"], together(name, of)


def together(name: str, of: list[Any]) -> Any:
    return [all(row) for row in zip(*of, strict=True)] if "split" in name else of


def rows_of(text: str) -> list[Any]:
    """The rows of a table, without the names of regions."""
    header, *rows = csv.reader(io.StringIO(text, newline=""))
    return [
        [c for c, name in zip(row, header, strict=True) if name != "region_name"] for row in rows
    ]


def verdicts(stated: Any, regions: dict[str, list[int]]) -> Any:
    """The verdicts of a prediction of today, or of a triple, on values that often are ties."""
    from evalmark.schemas.errors import FormulaSyntaxError
    from evalmark.validator.formats.suites.formula.formula_syntax import parse
    from evalmark.validator.formats.suites.formula.meaning import evaluate
    from evalmark.validator.formats.suites.triples import formula_of

    try:
        tree = (parse(stated["formula"]) if "formula" in stated else formula_of(stated)).tree
    except (FormulaSyntaxError, KeyError, TypeError, ValueError):
        return repr(stated)
    random, truths = Random(1), []
    for _ in range(400):
        step = random.choice((1, 0.5, 0.001, 2**-12))
        values = {(n, name): random.randint(0, 4) * step for name in regions for n in range(1, 9)}

        def value_of(at: Any, values: dict[Any, float] = values) -> float:
            if at.region is None:
                return sum(values[n, at.condition] for n in regions.get(at.condition, ()))
            return values.get((at.region, at.condition), 9.0)

        try:
            truths.append(evaluate(tree, value_of))
        except TypeError:
            return repr(stated)
    return truths


class Finder:
    """Finds a module of ours with another text."""

    def __init__(self, path: str, text: str) -> None:
        self.name = f"evalmark.{path.removesuffix('.py').replace('/', '.')}"
        self.path, self.text = ROOT / path, text

    def find_spec(self, name: str, *_: object) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(self.path))

    def create_module(self, _: object) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(self.path)
        exec(compile(self.text, str(self.path), "exec"), module.__dict__)


def outcomes(path: str = "", text: str = "") -> list[dict[str, str]]:
    """What the documents become without the proof and with it, in a process of its own."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.close(reading)
            for name in [name for name in sys.modules if name.startswith("evalmark.")]:
                del sys.modules[name]
            if path:
                sys.meta_path.insert(0, Finder(path, text))
            try:
                proved = converted(True)  # first: what is switched off stays off
                results = [converted(False), proved]
            except BaseException:
                results = [{}, {}]
            with os.fdopen(writing, "w") as pipe:
                json.dump(results, pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        results = json.loads(pipe.read() or "[{}, {}]")
    os.waitpid(child, 0)
    return results


def by_program(count: int) -> list[Change]:
    """Changes at random, of all kinds, of functions that rewrite predictions and regions."""
    found = [one for path in MODULES for one in changes(path, (ROOT / path).read_bytes())]
    return Random(0).sample(found, min(count, len(found)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400, help="mutants by program")
    options = parser.parse_args()
    mutants: list[tuple[str, Replaced]] = []
    for path, before, after in BY_HAND:
        text = (ROOT / path).read_text("utf-8")
        assert before in text, (path, before)
        mutants.append(("by hand", (path, text.replace(before, after), f"{before!r} → {after!r}")))
    for change in by_program(options.count):
        text = change.applied((ROOT / change.path).read_bytes()).decode()
        named = f"{change.line}: {change.before!r} → {change.after!r}"
        mutants.append(("by program", (change.path, text, named)))
    clean, proved = outcomes()
    wrongly = [name for name in clean if clean[name] != proved[name]]
    print(
        f"{len(clean)} documents, {len(wrongly)} refused wrongly", *wrongly, sep="\n  ", flush=True
    )
    known = {name: meaning(name, result) for name, result in clean.items()}
    counts: Counter[tuple[str, str]] = Counter()
    for kind, (path, text, named) in mutants:
        without, with_proof = outcomes(path, text)
        changed = [
            name for name, result in without.items()
            if result != clean[name] and (new := meaning(name, result)) is not None and new != known[name]
        ]  # fmt: skip
        passed = [name for name in changed if not with_proof[name].startswith("refused: ")]
        end = "unchanged" if not changed else "passed" if passed else "refused"
        counts[kind, end] += 1
        if passed:
            print(f"{kind} {path} {named}\n  passed: {'; '.join(passed)}", flush=True)
    for kind in ("by hand", "by program"):
        refused, passed = counts[kind, "refused"], counts[kind, "passed"]
        share = refused / max(1, refused + passed)
        print(
            f"{kind}: {refused} of {refused + passed} that change a verdict are refused ({share:.1%}); "
            f"{counts[kind, 'unchanged']} others change none or are refused by the converters"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
