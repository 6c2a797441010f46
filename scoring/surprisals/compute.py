"""The numbers of a run: by packs of prefixes, looked over, or by padded batches."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from evalmark.scoring.models.protocols import LanguageModel
from evalmark.scoring.surprisals.packs import PACK_TOKENS, Pack, Values, packs
from evalmark.scoring.surprisals.prefixes import BATCH_TOKENS, Ids, PrefixTree, batches, fill

#: Dtype → bits by which two ways of computing a surprisal may differ. Several models compute parts
#: in float32 whatever the dtype is; what goes wrong with a mask is larger by orders.
TOLERANCE = {"float64": 1e-5, "float32": 1e-3, "bfloat16": 0.5, "float16": 0.1}
#: Sentences that are computed again without packs: this many, or one in a hundred.
RECHECKED = 32
SEED = 20_140_701

#: Called with the prefixes that are known, and how many there will be.
Progress = Callable[[int, int], None]


class Computed(NamedTuple):
    """How the numbers came about.

    Attributes:
        path: ``tree`` or ``padded``.
        difference: The largest difference (bits) found between the two when looked over.
        reason: Why it was not the tree; empty if it was.
    """

    path: str
    difference: float
    reason: str = ""


class Store:
    """Where finished packs are kept; this one keeps nothing."""

    def load(self) -> dict[int, Values]:
        """Index of a pack → its values, as far as they are known."""
        return {}

    def save(self, index: int, values: Values) -> None:
        """Keep the values of a pack."""


def compute(
    tree: PrefixTree,
    model: LanguageModel,
    *,
    path: str = "auto",
    pack_tokens: int = PACK_TOKENS,
    batch_tokens: int = BATCH_TOKENS,
    ends: Collection[int] = frozenset(),
    store: Store | None = None,
    progress: Progress | None = None,
) -> Computed:
    """Find the surprisal of every prefix of the tree, and the boundaries that are asked for.

    Which models are exact under a tree mask is not known from their names: attention to a window
    is exact in a small pack and wrong in a large one. So the largest pack of the plan is computed
    both ways first, and after the run a sample of sentences again without packs. If either
    differs by more than rounding does, all is computed by padded batches.

    Args:
        tree: The prefixes; it is filled.
        model: What computes.
        path: ``auto``, or ``padded`` to go that way at once.
        pack_tokens: Tokens of a pack.
        batch_tokens: Tokens of a padded batch, padding included.
        ends: Nodes after which the probability of a word's end is wanted.
        store: Where finished packs are kept, and found again.
        progress: Called as the work goes on.
    """
    reason, difference = "", 0.0
    if path == "auto" and tree.leaves:
        made = list(packs(tree, pack_tokens, ends))
        tolerance = TOLERANCE.get(model.info.details.get("dtype", "float32"), 1e-3)
        reason, difference, known = _probe(made, tree, model, tolerance, batch_tokens)
        if not reason:
            _fill(tree, made, model, known, store or Store(), progress)
            again = _recheck(tree, model, batch_tokens)
            if not again <= tolerance:
                reason = f"sentences computed again without it differ by {again:.3g} bits"
            difference = max(difference, again)
        if not reason:
            return Computed("tree", difference)
        tree.clear()
    total = len(tree.leaves)

    def rows(done: int, _: int) -> None:
        if progress:
            progress(done * tree.tokens // max(total, 1), tree.tokens)

    fill(tree, model.surprisals, batch_tokens=batch_tokens, progress=rows)
    for batch in batches(tree.leaves, batch_tokens) if ends else ():
        for ids, bounds in zip(batch, model.bounds(batch), strict=True):
            for node, bound in zip(tree.path(ids), bounds, strict=True):
                if node in ends:
                    tree.bounds.setdefault(node, bound)
    return Computed("padded", difference, reason)


def _probe(
    made: Sequence[Pack],
    tree: PrefixTree,
    model: LanguageModel,
    tolerance: float,
    batch_tokens: int,
) -> tuple[str, float, dict[int, Values]]:
    """Why the tree cannot be trusted (empty if it can), the largest difference, and what it saw."""
    index = max(range(len(made)), key=lambda i: len(made[i].tokens))
    largest = made[index]
    try:
        values = model.read_pack(largest)
    except (TypeError, ValueError, RuntimeError, IndexError, AttributeError) as error:
        # A model that takes no mask or no positions says so in its own way.
        first = str(error).strip().partition("\n")[0] or type(error).__name__
        return f"the model takes no tree mask ({first[:100]})", 0.0, {}
    nodes = (target.node for target in largest.targets)
    found = dict(zip(nodes, values.surprisals, strict=True))
    worst = 0.0
    for ids, plain in _plainly(largest.sequences, model, batch_tokens):
        for node, value in zip(tree.path(ids)[1:], plain, strict=True):
            if node in found:
                worst = _larger(worst, abs(found[node] - value))
    if not worst <= tolerance:
        reason = f"a pack of {len(largest.tokens)} tokens differs by {worst:.3g} bits"
        return reason, worst, {}
    return "", worst, {index: values}


def _plainly(
    rows: Iterable[Ids], model: LanguageModel, batch_tokens: int
) -> Iterator[tuple[Ids, Sequence[float]]]:
    """Sentences and their surprisals, without any tree: rows of like length, padded."""
    for batch in batches(sorted(rows, key=len), batch_tokens):
        yield from zip(batch, model.surprisals(batch), strict=True)


def _fill(
    tree: PrefixTree,
    made: Sequence[Pack],
    model: LanguageModel,
    known: dict[int, Values],
    store: Store,
    progress: Progress | None,
) -> None:
    known = {**known, **store.load()}
    done = 0
    for index, pack in enumerate(made):
        values = known.get(index)
        if values is None or (len(values.surprisals), len(values.bounds)) != (
            len(pack.targets), len(pack.ends)
        ):  # fmt: skip
            values = model.read_pack(pack)
            store.save(index, values)
        for target, value in zip(pack.targets, values.surprisals, strict=True):
            tree.put(target.node, value)
        for end, bound in zip(pack.ends, values.bounds, strict=True):
            tree.bounds[end.node] = bound
        done += len(pack.targets)
        if progress:
            progress(done, tree.tokens)


def _recheck(tree: PrefixTree, model: LanguageModel, batch_tokens: int) -> float:
    """The largest difference for a seeded sample of sentences, computed without the tree."""
    leaves = sorted(tree.leaves)
    count = min(len(leaves), max(RECHECKED, len(leaves) // 100))
    sample = random.Random(SEED).sample(leaves, count)  # noqa: S311 - no secret
    worst = 0.0
    for ids, plain in _plainly(sample, model, batch_tokens):
        for one, other in zip(tree.values(ids)[1:], plain, strict=True):
            worst = _larger(worst, abs(one - other) if one is not None else float("inf"))
    return worst


def _larger(one: float, other: float) -> float:
    """The larger one; not a number counts as larger than all."""
    return other if math.isnan(other) or other > one else one
