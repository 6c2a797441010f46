"""How fast sentences become surprisals: ours, peers, and what the model itself allows.

All in one process, with the same model (the shape of GPT-2 small or Pythia-1.4B, random weights,
made without a download) and the same tokenizer, on all different sentences of the suites in some
folders, without boundary treatment. Every contestant gives the surprisal of every token after the
first; loading is left out for all, tokenizing is left in for all but the limit. Each runs once to
warm up on a few sentences, then all in turns, by the time of this process; with ``--device cuda``
by the wall clock. ``evalmark, new model`` begins without a note on the model, so that packs are
checked; the cache is a temporary folder. ``padded batches`` is what a user would write, sorted by
length. ``limit`` is our reading and our head on dense rows with as many tokens as any arrangement
must read: the different prefixes that something follows. ``--regions predicted`` reads and computes
less: only what the predictions of the suites refer to. Its values are those of the same tokens.
"""

from __future__ import annotations

import argparse
import importlib.util
import math
import os
import random
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.regions import Texts, texts_of
from evalmark.scoring.suites.suite_loading import LoadedSuite, load_suite
from evalmark.scoring.surprisals.prefix_packs import PrefixTree, packs, plan
from evalmark.scoring.surprisals.sentence_surprisals import prefix_tree
from evalmark.scoring.surprisals.surprisal_computation import compute

ROW = 256


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3, help="rounds")
    parser.add_argument("--only", default="", help="contestants whose names contain this")
    parser.add_argument("--limit", type=int, help="only so many sentences")
    parser.add_argument("--batch", type=int, default=32, help="sentences of minicons' batches")
    add_model_options(parser)
    options = parser.parse_args()
    cache = tempfile.TemporaryDirectory()
    os.environ["XDG_CACHE_HOME"] = cache.name
    import torch

    torch.set_num_threads(options.threads)
    suites = load(options.folders)
    texts = sentences(suites)[: options.limit]
    tokenizer = make_tokenizer(texts)
    model = make_model(len(tokenizer), options)
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
    print(f"{described(options)}, {options.repeats} rounds")
    contestants: dict[str, Callable[[list[str]], Any]] = {
        "evalmark": lambda given: run_ours(ours, given, "packed"),
        "evalmark, new model": lambda given: run_new(ours, given, Path(cache.name)),
        "evalmark, predicted": lambda given: run_predicted(ours, suites, given),
        "padded batches": lambda given: batches(model, tokenizer, given, options.batch),
        "one sentence at a time": lambda given: loop(model, tokenizer, given),
    }
    contestants |= peers(model, tokenizer, options.batch)
    contestants = {name: run for name, run in contestants.items() if options.only in name}
    for run in contestants.values():
        run(texts[:8])
    run_ours(ours, texts, "packed")  # so that the turns of "evalmark" find a note
    contestants["limit"] = lambda _: limit(ours, must_read(rows))
    values = in_turns({name: partial(run, texts) for name, run in contestants.items()}, options)
    del values["limit"]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory of all {peak:.0f} MB")
    for name, found in values.items():
        base = next(iter(values))  # ours, unless left out
        pairs = [
            (a, b) for x, y in zip(found, values[base], strict=True)
            for a, b in zip(x, y if len(x) == len(y) else [math.fsum(y)], strict=True)
            if a is not None
        ]  # fmt: skip
        worst = max(abs(a - b) for a, b in pairs)
        relative = max(abs(a - b) / max(abs(b), 1) for a, b in pairs)
        print(
            f"{name:24} differs from {base} by at most {worst:.2g} bits, {relative:.2g} of a "
            f"value of at least 1 bit, in {len(pairs)} values"
        )
    return 0


def add_model_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="cpu", help="cpu, cuda, mps")
    parser.add_argument("--dtype", default="float32", help="float32, bfloat16")
    parser.add_argument("--shape", default="gpt2", choices=("gpt2", "pythia-1.4b"))


def described(options: argparse.Namespace) -> str:
    import torch

    where = f"{options.device}, {options.dtype}, {options.threads} threads"
    return f"the shape of {options.shape}, torch {torch.__version__}, {where}"


def in_turns(
    contestants: dict[str, Callable[[], Any]], options: argparse.Namespace
) -> dict[str, Any]:
    """What each contestant gives; prints its seconds, and how many times those of the first one."""
    # What a device does is no time of this process; all return numbers, and so wait for it.
    clock = time.process_time if options.device == "cpu" else time.perf_counter
    values: dict[str, Any] = {}
    times: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(options.repeats):
        for name, run in contestants.items():
            started = clock()
            values[name] = run()
            times[name].append(clock() - started)
    first = next(iter(times.values()))
    for name, took in times.items():
        ratios = [one / ours for one, ours in zip(took, first, strict=True)]
        print(f"{name:24} {_spread(took)} s, {_spread(ratios)} times", flush=True)
    return values


