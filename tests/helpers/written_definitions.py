"""Definitions of tests that evalmark does not make, as targets of a run."""

import json

JOKES = ("My clock joined a choir.", "I bought a map of nowhere.", "A comma took a long walk.")
NAMES = ("Ada", "Bela", "Carmen", "Dara", "Edith")


def jokes(home, count=3):
    """Temporal tests: the question is written when it is asked; a judge decides about wordings."""
    waits = [{"percentage_finished": share, "time": 40_000} for share in (30, 60, 90)]
    return _written(
        home / "Jokes", count, script=[*JOKES], is_question=[False, False, False, True],
        waits=[*waits, {}], expected=lambda number: [JOKES[number % 3]], is_temporal=True,
    )  # fmt: skip


def names(home, count=3):
    """Tests of a name that changes, which rules decide."""
    waits = [{"percentage_finished": 45}, {"percentage_finished": 90}, {}]

    def script(number):
        return [f"My name is {NAMES[number % 5]}.", f"Call me {NAMES[(number + 1) % 5]} now.",
                "What is my name?"]  # fmt: skip

    return _written(
        home / "Names", count, script=script, is_question=[False, False, True], waits=waits,
        expected=lambda number: [NAMES[(number + 1) % 5]],
    )  # fmt: skip


def _written(folder, count, *, script, expected, is_temporal=False, **rest):
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(count):
        definition = {
            "script": script(number) if callable(script) else script,
            "expected_responses": expected(number),
            "can_be_interleaved": True,
            "is_temporal": is_temporal,
            "uses_callback": False,
            **rest,
        }
        (folder / f"{number}.def.json").write_text(json.dumps(definition))
    return str(folder)
