"""Runs of generated suites and pairs with stand-in surprisals: pages of the size of real ones."""

import random

from evalmark.converters.records.run import Producer
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.pairs.load_pairs import CountedText, LoadedContest, LoadedPairs
from evalmark.scoring.pairs.pair_output import PAIR_RUN
from evalmark.scoring.pairs.pair_run import JudgedContest, PairScores, by_uid
from evalmark.scoring.runs.run_files import write_results
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.chance import chances
from evalmark.scoring.suites.prediction_results import judge
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_output import write_output
from evalmark.scoring.suites.suite_run import ScoredSuite, Scores
from suites import suite_of

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

    def texts():
        return [" ".join(words.choices(WORDS, k=count)) for count in (2, 2, 1, 1, 1, 1, 1)]

    made = [{name: texts() for name in CONDITIONS} for _ in range(items)]
    return suite_of(
        made, FORMULAS[: 1 + index % len(FORMULAS)], regions=REGIONS,
        name=f"number_prp_{index}", tags=[TAGS[index % len(TAGS)]],
    )  # fmt: skip


def write_run(folder, model, *, seed=1, suites=34, items=24, worse=0):
    """The folder of a run. Equal numbers of suites and items give equal suites.

    In the first ``worse`` suites, what is wrong has the smaller values.
    """
    words, values = random.Random(1), random.Random(seed)
    scored = []
    for index in range(1, suites + 1):
        source = prepare(suite(index, items, words), f"suite_{index}.json", "core")
        rows = [
            [
                [
                    [
                        values.expovariate(0.25)
                        + (4 if "mis" in c.name else 10 * (index <= worse) + 1)
                    ]
                    for _ in c.regions
                ]
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


FIELDS, TERMS = ("syntax", "semantics", "morphology"), ("islands", "agreement")


def pair_rows(uids, pairs):
    """Sentences of the length of BLiMP's, with their UID and labels."""
    words = random.Random(1)
    for index in range(1, uids + 1):
        labels = {"field": FIELDS[index % 3], "term": TERMS[index // 3 % 2]}
        for _ in range(pairs):
            good = words.choices(WORDS, k=8)
            bad = [*good[:4], "otherwise", *good[5:]]
            yield f"paradigm_of_number_{index}", labels, (" ".join(good), " ".join(bad))


def pairs_run(model, rows, *, seed=1, of="blimp", ratios=False, method="sum"):
    """A run over rows of a UID, labels, and texts with the right one first.

    Equal texts are impossible, and differences below 1 are ties.
    """
    values = random.Random(seed)
    texts, contests, judged = [], [], []
    for number, (uid, labels, sides) in enumerate(rows):
        places = tuple(range(len(texts), len(texts) + len(sides)))
        texts += [text if isinstance(text, CountedText) else CountedText(text, 0) for text in sides]
        ratio = values.random() if ratios else None
        impossible = sides[0] in sides[1:]
        contest = LoadedContest(uid, str(number), "", places, labels, impossible, ratio)
        bits = [40 + values.gauss(8 * (place > 0), 9) for place in range(len(sides))]
        better = min(bits[1:]) - bits[0]
        outcome = "tie" if abs(better) < 1 else "right" if better > 0 else "wrong"
        outcome = "impossible" if impossible else outcome
        contests.append(contest)
        judged.append((contest, outcome, tuple(bits), tuple(bits), (8,) * len(sides)))
    file = LoadedPairs(
        f"{of}.jsonl", of, method, tuple(texts), tuple(contests), len(contests), True, "0" * 64
    )
    contests_under_it = [JudgedContest(file, *outcome) for outcome in judged]
    settings = Settings()
    info = ModelInfo(id=model, name=model, engine=("stand-in", "1"), details={})
    return PairScores(info, settings, (file,), tuple(by_uid(contests_under_it)))


def write_pairs_run(folder, model, rows=None, *, seed=1, uids=67, pairs=1000, **options):
    """The folder of a run over minimal pairs. Equal numbers give equal texts."""
    folder.mkdir(parents=True, exist_ok=True)
    scores = pairs_run(model, rows or pair_rows(uids, pairs), seed=seed, **options)
    publisher = Producer("Us", "third_party")
    write_results(scores, PAIR_RUN, folder, source=publisher, started=1_760_000_000)
    return folder
