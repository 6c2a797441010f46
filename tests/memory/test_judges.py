"""A judge asked about answers that people have judged: verdicts, endpoints, classes, mistakes."""

import json

import pytest
from endpoint import Endpoint, forever, said
from evalmark.memory.agents.agent import Completion
from evalmark.memory.evaluation.llm_judge import checklist, is_checklist
from evalmark.memory.judges.judge_prompt import ChecklistPrompt
from evalmark.memory.judges.labelled_answers import ALL, LabelledAnswer, agreements, rulings
from evalmark.schemas.errors import AgentError, ScoringError
from scripted import ACCEPTED

REJECTED = ACCEPTED.replace("yes", "no")


class Odd:
    """Says nothing about one question, and does not reply to another."""

    def __init__(self):
        self.about = {"kind": "Odd", "model": "test/odd"}
        self.asked = 0

    def complete(self, messages, *, temperature, max_tokens):
        assert (temperature, max_tokens) == (0, 512)
        self.asked += 1
        text = messages[-1]["content"]
        if "Question: late" in text:
            raise AgentError("out of time")
        return Completion("well" if "Question: odd" in text else ACCEPTED)


def test_rows_are_by_type_and_what_has_no_verdict_is_in_no_share():
    answers = [
        LabelledAnswer("a", "one", "x", "x", person=True),
        LabelledAnswer("a", "one", "x", "y", person=False),
        LabelledAnswer("b", "odd", "x", "x", person=True),
        LabelledAnswer("b", "late", "x", "x", person=True),
        LabelledAnswer("b", "two", "x", "x", person=True),
        LabelledAnswer("b", "two", "x", "x", person=True),
    ]
    judge, counts = Odd(), []
    ruled = rulings(judge, answers, ChecklistPrompt(), lambda *count: counts.append(count))
    assert judge.asked == 5, "equal answers are judged once"
    assert counts == [(number, 6) for number in range(1, 7)]
    rows = {row.type: (row.counts, row.no_verdict) for row in agreements(answers, ruled)}
    assert rows == {
        "a": ((1, 0, 1, 0), 0), "b": ((2, 0, 0, 0), 2), ALL: ((3, 0, 1, 0), 2)
    }  # fmt: skip
    assert [ruling.why for ruling in ruled[2:4]] == [
        "the judge's answer cannot be parsed: 'well'", "no reply: out of time",
    ]  # fmt: skip


def test_a_judge_that_never_replies_is_not_asked_about_everything():
    judge = Odd()
    answers = [LabelledAnswer("a", "late", "x", str(n), person=True) for n in range(9)]
    with pytest.raises(ScoringError, match="the judge does not reply: out of time"):
        rulings(judge, answers, ChecklistPrompt())
    assert judge.asked == 3


# prompts


def test_a_prompt_is_known_by_its_template_whatever_the_texts_are():
    prompt = checklist("{x}?", "Reply: y\nExpected answer: z", "{answer}")
    assert is_checklist([{"role": "user", "content": prompt}])
    for other in ("", prompt[1:], f"{prompt} ", prompt.replace("\nReply: ", "\n")[:200]):
        assert not is_checklist([{"role": "user", "content": other}])
    assert not is_checklist([{"role": "user", "content": prompt}] * 2)


# the command


@pytest.fixture
def here(here):
    (here / "yes.json").write_text(json.dumps({"default": ACCEPTED}))
    (here / "people.csv").write_text(
        "question,answer,expected,verdict\nWhere?,Porto,Porto,yes\nWhere?,Leiden,Porto,no\n"
    )
    return here


def test_a_judge_at_an_endpoint_and_its_missing_verdicts(run, here, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")

    def replies():
        yield 200, said("I would say so.")
        yield from forever(ACCEPTED)

    with Endpoint(replies()) as endpoint:
        done = run("evalmark", "memory", "judge", "people.csv", "--judge", "maker/judge",
                   "--judge-url", endpoint.url)  # fmt: skip
    assert done.code == 1
    assert "judge maker/judge at 127.0.0.1, against people" in done.out
    assert done.err == "note: 1 verdict is missing: --format json has the reasons\n"
    assert len(endpoint.seen) == 2
    assert "sk-secret" not in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("people.csv",), "no judge: give --judge, or set EVALMARK_JUDGE"),
        (("missing.csv", "--judge", "yes.json"), "missing.csv"),
        (("people.csv", "--judge", "no_such_module:Judge"), "no module no_such_module"),
        (("people.csv", "--judge", "json:dumps"), "json:dumps"),
    ],
)
def test_what_cannot_be_judged_is_said_in_one_sentence(refused, here, arguments, says):
    said = refused("evalmark", "memory", "judge", *arguments)
    assert says in said
    assert len(said.splitlines()) == 1


def test_the_judge_of_the_settings_is_measured(run, here):
    (here / "evalmark.toml").write_text('[memory]\njudge = "yes.json"\n')
    assert "judge evalmark/yes" in run("evalmark", "memory", "judge", "people.csv", code=0).out


def test_a_class_of_ones_own_that_fails_is_named(refused, here):
    (here / "failing_judge.py").write_text(
        "class Fails:\n    def complete(self, messages, **settings):\n        return 1 / 0\n"
        "class Odd:\n    def complete(self, messages, **settings):\n        return 5\n"
    )
    for name, says in (("Fails", "ZeroDivisionError"), ("Odd", "returned 5, not a text")):
        said = refused(
            "evalmark", "memory", "judge", "people.csv", "--judge", f"failing_judge:{name}"
        )
        assert says in said


def test_a_run_can_have_the_same_judges(run, here):
    (here / "strict_judge.py").write_text(
        f"class Strict:\n    def complete(self, messages, **_):\n        return {REJECTED!r}\n"
    )
    (here / "agent.json").write_text('{"default": "It was a good joke."}')
    for judge, score in (("yes.json", 1), ("strict_judge:Strict", 0)):
        folder = here / f"run-{score}"
        run("evalmark", "memory", "run", "jokes", "--agent", "agent.json", "--judge", judge,
            "--out", folder, code=0)  # fmt: skip
        path = next(p for p in (folder / "records").rglob("*.json"))
        (result, _) = json.loads(path.read_text())["evaluation_results"]
        assert result["score_details"]["score"] == score
        (about,) = result["metric_config"]["llm_scoring"]["judges"]
        name = {1: "evalmark/yes", 0: "strict_judge:Strict"}[score]
        assert about["model_info"]["id"] == name
        assert run("evalmark", "check", folder).out == ""


def test_the_demo_model_is_too_small_to_judge_and_says_so(refused, here, torch):
    rows = "".join(f"Where?,{number},Porto,yes\n" for number in range(3))
    (here / "people.csv").write_text(f"question,answer,expected,verdict\n{rows}")
    said = refused(
        "evalmark", "memory", "judge", "people.csv", "--judge", "demo", "--device", "cpu"
    )
    assert "the judge does not reply: messages of" in said
    assert "do not fit into a context window of 256" in said
