"""The numbers that the LTM benchmark's own evaluators give, quirks included."""

import json

import pytest
from evalmark.memory.evaluation.replies import EVALUATOR, GENERATIONS, Replies
from evalmark.memory.evaluation.reply_json import benchmark_json
from evalmark.memory.evaluation.scorers import score_replies
from test_scorers import score

LIST = [["soap", 3], ["milk", 1]]
SPIES = [["boat", "bridge", "raft", "kayak"], ["orchard"], ["noon", "midday"]]


def listed(*entries):
    return json.dumps([{"item": item, "quantity": quantity} for item, quantity in entries])


@pytest.mark.parametrize(
    ("response", "first", "second", "third", "own"),
    [
        (listed(("Soap", 3), ("milk", 1)), 1, 1, 1, 1),
        # Others: free, minus one each, or a third at once; ours takes a part of the third.
        (listed(("Soap", 3), ("milk", 1), ("x", 1)), 1, 1 / 2, 2 / 3, 5 / 6),
        (listed(("Soap", 3), ("x", 1)), 1 / 2, 0, 1 / 3, 1 / 2),
        # An object around the list has texts for entries.
        (json.dumps({"list": [{"item": "soap", "quantity": 3}, {"item": "milk", "quantity": 1}]}),
         0, 0, 0, 1),
        # Only the third generation looks at the type of a quantity; `true` is an integer there.
        (listed(("soap", 3.0), ("milk", 1)), 1, 1, 0, 1),
        (listed(("soap", "3"), ("milk", 1)), 1 / 2, 1 / 2, 0, 1),
        (listed(("soap", 3), ("milk", True)), 1, 1, 1, 5 / 6),
        (listed(("soap", 3), ("milk", None)), 1 / 2, 1 / 2, 0, 5 / 6),
        # What is named twice counts twice.
        (listed(("soap", 3), ("soap", 3), ("soap", 3), ("milk", 1)), 2, 2, 5 / 3, 2 / 3),
        (listed(("bars of soap", 3), ("MILK", 1)), 1, 1, 1, 1),
        (json.dumps([{"item": "soap"}]), 0, 0, 0, 1 / 2),
        (json.dumps(["soap"]), 0, 0, 0, 1 / 6),
        ("I have forgotten.", 0, 0, 0, 0),
        ("[]", 0, 0, 1 / 3, 1 / 3),
    ],
)  # fmt: skip
def test_shopping(response, first, second, third, own):
    found = [score("Shopping", response, LIST, rules) for rules in (*GENERATIONS, EVALUATOR)]
    assert found == [first, second, third, own]


@pytest.mark.parametrize(
    ("dataset", "expected", "response", "second", "third", "own"),
    [
        *[("Spy Meeting", SPIES, *case) for case in [
            ("By boat, to the orchard at noon.", 1, 1, 1),
            ("By boat, to the orchard.", 0, 2 / 3, 2 / 3),
            # A keyword of another message: one less, once.
            ("By boat, to the orchard at noon, or dusk at the beach.", 1, 2 / 3, 1),
            ("At the beach.", 0, 0, 0),
            # Capitals count, and so do parts of words, in the second generation only.
            ("By Boat, to the orchard at noon.", 0, 2 / 3, 1),
            ("By boats, to the orchards in the afternoon.", 1, 0, 0),
        ]],
        *[("NameList", ["Ada", "Bo"], *case) for case in [
            ('["Ada", "bo"]', 1, 1, 1), ('["Ada", "Ada", "Bo"]', 1 / 2, 2 / 3, 2 / 3),
            ('["Ada", "Cy"]', 0, 1 / 2, 1 / 2), ('{"Names": ["Ada", "Bo"]}', 0, 0, 1),
            ('{"Ada": 1, "Bo": 2}', 1, 1, 0), ('["["]', 0, 0, 0), ('["Ada", 1]', 0, 0, 1 / 2),
            ('[" Ada", "Bo"]', 0, 1 / 2, 1), ("7", 0, 0, 0), ("null", 0, 0, 0),
        ]],
        *[("SallyAnne", ["box"], *case) for case in [
            ('{"answer": "box"}', 1, 1, 1), ('{"answer": "Box"}', 0, 1, 1),
            ('{"answer": " box"}', 0, 0, 1), ('{"answer": 1}', 0, 0, 0), ('["box"]', 0, 0, 0),
            ("{'answer': 'box'}", 0, 0, 1),
        ]],
    ],
)  # fmt: skip
def test_generations_differ(dataset, expected, response, second, third, own):
    found = [score(dataset, response, expected, rules) for rules in ("ltm-2", "ltm-3", EVALUATOR)]
    assert found == [second, third, own]


