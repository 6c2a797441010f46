"""Judges measured: planted answers, judges of known error rates, and two judges side by side."""

from __future__ import annotations

import csv
import io
import json
import math
from dataclasses import dataclass, replace
from random import Random

import pytest
from conftest import FIXTURES
from evalmark.conversations.agents.agent import Completion
from evalmark.conversations.conversation import Conversation, converse
from evalmark.conversations.evaluation.llm_judge import CHECKLIST, checklist, template_of
from evalmark.conversations.evaluation.texts import standard
from evalmark.conversations.judges.judging_report import ALL, judging_report, report_data
from evalmark.conversations.judges.run_answers import run_answers
from evalmark.conversations.judges.synthetic_answers import (
    EVASIVE,
    NEAR,
    PARTLY,
    PLANTED,
    RIGHT,
    VAGUE,
    GivenAnswer,
    QuestionSet,
    planted,
    read_questions,
)
from evalmark.converters.statistics.proportions import wilson_interval
from evalmark.schemas.errors import AgentError, ScoringError
from hypothesis import given
from hypothesis import strategies as st
from test_agents import Endpoint, forever, said
from test_conversations import Parrot

ACCEPT = json.dumps({"contains": "yes", "contradicts": "no", "beside_the_point": "no"})
REJECT = json.dumps({"contains": "no", "contradicts": "no", "beside_the_point": "no"})


def question(text, answer, type_="fact", **rest):
    found = QuestionSet()
    found.add(type_, text, answer, **rest)
    return found.questions[0]


def made(*answers, seed=0, **rest):
    """Question number → kind → planted answer."""
    questions = [question(f"Question {i}?", answer, **rest) for i, answer in enumerate(answers)]
    return kinds_of(planted(questions, seed))


def kinds_of(answers):
    found = {}
    for answer in answers:
        found.setdefault(answer.question, {})[answer.kind] = answer.reply
    return list(found.values())


def holds(reply, text):
    return f" {standard(text)} " in f" {standard(reply)} "


# planted answers


def test_each_of_our_own_questions_gets_answers_and_no_wrong_one_holds_the_right_one():
    own = read_questions([]).questions
    assert len(own) == 40
    for seed in range(20):
        for asked, kinds in zip(own, kinds_of(planted(own, seed)), strict=True):
            assert {RIGHT, EVASIVE} <= kinds.keys() <= set(PLANTED)
            right = kinds[RIGHT]
            assert holds(right, asked.answer), right
            for kind in {NEAR, VAGUE, EVASIVE} & kinds.keys():
                assert not holds(kinds[kind], asked.answer), (asked, kinds[kind])
            assert standard(kinds.get(PARTLY, "")) != standard(right)


def test_half_a_list_or_a_hedge_is_partly_right():
    first, second, third, fourth = made(
        ["salt", "milk", "rice", "soap"], "Ghent, Lille and Metz", "Harlech", "5 June 2024"
    )
    assert sum(holds(first[PARTLY], part) for part in ("salt", "milk", "rice", "soap")) == 2
    assert sum(holds(second[PARTLY], part) for part in ("Ghent", "Lille", "Metz")) == 1
    for kinds, answer in ((third, "Harlech"), (fourth, "5 June 2024")):
        assert holds(kinds[PARTLY], answer)
        assert "not sure which" in kinds[PARTLY]


@pytest.mark.parametrize(
    "answer",
    ["Yes, because she likes to read", "15 days; 16 days are right too", "a, and she left"],
)
def test_half_of_what_is_no_list_may_be_a_whole_answer_and_is_not_planted(answer):
    kinds, *_ = made(answer, "something else")
    assert answer in kinds[PARTLY] or "not sure which" in kinds[PARTLY] or len(answer) < 16


@given(st.integers(10, 3000), st.integers(1, 28), st.integers())
def test_a_near_date_has_one_neighbouring_number_and_a_day_stays_one(year, day, seed):
    (kinds,) = made(f"{day} May {year}", seed=seed)
    numbers = [int(word) for word in standard(kinds[NEAR]).split() if word.isdecimal()]
    steps = sorted(abs(new - old) for new, old in zip(numbers, (day, year), strict=True))
    assert steps[0] == 0
    assert 1 <= steps[1] <= 3
    assert 1 <= numbers[0] <= 28


@pytest.mark.parametrize(
    ("answer", "wrong"), [("yes", "no"), ("No, never", "yes"), ("Likely no", "yes")]
)
def test_the_opposite_of_yes_is_no(answer, wrong):
    (kinds,) = made(answer)
    assert holds(kinds[NEAR], wrong)


