"""The registry of metrics of Every Eval Ever: its ids, and what programs call these metrics.

A record that is imported joins with those that others have submitted if the metric has one id in
both. A name is here if the registry, or the map that its converters use, says that it means this
metric alone: ``acc_norm`` is a metric of its own, and ``exact_match@5`` is in neither.
"""

from __future__ import annotations

from collections.abc import Mapping

#: Where the ids and the names are published, at the revision that they are taken from.
SOURCES = (
    "https://github.com/evaleval/eval-card-registry (seed/metrics.yaml, revision 69b7eb5)",
    "https://github.com/evaleval/every_eval_ever (converters/common/metrics.py)",
)
#: Id -> other names of the metric, in lower case and with ``_`` for blanks and hyphens.
REGISTERED: Mapping[str, tuple[str, ...]] = {
    "accuracy": ("acc",),
    "normalized-accuracy": ("acc_norm",),
    "exact-match": ("em",),
    "prefix-exact-match": (),
    "quasi-exact-match": (),
    "quasi-prefix-exact-match": (),
    "ifeval-strict-accuracy": (),
    "truthfulqa-mc1": ("mc1",),
    "truthfulqa-mc2": ("mc2",),
    "math-equivalent": ("math_equiv",),
    "math-equivalent-chain-of-thought": ("math_equiv_chain_of_thought",),
    "cot-correct": ("chain_of_thought_correctness",),
    "pass-at-1": ("pass@1",),
    "pass-at-8": ("pass@8",),
    "f1": ("f1_score",),
    "macro-f1": ("classification_macro_f1",),
    "micro-f1": ("classification_micro_f1",),
    "precision": (),
    "recall": (),
    "recall-at-1": ("recall@1",),
    "recall-at-5": ("recall@5",),
    "matthews-correlation": ("mcc", "matthews_corrcoef"),
    "bleu": ("sacrebleu",),
    "bleu-1": ("bleu1",),
    "bleu-4": ("bleu4",),
    "rouge-1": ("rouge1",),
    "rouge-2": ("rouge2",),
    "rouge-l": ("rougel",),
    "rouge-lsum": ("rougelsum",),
    "wer": ("word_error_rate",),
    "cer": ("character_error_rate",),
    "perplexity": ("ppl",),
    "word-perplexity": (),
    "byte-perplexity": (),
    "bits-per-byte": ("bpb",),
    "brier-score": (),
    "calibration-error": (),
}
