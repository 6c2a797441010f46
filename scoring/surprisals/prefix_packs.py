"""Prefix trees, and packs of their parts that a model reads in one forward pass.

Within a run the surprisal of a token is stored by its prefix and computed once. Texts that are
equal up to a token have bit-identical values there, so rounding never decides a prediction that the
text decides.

A pack is a list of tokens in depth-first order, 256 on a CPU (``pack_tokens``). A token attends
only to its own path to the root (an additive mask) and has its own position in its sentence
(position ids). So whatever continues a token follows it without a gap, and "is on the path of" is a
question of two numbers (``Pack.exits``). Sentences share a common beginning. A token that nothing
follows is not read: its surprisal comes from the token before it. No pack is longer than the model
reads.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from evalmark.scoring.score_settings import PACK_TOKENS

Ids = tuple[int, ...]
Row = TypeVar("Row", bound=Sized)
#: Called with the number of prefixes that are known, and how many there will be.
Progress = Callable[[int, int], None]


class Forward(Protocol):
    """A forward pass over rows of token ids."""

    def __call__(
        self, rows: Sequence[Ids], places: Sequence[Sequence[int]] | None = None, /
    ) -> Sequence[Sequence[float]]:
        """For each row the surprisals (bits) of the tokens at some places, all but 0 if None."""


class PrefixTree:
    """All sequences of a run, merged at their common beginnings."""

    def __init__(self, sequences: Iterable[Ids]) -> None:
        self._children: list[dict[int, int]] = [{}]
        self._values: list[float | None] = [None]
        #: Node -> log2 of the probability that a word ends there, where it is wanted.
        self.bounds: dict[int, float] = {}
        #: The nodes whose values are wanted; None for all.
        self.targets: set[int] | None = None
        distinct = sorted(set(sequences), key=lambda ids: (len(ids), ids))
        ends = {ids: self._insert(ids) for ids in distinct}
        #: Sequences that no other one continues, in canonical order: they cover all prefixes.
        self.leaves = [ids for ids, node in ends.items() if ids and not self._children[node]]

    def _insert(self, ids: Ids) -> int:
        node = 0
        for token in ids:
            children = self._children[node]
            if token not in children:
                children[token] = len(self._children)
                self._children.append({})
                self._values.append(None)
            node = children[token]
        return node

    def want(self, ids: Ids, places: Iterable[int]) -> None:
        """Want the values of some tokens of a sequence, and no others that nobody wants."""
        path = self.path(ids)
        self.targets = set() if self.targets is None else self.targets
        self.targets.update(path[place] for place in places)

    def is_wanted(self, node: int) -> bool:
        """True if the value of a node is wanted."""
        return self.targets is None or node in self.targets

    def path(self, ids: Ids) -> list[int]:
        """The nodes of a sequence, one for each of its tokens."""
        node, nodes = 0, []
        for token in ids:
            node = self._children[node][token]
            nodes.append(node)
        return nodes

    def put(self, node: int, value: float) -> None:
        """Set the value of a node, if it is unset."""
        if self._values[node] is None:
            self._values[node] = value

    def clear(self) -> None:
        """Forget all values."""
        self._values = [None] * len(self._values)
        self.bounds.clear()

    def value(self, node: int) -> float | None:
        """The value of a node, if it is set."""
        return self._values[node]

    def values(self, ids: Ids) -> list[float | None]:
        """The values of a sequence's tokens; the first has none."""
        return [self._values[node] for node in self.path(ids)]

    @property
    def tokens(self) -> int:
        """Number of distinct prefixes."""
        return len(self._children) - 1

    @property
    def values_wanted(self) -> int:
        """Number of prefixes whose values are wanted."""
        return self.tokens if self.targets is None else len(self.targets)


def read_rows(
    tree: PrefixTree, rows: Sequence[Ids], forward: Forward
) -> Iterator[tuple[int, float]]:
    """The nodes of some rows whose values are wanted, and these values from one forward pass."""
    paths = [tree.path(ids) for ids in rows]
    places = [[at for at in range(1, len(path)) if tree.is_wanted(path[at])] for path in paths]
    surprisals = forward(rows) if tree.targets is None else forward(rows, places)
    for path, at, values in zip(paths, places, surprisals, strict=True):
        yield from zip((path[place] for place in at), values, strict=True)


def batches(rows: Iterable[Row], batch_tokens: int) -> Iterator[list[Row]]:
    """As many rows together as fit when padded to the longest."""
    batch: list[Row] = []
    longest = 0
    for row in rows:
        longest = max(longest, len(row))
        if batch and longest * (len(batch) + 1) > batch_tokens:
            yield batch
            batch, longest = [], len(row)
        batch.append(row)
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class WordEnd:
    """A place at which a word may end."""

    after: int  # index in the pack of the last token before it
    node: int  # its node in the tree


@dataclass(frozen=True, slots=True)
class PackValues:
    """The values of a pack in bits, in the order of its targets and of its ends."""

    surprisals: list[float]
    bounds: list[float]


@dataclass(frozen=True, slots=True)
class Target:
    """A token whose surprisal a pack gives."""

    after: int  # index in the pack of the token before it
    token: int
    node: int  # its node in the tree


