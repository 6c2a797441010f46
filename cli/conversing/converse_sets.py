"""``evalmark converse`` on memory sets."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict
from pathlib import Path

from evalmark.cli.checking import UnusedFiles
from evalmark.cli.conversing.set_table import print_scores
from evalmark.conversations.agents.agent import Agent, Completer
from evalmark.conversations.judges.judge_prompt import SET_PROMPT, JudgePrompt, read_prompt
from evalmark.conversations.record import (
    accuracy_name,
    prompt_in,
    scores_of,
    write_answers,
    write_conversation_record,
)
from evalmark.conversations.sets.set_agents import can_go_back
from evalmark.conversations.sets.set_files import LoadedSet, load_sets, narrowed
from evalmark.conversations.sets.set_run import FinishedSets, SetJudge, run_sets
from evalmark.conversations.sets.set_scores import SetScores, scores_data
from evalmark.converters.records.record_version import version_line
from evalmark.converters.records.run import UNSTATED, Producer
from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.terminal import CLEAN, FOUND, counting, put_json, say, tell
from evalmark.validator.findings.report import Failed

#: What costs time where an agent cannot go back.
TOLD_AGAIN = (
    "the agent has no `save` and `load`, so it is told the whole history again for each question"
)


def chosen_sets(
    targets: Sequence[str],
    failed: Failed,
    types: Collection[str] | None,
    most: int | None,
    judge_prompt: Path | None,
) -> list[LoadedSet]:
    """The sets among what is to be run, with the questions that are asked; none if it is tests.

    Raises:
        UsageError: There are sets and tests, or options that only sets have.
        UnknownNameError: No question is of a type.
    """
    sets = load_sets(targets, failed)
    if not sets and types:
        raise UsageError("--type is for memory sets")
    if not sets and judge_prompt is not None:
        raise UsageError("--judge-prompt is for memory sets")
    return narrowed(sets, types or (), most)


def prompt_of(path: Path | None, judge: Completer | None) -> JudgePrompt:
    """The prompt of a file, or ours.

    Raises:
        UsageError: There is a prompt but no judge, or the file cannot be used.
    """
    if path is None:
        return SET_PROMPT
    if judge is None:
        raise UsageError("--judge-prompt needs a --judge")
    return read_prompt(path)


def converse_sets(
    sets: Sequence[LoadedSet],
    agent: Agent,
    out: Path,
    *,
    judge: Completer | None,
    prompt: JudgePrompt,
    retry: bool,
    thoughts: str,
    unused: UnusedFiles,
    source: Producer,
    model_id: str | None,
    version: str,
    output_format: str,
    quiet: bool,
) -> int:
    """Run sets, print the scores and write the files; the exit code."""
    if not can_go_back(agent) and any(len(h.questions) > 1 for s in sets for h in s.histories):
        say(f"note: {TOLD_AGAIN}")
    with counting("asking", "questions", resumes=True, patience=0) as progress:
        finished = run_sets(
            sets, agent, out, judge=SetJudge(judge, prompt) if judge else None,
            retry=retry, thoughts=thoughts, progress=progress,
        )  # fmt: skip
    scores = scores_of(finished)
    if output_format != "json" and not quiet:
        _print(scores, finished)
    files = _write(finished, source, model_id, version)
    if output_format == "json":
        put_json(
            {
                "sets": [scores_data(one) for one in scores],
                "totals": asdict(finished.totals),
                "written": list(map(str, files)),
                "not_run": unused.data(),
            }
        )
    code = unused.say()
    failed = any(answer.reply is None for answer in finished.answered)
    unjudged = judge and any(a.accepted is None for a in finished.answered if a.reply is not None)
    return max(code, FOUND if failed or unjudged else CLEAN)


def _print(scores: Sequence[SetScores], finished: FinishedSets) -> None:
    for number, one in enumerate(scores):
        if number:
            tell("")
        name = accuracy_name(one, prompt_in(finished.judge)) if finished.judge else "accuracy"
        print_scores(one, name.removeprefix(f"{one.kind.title}: "))
    if finished.thoughts:
        say(f"note: thoughts: {finished.thoughts}")
    totals = finished.totals
    read, written = totals.input_tokens, totals.output_tokens
    cost = f"{totals.agent_cost + totals.judge_cost:.2f} USD"
    tell("")
    tell(f"{read} tokens read, {written} written, {cost}, {totals.seconds:.0f} s")
    if finished.judge is None and any(one.kind.prompts for one in scores):
        say("note: for the accuracy that a judge gives, run the same command with --judge")


def _write(
    finished: FinishedSets, source: Producer, model_id: str | None, version: str
) -> tuple[Path, ...]:
    """Write answers and record; what was written."""
    write_answers(finished)
    files: tuple[Path, ...] = (finished.folder,)
    if any(answer.f1 is not None or answer.accepted is not None for answer in finished.answered):
        if not source.is_stated:
            say(f"note: {UNSTATED}")
        written = write_conversation_record(finished, source, model_id=model_id, version=version)
        files = (written.record, written.samples, finished.folder)
    for path in files:
        say(f"wrote {path}")
    if len(files) > 1:
        say(version_line(version))
    return files
