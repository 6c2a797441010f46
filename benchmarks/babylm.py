"""A submission to BabyLM, collated by the Challenge's own script.

``python -m benchmarks.babylm STRICT`` takes the folder ``strict`` of the pipeline, makes data of
the sizes that its ``collate_preds.py`` requires (in the form of the real ones, with few distinct
sentences), runs ``evalmark babylm demo --data``, and runs the script. What evalmark does not write
(fine-tuning) is there as stand-ins. ``--revisions`` also does the 28 checkpoints, all of them the
demo model; without it, the ages of acquisition are a stand-in too. ``--folder`` keeps the files,
and a second call goes on with them. Needs pandas, scipy and statsmodels.
"""

from __future__ import annotations

import argparse
import csv
import importlib.util
import json
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

DEMO = Path(__file__).parents[1] / "demo_model"
NOUNS = ("pilot", "guard", "author", "teacher", "farmer", "senator", "chef", "customer")
TUNED = ("boolq", "mnli", "mrpc", "multirc", "qqp", "rte", "wsc")


def pipeline(strict: Path) -> ModuleType:
    """The module ``collate_preds`` of the pipeline."""
    path = strict / "evaluation_pipeline/collate_preds.py"
    spec = importlib.util.spec_from_file_location("collate_preds", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_data(folder: Path, sizes: Any, *, fast: bool = True) -> None:
    """Make ``evaluation_data`` of the sizes that the pipeline's script requires.

    Args:
        folder: The folder to make.
        sizes: ``collate_preds``, or what has its constants.
        fast: Whether checkpoints have data.
    """
    full = sizes.FULL_SIZES
    _make_pairs(folder / "full_eval", "filtered", full, full["blimp"], full["blimp_supplement"])
    for uid, count in full["comps"].items():
        name = {"base": "base", "wugs": "wugs", "wugs_dist_before": "wugs_dist-before"}.get(
            uid, "wugs_dist-in-between"
        )
        rows = ({"prefix_acceptable": f"The {a}", "prefix_unacceptable": f"The {b}",
                 "property_phrase": "laughs ."} for a, b in _nouns(count))  # fmt: skip
        _write(folder / f"full_eval/comps/comps_{name}.jsonl", rows)
    words = {f"word{n}": [{"context": f"The {a} sees the"}] for n, (a, _) in
             enumerate(_nouns(sizes.AOA_SIZE))}  # fmt: skip
    aoa = folder / "full_eval/aoa/cdi_childes.json"
    aoa.parent.mkdir(parents=True)
    aoa.write_text(json.dumps(words), encoding="utf-8")
    if fast:
        of = sizes.FAST_SIZES
        some = {**full, **of, "ewok": dict.fromkeys(full["ewok"], of["ewok"])}
        blimp = dict.fromkeys(full["blimp"], of["blimp"])
        supplement = dict.fromkeys(full["blimp_supplement"], of["blimp_supplement"])
        _make_pairs(folder / "fast_eval", "fast", some, blimp, supplement)


def _nouns(count: int) -> Iterator[tuple[str, str]]:
    """Pairs of different nouns."""
    many = len(NOUNS)
    return ((NOUNS[n % many], NOUNS[(n + 1 + n // many % (many - 1)) % many]) for n in range(count))


def _make_pairs(
    folder: Path, kind: str, sizes: Mapping[str, Any], blimp: Mapping[str, int],
    supplement: Mapping[str, int],
) -> None:  # fmt: skip
    for uid, count in blimp.items():
        rows = (
            {"sentence_good": f"The {a} laughs .", "sentence_bad": f"The {b} laugh .",
             "field": "morphology", "linguistics_term": "agreement", "UID": uid}
            for a, b in _nouns(count)
        )  # fmt: skip
        _write(folder / f"blimp_{kind}/{uid}.jsonl", rows)
    for uid, count in supplement.items():
        rows = ({"sentence_good": f"{a} laughs .", "sentence_bad": f"{b} laugh ."}
                for a, b in _nouns(count))  # fmt: skip
        _write(folder / f"supplement_{kind}/{uid}.jsonl", rows)
    for uid, count in sizes["ewok"].items():
        rows = (
            {"Domain": uid, "ContextType": "direct", "ContextDiff": "noun", "TargetDiff": "noun",
             "Context1": f"The {a} smiles .", "Context2": f"The {b} smiles .",
             "Target1": f"The {a} laughs .", "Target2": f"The {b} laughs ."}
            for a, b in _nouns(count)
        )  # fmt: skip
        _write(folder / f"ewok_{kind}/{uid}.jsonl", rows)
    tracking = "entity_tracking" if kind == "filtered" else "entity_tracking_fast"
    for uid, count in sizes["entity_tracking"].items():
        name, operations, _ = uid.rsplit("_", 2)
        rows = (
            {"input_prefix": f"The {a} sees", "options": [f" the {a} .", f" the {b} ."],
             "numops": int(operations)}
            for a, b in _nouns(count)
        )  # fmt: skip
        _write(folder / tracking / f"{name}.jsonl", rows)
    for task, name in (("wug_adj", "wug_adj_nominalization"), ("wug_past", "wug_past_tense")):
        rows = ({"sentences": f"The {a} laughs .\tThe {b} laughs .", "ratio": n / sizes[task]}
                for n, (a, b) in enumerate(_nouns(sizes[task])))  # fmt: skip
        _write(folder / name / f"{name}.jsonl", rows)
    _make_reading(folder / "reading/reading_data.csv", sizes["reading"])


def _write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def _make_reading(path: Path, count: int) -> None:
    """Sentences of three words; times without meaning."""
    chance = random.Random(count)
    measures = ("RTfirstfix", "RTfirstpass", "RTgopast", "RTrightbound", "self_paced_reading_time",
                "Subtlex_log10", "length", "context_length", "prev_length")  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["item", "word", "prev_item", "prev_word", *measures])
        for n in range(count):
            noun, place = NOUNS[n // 3 % len(NOUNS)], n % 3
            words = [("", "The"), ("The", f" {noun}"), (f"The {noun}", " laughs")]
            before = words[place - 1] if place else ("", "")
            times = [round(chance.uniform(1, 9), 3) for _ in measures]
            table.writerow([*words[place], *(before if place != 1 else ("None", "The")), *times])


def add_stand_ins(results: Path, sizes: Any) -> None:
    """Write what evalmark does not do, with no meaning, into a folder of results."""
    ages = results / "zero_shot/causal/AoA_word/surprisal.json"
    if not ages.exists():
        ages.parent.mkdir(parents=True)
        steps = ({"step": step} for step in sizes.OTHER_FAST_REVISIONS)
        rows = [row for row in steps for _ in range(sizes.AOA_SIZE)]
        ages.write_text(json.dumps({"results": rows}), encoding="utf-8")
    for task in TUNED:
        path = results / "finetune" / task / "predictions.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [{"id": f"{task}_{n}", "pred": 0} for n in range(sizes.FULL_SIZES[task])]
        path.write_text(json.dumps({task: {"predictions": rows}}), encoding="utf-8")


def main() -> None:
    """Make the data, do the tasks, collate them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("strict", type=Path, help="folder `strict` of the pipeline")
    parser.add_argument("--revisions", action="store_true", help="the 28 checkpoints, too")
    parser.add_argument("--folder", type=Path, help="folder of data and results, which are kept")
    options = parser.parse_args()
    sizes = pipeline(options.strict)
    with TemporaryDirectory() as temporary:
        folder = (options.folder or Path(temporary)).absolute()
        data, model = folder / "evaluation_data", folder / "baby"
        if not data.exists():
            make_data(data, sizes)
        shutil.copytree(DEMO, model, dirs_exist_ok=True)
        for revision in sizes.OTHER_FAST_REVISIONS if options.revisions else ():
            shutil.copytree(DEMO, model / revision, dirs_exist_ok=True)
        given = ["--revisions", "chck_*"] if options.revisions else []
        for _ in range(2):  # the second call finds everything finished
            started = time.monotonic()
            subprocess.run(
                [Path(sys.executable).parent / "evalmark", "babylm", model, "--data", data, *given],
                cwd=folder, check=False,
            )  # fmt: skip
            print(f"{time.monotonic() - started:.0f} s")
        add_stand_ins(folder / "results/baby/main", sizes)
        collating = [
            sys.executable, "-m", "evaluation_pipeline.collate_preds", "--model_path_or_name=baby",
            "--backend=causal", f"--results_dir={folder / 'results'}",
            f"--fast_eval_dir={data / 'fast_eval'}", *(["--fast"] if options.revisions else []),
        ]  # fmt: skip
        done = subprocess.run(collating, cwd=options.strict, check=False)
        print(f"collate_preds: exit code {done.returncode}")


if __name__ == "__main__":
    main()
