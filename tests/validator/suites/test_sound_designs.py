"""Sound designs of any size are silent, and one changed text is one finding at its item."""

import copy
import re
import string
from itertools import pairwise

from found import findings_of
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies import examples
from suites import suite_of

#: Texts that are sound and in which nothing else is odd; words that a suite uses once.
WORDS = st.text(string.ascii_lowercase[:12], min_size=4, max_size=8).filter(
    lambda word: len(set(word)) > 2 and not re.search(r"(.)\1\1", word)
)
CONDITIONS = ("match", "mismatch", "other_match", "other_mismatch")
#: A slot of a design: the same text everywhere, one for each item, or one for each condition.
SLOTS = ("frame", "item", "condition")


@st.composite
def designs(draw):
    """A suite of which each region is a slot; the verb is the region that conditions differ in."""
    names = CONDITIONS[: draw(st.sampled_from([2, 4]))]
    slots = draw(st.lists(st.sampled_from(SLOTS[:2]), min_size=1, max_size=3))
    slots.insert(draw(st.integers(0, len(slots))), "condition")
    count = draw(st.integers(8, 12))
    needed = count * len(slots) + len(slots) + len(names)
    words = iter(draw(st.lists(WORDS, min_size=needed, max_size=needed, unique=True)))
    frames = [next(words) for _ in slots]
    verbs = {name: next(words) for name in names}
    items = []
    for _ in range(count):
        own = [next(words) for _ in slots]
        by_slot = {"frame": frames, "item": own}
        items.append(
            {
                name: [
                    verbs[name] if slot == "condition" else by_slot[slot][place]
                    for place, slot in enumerate(slots)
                ]
                for name in names
            }
        )
    region = slots.index("condition") + 1
    formulas = [f"({region};%{b}%) > ({region};%{a}%)" for a, b in pairwise(names)]
    return suite_of(items, formulas), slots


@examples(60)
@given(designs())
def test_a_sound_design_has_no_finding(design):
    data, slots = design
    assume("item" in slots)  # else all items are the same
    assert [(f.code, f.message) for f in findings_of(data)] == []


@examples(100)
@given(designs(), st.data())
def test_one_changed_text_is_one_finding_at_its_item(design, data):
    suite, slots = design
    assume("item" in slots)
    i = data.draw(st.integers(0, len(suite["items"]) - 1))
    j = data.draw(st.integers(0, len(suite["items"][0]["conditions"]) - 1))
    k = data.draw(st.sampled_from([k for k, slot in enumerate(slots) if slot != "condition"]))
    changed = copy.deepcopy(suite)
    region = changed["items"][i]["conditions"][j]["regions"][k]
    region["content"] = "zyz" + data.draw(WORDS)
    (finding,) = findings_of(changed)
    assert finding.code == "SG432"
    assert f"item {i + 1} " in f"{finding.message} "
    if finding.fix:  # what it suggests is right, where it is certain
        (help_text,) = finding.helps
        original = suite["items"][i]["conditions"][j]["regions"][k]["content"]
        assert help_text == f'write "{original}"'


@examples(60)
@given(designs(), st.data())
def test_two_sentences_that_are_exchanged_are_one_finding_that_names_them(design, data):
    suite, slots = design
    assume("item" in slots)
    i = data.draw(st.integers(0, len(suite["items"]) - 1))
    first, second = data.draw(
        st.lists(
            st.integers(0, len(suite["items"][0]["conditions"]) - 1),
            min_size=2, max_size=2, unique=True,
        )
    )  # fmt: skip
    changed = copy.deepcopy(suite)
    conditions = changed["items"][i]["conditions"]
    conditions[first]["regions"], conditions[second]["regions"] = (
        conditions[second]["regions"], conditions[first]["regions"],
    )  # fmt: skip
    (finding,) = findings_of(changed)
    names = [conditions[place]["condition_name"] for place in (first, second)]
    assert finding.code == "SG431"
    assert all(f"`{name}`" in finding.message for name in names)
    assert finding.message.startswith(f"in item {i + 1}, the ")
