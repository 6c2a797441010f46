"""Packs: parts of a prefix tree that a model reads in one forward pass.

A pack is a list of tokens in depth-first order; a token attends only to its own path to the root.
So whatever continues a token follows it without a gap, and "is on the path of" is a question of
two numbers (``Pack.exits``). Sentences share a common beginning. A token that nothing follows is
not read: its surprisal comes from the token before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from evalmark.scoring.settings import PACK_TOKENS
from evalmark.scoring.surprisals.prefixes import Ids, PrefixTree


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
        found = list(range(1, len(self.parents) + 1))
        for index in range(len(self.parents) - 1, -1, -1):
            parent = self.parents[index]
            if parent >= 0:
                found[parent] = max(found[parent], found[index])
        return found

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
    asked: set[int] = set()
    bounded: set[int] = set()
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
            if depth and node not in asked and tree.is_wanted(node):
                asked.add(node)
                pack.targets.append(Target(before, token, node))
            if depth == len(read):
                break  # nothing follows it
            if node not in places:
                places[node] = len(pack.tokens)
                pack.tokens.append(token)
                pack.parents.append(before)
                pack.depths.append(depth)
            before = places[node]
            if node in ends and node not in bounded:
                bounded.add(node)
                pack.ends.append(WordEnd(before, node))
    if pack.targets or pack.ends:
        yield pack


@dataclass(frozen=True, slots=True)
class PackPlan:
    """How much a run has to read."""

    sentences: int  # distinct sentences
    tokens: int  # their tokens
    prefixes: int  # distinct token prefixes
    read: int  # tokens that the packs read
    packs: int  # number of packs
    largest: int  # tokens of the largest pack
    logits: int  # rows of logits that are computed

    @property
    def saving(self) -> float:
        """How many times fewer tokens are read than with each sentence by itself."""
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