def test_only_the_expected_words_are_ones_own():
    older = [["pick", "key"], ["orchard"], ["noon"]]
    assert score("Spy Meeting", "picks and a key, orchard, noon", older, "ltm-3") == 2 / 3


def test_where_the_benchmark_asks_a_judge_there_is_no_number():
    for rules in GENERATIONS:
        assert score("Jokes", "", ["Knock knock."], rules) is None
        assert score("Jokes", "Knock knock.", ["Knock knock."], rules) == 1
    said = ["Rest is work, too!"]
    found = [score("Trigger Response", said, ["rest is work too"], rules) for rules in GENERATIONS]
    assert found == [None, 1, 1]


# quotes


def exchanged(*replies, who="Test"):
    """A run in which the agent gives some replies, beginning with that to the question."""
    lines = []
    for number, reply in enumerate(replies):
        text = "Append the quote to reply 2." if number == 0 else "talk"
        lines += [f"{who} (t): {text}" if who else text, f"Agent (t): {reply}" if who else reply]
    return lines


@pytest.mark.parametrize(
    ("replies", "wanted"),
    [
        (["ok", "know thyself!"], 1),  # the second reply, as this one counts
        (["ok", "Know thyself", "Know thyself"], 0),
        (["ok", "hm", "Know thyself"], 0),
        (["ok", "Know  thyself"], 0),  # two spaces are not one
        (["ok"], None),
    ],
)
def test_the_third_generation_counts_the_reply_to_the_question(replies, wanted):
    expected = [["Know thyself.", "Socrates", 2]]
    question = "Append the quote to reply 2."
    given = Replies([question], replies[:1], expected, exchanged(*replies))
    verdict = score_replies("Prospective Memory", given, "ltm-3")
    assert (verdict and verdict[0]) == wanted


@pytest.mark.parametrize(
    ("rules", "replies", "wanted"),
    [
        ("ltm-2", ["ok", "a", "b: know thyself!"], 1),
        ("ltm-2", ["ok", "a", "b"], 0),
        ("ltm-2", ["ok: know thyself", "a", "know thyself"], 0),
        ("ltm-2", ["ok", "a", "know thyself", "still: know thyself"], 0),
        ("ltm-2", ["ok", "a"], None),
        ("ltm-1", ["ok", "a", "b: Know thyself"], 1),
        ("ltm-1", ["ok", "a", "b: know thy-self"], 0),
    ],
)
def test_earlier_generations_count_the_replies_after_it(rules, replies, wanted):
    script = ["'Know thyself' - Socrates", "Append the quote to reply 2."]
    told = ["Recite 'Know thyself' later."]
    who = "" if rules == "ltm-1" else "Test"
    full = ["SYSTEM (t): Test 'x' BEGINS", *exchanged(*replies, who=who)]
    given = Replies(script[1:], replies[:1], told, (), script, full if who else full[1:])
    verdict = score_replies("Prospective Memory", given, rules)
    assert (verdict and verdict[0]) == wanted


# what models replied to a restaurant

MENU = (
    "Test (2024-01-01 00:00:00.000000): Waiter: the menu:\n\nStarters:\n1. Soup\n2. Salad\n\n"
    "Mains:\n3. Stew\n\nBeverages:\n4. Lemonade"
)


def order(*entries, drink=False, something=True):
    found = [
        {"is_drink": drink, "item": item, "menu_nr": number, "off_menu": False}
        for item, number in entries
    ]
    return json.dumps({"has_ordered_something": something, "order": found})


