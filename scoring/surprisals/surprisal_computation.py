"""Surprisals of a run: by packs of prefixes that were verified, by a cache, or by padded batches.

Whether a model is exact with packs cannot be seen from its architecture: sliding-window attention
is exact in small packs and wrong in large ones. So sentences are computed both ways: before the run
those of the largest pack, farthest-reaching first, and after it a seeded sample (32, or one in a
hundred). Each check computes at most a tenth of the tokens of all packs, or one sentence. If values
differ by more than rounding, all results are discarded. Then each prefix is computed once with the
model's cache, token by token for all sentences together, and compared with plain rows in the same
way; where that differs too, or sentences share little, they are computed in padded batches. stderr
and ``computation`` of the record say so. GPT-2, Llama, GPT-NeoX, Qwen2, OPT, Phi, Gemma 2, and
models with a window that is wider than packs work with packs; Bloom and Mamba with their cache.

A verified model is checked again only for larger packs or longer sentences; a model with code of
its own, and one that failed, each time. The note of it is a small file in ``evalmark/packs/`` of
the user's cache (``$XDG_CACHE_HOME``, ``~/.cache``, ``~/Library/Caches`` on macOS,
``%LOCALAPPDATA%`` on Windows), never in the folder of the model. Its name is a digest of weights,
configuration, device and versions (torch, transformers, evalmark), its content how far the packs
reached that were compared. A note that is damaged, too large or writable by others is ignored.
Delete the folder to check all models again.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import random
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import NamedTuple

from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.score_settings import BATCH_TOKENS, DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.prefix_packs import (
    Forward,
    Ids,
    Level,
    Pack,
    PackValues,
    PrefixTree,
    Progress,
    batches,
    levels,
    packs,
    read_rows,
)
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import (
    add_path_to_errors,
    json_bytes,
    open_to_append,
    write_atomically,
)
from evalmark.validator.settings.user_config import user_folder

#: The index of a pack, or a way to compute and the rows that are computed together.
Part = int | str
#: Name of the file of an unfinished run.
PARTIAL = "unfinished.jsonl"


class PackStore:
    """A store of what is finished; this one stores nothing."""

    def load(self) -> dict[Part, PackValues]:
        """A part of the run -> its values, as far as they are known."""
        return {}

    def save(self, part: Part, values: PackValues) -> None:
        """Store the values of a part."""


NO_STORE = PackStore()


class FolderStore(PackStore):
    """Parts as lines of a file: values as hexadecimal floats, so that no bit is lost.

    The first line says which plan they belong to and when the run began. A file of another plan is
    replaced. An incomplete last line is ignored.
    """

    def __init__(self, folder: Path, plan: str, started: int) -> None:
        self.path = folder / PARTIAL
        self.started = started  # when the run began, as a Unix timestamp
        self._plan = plan
        self._known: dict[Part, PackValues] = {}
        whole = self._read()
        if whole is None:
            self._append(json.dumps({"plan": plan, "started": started}) + "\n", keep=0)
        else:
            self._append("", keep=whole)  # without an incomplete last line

    def load(self) -> dict[Part, PackValues]:
        """A part of the run -> its values."""
        return self._known

    def save(self, part: Part, values: PackValues) -> None:
        """Append the values of a part."""
        hexed = {key: [v.hex() for v in numbers] for key, numbers in asdict(values).items()}
        line = {"pack": part, **hexed}
        self._append(json.dumps(line) + "\n")

    def _read(self) -> int | None:
        """Load the parts of the same plan; how many bytes of the file are complete lines."""
        try:
            raw = read_whole(self.path)
        except FileNotFoundError:
            return None
        whole = raw.rfind(b"\n") + 1
        lines = raw[:whole].splitlines()
        try:
            head = json.loads(lines[0])
            if head["plan"] != self._plan:
                return None
            self.started = int(head["started"])
            for line in lines[1:]:
                entry = json.loads(line)
                values = (
                    [float.fromhex(v) for v in entry[key]] for key in ("surprisals", "bounds")
                )
                self._known[entry["pack"]] = PackValues(*values)
        except (ValueError, LookupError, TypeError, RecursionError):
            self._known.clear()
            return None
        return whole

    def _append(self, text: str, *, keep: int | None = None) -> None:
        with add_path_to_errors(self.path), open_to_append(self.path, keep=keep) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())


def plan_digest(
    texts: Texts,
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing,
) -> str:
    """A digest of everything that the values of packs and batches depend on."""
    size = computing.batch_tokens if model.kind == "masked" else computing.pack_size
    # Which rows a batch has is said beside its values.
    choices = {**model.info.details, "id": model.info.id, **settings.for_digest()}
    digest = hashlib.sha256(json.dumps([size, choices], sort_keys=True).encode())
    for ids in sorted({tokens.ids for tokens in texts.tokens.values()}):
        digest.update(f"{ids}\n".encode())
    if not texts.complete:
        rows = {(tokenized.ids, *texts.places[text]) for text, tokenized in texts.tokens.items()}
        digest.update(f"{sorted(rows)}\n".encode())
    return digest.hexdigest()


#: Bytes of the largest note that is read.
_LARGEST = 1000


class Extent(NamedTuple):
    """The extent of packs."""

    #: Tokens of the largest pack: attention to a window is exact in smaller ones only.
    tokens: int = 0
    #: Tokens of the longest sentence: some models change their positions with the length.
    depth: int = 0

    def is_within(self, limit: Extent) -> bool:
        """True if packs of the other extent include these."""
        return self.tokens <= limit.tokens and self.depth <= limit.depth

    def joined(self, second: Extent) -> Extent:
        """The extent of both; each was compared."""
        return Extent(max(self.tokens, second.tokens), max(self.depth, second.depth))


def extent_of(made: Iterable[Pack]) -> Extent:
    """The extent of some packs."""
    sizes = [(len(pack.tokens), max(pack.depths, default=-1) + 1) for pack in made]
    return Extent(*map(max, zip(*sizes, strict=True)))


def remembered(digest: str) -> Extent:
    """The extent of the packs that were compared for a model; none if it is not known."""
    path = _path(digest)
    try:
        if path is None or not _is_own(os.lstat(path)):
            return Extent()
        data = json.loads(read_whole(path, follow=False, most=_LARGEST))
    except (OSError, ValueError, RecursionError):
        return Extent()
    if not isinstance(data, dict) or data.keys() != {*Extent._fields}:
        return Extent()
    return Extent(**data) if all(type(value) is int for value in data.values()) else Extent()


def remember(digest: str, extent: Extent) -> None:
    """Note that packs of a model were compared; without a place for notes, nothing happens."""
    path = _path(digest)
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, json_bytes(extent.joined(remembered(digest))._asdict()))


def _path(digest: str) -> Path | None:
    folder = user_folder("cache")
    return Path(folder, "packs", f"{digest}.json") if digest and folder else None


def _is_own(status: os.stat_result) -> bool:
    """True if this user has written a file; on Windows the folder is the user's."""
    if not hasattr(os, "geteuid"):
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & stat.S_IWOTH


