"""Judges of a run: scripts and classes; which prompt is ours; mistakes."""

import json

from evalmark.memory.evaluation.llm_judge import checklist, is_checklist
from scripted import ACCEPTED
from written_definitions import jokes

REJECTED = ACCEPTED.replace("yes", "no")


def test_a_prompt_is_known_by_its_template_whatever_the_texts_are():
    prompt = checklist("{x}?", "Reply: y\nExpected answer: z", "{answer}")
    assert is_checklist([{"role": "user", "content": prompt}])
    for other in ("", prompt[1:], f"{prompt} ", prompt.replace("\nReply: ", "\n")[:200]):
        assert not is_checklist([{"role": "user", "content": other}])
    assert not is_checklist([{"role": "user", "content": prompt}] * 2)


def test_a_judge_is_a_script_or_a_class(run, here):
    (here / "yes.json").write_text(json.dumps({"default": ACCEPTED}))
    (here / "strict_judge.py").write_text(
        f"class Strict:\n    def complete(self, messages, **_):\n        return {REJECTED!r}\n"
    )
    (here / "agent.json").write_text('{"default": "It was a good joke."}')
    for judge, score in (("yes.json", 1), ("strict_judge:Strict", 0)):
        folder = here / f"run-{score}"
        run("evalmark", "memory", jokes(here / "of"), "--agent", "agent.json", "--judge", judge,
            "--out", folder, code=0)  # fmt: skip
        path = next(p for p in (folder / "records").rglob("*.json"))
        (result, _) = json.loads(path.read_text())["evaluation_results"]
        assert result["score_details"]["score"] == score
        (about,) = result["metric_config"]["llm_scoring"]["judges"]
        name = {1: "evalmark/yes", 0: "strict_judge:Strict"}[score]
        assert about["model_info"]["id"] == name
        assert run("evalmark", "check", folder).out == ""


def test_a_class_of_ones_own_that_fails_is_named(run, here):
    (here / "agent.json").write_text('{"default": "It was a good joke."}')
    (here / "failing_judge.py").write_text(
        "class Fails:\n    def complete(self, messages, **settings):\n        return 1 / 0\n"
        "class Odd:\n    def complete(self, messages, **settings):\n        return 5\n"
    )
    for name, says in (("Fails", "ZeroDivisionError"), ("Odd", "returned 5, not a text")):
        done = run("evalmark", "memory", jokes(here / "of", 1), "--agent", "agent.json", "--judge",
                   f"failing_judge:{name}", "--out", name, code=1)  # fmt: skip
        assert says in done.out
