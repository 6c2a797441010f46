"""``memory run`` and ``memory rescore`` on memory sets: output, files and exit codes."""

import json

import pytest
from conftest import FIXTURES, edited
from evalmark.memory.judges.judge_prompt import JudgePrompt, read_prompt
from evalmark.memory.sets.set_files import load_set
from evalmark.memory.sets.set_scores import (
    SESSIONS,
    TURNS,
    Answered,
    Recall,
    recall_at,
    recalls,
    unknown_ids,
)
from evalmark.schemas.errors import NotJudged, UsageError
from hypothesis import given
from hypothesis import strategies as st
from test_journey import AGENT

GOOD = FIXTURES / "good/memory"
LOCOMO, LONGMEMEVAL = GOOD / "locomo.json", GOOD / "longmemeval.json"
SETTINGS = '[record]\norganization = "Us"\nrelationship = "other"\nversion = "0.3.0"\n'
SEARCH = AGENT.replace("found[:5]", "found[:2]")
PICKY = """
class Picky:
    asked = 0

    def complete(self, messages, *, temperature, max_tokens):
        Picky.asked += 1
        return "yes" if Picky.asked == 1 else "perhaps"
"""


@pytest.fixture
def here(here):
    for name, reply in (("yes", "yes"), ("no", "Well, no."), ("odd", "perhaps")):
        (here / f"{name}.json").write_text(json.dumps({"default": reply}))
    (here / "search.py").write_text(SEARCH)
    (here / "evalmark.toml").write_text(SETTINGS)
    return here


# converse


def test_a_script_is_run_over_a_set(run, here):
    done = run("evalmark", "memory", "run", LOCOMO, "--agent", "yes.json", "--out", "run")
    assert (done.code, done.err.count("wrote")) == (0, 3)
    assert "LoCoMo: locomo.json\n" in done.out
    assert "answerable (categories 1, 2, 3, 4)" in done.out
    assert run("evalmark", "check", "run").err == "Checked 3 files: no findings.\n"
    again = run("evalmark", "memory", "run", LOCOMO, "--agent", "yes.json", "--out", "run")
    assert again.out == done.out


def test_an_agent_that_answers_nothing_wins_nowhere(run, here):
    """One definition of the total: answerable questions; the others stand beside it everywhere."""
    with edited(LOCOMO, here / "set.json") as data:
        last = data["qa"][-1]
        assert last["category"] == 5
        data["qa"] += [{**last, "question": f"{last['question']} ({n})"} for n in range(20)]
    (here / "mute.json").write_text(json.dumps({"default": "not mentioned"}))
    replies = {q["question"]: str(q["answer"]) for q in data["qa"] if "answer" in q}
    (here / "knows.json").write_text(json.dumps({"replies": replies, "default": "Captain"}))
    total, beside = "answerable (categories 1, 2, 3, 4)", "category 5 (adversarial)"
    for name in ("mute", "knows"):
        done = run("evalmark", "memory", "run", "set.json", "--agent", f"{name}.json", "--out",
                   name)  # fmt: skip
        lines = [line[:41].strip() for line in done.out.splitlines()]
        assert lines.index(beside) == lines.index(total) + 1
        assert not [line for line in lines if line.startswith("all ")]
    found = json.loads(run("evalmark", "compare", "mute", "knows", "--format", "json").out)
    pooled, own = found["pooled"], json.loads(
        run("evalmark", "memory", "run", "set.json", "--agent", "knows.json", "--out", "knows",
            "--format", "json").out
    )  # fmt: skip
    rows = {row["name"]: row for row in own["sets"][0]["rows"]}
    assert pooled["items"] == rows[total]["questions"]
    assert pooled["second"] == pytest.approx(rows[total]["f1"])
    assert pooled["first"] < pooled["second"]
    assert found["beside"] == [f"LoCoMo F1/{beside}"]
    assert (rows[total]["part"], rows[beside]["part"]) == ("total", "beside")
    said = run("evalmark", "compare", "mute", "knows")
    assert "note: not pooled: questions that their history does not answer (LoCoMo F1/" in said.err
    assert run("evalmark", "report", "mute", "knows", "--out", "page.html").code == 0
    page = (here / "page.html").read_text("utf-8")
    assert page.count(f"<span>LoCoMo F1/{total}</span>") == 2, "the same total is the headline"
    assert f"<strong>{100 * rows[total]['f1']:.1f} %</strong>" in page
    assert page.index(f'<th scope="row">LoCoMo F1/{total}') < page.index(
        f'<th scope="row">LoCoMo F1/{beside}'
    )
    assert "average score of" not in page


