"""Published benchmarks by their names: the right files, or what is missing and where it is from."""

import json
import shutil

import pytest
from evalmark.memory.datasets.named_benchmarks import benchmark_names, named_benchmark
from evalmark.schemas.errors import UsageError

LTM = "data/ltm/Benchmark 3 - 32k (isolated)"


@pytest.fixture
def silent(here):
    (here / "say.json").write_text('{"default": "?"}', encoding="utf-8")
    return ("--agent", "say.json", "--out", "r")


@pytest.mark.parametrize("name", benchmark_names())
def test_without_its_folder_a_name_says_what_to_download_and_from_where(tmp_path, name):
    for targets in ([name], [name, "nowhere"], [name, str(tmp_path)]):
        with pytest.raises(UsageError) as error:
            named_benchmark(targets)
        assert "https://github.com/" in str(error.value)
        assert ".json" in str(error.value)


@pytest.mark.slow
def test_a_run_by_name_is_that_of_the_benchmark(run, tmp_path, silent, shared):
    command = ("evalmark", "memory", "ltm-32k", shared / LTM)
    done = run(*command, *silent)
    assert done.err.splitlines()[0].startswith("ltm-32k without Restaurant: 33 files (SHA-256 ")
    assert ", memory span 32000, interleaved" in done.err
    assert "a dynamic test of Restaurant, whose definition has no script (3 tests)" in done.err
    (file,) = (tmp_path / "r/results").glob("*/run.json")
    stated = json.loads(file.read_text())
    assert (stated["benchmark"], stated["memory_span"], stated["mode"]) == (
        "ltm-32k without Restaurant", 32000, "interleaved",
    )  # fmt: skip
    (record,) = (tmp_path / "r/records").glob("*/*.json")
    for result in json.loads(record.read_text())["evaluation_results"]:
        details = result["generation_config"]["additional_details"]
        assert details["benchmark"] == stated["benchmark"]
    changed = tmp_path / "changed"
    shutil.copytree(shared / LTM / "definitions", changed)
    shutil.copy(changed / "Colours/0.def.json", changed / "Colours/9.def.json")
    (changed / "Jokes/0.def.json").unlink()
    options = ("--mode", "isolated", "--memory-span", "32000")
    done = run(*command[:-1], changed, *silent[:-1], "s", *options)
    assert "missing in changed: 1 of 33 files (Jokes/0.def.json)" in done.err.replace(
        f"{tmp_path}/", ""
    )
    assert (
        "not called ltm-32k without Restaurant: files are missing, not as published: "
        "Colours/9.def.json, --mode isolated\n"
    ) in done.err
