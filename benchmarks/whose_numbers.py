"""Choices of ``score --like NAME`` beside those of the program itself, with the same weights.

``--peers PYTHON`` is an environment with torch, transformers, lm-eval and minicons, and with what
the BabyLM pipeline imports (datasets, aiohttp, tqdm, scipy); ``--babylm FOLDER`` is the pipeline's
folder ``strict``. A peer that is not given, or cannot be imported, is left out and named. Models
are small and random: a GPT-2 whose tokenizer adds nothing, one whose tokenizer adds BOS, a BERT.
Files of BLiMP are given; the other sets of BabyLM are made from their words, in the same form.

    python -m benchmarks.whose_numbers --peers PYTHON --babylm strict/ BLIMP_FILE …
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

#: Task of the pipeline, the folder of its data, and what a row is made of: see ``_row_of``.
TASKS = (
    ("blimp", "blimp_filtered"), ("blimp", "supplement_filtered"), ("ewok", "ewok_filtered"),
    ("entity_tracking", "entity_tracking"), ("wug_adj", "wug_adj_nominalization"),
    ("wug_past", "wug_past_tense"), ("comps", "comps"),
)  # fmt: skip
#: What a peer runs: folder of the model, files of pairs -> for each file the better side of a row.
LM_EVAL = """
import json, logging, pathlib, sys, yaml, lm_eval
import lm_eval.tasks
from lm_eval.models.huggingface import HFLM
logging.disable(logging.WARNING)
folder, _, *files = sys.argv[1:]
template = pathlib.Path(lm_eval.tasks.__file__).parent / "blimp/_template_yaml"
usual = yaml.safe_load(template.read_text())
tasks = [
    {**usual, "task": pathlib.Path(path).stem, "dataset_path": "json", "dataset_name": None,
     "dataset_kwargs": {"data_files": path}, "validation_split": "train"}
    for path in files
]
done = lm_eval.simple_evaluate(HFLM(pretrained=folder, device="cpu"), tasks=tasks, log_samples=True,
                               bootstrap_iters=0)
rows = {}
for name, samples in done["samples"].items():
    samples = {sample["doc_id"]: sample for sample in samples}
    rows[name] = [int(not samples[n]["acc"]) for n in sorted(samples)]
print(json.dumps(rows))
"""
MINICONS = """
import json, pathlib, sys
import transformers
from minicons import scorer
tokenizers = transformers.PreTrainedTokenizerBase
if not hasattr(tokenizers, "batch_encode_plus"):  # since transformers 5
    tokenizers.batch_encode_plus = tokenizers.__call__
folder, kind, *files = sys.argv[1:]
of = {"causal": scorer.IncrementalLMScorer, "mlm": scorer.MaskedLMScorer}[kind]
peer = of(folder, "cpu")
rows = {}
for path in files:
    pairs = [json.loads(line) for line in open(path)]
    sides = [
        [v for i in range(0, len(pairs), 16)
         for v in peer.sequence_score([pair[key] for pair in pairs[i:i + 16]])]
        for key in ("sentence_good", "sentence_bad")
    ]
    rows[pathlib.Path(path).stem] = [int(bad > good) for good, bad in zip(*sides)]
print(json.dumps(rows))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, help="files of BLiMP")
    parser.add_argument("--peers", type=Path, help="Python of the other programs")
    parser.add_argument("--babylm", type=Path, help="folder `strict` of BabyLM's pipeline")
    parser.add_argument("--limit", type=int, default=100, help="rows of each file")
    parser.add_argument("--data", nargs="*", help="only these folders of BabyLM's data")
    parser.add_argument("--only", default="", help="gpt2, gpt2-adds-bos or bert")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = _data(options.files, folder / "data", options.limit)
        models = list(_models(data / "blimp_filtered", folder / "models"))
        print("| program | model | data | choices equal | with the settings of evalmark |")
        print("|---|---|---|---|---|")
        for model, backend in models:
            if options.only not in ("", model.name):
                continue
            if options.peers and options.babylm:
                _babylm(options, model, backend, data, folder / "results")
            for like, code in (("lm-eval", LM_EVAL), ("minicons", MINICONS)):
                if options.peers and not (like == "lm-eval" and backend == "mlm"):
                    _program(options.peers, like, code, (model, backend), data, folder / like)
    return 0


