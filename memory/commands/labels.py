"""``evalmark memory judge``: a judge on answers that people have judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from evalmark.cli.settings import settings
from evalmark.memory.agents.agent import Completer
from evalmark.memory.agents.completers import named_judge
from evalmark.memory.commands.agents import say_withheld
from evalmark.memory.commands.score_tables import shown
from evalmark.memory.interface.user_code import look_in_current_folder
from evalmark.memory.judges.judge_prompt import ChecklistPrompt, read_prompt
from evalmark.memory.judges.labelled_answers import Agreement, agreements, read_labels, rulings
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.plain_table import plain_table, print_table
from evalmark.validator.io.terminal import CLEAN, FOUND, counting, put, say, tell

_NUMBERS = (
    "answers", "agreement", "95 % interval", "kappa", "95 % interval", "wrongly accepted",
    "wrongly rejected", "no verdict",
)  # fmt: skip


def judge_labels(
    paths: Sequence[Path], judge: Completer, prompt: Path | None, *, as_json: bool
) -> int:
    """Ask a judge about the answers of files, and print how far it agrees; the exit code.

    Raises:
        UsageError: The prompt cannot be used.
        ScoringError: A file cannot be used, or the judge does not reply.
    """
    answers = [answer for path in paths for answer in read_labels(path)]
    asks = read_prompt(prompt) if prompt else ChecklistPrompt()
    with counting("judging", "answers") as progress:
        ruled = rulings(judge, answers, asks, progress or (lambda *_: None))
    rows = agreements(answers, ruled)
    if as_json:
        both = zip(answers, ruled, strict=True)
        put(
            {
                "judge": dict(judge.about),
                "prompt": {"name": asks.name, **asks.data()},
                "agreement": [row.data() for row in rows],
                "answers": [{**asdict(answer), **asdict(ruling)} for answer, ruling in both],
            }
        )
    else:
        _print(judge, rows)
    if missing := rows[-1].no_verdict:
        are = "verdict is" if missing == 1 else "verdicts are"
        say(f"note: {missing} {are} missing: --format json has the reasons")
    return FOUND if missing else CLEAN


def named_in_call(name: str | None, url: str | None, key: str | None, device: str) -> Completer:
    """The judge of the call, or the one of the settings.

    Raises:
        UsageError: There is none.
    """
    look_in_current_folder(name)  # not for a name in settings
    if name is None and url is None:
        config = settings("memory.judge", "memory.judge-url")
        name, url = config.judge, config.judge_url
    else:
        settings()  # says what is not used
    say_withheld((url, key, "--key-env "))
    judge = named_judge(name, url=url, key=key, device=device, seed=0)
    if judge is None:
        raise UsageError("no judge: give --judge, or set EVALMARK_JUDGE")
    return judge


def _print(judge: Completer, rows: Sequence[Agreement]) -> None:
    host = f" at {judge.about['host']}" if "host" in judge.about else ""
    tell(f"judge {judge.about['model']}{host}, against people")
    table = plain_table(("question type",), _NUMBERS)
    for row in rows:
        table.add_row(
            row.type,
            str(row.answers),
            shown(row.agreement),
            _range(row.interval),
            shown(row.kappa),
            _range(row.kappa_interval),
            str(row.wrongly_accepted),
            str(row.wrongly_rejected),
            str(row.no_verdict or ""),
        )
    print_table(table)


def _range(interval: tuple[float, float] | None) -> str:
    return "-" if interval is None else f"{interval[0]:.2f} to {interval[1]:.2f}"
