"""The file of a suite as rules see it: the suite with its formulas parsed, and pointers."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, wraps
from itertools import chain, groupby, pairwise
from typing import Any

from evalmark.schemas.errors import Budget, FormulaSyntaxError
from evalmark.validator.findings.finding import Action, At, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.suites.condition_names import (
    normal_name,
    writable_names,
)
from evalmark.validator.formats.suites.design import SuiteDesign
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Formula,
    Offsets,
    formula_or_error,
    references,
)
from evalmark.validator.formats.suites.formula.meaning import can_hold, type_problems
from evalmark.validator.formats.suites.suite import (
    NO_SPACE_BEFORE,
    Sentence,
    Suite,
    has_triples,
    metrics_of,
    suite_of,
)
from evalmark.validator.formats.suites.table import ARTICLES, TextCell, TextTable, no_items
from evalmark.validator.formats.suites.triples import formula_of, key_of
from evalmark.validator.formats.suites.unknowns import Forms, NodeTest, disproved, item_forms
from evalmark.validator.reading.source import make_pointer

#: All that the rules of ``leftovers.in_texts`` find in ASCII: marks, the words of spreadsheets and
#: parsers, a space before a mark. What a rule looks for besides has to be here too.
_LEFTOVERS = re.compile(
    r"[<>*_\\\[\]{}`#%?@=]|\d[-E]|-\d|\d/\d|\d\.0|\d{5}|''|\b(?:TRUE|FALSE|TODO|FIXME|TBD|XXX|nan|NaN|null|NULL)"
    r"| (?:n't|'[a-z]|[.,;:!])"
)

#: A mark that French would put a space before, and one that it would not.
_FRENCH = re.compile(r"\w [?!:;](?=\s|$)")
_NOT_FRENCH = re.compile(r"\w[?!:;](?=\s|$)")
_SPACED_STOP = re.compile(r" [.,](?=\s|$)")


@dataclass(eq=False)
class SuiteFileView:
    """A suite that its schema accepts."""

    data: Mapping[str, Any]  # the parsed file
    join: str = "core"  # the rule by which regions become sentences
    context: str = "left"  # what proofs take the value of a region to depend on; see ``item_forms``
    accepted: frozenset[str] = frozenset()  # words that are right however they look

    @cached_property
    def suite(self) -> Suite:
        """The view of the suite."""
        return suite_of(self.data, self.join)

    @cached_property
    def formulas(self) -> tuple[Formula | FormulaSyntaxError, ...]:
        """Each prediction's formula, or why it cannot be read; a legacy prediction has one too."""
        return tuple(
            formula_or_error(prediction["formula"])
            if "formula" in prediction
            else formula_of(prediction)
            for prediction in self.data["predictions"]
        )

    def at(self, index: int, span: Offsets | None = None) -> At:
        """The place of a prediction in the file, or of a part of its formula."""
        if "formula" in self.data["predictions"][index]:
            return At(formula_at(index), *(span or ()))
        pointer, formula = f"{PREDICTIONS}/{index}", self.formulas[index]
        assert isinstance(formula, Formula)
        key = key_of(formula, span) if span else None
        return At(f"{pointer}/{key}" if key else pointer)

    @cached_property
    def meaningful(self) -> tuple[tuple[int, Formula], ...]:
        """Index and formula of the predictions that say something true or false."""
        return tuple(
            (index, formula)
            for index, formula in enumerate(self.formulas)
            if isinstance(formula, Formula) and not any(type_problems(formula.tree))
        )

    @cached_property
    def forms(self) -> tuple[Forms, ...]:
        """For each item, the region values that formulas ask for.

        They are given over what a model of the kind that is assumed is free to choose.
        """
        return tuple(
            item_forms(
                item,
                self.suite.metric,
                self.join,
                self.context,
                sentences=sentences,
                regions=self.readers.keys(),
            )
            for item, sentences in zip(self.suite.items, self.sentences, strict=True)
        )

    @cached_property
    def readers(self) -> Mapping[tuple[str, int | None], int]:
        """Each condition and region (None for all) that formulas read -> the first that does."""
        return {
            (reference.condition, reference.region): index
            for index, formula in reversed(self.meaningful)
            for reference in references(formula.tree)
        }

    def disproved(self, index: int, question: NodeTest) -> tuple[int, ...]:
        """The items, from 0, for which the answer to a question is proved to be no.

        May raise ``Budget``, if the formula is too large.
        """
        key = index, question
        if key not in self.memory:
            tree = dict(self.meaningful)[index].tree
            self.memory[key] = disproved(tree, question, self.forms, self.sound)
        items: tuple[int, ...] = self.memory[key]
        return items

    def never(self, index: int) -> tuple[int, ...]:
        """The items, from 0, for which a prediction can never hold, as far as that is proved."""
        try:
            return self.disproved(index, can_hold)
        except Budget:
            return ()

    @cached_property
    def memory(self) -> dict[object, Any]:
        """The answers to questions on predictions, and the mistakes of rules with ``@memo``."""
        return {}

    @property
    def models(self) -> str:
        """The models that a proof holds for, in words."""
        return "model" if self.context == "whole" else "left-to-right model"

    @cached_property
    def sentences(self) -> tuple[tuple[Sentence, ...], ...]:
        """For each item the sentence of each of its conditions."""
        return tuple(
            tuple(condition.sentence(self.join) for condition in item.conditions)
            for item in self.suite.items
        )

    def sentence_of(self, cell: TextCell) -> Sentence:
        """The sentence that a text is part of."""
        return self.sentences[cell.row][cell.column]

    def gap(self, before: TextCell, cell: TextCell) -> str:
        """The text between two texts of a sentence that follow each other."""
        text, spans = self.sentence_of(cell)
        return text[spans[before.index][1] : spans[cell.index][0]]

    def readable(self) -> Iterator[tuple[int, Formula]]:
        """Index and formula of the predictions that can be read."""
        for index, formula in enumerate(self.formulas):
            if isinstance(formula, Formula):
                yield index, formula

    @cached_property
    def cells(self) -> tuple[TextCell, ...]:
        """Every text of every sentence."""
        cells = []
        for i, item in enumerate(self.suite.items):
            for j, condition in enumerate(item.conditions):
                is_spaced = all(region.is_spaced for region in condition.regions)
                for k, region in enumerate(condition.regions):
                    text = region.content
                    plain = " ".join(text.split()) if is_spaced else text
                    cells.append(TextCell(item, condition, region, i, j, k, text, plain))
        return tuple(cells)

    @property
    def is_legacy(self) -> bool:
        """True if the suite is in the legacy dialect."""
        return has_triples(self.data)

    @property
    def evaluated(self) -> Iterator[TextCell]:
        """Those of regions that have a value computed with a model."""
        conditions = (condition for item in self.data["items"] for condition in item["conditions"])
        regions = (region for condition in conditions for region in condition["regions"])
        pairs = zip(self.cells, regions, strict=True)
        return (cell for cell, region in pairs if "metric_value" in region)

    @cached_property
    def filled(self) -> tuple[TextCell, ...]:
        """The texts that are not empty, of what is an item."""
        none = self.no_items
        return tuple(c for c in self.cells if c.text.strip() and c.row not in none)

    @property
    def joints(self) -> Iterator[tuple[TextCell, TextCell]]:
        """The texts of a sentence that follow each other."""
        return (pair for pair in pairwise(self.filled) if pair[0].condition is pair[1].condition)

    @cached_property
    def edges(self) -> tuple[tuple[TextCell, TextCell], ...]:
        """The first and the last text of each sentence."""
        sentences = (tuple(s) for _, s in groupby(self.filled, lambda cell: cell.sentence))
        return tuple((sentence[0], sentence[-1]) for sentence in sentences)

    @cached_property
    def contents(self) -> frozenset[str]:
        """The texts, each once; most are in several conditions."""
        return frozenset(cell.text for cell in self.filled)

    @cached_property
    def may_have_leftovers(self) -> tuple[TextCell, ...]:
        """The filled cells with characters or words that plain text in ASCII seldom has."""
        texts = {text for text in self.contents if not text.isascii() or _LEFTOVERS.search(text)}
        return tuple(cell for cell in self.filled if cell.text in texts)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of all texts, as they are written."""
        return frozenset(word for text in self.contents for word in re.findall(r"\w+", text))

    @cached_property
    def scripts(self) -> Mapping[str, set[str]]:
        """Latin, Cyrillic and Greek, of which a suite may have words, and these words."""
        found: dict[str, set[str]] = {}
        for word in self.words:
            script = unicodedata.name(word[0], "").partition(" ")[0]
            if script in ("LATIN", "CYRILLIC", "GREEK"):
                found.setdefault(script, set()).add(word)
        return found

    def knows(self, word: str) -> bool:
        """True if a word is one of the suite's."""
        return word in self.words

    def is_usual(self, usual: str, other: str) -> bool:
        """True if two other items or more have a character, and one item alone the other one."""
        return len(self.characters.get(usual, ())) > 1 and len(self.characters[other]) == 1

    @cached_property
    def characters(self) -> Mapping[str, set[int]]:
        """Each character -> the items that have it."""
        found: dict[str, set[int]] = {}
        for cell in self.filled:
            for character in set(cell.text):
                found.setdefault(character, set()).add(cell.row)
        return found

    @cached_property
    def has_articles(self) -> bool:
        """True if many items have an article, so that the language does not double other words."""
        rows = {c.row for c in self.filled if not ARTICLES.isdisjoint(c.text.casefold().split())}
        return 4 * len(rows) >= len(self.suite.items)

    @cached_property
    def spaces_marks(self) -> bool:
        """True if a space is before nearly every `?`, `!`, `:` and `;`, but before no stop."""
        french, stops = (
            len({cell.row for cell in self.filled if pattern.search(cell.text)})
            for pattern in (_FRENCH, _SPACED_STOP)
        )
        # Inside a sentence, and in one item, a mark may be a slip.
        others = sum(1 for _, last in self.edges if _NOT_FRENCH.search(last.text))
        return (not others or others < french) and (stops < 2 or stops < french)

    @cached_property
    def stop(self) -> str:
        """The mark that most sentences end with, and the space before it if most have one.

        Empty if fewer than half end with a mark.
        """
        texts = [text for s in self.sentences for c in s if (text := c.text.rstrip())]
        ends = [text[-2:] for text in texts if not text[-1].isalnum()]
        if 2 * len(ends) < len(texts):
            return ""
        mark = Counter(end[-1] for end in ends).most_common(1)[0][0] if ends else "."
        return f" {mark}" if 2 * sum(end[0] == " " for end in ends) > len(ends) else mark

    @cached_property
    def irregular(self) -> Mapping[tuple[int, int], tuple[int, ...]]:
        """The numbers of the regions of the sentences in which they are not 1, 2, 3, … to the end.

        Keyed by item and condition, from 0.
        """
        whole = tuple(range(1, len(self.suite.region_meta) + 1))
        return {
            (i, j): numbers
            for i, item in enumerate(self.suite.items)
            for j, condition in enumerate(item.conditions)
            if (numbers := tuple(region.number for region in condition.regions)) != whole
        }

    @cached_property
    def misnumbered(self) -> frozenset[tuple[int, int]]:
        """The sentences with a number twice, or one that is not declared."""
        declared = self.suite.region_meta
        return frozenset(
            place
            for place, numbers in self.irregular.items()
            if len(set(numbers)) < len(numbers) or any(str(n) not in declared for n in numbers)
        )

    @cached_property
    def missing(self) -> Mapping[tuple[int, int], tuple[int, ...]]:
        """The declared regions that a sentence lacks, and at least half of its like have.

        Its like are the sentences of its condition, since a condition may do without a region in
        every item; in a suite of one item, all sentences.
        """
        missing: dict[tuple[int, int], tuple[int, ...]] = {}
        if not self.irregular:
            return missing
        items = self.suite.items
        like: dict[str, list[set[int]]] = {}
        for condition in (condition for item in items for condition in item.conditions):
            numbers = {region.number for region in condition.regions}
            like.setdefault(condition.name if len(items) > 1 else "", []).append(numbers)
        usual = {
            name: {n for n, count in Counter(chain(*every)).items() if 2 * count >= len(every)}
            for name, every in like.items()
        }
        for i, j in sorted(self.irregular.keys() - self.misnumbered):
            name = items[i].conditions[j].name if len(items) > 1 else ""
            lacking = sorted(usual[name].difference(self.irregular[i, j]))
            if declared := tuple(n for n in lacking if str(n) in self.suite.region_meta):
                missing[i, j] = declared
        return missing

    @cached_property
    def sound(self) -> tuple[bool, ...]:
        """For each item, whether it is one: each sentence once, with a text, regions in order."""
        broken = {
            i
            for (i, j), numbers in self.irregular.items()
            if (i, j) in self.missing
            or (i, j) in self.misnumbered
            or any(number > following for number, following in pairwise(numbers))
        }
        return tuple(
            i not in broken
            and i not in self.no_items
            and all(sentence.text for sentence in sentences)
            and len({c.name for c in self.suite.items[i].conditions}) == len(sentences)
            for i, sentences in enumerate(self.sentences)
        )

    @cached_property
    def no_items(self) -> Mapping[int, str]:
        """The items, from 0, with a sentence that is not one, and why."""
        return no_items(self.suite)

    @cached_property
    def table(self) -> TextTable:
        """The texts of the items that are sound."""
        return TextTable(self.suite.items, self.sound, self.cells)

    @cached_property
    def design(self) -> SuiteDesign:
        """The texts that conditions share, as far as the items agree on it."""
        return SuiteDesign(self.table)

    def name_at(self, name: str, item: int | None = None) -> At:
        """The place of the name of a condition in an item, or in the first one that has it."""
        return next(
            At(condition_name_at(i, j))
            for i, candidate in enumerate(self.suite.items)
            for j, condition in enumerate(candidate.conditions)
            if condition.name == name and item in (None, i)
        )

    @cached_property
    def used_regions(self) -> Mapping[int, int]:
        """Region number → how many sentences have the region."""
        conditions = (condition for item in self.suite.items for condition in item.conditions)
        return Counter(chain.from_iterable({r.number for r in c.regions} for c in conditions))

    @property
    def meta(self) -> Mapping[str, Any]:
        """The suite's own metadata."""
        meta: Mapping[str, Any] = self.data["meta"]
        return meta

    @property
    def metrics(self) -> tuple[str, ...]:
        """Its metric; a legacy suite can have several."""
        return metrics_of(self.data["meta"]["metric"])

    @cached_property
    def unwritable(self) -> dict[str, str]:
        """Condition names that formulas refer to and cannot contain, and the names to use."""
        return {
            name: new
            for name, new in writable_names(self.conditions).items()
            if any(_refers(text, name, new) for text in self.suite.formulas)
        }

    @cached_property
    def conditions(self) -> tuple[str, ...]:
        """The names of all conditions of the suite, in order of first appearance."""
        return tuple(dict.fromkeys(c.name for item in self.suite.items for c in item.conditions))


