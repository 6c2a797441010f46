"""The records of finished runs, and the answers and ``run.json`` of one over memory sets."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Producer,
    Result,
    Run,
    Sample,
)
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.converters.records.writer import RECORD_VERSION, Written, write_record
from evalmark.converters.sources.supplied import texts
from evalmark.converters.step import Supplied
from evalmark.memory.converters.ltm_results import about_converse_run, generation_arguments
from evalmark.memory.converters.memory_run import MemoryTest, load_object, run_of_tests
from evalmark.memory.judges.judge_prompt import JudgePrompt
from evalmark.memory.running.conversation import Finished
from evalmark.memory.running.outcome import SCORED, Outcome
from evalmark.memory.running.run_folder import ANSWERS, RUN, describe_run, list_files
from evalmark.memory.sets.set_run import NOTHING, FinishedSets
from evalmark.memory.sets.set_scores import (
    AVERAGED,
    SESSIONS,
    TYPE,
    Answered,
    Recall,
    SetScores,
    TypeScores,
    recall_at,
    recalls,
    scores_of,
)
from evalmark.validator.io.paths import without_links
from evalmark.validator.io.writing import staying_in, write_atomically

#: The rules of these scores.
SET_RULES = "evalmark-sets-1"


def prompt_in(judge: Mapping[str, Any]) -> JudgePrompt:
    """The prompt of the judge that a log names."""
    prompt = judge["prompt"]
    return JudgePrompt(prompt["name"], prompt["prompts"], prompt["accepts"], prompt["rejects"])


def write_answers(finished: FinishedSets) -> None:
    """Write the answers and what they depend on, to the folder of the agent."""
    judge = finished.judge["about"]["model"] if finished.judge else None
    rows = [answer_row(answer, judge) for answer in finished.answered]
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows if row)
    left = {answer.question.id: answer.error for answer in finished.answered if answer.error}
    content = {
        "sets": [
            {
                "name": memory_set.name,
                "sha256": memory_set.sha256,
                "set": memory_set.kind.title,
                "questions": memory_set.size,
                "asked": sum(1 for _ in memory_set.questions),
            }
            for memory_set in finished.sets
        ],
        **({"benchmark": finished.benchmark} if finished.benchmark else {}),
        "agent": dict(finished.agent),
        "told": finished.tellings,
        **({"thoughts": finished.thoughts} if finished.thoughts else {}),
        "asked_as": dict(finished.asked_as),
        "judge": finished.judge,
        "totals": asdict(finished.totals),
        "costs": finished.costs.data(),
        "errors": left,
    }
    with staying_in(finished.home):
        write_atomically(finished.folder / ANSWERS, "".join(lines).encode("utf-8"))
        describe_run(finished.folder, SET_RULES, content)


def answer_row(answer: Answered, judge: str | None) -> dict[str, object]:
    """A line of an answers file; empty without an answer."""
    if answer.reply is None:
        return {}
    row: dict[str, object] = {"question_id": answer.question.id, "hypothesis": answer.reply}
    if answer.accepted is not None:
        row["autoeval_label"] = {"model": judge, "label": answer.accepted}
    return row


def run_of_sets(finished: FinishedSets, source: Producer, model_id: str | None) -> Run:
    """A run over memory sets as records are written from."""
    scores = scores_of(finished.sets, finished.answered)
    agent = finished.agent
    name = without_links(finished.folder).parents[1].name
    details = {key: value for key, value in agent.items() if key != "model"}
    return Run(
        collection=name,
        time=finished.began,
        model=Model(
            id=model_id or agent["model"],
            name=finished.folder.name,
            details=texts({"agent_class": agent.get("kind"), **details}),
        ),
        producer=source,
        results=tuple(
            result for kind_scores in scores for result in _results(kind_scores, finished)
        ),
        samples=tuple(
            sample for kind_scores in scores for sample in _samples(kind_scores, finished)
        ),
        settings=texts(
            run_name=name,
            benchmark=finished.benchmark or None,
            evaluator_version=SET_RULES,
            told=finished.tellings,
            thoughts=finished.thoughts or None,
            asked_as=dict(finished.asked_as),
            left_out=[a.question.id for a in finished.answered if a.reply is None],
            **asdict(finished.totals),
            costs=finished.costs.data(),
        ),
    )


def _results(scores: SetScores, finished: FinishedSets) -> Iterator[Result]:
    arguments = generation_arguments(finished.agent)
    yield from _f1_results(scores, finished, arguments)
    if scores.is_judged and finished.judge is not None:
        yield from _accuracies(scores, finished, arguments)
    for recall in recalls(scores.answers):
        yield Result(
            name=recall_name(scores, recall),
            dataset=_dataset(scores, finished),
            metric=Metric.share(
                f"mean share of the evidence of a question among the first {recall.cutoff} "
                f"{recall.of} that were retrieved; questions without evidence do not count",
                name=f"recall@{recall.cutoff}",
                kind="recall",
            ),
            score=recall.mean,
            uncertainty=mean_uncertainty(recall.values),
            details=texts(questions=len(recall.values), with_all=recall.all, with_any=recall.any),
        )


def _f1_results(
    scores: SetScores, finished: FinishedSets, arguments: Mapping[str, Any]
) -> Iterator[Result]:
    for row in scores.rows:
        metrics = (
            (f1_name(scores), row.f1s, "f1", "F1 of the stems of words shared with the answer"),
            (
                match_name(scores),
                row.exacts,
                "exact_match" if scores.kind.matches is None else "accuracy",
                "share of answers with exactly the expected words"
                if scores.kind.matches is None
                else "share of replies with the right option, or a right and no wrong answer",
            ),
        )
        # A score that all questions have goes before F1, which those with options do not have.
        for name, values, kind, description in (
            metrics if scores.kind.matches is None else reversed(metrics)
        ):
            if values:
                yield Result(
                    name=f"{name}/{row.name}",
                    dataset=_dataset(scores, finished),
                    metric=Metric.share(f"{description}: {row.name}", name=name, kind=kind),
                    score=statistics.fmean(values),
                    uncertainty=mean_uncertainty(values),
                    details=_details(row, len(values)),
                    arguments=arguments,
                )


def f1_name(scores: SetScores) -> str:
    """The name of F1: the set's own is named after it."""
    title = scores.kind.title
    return scores.kind.f1 if scores.kind.f1.startswith(title) else f"{title}: {scores.kind.f1}"


