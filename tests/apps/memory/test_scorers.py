"""How replies are scored without a judge: each rule, and JSON as models write it."""

import contextlib
import json
import string

import pytest
from evalmark.memory.datasets.defined_datasets import LocationsDirections
from evalmark.memory.evaluation.replies import Replies, lenient_json
from evalmark.memory.evaluation.scorers import score_replies, walked
from evalmark.memory.evaluation.texts import rouge_l
from evalmark.schemas.errors import NotJudged
from hypothesis import given
from hypothesis import strategies as st


def score(dataset, response, expected, **rest):
    responses = response if isinstance(response, list) else [response]
    questions = ["?"] * len(responses)
    verdict = score_replies(dataset, Replies(questions, responses, expected, **rest))
    return None if verdict is None else pytest.approx(verdict[0], abs=1e-9)


LIST = [["soap", 3], ["milk", 1], ["potato", 2]]


@pytest.mark.parametrize(
    ("dataset", "response", "expected", "wanted"),
    [
        ("Colours", "It is red.", ["Red"], 1),
        ("Colours", "As we shared, blue.", ["Red"], 0),
        ("Colours", "I understand: Olive", ["Tan"], 0),
        ("Names", "You are Anouk now", ["Anouk"], 1),
        ("Names", "You are Adam", ["Ada"], 0),
        ("NameList", '["A", "b"]', ["A", "B"], 1),
        ("NameList", '["A", "C", "D", "E"]', ["A", "B"], 1 / 4),
        ("NameList", "A and B", ["A", "B"], 0),
        ("NameList", '"AB"', ["A", "B"], 0),
        ("Shopping", '[{"item": "Soap", "quantity": 3}, {"item": "milk", "quantity": "1"}, '
                     '{"item": "potatoes", "quantity": 2}]', LIST, 1),
        ("Shopping", '[{"item": "Soap", "quantity": 3}]', LIST, (1 / 3 + 1 / 3 + 1) / 3),
        ("Shopping", '[{"item": "Soap", "quantity": true}]', [["soap", 1]], 2 / 3),
        ("Shopping", '[{"item": "soap", "quantity": 3}, {"item": "soap", "quantity": 3}]',
         [["soap", 3]], 2 / 3),
        ("SallyAnne", '{"answer": null}', ["box"], 0),
        ("SallyAnne", '{"answer": {"a": 1}}', ["box"], 0),
        ("SallyAnne", "In the box.", ["box"], 0),
        ("Spy Meeting", "unimportant", [["port"], ["a+b"], ["(x"]], 0),
        ("ChapterBreak", "Option 4.", ["4"], 1),
        ("ChapterBreak", "4 or 5", ["4"], 0),
        ("KV", "it is ab12", ["ab12"], 1),
        ("KV", "it is ab1", ["ab12"], 0),
        ("Jokes", "You said: Knock knock. Ha", ["Knock knock."], 1),
        ("Jokes", "Something with knocking", ["Knock knock."], None),
        ("Jokes", " ", ["Knock knock."], 0),
        ("Trigger Response", ["Rest is WORK, too!", "rest is work too"], ["rest is work too"] * 2,
         1),
        ("Trigger Response", ["rest is work too", ""], ["rest is work too"] * 2, 1 / 2),
        ("Trigger Response", ["rest is work too", "hm"], ["rest is work too"] * 2, None),
        # alike by 3/4, which is not enough
        ("Trigger Response", ["police kill the gunman"], ["police killed the gunman"], None),
        ("Somewhere else", "x", ["x"], None),
        ("Shopping", "[]", [], None),
    ],
)  # fmt: skip
def test_rules(dataset, response, expected, wanted):
    assert score(dataset, response, expected) == wanted


def log_of(*replies):
    """A question and what was said from then on."""
    lines = ["Test (2026-01-01 00:00:00.000000): ?"]
    for reply in replies:
        lines += [f"Agent (2026-01-01 00:00:01.000000): {reply}", "Test (x): talk"]
    return lines


@pytest.mark.parametrize(
    ("replies", "wanted"),
    [
        (["ok", "a", "b 'Know thyself!'", "c"], 1),
        (["ok", "know thyself", "b", "c"], 0),
        (["ok", "Know thyself.", "Know thyself.", "c"], 0),
        (["ok", "a"], None),
        (["ok", "a", "b", "c"], 0),
    ],
)
def test_a_quote_belongs_into_one_reply_and_no_other(replies, wanted):
    expected = [["Know thyself.", "Socrates", 3]]
    assert score("Prospective Memory", "ok", expected, log=log_of(*replies)) == wanted


def test_where_a_quote_is_instead_is_said_and_without_a_log_or_a_quote_nothing():
    def judged(expected, *replies):
        log = log_of(*replies) if replies else []
        return score_replies("Prospective Memory", Replies(["?"], ["ok"], [expected], log))

    quote = ["Know thyself.", "Socrates", 3]
    for reply, where in (("know thyself", "2"), ("a", "none")):
        reason = f"the quote should be in reply 3; it is in {where}"
        assert judged(quote, "ok", reply, "b", "c") == (0, [reason])
    assert judged(quote) is judged("say it", "ok") is None


