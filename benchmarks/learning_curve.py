"""Scores of 28 checkpoints of one model in one call, with their report and frame.

    python -m benchmarks.learning_curve FILE|FOLDER … [--keep FOLDER]

The checkpoints are named as BabyLM's (chck_1M … chck_1000M). Their weights are those of the demo
model with less and less noise, so accuracies rise from chance; nothing is trained.
"""

from __future__ import annotations

import argparse
import math
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from evalmark.scoring.models.load_models import DEMO_FOLDER
from evalmark.scoring.runs.many_runs import read_runs

from benchmarks._measure import once

#: Millions of words, as in ``eval_zero_shot_fast_all_revisions.sh`` of BabyLM's pipeline.
MILLIONS = (*range(1, 10), *range(10, 101, 10), *range(200, 1001, 100))


def make_checkpoints(folder: Path) -> None:
    """A folder with a checkpoint ``chck_NM`` for each number of words."""
    import torch
    import transformers
    from transformers import AutoModelForCausalLM

    transformers.utils.logging.disable_progress_bar()
    trained = AutoModelForCausalLM.from_pretrained(DEMO_FOLDER).state_dict()
    for millions in MILLIONS:
        share = math.log(millions) / math.log(MILLIONS[-1])
        model = AutoModelForCausalLM.from_pretrained(DEMO_FOLDER)
        torch.manual_seed(millions)
        with torch.no_grad():
            for name, weights in model.named_parameters():
                noise = torch.randn_like(weights) * trained[name].std()
                weights.add_(noise, alpha=4 * (1 - share))
        model.save_pretrained(folder / f"chck_{millions}M")
        for path in DEMO_FOLDER.glob("tokenizer*.json"):
            shutil.copy(path, folder / f"chck_{millions}M")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", nargs="+", help="suites or pairs")
    parser.add_argument("--keep", type=Path, help="where checkpoints and runs stay")
    options = parser.parse_args()
    with TemporaryDirectory() as temporary:
        here = options.keep or Path(temporary)
        model = here / "curve"
        if not model.exists():
            make_checkpoints(model)
        evalmark = [sys.executable, "-m", "evalmark.cli.main"]
        took = once(
            [*evalmark, "score", *options.paths, "--model", str(model), "--revision", "chck_*",
             "--device", "cpu", "--out", str(here / "runs"), "-q"]
        )  # fmt: skip
        print(f"{len(MILLIONS)} checkpoints: {took.wall:.1f} s, {took.cpu:.1f} s of CPU")
        page = here / "report.html"
        subprocess.run([*evalmark, "report", str(here / "runs"), "--out", str(page)], check=True)
        print(f"{page}: {page.stat().st_size:,} bytes")
        print(read_runs(here / "runs").to_string())


if __name__ == "__main__":
    main()