#: Dtype -> bits by which two ways of computing a surprisal may differ. Several models compute parts
#: in float32 whatever the dtype is; an error in the mask is orders of magnitude larger.
TOLERANCE = {"float64": 1e-5, "float32": 1e-3, "bfloat16": 0.5, "float16": 0.1}
#: Sentences computed again without packs: this many, or one in a hundred.
RECHECKED = 32
#: The share of the tokens of all packs that each of two checks may compute again, if it is more
#: than one sentence.
CHECKED = 0.1
SEED = 20_140_701
#: How many times the tokens that are read with a cache all sentences must have: steps of few tokens
#: are slower.
LEAST_SHARED = 1.3
#: How many times the tokens of a batch a cache may hold: the more sentences, the faster is a step.
HELD = 4
#: Each model has its own error for a mask or positions that it does not accept.
_REFUSALS = (TypeError, ValueError, RuntimeError, LookupError, AttributeError)


@dataclass(frozen=True, slots=True)
class Computed:
    """The computation of the surprisals of a run."""

    way: str  # a key of ``run_files.WAYS``
    reason: str = ""  # why packs were asked for and not used; else empty


def compute(
    tree: PrefixTree,
    model: LanguageModel,
    computing: Computing = DEFAULT_COMPUTING,
    *,
    ends: Collection[int] = frozenset(),
    store: PackStore = NO_STORE,
    progress: Progress | None = None,
) -> Computed:
    """Compute the surprisals that are wanted of the tree, and the word boundaries at ``ends``."""
    reason = ""
    computing = fitting(computing, model)
    if computing.strategy == "packed":
        made = list(packs(tree, computing.pack_size, ends))
        reason = _fill_packed(tree, made, model, computing.batch_tokens, store, progress)
        if not reason:
            return Computed("packed")
        tree.clear()
        why_not = _fill_cached(tree, model, computing.batch_tokens, ends, store, progress)
        if not why_not:
            return Computed("cached", reason)
        reason = f"{reason}; {why_not}"
        tree.clear()
    fill(
        tree,
        model.surprisals,
        batch_tokens=computing.batch_tokens,
        store=store,
        progress=progress,
    )
    _fill_bounds(tree, model, computing.batch_tokens, ends, store)
    return Computed("padded", reason)


