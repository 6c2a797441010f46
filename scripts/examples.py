"""Write the examples of the workbench's start page: ``python -m scripts.examples``.

Three suites over the grammar of the demo model, each with the result of that model and the
surprisal of every token, in one module of the page, ``workbench/page/examples/examples.js``.
Nothing is drawn anew: the items are the first ones of the suites in ``fixtures/suites``.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from evalmark.cli.main import main as evalmark
from evalmark.workbench.runs.item_surprisals import item_conditions
from evalmark.workbench.runs.model_process import token_lines
from evalmark.workbench.runs.run_results import result
from evalmark.workbench.served_folder import ServedFolder

ROOT = Path(__file__).resolve().parent.parent
SUITES = ROOT / "fixtures" / "suites"
MODULE = ROOT / "workbench" / "page" / "examples" / "examples.js"
MODEL = ROOT / "scoring/demo_model"
#: Items of an example.
ITEMS = 8
HEAD = """\
// The examples of the start page, and the results of the demo model: made by scripts/examples.py.
/** @import {Example} from "./example.js" */

/** @type {Record<string, Example>} */
export const EXAMPLES = {
"""


def suites() -> dict[str, dict[str, Any]]:
    """The suites of the examples, by their name in an address."""
    numbers = ("sing", "plural")
    agreement = _part(
        "agreement_attractor",
        *({f"match_{n}": "match", f"mismatch_{n}": "mismatch"} for n in numbers),
    )
    agreement["meta"] |= {
        "name": "example_agreement",
        "description": "A verb agrees with its subject, not with the noun in between.",
    }
    agreement["predictions"] = [
        _prediction("(3;%match%) < (3;%mismatch%)", "The verb that agrees is less surprising.")
    ]
    garden = _part("garden_path", {"ambig_comma": "comma", "ambig_nocomma": "no_comma"})
    garden["meta"] |= {
        "name": "example_garden_path",
        "description": "Without a comma, the second noun is first read as the object of the verb; "
        "the next verb shows that it is not.",
    }
    garden["predictions"] = [
        _prediction("(5;%no_comma%) > (5;%comma%)", "The second verb surprises without a comma.")
    ]
    words = {"neg": "no", "pos": "the"}
    crossed = _part(
        "negative_polarity", {f"{a}_{b}": f"{words[a]}_{words[b]}" for a in words for b in words}
    )
    crossed["meta"] |= {
        "name": "example_two_by_two",
        "description": "Two factors with two values each: the subject begins with no or with "
        "the, and so does the noun of the relative clause. Only a subject with no licenses ever.",
    }
    crossed["predictions"] = [
        _prediction("(4;%no_the%) < (4;%the_the%)", "A subject with no licenses ever."),
        _prediction("(4;%no_no%) < (4;%the_no%)", "So it does if the clause has a no as well."),
        _prediction("(4;%no_the%) < (4;%the_no%)", "A no inside the clause does not."),
    ]
    return {"agreement": agreement, "garden-path": garden, "two-by-two": crossed}


def _prediction(formula: str, description: str) -> dict[str, str]:
    return {"type": "formula", "formula": formula, "description": description}


def _part(name: str, *conditions: Mapping[str, str]) -> dict[str, Any]:
    """The first items of a suite with some of their conditions, under new names.

    Args:
        name: The suite.
        conditions: Old name to new name; the items take turns with several.
    """
    suite: dict[str, Any] = json.loads((SUITES / f"{name}.json").read_bytes())
    del suite["meta"]["comment"]
    suite["items"] = [
        {
            "item_number": item["item_number"],
            "conditions": [
                {**condition, "condition_name": names[condition["condition_name"]]}
                for condition in item["conditions"]
                if condition["condition_name"] in names
            ],
        }
        for item, names in zip(suite["items"][:ITEMS], cycle(conditions), strict=False)
    ]
    return suite


def tokens(suite: Mapping[str, Any], loaded: dict[str, Any]) -> list[Any]:
    """For each item and condition its tokens with their surprisals, in bits."""
    asked = {"model": str(MODEL), "join": "core"}
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


def results(data: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The result of the demo model for each suite, as the page gets it."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name, suite in data.items():
            (folder / f"{name}.json").write_text(json.dumps(suite), encoding="utf-8")
        paths: Sequence[str] = [str(folder / f"{name}.json") for name in data]
        out = folder / "run"
        command = ["score", *paths, "--model", str(MODEL), "--out", str(out), "--quiet"]
        assert evalmark(command) == 0
        whole = result(ServedFolder(folder), "run")
    by_name = {suite["name"]: suite for suite in whole["suites"]}
    return {name: by_name[suite["meta"]["name"]] for name, suite in data.items()}


def main() -> None:
    """Write the module of the page."""
    data = suites()
    loaded: dict[str, Any] = {}
    recorded = results(data)
    entries = [
        f'"{name}": '
        + json.dumps(
            {"suite": suite, "result": recorded[name], "tokens": tokens(suite, loaded)},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for name, suite in data.items()
    ]
    MODULE.write_text(HEAD + ",\n".join(entries) + ",\n};\n", encoding="utf-8")


if __name__ == "__main__":
    main()
