"""What the document on datasets of one's own shows is what the program does."""

import json

import pytest
from document import code_in


@pytest.mark.conforms("D-1", "D-9", "D-11", "D-26", "D-45")
def test_the_datasets_of_the_how_to_run_and_score(run, here, monkeypatch):
    """All its Python, in one file; a scripted, a callback and a dynamic dataset."""
    (here / "my_tests.py").write_text("\n".join(code_in("your-own-dataset.md", "python")))
    script = {"replies": {}, "default": "Ahoy! June, August, March, December; 1, 2, 3."}
    (here / "agent.json").write_text(json.dumps(script))
    monkeypatch.syspath_prepend(here)
    (command,) = code_in("your-own-dataset.md", "sh")
    words = command.split()
    assert words[:2] == ["evalmark", "memory"]
    targets = [word for word in words if word.startswith("my_tests:")]
    for right, default in ((True, script["default"]), (False, "I do not know.")):
        (here / "agent.json").write_text(json.dumps({"default": default}))
        done = run(
            "evalmark", "memory", *targets, "--agent", "agent.json", "--out",
            f"run-{right}",
        )  # fmt: skip
        assert done.code == 0, done.err + done.out
        rows = {line.split()[0]: line.split()[2] for line in done.out.splitlines()[1:4]}
        score = "1.000" if right else "0.000"
        assert rows == dict.fromkeys(("Birthdays", "Guess", "Later"), score)
        assert run("evalmark", "check", f"run-{right}").code == 0