@given(st.text(), st.sampled_from(["NameList", "Shopping", "SallyAnne", "Spy Meeting", "Colours"]))
def test_no_reply_is_a_crash(response, dataset):
    expected = {
        "NameList": ["A", "B"], "Shopping": LIST, "SallyAnne": ["box"], "Colours": ["Red"],
        "Spy Meeting": [["a"], ["b"], ["c"]],
    }[dataset]  # fmt: skip
    verdict = score_replies(dataset, Replies(["?"], [response], expected))
    assert verdict is None or 0 <= verdict[0] <= 1


quantities = st.integers() | st.none() | st.booleans() | st.text()
entries_of_a_list = st.fixed_dictionaries(
    {"item": st.sampled_from(["soap", "milk", "soaps", "x"]), "quantity": quantities}
)


@given(st.lists(entries_of_a_list))
def test_a_list_never_scores_above_one(entries):
    verdict = score_replies("Shopping", Replies(["?"], [json.dumps(entries)], LIST))
    assert 0 <= verdict[0] <= 1


# lenient JSON

json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(string.ascii_letters + " '\"é"),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text(string.ascii_letters, min_size=1), inner)
    ),
    max_leaves=12,
)


@given(
    st.lists(json_values) | st.dictionaries(st.text(string.ascii_letters, min_size=1), json_values)
)
def test_good_json_is_read_as_it_is_with_and_without_a_fence(value):
    text = json.dumps(value, ensure_ascii=False)
    assert lenient_json(text) == value
    assert lenient_json(f"Here it is:\n```json\n{text}\n```\nAnything else?") == value
    assert lenient_json(f"Here: {text} - that is all.") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('[1, 2, 3,]', [1, 2, 3]),
        ('[1 2 "x"]', [1, 2, "x"]),
        ("{'answer': 'a \"box\"'}", {"answer": 'a "box"'}),
        ('{answer: box}', {"answer": "box"}),
        ('{"a": True, "b": None}', {"a": True, "b": None}),
        ('[1, // one\n 2 /* two */]', [1, 2]),
        ('["a", "b", ...]', ["a", "b"]),
        ('[{"item": "soap", "quantity": 3}, {"item": "mi', [{"item": "soap", "quantity": 3},
                                                            {"item": "mi"}]),
        ("```\n[1]", [1]),
        ("```json\nno\n```\n[2]", [2]),
    ],
)  # fmt: skip
def test_what_models_write_is_read_as_it_is_meant(text, value):
    assert lenient_json(text) == value


@pytest.mark.parametrize("text", ["", "none", "[" * 100_000, '{"a" 1}', "{]", "{[1]: 2}"])
def test_what_cannot_be_read_is_a_value_error(text):
    with pytest.raises(ValueError):  # noqa: PT011 - there is one reason: it cannot be read
        lenient_json(text)


def test_lists_with_mistakes_are_read_up_to_a_depth_of_50():
    def nested(depth):
        return lenient_json("[" * depth + "1," + "]" * depth)

    value = nested(50)
    for _ in range(50):
        (value,) = value
    assert value == 1
    with pytest.raises(ValueError, match="too deeply"):
        nested(51)


@given(st.text(alphabet="[]{}\",:'ab1 /*.\n\\", max_size=40))
def test_nothing_but_a_value_error(text):
    with contextlib.suppress(ValueError):
        lenient_json(text)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [("a b c", "a b c", 1), ("a b c d", "a c", 2 / 3), ("a", "b", 0), ("", "a", 0),
     ("police killed the gunman", "police kill the gunman", 3 / 4)],
)  # fmt: skip
def test_rouge_l(one, other, value):
    assert rouge_l(one, other) == pytest.approx(value * 1.0)
    assert rouge_l(other, one) == rouge_l(one, other)


@pytest.mark.parametrize(
    ("response", "right"),
    [
        ("Go 4 km East, then walk 1km to the north.", 1),
        ("First 2 kilometers east, another 2 km east. North for 1 km.", 1),
        ("4 km west and 1 km north", 0),
        ("It is not far.", 0),
    ],
)
def test_directions_are_walked(response, right):
    expected = "From A, go 4km East to B.\nFrom B, go 1km North to C."
    assert (walked(response) == walked(expected)) == right
    assert score_replies("Locations Directions", Replies(["?"], [response], [expected])) is None


EAST = '{"kilometres": 4, "direction": "east"}'
NORTH = '{"kilometres": 1, "direction": "north"}'


@pytest.mark.parametrize(
    ("steps", "right"), [(f"[{EAST}, {NORTH}]", 1), (f"[{NORTH}, {EAST}]", 1), (f"[{EAST}]", 0)]
)
def test_the_steps_that_a_judge_writes_are_walked(steps, right):
    dataset = LocationsDirections(ask=lambda *_: steps)
    verdict = dataset.evaluate_correct(["?"], ["4 km this, 1 km that"], ["4km East, 1km North"])
    assert verdict == (right, 1, ["arrives" if right else f"does not arrive: {steps}"])


def test_a_judge_that_writes_no_steps_decides_nothing():
    dataset = LocationsDirections(ask=lambda *_: "It is right")
    with pytest.raises(NotJudged, match="the judge wrote no steps: 'It is right'"):
        dataset.evaluate_correct(["?"], ["4 km east"], ["4km East"])
