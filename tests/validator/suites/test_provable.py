"""What can be proved of a prediction, against an SMT solver that is asked independently.

The solver is given the cumulative surprisals themselves, one for each prefix string, not the
increments that our analysis works with, and the truth of the formula as it is written.
"""

import itertools
import json
import random
import time

import pytest
import z3
from evalmark.scoring.suites.regions import assign_tokens
from evalmark.validator.check import check_data, check_file
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Number,
    Reference,
    Sum,
    parse_formula,
)
from evalmark.validator.formats.suites.formula.meaning import evaluate
from evalmark.validator.formats.suites.suite import JOINS, join_regions
from found import codes_of
from looping import one_of
from suites import suite_of

WORDS = ("the", "dog", "dogs", "ran", "know", "knows", "a", ",")
NEVER, ALWAYS = "SG206", "SG207"


def verdicts(data, join="core", models="left-to-right"):
    """(prediction index, item index) pairs proved never and always to hold."""
    never, always = set(), set()
    for finding in check_data(data, join=join, models=models).findings:
        if finding.code in (NEVER, ALWAYS):
            index = int(finding.pointer.split("/")[2])
            numbers = proved_items(finding.message, len(data["items"]))
            target = never if finding.code == NEVER else always
            target |= {(index, number) for number in numbers}
    return never, always


def proved_items(message, count):
    if "any item" in message:
        return range(1, count + 1)
    return [int(word.strip(",")) for word in message.split() if word.strip(",").isdigit()]


class Oracle:
    """Asks z3 whether a formula can hold, and whether it can fail."""

    def __init__(self, item, metric):
        self.solver = z3.Solver()
        self.values = {}
        prefixes = {"": z3.RealVal(0)}
        alone = {}
        for name, contents in item.items():
            text = ""
            whole = z3.RealVal(0)
            for number, content in enumerate(contents, 1):
                before = text
                if content:
                    text = f"{text} {content}" if text else content
                if metric == "sum":
                    for prefix in (before, text):
                        prefixes.setdefault(prefix, z3.Real(f"C({prefix})"))
                    value = prefixes[text] - prefixes[before]
                elif content:
                    value = alone.setdefault((before, text), z3.Real(f"V({before}|{text})"))
                else:
                    value = whole = None
                self.values[name, number] = value
                whole = None if whole is None or value is None else whole + value
            self.values[name, None] = prefixes[text] if metric == "sum" else whole
        for variable in alone.values():
            self.solver.add(variable >= 0)
        for p, q in itertools.permutations(prefixes, 2):
            if not p or q.startswith(p + " "):
                self.solver.add(prefixes[p] <= prefixes[q])

    def number(self, node):
        match node:
            case Number():
                return z3.RealVal(repr(node.value))
            case Reference():
                return self.values[node.condition, node.region]
            case Sum():
                total = self.number(node.first)
                for operator, term in node.rest:
                    value = self.number(term)
                    total = total + value if operator == "+" else total - value
                return total

    def truth(self, node):
        match node:
            case Comparison():
                left, right = self.number(node.left), self.number(node.right)
                if node.operator == "<":
                    return left < right
                if node.operator == ">":
                    return left > right
                size = z3.If(right >= 0, right, -right)
                width = z3.Q(1, 1000) + z3.Q(1, 100_000) * size
                return z3.And(left - right <= width, right - left <= width)
            case Logic():
                truth = self.truth(node.first)
                for operator, operand in node.rest:
                    join = z3.And if operator == "&" else z3.Or
                    truth = join(truth, self.truth(operand))
                return truth

    def possible(self, condition):
        self.solver.push()
        self.solver.add(condition)
        answer = self.solver.check()
        self.solver.pop()
        assert answer != z3.unknown
        return answer == z3.sat


