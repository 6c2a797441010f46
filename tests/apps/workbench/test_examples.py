"""The examples of the start page: what is recorded is what the demo model says today.

With ``EVALMARK_ACCEPT=1``, what it says is written into the module of the page.
"""

import json
import os
import re

import pytest
from conftest import FIXTURES, ROOT
from evalmark.workbench.runs.item_surprisals import item_conditions
from evalmark.workbench.runs.model_process import token_lines
from evalmark.workbench.runs.run_results import result
from evalmark.workbench.served_folder import ServedFolder

pytest.importorskip("torch")

MODULE = ROOT / "apps/workbench/page/examples/examples.js"
ENTRY = re.compile(r'^"([a-z-]+)": (.*),$', re.MULTILINE)


@pytest.fixture(scope="module")
def recorded():
    return {name: json.loads(text) for name, text in ENTRY.findall(MODULE.read_text("utf-8"))}


def tokens(suite, loaded):
    """For each item and condition its tokens with their surprisals, in bits."""
    asked = {"model": "demo", "join": "core"}
    return [
        [
            {
                **line,
                "tokens": [
                    {**token, "bits": token["bits"] and round(token["bits"], 3)}
                    for token in line["tokens"]
                ],
            }
            for line in token_lines({**asked, "item": item_conditions(item)}, loaded)
        ]
        for item in suite["items"]
    ]


def test_the_suites_check_clean_and_are_parts_of_those_of_the_demo_model(recorded, run, tmp_path):
    texts = json.dumps([json.loads(p.read_bytes())["items"] for p in FIXTURES.glob("suites/*")])
    for name, example in recorded.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(example["suite"]), encoding="utf-8")
        for item in example["suite"]["items"]:
            assert json.dumps(item["conditions"][0]["regions"]) in texts
    assert run("evalmark", "check", tmp_path).code == 0


@pytest.mark.slow
def test_the_results_and_surprisals_are_computed_again(recorded, run, tmp_path):
    for name, example in recorded.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(example["suite"]), encoding="utf-8")
    out = tmp_path / "run"
    run("evalmark", "score", tmp_path, "--model", "demo", "--out", out, "--quiet", code=0)
    fresh = {suite["name"]: suite for suite in result(ServedFolder(tmp_path), "run")["suites"]}
    loaded = {}
    for name, example in recorded.items():
        suite = example["suite"]
        now = {"result": fresh[suite["meta"]["name"]], "tokens": tokens(suite, loaded)}
        if os.environ.get("EVALMARK_ACCEPT"):
            accept(name, {"suite": suite, **now})
            continue
        for key in ("items", "predictions"):
            assert example["result"][key] == now["result"][key], name
        old, new = (_bits(lines) for lines in (example["tokens"], now["tokens"]))
        assert [text for text, _ in old] == [text for text, _ in new]
        assert [bits for _, bits in old] == pytest.approx([bits for _, bits in new], abs=0.01)


def accept(name, example):
    """Write an example into the module of the page."""
    entry = f'"{name}": {json.dumps(example, ensure_ascii=False, separators=(",", ":"))},'
    lines = MODULE.read_text(encoding="utf-8").splitlines(keepends=True)
    new = [f"{entry}\n" if line.startswith(f'"{name}": ') else line for line in lines]
    MODULE.write_text("".join(new), encoding="utf-8")


def _bits(lines):
    pairs = [token for item in lines for line in item for token in line["tokens"]]
    return [(token["text"], token["bits"]) for token in pairs]