@dataclass(slots=True)
class Pack:
    """Tokens to read together."""

    tokens: list[int] = field(default_factory=list)  # token ids; a token comes after its parent
    #: Index of the parent of each; -1 at the beginning of a sentence.
    parents: list[int] = field(default_factory=list)
    #: Index of each in its sentence, from 0: its position for the model.
    depths: list[int] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)  # the tokens whose surprisals are wanted
    ends: list[WordEnd] = field(default_factory=list)  # where word boundaries are wanted
    sequences: list[Ids] = field(default_factory=list)  # the sentences that the pack was made from

    @property
    def exits(self) -> list[int]:
        """For each token, the index after the last one that continues it, or its own plus 1.

        A token at q attends to one at k if ``k <= q < exits[k]``.
        """
        ends = list(range(1, len(self.parents) + 1))
        for index in range(len(self.parents) - 1, -1, -1):
            parent = self.parents[index]
            if parent >= 0:
                ends[parent] = max(ends[parent], ends[index])
        return ends

    @property
    def logits(self) -> int:
        """The number of its tokens after which logits are needed."""
        return len({*(t.after for t in self.targets), *(end.after for end in self.ends)})


def packs(
    tree: PrefixTree, budget: int = PACK_TOKENS, ends: Collection[int] = frozenset()
) -> Iterator[Pack]:
    """Packs for all values that are wanted: each of at most ``budget`` tokens, or of one sentence.

    Sentences are sorted by their tokens, so that those with a common beginning are neighbours. The
    order, and so every pack, depends only on the sentences, the budget and the ends:
    nodes after which word boundaries are wanted. A last token among them is read.
    """
    pack = Pack()
    places: dict[int, int] = {}
    targets: set[int] = set()
    unread_ends = set(ends)
    for ids in sorted(tree.leaves):
        path = tree.path(ids)
        read = path if path[-1] in ends else path[:-1]
        new = sum(node not in places for node in read)
        if pack.tokens and len(pack.tokens) + new > budget:
            yield pack
            pack, places = Pack(), {}
        pack.sequences.append(ids)
        before = -1
        for depth, (node, token) in enumerate(zip(path, ids, strict=True)):
            if depth and node not in targets and tree.is_wanted(node):
                targets.add(node)
                pack.targets.append(Target(before, token, node))
            if depth == len(read):
                break  # nothing follows it
            if node not in places:
                places[node] = len(pack.tokens)
                pack.tokens.append(token)
                pack.parents.append(before)
                pack.depths.append(depth)
            before = places[node]
            if node in unread_ends:
                unread_ends.remove(node)
                pack.ends.append(WordEnd(before, node))
    if pack.targets or pack.ends:
        yield pack


@dataclass(slots=True)
class Level:
    """Tokens at one depth of some sentences, which a model reads with what its cache has of others.

    All rows are as long as the depth, so there is no padding, and every model that generates can
    compute this: also one whose attention reaches back over a window or by distance, or that has a
    state in lieu of attention.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)  # index of each in the level before
    targets: list[Target] = field(default_factory=list)  # ``after`` is an index in this level
    ends: list[WordEnd] = field(default_factory=list)


def levels(
    tree: PrefixTree, rows: Iterable[Ids], known: set[int], ends: Collection[int] = frozenset()
) -> list[Level]:
    """The levels of some sentences: each prefix is read once.

    ``known`` has nodes that other levels compute; those of these levels are added. ``ends`` are
    nodes after which word boundaries are wanted; a last token among them is read.
    """
    made: list[Level] = []
    places: dict[int, int] = {}
    for ids in rows:
        path, before = tree.path(ids), 0
        for depth, (node, token) in enumerate(zip(path, ids, strict=True)):
            if depth and node not in known and tree.is_wanted(node):
                made[depth - 1].targets.append(Target(before, token, node))
                known.add(node)
            if depth == len(path) - 1 and node not in ends:
                break  # nothing follows it
            made += [Level()] if depth == len(made) else []
            level = made[depth]
            if node not in places:
                places[node] = len(level.tokens)
                level.tokens.append(token)
                level.parents.append(before)
                if node in ends:
                    level.ends.append(WordEnd(places[node], node))
            before = places[node]
    return made


@dataclass(frozen=True, slots=True)
class PackPlan:
    """The amount that a run has to read."""

    sentences: int  # distinct sentences
    tokens: int  # their tokens
    prefixes: int  # distinct token prefixes
    read: int  # tokens that the packs read
    packs: int  # number of packs
    largest: int  # tokens of the largest pack
    logits: int  # rows of logits that are computed

    @property
    def saving(self) -> float:
        """The ratio of tokens to those that packs read."""
        return self.tokens / self.read if self.read else 1.0


def plan(tree: PrefixTree, sequences: Sequence[Ids], made: Sequence[Pack]) -> PackPlan:
    """The sizes of a run."""
    distinct = set(sequences)
    sizes = [len(pack.tokens) for pack in made]
    return PackPlan(
        len(distinct),
        sum(map(len, distinct)),
        tree.tokens,
        sum(sizes),
        len(sizes),
        max(sizes, default=0),
        sum(pack.logits for pack in made),
    )