def test_a_retrieval_system_is_run_over_a_set_and_its_recall_measured(run, here):
    done = run(
        "evalmark", "memory", "run", LOCOMO, "--agent", "search.py:Search", "--out", "run",
        "--judge", "no.json", "--format", "json", code=0,
    )  # fmt: skip
    data = json.loads(done.out)
    (scores,) = data["sets"]
    assert [(one["of"], one["cutoff"]) for one in scores["recall"]] == [
        ("sessions", 1), ("sessions", 3), ("turns", 1), ("turns", 3),
    ]  # fmt: skip
    assert scores["recall"][-1]["questions"] == 4
    assert scores["questions"][0]["retrieved"][0].startswith("D")
    assert [row["accuracy"] for row in scores["rows"]] == [0] * 6
    assert run("evalmark", "check", "run", "--profile", "eee").code == 0


def test_one_history_is_told_again_where_an_agent_cannot_go_back(run, here):
    (here / "least.py").write_text(
        "class Least:\n    def reply(self, text):\n        return text\n"
    )
    done = run("evalmark", "memory", "run", LOCOMO, "--agent", "least.py:Least", "--out", "run")
    assert done.code == 0, done.err
    assert "so it is told the whole history again for each question: up to 5 times" in done.err
    done = run("evalmark", "memory", "run", LONGMEMEVAL, "--agent", "least.py:Least", "--out", "2")
    assert "again" not in done.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("names", "--type", "2"), "--type is for memory sets"),
        (("names", "--judge-prompt", "p.txt"), "--judge-prompt is for memory sets"),
        ((LOCOMO, "names"), "names is not a memory set; memory sets are run by themselves"),
        ((LOCOMO, "--type", "6"), "unknown type of question '6'; expected one of: 1, 2, 3, 4, 5"),
        ((LOCOMO, "--judge-prompt", "p.txt"), "--judge-prompt needs a --judge"),
    ],
)
def test_what_does_not_fit_is_refused_before_anything_is_written(run, here, arguments, said):
    (here / "p.txt").write_text("{question} {response}")
    done = run("evalmark", "memory", "run", *arguments, "--agent", "yes.json", "--out", "run")
    assert (done.code, said in done.err) == (2, True), done.err
    assert not (here / "run").exists()


@pytest.mark.parametrize(("first", "second"), [(LOCOMO, "kv"), ("kv", LOCOMO)])
def test_a_run_of_tests_and_one_of_sets_do_not_replace_each_other(run, here, first, second):
    command = ("--agent", "yes.json", "--out", "run")
    run("evalmark", "memory", "run", first, *command)
    (log,) = here.rglob("conversation.jsonl")
    before = log.read_bytes()
    done = run("evalmark", "memory", "run", second, *command)
    assert (done.code, "is from another run" in done.err) == (2, True)
    assert log.read_bytes() == before


def test_answers_without_a_verdict_are_named(run, here):
    command = ("evalmark", "memory", "run", LONGMEMEVAL, "--agent", "yes.json", "--out", "run")
    assert run(*command).code == 0
    run(*command, "--judge", "odd.json", code=1)
    rows = [json.loads(line) for line in next(here.rglob("answers.jsonl")).read_text().splitlines()]
    assert not any("autoeval_label" in row for row in rows)
    assert run(*command, "--judge", "yes.json").code == 2  # another judge
    assert run(*command).code == 0


def test_reasons_why_answers_were_not_judged_are_counted(run, here):
    (here / "judge.py").write_text(PICKY)
    command = ("evalmark", "memory", "run", LONGMEMEVAL, "--agent", "yes.json", "--out", "run")
    done = run(*command, "--judge", "judge.py:Picky")
    (line,) = [line for line in done.out.splitlines() if line.startswith("not judged: ")]
    assert line.startswith("not judged: 2: ")


def test_entries_that_cannot_be_used_are_named_and_the_others_run(run, here):
    with edited(LONGMEMEVAL, here / "set.json") as data:
        del data[1]["answer"]
    done = run("evalmark", "memory", "run", "set.json", "--agent", "yes.json", "--out", "run")
    assert done.code == 2
    assert "not run: 1 of 3 entries of set.json: MT101 `answer` is missing" in done.err
    assert ["answerable", "2"] in [line.split()[:2] for line in done.out.splitlines()]


def test_a_judged_record_of_0_3_0_describes_its_judge(run, here):
    (here / "good.json").write_text(json.dumps({"default": json.dumps(
        {"contains": "yes", "contradicts": "no", "beside_the_point": "no", "why": "so"}
    )}))  # fmt: skip
    run("evalmark", "memory", "run", "jokes", "--agent", "yes.json", "--judge", "good.json",
        "--out", "run", code=0)  # fmt: skip
    assert run("evalmark", "check", "run", "--profile", "eee").code == 0


