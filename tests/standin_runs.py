"""Runs of generated suites with stand-in surprisals: pages of the size of real ones."""

from __future__ import annotations

import random

from evalmark.converters.records.run import Producer
from evalmark.scoring.chance.level import chances
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.outcomes import judge
from evalmark.scoring.output import write_output
from evalmark.scoring.scores import ScoredSuite, Scores
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import prepare

WORDS = ("the", "author", "next", "to", "senators", "that", "guards", "hurt", "quickly", "himself")
CONDITIONS = ("match_sing", "mismatch_sing", "match_plural", "mismatch_plural")
REGIONS = ("Intro", "np_subject", "that", "embedded_vp", "matrix_v", "Continuation", "End")
TAGS = ("Agreement", "Licensing", "Garden-Path Effects", "Center Embedding")
FORMULAS = (
    "(5;%match_sing%) < (5;%mismatch_sing%)",
    "((5;%match_plural%) < (5;%mismatch_plural%)) & "
    "((6;%match_plural%) + (5;%match_plural%) < (5;%mismatch_plural%) + (6;%mismatch_plural%))",
    "(*;%match_sing%) - (*;%mismatch_sing%) < (*;%match_plural%)",
)


def suite(index, items, words):
    """A suite of four conditions and seven regions, with one, two or three predictions."""

    def regions():
        counts = [2 if number in (1, 2) else 1 for number in range(1, 8)]
        return [
            {"region_number": number, "content": " ".join(words.choices(WORDS, k=count))}
            for number, count in enumerate(counts, 1)
        ]

    return {
        "meta": {"name": f"number_prp_{index}", "metric": "sum", "tags": [TAGS[index % len(TAGS)]]},
        "region_meta": {str(number): name for number, name in enumerate(REGIONS, 1)},
        "predictions": [
            {"type": "formula", "formula": text} for text in FORMULAS[: 1 + index % len(FORMULAS)]
        ],
        "items": [
            {
                "item_number": number,
                "conditions": [
                    {"condition_name": name, "regions": regions()} for name in CONDITIONS
                ],
            }
            for number in range(1, items + 1)
        ],
    }


def write_run(folder, model, *, seed=1, suites=34, items=24):
    """The folder of a run. Equal numbers of suites and items give equal suites."""
    words, values = random.Random(1), random.Random(seed)
    scored = []
    for index in range(1, suites + 1):
        source = prepare(suite(index, items, words), f"suite_{index}.json", "core")
        rows = [
            [
                [[values.expovariate(0.25) + (4 if "mis" in c.name else 1)] for _ in c.regions]
                for c in item.conditions
            ]
            for item in source.suite.items
        ]
        result = judge(source.suite, source.trees, rows)
        scored.append(ScoredSuite(source, tuple(rows), result, chances(source)))
    info = ModelInfo(id=model, name=model, engine=("stand-in", "1"), details={})
    folder.mkdir(parents=True, exist_ok=True)
    scores = Scores(info, Settings(), tuple(scored))
    write_output(scores, folder, source=Producer("Us", "third_party"), started=1_760_000_000)
    return folder