def memo(rule: Callable[[SuiteFileView], Iterator[Mistake]]) -> Callable[..., Iterator[Mistake]]:
    """A rule that looks at a suite once, although other rules ask for its mistakes too."""

    @wraps(rule)
    def mistakes(view: SuiteFileView) -> Iterator[Mistake]:
        if rule not in view.memory:
            view.memory[rule] = tuple(rule(view))
        yield from view.memory[rule]

    return mistakes


def pointers(view: SuiteFileView, *rules: Callable[[SuiteFileView], Iterator[Mistake]]) -> set[str]:
    """The places that rules report."""
    mistakes = (mistake for rule in rules for mistake in rule(view))
    return {
        at.pointer
        for mistake in mistakes
        for at in (mistake.at, *(place for place, _ in mistake.labels))
    }


def with_rewrite(mistake: Mistake, value: object) -> Mistake:
    """A mistake with the whole value to write in place of the one at its pointer."""
    changes, helps = (
        (Change(At(mistake.at.pointer), quoted(value)),),
        (Action.WRITE(quoted(value)),),
    )
    return replace(mistake, helps=helps, changes=changes, safety=Safety.UNSAFE)


def _refers(formula: str, *names: str) -> bool:
    """True if a formula refers to a condition; the older dialect, with brackets, has all names."""
    anyone = "|".join(map(re.escape, names))
    pattern = rf"%\s*(?:{anyone})\s*%"
    return "[" not in formula and re.search(pattern, normal_name(formula)) is not None


META = "/meta"
METRIC = "/meta/metric"
NAME = "/meta/name"
PREDICTIONS = "/predictions"
STRING_PREDICTIONS = "/meta/string_predictions"
REGION_META = "/region_meta"
UNSPACED = f"/meta/{NO_SPACE_BEFORE}"


def formula_at(index: int) -> str:
    """The pointer of the formula of a prediction."""
    return f"{PREDICTIONS}/{index}/formula"


def declaration_at(region: str | int) -> str:
    """The pointer of the name of a region in `region_meta`."""
    return f"{REGION_META}{make_pointer([region])}"


def conditions_at(item: int) -> str:
    """The pointer of the conditions of an item."""
    return f"/items/{item}/conditions"


def item_number_at(item: int) -> str:
    """The pointer of the number of an item."""
    return f"/items/{item}/item_number"


def condition_at(item: int, condition: int) -> str:
    """The pointer of a condition of an item."""
    return f"/items/{item}/conditions/{condition}"


def condition_name_at(item: int, condition: int) -> str:
    """The pointer of the name of a condition."""
    return f"{condition_at(item, condition)}/condition_name"