def random_suite(r):
    regions = r.randint(1, 4)
    conditions = ["a", "b", "c"][: r.randint(2, 3)]
    items = []
    for _ in range(r.randint(1, 2)):
        base = [" ".join(r.choices(WORDS, k=r.choice((1, 1, 1, 2)))) for _ in range(regions)]
        item = {}
        for name in conditions:
            # Conditions mostly share their text, as real ones do.
            item[name] = [
                content if r.random() < 0.7 else r.choice(("", r.choice(WORDS), f"{content} ran"))
                for content in base
            ]
        items.append(item)

    def reference():
        region = "*" if r.random() < 0.15 else r.randint(1, regions)
        return f"({region};%{r.choice(conditions)}%)"

    def total():
        terms = [reference()] if r.random() < 0.9 else [r.choice(("0", "1", "0.0005", "5"))]
        while r.random() < 0.35:
            terms += [r.choice("+-"), r.choice((reference(), reference(), "1", "0.002"))]
        return " ".join(terms)

    def comparison():
        return f"{total()} {r.choice('<<>>=')} {total()}"

    def formula():
        text = comparison()
        while r.random() < 0.4:
            other = comparison()
            if r.random() < 0.3:
                other = f"{other} {r.choice('&|')} {comparison()}"
            text = f"({text}) {r.choice('&|')} ({other})"
        return text

    metric = r.choice(("sum", "sum", "sum", "mean", "max"))
    return suite_of(items, [formula()], metric), items


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_agrees_with_the_solver_in_both_directions(seed):
    r = random.Random(seed)
    counts = {"never": 0, "always": 0, "open": 0}
    too_large = 0
    for _ in range(400):
        data, items = random_suite(r)
        metric, source = data["meta"]["metric"], data["predictions"][0]["formula"]
        tree = parse_formula(source).tree
        if check_data(data).remarks:
            too_large += 1
            continue
        never, always = verdicts(data)
        for number, item in enumerate(items, 1):
            if not all(any(contents) for contents in item.values()):
                assert (0, number) not in never | always  # SG414 reports it
                continue
            oracle = Oracle(item, metric)
            try:
                truth = oracle.truth(tree)
            except (TypeError, z3.Z3Exception):
                # A value is undefined: nothing may be claimed.
                assert (0, number) not in never | always
                continue
            can_hold, can_fail = oracle.possible(truth), oracle.possible(z3.Not(truth))
            assert ((0, number) in never) == (not can_hold), (source, item)
            assert ((0, number) in always) == (not can_fail), (source, item)
            counts["never" if not can_hold else "always" if not can_fail else "open"] += 1
    # A generator that only made open cases would prove nothing.
    assert min(counts.values()) > 20, counts
    assert too_large < 20


#: The assumptions of the analysis, each with what follows from it and what must not.
ASSUMPTIONS = {
    "equal prefix, equal value": (
        [{"a": ["the dog", "ran", "home"], "b": ["the dog", "ran", "far"]}],
        "(2;%a%) > (2;%b%)",
        NEVER,
    ),
    "what follows a prefix does not matter: no EOS, no boundary correction": (
        [{"a": ["the dog", "ran", ""], "b": ["the dog", "ran", "far away ."]}],
        "(2;%a%) = (2;%b%)",
        ALWAYS,
    ),
    "what precedes does": (
        [{"a": ["the dog", "ran"], "b": ["the cat", "ran"]}],
        "(2;%a%) > (2;%b%)",
        None,
    ),
    "surprisal never falls where a text continues at a space": (
        [{"a": ["the dog", "ran"], "b": ["the dog ran", "home"]}],
        "(1;%a%) > (1;%b%)",
        NEVER,
    ),
    "a word is not a prefix of a longer word": (
        [{"a": ["i know", "him"], "b": ["i knows", "him"]}],
        "(1;%a%) > (1;%b%)",
        None,
    ),
    "a space inside a region is a space": (
        [{"a": ["the", "dog ran"], "b": ["the dog", "ran"]}],
        "(*;%a%) = (*;%b%)",
        ALWAYS,
    ),
    "an empty region has sum 0": (
        [{"a": ["the", "", "dog"], "b": ["the", "big", "dog"]}],
        "(2;%a%) > (2;%b%)",
        NEVER,
    ),
    "the first region may be empty": (
        [{"a": ["", "the dog"], "b": ["the", "dog"]}],
        "(2;%a%) < (2;%b%)",
        NEVER,
    ),
    "surprisal is not negative": ([{"a": ["the"], "b": ["a"]}], "(1;%a%) < 0", NEVER),
    "it may be zero": ([{"a": ["the"], "b": ["a"]}], "(1;%a%) > 0", None),
    "a space at the end of a region belongs to the next token": (
        [{"a": ["the dog ", "ran"], "b": ["the dog", "ran"]}],
        "(1;%a%) = (1;%b%)",
        ALWAYS,
    ),
    "which is then another one": (
        [{"a": ["the dog ", "ran"], "b": ["the dog", "ran"]}],
        "(2;%a%) = (2;%b%)",
        None,
    ),
    "the tolerance of = counts": (
        [{"a": ["the"], "b": ["the"]}],
        "(1;%a%) + 0.0005 = (1;%b%)",
        ALWAYS,
    ),
    "parts are no more than the whole": (
        [{"a": ["the", "dog", "ran"], "b": ["a", "dog", "ran"]}],
        "(1;%a%) + (3;%a%) > (*;%a%)",
        NEVER,
    ),
}


