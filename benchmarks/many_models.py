"""Many models and many suites in one call: one table, its time and its memory.

    python -m benchmarks.many_models FOLDER … [--models 50] [--limit N] [--keep FOLDER]

The models have the shape and the tokenizer of the demo model and random weights, so they load and
compute like it and know nothing: accuracies are near chance. They are scored by one process, and
then again with their runs finished, which reads the files of the runs and prints the same table.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from evalmark.scoring.models.load_models import DEMO_FOLDER

from benchmarks._measure import once


def make_models(folder: Path, count: int) -> list[Path]:
    """Folders of models with random weights, each with a seed of its own."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    config = AutoConfig.from_pretrained(DEMO_FOLDER)
    models = []
    for seed in range(1, count + 1):
        model = folder / f"random-weights-seed-{seed:02}"
        torch.manual_seed(seed)
        AutoModelForCausalLM.from_config(config).save_pretrained(model)
        for path in DEMO_FOLDER.glob("tokenizer*.json"):
            shutil.copy(path, model)
        models.append(model)
    return models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", help="folders of suites")
    parser.add_argument("--models", type=int, default=50)
    parser.add_argument("--limit", help="only the first items of each suite")
    parser.add_argument("--keep", type=Path, help="where models and runs stay")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        here = options.keep or Path(temporary)
        here.mkdir(parents=True, exist_ok=True)
        models = make_models(here / "models", options.models)
        print(f"{len(models)} models; {' '.join(options.folders)}")
        named = [part for model in models for part in ("--model", str(model))]
        command = [
            sys.executable, "-m", "evalmark.cli.main", "score", *options.folders, *named,
            *(["--limit", options.limit] if options.limit else []),
            "--device", "cpu", "--regions", "predicted", "--out", str(here / "runs"),
        ]  # fmt: skip
        for name in ("scored", "finished runs"):
            took = once(command)
            took_time = f"{took.wall:6.1f} s, {took.cpu:6.1f} s of CPU"
            print(f"{name:14} {took_time}, peak {took.memory:.0f} MB, exit code {took.code}")


if __name__ == "__main__":
    main()