def _babylm(options: Any, model: Path, backend: str, data: Path, results: Path) -> None:
    """Run the pipeline on each task, and compare its choices with those of our runs."""
    place = Path(model.name, "main/zero_shot", backend)
    for task, dataset in TASKS:
        if options.data is not None and dataset not in options.data:
            continue
        path = data / dataset
        _run([
            str(options.peers.absolute()), "-m", "evaluation_pipeline.sentence_zero_shot.run",
            "--model_path_or_name", str(model), "--backend", backend, "--task", task,
            "--data_path", str(path), "--output_dir", str(results / "peer"), "--save_predictions",
        ], cwd=options.babylm)  # fmt: skip
        file = results / "peer" / place / task / dataset / "predictions.json"
        peer = json.loads(file.read_text())
        ours: list[dict[str, Any] | None] = []
        for settings in (["--like", "babylm"], ["--undefined", "false"]):
            run = results / f"run{len(ours)}" / model.name / dataset
            _evalmark("score", str(path), "--model", str(model), *settings, "--out", str(run))
            # By default, both contexts of EWoK are compared.
            is_other = task == "ewok" and "--like" not in settings
            ours.append(None if is_other else _predictions(run, task))
        first, second = (_equal(peer, some) for some in ours)
        print(
            f"| BabyLM, `{backend}` | {model.name} | {dataset} | {first} | {second} |", flush=True
        )


def _predictions(run: Path, task: str) -> dict[str, Any]:
    """The choices of a run as the pipeline writes them; of equal scores, the first."""
    made: dict[str, Any] = {}
    with (run / "pairs.csv").open(encoding="utf-8", newline="") as file:
        items = groupby(csv.DictReader(file), key=lambda row: (row["uid"], row["item"]))
        for (uid, _), rows in items:
            sides = list(rows)
            scores = [float(side["score"]) for side in sides]
            best = sides[scores.index(min(scores))]
            entry: dict[str, Any] = {"pred": best["text"]}
            if task == "comps":
                uid = uid.removeprefix("comps_").replace("-", "_")
                entry["pred"] = best["context"] + best["text"]
            elif "wug" in task:
                uid = task
                entry["prob"] = 1 / (1 + 2 ** (scores[0] - scores[1]))
            made.setdefault(uid, {"predictions": []})["predictions"].append(entry)
    return made


def _equal(peer: dict[str, Any], ours: dict[str, Any] | None) -> str:
    """The share of equal predictions, and the largest difference of probabilities."""
    if ours is None:
        return "other question"
    assert peer.keys() == ours.keys(), (peer.keys(), ours.keys())
    rows = [
        row
        for uid, entry in peer.items()
        for row in zip(entry["predictions"], ours[uid]["predictions"], strict=True)
    ]
    equal = sum(a["pred"].strip() == b["pred"].strip() for a, b in rows)
    said = f"{equal:,} of {len(rows):,}"
    shares = [abs(a["prob"] - b["prob"]) for a, b in rows if "prob" in a]
    return f"{said}; `prob` to {max(shares):.0e}" if shares else said


def _program(
    python: Path, like: str, code: str, model: tuple[Path, str], data: Path, folder: Path
) -> None:
    """Run a program on the files of BLiMP, and ours on the same."""
    files = sorted((data / "blimp_filtered").iterdir())
    arguments = [str(model[0]), model[1], *map(str, files)]
    printed = _run([str(python.absolute()), "-c", code, *arguments], strict=False)
    if printed is None:
        print(f"| {like} | {model[0].name} | cannot be run | | |")
        return
    peer = json.loads(printed.splitlines()[-1])
    equal = []
    for number, settings in enumerate((["--like", like], [])):
        out = folder / f"{model[0].name}{number}"
        _evalmark("score", *map(str, files), "--model", str(model[0]), *settings, "--out", str(out))
        ours = _choices(out)
        rows = [(a, b) for uid in peer for a, b in zip(peer[uid], ours[uid], strict=True)]
        equal.append(f"{sum(a == b for a, b in rows):,} of {len(rows):,}")
    print(f"| {like} | {model[0].name} | blimp | {equal[0]} | {equal[1]} |", flush=True)


def _choices(run: Path) -> dict[str, list[int]]:
    """UID -> the number of the better side of each row, the first of equal ones."""
    scores: dict[str, dict[str, list[float]]] = {}
    with (run / "pairs.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            sides = scores.setdefault(row["uid"], {}).setdefault(row["item"], [])
            sides.append(float(row["score"]))
    return {
        uid: [sides.index(min(sides)) for sides in items.values()] for uid, items in scores.items()
    }


def _run(command: list[str], *, cwd: Path | None = None, strict: bool = True) -> str | None:
    quiet = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "HF_HUB_OFFLINE": "1"}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, env=quiet)
    if done.returncode and strict:
        raise SystemExit(f"{done.returncode}: {' '.join(command)}\n{done.stderr[-2000:]}")
    if done.returncode:
        print(done.stderr.strip().splitlines()[-1], file=sys.stderr)
    return None if done.returncode else done.stdout


def _evalmark(*arguments: str) -> None:
    _run([sys.executable, "-m", "evalmark", *arguments])


