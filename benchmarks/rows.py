"""How fast the rows of a sample file are checked, beside Every Eval Ever's own row check.

Makes a record of version 0.3.0 and its sample file: four fifths single turns, one fifth
conversations of six turns, some 3 KB each, with right hashes, checksum, number of rows and score.
Contestants, each a process of its own:

- evalmark: record and rows with all default rules (schema, links, hashes, duplicates, checksum,
  aggregate), as many processes as there are processors, and with one;
- Every Eval Ever's ``validate_instance_file`` (``--eee PYTHON``, of an environment that has
  ``every-eval-ever``; it needs Python 3.12): schema of each row, no hash, no checksum;
- limit: read, split, SHA-256 and ``orjson.loads`` of each row, and nothing else.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks._measure import measured, print_table

EEE = """
import sys
from pathlib import Path
from every_eval_ever.validator.validation_core import validate_instance_file
report = validate_instance_file(Path(sys.argv[1]))
sys.exit(0 if report.valid else 2)
"""
LIMIT = """
import gc, hashlib, sys
import orjson
gc.disable()
digest = hashlib.sha256()
with open(sys.argv[1], "rb") as file:
    while lines := file.readlines(1 << 20):
        for line in lines:
            digest.update(line)
            orjson.loads(line)
"""
RESULT = "accuracy on example"
#: Where the record lies below a datastore; its samples are beside it.
PLACE = "data/example/maker/model-1/0b6f1f0e-1111-4a6b-8f00-000000000005"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--eee", type=Path, help="Python that has every-eval-ever")
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        record, rows = write_samples(Path(home), options.megabytes * 1_000_000)
        samples = record.with_name(f"{record.stem}_samples.jsonl")
        size = samples.stat().st_size / 1e6
        print(f"{rows} rows, {size:.0f} MB")
        evalmark = [str(Path(sys.executable).parent / "evalmark"), "check", str(record)]
        commands = {
            "evalmark check": evalmark,
            "evalmark check --jobs 1": [*evalmark, "--jobs", "1"],
            "limit": [sys.executable, "-c", LIMIT, str(samples)],
        }
        if options.eee:
            commands["Every Eval Ever, rows"] = [str(options.eee), "-c", EEE, str(samples)]
        found = measured(commands, options.rounds)
    for name, took in found.items():
        print(f"{name:26} {rows / took.wall:8.0f} rows/s, {size / took.wall:5.0f} MB/s")
    print_table(found, "evalmark check")
    return 0


def write_samples(home: Path, size: int) -> tuple[Path, int]:
    """A record and its sample file of about ``size`` bytes; the record, and the number of rows."""
    r = random.Random(0)
    words = ["".join(r.choices("etaoinshrdlucm", k=r.randrange(2, 9))) for _ in range(2000)]
    digest, rows, correct, written = hashlib.sha256(), 0, 0, 0
    samples, record = home / f"{PLACE}_samples.jsonl", home / f"{PLACE}.json"
    record.parent.mkdir(parents=True)
    with samples.open("wb") as file:
        while written < size:
            right = r.random() < 0.7
            line = json.dumps(row(r, words, rows, right)).encode() + b"\n"
            file.write(line)
            digest.update(line)
            rows, correct, written = rows + 1, correct + right, written + len(line)
    record.write_text(json.dumps(aggregate(rows, correct / rows, digest.hexdigest()), indent=2))
    return record, rows


def row(r: random.Random, words: list[str], number: int, right: bool) -> dict[str, Any]:
    def text(count: int) -> str:
        return " ".join(r.choices(words, k=count))

    question, answer = text(90), text(2)
    wanted = {"raw": question, "reference": [answer]}
    compact = json.dumps(wanted, sort_keys=True, separators=(",", ":"))
    data: dict[str, Any] = {
        "schema_version": "0.3.0",
        "evaluation_id": "example/maker_model-1/1760000000",
        "model_id": "maker/model-1",
        "evaluation_name": RESULT,
        "evaluation_result_id": "accuracy",
        "sample_id": f"sample-{number}",
        "sample_hash": hashlib.sha256(compact.encode()).hexdigest(),
        "interaction_type": "single_turn",
        "input": {**wanted, "formatted": f"{text(40)}\n\nQ: {question}\nA:", "choices": [text(3)]},
        "answer_attribution": [
            {
                "turn_idx": 0,
                "source": "output.raw",
                "extracted_value": answer,
                "extraction_method": "regex",
                "is_terminal": True,
            }
        ],
        "evaluation": {"score": float(right), "is_correct": right},
        "token_usage": {"input_tokens": 300, "output_tokens": 120, "total_tokens": 420},
        "performance": {"latency_ms": r.uniform(100, 900), "time_to_first_token_ms": 31.5},
        "metadata": {"subject": text(1), "seed": "0"},
    }
    if number % 5:
        return {**data, "output": {"raw": [f"{text(110)} {answer}"]}}
    turns = [
        {"turn_idx": at, "role": ("user", "assistant")[at % 2], "content": text(20)}
        for at in range(6)
    ]
    data["answer_attribution"][0].update(turn_idx=5, source="messages[5].content")
    data["evaluation"]["num_turns"] = 3
    return {**data, "interaction_type": "multi_turn", "messages": turns}


def aggregate(rows: int, score: float, checksum: str) -> dict[str, Any]:
    return {
        "schema_version": "0.3.0",
        "evaluation_id": "example/maker_model-1/1760000000",
        "retrieved_timestamp": "1760000000",
        "source_metadata": {
            "source_type": "evaluation_run",
            "source_organization_name": "example",
            "evaluator_relationship": "third_party",
        },
        "eval_library": {"name": "example", "version": "1"},
        "model_info": {
            "name": "model-1",
            "id": "maker/model-1",
            "additional_details": {"deployment_type": "unknown", "model_availability": "unknown"},
        },
        "evaluation_results": [
            {
                "evaluation_name": RESULT,
                "evaluation_result_id": "accuracy",
                "source_data": {"dataset_name": "example", "source_type": "other"},
                "metric_config": {
                    "lower_is_better": False,
                    "score_type": "continuous",
                    "min_score": 0,
                    "max_score": 1,
                },
                "score_details": {"score": score},
            }
        ],
        "detailed_evaluation_results": {
            "format": "jsonl",
            "file_path": f"{PLACE}_samples.jsonl",
            "hash_algorithm": "sha256",
            "checksum": checksum,
            "total_rows": rows,
        },
    }


if __name__ == "__main__":
    sys.exit(main())