# rescore


def test_answers_are_scored_again_with_their_labels(run, here):
    done = run("evalmark", "memory", "rescore", GOOD / "judged.jsonl", "--set", LONGMEMEVAL, code=0)
    assert "labels of gpt-4o-2024-08-06" in done.out
    assert "average of types" in done.out


@pytest.mark.parametrize(
    ("numbers", "code"), [((0, 1, 2), 0), ((0, 1), 1), ((0, 1, 2, 3), 1), ((0, 1, 2, 2), 1)]
)
def test_each_question_has_exactly_one_answer(run, here, numbers, code):
    rows = [
        *(GOOD / "judged.jsonl").read_text().splitlines(),
        '{"question_id": "x", "hypothesis": "y"}',
    ]
    (here / "some.jsonl").write_text("".join(f"{rows[number]}\n" for number in numbers))
    assert run("evalmark", "memory", "rescore", "some.jsonl", "--set", LONGMEMEVAL).code == code


def test_answers_of_a_run_are_scored_to_the_same_numbers(run, here):
    command = ("evalmark", "memory", "run", LOCOMO, "--agent", "yes.json", "--out", "run")
    rows = json.loads(run(*command, "--judge", "no.json", "--format", "json").out)["sets"][0][
        "rows"
    ]
    answers = next(here.rglob("answers.jsonl"))
    done = run("evalmark", "memory", "rescore", answers, "--set", LOCOMO, "--format", "json")
    (found,) = json.loads(done.out)["files"]
    assert (done.code, found["sets"][0]["rows"], found["judges"]) == (0, rows, {"evalmark/no": 5})


def test_missing_extra_and_duplicate_answers_are_listed(run, here):
    lines = [
        {"question_id": "q1", "hypothesis": "Nimbus"},
        {"question_id": "q9", "hypothesis": "x"},
        {"question_id": "q1", "hypothesis": "wrong"},
    ]
    (here / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    command = ("evalmark", "memory", "rescore", "a.jsonl", "--set", LONGMEMEVAL)
    done = run(*command, code=1)
    assert done.out.splitlines()[-3:] == [
        "missing: 2 questions without an answer: q2_abs and q3",
        "extra: no such question: q9 in line 2",
        "duplicate: the first answer counts: q1 in line 3",
    ]
    (found,) = json.loads(run(*command, "--format", "json").out)["files"]
    assert found["missing"] == ["q2_abs", "q3"]
    assert found["sets"][0]["rows"][0]["exact_match"] == 1
    (here / "list.json").write_text(json.dumps(lines))
    assert run("evalmark", "memory", "rescore", "list.json", "--set", LONGMEMEVAL).out == done.out


def test_a_line_that_is_not_an_answer_costs_itself(run, here):
    (here / "a.jsonl").write_text('{"question_id": "q1", "hypothesis": "Nimbus"}\n{"q": 1}\n{\n')
    done = run("evalmark", "memory", "rescore", "a.jsonl", "--set", LONGMEMEVAL, code=2)
    assert done.err.count("not an answer; `evalmark check` says more") == 2
    rows = [line.split()[:3] for line in done.out.splitlines()]
    assert ["single-session-user", "1", "1.000"] in rows


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.jsonl",), "a.jsonl is a file: to score answers, name their set with --set"),
        (("a.jsonl", "--set", "a.jsonl"), "a.jsonl is not a memory set"),
        (("a.jsonl", "--set", LOCOMO), "ids are like 'locomo/1'; the answers have ids like 'q1'"),
        (("a.jsonl", "--set", LOCOMO, "--rules", "ltm-3"), "--rules is for runs"),
    ],
)
def test_what_cannot_be_scored_is_said_with_the_way_out(run, here, arguments, said):
    (here / "a.jsonl").write_text('{"question_id": "q1", "hypothesis": "Nimbus"}\n')
    done = run("evalmark", "memory", "rescore", *arguments)
    assert (done.code, said in done.err) == (2, True), done.err


def test_the_folder_of_a_run_leads_to_its_answers(run, here):
    run("evalmark", "memory", "run", LOCOMO, "--agent", "yes.json", "--out", "run")
    done = run("evalmark", "memory", "rescore", "run")
    (answers,) = here.rglob("answers.jsonl")
    said = f"is of a run over memory sets: name {answers.relative_to(here)} and its set"
    assert (done.code, said in done.err) == (2, True), done.err


