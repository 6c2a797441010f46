"""The process that holds a model: token surprisals of single items, as lines of JSON."""

from __future__ import annotations

import math
from typing import Any

from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, failure
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.surprisals.sentence_surprisals import token_surprisals
from evalmark.validator.formats.suites.suite import join_regions
from evalmark.workbench.runs.json_child import questions, tell_parent


def main() -> None:
    """Answer lines until there are no more."""
    loaded: dict[str, Any] = {}
    for question in questions():
        try:
            tell_parent({"conditions": token_lines(question, loaded)})
        except (EvalmarkError, OSError) as error:
            tell_parent({"error": str(error)})
        except Exception as error:
            tell_parent({"error": f"F099 {failure(error)}; {PLEASE_REPORT}"})


def token_lines(question: dict[str, Any], loaded: dict[str, Any]) -> list[dict[str, Any]]:
    """For each condition the tokens of its sentence, in bits; ``loaded`` keeps the model."""
    settings, key = Settings(join=question["join"]), question["model"]
    if key not in loaded:
        loaded.clear()  # one model at a time
        loaded[key] = load_model(key)
    sentences = [
        join_regions(condition["contents"], settings.join, condition["spaced"])
        for condition in question["item"]
    ]
    surprisals = token_surprisals(loaded[key], sentences, settings)
    return [
        {
            "name": condition["name"],
            "tokens": [
                {
                    "text": token.text,
                    "region": condition["numbers"][token.region],
                    "bits": token.bits if token.bits is not None and math.isfinite(token.bits)
                    else None,
                }
                for token in tokens
            ],
        }
        for condition, tokens in zip(question["item"], surprisals, strict=True)
    ]  # fmt: skip


if __name__ == "__main__":
    main()
