"""One value for each token prefix.

Within a run the surprisal of a token is stored by its prefix and computed once. Texts that are
equal up to a token have bit-identical values there, so rounding never decides a prediction that
the text decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Protocol, TypeVar

from evalmark.scoring.settings import BATCH_TOKENS

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
        self.wanted: set[int] | None = None
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
        self.wanted = set() if self.wanted is None else self.wanted
        self.wanted.update(path[place] for place in places)

    def is_wanted(self, node: int) -> bool:
        """Whether the value of a node is wanted."""
        return self.wanted is None or node in self.wanted

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
        return self.tokens if self.wanted is None else len(self.wanted)


def fill(
    tree: PrefixTree,
    forward: Forward,
    *,
    batch_tokens: int = BATCH_TOKENS,
    progress: Progress | None = None,
) -> None:
    """Compute every value of the tree, in batches of sequences of similar length."""
    done = 0
    for batch in batches(tree.leaves, batch_tokens):
        for node, value in read_rows(tree, batch, forward):
            tree.put(node, value)
        done += len(batch)
        if progress:
            total = tree.values_wanted
            progress(done * total // len(tree.leaves), total)


def read_rows(
    tree: PrefixTree, rows: Sequence[Ids], forward: Forward
) -> Iterator[tuple[int, float]]:
    """The nodes of some rows whose values are wanted, and these values from one forward pass."""
    paths = [tree.path(ids) for ids in rows]
    places = [[at for at in range(1, len(path)) if tree.is_wanted(path[at])] for path in paths]
    found = forward(rows) if tree.wanted is None else forward(rows, places)
    for path, at, values in zip(paths, places, found, strict=True):
        yield from zip((path[place] for place in at), values, strict=True)


def batches(rows: Iterable[Row], batch_tokens: int) -> Iterator[list[Row]]:
    """Rows in order of their length, as many as fit when padded to the longest, the last."""
    batch: list[Row] = []
    for row in rows:
        if batch and len(row) * (len(batch) + 1) > batch_tokens:
            yield batch
            batch = []
        batch.append(row)
    if batch:
        yield batch
