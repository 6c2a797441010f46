"""Runs in tests: written from outcomes, and read as plain data."""

import json
from contextlib import contextmanager
from fractions import Fraction
from itertools import count
from pathlib import Path

from conftest import edited
from evalmark.converters.records.run import Dataset, Model, Producer, Run, Sample
from evalmark.converters.records.uncertainty import accuracy
from evalmark.scoring.runs.run_files import record_in, write_run
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.run_tables import tables_of, view_of_run
from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import (
    ItemView,
    PredictionView,
    RegionCell,
    SuiteView,
    labels_of,
)
from evalmark.scoring.suites.chance import Chance

MODEL = {"id": "lab/a", "name": "a", "dtype": "float32"}
SETTINGS = {"unit": "bits", "bos": "auto", "join": "core", "boundary": "none"}


def write_outcomes(
    folder, suites, *, ties=(), model=MODEL, settings=SETTINGS, items=None, texts="t", metric="sum",
    chance=None, formulas=None, copies=None,
):  # fmt: skip
    """The record of suites by name, each a list of predictions, each of outcomes.

    ``ties`` are numbers of items that rounding decided, or a dictionary of them by prediction;
    ``copies`` has the name of a suite for others with the same texts.
    """
    known = {} if chance is None else {"chance": str(chance)}
    results, samples = [], []
    for name, predictions in suites.items():
        numbers = items or list(range(1, len(predictions[0]) + 1))
        labels = labels_of(len(predictions))
        tied = [set(ties.get(n, ()) if isinstance(ties, dict) else ties) for n in range(9)]
        columns = [
            [(bool(held), number in tied[place]) for number, held in zip(numbers, row, strict=True)]
            for place, row in enumerate(predictions)
        ]
        if len(columns) > 1:
            columns.append([_whole(cells) for cells in zip(*columns, strict=True)])
        asks = [*(formulas or [f"f{place}" for place in range(len(predictions))]), "all"]
        own, _, named = name.removesuffix(")").partition(" (")
        dataset, content = Dataset(own), (copies or {}).get(name, name) + texts
        for label, row, formula in zip(labels, columns, asks, strict=False):
            details = {**known, "metric": named or metric, "suite_digest": content}
            right = sum(held for held, _ in row)
            result = accuracy(f"{name}/{label}", formula, dataset, right, len(row), details)
            results.append(result)
            samples += [
                Sample(
                    f"{name}/{label}", f"{name}/{number}", f"{content}{number}", (formula,),
                    (str(held).lower(),), held, {"decided_by_rounding": json.dumps(tie)},
                )
                for number, (held, tie) in zip(numbers, row, strict=True)
            ]  # fmt: skip
    about = {"id": "lab/a", "name": "a"} | model
    engine = about.pop("engine", None)
    run = Run(
        "outcomes", 1_760_000_000,
        Model(about.pop("id"), about.pop("name"), engine and tuple(engine.values()), about),
        Producer("Us", "third_party"), tuple(results), samples, settings,
    )  # fmt: skip
    folder.mkdir(parents=True, exist_ok=True)
    return write_run(run, folder).record


def write_pair_outcomes(folder, outcomes):
    """The folder of a run: (set, UID) or (set, UID, language) -> which pairs are right."""
    results, samples = [], []
    for (of, uid, *language), right in outcomes.items():
        labels = {"language": language[0]} if language else {}
        details = {"impossible_pairs": "never right", **labels}
        dataset = Dataset(uid, details={"set": of})
        results.append(accuracy(uid, "a", dataset, sum(right), len(right), details))
        samples += [
            Sample(uid, f"{uid}/{number}", f"{of} {uid} {number}", (), (), held)
            for number, held in enumerate(right)
        ]
    model = Model(folder.name, folder.name)
    source = Producer("Us", "third_party")
    run = Run("c", 1_760_000_000, model, source, tuple(results), samples)
    folder.mkdir(parents=True)
    write_run(run, folder)
    return folder


def _whole(cells):
    """The conjunction of some predictions, which is a tie if their ties would change it."""
    least = all(held and not tie for held, tie in cells)
    most = all(held or tie for held, tie in cells)
    return all(held for held, _ in cells), least != most


def score(run, *arguments):
    """The command with the demo model."""
    return run("evalmark", "score", *arguments, "--model", "demo", "--device", "cpu")


def outcomes_in(folder):
    """A function that writes runs of outcomes into new folders."""
    numbers = count()
    return lambda *args, **options: write_outcomes(folder / f"{next(numbers)}", *args, **options)


def record_of(folder):
    """The record of a run, as data."""
    return json.loads(record_in(Path(folder)).read_text(encoding="utf-8"))


@contextmanager
def edited_record(folder):
    """The record of a run, to be changed."""
    with edited(record_in(Path(folder))) as data:
        yield data


def add_foreign_result(folder):
    """Give a run of evalmark a result that another program computed."""
    with edited_record(folder) as record:
        result = json.loads(json.dumps(record["evaluation_results"][0]))
        result["evaluation_name"] = "elsewhere"
        result["source_data"]["dataset_name"] = "elsewhere"
        result["score_details"] = {"score": 0.5, "details": {}}
        record["evaluation_results"].append(result)


def settings_of(folder):
    """The settings of a run's first result."""
    first = record_of(folder)["evaluation_results"][0]
    return first["generation_config"]["additional_details"]


def suites_of(folder):
    """The suites of a run as plain data."""
    return [
        {
            "name": suite.suite,
            "label": suite.name,
            "metric": suite.metric,
            "tags": list(suite.tags),
            "items": len(suite.items),
            "part": suite.part,
            "doubts": dict(suite.doubts),
            "item_numbers": [item.number for item in suite.items],
            "predictions": list(map(_prediction, suite.predictions)),
            "all": suite.whole and _prediction(suite.whole),
        }
        for suite in view_of(folder).suites
    ]


def _prediction(view):
    return {
        "formula": view.formula,
        "correct": view.score.right,
        "items": view.score.items,
        "chance": view.score.chance,
        "outcomes": list(view.outcomes),
        "ties": list(view.ties),
    }


def view_of(folder):
    """A run over suites or pairs."""
    return view_of_run(run_at(Path(folder)))


def table(folder, name):
    """The rows of a table of a run, as a CSV file has them."""
    view = view_of(folder)
    of = tables_of(view)[name]
    return [
        {key: "" if cell is None else str(cell) for key, cell in zip(of.columns, row, strict=True)}
        for row in of.rows(view)
    ]


def cell(text, value, number=1):
    """A region of a sentence, with a token."""
    return RegionCell(number, "", text, value, [value])


def suite_view(formulas, items, regions):
    """A suite of items: for each, its conditions with their regions; no prediction holds."""
    predictions = tuple(
        PredictionView(
            label,
            formula,
            Score(0.0, (0.0, 0.0), Chance(Fraction(1, 2)), len(items), right=0),
            (False,) * len(items),
        )
        for label, formula in zip(labels_of(len(formulas)), formulas, strict=False)
    )
    views = tuple(
        ItemView(
            number,
            (False,) * len(formulas),
            tuple((name, tuple(cells)) for name, cells in conditions.items()),
            tuple((name, {c.number: c for c in cells}) for name, cells in conditions.items()),
        )
        for number, conditions in enumerate(items, 1)
    )
    whole = predictions[0] if len(predictions) == 1 else None
    return SuiteView(
        "s", "s", "sum", (), "s.json", regions, predictions, views, False, {}, "", whole
    )
