"""Prediction files of BabyLM: written from a run, and checked against the data."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from evalmark.converters.babylm.check_predictions import check_results
from evalmark.converters.babylm.layout import read_data
from evalmark.converters.babylm.of_run import read_pairs_run
from evalmark.converters.babylm.write_predictions import ChosenText, write_predictions
from evalmark.schemas.errors import ConversionError

GOOD, BAD = "The pilot laughs.", "The pilot laugh."
BLIMP = [{"sentence_good": GOOD, "sentence_bad": BAD, "UID": "agreement"} for _ in range(3)]
COMPS = [
    {"prefix_acceptable": "A dog", "prefix_unacceptable": "A cat", "property_phrase": "barks."}
]
ENTITY = [
    {"input_prefix": "The box holds", "options": [" a hat.", " a cup.", " a pen."], "numops": n}
    for n in (0, 1, 0)
]
WUG = [{"sentences": "the wugness\tthe wugity", "ratio": 0.25}]
EWOK = [
    {"Domain": "weather", "Context1": "It rains.", "Context2": "It shines.", "Target1": "Wet.",
     "Target2": "Dry."}
]  # fmt: skip


def write_rows(path: Path, rows: list[dict[str, Any]]) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def predictions(results: Path, place: str) -> dict[str, list[dict[str, Any]]]:
    data = json.loads((results / place / "predictions.json").read_text(encoding="utf-8"))
    return {uid: entry["predictions"] for uid, entry in data.items()}


def test_the_chosen_sentence_is_written_in_the_order_of_the_data(tmp_path):
    data = read_data([write_rows(tmp_path / "blimp_filtered/agreement.jsonl", BLIMP)])
    choices = [ChosenText("agreement", n, text) for n, text in ((2, BAD), (0, GOOD), (1, GOOD))]
    (written,) = write_predictions(tmp_path / "causal", data, choices)
    assert written.path == tmp_path / "causal/blimp/blimp_filtered/predictions.json"
    assert predictions(tmp_path / "causal", "blimp/blimp_filtered") == {
        "agreement": [
            {"id": "agreement_0", "pred": GOOD},
            {"id": "agreement_1", "pred": GOOD},
            {"id": "agreement_2", "pred": BAD},
        ]
    }


def test_data_are_named_after_their_folder_however_the_path_is_written(tmp_path, monkeypatch):
    write_rows(tmp_path / "blimp_filtered/agreement.jsonl", BLIMP)
    (tmp_path / "blimp_filtered/below").mkdir()
    monkeypatch.chdir(tmp_path / "blimp_filtered/below")
    assert [each.dataset for each in read_data(["../agreement.jsonl"])] == ["blimp_filtered"]


def test_a_tie_is_never_written_as_the_right_text(tmp_path):
    rows = [*BLIMP, {**BLIMP[0], "sentence_bad": GOOD}]
    data = read_data([write_rows(tmp_path / "d/agreement.jsonl", rows)])
    (written,) = write_predictions(
        tmp_path / "r", data, [ChosenText("agreement", n, None) for n in range(4)]
    )
    assert (written.rows, written.ties, written.impossible) == (4, 3, 1)
    texts = [entry["pred"] for entry in predictions(tmp_path / "r", "blimp/d")["agreement"]]
    assert texts == [BAD, BAD, BAD, GOOD]  # identical texts: there is no other


def test_each_task_has_its_own_uids_and_texts(tmp_path):
    paths = [
        write_rows(tmp_path / "comps/comps_wugs_dist-in-between.jsonl", COMPS),
        write_rows(tmp_path / "entity_tracking/regular.jsonl", ENTITY),
        write_rows(tmp_path / "wug_past_tense/wug_past_tense.jsonl", WUG),
        write_rows(tmp_path / "ewok_filtered/weather.jsonl", EWOK),
    ]
    choices = [
        ChosenText("wugs_dist_in_between", 0, "A cat barks."),
        ChosenText("regular_0_ops", 0, "The box holds a hat."),
        ChosenText("regular_0_ops", 1, "The box holds a pen."),
        ChosenText("regular_1_ops", 0, None),
        ChosenText("wug_past", 0, "the wugity", 0.125),
        ChosenText("weather", 0, "It rains. Dry.", method="one-context"),
    ]
    write_predictions(tmp_path / "r", read_data(paths), choices)
    assert predictions(tmp_path / "r", "comps/comps") == {
        "wugs_dist_in_between": [{"id": "wugs_dist_in_between_0", "pred": "A cat barks."}]
    }
    assert predictions(tmp_path / "r", "entity_tracking/entity_tracking") == {
        "regular_0_ops": [
            {"id": "regular_0_ops_0", "pred": " a hat."},
            {"id": "regular_0_ops_1", "pred": " a pen."},
        ],
        "regular_1_ops": [{"id": "regular_1_ops_0", "pred": " a cup."}],
    }
    assert predictions(tmp_path / "r", "wug_past/wug_past_tense") == {
        "wug_past": [{"id": "wug_past_0", "pred": "the wugity", "prob": 0.125}]
    }
    assert predictions(tmp_path / "r", "ewok/ewok_filtered") == {
        "weather": [{"id": "weather_0", "pred": " Dry."}]
    }
    assert check_results(tmp_path / "r", read_data(paths)) == (4, [], [])


@pytest.mark.parametrize(
    ("rows", "choices", "reason"),
    [
        (
            EWOK,
            [ChosenText("weather", 0, "It rains. Wet.", method="conditional")],
            "compares by `conditional`, and BabyLM by `one-context`",
        ),
        (BLIMP, [ChosenText("agreement", 0, GOOD)], "no choice for agreement_1"),
        (BLIMP, [ChosenText("agreement", n, "x") for n in range(3)], "agreement_0: .* other texts"),
        (WUG, [ChosenText("wug_adj", 0, "the wugity")], "no probability for wug_adj_0"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_written(
    rows, choices, reason, tmp_path
):
    data = read_data([write_rows(tmp_path / "d/x.jsonl", rows)])
    with pytest.raises(ConversionError, match=reason):
        write_predictions(tmp_path / "r", data, choices)
    assert not (tmp_path / "r").exists()


def test_a_set_without_a_task_is_refused(tmp_path):
    path = write_rows(tmp_path / "x.jsonl", [{"sen": "a", "wrong_sen": "b"}])
    with pytest.raises(ConversionError, match="BabyLM has no task for MultiBLiMP"):
        read_data([path])


def test_mistakes_are_said_with_their_place(tmp_path):
    data = read_data([write_rows(tmp_path / "d/a.jsonl", BLIMP), str(tmp_path / "d")])
    rows = [
        {"id": "agreement_0", "pred": f" {GOOD}"},
        {"id": "agreement_2", "pred": BAD},
        {"id": "agreement_2", "pred": "The pilots laugh."},
    ]
    path = tmp_path / "r/main/zero_shot/causal/blimp/d/predictions.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"agreement": {"predictions": rows}, "b": {}}), encoding="utf-8")
    ewok = tmp_path / "r/main/zero_shot/causal/ewok/ewok_filtered/predictions.json"
    ewok.parent.mkdir(parents=True)
    ewok.write_text("{}", encoding="utf-8")
    checked = check_results(tmp_path / "r", data[:1])
    assert (checked.files, checked.skipped) == (1, [ewok])
    assert [(mistake.pointer, mistake.message) for mistake in checked.mistakes] == [
        ("/agreement", "3 predictions, and 6 rows of data"),
        ("/agreement/predictions/1/id", '"agreement_2", expected "agreement_1"'),
        (
            "/agreement/predictions/2/pred",
            '"The pilots laugh." is none of the 2 texts of the row',
        ),
        ("/b", "the data have no rows of b"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not an object of UIDs"),
        ("{", "file ends before"),
        ("{}", "there are no predictions for agreement"),
        ('{"agreement": []}', 'expected {"predictions": [...]}'),
    ],
)
def test_a_file_that_is_not_one_of_predictions_is_a_mistake(text, message, tmp_path):
    data = read_data([write_rows(tmp_path / "d/a.jsonl", BLIMP)])
    path = tmp_path / "r/blimp/d/predictions.json"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    messages = [mistake.message for mistake in check_results(tmp_path / "r", data).mistakes]
    assert any(message in one for one in messages), messages


def a_run(folder: Path) -> Path:
    """The folder of a run over three pairs: right, wrong, and a tie."""
    folder.mkdir()
    uid = {"name": "agreement", "label": "agreement"}
    scores = {"model": {"id": "lab/tiny-1"}, "suites": [], "uids": [uid]}
    (folder / "scores.json").write_text(json.dumps(scores), encoding="utf-8")
    with (folder / "pairs.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(
            ["model", "set", "uid", "item", "side", "context", "text", "tokens", "surprisal",
             "score", "method", "outcome"]
        )  # fmt: skip
        for item, outcome, bits in (("0", "right", (1, 2)), ("1", "wrong", (2, 1)),
                                    ("2", "tie", (1.00001, 1))):  # fmt: skip
            for side, text in enumerate((GOOD, BAD)):
                table.writerow(
                    ["lab/tiny-1", "blimp", "agreement", item, side, "", text, 3, bits[side],
                     bits[side], "sum", outcome]
                )  # fmt: skip
    return folder


def test_the_choices_of_a_run_are_read(tmp_path):
    run = read_pairs_run(a_run(tmp_path / "run"))
    assert run.model == "lab/tiny-1"
    assert [choice[:3] for choice in run.choices] == [
        ("agreement", 0, GOOD),
        ("agreement", 1, BAD),
        ("agreement", 2, None),
    ]
    assert run.choices[0].share == pytest.approx(2 / 3)
    with pytest.raises(ConversionError, match="not the folder of a run over minimal pairs"):
        read_pairs_run(tmp_path)


def test_the_command_writes_and_checks(tmp_path, run):
    data = tmp_path / "blimp_filtered"
    write_rows(data / "agreement.jsonl", BLIMP)
    results = tmp_path / "results"
    done = run("evalmark", "babylm", results, data, "--from", a_run(tmp_path / "run"))
    path = results / "tiny-1/main/zero_shot/causal/blimp/blimp_filtered/predictions.json"
    assert (done.code, done.out) == (0, f"{path}\n")
    assert done.err == (
        "note: 1 tie: a wrong text is written\nChecked 1 prediction file: 0 mistakes.\n"
    )
    scores = tmp_path / "run/scores.json"
    stated = {**json.loads(scores.read_text()), "settings": {"bos": "auto", "first_token": "zero"}}
    scores.write_text(json.dumps(stated), encoding="utf-8")
    done = run("evalmark", "babylm", results, data, "--from", tmp_path / "run")
    made = f"note: {tmp_path / 'run'} was made with bos auto, and not with `--like babylm`"
    assert made in done.err
    path.write_text("{}", encoding="utf-8")
    done = run("evalmark", "babylm", results, data)
    assert (done.code, done.out) == (1, f"{path}: there are no predictions for agreement\n")
    done = run("evalmark", "babylm", results, data, "--from", tmp_path)
    assert done.code == 2
    assert "Traceback" not in done.err
