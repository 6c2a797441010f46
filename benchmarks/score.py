"""How fast sentences become surprisals: ours, peers, and what the model itself allows.

All in one process and one run, with the same model (the shape of GPT-2 small, random weights,
float32) and the same tokenizer, on all different sentences of the suites in some folders, without
boundary treatment. Every contestant gives the surprisal of every token after the first; loading is
left out for all, tokenizing is left in for all but the limit. Each runs once to warm up on a few
sentences, then all in turns. The least CPU time counts, which
other programs change least. ``evalmark, new model`` begins without a note on the model, so that
packs are checked; the cache is a temporary folder. ``limit`` is the same model, head included, on
dense batches of 256-token rows that hold as many tokens as there are different prefixes to know: no
arrangement of the work reads fewer.
``--regions predicted`` reads and computes less: only what the predictions of the suites refer to.
Its values are those of the same tokens.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.regions import Texts, texts_of
from evalmark.scoring.suites.suite_loading import LoadedSuite, load_suite
from evalmark.scoring.surprisals.compute import compute
from evalmark.scoring.surprisals.prefix_packs import PrefixTree, packs, plan
from evalmark.scoring.surprisals.sentence_surprisals import prefix_tree

ROW = 256


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=2, help="rounds; the best time counts")
    parser.add_argument("--only", default="", help="contestants whose names contain this")
    parser.add_argument("--limit", type=int, help="only so many sentences")
    parser.add_argument("--batch", type=int, default=32, help="sentences of minicons' batches")
    options = parser.parse_args()
    cache = tempfile.TemporaryDirectory()
    os.environ["XDG_CACHE_HOME"] = cache.name
    import torch

    torch.set_num_threads(options.threads)
    suites = load(options.folders)
    texts = sentences(suites)[: options.limit]
    tokenizer = make_tokenizer(texts)
    model = make_model(len(tokenizer), 50257)
    bos = bos_ids(tokenizer, "auto")
    ours = CausalModel(model, tokenizer, ("local/bench", "bench"), bos=bos)
    rows = [ours.bos + ours.tokenize(text).ids for text in texts]
    tree = PrefixTree(rows)
    sizes = plan(tree, rows, list(packs(tree)))
    print(
        f"{sizes.sentences} sentences, {sizes.tokens} tokens, {sizes.prefixes} prefixes; "
        f"{sizes.packs} packs read {sizes.read} tokens ({sizes.saving:.2f} times fewer)"
    )
    wanted = predicted(ours, suites, texts)
    tree = prefix_tree(wanted, ours.bos)
    needed = plan(tree, rows, list(packs(tree)))
    print(
        f"regions predicted: {needed.packs} packs read {needed.read} tokens; "
        f"{needed.logits} rows of logits instead of {sizes.logits}"
    )
    print(
        f"torch {torch.__version__}, {options.threads} threads, CPU time, best of {options.repeats}"
    )
    contestants: dict[str, Callable[[list[str]], Any]] = {
        "evalmark": lambda given: run_ours(ours, given, "packed"),
        "evalmark, new model": lambda given: run_new(ours, given, Path(cache.name)),
        "evalmark, predicted": lambda given: run_predicted(ours, suites, given),
        "evalmark, padded": lambda given: run_ours(ours, given, "padded"),
        "one sentence at a time": lambda given: loop(model, tokenizer, given),
    }
    if importlib.util.find_spec("minicons"):
        contestants["minicons"] = minicons(model, tokenizer, options.batch)
    else:
        print("minicons is not installed: left out")
    if importlib.util.find_spec("lm_eval"):
        contestants["lm-evaluation-harness"] = harness(model, tokenizer, options.batch)
    else:
        print("lm_eval is not installed: left out")
    contestants = {name: run for name, run in contestants.items() if options.only in name}
    times = dict.fromkeys(contestants, math.inf)
    values: dict[str, Any] = {}
    for run in contestants.values():
        run(texts[:8])
    run_ours(ours, texts, "packed")  # so that the turns of "evalmark" find a note
    for _ in range(options.repeats):
        for name, run in contestants.items():
            started = time.process_time()
            values[name] = run(texts)
            times[name] = min(times[name], time.process_time() - started)
    times["limit"] = limit(model, sizes.prefixes, options.repeats)
    for name, best in times.items():
        print(f"{name:24} {best:8.2f} s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of all {peak:.0f} MB")
    for name, found in values.items():
        pairs = [
            (a, b) for x, y in zip(found, values["evalmark"], strict=True)
            for a, b in zip(x, y if len(x) == len(y) else [math.fsum(y)], strict=True)
            if a is not None
        ]  # fmt: skip
        worst = max(abs(a - b) for a, b in pairs)
        relative = max(abs(a - b) / max(abs(b), 1) for a, b in pairs)
        print(
            f"{name:24} differs from evalmark by at most {worst:.2g} bits, {relative:.2g} of a "
            f"value of at least 1 bit, in {len(pairs)} values"
        )
    for ours_name in contestants.keys() & {
        "evalmark",
        "evalmark, new model",
        "evalmark, predicted",
    }:
        for name, took in times.items():
            if name != ours_name:
                print(f"{ours_name} is {took / times[ours_name]:5.2f} times as fast as {name}")
    return 0


def load(folders: list[Path]) -> list[LoadedSuite]:
    found: list[LoadedSuite] = []
    for path in sorted(p for folder in folders for p in folder.rglob("*.json")):
        try:
            found.append(load_suite(str(path), metric="sum"))
        except Exception as error:
            print(f"left out: {path.name}: {str(error)[:80]}", file=sys.stderr)
    return found


def sentences(suites: list[LoadedSuite]) -> list[str]:
    return sorted({s.text for suite in suites for row in suite.sentences for s in row})


def predicted(model: CausalModel, suites: list[LoadedSuite], texts: list[str]) -> Texts:
    """Some of the sentences, and the tokens that predictions refer to."""
    whole = texts_of(
        suites,
        {text: model.tokenize(text) for text in sentences(suites)},
        Settings(regions="predicted"),
    )
    chosen = set(texts)
    return Texts(
        {text: tokens for text, tokens in whole.tokens.items() if text in chosen},
        {text: places for text, places in whole.places.items() if text in chosen},
        complete=False,
    )


def make_tokenizer(texts: list[str], vocabulary: int = 8000) -> Any:
    """A byte-level BPE trained on texts."""
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<|endoftext|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    end = "<|endoftext|>"
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=end, eos_token=end, pad_token=end
    )


def make_model(used: int, vocabulary: int) -> Any:
    """GPT-2 small, head included: the vocabulary is the published one, whatever is used of it."""
    import torch
    import transformers

    torch.manual_seed(0)
    assert used <= vocabulary
    config = transformers.GPT2Config(vocab_size=vocabulary, bos_token_id=0, eos_token_id=0)
    return transformers.GPT2LMHeadModel(config).eval()


def run_ours(model: CausalModel, texts: list[str], strategy: str) -> list[list[float]]:
    rows = [model.bos + model.tokenize(text).ids for text in texts]
    tree = PrefixTree(rows)
    computed = compute(tree, model, Computing(strategy))
    assert computed.way == strategy, computed.reason
    return [[value for value in tree.values(ids)[1:] if value is not None] for ids in rows]


def run_new(model: CausalModel, texts: list[str], cache: Path) -> list[list[float]]:
    """As ``run_ours``, of a model whose packs were never checked; the note is kept for others."""
    notes, aside = cache / "evalmark", cache / "aside"
    if notes.exists():
        notes.rename(aside)
    found = run_ours(model, texts, "packed")
    shutil.rmtree(notes)
    if aside.exists():
        aside.rename(notes)
    return found


def run_predicted(
    model: CausalModel, suites: list[LoadedSuite], texts: list[str]
) -> list[list[float | None]]:
    """The values of the tokens that predictions refer to; None for the others."""
    given = predicted(model, suites, texts)
    tree = prefix_tree(given, model.bos)
    computed = compute(tree, model, Computing("packed"))
    assert computed.way == "packed", computed.reason
    found = []
    for text in texts:
        row, first = given.row(text), len(model.bos)
        values = tree.values(model.bos + row)[first:] if row else []
        values += [None] * (len(given.tokens[text].ids) - len(row))
        found.append(values[1 - first :])
    return found


def loop(model: Any, tokenizer: Any, texts: list[str]) -> list[list[float]]:
    import torch

    found = []
    with torch.inference_mode():
        for text in texts:
            ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text)["input_ids"]]])
            logits = model(ids).logits[0, :-1].log_softmax(-1)
            found.append((-logits.gather(-1, ids[0, 1:, None])[:, 0] / math.log(2)).tolist())
    return found


def minicons(model: Any, tokenizer: Any, batch: int) -> Callable[[list[str]], list[list[float]]]:
    from minicons import scorer

    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        peer = scorer.IncrementalLMScorer(folder, "cpu")

    def run(texts: list[str]) -> list[list[float]]:
        found: list[list[float]] = []
        for start in range(0, len(texts), batch):
            scored = peer.token_score(
                texts[start : start + batch], surprisal=True, base_two=True, bos_token=True
            )
            found += [[value for _, value in tokens[1:]] for tokens in scored]
        return found

    return run


def harness(model: Any, tokenizer: Any, batch: int) -> Callable[[list[str]], list[list[float]]]:
    """It gives one number for each sentence, the sum: no regions, but the same reading."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    peer = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=batch, device="cpu")

    def run(texts: list[str]) -> list[list[float]]:
        requests = [
            Instance("loglikelihood_rolling", {}, (text,), index)
            for index, text in enumerate(texts)
        ]
        found = peer.loglikelihood_rolling(requests, disable_tqdm=True)
        return [[-value / math.log(2)] for value in found]

    return run


def limit(model: Any, tokens: int, repeats: int) -> float:
    import torch

    rows = -(-tokens // ROW)
    ids = torch.randint(0, 8000, (rows, ROW))
    best = math.inf
    with torch.inference_mode():
        model(ids[:1])
        for _ in range(repeats):
            started = time.process_time()
            for row in ids:
                model(row[None], use_cache=False)
            best = min(best, time.process_time() - started)
    return best * tokens / (rows * ROW)


if __name__ == "__main__":
    sys.exit(main())
