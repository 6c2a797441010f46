"""Suites with recorded values, and files of surprisals for them."""

from __future__ import annotations

import csv
import json

from evalmark.scoring.suites.suite_loading import load_suite

FORMULA = "(2;%a%) < (2;%b%)"


def suite_data(name, words=("The cat", "sleeps"), *, values=True, model=None, formulas=(FORMULA,)):
    """A suite of two conditions and two items, evaluated or not."""
    meta = {"name": name, "metric": "sum", **({"model": model} if model else {})}

    def condition(condition_name, item):
        regions = []
        for number, word in enumerate(words, 1):
            content = f"{word}{'' if condition_name == 'a' else 's'}"
            value = {"metric_value": {"sum": number + item * (condition_name == "b")}}
            regions.append(
                {"region_number": number, "content": content, **(value if values else {})}
            )
        return {"condition_name": condition_name, "regions": regions}

    return {
        "meta": {**meta, "author": "", "reference": "", "comment": ""},
        "region_meta": {str(n): f"r{n}" for n, _ in enumerate(words, 1)},
        "predictions": [{"type": "formula", "formula": formula} for formula in formulas],
        "items": [
            {"item_number": i, "conditions": [condition("a", i), condition("b", i)]} for i in (1, 2)
        ],
    }


def surprisals_of(path, *suites, first=1.0, end=True):
    """A file of surprisals for all sentences of some suites, a word a token."""
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    sentences = [s.text for suite in suites for row in load_suite(suite).sentences for s in row]
    for number, text in enumerate(sentences, 1):
        tokens = [*text.split(), *(["<eos>"] if end else [])]
        lines += [f"{number}\t{i}\t{t}\t{first + i + number}" for i, t in enumerate(tokens, 1)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n")
    return path


def record_of(folder):
    (path,) = (p for p in folder.glob("*.json") if p.name != "scores.json")
    return json.loads(path.read_text())


def table(folder, name):
    """The rows of a table of a run."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows_of(frame):
    """A frame of any library as dictionaries."""
    if hasattr(frame, "to_pylist"):
        return frame.to_pylist()
    return frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