def _data(files: list[Path], folder: Path, limit: int) -> Path:
    """The folders of BabyLM's data: BLiMP as given, the rest made from its words."""
    rows = [[json.loads(line) for line in path.read_text().splitlines()[:limit]] for path in files]
    for path, some in zip(files, rows, strict=True):
        _write(folder / "blimp_filtered" / path.name, some)
    draw = random.Random(0)
    words = [row["sentence_good"].rstrip(".").split() for some in rows for row in some]
    every = [word for sentence in words for word in sentence]

    def text(least: int, most: int) -> str:
        return " ".join(draw.choices(every, k=draw.randint(least, most)))

    made: dict[str, Callable[[], dict[str, Any]]] = {
        "supplement_filtered/qa.jsonl": lambda: {
            "sentence_good": f"A: {text(3, 6)}? B: {text(2, 4)}.",
            "sentence_bad": f"A: {text(3, 6)}? B: {text(2, 4)}.",
        },
        "entity_tracking/regular.jsonl": lambda: {
            "input_prefix": f"{text(9, 15)}. Box 1 contains",
            "options": [f" the {text(1, 3)}." for _ in range(5)], "numops": draw.randint(0, 2),
        },
        "wug_adj_nominalization/wug_adj_nominalization.jsonl": lambda: {
            "sentences": f"{text(4, 8)}ity.\t{text(4, 8)}ness.", "ratio": draw.random(),
        },
        "wug_past_tense/wug_past_tense.jsonl": lambda: {
            "sentences": f"{text(4, 8)}ed.\t{text(4, 8)}t.", "ratio": draw.random(),
        },
    }  # fmt: skip
    for subset in ("base", "wugs", "wugs_dist-before", "wugs_dist-in-between"):
        made[f"comps/comps_{subset}.jsonl"] = lambda: {
            "prefix_acceptable": f"A {text(1, 2)}", "prefix_unacceptable": f"A {text(1, 2)}",
            "property_phrase": f"{text(2, 5)}.",
        }  # fmt: skip
    for name, row in made.items():
        _write(folder / name, [row() for _ in range(limit)])
    for domain in ("social", "spatial"):
        _write(folder / f"ewok_filtered/{domain}.jsonl", list(_ewok(domain, limit // 2, text)))
    return folder


def _ewok(domain: str, count: int, text: Callable[[int, int], str]) -> Iterator[dict[str, str]]:
    """Items of EWoK as the pipeline filters them: each is followed by the same, swapped."""
    for _ in range(count):
        first, second = (f"{text(4, 7)}." for _ in range(2))
        targets = [f"{text(3, 6)}." for _ in range(2)]
        for at in (0, 1):
            yield {
                "Domain": domain, "ContextType": "direct", "ContextDiff": "x", "TargetDiff": "y",
                "Context1": (first, second)[at], "Context2": (second, first)[at],
                "Target1": targets[at], "Target2": targets[1 - at],
            }  # fmt: skip


def _write(path: Path, rows: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def _models(data: Path, folder: Path) -> Iterator[tuple[Path, str]]:
    """Random models with trained tokenizers, and the backend of the pipeline for each."""
    import torch
    import transformers
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    texts = [
        row[key]
        for path in sorted(data.iterdir())
        for row in map(json.loads, path.read_text().splitlines())
        for key in ("sentence_good", "sentence_bad")
    ]
    torch.manual_seed(0)
    small = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 256, "initializer_range": 0.3}
    for name in ("gpt2", "gpt2-adds-bos"):
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        tokenizer.train_from_iterator(texts, trainers.BpeTrainer(
            vocab_size=900, special_tokens=["<|endoftext|>"], show_progress=False,
            initial_alphabet=alphabet,
        ))  # fmt: skip
        end = "<|endoftext|>"
        if name == "gpt2-adds-bos":
            tokenizer.post_processor = processors.TemplateProcessing(
                single=f"{end} $A", special_tokens=[(end, 0)]
            )
        fast = transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, bos_token=end, eos_token=end, unk_token=end
        )
        config = transformers.GPT2Config(vocab_size=len(fast), **small)
        yield _saved(transformers.GPT2LMHeadModel(config), fast, folder / name), "causal"
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(
        texts,
        trainers.WordPieceTrainer(vocab_size=300, special_tokens=special, show_progress=False),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]",
        sep_token="[SEP]", mask_token="[MASK]",
    )  # fmt: skip
    bert = transformers.BertConfig(
        vocab_size=len(fast), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=256, initializer_range=0.3,
    )  # fmt: skip
    yield _saved(transformers.BertForMaskedLM(bert), fast, folder / "bert"), "mlm"


def _saved(model: Any, tokenizer: Any, folder: Path) -> Path:
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


if __name__ == "__main__":
    sys.exit(main())
