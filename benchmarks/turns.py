"""What users wait for, in turns against another edition: ``python -m benchmarks.turns OLD NEW``.

OLD and NEW are the Pythons of two installations, with their modules compiled. Prints CPU seconds
(user and system, of whole processes), medians of turns.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from pathlib import Path

from benchmarks._measure import measured

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
#: How many records are checked, tabled and converted, and how many rows are imported.
CHECKED, TABLED, CONVERTED, IMPORTED = 5000, 5000, 200, 12_000
SUITES = 16


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--rounds", type=int, default=5, help="of short commands; a third of long")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        make(home)
        print("| | old | new | ratio |\n|---|---|---|---|")
        for name, (program, words, is_long) in commands(home).items():
            if options.only not in name:
                continue
            rounds = options.rounds // 3 + 1 if is_long else options.rounds
            calls = {
                edition: [str(python.parent / program), *words]
                for edition, python in (("old", options.old), ("new", options.new))
            }
            found = measured(calls, rounds)
            old, new = found["old"], found["new"]
            codes = "" if old.code == new.code else f" exit codes {old.code}, {new.code}"
            ratio = new.cpu / old.cpu
            print(f"| {name} | {old.cpu:.3f} | {new.cpu:.3f} | {ratio:.2f} |{codes}", flush=True)
    return 0


def commands(home: Path) -> dict[str, tuple[str, list[str], bool]]:
    """What is measured: the program, its words, and whether it takes seconds."""
    records, converted = str(home / "records"), str(home / "some")
    model = str(FIXTURES.parent / "scoring/demo_model")
    suite = str(FIXTURES / "suites/garden_path.json")
    main, new = "evalmark", str(home / "out")
    record = str(FIXTURES / "good/record.json")
    return {
        "the hook, one record": ("evalmark-hook", [record], False),
        "`--help`": (main, ["--help"], False),
        "`check`, one record": (main, ["check", record], False),
        f"`check`, {SUITES} suites": (main, ["check", str(home / "suites")], False),
        f"`check`, {CHECKED:,} records": (main, ["check", "-q", "-j", "1", records], True),
        f"`convert`, {CONVERTED} records": (
            main, ["convert", converted, "--to", "record-0.3.0", "-o", new], True
        ),
        f"`convert`, {IMPORTED:,} rows of lm-eval": (
            main, ["convert", str(home / "harness"), "--to", "record-0.2.0", "-o", f"{new}-rows"],
            True,
        ),
        "`score`, one suite, the demo model": (
            main, ["score", suite, "--model", model, "--device", "cpu", "-q"], True
        ),
        f"`table`, {TABLED:,} records": (
            main, ["table", records, "-j", "1", "-q", "-o", str(home / "out.csv")], True
        ),
    }  # fmt: skip


def make(home: Path) -> None:
    """The files that are read, all made of fixtures."""
    text = (FIXTURES / "good/record.json").read_text(encoding="utf-8")
    for folder, count in (("records", CHECKED), ("some", CONVERTED)):
        (home / folder).mkdir()
        for number in range(count):
            changed = text.replace("example/model-1", f"example/model-{number}")
            changed = changed.replace("Model 1", f"Model {number}")
            (home / folder / f"{number:05}.json").write_text(changed, encoding="utf-8")
    sources = sorted((FIXTURES / "suites").glob("*.json"))
    (home / "suites").mkdir()
    for number in range(SUITES):
        source = sources[number % len(sources)]
        data = json.loads(source.read_bytes())
        data["meta"]["name"] += f"_{number}"
        (home / f"suites/{number}.json").write_text(json.dumps(data, indent=2), encoding="utf-8")
    harness = home / "harness"
    shutil.copytree(FIXTURES / "results/lm_eval", harness)
    (samples,) = harness.glob("samples_colours_2*.jsonl")
    row = json.loads(samples.read_text(encoding="utf-8").splitlines()[0])
    with samples.open("w", encoding="utf-8") as file:
        for number in range(IMPORTED):
            whole = {**row, "doc_id": number, "doc": {"question": f"Fire {number} is"}}
            file.write(json.dumps(whole) + "\n")
    results = next(harness.glob("results_*.json"))
    data = json.loads(results.read_bytes())
    data.get("n-samples", {}).get("colours", {}).update(original=IMPORTED, effective=IMPORTED)
    results.write_text(json.dumps(data), encoding="utf-8")


if __name__ == "__main__":
    raise SystemExit(main())
