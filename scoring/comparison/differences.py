"""What two runs differ in, apart from their scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from evalmark.scoring.comparison.compared_run import ComparedRun, ComparedSuite
from evalmark.scoring.comparison.matching import Matched

#: What decides numbers, and what it is called here. The rest is called as the runs call it.
_SHOWN = {
    "revision": "model revision",
    "sha": "model commit",
    "weights_sha256": "weights",
    "tokenizer_sha256": "tokenizer",
    "dtype": "dtype",
    "bos": "BOS",
    "join": "joining",
    "boundary": "boundary",
    "first_token": "first token",
    "undefined": "undefined values",
    "computation": "computation",
    "output_head": "output head",
    "rounding_margin": "rounding margin",
    "device": "device",
    "num_fewshot": "examples in the prompt",
    "prompt_template": "prompt template",
    "temperature": "temperature",
    "memory_span": "memory span",
}
#: What follows from another model, and says nothing more.
_OF_MODELS = frozenset(
    {"revision", "sha", "weights_sha256", "tokenizer_sha256", "architecture", "parameters",
     "source", "model_args", "inspect_model", "agent_class", "kind", "deployment_type",
     "model_availability", "developer"}
)  # fmt: skip
#: When and where a run was made, which decides nothing.
_IGNORED = frozenset({"run_name", "run_folder", "batch_sizes"})


class RunDifference(NamedTuple):
    """Something that two runs say differently; a side that does not say it has None."""

    name: str
    first: str | None
    second: str | None


def differences(one: ComparedRun, other: ComparedRun, matched: Matched) -> list[RunDifference]:
    """The model, what is known of it, the settings and the texts of items, in this order."""
    same_model = one.model == other.model
    found = [] if same_model else [RunDifference("model", one.model, other.model)]
    known = dict.fromkeys(_SHOWN)
    mixed: dict[str, RunDifference] = {}
    for first, second in _both(one, other, matched):
        for key in dict.fromkeys((*known, *first, *second)):
            a, b = first.get(key), second.get(key)
            if a == b or key in _IGNORED or (key in _OF_MODELS and not same_model):
                continue
            # What only one kind of run states is no difference, unless it decides numbers.
            if key in _SHOWN or None not in (a, b):
                mixed.setdefault(key, RunDifference(_SHOWN.get(key, key), a, b))
    order = [*known, *(key for key in mixed if key not in known)]
    found += [mixed[key] for key in order if key in mixed]
    found += dict.fromkeys(
        RunDifference("metric", m.first.metric, m.second.metric)
        for m in matched.items
        if m.first.metric != m.second.metric
    )
    return [*found, *_texts(matched)]


def _both(
    one: ComparedRun, other: ComparedRun, matched: Matched
) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    yield one.facts, other.facts
    for first, second in _suites(matched):
        yield first.settings, second.settings


def _suites(matched: Matched) -> list[tuple[ComparedSuite, ComparedSuite]]:
    return list({m.first.label: (m.first, m.second) for m in matched.items}.values())


def _texts(matched: Matched) -> Iterator[RunDifference]:
    """Suites of which items have another text in either run."""
    for first, second in _suites(matched):
        column = next(m for m in matched.items if m.first is first)
        known = [(a.text, b.text) for a, b in column.pairs.values() if a.text and b.text]
        others = sum(a != b for a, b in known)
        if others:
            what = f"{others} of {len(column.pairs)} items of {first.label}"
            yield RunDifference("text of items", what, what)
        elif (
            not known
            and None not in (first.digest, second.digest)
            and (first.digest != second.digest)
        ):
            what = f"items of {first.label}"
            yield RunDifference("texts, regions or number", what, what)
