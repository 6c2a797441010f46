"""Mutants of the converters against the proof alone: ``python -m benchmarks.mutants.proof``.

Each mutant converts a few documents in every direction, once without any check and once with the
proof alone. What it writes is compared with what the converters write as they are: sentences, and
the verdicts of predictions on values of our own. Of those that change a verdict or a sentence, the
share that the proof refuses is printed, and each that it lets pass.
"""

from __future__ import annotations

import argparse
import ast
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

from evalmark.converters.convert_document import convert_text
from evalmark.converters.step import Supplied
from evalmark.validator.formats.suites.formula.formula_syntax import parse
from evalmark.validator.formats.suites.formula.meaning import evaluate

from benchmarks.mutants.by_hand import BY_HAND
from benchmarks.mutants.changes import Change, changes, replaced, text

ROOT = Path(__file__).resolve().parents[2]
#: Modules that are changed by program: those that rewrite predictions, regions and their texts.
MODULES = (
    "converters/suites/suite_dialects.py", "converters/suites/edits.py",
    "converters/suites/suite_tables.py", "converters/tables/wide_tables.py",
    "validator/formats/suites/triples.py", "converters/yaml_text.py", "converters/syntax.py",
    "validator/formats/suites/formula/formula_syntax.py",
)  # fmt: skip
#: Signs of formulas, and what stands in their place.
SIGNS = {"<": ">", ">": "<", "=": "<", "&": "|", "|": "&", "+": "-", "-": "+", "[": "(", "*": "1"}


def suite(predictions: list[Any], metric: object = "sum", **meta: Any) -> dict[str, Any]:
    """Two items of two conditions and three regions."""
    words = {"a": ("The", "dog runs", "home"), "b": ("The", "dogs run", "")}

    def regions(item: int, name: str) -> list[dict[str, Any]]:
        texts = enumerate(words[name], 1)
        return [{"region_number": n, "content": text and f"{text}{item}"} for n, text in texts]

    def conditions(item: int) -> list[dict[str, Any]]:
        return [{"condition_name": name, "regions": regions(item, name)} for name in words]

    items = [{"item_number": item, "conditions": conditions(item)} for item in (1, 2)]
    meta = {"name": "n", "metric": metric, **meta}
    names = {"1": "np", "2": "verb", "3": "end"}
    return {"meta": meta, "region_meta": names, "predictions": predictions, "items": items}


def formulas(*texts: str) -> list[dict[str, str]]:
    return [{"type": "formula", "formula": text} for text in texts]


TRIPLES = [
    {"region_number": n, "l_operand": "a", "relation": relation, "r_operand": "b"}
    for n, relation in enumerate(("lessthan", "equals", "greaterthan"), 1)
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
        "triples": suite(TRIPLES, "mean"), "metrics": suite(TRIPLES, ["sum", "mean"]),
        "strings": old, "bare": suite(list(OLD)), "brackets": suite(formulas(*OLD, PLAIN[0])),
        "plain": plain, "suite": new, "unspaced": suite(formulas(*NEW), no_space_before=[3]),
    }  # fmt: skip
    texts = {name: json.dumps(data, indent=1) for name, data in sources.items()}
    for name in sources:
        metric = {"metric": "mean"} if name == "metrics" else {}
        yield name, texts[name], {"supplied": metric}
        yield f"{name}, renamed", texts[name], {"supplied": {**metric, **renames}}
        yield f"{name}, yaml", texts[name], {"syntax": "yaml", "supplied": metric}
    for edits in (
        [split], [("canonical", {})], [("renumber", renumber)], [("insert_region", insert)],
        [("renumber", renumber), ("insert_region", insert), split], [("strip_results", {})],
    ):  # fmt: skip
        for name in ("suite", "unspaced"):
            yield f"{name}, {edits}", texts[name], {"edits": edits}
    for name, to in (("plain", "suite-legacy"), ("plain", "wide-table"), ("suite", "wide-table"),
                     ("plain", "table"), ("suite", "rows"), ("unspaced", "sentences")):  # fmt: skip
        yield f"{name} → {to}, split", texts[name], {"to": to, "edits": [split]}
    contents = [(i, c, n, t) for i in (1, 2) for n, t in ((2, "runs"), (1, "The"), (3, "")) for c, t
                in (("a", t), ("b", t + "x"))]  # fmt: skip
    keys = ("item_number", "condition_name", "region_number", "content", "region_name")
    rows = [dict(zip(keys, (*each, str(each[2])), strict=True)) for each in contents]
    wide = [{"item": i, "condition": c, "np": f"The{c}", "verb": f"runs{i}"} for i in (1, 2) for c in "ab"]  # fmt: skip  # noqa: E501
    given = {"supplied": {"predictions": (NEW[0], OLD[1]), "metric": "mean"}}
    for table in (rows, wide):
        stream = io.StringIO()
        writer = csv.DictWriter(stream, table[0])
        writer.writeheader()
        writer.writerows(table)
        yield "x.csv", stream.getvalue(), {**given, "to": "suite"}
    lists = [{"region_number": [1, 2, 3], "content": ["x", f"y{c}", "z"]} for c in "ab"]
    conditions = {"condition_name": ["a", "b"], "regions": lists}
    row = {"suite_name": "n", "predictions": list(PLAIN), "conditions": conditions}
    sets = (json.dumps({**row, "item_number": i}) + "\n" for i in (1, 2))
    yield "x.jsonl", "".join(sets), {"to": "suite"}