def test_a_near_miss_is_the_answer_to_a_question_that_asks_for_the_same():
    questions = [
        question("Where do I live?", "Metz"),
        question("Where was I born?", "Lille"),
        question("How old is Ada?", "almost ninety"),
        question("Is Ada old?", "yes"),
    ]
    for seed in range(10):
        home, birth, age, _ = kinds_of(planted(questions, seed))
        assert holds(home[NEAR], "Lille")
        assert holds(birth[NEAR], "Metz")
        assert NEAR not in age, "neither a place nor a yes is nearly an age"


def test_a_near_miss_of_a_set_is_said_elsewhere_or_by_the_other_speaker():
    found = read_questions([FIXTURES / "good/memory/locomo.json"]).questions
    answers = [a for a in planted(found, 0) if a.kind == NEAR]
    assert answers
    for answer in answers:
        assert not holds(answer.reply, answer.expected)


def test_a_vague_answer_has_the_topic_and_nothing_else():
    (kinds,) = kinds_of(planted([question("Where is the boat of my aunt?", "Harlech")], 0))
    assert "the boat of my aunt" in kinds[VAGUE]


def test_a_question_without_answer_in_its_history_gets_no_evasive_answer_which_would_be_right():
    questions = [
        question("Where is the cat?", "It was not said.", unanswerable=True),
        question("Where is Ada?", "in Metz"),
    ]
    first, second = kinds_of(planted(questions, 0))
    assert first.keys() == {RIGHT, NEAR}
    assert holds(first[NEAR], "in Metz")
    # Another question's "not said" would not be wrong, but evasive.
    assert NEAR not in second


@given(
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), max_size=6),
    st.integers(),
)
def test_planting_depends_on_seed_and_set_only_and_whatever_the_texts(answers, seed):
    found = QuestionSet()
    for number, answer in enumerate(answers):
        found.add("t", f"{number}?", answer)
    answers = planted(found.questions, seed)
    assert answers == planted(found.questions, seed)
    assert len({(answer.question, answer.kind) for answer in answers}) == len(answers)


# where questions come from


def test_questions_of_definitions_have_the_type_of_their_dataset():
    found = read_questions([FIXTURES / "good/ltm/definitions"])
    by_type = {asked.type: asked for asked in found.questions}
    assert by_type["Colours"].question == "What is my favourite colour?"
    assert by_type["Colours"].answer == "blue"
    assert len(by_type["NameList"].parts) > 1, "several answers to one question"
    assert found.without_answer > 0, "a message in a quote's place is not an answer to ask about"


def test_questions_of_other_sets_are_found_wherever_they_are(tmp_path):
    locomo = {"qa": [
        {"question": "Who?", "answer": "Ada", "category": 1, "evidence": ["D1:1"]},
        {"question": "When?", "answer": 2022, "category": 2},
        {"question": "What not?", "adversarial_answer": "x", "category": 5},
    ]}  # fmt: skip
    longmemeval = [
        {"question_id": "a", "question_type": "temporal-reasoning", "question": "How many?",
         "answer": "3", "haystack_sessions": [[{"role": "user", "content": "question"}]]},
        {"question_id": "b_abs", "question_type": "multi-session", "question": "Which?",
         "answer": "Not said."},
    ]  # fmt: skip
    for name, data in (("1.json", locomo), ("2.json", longmemeval)):
        (tmp_path / name).write_text(json.dumps(data))
    found = read_questions([tmp_path / "1.json", tmp_path / "2.json"])
    assert [(asked.type, asked.answer, asked.unanswerable) for asked in found.questions] == [
        ("category 1", "Ada", False), ("category 2", "2022", False),
        ("temporal-reasoning", "3", False), ("multi-session", "Not said.", True),
    ]  # fmt: skip
    assert found.without_answer == 1
    drawn = replace(found).some(1, seed=3).questions
    assert len(drawn) == 4


