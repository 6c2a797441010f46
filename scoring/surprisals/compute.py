"""The surprisals of a run: by verified packs of prefixes, or by padded batches."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from evalmark.scoring.models.protocols import LanguageModel
from evalmark.scoring.settings import DEFAULT_COMPUTING, Computing
from evalmark.scoring.surprisals.packs import Pack, PackValues, packs
from evalmark.scoring.surprisals.prefixes import (
    Ids,
    PrefixTree,
    Progress,
    batches,
    fill,
    read_rows,
)
from evalmark.scoring.surprisals.store import NO_STORE, PackStore

#: Dtype -> bits by which two ways of computing a surprisal may differ. Several models compute parts
#: in float32 whatever the dtype is; an error in the mask is orders of magnitude larger.
TOLERANCE = {"float64": 1e-5, "float32": 1e-3, "bfloat16": 0.5, "float16": 0.1}
#: Sentences computed again without packs: this many, or one in a hundred.
RECHECKED = 32
SEED = 20_140_701


@dataclass(frozen=True, slots=True)
class Computed:
    """How the surprisals were computed."""

    way: str  # `packed`, `padded` or `masked`
    reason: str = ""  # why packs were asked for and not used; else empty
    largest: int = 0  # tokens of the largest pack


def compute(
    tree: PrefixTree,
    model: LanguageModel,
    computing: Computing = DEFAULT_COMPUTING,
    *,
    ends: Collection[int] = frozenset(),
    store: PackStore = NO_STORE,
    progress: Progress | None = None,
) -> Computed:
    """Compute the surprisals that are wanted of the tree, and the word boundaries at ``ends``.

    A model's name does not say whether it is exact under a tree mask: attention to a window is
    exact in a small pack and wrong in a large one. So the largest pack of the plan is computed
    both ways first, and after the run a sample of sentences is computed again without packs. If
    either differs by more than rounding, or a pack cannot be computed, everything is computed by
    padded batches.
    """
    reason = ""
    if computing.strategy == "packed":
        made = list(packs(tree, computing.pack_size, ends))
        reason = _fill_packed(tree, made, model, computing.batch_tokens, store, progress)
        if not reason:
            return Computed("packed", largest=max((len(pack.tokens) for pack in made), default=0))
        tree.clear()
    _fill_padded(tree, model, computing.batch_tokens, ends, progress)
    return Computed("padded", reason)


def _fill_packed(
    tree: PrefixTree,
    made: Sequence[Pack],
    model: LanguageModel,
    batch_tokens: int,
    store: PackStore,
    progress: Progress | None,
) -> str:
    """Compute all packs; why their values cannot be trusted, or empty."""
    if not made:
        return ""  # the first tokens of sentences without BOS, which have no value
    tolerance = TOLERANCE.get(model.info.details.get("dtype", "float32"), 1e-3)
    reason, known = _probe(made, tree, model, tolerance, batch_tokens)
    if reason:
        return reason
    try:
        _fill(tree, made, model, {**known, **store.load()}, store, progress)
    except RuntimeError as error:  # such as memory of a GPU that others have taken meanwhile
        return f"a pack cannot be computed ({_first_line(error)})"
    again = _recheck(tree, model, batch_tokens)
    if again <= tolerance:
        return ""
    return f"sentences computed again without packs differ by {again:.3g} bits"


def _fill_padded(
    tree: PrefixTree,
    model: LanguageModel,
    batch_tokens: int,
    ends: Collection[int],
    progress: Progress | None,
) -> None:
    fill(tree, model.surprisals, batch_tokens=batch_tokens, progress=progress)
    for batch in batches(tree.leaves, batch_tokens) if ends else ():
        paths = [tree.path(ids) for ids in batch]
        places = [[at for at, node in enumerate(path) if node in ends] for path in paths]
        for path, at, bounds in zip(paths, places, model.bounds(batch, places), strict=True):
            for place, bound in zip(at, bounds, strict=True):
                tree.bounds.setdefault(path[place], bound)


def _probe(
    made: Sequence[Pack],
    tree: PrefixTree,
    model: LanguageModel,
    tolerance: float,
    batch_tokens: int,
) -> tuple[str, dict[int, PackValues]]:
    """Why packs cannot be trusted (empty if they can), and the values of the largest pack."""
    index = max(range(len(made)), key=lambda i: len(made[i].tokens))
    largest = made[index]
    try:
        values = model.read_pack(largest)
    except (TypeError, ValueError, RuntimeError, IndexError, AttributeError) as error:
        # Each model has its own error for a mask or positions that it does not accept.
        return f"the model does not accept a tree mask ({_first_line(error)})", {}
    nodes = (target.node for target in largest.targets)
    found = dict(zip(nodes, values.surprisals, strict=True))
    worst = 0.0
    for node, value in _plainly(tree, largest.sequences, model, batch_tokens):
        if node in found:
            worst = _larger(worst, abs(found[node] - value))
    if not worst <= tolerance:
        return f"a pack of {len(largest.tokens)} tokens differs by {worst:.3g} bits", {}
    return "", {index: values}


def _plainly(
    tree: PrefixTree, rows: Iterable[Ids], model: LanguageModel, batch_tokens: int
) -> Iterator[tuple[int, float]]:
    """Nodes of sentences and their values without packs: rows of similar length, padded."""
    for batch in batches(sorted(rows, key=len), batch_tokens):
        yield from read_rows(tree, batch, model.surprisals)


def _fill(
    tree: PrefixTree,
    made: Sequence[Pack],
    model: LanguageModel,
    known: dict[int, PackValues],
    store: PackStore,
    progress: Progress | None,
) -> None:
    done = 0
    for index, pack in enumerate(made):
        values = known.get(index)
        sizes = (len(pack.targets), len(pack.ends))
        if values is None or (len(values.surprisals), len(values.bounds)) != sizes:
            values = model.read_pack(pack)
            store.save(index, values)
        for target, value in zip(pack.targets, values.surprisals, strict=True):
            tree.put(target.node, value)
        for end, bound in zip(pack.ends, values.bounds, strict=True):
            tree.bounds[end.node] = bound
        done += len(pack.targets)
        if progress:
            progress(done, tree.values_wanted)


def _recheck(tree: PrefixTree, model: LanguageModel, batch_tokens: int) -> float:
    """The largest difference for a seeded sample of sentences, computed without the tree."""
    leaves = sorted(tree.leaves)
    count = min(len(leaves), max(RECHECKED, len(leaves) // 100))
    sample = random.Random(SEED).sample(leaves, count)
    worst = 0.0
    for node, plain in _plainly(tree, sample, model, batch_tokens):
        value = tree.value(node)
        worst = _larger(worst, abs(value - plain) if value is not None else float("inf"))
    return worst


def _first_line(error: Exception) -> str:
    return (str(error).strip().partition("\n")[0] or type(error).__name__)[:100]


def _larger(one: float, other: float) -> float:
    """The larger one; NaN counts as larger than all."""
    return other if math.isnan(other) or other > one else one
