"""Suites with recorded values, and files of surprisals for them."""

from conftest import file_at
from evalmark.scoring.suites.suite_loading import load_suite
from strategies import suite_of

FORMULA = "(2;%a%) < (2;%b%)"


def suite_data(name, words=("The cat", "sleeps"), *, values=True, model=None, formulas=(FORMULA,)):
    """A suite of two conditions and two items, evaluated or not."""
    data = suite_of([{"a": words, "b": [f"{word}s" for word in words]}] * 2, formulas)
    meta = {"name": name, "metric": "sum", **({"model": model} if model else {})}
    data["meta"] = {**meta, "author": "", "reference": "", "comment": ""}
    data["region_meta"] = {str(n): f"r{n}" for n, _ in enumerate(words, 1)}
    for item in data["items"] if values else ():
        for condition in item["conditions"]:
            added = item["item_number"] * (condition["condition_name"] == "b")
            for region in condition["regions"]:
                region["metric_value"] = {"sum": region["region_number"] + added}
    return data


def surprisals_of(path, *suites, first=1.0, end=True):
    """A file of surprisals for all sentences of some suites, a word a token."""
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    sentences = [s.text for suite in suites for row in load_suite(suite).sentences for s in row]
    for number, text in enumerate(sentences, 1):
        tokens = [*text.split(), *(["<eos>"] if end else [])]
        lines += [f"{number}\t{i}\t{t}\t{first + i + number}" for i, t in enumerate(tokens, 1)]
    file_at(path, "\n".join(lines) + "\n")
    return path


def rows_of(frame):
    """A frame of any library as dictionaries."""
    if hasattr(frame, "to_pylist"):
        return frame.to_pylist()
    return frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