@pytest.mark.parametrize("text", ["{", "[]", '{"question": ""}', '{"question": "Who?"}', "5"])
def test_a_file_without_questions_is_an_error_of_one_sentence(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(ScoringError, match=r"x\.json"):
        read_questions([tmp_path / "x.json"])


# a judge of known error rates

RATES = {RIGHT: 0.03, NEAR: 0.37, VAGUE: 0.2, PARTLY: 0.63, EVASIVE: 0.1}


@dataclass
class Erring:
    """A judge that errs as often as it is told, by kind of answer."""

    answers: list[GivenAnswer]
    seed: int
    about = {"kind": "Erring", "model": "test/erring"}  # noqa: RUF012

    def __post_init__(self):
        rng = Random(self.seed)
        self.replies = {}
        for answer in self.answers:
            right = answer.should_be_accepted is not (rng.random() < RATES[answer.kind])
            prompt = checklist(answer.question, answer.reply, answer.expected)
            self.replies[prompt] = ACCEPT if right else REJECT

    def complete(self, messages, *, temperature, max_tokens):
        assert (temperature, max_tokens) == (0, 512)
        return Completion(self.replies[messages[-1]["content"]])


def coverage(rate, answers):
    """How often Wilson's interval covers a share, from the binomial distribution."""
    return math.fsum(
        math.comb(answers, k) * rate**k * (1 - rate) ** (answers - k)
        for k in range(answers + 1)
        if (ends := wilson_interval(k / answers, answers))[0] <= rate <= ends[1]
    )


def test_the_intervals_cover_the_true_rates_as_often_as_they_say():
    """Over 250 seeds of judge and answers; tolerance: three standard errors of what is exact."""
    seeds, number = 250, 50
    questions = [question(f"Where is the box of room {i}?", f"thing{i}") for i in range(number)]
    covered = dict.fromkeys(RATES, 0)
    for seed in range(seeds):
        answers = planted(questions, seed)
        report = judging_report([Erring(answers, seed)], answers, seed=seed)
        for row in report.shares[0]:
            if row.type == ALL:
                assert (row.answers, row.no_verdict) == (number, 0)
                lower, upper = row.interval
                covered[row.kind] += lower <= 1 - RATES[row.kind] <= upper
    for kind, rate in RATES.items():
        exact = coverage(1 - rate, number)
        assert exact > 0.93, "what the interval says is 95 %"
        assert abs(covered[kind] / seeds - exact) <= 3 * math.sqrt(exact * (1 - exact) / seeds), (
            kind
        )


def test_rows_are_by_kind_and_type_and_what_has_no_verdict_is_in_no_share():
    class Odd:
        about = {"kind": "Odd", "model": "test/odd"}  # noqa: RUF012

        def complete(self, messages, *, temperature, max_tokens):
            text = messages[-1]["content"]
            if "Question: late" in text:
                raise AgentError("out of time")
            return Completion("well" if "Question: odd" in text else ACCEPT)

    answers = [
        GivenAnswer("a", RIGHT, "one", "x", "x"), GivenAnswer("a", NEAR, "one", "x", "y"),
        GivenAnswer("b", RIGHT, "odd", "x", "x"), GivenAnswer("b", RIGHT, "late", "x", "x"),
        GivenAnswer("b", RIGHT, "two", "x", "x"),
    ]  # fmt: skip
    report = judging_report([Odd()], answers, seed=0)
    rows = {(r.kind, r.type): (r.answers, r.no_verdict, r.count) for r in report.shares[0]}
    assert rows == {
        (RIGHT, "a"): (1, 0, 1), (RIGHT, "b"): (1, 2, 1), (RIGHT, ALL): (2, 2, 2),
        (NEAR, "a"): (1, 0, 0), (NEAR, ALL): (1, 0, 0),
    }  # fmt: skip
    assert [ruling.why for ruling in report.rulings[0][2:4]] == [
        "the judge's answer cannot be parsed: 'well'", "no reply: out of time",
    ]  # fmt: skip


def test_a_judge_that_never_replies_is_not_asked_about_everything():
    class Dead:
        about = {"kind": "Dead", "model": "test/dead"}  # noqa: RUF012
        asked = 0

        def complete(self, messages, *, temperature, max_tokens):
            Dead.asked += 1
            raise AgentError("401: no such key")

    with pytest.raises(ScoringError, match="the judge does not reply: 401: no such key"):
        judging_report([Dead()], planted(read_questions([]).questions, 0))
    assert Dead.asked == 3


def test_progress_counts_each_answer_of_each_judge_also_one_that_was_judged_before():
    answer = GivenAnswer("a", RIGHT, "one", "x", "x")
    counts = []
    judging_report(
        [Fixed({"x"}), Fixed(set())], [answer, answer],
        progress=lambda done, count: counts.append((done, count)),
    )  # fmt: skip
    assert counts == [(1, 4), (2, 4), (3, 4), (4, 4)]


# two judges


class Fixed:
    """Accepts the replies that it is told to."""

    def __init__(self, accepted):
        self.accepted = accepted
        self.about = {"kind": "Fixed", "model": f"test/{len(accepted)}"}

    def complete(self, messages, *, temperature, max_tokens):
        reply = messages[-1]["content"].partition("Reply: ")[2].partition("\n")[0]
        return Completion(ACCEPT if reply in self.accepted else REJECT)


def test_two_judges_agree_by_type_and_what_they_disagree_about_is_listed():
    answers = [GivenAnswer("ab"[i % 2], "", f"{i}?", "x", str(i)) for i in range(10)]
    report = judging_report([Fixed("012345"), Fixed("0123678")], answers)
    rows = {row.type: row for row in report.pairs}
    assert rows[ALL].counts == (4, 2, 3, 1)
    assert (rows["a"].counts, rows["b"].counts) == ((2, 1, 2, 0), (2, 1, 1, 1))
    assert rows[ALL].agreement == 0.5
    assert rows[ALL].kappa == pytest.approx((0.5 - 0.54) / 0.46)
    found = [(a.question, one.accepted, other.accepted) for a, one, other in report.disagreements]
    assert found == [
        ("4?", True, False), ("5?", True, False), ("6?", False, True), ("7?", False, True),
        ("8?", False, True),
    ]  # fmt: skip
    data = report_data(report)
    assert data["prompt"]["text"] == CHECKLIST
    assert [v["accepted"] for v in data["answers"][4]["verdicts"]] == [True, False]
    json.dumps(data)


def test_the_answers_of_a_run_are_those_of_scored_and_unscored_tests(tmp_path):
    converse(["colours", "trigger_response"], Parrot(), tmp_path / "run", Conversation(examples=2))
    skipped = []
    answers = run_answers(tmp_path / "run", skipped.append)
    assert {answer.type for answer in answers} == {"Colours", "Trigger Response"}
    assert {answer.kind for answer in answers} == {""}
    assert skipped == []
    assert next((tmp_path / "run").rglob("unscored/*/*.json"))
    with pytest.raises(ScoringError, match="not a folder of results"):
        run_answers(tmp_path, skipped.append)


def test_a_result_that_cannot_be_used_costs_its_own_answers_only(run, here):
    converse(["colours", "names"], Parrot(), here / "run", Conversation(examples=2))
    broken = sorted((here / "run").glob("results/*/*/*_0.json"))
    broken[0].write_text("{")
    broken[1].write_text('{"task_log": 5}')
    done = run("evalmark", "judge", "run", "--judge", "yes.json", "--format", "json")
    assert done.code == 2
    assert len(json.loads(done.out)["answers"]) == 2
    assert len(done.err.splitlines()) == 2
    assert all(str(path.relative_to(here)) in done.err for path in broken[:2])


# prompts


def test_a_prompt_is_known_by_its_template_whatever_the_texts_are():
    prompt = checklist("{x}?", "Reply: y\nExpected answer: z", "{answer}")
    assert template_of([{"role": "user", "content": prompt}]) == CHECKLIST
    for other in ("", prompt[1:], f"{prompt} ", prompt.replace("\nReply: ", "\n")[:200]):
        assert template_of([{"role": "user", "content": other}]) is None
    assert template_of([{"role": "user", "content": prompt}] * 2) is None


# the command


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "yes.json").write_text(json.dumps({"default": ACCEPT}))
    (tmp_path / "no.json").write_text(json.dumps({"default": REJECT}))
    return tmp_path