def converted(with_proof: bool) -> dict[str, str]:
    """Name of a document -> what it becomes; "refused: " and why, if it is refused."""
    from evalmark.converters import convert_document as way
    from evalmark.converters.step import Supplied
    from evalmark.converters.suites import edits as changed
    from evalmark.converters.tables import table_files, wide_tables

    way.require_no_new_error = lambda *_: ()
    for module, check in ((table_files, "_require_equal"), (wide_tables, "_difference")):
        setattr(module, check, lambda *_: None)
    if not with_proof:
        way.prove = lambda *_: None
        way.require_written = lambda data, *_: data
    texts = {}
    for name, source, options in documents():
        edits = tuple(partial(getattr(changed, f), **words) if words else getattr(changed, f)
                      for f, words in options.get("edits", ()))  # fmt: skip
        given = {"to": options.get("to"), "syntax": options.get("syntax"), "edits": edits}
        path = name if "." in name else f"{name}.json"
        try:
            supplied = Supplied(name="n", **options.get("supplied", {}))
            done = way.convert_text(source, path=path, supplied=supplied, **given)
            files = {table: content.decode() for table, content in done.files.items()}
            outcome = json.dumps([str(done.syntax), done.text, files])
        except Exception as error:
            outcome = f"refused: {getattr(error, 'reason', error)}"
        texts[f"{name} {len(texts)}"] = outcome
    return texts


def meaning(name: str, result: str) -> Any:
    """What a result means: its sentences, its metric, and verdicts on values of our own.

    The converters as they are read it, but for tables. It is itself if they do not, and None of a
    refusal. Where conjunctions are split, the verdicts are those of whole items.
    """
    if result.startswith("refused: "):
        return None
    syntax, written, files = json.loads(result)
    if syntax == "jsonl" and '"items"' in str(written):  # suites, one a line
        syntax, written = "json", written.splitlines()[0]
    stated = list(csv.DictReader(io.StringIO(files.get("predictions", ""))))
    rows = csv.DictReader(io.StringIO(files.get("items", written)))
    parts: Any = [[cell for key, cell in row.items() if key != "region_name"] for row in rows]
    parts = written if syntax == "txt" else parts
    regions: dict[str, Any] = {"a": [1, 2, 3], "b": [1, 2, 3]}
    meta: Any = {r for r in files.get("meta", "").splitlines() if r[:12] != "/region_meta"}
    try:
        if syntax not in ("txt", "csv"):
            supplied = Supplied(name="n")
            data = convert_text(written, path=f"x.{syntax}", to="suite", supplied=supplied).data
            numbered = [
                (i["item_number"], c["condition_name"],
                 [(r["region_number"], r["content"]) for r in c["regions"]])
                for i in data["items"] for c in i["conditions"]
            ]  # fmt: skip
            regions = {condition: [number for number, _ in each] for _, condition, each in numbered}
            parts = [(*of, [r for r in each if r[1]], sorted(each)) for *of, each in numbered]
            stated, meta = data["predictions"], data["meta"]
            meta = meta["metric"], meta.get("no_space_before")
        of = [verdicts(one["formula"], regions) for one in stated]
    except Exception:
        return result  # what no reader would read
    return parts, meta, [all(row) for row in zip(*of, strict=True)] if "split" in name else of


def verdicts(formula: str, regions: dict[str, list[int]]) -> list[Any]:
    """The verdicts of a prediction on values that often are ties."""
    tree, random, truths = parse(formula).tree, Random(1), []
    for _ in range(400):
        step = random.choice((1, 0.5, 0.001, 2**-12))
        values = {(n, name): random.randint(0, 4) * step for name in regions for n in range(1, 9)}

        def value_of(at: Any, values: dict[Any, float] = values) -> float:
            if at.region is None:
                return sum(values[n, at.condition] for n in regions.get(at.condition, ()))
            return values.get((at.region, at.condition), 9.0)

        truths.append(evaluate(tree, value_of))
    return truths


class Finder:
    """Finds a module of ours with another text."""

    def __init__(self, path: str, source: str) -> None:
        self.name = f"evalmark.{path.removesuffix('.py').replace('/', '.')}"
        self.path, self.source = ROOT / path, source

    def find_spec(self, name: str, *_: object) -> Any:
        if name != self.name:
            return None
        return importlib.util.spec_from_loader(name, self, origin=str(self.path))

    def create_module(self, _: object) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__ = str(self.path)
        exec(compile(self.source, str(self.path), "exec"), module.__dict__)


