"""Packs: pieces of a prefix tree that a model reads in one forward pass.

A pack is a list of tokens in which every token stands behind the one before it in its sentence;
what a token may look at is its own path to the root. Sentences that begin alike share that
beginning, and a token that no sentence goes on after is not read at all: its surprisal comes from
the token before it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from evalmark.scoring.surprisals.prefixes import Ids, PrefixTree

#: Tokens of one pack: the larger, the fewer beginnings are read twice, but attention grows with it.
PACK_TOKENS = 256


class End(NamedTuple):
    """A place at which a word may end.

    Attributes:
        after: Index in the pack of the last token before it.
        node: Its node in the tree.
    """

    after: int
    node: int


class Values(NamedTuple):
    """What a model says of a pack: in bits, in the order of its targets and of its ends."""

    surprisals: list[float]
    bounds: list[float]


class Target(NamedTuple):
    """A token whose surprisal a pack gives.

    Attributes:
        after: Index in the pack of the token before it.
        token: The token.
        node: Its node in the tree.
    """

    after: int
    token: int
    node: int


@dataclass(slots=True)
class Pack:
    """Tokens to read together.

    Attributes:
        tokens: Token ids; a token stands behind its parent.
        parents: Index of the parent of each; -1 at the beginning of a sentence.
        depths: Place of each in its sentence, from 0: its position for the model.
        targets: What is asked for.
        ends: Where word boundaries are asked for.
        sequences: The sentences that the pack was made of.
    """

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    ends: list[End] = field(default_factory=list)
    sequences: list[Ids] = field(default_factory=list)


def packs(
    tree: PrefixTree, budget: int = PACK_TOKENS, ends: Collection[int] = frozenset()
) -> Iterator[Pack]:
    """Packs that cover the tree: each of at most ``budget`` tokens, or of one sentence.

    Sentences come in the order of their tokens, so that those that begin alike are neighbours. The
    order, and so every pack, depends on nothing but the sentences, the budget and the ends.

    Args:
        tree: All sentences.
        budget: Tokens of a pack.
        ends: Nodes after which word boundaries are asked for; a last token among them is read.
    """
    pack = Pack()
    places: dict[int, int] = {}
    wanted: set[int] = set()
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
            if depth and node not in wanted:
                wanted.add(node)
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
                pack.ends.append(End(before, node))
    if pack.targets or pack.ends:
        yield pack


class Plan(NamedTuple):
    """What a run has to read.

    Attributes:
        sentences: Different sentences.
        tokens: Their tokens, one by one.
        prefixes: Different token prefixes: what has to be known.
        read: Tokens that the packs read.
        packs: How many there are.
        largest: Tokens of the largest.
    """

    sentences: int
    tokens: int
    prefixes: int
    read: int
    packs: int
    largest: int

    @property
    def saving(self) -> float:
        """How many times fewer tokens are read than with each sentence on its own."""
        return self.tokens / self.read if self.read else 1.0


def plan(tree: PrefixTree, sequences: Sequence[Ids], made: Sequence[Pack]) -> Plan:
    """The sizes of a run."""
    different = set(sequences)
    sizes = [len(pack.tokens) for pack in made]
    return Plan(
        len(different),
        sum(map(len, different)),
        tree.tokens,
        sum(sizes),
        len(sizes),
        max(sizes, default=0),
    )