def test_two_scripts_side_by_side(run, here):
    done = run("evalmark", "judge", "--planted", "--judge", "yes.json", "--judge", "no.json",
               "--format", "json")  # fmt: skip
    assert (done.code, done.err) == (0, "")
    data = json.loads(done.out)
    assert [about["model"] for about in data["judges"]] == ["evalmark/yes", "evalmark/no"]
    assert data["settings"] == {"temperature": 0, "max_tokens": 512}
    shares = {(r["judge"], r["kind"]): r["share"] for r in data["shares"] if r["type"] == "all"}
    assert shares == {(judge, kind): float((kind == RIGHT) is (judge == 0))
                      for judge in (0, 1) for kind in PLANTED}  # fmt: skip
    (everything,) = [row for row in data["pairs"] if row["type"] == "all"]
    assert (everything["only_first"], everything["agreement"], everything["kappa"]) == (169, 0, 0)


def test_the_table_names_some_disagreements_and_says_how_many_there_are(run, here):
    done = run("evalmark", "judge", "--planted", "--judge", "yes.json", "--judge", "no.json")
    assert done.out.count("only the first accepts (") == 20
    assert "149 more disagreements; --format json has all answers" in done.out


def test_csv_has_a_row_for_each_line_and_no_formula(run, here):
    (here / "set.json").write_text(
        json.dumps([{"question": "What?", "answer": "x", "question_type": "=1+1"}])
    )
    done = run("evalmark", "judge", "--planted", "set.json", "--judge", "yes.json", "--judge",
               "no.json", "--format", "csv")  # fmt: skip
    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert {row["type"] for row in rows} == {"'=1+1", "all"}
    assert [row["kappa"] for row in rows if row["other_judge"]] == ["0.0", "0.0"]