def fill(
    tree: PrefixTree,
    forward: Forward,
    *,
    batch_tokens: int = BATCH_TOKENS,
    store: PackStore = NO_STORE,
    progress: Progress | None = None,
) -> None:
    """Compute every value of the tree, in padded batches of sequences of similar length."""
    known, done = store.load(), 0
    for batch in batches(tree.leaves, batch_tokens):
        part = f"rows {done} to {done + len(batch)}"
        nodes = [node for ids in batch for node in tree.path(ids)[1:] if tree.is_wanted(node)]
        values = known.get(part)
        if values is None or len(values.surprisals) != len(nodes):
            values = PackValues([bits for _, bits in read_rows(tree, batch, forward)], [])
            store.save(part, values)
        for node, bits in zip(nodes, values.surprisals, strict=True):
            tree.put(node, bits)
        done += len(batch)
        if progress:
            total = tree.values_wanted
            progress(done * total // len(tree.leaves), total)


def _fill_bounds(
    tree: PrefixTree,
    model: LanguageModel,
    batch_tokens: int,
    ends: Collection[int],
    store: PackStore,
) -> None:
    known, done = store.load(), 0
    for batch in batches(tree.leaves, batch_tokens) if ends else ():
        part = f"ends of rows {done} to {done + len(batch)}"
        paths = [tree.path(ids) for ids in batch]
        places = [[at for at, node in enumerate(path) if node in ends] for path in paths]
        nodes = [path[at] for path, indices in zip(paths, places, strict=True) for at in indices]
        values = known.get(part)
        if values is None or len(values.bounds) != len(nodes):
            values = PackValues([], [*chain.from_iterable(model.bounds(batch, places))])
            store.save(part, values)
        for node, bound in zip(nodes, values.bounds, strict=True):
            tree.bounds.setdefault(node, bound)
        done += len(batch)


def fitting(computing: Computing, model: LanguageModel | MaskedLanguageModel) -> Computing:
    """The same with packs that suit the model's device, and its positions."""
    if model.kind == "masked":
        return computing
    size = model.pack_tokens if computing.pack_tokens is None else computing.pack_tokens
    return replace(computing, pack_tokens=min(size, model.max_tokens or size))


def _fill_cached(
    tree: PrefixTree,
    model: LanguageModel,
    batch_tokens: int,
    ends: Collection[int],
    store: PackStore,
    progress: Progress | None,
) -> str:
    """Compute all levels of the tree; why their values cannot be used, or empty.

    Neighbours in the order of their tokens are read together, as many as the cache may hold.
    """
    known: set[int] = set()
    rows = sorted(tree.leaves)
    groups = [*batches(rows, HELD * batch_tokens)]
    made = [levels(tree, group, known, ends) for group in groups]
    read = sum(len(level.tokens) for of_group in made for level in of_group)
    tokens = sum(map(len, rows))
    if read * LEAST_SHARED > tokens:
        return f"sentences share too little for the model's cache ({tokens / max(read, 1):.2f})"
    checks = _Checks(tree, model, batch_tokens, CHECKED * read)
    of_packs: str = getattr(model, "pack_digest", "")
    digest = of_packs and f"{of_packs}-cache"
    extent = Extent(max(sum(map(len, group)) for group in groups), max(map(len, rows)))
    passed = extent.is_within(remembered(digest))
    stored, done = store.load(), 0
    for group, of_group in zip(groups, made, strict=True):
        try:
            _read_group(tree, model, of_group, f"levels from row {done}", stored, store)
        except _REFUSALS as error:
            return _failure(error, sum(map(len, group)), "the model continues no sentences")
        if (
            not (done or passed)
            and not (worst := checks.largest_difference(group)) <= checks.tolerance
        ):
            return f"values by the model's cache differ by {worst:.3g} bits"
        done += len(group)
        if progress:
            progress(done * tree.values_wanted // len(rows), tree.values_wanted)
    if not passed:
        if not (worst := checks.recheck()) <= checks.tolerance:
            return f"values by the model's cache differ by {worst:.3g} bits"
        remember(digest, extent)
    return ""


def _read_group(
    tree: PrefixTree,
    model: LanguageModel,
    made: Sequence[Level],
    part: str,
    stored: Mapping[Part, PackValues],
    store: PackStore,
) -> None:
    targets = [target.node for level in made for target in level.targets]
    ends = [end.node for level in made for end in level.ends]
    values = stored.get(part)
    if values is None or (len(values.surprisals), len(values.bounds)) != (len(targets), len(ends)):
        read = [*model.read_levels(made)]
        values = PackValues(
            [bits for level in read for bits in level.surprisals],
            [b for level in read for b in level.bounds],
        )
        store.save(part, values)
    for node, bits in zip(targets, values.surprisals, strict=True):
        tree.put(node, bits)
    for node, bound in zip(ends, values.bounds, strict=True):
        tree.bounds.setdefault(node, bound)


def _fill_packed(
    tree: PrefixTree,
    made: Sequence[Pack],
    model: LanguageModel,
    batch_tokens: int,
    store: PackStore,
    progress: Progress | None,
) -> str:
    """Compute all packs; the reason why their values cannot be used, or "" on success."""
    if not made:
        return ""  # the first tokens of sentences without BOS, which have no value
    checks = _Checks(tree, model, batch_tokens, CHECKED * sum(len(pack.tokens) for pack in made))
    digest: str = getattr(model, "pack_digest", "")
    extent = extent_of(made)
    passed = extent.is_within(remembered(digest))
    reason, probed = ("", {}) if passed else checks.probe(made)
    known: dict[Part, PackValues] = {**probed, **store.load()}
    reason = reason or _fill(tree, made, model, known, store, progress)
    if reason or passed:
        return reason
    if not (again := checks.recheck()) <= checks.tolerance:
        return f"sentences computed again without packs differ by {again:.3g} bits"
    remember(digest, extent)
    return ""


@dataclass(frozen=True, slots=True)
class _Checks:
    """Comparisons of packs with plain rows; each computes at most ``budget`` tokens plainly."""

    tree: PrefixTree
    model: LanguageModel
    batch_tokens: int
    budget: float

    @property
    def tolerance(self) -> float:
        return TOLERANCE.get(self.model.info.details.get("dtype", "float32"), 1e-3)

    def probe(self, made: Sequence[Pack]) -> tuple[str, dict[Part, PackValues]]:
        """The reason not to trust packs (or empty), and the values of the largest pack."""
        index = max(range(len(made)), key=lambda i: len(made[i].tokens))
        largest = made[index]
        try:
            values = self.model.read_pack(largest)
        except _REFUSALS as error:
            return _failure(error, len(largest.tokens), "the model does not accept a tree mask"), {}
        nodes = (target.node for target in largest.targets)
        packed = dict(zip(nodes, values.surprisals, strict=True))
        worst = 0.0
        for node, value in self._plainly(_farthest_first(largest, self.tree)):
            if node in packed:
                worst = _larger(worst, abs(packed[node] - value))
        if not worst <= self.tolerance:
            return f"a pack of {len(largest.tokens)} tokens differs by {worst:.3g} bits", {}
        return "", {index: values}

    def recheck(self) -> float:
        """The largest difference for a seeded sample of sentences, computed without the tree."""
        leaves = sorted(self.tree.leaves)
        count = min(len(leaves), max(RECHECKED, len(leaves) // 100))
        return self.largest_difference(random.Random(SEED).sample(leaves, count))

    def largest_difference(self, rows: Sequence[Ids]) -> float:
        """In bits, for the first of some sentences; infinite if a value is missing."""
        worst = 0.0
        for node, plain in self._plainly(rows):
            value = self.tree.value(node)
            worst = _larger(worst, abs(value - plain) if value is not None else float("inf"))
        return worst

    def _plainly(self, rows: Sequence[Ids]) -> Iterator[tuple[int, float]]:
        ends = accumulate(map(len, rows))
        chosen = [row for row, end in zip(rows, ends, strict=True) if end <= self.budget]
        for batch in batches(sorted(chosen or rows[:1], key=len), self.batch_tokens):
            yield from read_rows(self.tree, batch, self.model.surprisals)


def _farthest_first(pack: Pack, tree: PrefixTree) -> list[Ids]:
    """The sentences of a pack, first those that attend farthest back in it.

    These show what is wrong in a large pack only, such as a window of attention.
    """
    places = {target.node: target.after for target in pack.targets}

    def distance(ids: Ids) -> int:
        last = first = max((places.get(node, -1) for node in tree.path(ids)), default=-1)
        while first >= 0 and pack.parents[first] >= 0:
            first = pack.parents[first]
        return last - first

    return sorted(pack.sequences, key=distance, reverse=True)


def _fill(
    tree: PrefixTree,
    made: Sequence[Pack],
    model: LanguageModel,
    stored: Mapping[Part, PackValues],
    store: PackStore,
    progress: Progress | None,
) -> str:
    """Compute all packs that are not stored; the reason why one cannot be computed, or ""."""
    done = 0
    for index, pack in enumerate(made):
        values = stored.get(index)
        sizes = (len(pack.targets), len(pack.ends))
        if values is None or (len(values.surprisals), len(values.bounds)) != sizes:
            try:
                values = model.read_pack(pack)
            except _REFUSALS as error:  # such as memory of a GPU that others have taken meanwhile
                size = len(pack.tokens)
                return _failure(error, size, f"a pack of {size} tokens is refused")
            store.save(index, values)
        for target, value in zip(pack.targets, values.surprisals, strict=True):
            tree.put(target.node, value)
        for end, bound in zip(pack.ends, values.bounds, strict=True):
            tree.bounds[end.node] = bound
        done += len(pack.targets)
        if progress:
            progress(done, tree.values_wanted)
    return ""


def _failure(error: Exception, size: int, otherwise: str) -> str:
    """The reason why so many tokens cannot be computed, without the words of a library."""
    if "memory" not in str(error):
        return otherwise
    return f"a pack of {size} tokens does not fit into memory; smaller packs may"


def _larger(first: float, second: float) -> float:
    """The larger one; NaN counts as larger than all."""
    return second if math.isnan(second) or second > first else first