def _spread(numbers: list[float]) -> str:
    """The least, the median and the greatest."""
    middle = statistics.median(numbers)
    return f"{min(numbers):6.2f} {middle:6.2f} {max(numbers):6.2f}"


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


def make_model(used: int, options: argparse.Namespace) -> Any:
    """A model of a published shape, head and vocabulary included, whatever is used of these."""
    import torch
    import transformers

    torch.manual_seed(0)
    ends = {"bos_token_id": 0, "eos_token_id": 0}
    if options.shape == "gpt2":
        config = transformers.GPT2Config(vocab_size=50257, **ends)
    else:
        config = transformers.GPTNeoXConfig(
            vocab_size=50304, hidden_size=2048, num_hidden_layers=24, num_attention_heads=16,
            intermediate_size=8192, **ends,
        )  # fmt: skip
    assert used <= config.vocab_size
    model = transformers.AutoModelForCausalLM.from_config(config).eval()
    return model.to(options.device, getattr(torch, options.dtype))


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


def exact(logits: Any) -> Any:
    """Logits in float32 at least: in bfloat16, a log-probability has three digits."""
    return logits.float() if logits.element_size() < 4 else logits


def loop(model: Any, tokenizer: Any, texts: list[str]) -> list[list[float]]:
    import torch

    found = []
    with torch.inference_mode():
        for text in texts:
            ids = torch.tensor([[tokenizer.bos_token_id, *tokenizer(text)["input_ids"]]])
            ids = ids.to(model.device)
            logits = exact(model(ids).logits[0, :-1]).log_softmax(-1)
            found.append((-logits.gather(-1, ids[0, 1:, None])[:, 0] / math.log(2)).tolist())
    return found


def minicons(model: Any, tokenizer: Any, batch: int) -> Callable[[list[str]], list[list[float]]]:
    from minicons import scorer

    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        tokenizer.save_pretrained(folder)
        peer = scorer.IncrementalLMScorer(folder, str(model.device))

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

    peer = HFLM(pretrained=model, tokenizer=tokenizer, batch_size=batch, device=str(model.device))

    def run(texts: list[str]) -> list[list[float]]:
        requests = [
            Instance("loglikelihood_rolling", {}, (text,), index)
            for index, text in enumerate(texts)
        ]
        found = peer.loglikelihood_rolling(requests, disable_tqdm=True)
        return [[-value / math.log(2)] for value in found]

    return run


def peers(
    model: Any, tokenizer: Any, batch: int
) -> dict[str, Callable[[list[str]], list[list[float]]]]:
    """Those that are installed."""
    known = {"minicons": ("minicons", minicons), "lm-evaluation-harness": ("lm_eval", harness)}
    for name, (module, _) in known.items():
        if not importlib.util.find_spec(module):
            print(f"{name} is not installed: left out")
    return {
        name: make(model, tokenizer, batch)
        for name, (module, make) in known.items()
        if importlib.util.find_spec(module)
    }


def batches(model: Any, tokenizer: Any, texts: list[str], batch: int) -> list[list[float]]:
    """What a user would write: padded batches in order of length."""
    import torch

    order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
    found: list[list[float]] = [[] for _ in texts]
    with torch.inference_mode():
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            rows = [[tokenizer.bos_token_id, *tokenizer(texts[i])["input_ids"]] for i in chosen]
            longest = max(map(len, rows))
            ids = torch.tensor(
                [row + [tokenizer.pad_token_id] * (longest - len(row)) for row in rows]
            ).to(model.device)
            logits = exact(model(ids).logits[:, :-1]).log_softmax(-1)
            bits = -logits.gather(-1, ids[:, 1:, None])[..., 0] / math.log(2)
            for index, row, values in zip(chosen, rows, bits.tolist(), strict=True):
                found[index] = values[: len(row) - 1]
    return found


def must_read(rows: Iterable[tuple[int, ...]]) -> int:
    """The tokens that any arrangement reads: one for each different prefix with a token after."""
    return len({row[:end] for row in rows for end in range(1, len(row))})


def limit(ours: CausalModel, tokens: int) -> None:
    """Read so many tokens in dense rows, of which each has one token after it."""
    r = random.Random(0)
    for start in range(0, tokens, ROW):
        row = tuple(r.randrange(8000) for _ in range(min(ROW, tokens - start) + 1))
        ours.surprisals([row])


if __name__ == "__main__":
    sys.exit(main())