def test_a_judge_at_an_endpoint_and_its_missing_verdicts(run, here, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")

    def replies():
        yield 200, said("I would say so.")
        yield from forever(ACCEPT)

    with Endpoint(replies()) as endpoint:
        done = run("evalmark", "judge", "--planted", "--examples", "1", "--judge", "maker/judge",
                   "--judge-url", endpoint.url)  # fmt: skip
    assert done.code == 1
    assert "judge maker/judge at 127.0.0.1" in done.out
    assert "1 without a verdict" in done.err
    assert "I would say so." in done.err
    assert len(endpoint.seen) == 5 * 4
    assert "sk-secret" not in done.out + done.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "nothing to judge: give --planted, or the folder of a finished run"),
        (("--planted",), "no judge: give --judge, or set EVALMARK_JUDGE"),
        (("--planted", *["--judge", "yes.json"] * 3), "3 judges: at most two"),
        (("--planted", "--judge", "yes.json", "--judge-url", "http://x/v1"), "no --judge is one"),
        (("--planted", "--judge", "a", "--judge", "b", *["--judge-url", "http://x"] * 3),
         "3 --judge-url for 2 judges at endpoints"),
        (("--planted", "missing.json", "--judge", "yes.json"), "missing.json"),
        (("nowhere", "--judge", "yes.json"), "nowhere is not a folder of results"),
        (("--planted", "--judge", "no_such_module:Judge"), "no module no_such_module"),
        (("--planted", "--judge", "json:dumps"), "json:dumps"),
        (("yes.json", "--examples", "3", "--judge", "yes.json"), "--examples is for --planted"),
    ],
)  # fmt: skip
def test_what_cannot_be_judged_is_said_in_one_sentence(run, here, arguments, says):
    done = run("evalmark", "judge", *arguments)
    assert (done.code, done.out) == (2, "")
    assert says in done.err
    assert len(done.err.splitlines()) == 1


def test_the_judge_of_the_settings_is_measured(run, here):
    (here / "evalmark.toml").write_text('[converse]\njudge = "yes.json"\n')
    done = run("evalmark", "judge", "--planted", "--examples", "1")
    assert done.code == 0, done.err
    assert "judge evalmark/yes" in done.out


def test_a_class_of_ones_own_that_fails_is_named(run, here):
    (here / "failing_judge.py").write_text(
        "class Fails:\n    def complete(self, messages, **settings):\n        return 1 / 0\n"
        "class Odd:\n    def complete(self, messages, **settings):\n        return 5\n"
    )
    for name, says in (("Fails", "ZeroDivisionError"), ("Odd", "returned 5, not a text")):
        done = run("evalmark", "judge", "--planted", "--judge", f"failing_judge:{name}")
        assert (done.code, done.out) == (2, "")
        assert says in done.err


def test_a_run_can_have_the_same_judges(run, here):
    (here / "strict_judge.py").write_text(
        f"class Strict:\n    def complete(self, messages, **settings):\n        return {REJECT!r}\n"
    )
    (here / "agent.json").write_text('{"default": "It was a good joke."}')
    for judge, score in (("yes.json", 1), ("strict_judge:Strict", 0)):
        folder = here / f"run-{score}"
        done = run("evalmark", "converse", "jokes", "--script", "agent.json", "--judge", judge,
                   "--out", folder, "--organization", "Us", "--relationship", "other")  # fmt: skip
        assert done.code == 0, done.err
        path = next(p for p in (folder / "records").rglob("*.json"))
        (result, _) = json.loads(path.read_text())["evaluation_results"]
        assert result["score_details"]["score"] == score
        (about,) = result["metric_config"]["llm_scoring"]["judges"]
        name = {1: "evalmark/yes", 0: "strict_judge:Strict"}[score]
        assert about["model_info"]["id"] == name
        assert run("evalmark", "check", folder).out == ""


def test_the_demo_model_is_too_small_to_judge_and_says_so(run, here):
    pytest.importorskip("torch")
    done = run("evalmark", "judge", "--planted", "--judge", "demo", "--device", "cpu")
    assert (done.code, done.out) == (2, "")
    assert "the judge does not reply: messages of" in done.err
    assert "do not fit into a context window of 256" in done.err
