"""How exact surprisals are in each dtype: with the model's own logits, and with ours in float32.

For each model, the surprisals of the sentences of some suites in float64 are compared with those of
each dtype: ``before`` with the logits of the model, converted to float32 afterwards; ``after`` with
its output head in float32, as ``score`` computes them. The weights are rounded to the dtype as
well, so the errors are those of the whole choice of a dtype. The columns:

- mean, 99.9 % and max: absolute errors of the surprisals of tokens, in bits;
- values: different values among them. Fewer than in float32 are artificial ties;
- sums: the largest error of the sum of 1, 2, 4, 8 and 16 consecutive tokens, divided by the square
  root of their number, as a share of the margin below which an item is decided by rounding;
- above: the share of these errors that are above the margin;
- seconds: processor time of scoring the sentences once.

``--shape VOCABULARY,WIDTH,LAYERS,HEADS,SPREAD`` adds a GPT-2 with random weights, which has the
tokenizer of the demo model.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from evalmark.scoring.models.language_models import CausalModel
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.models.output_head import OutputHead
from evalmark.scoring.surprisals.prefix_packs import batches
from evalmark.scoring.surprisals.rounding import rounding_of

from benchmarks.score import load, sentences

DTYPES = ("float32", "bfloat16", "float16")
COUNTS = (1, 2, 4, 8, 16)
SUITES = Path(__file__).parents[1] / "fixtures/suites"

Values = list[list[float]]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("models", nargs="*", help="folders or names; the demo model if none")
    parser.add_argument("--suites", type=Path, nargs="+", default=[SUITES])
    parser.add_argument("--shape", action="append", default=[])
    parser.add_argument("--dtypes", nargs="+", default=DTYPES)
    parser.add_argument("--every", type=int, default=1, help="only one sentence in so many")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    import torch
    import transformers

    torch.set_num_threads(options.threads)
    transformers.utils.logging.disable_progress_bar()
    texts = sentences(load(options.suites))[:: options.every]
    print(f"torch {torch.__version__}, {options.device}, {options.threads} threads")
    named = options.models or ([] if options.shape else ["demo"])
    for name in named:
        show(name, lambda dtype, name=name: loaded(name, dtype, options.device), texts, options)
    for shape in options.shape:
        show(shape, lambda dtype, shape=shape: random(shape, dtype), texts, options)
    return 0


def loaded(name: str, dtype: str, device: str) -> CausalModel:
    model = load_model(name, dtype=dtype, device=device)
    if not isinstance(model, CausalModel):
        raise SystemExit(f"{name} is not a causal model")
    return model


def random(shape: str, dtype: str) -> CausalModel:
    import torch
    import transformers

    *sizes, spread = shape.split(",")
    vocabulary, width, layers, heads = map(int, sizes)
    torch.manual_seed(0)
    config = transformers.GPT2Config(
        vocab_size=vocabulary, n_embd=width, n_layer=layers, n_head=heads,
        initializer_range=float(spread), bos_token_id=0, eos_token_id=0,
    )  # fmt: skip
    model = transformers.GPT2LMHeadModel(config).eval().to(getattr(torch, dtype))
    demo = loaded("demo", "float32", "cpu")
    return CausalModel(model, demo.tokenizer, ("local/random", "random"), bos=demo.bos)


def show(name: str, make: Callable[[str], CausalModel], texts: Sequence[str], options: Any) -> None:
    model = make("float64")
    rows = sorted({model.bos + model.tokenize(text).ids for text in texts}, key=len)
    exact, _ = scored(model, rows)
    tokens = [value for row in exact for value in row]
    print(f"\n{name}: {len(rows)} sentences, {len(tokens)} tokens, {distinct(exact)} values")
    print(f"  mean {sum(tokens) / len(tokens):.2f} bits, at most {max(tokens):.1f}")
    print(
        f"{'':17} {'mean':>8} {'99.9 %':>8} {'max':>8} {'values':>7}   "
        f"sums of {', '.join(map(str, COUNTS))}: share of the margin {'above':>8} {'seconds':>8}"
    )
    for dtype in options.dtypes:
        model = make(dtype)
        heads = {"after": model.head}
        if dtype not in ("float32", "float64"):
            own = OutputHead(model.model, dtype_text=f"{dtype}, of the model")
            heads = {"before": own, **heads}
        for label, head in heads.items():
            model.head = head
            values, seconds = scored(model, rows)
            print(f"{dtype:9} {label:7} {row_of(model, values, exact)} {seconds:8.1f}", flush=True)
        print(f"  output head: {model.head.dtype_text}")


def scored(model: CausalModel, rows: Sequence[tuple[int, ...]]) -> tuple[Values, float]:
    model.surprisals(rows[:1])
    started = time.process_time()
    found: Values = []
    for batch in batches(rows, 1024):
        found += model.surprisals(batch)
    return found, time.process_time() - started


def row_of(model: CausalModel, values: Values, exact: Values) -> str:
    errors = sorted(errors_of(values, exact, 1))
    # The margin of our own logits: that of a model's own is wider.
    info = replace(model.info, details={"dtype": model.info.details["dtype"]})
    margin = rounding_of(info, "none").token
    shares, above, total = [], 0, 0
    for count in COUNTS:
        found = [error / count**0.5 / margin for error in errors_of(values, exact, count)]
        shares.append(f"{max(found, default=0):.2f}")
        above += sum(share >= 1 for share in found)
        total += len(found)
    mean, most = sum(errors) / len(errors), errors[int(0.999 * len(errors))]
    return (
        f"{mean:8.1e} {most:8.1e} {errors[-1]:8.1e} {distinct(values):7}   "
        f"{' '.join(shares):32} {100 * above / total:7.3f} %"
    )


def distinct(values: Values) -> int:
    return len({value for row in values for value in row})


def errors_of(one: Values, other: Values, count: int) -> Iterable[float]:
    """The errors of the sums of some consecutive tokens."""
    for x, y in zip(one, other, strict=True):
        sums = [0.0, *accumulate(a - b for a, b in zip(x, y, strict=True))]
        yield from (abs(sums[i + count] - sums[i]) for i in range(len(sums) - count))


if __name__ == "__main__":
    sys.exit(main())