@pytest.mark.parametrize("name", ASSUMPTIONS)
def test_assumption(name):
    items, formula, expected = ASSUMPTIONS[name]
    codes = set(codes_of(suite_of(items, [formula]))) & {NEVER, ALWAYS}
    assert codes == ({expected} if expected else set())


@pytest.mark.parametrize("metric", ["mean", "median", "range", "max", "min"])
def test_other_metrics_know_only_equal_texts(metric):
    items = [{"a": ["the dog", "ran", "home"], "b": ["the dog", "ran", "far"]}]
    assert verdicts(suite_of(items, ["(2;%a%) > (2;%b%)"], metric)) == ({(0, 1)}, set())
    # The mean of a longer region may be smaller.
    items = [{"a": ["the dog", "ran"], "b": ["the dog ran", "home"]}]
    assert verdicts(suite_of(items, ["(1;%a%) > (1;%b%)"], metric)) == (set(), set())
    # An empty region has no mean: nothing is claimed.
    items = [{"a": ["the dog", ""], "b": ["the dog", "ran"]}]
    assert verdicts(suite_of(items, ["(2;%a%) < 0"], metric)) == (set(), set())


@pytest.mark.parametrize(("join", "proved"), [("core", True), ("hf", False), ("brainscore", False)])
def test_a_join_that_glues_punctuation_keeps_the_word_open(join, proved):
    # "dog," may be tokenized otherwise than "dog"; with a space before the comma it may not.
    items = [{"a": ["the", "dog", ", ran"], "b": ["the", "dog", "ran"]}]
    never, _ = verdicts(suite_of(items, ["(2;%a%) > (2;%b%)"]), join)
    assert bool(never) is proved


def test_glued_punctuation_still_follows_what_is_before_it():
    items = [{"a": ["the dog", ", ran"], "b": ["the", "dog, ran"]}]
    assert verdicts(suite_of(items, ["(*;%a%) = (*;%b%)"]), "hf") == (set(), {(0, 1)})
    assert verdicts(suite_of(items, ["(1;%b%) > (1;%a%)"]), "hf") == ({(0, 1)}, set())


def test_without_a_joining_space_a_region_is_unfinished_up_to_the_next_space():
    # A token may be "我喜" in one sentence, and "我" and "喜" in another.
    items = [{"a": ["我", "喜", "你"], "b": ["我", "爱", "你"]}]
    formulas = ["(1;%a%) > (1;%b%)", "(1;%a%) < (1;%b%)"]
    assert verdicts(suite_of(items, formulas), "core")[0] == {(0, 1), (1, 1)}
    assert verdicts(suite_of(items, formulas), "none") == (set(), set())
    # Within one sentence the tokens are the same, and a space ends a token.
    assert verdicts(suite_of(items, ["(1;%a%) > (*;%a%)"]), "none") == ({(0, 1)}, set())
    items = [{"a": ["我喜", " 你"], "b": ["我喜", " 爱"]}]
    assert verdicts(suite_of(items, ["(1;%a%) > (1;%b%)"]), "none") == ({(0, 1)}, set())


