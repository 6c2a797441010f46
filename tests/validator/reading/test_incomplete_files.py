"""A file that lacks a part of its format, or is inside something, is ours; others are not."""

import json
import re

import pytest
import yaml
from conftest import FIXTURES, data_at, file_at, record_at, rows_at
from evalmark.validator.check import check_data, check_file

GOOD = FIXTURES / "good"


def without(data, *keys):
    return {key: value for key, value in data.items() if key not in keys}


SUITE, ROW = data_at("good/suite.json"), rows_at("0.2.0")[0]
LEGACY = data_at("legacy/triples.old.json")
PROMPTS, DEFINITION = (
    data_at("good/ltm/generation.json"),
    data_at("good/ltm/definitions/Prospective Memory/0.def.json"),
)
RECORD = record_at()
ENDS = ("evaluation_results", "model_info")

IN_LIST = "F019 the {} is inside a list"

#: Name -> what lacks something or is enclosed, and what is said of it.
OURS = {
    "items.json": (without(SUITE, "items"), "SG101 `items` is missing"),
    "items.yaml": (without(SUITE, "items"), "SG101 `items` is missing"),
    "legacy.json": (without(LEGACY, "items"), "SG101 `items` is missing"),
    "prompts.json": (without(PROMPTS, "question"), "LT101 `question` is missing"),
    "record.json": (
        without(RECORD, *ENDS), "EE101 `model_info` and `evaluation_results` are missing"
    ),
    "definition.json": (without(DEFINITION, "script"), "LT101 `script` is missing"),
    "row.json": (
        without(ROW, "evaluation_name", "schema_version"),
        "EE101 `schema_version` and `evaluation_name` are missing",
    ),
    "rows.jsonl": (
        without(ROW, "evaluation_name", "schema_version"),
        "EE101 `schema_version` and `evaluation_name` are missing",
    ),
    "one.json": ([SUITE], IN_LIST.format("suite")),
    "one.yaml": ([SUITE], IN_LIST.format("suite")),
    "many.json": (
        [without(SUITE, "items"), SUITE], IN_LIST.format("suite")
    ),
    "records.json": ([RECORD], IN_LIST.format("record")),
    "list.json": ([ROW], IN_LIST.format("sample")),
    "wrapped.json": (
        {"suite": SUITE},
        "F019 the suite is wrapped in an object with the single key `suite`",
    ),
    "wrapped.yaml": (
        {"suite": without(SUITE, "items")},
        "F019 the suite is wrapped in an object with the single key `suite`",
    ),
    "suites.jsonl": (SUITE, "F019 each line of the file is a suite"),
    "data/gsm8k/lab/model/f3a1c0de-4b2e-4c1a-9f6d-1b7e5a2c8d40.json": (
        {"name": "x"}, "EE101 `schema_version`, `evaluation_id`"
    ),
}  # fmt: skip

#: Name -> what is of another program.
STRANGERS = {
    "package.json": {"name": "x", "version": "1.0", "scripts": {}, "dependencies": {}},
    "tsconfig.json": {"compilerOptions": {"strict": True}},
    "coco.json": {"info": {}, "images": [], "annotations": [], "categories": []},
    "shape.json": {"type": "FeatureCollection", "features": [{"type": "Feature"}]},
    "dataset_infos.json": {"default": {"description": "", "features": {}, "splits": {}}},
    "notebook.json": {"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5},
    "openapi.yaml": {"openapi": "3.0.0", "info": {"title": "x"}, "paths": {"items": {}}},
    "lm_eval.json": {"results": {}, "configs": {}, "versions": {}, "config": {}, "date": 1.0},
    "config.json": {"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"},
    "rows.json": [{"id": 1, "text": "a"}, {"id": 2, "text": "b"}],
    "questions.json": [{"question": "q", "answer": "a", "context": "c"}],
    "question.json": {"question": "q", "answer": "a"},
    "sourced.json": [{"content": "c", "question": "q", "answer": "a"}],
    "inference.json": [{"sentence_a": "a", "sentence_b": "b"}],
    "messages.json": [{"role": "user", "content": "c"}],
    "pages.json": {"meta": {"page": 1}, "items": [1]},
    "predictions.json": {"meta": {}, "predictions": [0.5]},
    "report.json": {"report": {"evaluation_results": []}},
    "judged.json": {"score": 1, "max_score": 2, "reasoning": "r", "tokens": 3, "characters": 9},
    "events.jsonl": {"type": "start", "timestamp": 1, "data": {}},
    "data/gsm8k/lab/model/config.json": {"name": "x"},
}


def written(here, name, data):
    text = yaml.safe_dump(data) if name.endswith(".yaml") else json.dumps(data)
    return file_at(here / name, f"{text}\n")


@pytest.mark.parametrize("name", OURS)
def test_what_lacks_something_is_an_error_however_it_is_met(name, here, run):
    data, said = OURS[name]
    path = written(here, name, data)
    first = check_file(str(path)).findings[0]
    assert f"{first.code} {first.message}".startswith(said)
    for call in (("evalmark-hook", name), ("evalmark", "check", "."), ("evalmark", "check", name)):
        done = run(*call)
        assert (done.code, first.code in done.out) == (1, True), call


@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_of_another_program_is_skipped_and_named(name, here, run):
    written(here, name, STRANGERS[name])
    assert run("evalmark-hook", name) == (0, "", f"Skipped 1 unrecognized file: {name}.\n")


@pytest.mark.parametrize(
    ("data", "advice"),
    [
        ([SUITE], "remove the `[` and `]` around it"),
        ([SUITE, SUITE], "write each suite to a separate file"),
        (
            [ROW, ROW],
            "write each element on its own line, in a file whose name ends in .jsonl",
        ),
        ({"x": SUITE}, "keep only the value of `x`"),
    ],
)
def test_what_encloses_a_file_is_said_with_what_to_write(data, advice):
    assert check_data(data).findings[0].helps == (advice,)


def test_other_commands_do_not_pass_over_it_either(here, run):
    for name in ("items.json", "one.json", "wrapped.json", "prompts.json", "definition.json"):
        written(here, f"in/{name}", OURS[name][0])
    done = run("evalmark", "convert", "in", "--to", "suite", "-o", "out")
    assert done.code == 1
    assert re.findall(r"refused: (?:in/)?(\w+) ", done.err) == ["SG101", "F019", "F019"]


def test_a_few_skipped_files_are_named_and_many_are_counted(here, run):
    file_at("suite.json", SUITE)
    names = [f"{name}.json" for name in "abcdef"]
    for name in names:
        file_at(name, {"name": "x"})
    few = f"Skipped 5 unrecognized files: {', '.join(names[:5])}.\n"
    assert run("evalmark-hook", *names[:5], "suite.json") == (0, "", few)
    assert run("evalmark", "check", "-q", "--paths-from", "-", stdin=b"a.json\nsuite.json") == (
        0, "", "Skipped 1 unrecognized file: a.json.\n"
    )  # fmt: skip
    many = "Skipped 6 unrecognized files (`-v` names them).\n"
    assert run("evalmark-hook", *names, "suite.json") == (0, "", many)
    for call in (("evalmark-hook", "-v", *names, "suite.json"), ("evalmark", "check", "-v", ".")):
        lines = run(*call).err.splitlines()
        assert sum(line.endswith(".json: skipped: unrecognized") for line in lines) == 6
        assert lines[-1] == many.rstrip()
