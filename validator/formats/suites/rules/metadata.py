"""Rules on what describes a suite: its name, its regions' names, its predictions as a list."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.formats.suites.formula.meaning import plain
from evalmark.validator.formats.suites.formula.tree import Comparison, Reference, walk
from evalmark.validator.formats.suites.rules.repeats import repeats
from evalmark.validator.formats.suites.suite_view import NAME, SuiteFileView, declaration_at


def repeated_prediction(view: SuiteFileView) -> Iterator[Hit]:
    """A suite has no duplicate predictions.

    A prediction that appears twice counts twice, and `A < B` is the same prediction as `B > A`.

    Bad: `(2;%a%) < (2;%b%)` and `(2;%b%) > (2;%a%)`
    Good: one of them
    """
    trees = [plain(formula.tree) for _, formula in view.meaningful]
    for later, first in repeats(trees):
        index, other = view.meaningful[later][0], view.meaningful[first][0]
        yield Hit(
            f"prediction {index + 1} is a duplicate of prediction {other + 1}",
            view.at(index),
            labels=((view.at(other), "first occurrence"),),
        )


def different_regions(view: SuiteFileView) -> Iterator[Hit]:
    """A comparison of two regions compares regions with the same number.

    Most often one of the numbers is wrong. A comparison of different regions is not reported if
    their contents are equal in some item, or if a sum is compared.

    Bad: `(2;%match%) < (3;%mismatch%)`
    Good: `(3;%match%) < (3;%mismatch%)`
    """
    for index, formula in view.meaningful:
        for node in walk(formula.tree):
            match node:
                case Comparison(
                    left=Reference(region=int(one), condition=left),
                    right=Reference(region=int(other), condition=right),
                ) if one != other and left != right and {one, other} <= view.used_regions.keys():
                    if not _equal_somewhere(view, (left, one), (right, other)):
                        yield Hit(
                            f"comparison of different regions: {one} and {other}",
                            view.at(index, node.span),
                            notes=(
                                f"region {one}: {_name(view, one)}; "
                                f"region {other}: {_name(view, other)}",
                            ),
                        )


def _equal_somewhere(view: SuiteFileView, one: tuple[str, int], other: tuple[str, int]) -> bool:
    """Whether two regions have the same text in some item: the regions are then shifted."""
    for item in view.suite.items:
        texts = {
            (condition.name, region.number): region.content.strip()
            for condition in item.conditions
            for region in condition.regions
        }
        if texts.get(one) == texts.get(other):  # missing from both: another rule reports it
            return True
    return False


def _name(view: SuiteFileView, region: int) -> str:
    return shown(view.suite.region_meta.get(str(region)))


def unused_region(view: SuiteFileView) -> Iterator[Hit]:
    """Every region of `region_meta` is in a sentence.

    Either the name is left over, or the region is missing from the sentences.

    Bad: `"4": "End"` where all sentences have regions 1, 2 and 3
    Good: only regions that appear in sentences
    """
    declared = {str(number) for number in range(1, len(view.suite.region_meta) + 1)}
    if view.misnumbered or declared != set(view.suite.region_meta) or not view.used_regions:
        return  # another rule reports a wrong number that may be meant for it
    for key in view.suite.region_meta:
        if int(key) not in view.used_regions:
            yield Hit(
                f"region {key} is declared, but no sentence has it",
                At(declaration_at(key), key=True),
                notes=(f"regions of the sentences: {listed(sorted(view.used_regions), 12)}",),
            )


def no_items(view: SuiteFileView) -> Iterator[Hit]:
    """A suite has items.

    Bad: `"items": []`
    Good: at least one item
    """
    if not view.suite.items:
        yield Hit("the suite has no items", At("/items"))


def suite_name(view: SuiteFileView) -> Iterator[Hit]:
    """A suite has a name.

    Results are stored and compared by the name of the suite.

    Bad: `"name": ""`
    Good: `"name": "agreement"`
    """
    if not view.suite.name.strip():
        yield Hit("the name of the suite is empty", At(NAME))


def region_names(view: SuiteFileView) -> Iterator[Hit]:
    """The names of regions are text.

    Bad: `"region_meta": {"1": null}`
    Good: `"region_meta": {"1": "Subject"}`
    """
    for key, name in view.suite.region_meta.items():
        if not isinstance(name, str):
            yield Hit(
                f"the name of region {key} is not a string: {shown(name)}",
                At(declaration_at(key)),
                fold="region name",
            )
