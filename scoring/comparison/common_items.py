"""The common part of two runs: suites, predictions, items.

- Suites are matched by name and metric, or by name alone if each run has one of that name;
  predictions by number, with the same formula; items by number.
- Results of other programs are matched by ``evaluation_name`` and ``evaluation_result_id``, with
  the same metric, bounds and direction; samples by ``sample_id``. Repetitions of a sample (epochs
  of Inspect) are one item, whose score is their mean.
- Conversations are matched by dataset and id of the test. The definition must be the same, apart
  from its waits, so runs over two memory spans have the same tests. Tests without a score are
  named.
- Minimal pairs of the LM evaluation harness are matched with those of ``evalmark score`` by UID and
  id of the row. The harness takes the first of equal answers: an item with a tie, or whose answers
  are the same text, counts as wrong.
- Items that only one run has are counted (``not matched``), not compared. Ids that several samples
  of a run share are not compared either. stderr names both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evalmark.scoring.comparison.compared_run import (
    WHOLE,
    ComparedRun,
    ComparedSuite,
    ItemScore,
    ScoredItems,
    Words,
)
from evalmark.scoring.score_settings import Decides, settings_that_decide

#: Settings that change the text of every item.
PROMPTING = (
    *settings_that_decide(Decides.TEXTS), "prompt_template", "num_fewshot", "description",
    "system_instruction", "chat_template", "chat_template_sha", "fewshot_seed",
    "fewshot_as_multiturn", "fewshot_delimiter", "target_delimiter",
)  # fmt: skip
#: Settings that state what decides the score of a reply, and what they are called.
JUDGING = {
    "evaluator_version": "scoring rules",
    "judge": "judges",
    "judge_prompt": "prompts of the judge",
}
#: The scores of an item in both runs.
Pair = tuple[ItemScore, ItemScore]
#: Both scores of an item, and whether rounding decided either -> how many items have these.
ScoreTally = Counter[tuple[float, float, bool, bool]]


def tally_of(pairs: Iterable[Pair]) -> ScoreTally:
    """How often each pair of scores came up: most items have one of four."""
    return Counter([(a.score, b.score, a.is_tie, b.is_tie) for a, b in pairs])


@dataclass(frozen=True)
class MatchedItems:
    """One prediction of a suite that both runs have."""

    first: ComparedSuite  # its suite in the first run
    second: ComparedSuite  # its suite in the second run
    prediction: str  # its name in both
    columns: tuple[ScoredItems, ScoredItems]  # its items in either run
    pairs: Mapping[str, Pair]  # id of each item that both have -> its scores
    alone: tuple[int, int]  # how many items only the first has, and only the second
    repeated: tuple[int, int]  # how many ids several items of the first have, and of the second

    @cached_property
    def tally(self) -> ScoreTally:
        """How often each pair of scores came up."""
        return tally_of(self.pairs.values())

    @cached_property
    def _differing(self) -> list[Pair]:
        return [(a, b) for a, b in self.pairs.values() if a.text != b.text and a.text and b.text]

    @property
    def other_texts(self) -> int:
        """The number of items with another text in either run, apart from a space before it."""
        return sum(a.content != b.content for a, b in self._differing)

    @property
    def other_spaces(self) -> int:
        """The number of items with the same text in both runs, but for a space before it."""
        return len(self._differing) - self.other_texts

    @cached_property
    def may_have_other_texts(self) -> bool:
        """True if texts are unknown, and the suite is not the same in both runs."""
        digests = self.first.digest, self.second.digest
        unknown = any(a.text is None or b.text is None for a, b in self.pairs.values())
        return unknown and None not in digests and digests[0] != digests[1]

    @property
    def are_same_items(self) -> bool:
        """True if the items are the same, apart from the effect of a setting on their texts."""
        if not self.other_texts and not self.may_have_other_texts:
            return True
        settings = self.first.settings, self.second.settings
        return any(settings[0].get(key) != settings[1].get(key) for key in PROMPTING)

    @property
    def other_judging(self) -> list[str]:
        """The settings that decide scores, where both runs state them and they differ."""
        settings = self.first.settings, self.second.settings
        return [
            name
            for key, name in JUDGING.items()
            if None not in (values := [run.get(key) for run in settings]) and values[0] != values[1]
        ]


@dataclass(frozen=True, slots=True)
class Matched:
    """The common items of two runs, and the names of what only one of them has."""

    items: tuple[MatchedItems, ...]
    alone: tuple[tuple[str, ...], tuple[str, ...]]


def match(first: ComparedRun, second: ComparedRun) -> Matched:
    """Match suites, their predictions, and the items of these."""
    pairs = _shared(first, second)
    alone = (
        _unpaired(first, [suite for suite, _ in pairs]),
        _unpaired(second, [suite for _, suite in pairs]),
    )
    matches: list[MatchedItems] = []
    for a, b in pairs:
        for name in dict.fromkeys((*a.columns, *b.columns)):
            columns = a.columns.get(name), b.columns.get(name)
            if columns[0] and columns[1] and _same_question(columns[0], columns[1]):
                matched = _matched(a, b, name, columns[0], columns[1])
                if matched.pairs:
                    matches.append(matched)
                    continue
            for index, (suite, column) in enumerate(zip((a, b), columns, strict=True)):
                if column is not None:
                    alone[index].append("/".join(filter(None, (suite.label, name))))
    for names, run in zip(alone, (first, second), strict=True):
        names += [f"{name} (no samples)" for name in run.without_samples]
    return Matched(tuple(matches), (tuple(alone[0]), tuple(alone[1])))


def _unpaired(run: ComparedRun, suites: Sequence[ComparedSuite]) -> list[str]:
    labels = {suite.label for suite in suites}
    return [suite.label for suite in run.suites if suite.label not in labels]


def _shared(first: ComparedRun, second: ComparedRun) -> list[tuple[ComparedSuite, ComparedSuite]]:
    """The suites that two runs share, in the order of the first.

    Labels name the metric only where a run has several for the suite, so that a suite whose label
    the other run lacks is looked for by its name and metric, and then by its name alone.
    """
    keys: tuple[Callable[[ComparedSuite], Hashable], ...] = (
        lambda suite: (suite.label, suite.name, suite.metric),
        lambda suite: (suite.name, suite.metric),
        lambda suite: (suite.label, suite.name),
        lambda suite: suite.name,
    )
    pairs: dict[int, ComparedSuite] = {}
    left = list(second.suites)
    for key in keys:
        for place, suite in enumerate(first.suites):
            if place in pairs:
                continue
            partners = [s for s in left if key(s) == key(suite)]
            unsure = [
                s for i, s in enumerate(first.suites) if i not in pairs and key(s) == key(suite)
            ]
            if len(partners) == len(unsure) == 1:
                pairs[place] = partners[0]
                left.remove(partners[0])
    return [(first.suites[place], pairs[place]) for place in sorted(pairs)]


def _same_question(first: ScoredItems, second: ScoredItems) -> bool:
    questions = {first.asks, second.asks} - {""}
    return len(questions) < 2 and (first.lower_is_better, first.bounds) == (
        second.lower_is_better,
        second.bounds,
    )


def _matched(
    a: ComparedSuite, b: ComparedSuite, name: str, first: ScoredItems, second: ScoredItems
) -> MatchedItems:
    partners = _partners(first, second)
    pairs = {
        item: (score, second.items[partners[item]])
        for item, score in first.items.items()
        if partners.get(item) in second.items
    }
    repeated = first.repeated | second.repeated
    return MatchedItems(
        a,
        b,
        name,
        (first, second),
        pairs,
        (
            len(first.items.keys() - pairs.keys() - repeated),
            len(second.items.keys() - {partners[item] for item in pairs} - repeated),
        ),
        (len(first.repeated), len(second.repeated)),
    )


def _partners(first: ScoredItems, second: ScoredItems) -> dict[str, str]:
    """The item of the other run for each: of the same text, or else of the same id.

    Programs number the rows of a set in their own ways, and editors move items; texts are the same.
    """
    if first.items.keys() == second.items.keys() and all(
        score.content == second.items[item].content for item, score in first.items.items()
    ):
        return dict(zip(first.items, first.items, strict=True))
    mine, theirs = _by_content(first), _by_content(second)
    partners = {item: theirs[text] for text, item in mine.items() if text in theirs}
    taken = set(partners.values())
    for item in first.items:
        if item not in partners and item in second.items and item not in taken:
            partners[item] = item
    return partners


def _by_content(scored: ScoredItems) -> dict[str, str]:
    names: dict[str, str] = {}
    several: set[str] = set()
    for item, score in scored.items.items():
        if score.content in names:
            several.add(score.content)
        elif score.content:
            names[score.content] = item
    return {text: item for text, item in names.items() if text not in several}


def strata(items: Sequence[MatchedItems]) -> list[tuple[MatchedItems, list[Pair]]]:
    """The items that can be pooled: of each suite those of one prediction, or of the conjunction.

    An item counts once, even if it is in two suites or has scores by two metrics: what was counted
    before is left out, and so is a suite if nothing of it remains.
    """
    chosen = [matched for matched in items if matched.prediction in WHOLE]
    seen: set[Hashable] = set()
    groups = []
    for matched in chosen:
        keys = {name: score.text or (matched.first.name, name)
                for name, (score, _) in matched.pairs.items()}  # fmt: skip
        left = [pair for name, pair in matched.pairs.items() if keys[name] not in seen]
        seen.update(keys.values())
        if left:
            groups.append((matched, left))
    return groups


def objection(items: Sequence[MatchedItems], words: Words) -> str:
    """The reason why nothing may be claimed, whatever the scores are; empty if there is none."""
    others = [matched for matched in items if not matched.are_same_items]
    if others:
        texts = sum(matched.other_texts for matched in others)
        count = sum(len(matched.pairs) for matched in items)
        may = f"{texts} of {count} {words.items} have" if texts else f"{words.items} may have"
        return f"{may} another text in either run"
    if judging := dict.fromkeys(name for matched in items for name in matched.other_judging):
        return f"the runs have different {' and '.join(judging)}"
    columns = [column for matched in items for column in matched.columns]
    if any(column.lower_is_better is None for column in columns):
        return "a run does not say whether a lower score is better"
    unplaced = sum(column.unplaced_ties for column in columns)
    return (
        f"rounding decided {unplaced} {words.items}, and a run does not say which"
        if unplaced
        else ""
    )
