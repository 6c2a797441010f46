"""Minimal pairs: how fast they are scored, and whether peers give the same numbers.

Speed, in one process and one run with the models of ``benchmarks.score``: from the
files to outcomes for evalmark, loading and tokenizing included; the two sums of each pair for the
peers, tokenizing included, in turns, by the time of this process. ``padded batches`` and ``limit``
are those of ``benchmarks.score``. Peers give every text of every pair; texts that occur
in several pairs are read again, as their users would have it.

Numbers (``--numbers``): a small random GPT-2 in float64 and float32 and a random BERT, against a
plain loop, minicons (its pseudo-log-likelihood within words for BERT) and lm-evaluation-harness:
the largest difference in bits, and the pairs whose outcome differs outside our rounding margin.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from evalmark.scoring.contest_run import score_contests
from evalmark.scoring.models.language_models import CausalModel, MaskedModel
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.pairs.load_pairs import LoadedPairs, load_pairs
from evalmark.scoring.pairs.pair_run import PairContests, PairScores
from evalmark.scoring.score_settings import Settings

from benchmarks.score import (
    add_model_options,
    batches,
    described,
    in_turns,
    limit,
    loop,
    make_model,
    make_tokenizer,
    must_read,
    peers,
)

#: Texts of a batch, for minicons, the harness and padded batches.
BATCH = 32


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="BLiMP-like files of pairs")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3, help="rounds")
    parser.add_argument("--limit", type=int, help="only so many pairs of each file")
    add_model_options(parser)
    parser.add_argument("--numbers", action="store_true", help="compare numbers instead of times")
    options = parser.parse_args()
    import torch

    torch.set_num_threads(options.threads)
    files = load_pairs(options.files, limit=options.limit)
    texts = texts_of(files)
    print(f"{len(texts) // 2} pairs, {len(set(texts))} different texts")
    print(described(options))
    return numbers(files, texts) if options.numbers else speed(options, texts)


def texts_of(files: Sequence[LoadedPairs]) -> list[str]:
    """The good and the bad text of every pair."""
    return [
        file.texts[side].text
        for file in files
        for contest in file.contests
        for side in contest.sides
    ]


def speed(options: Any, texts: list[str]) -> int:
    tokenizer = make_tokenizer(texts)
    model = make_model(len(tokenizer), options)
    bos = bos_ids(tokenizer, "auto")
    ours = CausalModel(model, tokenizer, ("local/bench", "bench"), bos=bos)
    rows = [ours.bos + ours.tokenize(text).ids for text in sorted(set(texts))]
    tokens = must_read(rows)
    print(f"{tokens} tokens that any arrangement reads")
    contestants: dict[str, Callable[[], Any]] = {
        "evalmark": lambda: score_contests(
            PairContests(ours, Settings()),
            load_pairs(options.files, limit=options.limit),
        ),
        "padded batches": lambda: batches(model, tokenizer, texts, BATCH),
    }
    for name, found in peers(model, tokenizer, BATCH).items():
        contestants[name] = lambda found=found: found(texts)
    contestants["limit"] = lambda: limit(ours, tokens)
    in_turns(contestants, options)
    return 0


def numbers(files: Sequence[LoadedPairs], texts: list[str]) -> int:
    import torch
    import transformers

    tokenizer = make_tokenizer(texts, 2000)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_embd=128, n_layer=3, n_head=4, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2LMHeadModel(config).eval()
    worst = 0
    for dtype in (torch.float64, torch.float32):
        model = model.to(dtype)
        ours = CausalModel(
            model, tokenizer, ("local/bench", "bench"), bos=bos_ids(tokenizer, "auto")
        )
        scores = score_contests(PairContests(ours, Settings()), files)
        contestants = {
            "one sentence at a time": partial(loop, model, tokenizer),
            **peers(model, tokenizer, BATCH),
        }
        for name, run in contestants.items():
            sums = [math.fsum(values) for values in run(texts)]
            worst += differences(f"{name}, {str(dtype).removeprefix('torch.')}", scores, sums)
    if importlib.util.find_spec("minicons"):
        worst += masked_numbers(files, texts)
    return 1 if worst else 0


def masked_numbers(files: Sequence[LoadedPairs], texts: list[str]) -> int:
    """A random BERT, against minicons' pseudo-log-likelihood within words."""
    import torch
    import transformers
    from minicons import scorer

    tokenizer = word_pieces(texts)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=64, num_hidden_layers=2, num_attention_heads=4
    )
    with tempfile.TemporaryDirectory() as folder:
        model = transformers.BertForMaskedLM(config).eval()
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        peer = scorer.MaskedLMScorer(folder, "cpu")
    peer.tokenizer.batch_encode_plus = peer.tokenizer.__call__  # gone from transformers 5
    ours = MaskedModel(model, tokenizer, ("local/bench", "bench"))
    scores = score_contests(PairContests(ours, Settings()), files)
    sums: list[float] = []
    for start in range(0, len(texts), BATCH):
        sums += peer.sequence_score(
            texts[start : start + BATCH],
            reduction=lambda values: -values.sum(0).item() / math.log(2),
            PLL_metric="within_word_l2r",
        )
    return differences("minicons' BERT, float32", scores, sums)


def word_pieces(texts: list[str]) -> Any:
    """A cased WordPiece tokenizer trained on texts."""
    import transformers
    from tokenizers import BertWordPieceTokenizer

    made = BertWordPieceTokenizer(lowercase=False)
    made.train_from_iterator(texts, vocab_size=1500, show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        made.save_model(folder)
        return transformers.BertTokenizerFast(str(Path(folder) / "vocab.txt"), do_lower_case=False)


def differences(name: str, scores: PairScores, sums: list[float]) -> int:
    """Print how far a peer is from our scores, and return how many clear outcomes differ."""
    ours: list[float] = []
    outcomes: list[str] = []
    for uid in scores.uids:
        for contest in uid.contests:
            ours += [float(score) for score in contest.scores if score is not None]
            outcomes.append(contest.outcome)
    assert len(ours) == len(sums) == 2 * len(outcomes), (len(ours), len(sums), len(outcomes))
    absolute = max(abs(a - b) for a, b in zip(ours, sums, strict=True))
    relative = max(abs(a - b) / abs(b) for a, b in zip(ours, sums, strict=True))
    other = 0
    for number, outcome in enumerate(outcomes):
        good, bad = sums[2 * number : 2 * number + 2]
        if outcome in ("right", "wrong"):
            other += (good < bad) != (outcome == "right")
    print(
        f"{name:36} at most {absolute:.2g} bits, {relative:.2g} relative; "
        f"{other} of {len(outcomes)} outcomes differ"
    )
    return other


if __name__ == "__main__":
    sys.exit(main())