# prompts


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("p.txt", "x", "the prompt 'default' has no {question} and {response}"),
        ("p.txt", "{question}", "has no {response}"),
        ("p.json", "[]", "not a prompt file"),
        ("p.json", "{", "cannot be read"),
        ("p.json", "{}", "has no prompts"),
        ("p.json", '{"prompts": 3}', "has no prompts"),
        ("p.json", '{"default": 3}', "are texts"),
        ("p.json", '{"prompts": "{} {} {}", "accepts": "a b"}', "are one word each"),
        ("p.json", '{"prompts": "{} {} {}", "accepts": 1}', "are texts"),
    ],
)
def test_a_prompt_file_that_cannot_be_used_is_refused(tmp_path, name, text, said):
    (tmp_path / name).write_text(text)
    with pytest.raises(UsageError, match=said.replace("{", r"\{")):
        read_prompt(tmp_path / name)


@pytest.mark.parametrize(
    ("reply", "accepted"),
    [
        ("yes", True), ("Yes.", True), ("**No**", False), ("no, although yes", False),
        ("The answer is yes", True), ("It is right", None), ("either yes or no", None),
        ("nothing", None), ("", None),
    ],
)  # fmt: skip
def test_a_verdict_is_the_first_word_or_the_only_one(reply, accepted):
    prompt = JudgePrompt("p", {"default": "{question} {response}"})
    if accepted is None:
        with pytest.raises(NotJudged):
            prompt.verdict(reply)
    else:
        assert prompt.verdict(reply)[0] is accepted


@given(st.text(), st.text(), st.text())
def test_a_prompt_holds_what_it_is_about_literally(question, answer, response):
    prompt = JudgePrompt("p", {"default": "<{question}|{answer}|{response}|{other}>"})
    text = prompt.text("any", question, answer, response, has_none=False)
    assert text == f"<{question}|{answer}|{response}|{{other}}>"


# retrieval


def answered(question, retrieved):
    one = load_set(LOCOMO)
    (history,) = one.histories
    return Answered(one.kind, history.questions[question], "x", retrieved=retrieved,
                    session_of=history.session_of)  # fmt: skip


@pytest.mark.parametrize(
    ("retrieved", "of", "cutoff", "recall"),
    [  # the evidence is D2:1 and D2:3
        (("D2:3", "D1:1", "D2:1"), TURNS, 1, 0.5), (("D2:3", "D1:1", "D2:1"), TURNS, 3, 1),
        (("D2:3", "D2:3", "D2:1"), TURNS, 2, 1), (("D1:1", "D2:3"), SESSIONS, 1, 0),
        (("D1:1", "D1:2", "D2:3"), SESSIONS, 2, 1), (("session_2",), SESSIONS, 1, 1),
        (("session_2",), TURNS, 1, 0), (("none", "session_2"), SESSIONS, 1, 0),
        ((), SESSIONS, 1, 0),
    ],
)  # fmt: skip
def test_recall_is_the_share_of_evidence_among_the_first(retrieved, of, cutoff, recall):
    assert recall_at(answered(1, retrieved), of, cutoff) == recall


def test_all_and_some_evidence_are_shares_of_questions():
    recall = Recall(TURNS, 5, (1.0, 0.5, 0.0, 1.0))
    assert (recall.mean, recall.all, recall.any) == (0.625, 0.5, 0.75)


def test_questions_without_an_answer_do_not_count_and_unknown_ids_are_counted():
    assert recall_at(answered(4, ("D1:3",)), TURNS, 1) is None
    assert recall_at(answered(1, None), TURNS, 1) is None
    assert recalls([answered(4, ("D1:3",))]) == []
    assert unknown_ids([answered(1, ("D9:9", "D2:1"))]) == ["D9:9"]
    assert {one.of for one in recalls([answered(1, ("session_2",))])} == {SESSIONS}


def test_conversations_are_listed_test_by_test(json_of, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.json").write_text('{"default": "Red"}')
    words = ("memory", "run", "colours", "--agent", "agent.json", "--out", "run")
    data, said = json_of(*words, "--examples", "2")
    assert [test["state"] for test in data["tests"]] == ["scored", "scored"]
    assert data["totals"]["tokens"] > 0
    assert f"wrote {data['written'][0]}" in said
    again, _ = json_of("memory", "rescore", "run")
    assert [test["test"] for test in again["tests"]] == [test["test"] for test in data["tests"]]
    assert [test["again"] for test in again["tests"]] == [test["score"] for test in data["tests"]]
    assert {test["agent"] for test in again["tests"]} == {"ScriptedAgent - evalmark__agent"}