class ToyModel:
    """A left-to-right model with a vocabulary of random pieces, which cross no space."""

    def __init__(self, seed, letters):
        r = random.Random(seed)
        self.seed = seed
        self.pieces = {"".join(r.choices(letters, k=r.randint(2, 3))) for _ in range(20)}

    def values(self, contents, join):
        sentence = join_regions(contents, join)
        spans, at = [], 0
        while at < len(sentence.text):
            size = next(
                (n for n in (4, 3, 2) if sentence.text[at : at + n].lstrip(" ") in self.pieces), 1
            )
            spans.append((at, at + size))
            at += size
        found = [0.0] * len(contents)
        for region, (start, end) in zip(assign_tokens(spans, sentence), spans, strict=True):
            found[region] += random.Random(f"{self.seed} {start} {sentence.text[:end]}").random()
        return found


@one_of(4)
@pytest.mark.parametrize("join", sorted(JOINS))
@pytest.mark.parametrize("context", ["left-to-right", "any"])
def test_what_is_proved_is_true_of_models_whose_tokens_cross_regions(join, context, every):
    r, claims = random.Random(1), 0
    models = [ToyModel(seed, "我你他书") for seed in range(20)]
    for _ in range(400 // every):
        parts = ["我", "你", "他书", "我你", "", " 他", "书 ", " "]
        base = r.choices(parts, k=3)
        item = {
            name: [part if r.random() < 0.7 else r.choice(parts) for part in base] for name in "ab"
        }
        pick = lambda: f"({r.choice('123*')};%{r.choice('ab')}%)"  # noqa: E731
        left = pick() if r.random() < 0.7 else f"{pick()} + {pick()}"
        text = f"{left} {r.choice('<>')} {pick()}"
        data = suite_of([item], [text])
        found = check_data(data, join=join, models=context).findings
        codes = {finding.code for finding in found} & {NEVER, ALWAYS}
        for model in models if codes else ():
            values = {name: model.values(contents, join) for name, contents in item.items()}

            def value_of(reference, values=values):
                own = values[reference.condition]
                return sum(own) if reference.region is None else own[reference.region - 1]

            claims += 1
            held = evaluate(parse_formula(text).tree, value_of)
            assert held is (ALWAYS in codes), (item, text, codes)
    assert claims > 500 / every


def test_a_repository_of_masked_models_hears_only_what_is_true_of_every_model():
    # A masked model sees that the sentences go on in two ways.
    items = [{"a": ["The dog", "ran"], "b": ["The dog", "runs"]}]
    formulas = ["(1;%a%) > (1;%b%)", "(1;%a%) > (*;%a%)"]
    assert verdicts(suite_of(items, formulas))[0] == {(0, 1), (1, 1)}
    assert verdicts(suite_of(items, formulas), models="any")[0] == {(1, 1)}
    formulas = ["(1;%a%) < (1;%b%) + 1", "(1;%a%) < (*;%a%) + 1"]
    assert verdicts(suite_of(items, formulas))[1] == {(0, 1), (1, 1)}
    assert verdicts(suite_of(items, formulas), models="any")[1] == {(1, 1)}
    same = [{"a": ["The dog", "ran"], "b": ["The dog", "ran"]}]
    assert verdicts(suite_of(same, ["(1;%a%) > (1;%b%)"]), models="any")[0] == {(0, 1)}
    # An empty region adds nothing to the sum over all.
    same = [{"a": ["The dog", "", "ran"], "b": ["The dog", "", "ran"]}]
    for formula in ("(*;%a%) > (*;%b%)", "(2;%a%) > (2;%b%)"):
        assert verdicts(suite_of(same, [formula]), models="any")[0] == {(0, 1)}


def test_the_message_says_of_which_models_it_is_true():
    items = [{"a": ["The dog", "ran"], "b": ["The dog", "runs"]}]
    data = suite_of(items, ["(1;%a%) > (1;%b%)", "(1;%a%) > (*;%a%)"])
    first, second = (f.message for f in check_data(data).findings if f.code == NEVER)
    assert first == second == "prediction can never hold for item 1, with any left-to-right model"
    (message,) = (f.message for f in check_data(data, models="any").findings if f.code == NEVER)
    assert message == "prediction can never hold for item 1, with any model"


def test_no_published_suite_has_such_an_item(shared):

    paths = sorted((shared / "data/suites/published-json").glob("*.json"))
    assert len(paths) == 16
    for path in paths:
        codes = set(codes_of(path))
        assert not codes & {NEVER, ALWAYS}, path.name


def test_a_large_formula_is_left_alone_and_said_so():
    items = [{"a": ["the dog", "ran"], "b": ["the cat", "ran"]}] * 5
    data = suite_of(items, [" & ".join(["(2;%a%) > (2;%b%)"] * 1000)])
    for number, item in enumerate(data["items"]):
        item["item_number"] = number
    report = check_data(data)
    assert not set(codes_of(report)) & {NEVER, ALWAYS}
    assert report.remarks == ("<data>: prediction 1 is too large to analyse",)


def test_a_sum_of_a_thousand_terms_is_analysed_in_time():
    items = [{"a": ["the dog", "ran"], "b": ["the dog", "ran"]}]
    formula = " + ".join(["(1;%a%)"] * 1000) + " > " + " + ".join(["(1;%b%)"] * 1000)
    started = time.process_time()
    assert verdicts(suite_of(items, [formula])) == ({(0, 1)}, set())
    assert time.process_time() - started < 20  # a hang would be minutes


@pytest.mark.parametrize(
    ("formula", "core"),
    [
        # One of three comparisons is false on its own.
        ("(2;%a%) > 0 & (1;%a%) > (1;%b%) & (2;%b%) > 0", {"(1;%a%) > (1;%b%)"}),
        # Two of three contradict each other.
        ("(2;%a%) > (2;%b%) & (1;%a%) > 0 & (2;%a%) < (2;%b%)",
         {"(2;%a%) > (2;%b%)", "(2;%a%) < (2;%b%)"}),
        # Both ways of an `|` are impossible.
        ("((1;%a%) > (1;%b%) | (1;%a%) < (1;%b%)) & (2;%a%) > 0",
         {"(1;%a%) > (1;%b%)", "(1;%a%) < (1;%b%)"}),
        # None of three can be left out.
        ("(2;%a%) > (2;%b%) & (2;%b%) > (1;%a%) & (1;%b%) > (2;%a%)",
         {"(2;%a%) > (2;%b%)", "(2;%b%) > (1;%a%)", "(1;%b%) > (2;%a%)"}),
    ],
)  # fmt: skip
def test_the_smallest_contradiction_is_marked(formula, core, tmp_path):
    items = [{"a": ["the dog", "ran"], "b": ["the dog", "runs"]}]
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(suite_of(items, [formula]), indent=1), encoding="utf-8")
    (finding,) = (f for f in check_file(path).findings if f.code == NEVER)
    line = path.read_text(encoding="utf-8").splitlines()[finding.span.line - 1]
    others = [
        label.span for label in finding.labels if label.text.startswith(("part of", "contradicts"))
    ]
    marked = {line[span.column - 1 : span.end_column - 1] for span in (finding.span, *others)}
    assert marked == core
    assert not any("?" in text for text in finding.helps)


@pytest.mark.parametrize("relation", ["lessthan", "greaterthan"])
def test_triples_are_proved_like_formulas(relation):
    items = [{"a": ["the dog", "ran"], "b": ["the dog", "runs"]}]
    triple = {"region_number": 1, "l_operand": "a", "relation": relation, "r_operand": "b"}
    data = {**suite_of(items, []), "predictions": [triple]}
    (finding,) = (f for f in check_data(data).findings if f.code == NEVER)
    assert finding.pointer == "/predictions/0"
