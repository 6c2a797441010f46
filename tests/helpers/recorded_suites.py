"""Suites with recorded values, and files of surprisals for them."""

from conftest import file_at
from evalmark.scoring.suites.suite_loading import load_suite
from suites import suite_of

FORMULA = "(2;%a%) < (2;%b%)"


def suite_data(name, words=("The cat", "sleeps"), *, values=True, model=None, formulas=(FORMULA,)):
    """A suite of two conditions and two items, evaluated or not."""
    items = [{"a": words, "b": [f"{word}s" for word in words]}] * 2
    regions = [f"r{n}" for n, _ in enumerate(words, 1)]
    about = {"model": model} if model else {}
    about |= {"author": "", "reference": "", "comment": ""}
    data = suite_of(items, formulas, regions=regions, name=name, **about)
    for item in data["items"] if values else ():
        for condition in item["conditions"]:
            added = item["item_number"] * (condition["condition_name"] == "b")
            for region in condition["regions"]:
                region["metric_value"] = {"sum": region["region_number"] + added}
    return data


def surprisals_at(path, sentences):
    """A file of surprisals: for each sentence its tokens with their values."""
    lines = ["sentence_id\ttoken_id\ttoken\tsurprisal"]
    for number, tokens in enumerate(sentences, 1):
        lines += [f"{number}\t{i}\t{token}\t{value}" for i, (token, value) in enumerate(tokens, 1)]
    return file_at(path, "\n".join(lines) + "\n")


def surprisals_of(path, *suites, first=1.0, end=True):
    """A file of surprisals for all sentences of some suites, a word a token."""
    sentences = [s.text for suite in suites for row in load_suite(suite).sentences for s in row]
    tokens = [[*text.split(), *(["<eos>"] if end else [])] for text in sentences]
    values = [
        [(token, first + i + number) for i, token in enumerate(row, 1)]
        for number, row in enumerate(tokens, 1)
    ]
    return surprisals_at(path, values)


def rows_of(frame):
    """A frame of any library as dictionaries."""
    if hasattr(frame, "to_pylist"):
        return frame.to_pylist()
    return frame.to_dicts() if hasattr(frame, "to_dicts") else frame.to_dict("records")