def match_name(scores: SetScores) -> str:
    """The name of the score beside F1."""
    return f"{scores.kind.title}: {scores.kind.match}"


def accuracy_name(scores: SetScores, prompt: JudgePrompt) -> str:
    """The name of the judged accuracy: after the set only by the set's own prompt."""
    is_set_prompt = prompt.as_of(scores.kind.prompts, scores.kind.prompt_tokens) is not None
    title = scores.kind.title
    return f"{title} accuracy" if is_set_prompt else f"{title}: accuracy by {prompt.name}"


def _accuracies(
    scores: SetScores, finished: FinishedSets, arguments: Mapping[str, Any]
) -> Iterator[Result]:
    assert finished.judge is not None
    prompt = prompt_in(finished.judge)
    name = accuracy_name(scores, prompt)
    judging = _judging(finished.judge, prompt, scores)

    def metric(of: str) -> Metric:
        text = f"share of answers that a judge accepts: {of}"
        return Metric.share(text, name=name, kind="accuracy", judging=judging)

    for row in scores.rows:
        if row.labels:
            right = round(sum(row.labels))
            yield Result(
                name=f"{name}/{row.name}",
                dataset=_dataset(scores, finished),
                metric=metric(row.name),
                score=statistics.fmean(row.labels),
                uncertainty=proportion_uncertainty(right, len(row.labels)),
                details=_details(row, len(row.labels)) | texts(accepted=right),
                arguments=arguments,
            )
    averaged = scores.averaged(lambda row: row.labels)
    if averaged is not None:
        yield Result(
            name=f"{name}/{AVERAGED}",
            dataset=_dataset(scores, finished),
            metric=metric(f"mean of {len(scores.types)} types"),
            score=averaged,
            details=texts(types=[row.name for row in scores.types if row.labels]),
            arguments=arguments,
        )


def recall_name(scores: SetScores, recall: Recall) -> str:
    """The name of recall at a cutoff."""
    return f"{scores.kind.title}: recall@{recall.cutoff} of {recall.of}"


def _dataset(scores: SetScores, finished: FinishedSets) -> Dataset:
    loaded_sets = [
        memory_set for memory_set in finished.sets if memory_set.kind.title == scores.kind.title
    ]
    return Dataset(
        scores.kind.title,
        details=texts(
            files=[memory_set.name for memory_set in loaded_sets],
            sha256=[memory_set.sha256 for memory_set in loaded_sets],
            questions=sum(memory_set.size for memory_set in loaded_sets),
            asked=len(scores.answers),
        ),
    )


def _details(row: TypeScores, count: int) -> dict[str, str]:
    """The numbers of questions behind a mean."""
    return texts(
        types=row.types,
        questions=len(row.answers),
        counted=count,
        part=None if row.part == TYPE else row.part,
        without_answer=row.errors or None,
    )