ROLE = '{"follows_role": true}'
DRINK = order(("Lemonade", 4), drink=True)
NOTICED, RECALLED = '{"noticed": true}', '{"recalls": true}'


@pytest.mark.parametrize(
    ("judged", "wanted"),
    [
        ([ROLE, DRINK, order(("Soup", 1)), order(("Stew", 3)), NOTICED, RECALLED], 1),
        ([ROLE, DRINK, order(("Soup", "1")), order(("Stew", 3)), NOTICED, '{"recalls": false}'],
         4 / 5),
        ([ROLE, DRINK, order(("Soup", 1)), order(("Stew", 3)), '{"noticed": false}'], 3 / 5),
        ([ROLE, DRINK, order(("Soup", 1)), order(("soup, please", 1))], 2 / 5),
        ([ROLE, DRINK, order(("Lemonade", 4))], 1 / 5),  # not a dish
        ([ROLE, DRINK, order(("Lemonade", 4), drink=True)], 1 / 5),
        ([ROLE, order(("Soup", 1))], 0),
        ([ROLE, order(drink=True, something=False)], 0),
        (["nothing of the kind"], 0),
        (['{"follows_role": false}'], 0),
        ([ROLE, DRINK], None),  # the log ends too early
        (['{"follows_role": false}', DRINK], None),  # the questions of other rules
        ([], None),
    ],
)  # fmt: skip
def test_replies_of_models_decide_about_a_restaurant(judged, wanted):
    given = Replies(["?"], ["a"], ["x"], [MENU], judged=judged)
    verdict = score_replies("Restaurant", given, "ltm-3")
    assert (verdict and verdict[0]) == wanted


@pytest.mark.parametrize(
    ("said", "second", "third"),
    [
        (["I say: rest is work too", "rest is work too!"], 1, 1),
        # The second generation compares letter by letter; most of the words are enough for both.
        (["Rest is WORK, too! So have a nap, and later another one", "rest is work too"], None, 1),
        (["Rest IS, work: too", "rest is work too"], 1, 1),
        (["take a rest", "rest is work too"], None, None),
    ],
)
def test_rules_decide_about_a_phrase_where_the_benchmark_asks_nobody(said, second, third):
    found = [score("Trigger Response", said, ["rest is work too"] * 2, r) for r in GENERATIONS]
    assert found == [None, second, third]


def test_words_of_later_code_count_only_where_a_definition_has_them():
    """A published result: "lock picks or a slim jim" has all three keywords, and scores 1."""
    said = "At night, at the train depot. Bring lock picks or a slim jim."
    published = [["night", "midnight"], ["railway", "yard", "depot"], ["pick", "picks", "key"]]
    later = [*published[:2], ["pick", "picks", "key", "lockpicks", "lockpicking", "slim jim"]]
    assert score("Spy Meeting", said, published, "ltm-3") == 1
    assert score("Spy Meeting", "night, depot, slim jim", published, "ltm-3") == 2 / 3
    assert score("Spy Meeting", "night, depot, slim jim", later, "ltm-3") == 1


# JSON as the benchmark reads it


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2]", [1, 2]),
        ("```\n[1]\n``` or ```json\n[2]\n```", [2]),
        ("```javascript\n[1]\n``` or ```json\n[2]\n```", [1]),
        ('Here: {"a": 1} - that is all.', {"a": 1}),
        ("[1, 2,]", [1, 2]),
        ('{"a": 1,}', {"a": 1}),
        ("[1, // one\n 2]", [1, 2]),
        ("[1, ...]", [1]),
        ("[1 2]", [1, 2]),
        ('{"a"}', {"a": None}),
        ('["a\nb"]', ["ab"]),
    ],
)
def test_json_is_repaired_as_the_benchmark_does(text, value):
    assert benchmark_json(text) == value


@pytest.mark.parametrize(
    "text", ["", "none", "{'a': 1}", "[1", '["a\tb"]', "[1, // one", "[" + "1 " * 60]
)
def test_json_is_rejected_as_the_benchmark_does(text):
    with pytest.raises(ValueError, match=r"."):
        benchmark_json(text)
