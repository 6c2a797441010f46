"""The benchmarks whose scale is known: on what range their values are, and which tasks they have.

The format itself says neither. Repositories add benchmarks in ``[tool.evalmark.benchmarks]``.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from evalmark.schemas.metrics.known_metrics import find_metric


class Benchmark(NamedTuple):
    """A benchmark of the table.

    Attributes:
        dataset: Its data set on the Hub.
        name: Its common name.
        metric: Its metric.
        low: The least possible value.
        high: The greatest possible value.
        unit: The unit of its values; "" if they have none.
        tasks: The ids of its tasks; none if they are not known.
        lower_is_better: Whether a smaller value is a better one, if the settings say so.
        documented: Where this is documented.
    """

    dataset: str
    name: str
    metric: str
    low: float
    high: float
    unit: str = ""
    tasks: tuple[str, ...] = ()
    lower_is_better: bool | None = None
    documented: str = "the settings of this repository"

    @property
    def is_percentage(self) -> bool:
        """True if its values are percentages."""
        return (self.low, self.high) == (0, 100)

    @property
    def direction(self) -> bool | None:
        """True if a smaller value is better; None if neither settings nor table of metrics say."""
        metric = find_metric(self.metric) if self.lower_is_better is None else None
        return metric.lower_is_better if metric else self.lower_is_better

    @property
    def scale(self) -> str:
        """``from 0 to 100``."""
        return f"from {self.low:g} to {self.high:g}"


#: The Hub's page on the format: https://huggingface.co/docs/hub/eval-results.
_PAGE = "the Hub's page on evaluation results"
#: tools/hf-community-evals/community_evals_converter.py in evaleval/every_eval_ever: it writes
#: values from 0 to 100, refuses others, and names the tasks.
_EEE = "Every Eval Ever's converter to community evals"


def _percentage(dataset: str, name: str, *tasks: str, metric: str, documented: str) -> Benchmark:
    return Benchmark(dataset, name, metric, 0, 100, "percent", tasks, None, documented)


#: The benchmarks whose scale and tasks public documentation names. Where two documents name a task
#: differently, both names are here: the Hub's page calls GPQA Diamond `gpqa_diamond`, and Every
#: Eval Ever's converter and the guide of huggingface/community-evals call it `diamond`.
KNOWN: tuple[Benchmark, ...] = (
    _percentage(
        "Idavidrein/gpqa", "GPQA",
        "diamond", "main", "gpqa_diamond", "gpqa_main", "gpqa_extended",
        metric="accuracy", documented=_EEE,
    ),
    _percentage("TIGER-Lab/MMLU-Pro", "MMLU-Pro", "mmlu_pro", metric="accuracy", documented=_EEE),
    _percentage(
        "cais/hle", "Humanity's Last Exam", "hle", "default",
        metric="accuracy", documented=f"{_EEE} and {_PAGE}",
    ),
    _percentage("openai/gsm8k", "GSM8K", "gsm8k", metric="accuracy", documented=_EEE),
    # Its page shows the values of its leaderboard (76.4), and no task.
    _percentage(
        "SWE-bench/SWE-bench_Verified", "SWE-bench Verified",
        metric="resolved", documented="the Hub's guide to leaderboard data",
    ),
)  # fmt: skip

#: Data set in lower case -> benchmark.
Benchmarks = Mapping[str, Benchmark]

DEFAULT: Benchmarks = {benchmark.dataset.lower(): benchmark for benchmark in KNOWN}


def find(benchmarks: Benchmarks | None, dataset: str) -> Benchmark | None:
    """The benchmark of a data set, if it is known; None instead of a table means our own."""
    return (DEFAULT if benchmarks is None else benchmarks).get(dataset.lower())


def times(value: float, factor: Decimal | int) -> float:
    """A value times a power of ten, as people would write it: 0.657 times 100 is 65.7."""
    product = float(Decimal(repr(value)) * factor)
    return int(product) if product.is_integer() else product
