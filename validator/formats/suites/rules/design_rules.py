"""Rules that compare the texts of an item with the pattern of the other items."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import Action, Change, Mistake, Safety
from evalmark.validator.findings.phrasing import cited, listed, quoted
from evalmark.validator.formats.suites.design import SAME, Broken
from evalmark.validator.formats.suites.rules.odd_ones import (
    TEXT_RULES,
    misspelt_word,
    unlike_others,
)
from evalmark.validator.formats.suites.rules.spreadsheet_columns import (
    of_columns,
    of_rows,
    shifted_texts,
    similar_items,
)
from evalmark.validator.formats.suites.suite import Item
from evalmark.validator.formats.suites.suite_view import (
    SuiteFileView,
    conditions_at,
    item_number_at,
    pointers,
)

#: Rules whose findings on texts and items say more.
_EARLIER = (*TEXT_RULES, similar_items, unlike_others, misspelt_word, shifted_texts)


def exchanged_texts(view: SuiteFileView) -> Iterator[Mistake]:
    """A sentence of an item is listed under another condition.

    In nearly all items of a suite, the same conditions share texts, or differ in the same way. If
    one item fits this pattern only after the sentences of two conditions are exchanged, or their
    texts in one region, then each condition probably has the other's text. Such an item counts
    against the prediction that it should support.

    Bad: `match` has "the keys are" and `mismatch` "the keys is", but the reverse in one item
    Good: `match` has "the keys are" and `mismatch` "the keys is" in all items
    """
    for item, broken in _possible(view):
        inside = f"{conditions_at(broken.item)}/"
        if not broken.pairs or any(at.startswith(inside) for at in of_columns(view)):
            continue  # its texts are those of other regions
        pairs, region = broken.pairs, broken.region
        first, second = pairs[0]
        places = [
            view.name_at(name, broken.item)
            if region is None
            else view.table.at[broken.item, name, region]
            for name in (first, second)
        ]
        whose = " or of ".join(f"`{a}` and `{b}`" for a, b in pairs)
        yield Mistake(
            f"in item {item.number}, the {broken.part} of conditions {whose} seem to be exchanged",
            places[1],
            labels=((places[0], f"exchanged with `{second}`"),),
            notes=_reasons(view, broken),
            fold="exchanged",
        )


def shared_text(view: SuiteFileView) -> Iterator[Mistake]:
    """Conditions that share a text elsewhere do not share it in an item.

    Items are written by copying a sentence and changing the part that its condition is about. If
    another text was changed in one condition only, the item measures something else as well. The
    texts that conditions share are inferred from the suite if it has at least four items: regions
    in which two conditions have the same text in nine of ten items, or differ by the same words;
    also two regions, if a condition has in one what another condition has in the other.

    Bad: `"the witnes"` in one condition of an item, and `"the witness"` in the others
    Good: the same text in all conditions that have the same one in the other items
    """
    for item, broken in _unreported(view):
        if texts := broken.texts:
            name = broken.condition
            region, verb = min(texts), "differ" if len(texts) > 1 else "differs"
            where = f"region{'s'[: len(texts) - 1]} {listed(sorted(texts))}"
            yield Mistake(
                f"{where} of condition `{name}` of item {item.number} {verb} from the pattern of "
                "the other items",
                view.table.at[broken.item, name, region],
                notes=_reasons(view, broken),
                helps=(Action.WRITE(quoted(texts[region])),) if len(texts) == 1 else (broken.cure,),
                changes=changes_of(view, broken.item),
                safety=Safety.UNSAFE,
                fold="text",
            )
            continue
        relation = broken.relations[0]
        regions = sorted({relation.region for relation in broken.relations})
        verb = "differ" if relation.difference == SAME else "have the same text"
        who = f"`{relation.first}` and `{relation.second}`"
        groups = _same_text_groups(view, broken) if len(regions) == 1 and verb == "differ" else []
        if len(groups) == 2:
            who, other = (listed(f"`{name}`" for name in names) for names in groups)
            verb = f"differ from {other}"
        yield Mistake(
            f"conditions {who} of item {item.number} {verb} "
            f"in region{'s'[: len(regions) - 1]} {listed(regions)}, unlike in other items",
            view.table.at[broken.item, relation.second, relation.region],
            labels=(
                (
                    view.table.at[broken.item, relation.first, relation.region],
                    f"the text of `{relation.first}`",
                ),
            ),
            notes=_reasons(view, broken),
            fold="text",
        )
    yield from _crossed(view)


def _crossed(view: SuiteFileView) -> Iterator[Mistake]:
    if not view.design.crossed or of_columns(view):
        return
    odd, known = pointers(view, *_EARLIER), view.design.broken.keys() | _impossible(view)
    for i, keys in view.design.crossed.items():
        first, second = (view.table.at[i, name, region] for region, name in keys)
        if i in known or odd & {first.pointer, second.pointer}:
            continue
        (region, name), (other, other_name) = keys
        texts = (cited(view.table.texts[i][name][region]) for region, name in keys)
        yield Mistake(
            f"region {other} of condition `{other_name}` of item {view.suite.items[i].number} "
            f"differs from region {region} of `{name}`, unlike in other items",
            second,
            labels=((first, f"the text of `{name}`"),),
            notes=(" and ".join(texts),),
            fold="text",
        )


def _possible(view: SuiteFileView) -> Iterator[tuple[Item, Broken]]:
    """The items that break relations, except those that SG206 reports: impossible predictions."""
    if not view.design.broken:
        return
    impossible = _impossible(view)
    for i, broken in view.design.broken.items():
        if i not in impossible:
            yield view.suite.items[i], broken


def _impossible(view: SuiteFileView) -> set[int]:
    return {items[0] for index, _ in view.meaningful if (items := view.never(index))}


def _unreported(view: SuiteFileView) -> Iterator[tuple[Item, Broken]]:
    """The items that break relations, unless another rule reports the texts themselves."""
    items = [(item, broken) for item, broken in _possible(view) if not broken.pairs]
    if not items:
        return
    odd = pointers(view, *_EARLIER) | of_columns(view) | of_rows(view)
    for item, broken in items:
        if item_number_at(broken.item) not in odd and any(
            odd.isdisjoint(
                view.table.at[broken.item, name, relation.region].pointer for name in relation[1:3]
            )
            for relation in broken.relations
        ):
            yield item, broken


def _reasons(view: SuiteFileView, broken: Broken) -> tuple[str, ...]:
    texts, notes = view.design.texts[broken.item], []
    for region in list(dict.fromkeys(relation.region for relation in broken.relations))[:2]:
        names = broken.names(region)
        shown_texts = listed(f"`{name}` {cited(texts[name][region])}" for name in names)
        notes.append(f"region {region}: {shown_texts}")
    return tuple(notes)


def _same_text_groups(view: SuiteFileView, broken: Broken) -> list[list[str]]:
    texts, region = view.design.texts[broken.item], broken.relations[0].region
    groups: dict[str, list[str]] = {}
    for name in broken.names(region):
        groups.setdefault(texts[name][region], []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def changes_of(view: SuiteFileView, item: int) -> tuple[Change, ...]:
    """The changes that fix an item; empty if it breaks nothing, or does not state its texts."""
    broken = view.design.broken.get(item)
    inside = f"{conditions_at(item)}/"
    if broken is None or any(at.startswith(inside) for at in pointers(view, unlike_others)):
        return ()  # all its texts may be those of other regions
    return tuple(
        Change(view.table.at[item, broken.condition, region], quoted(text))
        for region, text in broken.texts.items()
    )
