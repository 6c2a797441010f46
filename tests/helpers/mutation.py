"""Random changes to JSON documents, for property tests."""

import copy
import random

ODD = [None, True, False, 0, 1, -1, 1.0, 0.5, 1e9, "", "x", "levels", [], [1], {}, {"a": 1}, 10**30]


def mutants(data, seed, count):
    """``count`` variants of data, each with one to three random changes."""
    r = random.Random(seed)
    for _ in range(count):
        mutant = copy.deepcopy(data)
        for _ in range(r.choice((1, 1, 2, 3))):
            mutate(mutant, r)
        yield mutant


def mutate(data, r):
    node, places = data, []
    stack = [data]
    while stack:
        node = stack.pop()
        if isinstance(node, dict | list):
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            places += [(node, key) for key in keys]
            stack += [node[key] for key in keys]
    if not places:
        return
    node, key = r.choice(places)
    match r.randrange(5):
        case 0:
            del node[key]
        case 1 if isinstance(node, dict):
            # A copy: a later change must not change the table, nor put it into itself.
            new = r.choice(("extra", "score_type", "level_names", "metric", "min_score"))
            node[new] = copy.deepcopy(r.choice(ODD))
        case 2:
            other, other_key = r.choice(places)
            try:
                node[key] = copy.deepcopy(other[other_key])
            except (KeyError, IndexError):
                node[key] = None
        case _:
            node[key] = copy.deepcopy(r.choice(ODD))
