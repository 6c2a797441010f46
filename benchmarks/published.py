"""Score published suites as they are and converted: ``python -m benchmarks.published FOLDER``.

Two models: the bundled one, and a GPT-2 of standard size (124 million parameters) with random
weights and a byte-level BPE trained on the sentences themselves. A random model knows nothing; it
is here for its size and its arithmetic. Conversion must not change a single outcome.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from evalmark.converters.convert_document import convert_text
from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.protocols import LanguageModel
from evalmark.scoring.models.tokenizers import bos_ids
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suite_loading import LoadedSuite, load_suite, prepare
from evalmark.scoring.suite_run import score_suites
from evalmark.validator.reading.strict_json import parse

from benchmarks.score import make_tokenizer

SEED = 0


def standard_gpt2(suites: list[LoadedSuite]) -> LanguageModel:
    """GPT-2 as its configuration class makes it, with random weights."""
    import torch
    import transformers

    texts = sorted({s.text for suite in suites for row in suite.sentences for s in row})
    tokenizer = make_tokenizer(texts, 5000)
    torch.manual_seed(SEED)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config())
    model.eval()  # type: ignore[no-untyped-call]
    bos = bos_ids(tokenizer, "auto")
    return CausalModel(model, tokenizer, ("local/random-gpt2", "random GPT-2"), bos=bos)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    paths = sorted(parser.parse_args().folder.glob("*.json"))
    originals = [load_suite(str(path)) for path in paths]
    converted = [
        prepare(parse(convert_text(path.read_text(encoding="utf-8")).text), str(path), "core")
        for path in paths
    ]
    failed = 0
    models: list[LanguageModel] = [load_model("demo", device="cpu"), standard_gpt2(originals)]
    for model in models:
        print(f"\n{model.info.name}")
        for one, other in zip(originals, converted, strict=True):
            started = time.monotonic()
            # Two runs, so that nothing is shared between them.
            before, after = (score_suites([s], model, Settings()).suites[0] for s in (one, other))
            same = [p.outcomes for p in before.result.predictions] == [
                p.outcomes for p in after.result.predictions
            ]
            failed += not same
            items = len(one.suite.items)
            counts = " ".join(f"{p.correct}/{items}" for p in before.result.predictions)
            seconds = time.monotonic() - started
            verdict = "equal" if same else "DIFFERENT"
            print(f"  {one.suite.name:22} {counts:14} converted: {verdict}  ({seconds:.1f} s)")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
