"""Values that no file of a tool has: their checks end, and in time."""

import json
import sys
from pathlib import Path

import pytest
from evalmark import check_files
from evalmark.validator.check import check_data
from found import codes_of
from suites import suite_of

RESULT = "fixtures/trees/run/results/Example agent/Colours/0_0.json"
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), 1e308, 10**400])
@pytest.mark.parametrize("dataset", ["Colours", "Restaurant", "Spy Meeting"])
def test_a_score_that_is_no_number_is_not_an_exception(score, dataset):
    result = json.loads((ROOT / RESULT).read_text(encoding="utf-8"))
    result["score"] = score
    codes = set(codes_of(result, path=RESULT.replace("Colours", dataset)))
    assert "F099" not in codes


def test_a_file_below_more_folders_than_python_has_frames_is_found(tmp_path):
    folders = [tmp_path]
    while len(folders) <= sys.getrecursionlimit():
        folders.append(folders[-1] / "d")
        folders[-1].mkdir()
    file = folders[-1] / "suite.json"
    file.write_bytes((ROOT / "fixtures/bad/SG204_unknown_condition.json").read_bytes())
    try:
        assert check_files([tmp_path]).files == 1
    finally:  # pytest would remove them by a function that calls itself
        file.unlink()
        for folder in reversed(folders[1:]):
            folder.rmdir()


def large(count):
    """Suites in which a rule has as many findings as ``count``."""
    words = ["w"] * count
    return {
        "SG402 in all sentences": suite_of(
            [{"a": words, "b": words}], ["(1;%a%) < (1;%b%)"], regions=["Word"]
        ),
        "SG402 in one sentence": suite_of(
            [{"a": words, "b": ["w"]}], ["(1;%a%) < (1;%b%)"], regions=["Word"]
        ),
        "SG212": suite_of(
            [{f"a{i}": ["The", f"cat{i}"] for i in range(count)}],
            ["(2;%a0%) < (2;%a1%)"],
            regions=["Article", "Noun"],
        ),
    }


def steps(work):
    """How many instructions of ours a function takes: the same on every machine."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_globals.get("__name__", "").startswith("evalmark."):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # else Python 3.12 ignores that of other frames
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("name", large(2))
def test_findings_of_a_large_file_take_no_longer_each(name):
    """Twice as many take twice as many steps; a rule that searches for each takes 2.7 times."""
    taken = []
    for count in (200, 400):
        data = large(count)[name]
        check_data(data)  # loads what a first check loads
        findings = []
        taken.append(steps(lambda data=data, out=findings: out.extend(check_data(data).findings)))
        assert sum(finding.code == name[:5] for finding in findings) in (count - 1, count - 2)
    assert taken[0] > 0
    assert taken[1] < 2.2 * taken[0]
