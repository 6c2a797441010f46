"""The page of definitions, from the docstrings of what computes the numbers, and from tables."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module

from evalmark.scoring.runs import run_tables
from evalmark.scoring.runs.run_tables import Columns
from evalmark.scoring.score_settings import NAMED, NamedSettings
from evalmark.validator.formats.pairs.pair_sets import NEVER_RIGHT, SETS

from scripts.pages.public_names import markdown

HEAD = """# Definitions

<!-- Generated from docstrings and tables by scripts/generate.py: do not edit. -->

How each number is defined and computed, what the columns of tables hold, and which rules decide.
[Scoring](scoring.md), [Comparing runs](comparing.md) and [Conversations](conversations.md) explain
how to use them. All surprisals are in bits.
"""
STATISTICS = "stats"
#: Column -> what it holds, in whichever of these tables it is.
MEANINGS = {
    "model": "id of the model",
    "suite": "name of the suite; `NAME (METRIC)` if it has several metrics",
    "metric": "the suite's metric",
    "item": "number of the item; of minimal pairs, the id or number of the row, with what tells "
    "its contests apart",
    "condition": "name of the condition",
    "region": "number of the region",
    "region_name": "its name",
    "content": "its text",
    "tokens": "number of tokens; of a text after a context, those that count",
    "value": "the metric over the surprisals of the region's tokens, boundary terms included; "
    "empty if undefined or not computed",
    "position": "place of the token in its text, from 1",
    "token": "the characters that the token covers, with the space before them if it is part of "
    "the token; tokens that share a character all have it",
    "id": "number of the token in the vocabulary; empty for files of surprisals",
    "surprisal": "bits; empty if undefined, as that of a first token without BOS and those of a "
    "context, or not computed. Of a text, the sum of its tokens that count",
    "prediction": "number of the prediction in the suite, from 1",
    "comparison": "number of the comparison in the prediction, from left to right, from 1",
    "left": "value of the left side in bits; empty if undefined",
    "right": "value of the right side in bits; empty if undefined",
    "margin": "bits by which the comparison holds, negative if it fails; of minimal pairs, the "
    "difference of scores in the unit of the method: bits, or bits per token (`mean`) or character "
    "(`per-char`). Empty if undefined",
    "set": "the set of minimal pairs",
    "uid": "what pairs are averaged by",
    "side": "0: the right text; 1 and more: wrong texts",
    "context": "the text that precedes it",
    "text": "the text",
    "score": "what texts are compared by: lower is better",
    "method": "the method of the contest",
    "outcome": "`right`, `wrong`, `tie`, `exact tie`, `impossible` or `undefined`",
    "file": "the file of the pairs",
    "field": "label of the row; empty if it has none",
    "term": "label of the row; empty if it has none",
    "language": "label of the row; empty if it has none",
    "right_surprisal": "surprisal of the right text in bits: of all its tokens that count. In wug "
    "tests, of the first text",
    "wrong_surprisal": "the same of the wrong text; of several, that with the best score",
    "difference": "`wrong_surprisal - right_surprisal` in bits, positive if the right text is more "
    "probable",
}
#: Heading -> modules and functions whose docstrings are below it, in order.
SECTIONS: dict[str, tuple[str, ...]] = {
    "Values of regions": ("scoring.suites.regions", "scoring.suites.regions:assign_tokens"),
    "Word boundaries": ("scoring.surprisals.word_boundaries",),
    "Masked models": ("scoring.surprisals.pseudo_likelihood",),
    "Packs": ("scoring.surprisals.prefix_packs", "scoring.surprisals.surprisal_computation"),
    "Attention and reading direction": ("scoring.models.language_models",),
    "Logits": ("scoring.models.output_head",),
    "Rounding": ("scoring.surprisals.rounding",),
    "Doubtful numbers": ("scoring.doubts",),
    "Files of surprisals": ("scoring.suites.surprisal_files",),
    "Chance": ("scoring.suites.chance",),
    "Proofs without a model": ("validator.formats.suites.unknowns",),
    "Effects": ("scoring.suites.effects", f"{STATISTICS}.effect_sizes:effect_size"),
    "Items against the rest": ("scoring.suites.item_evidence",),
    "Scores of minimal pairs": ("scoring.pairs.text_scores",),
    "Columns of minimal pairs": ("validator.options.pair_columns:PairColumns",),
    "Items in common": ("scoring.comparison.common_items",),
    "Comparisons": ("scoring.comparison.paired_statistics",),
    "Tests": (
        f"{STATISTICS}.paired_tests:mcnemar",
        f"{STATISTICS}.paired_tests:sign_flip",
        f"{STATISTICS}.paired_tests:holm",
    ),
    "Intervals": (
        f"{STATISTICS}.intervals:wilson_interval",
        f"{STATISTICS}.intervals:average_interval",
        f"{STATISTICS}.intervals:paired_interval",
        f"{STATISTICS}.intervals:mean_spread",
        f"{STATISTICS}.paired_tests:detectable_share",
        f"{STATISTICS}.paired_tests:detectable_mean",
        f"{STATISTICS}.correlations:spearman_interval",
    ),
    "Waits and the clock": ("memory.running.runner",),
    "Configurations of the LTM benchmark": ("memory.datasets.ltm_configuration",),
    "Scores of conversations": ("memory.evaluation.scorers",),
    "Thoughts": ("scoring.models.thoughts",),
    "Endpoints": ("memory.agents.endpoints", "memory.agents.endpoint_keys"),
}


def definitions_page() -> str:
    """The page: settings of programs, columns of tables, then a section for each concept."""
    parts = [HEAD, "## Settings of other programs\n", *_programs()]
    parts += ["## Tables of a run\n", *_tables(), "## Sets of minimal pairs\n", _sets()]
    for heading, sources in SECTIONS.items():
        parts.append(f"## {heading}\n")
        for source in sources:
            text = _docstring(source).removeprefix(f"{heading}: ")
            parts.append(f"{text[0].upper()}{text[1:]}\n")
    return "\n".join(parts)


def _docstring(source: str) -> str:
    """The docstring of a module or a function up to its sections, as Markdown."""
    name, _, member = source.partition(":")
    module = import_module(f"evalmark.{name}")
    text = inspect.getdoc(getattr(module, member) if member else module) or ""
    for section in ("Args:", "Returns:", "Raises:"):
        text = text.partition(f"\n{section}\n")[0]
    text = markdown(text).replace("``", "`")
    return f"`{member}`: {text}" if member and member.islower() else text


def _tables() -> Iterator[str]:
    """The columns of each table of a run."""
    for title, columns in (
        ("`regions.csv`: a row for each region of each sentence", run_tables.REGION_COLUMNS),
        ("`tokens.csv`: a row for each token of each sentence", run_tables.TOKEN_COLUMNS),
        (
            "`effects.csv`: a row for each comparison of each prediction and item",
            run_tables.EFFECT_COLUMNS,
        ),
        (
            "`pairs.csv` of minimal pairs: a row for each text of each contest",
            run_tables.PAIR_COLUMNS,
        ),
        ("`tokens.csv` of minimal pairs: a row for each token", run_tables.PAIR_TOKEN_COLUMNS),
        ("`effects.csv` of minimal pairs: a row for each contest", run_tables.CONTEST_COLUMNS),
    ):
        yield f"{title}:\n\n{_columns(columns)}"


def _sets() -> str:
    """The sets that are known by their keys."""
    rows = [
        f"| `{name}` | {pairs.title} | {', '.join(f'`{key}`' for key in pairs.listed_signs)} "
        f"| `{pairs.method}` |\n"
        for name, pairs in SETS.items()
    ]
    return "| set | what it is | keys | method |\n|---|---|---|---|\n" + "".join(rows)


def _columns(columns: Columns) -> str:
    rows = (f"| `{name}` | {MEANINGS[name]} |\n" for name in columns)
    return "| column | what it holds |\n|---|---|\n" + "".join(rows)


#: Row of the table of programs -> its cell for a program.
_CELLS: dict[str, Callable[[NamedSettings], str]] = {
    "sets": lambda named: ", ".join(sorted(named.covers)),
    "equal scores": lambda named: named.decides.get("ties", NEVER_RIGHT),
    "a space before the text": lambda named: named.decides.get("leading_space", ""),
    "other methods": lambda named: ", ".join(f"{s}: {m}" for s, m in named.reading.methods.items()),
    "space after a context not part of the text": lambda named: ", ".join(named.reading.bare),
}


def _programs() -> Iterator[str]:
    """The settings that ``--like`` names, and their sources."""
    yield (
        "`--like NAME` takes these over; an empty cell is evalmark's own default. Sets that a "
        "program does not score are refused.\n"
    )
    lines = [f"| | {' | '.join(f'`{name}`' for name in NAMED)} |", "|---" * (len(NAMED) + 1) + "|"]
    for setting in ("bos", "first_token", "method", "masked_method"):
        values = (named.decides.get(setting) for named in NAMED.values())
        cells = " | ".join(f"`{value}`" if value else "" for value in values)
        lines.append(f"| `--{setting.replace('_', '-')}` | {cells} |")
    for title, cell in _CELLS.items():
        lines.append(f"| {title} | {' | '.join(map(cell, NAMED.values()))} |")
    yield "\n".join([*lines, ""])
    notes = (f"- `{named.name}`: {named.source}. {named.note}.\n" for named in NAMED.values())
    yield "".join(notes)
