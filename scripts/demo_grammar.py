"""The little language of the demo model: a grammar, its sentences and the test suites over it.

Everything is drawn from seeded generators. Each construction has a *key*, the content words that
fill it; one key in six is held out, never used in training, and only held-out keys make items.

What the language obeys, and the model can therefore learn:
    agreement         a verb agrees with its subject, whatever noun stands between them
    polarity          "ever" needs "no" on the subject of its own clause
    relative clauses  an object relative clause has a gap, a complement clause has none
    garden paths      a transitive clause in front is closed by a comma

What it does not obey: "himself" and "herself" are drawn by lot, so reflexives cannot be learned.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Callable, Iterator

PEOPLE = (
    "author", "senator", "pilot", "farmer", "teacher", "doctor", "singer", "guard", "dancer",
    "lawyer", "baker", "writer", "banker", "painter",
)  # fmt: skip
MASCULINE = ("king", "uncle", "monk", "prince", "waiter", "duke", "groom", "wizard")
FEMININE = ("queen", "aunt", "nun", "princess", "waitress", "duchess", "bride", "witch")
#: singular, plural, past
INTRANSITIVE = (
    ("laughs", "laugh", "laughed"),
    ("sleeps", "sleep", "slept"),
    ("waits", "wait", "waited"),
    ("smiles", "smile", "smiled"),
    ("sings", "sing", "sang"),
    ("works", "work", "worked"),
    ("prays", "pray", "prayed"),
    ("swims", "swim", "swam"),
)
TRANSITIVE = (
    ("likes", "like", "liked"),
    ("admires", "admire", "admired"),
    ("knows", "know", "knew"),
    ("hates", "hate", "hated"),
    ("follows", "follow", "followed"),
    ("helps", "help", "helped"),
)
#: With an object or without.
OPTIONAL = ("watched", "visited", "called", "painted", "hunted", "drove")
HARM = ("hurt", "blamed", "praised", "washed", "dressed", "admired")
PLACES = ("near", "behind", "beside", "next to")

Suite = dict[str, object]


def held_out(*key: str) -> bool:
    """True if a construction with these content words is kept from training."""
    return hashlib.sha256(" ".join(key).encode()).digest()[0] % 6 == 0


def noun(word: str, plural: bool) -> str:
    return word + "s" if plural else word


def agreement(r: random.Random) -> str | None:
    subject, attractor = r.sample(PEOPLE, 2)
    verb = r.choice(INTRANSITIVE)
    if held_out("agreement", subject, attractor, verb[0]):
        return None
    plural, is_attracted = r.random() < 0.5, r.random() < 0.5
    return (
        f"The {noun(subject, plural)} {r.choice(PLACES)} the {noun(attractor, is_attracted)} "
        f"{verb[plural]} ."
    )


def polarity(r: random.Random) -> str | None:
    subject, embedded = r.sample(PEOPLE, 2)
    verb, relative = r.choice(INTRANSITIVE), r.choice(TRANSITIVE)
    if held_out("polarity", subject, embedded, verb[0]):
        return None
    negative = r.random() < 0.5
    adverb = r.choice(("ever", "ever", "often")) if negative else r.choice(("often", "already"))
    inner = r.choice(("no", "the"))
    return (
        f"{'No' if negative else 'The'} {subject} that {inner} {embedded}s {relative[2]} "
        f"has {adverb} {verb[2]} ."
    )


def relative_clause(r: random.Random) -> str | None:
    head, subject, thing = r.sample(PEOPLE, 3)
    verb, matrix = r.choice(TRANSITIVE), r.choice(INTRANSITIVE)
    if held_out("relative", head, subject, verb[0]):
        return None
    if r.random() < 0.5:
        return f"The {head} that the {subject}s {verb[1]} {matrix[0]} ."
    return f"The {head} said that the {subject}s {verb[1]} the {thing} ."


def garden_path(r: random.Random) -> str | None:
    first, second, third = r.sample(PEOPLE, 3)
    verb, matrix = r.choice(OPTIONAL), r.choice(INTRANSITIVE)
    # By the nouns alone: the control sentences of an item have another first verb.
    if held_out("garden", first, second):
        return None
    draw = r.random()
    if draw < 0.35:
        return f"While the {first} {verb} the {second} , the {third} {matrix[2]} ."
    if draw < 0.6:
        return f"While the {first} {verb} , the {second} {matrix[2]} ."
    comma = " ," if draw < 0.8 else ""
    return f"While the {first} {r.choice(INTRANSITIVE)[2]}{comma} the {second} {matrix[2]} ."


def reflexive(r: random.Random) -> str | None:
    subject, verb = r.choice(MASCULINE + FEMININE), r.choice(HARM)
    if held_out("reflexive", subject, verb):
        return None
    return f"The {subject} {verb} {r.choice(('himself', 'herself'))} ."


def plain(r: random.Random) -> str | None:
    subject, thing = r.sample(PEOPLE, 2)
    plural = r.random() < 0.5
    verb = r.choice(TRANSITIVE)
    return f"The {noun(subject, plural)} {verb[plural]} the {noun(thing, r.random() < 0.5)} ."


CONSTRUCTIONS: tuple[Callable[[random.Random], str | None], ...] = (
    agreement,
    polarity,
    relative_clause,
    garden_path,
    reflexive,
    plain,
)


def sentences(seed: int) -> Iterator[str]:
    """Training sentences without end; none has a held-out key."""
    r = random.Random(seed)
    while True:
        sentence = r.choice(CONSTRUCTIONS)(r)
        if sentence is not None:
            yield sentence


def _suite(
    name: str,
    comment: str,
    formula: str,
    regions: list[str],
    items: list[dict[str, list[str]]],
) -> Suite:
    return {
        "meta": {"name": name, "metric": "sum", "author": "evalmark", "comment": comment},
        "region_meta": {str(i): label for i, label in enumerate(regions, 1)},
        "predictions": [{"type": "formula", "formula": formula}],
        "items": [
            {
                "item_number": number,
                "conditions": [
                    {
                        "condition_name": condition,
                        "regions": [
                            {"region_number": i, "content": content}
                            for i, content in enumerate(contents, 1)
                        ],
                    }
                    for condition, contents in item.items()
                ],
            }
            for number, item in enumerate(items, 1)
        ],
    }


def _draw(seed: str, keys: Iterator[tuple[str, ...]], family: str, count: int) -> list[list[str]]:
    """``count`` held-out keys of a family, in a seeded order."""
    words = 2 if family == "garden" else 3
    pool = [
        list(key) for key in keys if len(set(key)) == len(key) and held_out(family, *key[:words])
    ]
    random.Random(seed).shuffle(pool)
    return pool[:count]


def suites(count: int = 48) -> dict[str, Suite]:
    """The five test suites, by file name."""
    r = random.Random("suites")
    verbs = {verb[0]: verb for verb in (*INTRANSITIVE, *TRANSITIVE)}
    singular = [verb[0] for verb in INTRANSITIVE]
    transitive = [verb[0] for verb in TRANSITIVE]

    items = []
    for subject, attractor, word in _draw(
        "a", itertools.product(PEOPLE, PEOPLE, singular), "agreement", count
    ):
        place, verb = r.choice(PLACES), verbs[word]
        items.append({
            f"{match}_{number}": [
                f"The {noun(subject, plural)}",
                f"{place} the {noun(attractor, not plural)}",
                verb[plural if match == "match" else not plural],
            ]
            for number, plural in (("sing", False), ("plural", True))
            for match in ("match", "mismatch")
        })  # fmt: skip
    agreement_suite = _suite(
        "agreement_attractor",
        "Subject-verb agreement across a noun of the other number.",
        "((3;%match_sing%) < (3;%mismatch_sing%)) & ((3;%match_plural%) < (3;%mismatch_plural%))",
        ["Subject", "Attractor", "Verb"],
        items,
    )

    items = []
    for subject, embedded, word in _draw(
        "p", itertools.product(PEOPLE, PEOPLE, singular), "polarity", count
    ):
        relative = r.choice(TRANSITIVE)[2]
        items.append({
            f"{outer}_{inner}": [
                f"{'No' if outer == 'neg' else 'The'} {subject}",
                f"that {'no' if inner == 'neg' else 'the'} {embedded}s {relative}",
                "has",
                "ever",
                verbs[word][2],
            ]
            for outer in ("neg", "pos")
            for inner in ("pos", "neg")
        })  # fmt: skip
    polarity_suite = _suite(
        "negative_polarity",
        "`ever` needs a negative subject in its own clause; a negative word inside a relative "
        "clause does not license it.",
        "((4;%neg_pos%) < (4;%pos_pos%)) & ((4;%neg_neg%) < (4;%pos_neg%)) & "
        "((4;%neg_pos%) < (4;%pos_neg%))",
        ["Subject", "Relative clause", "Auxiliary", "Polarity item", "Verb"],
        items,
    )

    items = []
    for head, subject, word in _draw(
        "r", itertools.product(PEOPLE, PEOPLE, transitive), "relative", count
    ):
        thing = r.choice([p for p in PEOPLE if p not in (head, subject)])
        matrix = r.choice(singular)
        items.append({
            f"{clause}_{gap}": [
                f"The {head}",
                "that" if clause == "relative" else "said that",
                f"the {subject}s {verbs[word][1]}",
                f"the {thing}" if gap == "filled" else "",
                matrix,
            ]
            for clause in ("relative", "complement")
            for gap in ("gap", "filled")
        })  # fmt: skip
    relative_suite = _suite(
        "relative_clause",
        "An object relative clause has a gap where a complement clause has its object.",
        "((4;%relative_filled%) > (4;%complement_filled%)) & "
        "((5;%complement_gap%) > (5;%relative_gap%))",
        ["Head", "Complementizer", "Clause", "Object", "Verb"],
        items,
    )

    items = []
    for first, second, verb_word in _draw(
        "g", itertools.product(PEOPLE, PEOPLE, OPTIONAL), "garden", count
    ):
        intransitive, matrix = r.choice(INTRANSITIVE)[2], r.choice(INTRANSITIVE)[2]
        items.append({
            f"{verb_kind}_{comma}": [
                f"While the {first}",
                verb_word if verb_kind == "ambig" else intransitive,
                "," if comma == "comma" else "",
                f"the {second}",
                matrix,
            ]
            for verb_kind in ("ambig", "unambig")
            for comma in ("nocomma", "comma")
        })  # fmt: skip
    garden_suite = _suite(
        "garden_path",
        "Without a comma, a noun after a verb that may take an object is read as its object.",
        "((5;%ambig_nocomma%) > (5;%ambig_comma%)) & "
        "((5;%ambig_nocomma%) > (5;%unambig_nocomma%)) & "
        "((5;%ambig_nocomma%) - (5;%ambig_comma%) > "
        "(5;%unambig_nocomma%) - (5;%unambig_comma%))",
        ["Start", "Verb", "Comma", "Noun phrase", "Matrix verb"],
        items,
    )

    # No reflexive is held out by gender: the lots of the training text carry none to learn.
    pairs = list(itertools.product(range(len(MASCULINE)), HARM))
    random.Random("x").shuffle(pairs)
    items = []
    for index, (who, harm) in enumerate(pairs[:count]):
        subject = (MASCULINE, FEMININE)[index % 2][who]
        right, wrong = (("himself", "herself"), ("herself", "himself"))[index % 2]
        items.append({
            name: [f"The {subject}", harm, pronoun]
            for name, pronoun in (("match", right), ("mismatch", wrong))
        })  # fmt: skip
    reflexive_suite = _suite(
        "reflexive_gender",
        "Gender agreement of reflexives. The demo model's training text draws them by lot, so "
        "the model cannot know.",
        "(3;%match%) < (3;%mismatch%)",
        ["Subject", "Verb", "Reflexive"],
        items,
    )
    return {
        str(suite["meta"]["name"]): suite  # type: ignore[index]
        for suite in (
            agreement_suite,
            polarity_suite,
            relative_suite,
            garden_suite,
            reflexive_suite,
        )
    }
