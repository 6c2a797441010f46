"""``evalmark convert`` on a terminal: what a file does not say, a person is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import typer
from evalmark.converters.convert_files import convert_files
from evalmark.converters.outcomes import ConvertedFile
from evalmark.converters.tables.any_table.words import Role
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.suites.suite import METRICS, USUAL_METRIC
from evalmark.validator.io.terminal import say


def answered(paths: Sequence[str], **options: Any) -> Iterator[ConvertedFile]:
    """The outcome of one file; what it lacks is asked for, each thing once."""
    asked: set[tuple[str, str]] = set()
    while True:
        outcomes = [*convert_files(paths, **options)]
        lacking = next((one.refused for one in outcomes if one.refused), None)
        if lacking is None or (lacking.needs, lacking.subject) in asked:
            break
        asked.add((lacking.needs, lacking.subject))
        answer = _answer_to(lacking)
        if not answer:
            break
        columns = {**options["supplied"].columns, **answer.pop("columns", {})}
        options["supplied"] = replace(options["supplied"], columns=columns, **answer)
    return iter(outcomes)


def _answer_to(lacking: ConversionError) -> dict[str, Any]:
    """The values that a person supplies for a refusal, as ``Supplied`` has them.

    Empty if it lacks nothing that can be asked for.
    """
    match lacking.needs:
        case "lines":
            say(f"{lacking.reason}: its sentences are the conditions of one item")
            usual = int(lacking.subject)
            lines = typer.prompt("lines of an item", default=usual, type=int, err=True)
            return {"columns": {"item": str(lines)}}
        case "columns":
            say(lacking.reason)
            name = _asked("column") if lacking.subject == "NAME" else lacking.subject
            return {"columns": {name: _asked(f"`{name}` is", known=[*Role])}}
        case "metric":
            return {"metric": _asked("metric", USUAL_METRIC, METRICS)}
        case "predictions":
            say(f"{lacking.reason}; a prediction is a formula, such as (*;%good%) < (*;%bad%)")
            formulas = []
            while formula := _asked("prediction (Enter for none)").strip():
                formulas.append(formula)
            answer: dict[str, Any] = {"predictions": tuple(formulas)}
            if formulas:
                answer["metric"] = _asked("metric", USUAL_METRIC, METRICS)
            return answer
    return {}


def _asked(text: str, usual: str = "", known: Sequence[str] = ()) -> str:
    """The answer; another one than those that are ``known`` is asked for again."""

    def checked(answer: str) -> str:
        if known and answer not in known:
            raise typer.BadParameter(f"write {', '.join(known)}")
        return answer

    answer: str = typer.prompt(
        text, default=usual, show_default=bool(usual), value_proc=checked, err=True
    )
    return answer
