"""Results of lighteval with details: three tasks of two samples, one of them in two parts.

    python lighteval_results.py FOLDER

lighteval's own loggers aggregate and write; the scores of the samples are given, since its metrics
and models need data sets of the hub.
"""

from __future__ import annotations

import sys
from typing import Any

from lighteval.logging.evaluation_tracker import EvaluationTracker
from lighteval.metrics.metrics import Metrics
from lighteval.models.dummy.dummy_model import DummyModelConfig
from lighteval.models.model_output import ModelResponse
from lighteval.tasks.lighteval_task import LightevalTask, LightevalTaskConfig
from lighteval.tasks.requests import Doc

#: Question, choices, and the answer with its score.
SAMPLES = (("Sky?", ["blue", "red"], "blue", 1.0), ("Snow?", ["white"], "grey", 0.0))


def prompt(line: dict[str, Any], name: str) -> Doc:
    return Doc(query=line["q"], choices=line["c"], gold_index=line["g"], task_name=name)


def task_of(name: str) -> LightevalTask:
    config = LightevalTaskConfig(
        name=name,
        prompt_function=prompt,
        hf_repo=f"example/{name.split(':')[0]}",
        hf_subset="default",
        metrics=[Metrics.exact_match],
        evaluation_splits=["test"],
        hf_avail_splits=["train", "test"],
        generation_size=16,
        stop_sequence=["\n"],
        version=1,
        original_num_docs=3,
        effective_num_docs=2,
    )
    return LightevalTask(config)


def main(folder: str) -> None:
    tracker = EvaluationTracker(output_dir=folder, save_details=True)
    tracker.general_config_logger.log_args_info(1, 3, "")
    model = DummyModelConfig(seed=7, model_name="example/tiny")
    tracker.general_config_logger.log_model_info(model)
    tasks = {f"{name}|0": task_of(name) for name in ("colours", "sums:easy", "sums:hard")}
    for name in tasks:
        for number, (question, choices, answer, score) in enumerate(SAMPLES):
            doc = Doc(
                query=f"{question} {name.removesuffix('|0')}",
                choices=choices,
                gold_index=0,
                task_name=name,
                id=str(number),
                generation_size=16,
            )
            response = ModelResponse(
                input=question,
                text=[answer],
                input_tokens=[1, 2],
                output_tokens=[[3]],
                logprobs=[-0.5],
            )
            metrics = {"em": 0.0 if name == "sums:hard|0" else score}
            tracker.details_logger.log(name, doc, response, metrics)
            tracker.metrics_logger.log(name, metrics)
        tracker.versions_logger.log(name, 1)
    tracker.task_config_logger.log(tasks)
    tracker.metrics_logger.aggregate(task_dict=tasks, bootstrap_iters=100)
    tracker.details_logger.aggregate()
    tracker.general_config_logger.log_end_time()
    tracker.save()


if __name__ == "__main__":
    main(sys.argv[1])
