"""Pairs of runs whose scores are known: results as they are, and with other items and scores."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

#: Letters of Inspect's scorers.
LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}


class Scored(NamedTuple):
    """The scores of two runs, item by item, under one result."""

    name: str
    first: Sequence[float]
    second: Sequence[float]
    steps: int = 0  # scores are multiples of 1 / steps; 0 if they have no steps
    width: float = 0.0  # by how much scores can differ; 0 if there is no limit


class Case(NamedTuple):
    """Two runs in files, and what their scores are."""

    name: str
    paths: tuple[Path, Path]
    results: tuple[Scored, ...]


def cases(folder: Path, home: Path, r: random.Random) -> Iterator[Case]:
    """All pairs of runs, as they are and made."""
    logs = sorted((folder / "inspect").glob("*.json"))
    for paths in combinations(logs, 2):
        yield from as_they_are(*paths)
    results = min((folder / "lm_eval").glob("results_*.json"))

    def answers(items: int, right: float, kept: float) -> tuple[list[float], list[float]]:
        first = [float(r.random() < right) for _ in range(items)]
        return first, [x if r.random() < kept else float(r.random() < right) for x in first]

    def floats(items: int, shift: float, most: float) -> tuple[list[float], list[float]]:
        first = [most * r.random() for _ in range(items)]
        return first, [min(most, max(0.0, x + most * r.gauss(shift, 0.2))) for x in first]

    def parts(items: int, of: int) -> tuple[list[float], list[float]]:
        first = [r.randrange(of + 1) / of for _ in range(items)]
        return first, [min(of, max(0, x * of + r.choice((-1, 0, 0, 1, 1)))) / of for x in first]

    right = [
        Scored(f"task{n}/exact_match", *answers(80, 0.1 + 0.07 * n, 0.9 - 0.06 * n), 1, 1)
        for n in range(12)
    ]
    right[3] = right[3]._replace(second=right[3].first)  # runs that never differ
    right[5] = right[5]._replace(first=[0.0] * 40 + [1.0] * 40, second=[1.0] * 80)
    yield lm_eval("lm-eval, 12 tasks of 80 items", results, home / "many", right)
    large = [Scored("task/exact_match", *answers(3000, 0.6, 0.8), 1, 1)]
    yield lm_eval("lm-eval, 3,000 items", results, home / "large", large)
    graded = [
        Scored("few/bleu", *floats(11, 0.1, 100), 0, 100),
        Scored("steps/f1", *parts(120, 4), 4, 1),
        Scored("drawn/f1", *floats(200, 0.01, 1), 0, 1),
        Scored("more/f1", *floats(2000, 0.004, 1), 0, 1),
        Scored("same/f1", *([[0.25, 0.5] * 10] * 2), 4, 1),
    ]
    yield lm_eval("lm-eval, graded scores", results, home / "graded", graded)
    log = next(path for path in logs if json.loads(path.read_bytes()).get("samples"))
    epochs = answers(600, 0.5, 0.8)
    yield inspect("Inspect, 150 samples, 4 epochs", log, home / "epochs", epochs, 4)
    yield inspect("Inspect, 60 samples", log, home / "once", answers(60, 0.4, 0.5), 1)


def as_they_are(first: Path, second: Path) -> Iterator[Case]:
    """Two logs of one task; nothing if they are of different ones."""
    scores = []
    for path in (first, second):
        data = json.loads(path.read_bytes())
        found = {
            (task_of(data), scorer, sample["id"]): LETTERS.get(score["value"])
            for sample in data.get("samples") or ()
            for scorer, score in (sample.get("scores") or {}).items()
        }
        scores.append(found)
    common = [key for key in scores[0] if key in scores[1]]
    values = [[found[key] for key in common] for found in scores]
    if common and None not in values[0] + values[1] and len({key[:2] for key in common}) == 1:
        scored = Scored("/".join((*common[0][:2], "accuracy")), *values, 1, 1)
        yield Case(f"Inspect, as they are: {first.stem}, {second.stem}", (first, second), (scored,))


def lm_eval(name: str, source: Path, folder: Path, results: Sequence[Scored]) -> Case:
    """Results of the harness with other scores: tasks like the first that has samples."""
    data = json.loads(source.read_bytes())
    stamp = source.name.removeprefix("results_")
    template, row = next(
        (task, json.loads(path.read_text(encoding="utf-8").splitlines()[0]))
        for task in data["configs"]
        if (path := samples_of(source.parent, task, stamp)).is_file()
    )
    tasks = dict(scored.name.split("/") for scored in results)
    for key, value in data.items():
        if isinstance(value, dict) and template in value:
            data[key] = dict.fromkeys(tasks, value[template])
    data["higher_is_better"] = {task: {metric: True} for task, metric in tasks.items()}
    paths = []
    for place, run in enumerate(("first", "second")):
        (folder / run).mkdir(parents=True)
        data["results"] = {}
        for scored, (task, metric) in zip(results, tasks.items(), strict=True):
            values = scored[1 + place]
            data["results"][task] = {f"{metric},none": math.fsum(values) / len(values)}
            rows = (
                {
                    **row, "doc_id": number, "filter": "none", "metrics": [metric], metric: value,
                    "arguments": {
                        key: {**asked, "arg_0": f"{task} {number}: {asked.get('arg_0', '')}"}
                        for key, asked in row["arguments"].items()
                    },
                }
                for number, value in enumerate(values)
            )  # fmt: skip
            text = "".join(f"{json.dumps(each)}\n" for each in rows)
            samples_of(folder / run, task, stamp).write_text(text, encoding="utf-8")
        paths.append(folder / run / source.name)
        paths[-1].write_text(json.dumps({**data, "model_name": f"lab/{run}"}), encoding="utf-8")
    return Case(name, (paths[0], paths[1]), tuple(results))


def samples_of(folder: Path, task: str, stamp: str) -> Path:
    """The file of the samples of a task."""
    return (folder / f"samples_{task}_{stamp}").with_suffix(".jsonl")


def inspect(
    name: str, source: Path, folder: Path, scores: tuple[list[float], list[float]], epochs: int
) -> Case:
    """A log with other scores: samples like its first one, each for some epochs."""
    data = json.loads(source.read_bytes())
    template = data["samples"][0]
    scorer = next(iter(template["scores"]))
    data.pop("reductions", None)
    data["results"]["scores"] = [
        {**score, "metrics": {"accuracy": {"name": "accuracy", "value": 0.5, "params": {}}}}
        for score in data["results"]["scores"]
        if score.get("scorer") == scorer
    ][:1]
    data["eval"]["config"] = {**(data["eval"].get("config") or {}), "epochs": epochs}
    folder.mkdir(parents=True)
    paths, means = [], []
    for run, values in zip(("first", "second"), scores, strict=True):
        data["eval"]["model"] = f"openai/{run}"
        data["samples"] = [
            {
                **template,
                "id": place // epochs,
                "epoch": 1 + place % epochs,
                "uuid": f"{place}",
                "scores": {scorer: {**template["scores"][scorer], "value": "C" if value else "I"}},
            }
            for place, value in enumerate(values)
        ]
        paths.append(folder / f"{run}.json")
        paths[-1].write_text(json.dumps(data), encoding="utf-8")
        means.append([sum(values[n : n + epochs]) / epochs for n in range(0, len(values), epochs)])
    scored = Scored(f"{task_of(data)}/{scorer}/accuracy", *means, epochs, 1)
    return Case(name, (paths[0], paths[1]), (scored,))


def task_of(log: dict[str, Any]) -> str:
    """The name of the task of a log, without its package."""
    return str(log["eval"]["task"]).rpartition("/")[2]