def _judging(judge: Mapping[str, Any], prompt: JudgePrompt, scores: SetScores) -> dict[str, object]:
    """``llm_scoring``: the judge, its prompts and its settings."""
    about = judge["about"]
    used = prompt.as_of(scores.kind.prompts, scores.kind.prompt_tokens) or prompt
    others = {key: value for key, value in about.items() if key != "model"}
    model = {"name": about["model"], "id": about["model"], "additional_details": texts(others)}
    return {
        "judges": [
            {
                "model_info": model,
                "temperature": 0.0,
                "additional_details": texts(max_tokens=used.max_tokens),
            }
        ],
        "input_prompt": "\n\n".join(f"[{kind}]\n{text}" for kind, text in prompt.prompts.items()),
        "additional_details": texts(
            prompt=prompt.name,
            prompt_sha256=prompt.data()["sha256"],
            accepts=prompt.accepts,
            rejects=None if used.is_lenient else prompt.rejects,
            without_answer=NOTHING,
        ),
    }


def _samples(scores: SetScores, finished: FinishedSets) -> Iterator[Sample]:
    """A sample for each question and metric, in the order of results."""
    names = {name: scores.kind.label(name) for row in scores.rows for name in row.types}
    for answer in scores.answers:
        metrics = ((f1_name(scores), answer.f1), (match_name(scores), answer.exact))
        # As in the results: what is first is what comparisons pool.
        for name, score in metrics if scores.kind.matches is None else reversed(metrics):
            if score is not None:
                label = names[answer.question.type]
                yield _sample(answer, f"{name}/{label}", score, finished)
    judged = accuracy_name(scores, prompt_in(finished.judge)) if finished.judge else ""
    for answer in scores.answers if judged else ():
        if answer.accepted is not None:
            name = f"{judged}/{names[answer.question.type]}"
            yield _sample(answer, name, float(answer.accepted), finished)
    for recall in recalls(scores.answers):
        for answer in scores.answers:
            share = recall_at(answer, recall.of, recall.cutoff)
            if share is not None:
                yield _sample(answer, recall_name(scores, recall), share, finished)


def _sample(answer: Answered, name: str, score: float, finished: FinishedSets) -> Sample:
    question, reply = answer.question, answer.reply or ""
    read, written = answer.tokens
    return Sample(
        result=name,
        id=question.id,
        raw=finished.asked_as[answer.kind.title].replace("{question}", question.text),
        reference=() if question.expected is None else (question.expected,),
        output=(reply,),
        correct=score == 1,
        score=score,
        answers=(Answer(0, "output.raw", reply, "whole output"),),
        usage=(read, written, read + written),
        milliseconds=answer.seconds * 1000,
        metadata=texts(
            history=question.history,
            type=answer.kind.label(question.type),
            answerable=False if question.has_none else None,
            date=question.stated_date or None,
            f1=answer.f1,
            exact_match=answer.exact,
            accepted=answer.accepted,
            judge_said=answer.why or None,
            evidence=question.turns or question.sessions or None,
            retrieved=None if answer.retrieved is None else list(answer.retrieved),
            session_recall=recall_at(answer, SESSIONS, len(answer.retrieved or ())),
        ),
    )


def write_conversation_record(
    finished: Finished | FinishedSets,
    source: Producer,
    *,
    model_id: str | None = None,
    version: str = RECORD_VERSION,
) -> Written:
    """Write a run's record and samples to ``records/<agent>``; replace its earlier record."""
    place = finished.home / "records" / finished.folder.name
    with staying_in(finished.home):
        place.mkdir(parents=True, exist_ok=True)
        run = (
            run_of_sets(finished, source, model_id)
            if isinstance(finished, FinishedSets)
            else _run_of_outcomes(finished, source, model_id)
        )
        written = write_record(run, place, version=version)
        list_files(finished.home, finished.folder, (written.record, written.samples))
    return written


def _run_of_outcomes(finished: Finished, source: Producer, model_id: str | None) -> Run:
    supplied = {
        "/model_info/id": model_id,
        "/source_metadata/source_organization_name": source.organization,
        "/source_metadata/evaluator_relationship": source.relationship,
    }
    about = about_converse_run(
        load_object(finished.folder / RUN),
        load_object(finished.home / "definitions" / "config.json"),
        load_object(finished.folder / "runstats.json"),
        finished.folder,
        Supplied(values={key: value for key, value in supplied.items() if value is not None}),
    )
    scored = [_test(outcome) for outcome in finished.outcomes if outcome.state == SCORED]
    # In the order of their files, as an importer reads them.
    return run_of_tests(sorted(scored, key=lambda t: (t.dataset, f"{t.id}_0.json")), about)


def _test(outcome: Outcome) -> MemoryTest:
    example = outcome.example
    return MemoryTest(
        example.dataset_name, example.example_id, outcome.result(), example.definition()
    )