def outcomes(path: str = "", source: str = "") -> tuple[dict[str, str], dict[str, str], list[Any]]:
    """What the documents become without the proof and with it, in a process of its own.

    Also the lines of ``MODULES`` that ran, if nothing is changed.
    """
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        try:
            os.close(reading)
            for name in [name for name in sys.modules if name.startswith("evalmark.")]:
                del sys.modules[name]
            lines: set[tuple[str, int]] = set()
            paths = {str((ROOT / module).resolve()): module for module in MODULES}

            def trace(frame: Any, event: str, _: object) -> Any:
                module = paths.get(os.path.realpath(frame.f_code.co_filename))
                if module and event == "line":
                    lines.add((module, frame.f_lineno))
                return trace if module else None

            try:
                if path:
                    sys.meta_path.insert(0, Finder(path, source))
                proved = converted(True)  # first: what is switched off stays off
                sys.settrace(None if path else trace)
                results = [converted(False), proved, [*lines]]
            except BaseException:
                results = [{}, {}, []]
            sys.settrace(None)
            with os.fdopen(writing, "w") as pipe:
                json.dump(results, pipe)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        found = json.loads(pipe.read() or "[{}, {}, []]")
    os.waitpid(child, 0)
    return tuple(found)


def rewrites(tree: ast.AST) -> Iterator[tuple[str, Any, str]]:
    """Changes of all kinds, and those that a translation could have: another order, a part less."""
    yield from replaced(tree)
    nodes = [*ast.walk(tree)]
    inside = {id(part) for n in nodes if isinstance(n, ast.JoinedStr) for part in ast.walk(n) if part is not n}  # fmt: skip  # noqa: E501
    inside |= {id(node.slice) for node in nodes if isinstance(node, ast.Subscript)}
    for node in nodes:
        match node:
            case _ if id(node) in inside:
                continue
            case ast.comprehension(iter=of) | ast.For(iter=of) if id(of) not in inside:
                for part in ("1:", ":-1", "::-1"):
                    yield "part", of, f"[*{text(of)}][{part}]"
            case ast.Tuple(elts=[first, second, *rest], ctx=ast.Load()):
                yield "operands", node, text(ast.Tuple([second, first, *rest], ast.Load()))
            case ast.BinOp():
                yield "operands", node, text(ast.BinOp(node.right, node.op, node.left))
            case ast.IfExp():
                yield "condition", node, text(ast.IfExp(node.test, node.orelse, node.body))
            case ast.Constant(value=str(sign)) if sign in SIGNS:
                yield "sign", node, repr(SIGNS[sign])
            case ast.JoinedStr():
                at = [n for n, v in enumerate(node.values) if isinstance(v, ast.FormattedValue)]
                if len(at) > 1:
                    parts = [*node.values]
                    parts[at[0]], parts[at[-1]] = parts[at[-1]], parts[at[0]]
                    yield "operands", node, text(ast.JoinedStr(parts))


def by_program(count: int, reached: list[Any]) -> list[Change]:
    """Changes at random, of lines that the documents reach."""
    lines = {tuple(line) for line in reached}
    found = {
        one: None
        for path in MODULES
        for one in changes(path, (ROOT / path).read_bytes(), rewrites)
        if (path, one.line) in lines
    }
    return Random(0).sample([*found], min(count, len(found)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400, help="mutants by program")
    options = parser.parse_args()
    clean, proved, reached = outcomes()
    wrongly = [name for name in clean if clean[name] != proved[name]]
    print(f"{len(clean)} documents, {len(wrongly)} refused wrongly", *wrongly, sep="\n  ", flush=True)  # fmt: skip  # noqa: E501
    mutants: list[tuple[str, str, str, str]] = []
    for path, before, after in BY_HAND:
        source = (ROOT / path).read_text("utf-8")
        assert before in source, (path, before)
        mutants.append(("by hand", path, source.replace(before, after), f"{before!r} → {after!r}"))
    for change in by_program(options.count, reached):
        source = change.applied((ROOT / change.path).read_bytes()).decode()
        named = f"{change.line}: {change.before!r} → {change.after!r}"
        mutants.append(("by program", change.path, source, named))
    known = {name: meaning(name, result) for name, result in clean.items()}
    counts: Counter[tuple[str, str]] = Counter()
    for kind, path, source, named in mutants:
        without, with_proof, _ = outcomes(path, source)
        changed = [
            name
            for name, result in without.items()
            if result != clean[name] and meaning(name, result) not in (None, known[name])
        ]
        passed = [name for name in changed if not with_proof[name].startswith("refused: ")]
        counts[kind, "passed" if passed else "refused" if changed else "unchanged"] += 1
        if passed:
            print(f"{kind} {path} {named}\n  passed: {'; '.join(passed)}", flush=True)
    for kind in ("by hand", "by program"):
        refused, passed, others = (counts[kind, end] for end in ("refused", "passed", "unchanged"))
        of = refused + passed
        print(
            f"{kind}: {refused} of {of} that change a verdict are refused "
            f"({refused / max(1, of):.1%}); {others} others change none, or end a conversion"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
