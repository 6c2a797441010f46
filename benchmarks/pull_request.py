"""Are thirty planted problems of a pull request found, and what does its check take?

A scratch repository gets a base of records made from the project's own fixtures, in the layout of a
datastore, some of them with sample files. A branch adds, changes, moves and deletes as many files
as asked for; thirty of the changes are problems of different kinds: ids that the base has, since
long or since the branch was made, near-duplicates, scores of another model, scales and names that
differ from those of the base, files that no search would check. Then ``evalmark check --changed
main`` runs. Its findings must be these. What is measured are whole processes: wall time, CPU and
peak memory.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path
from typing import Any

from benchmarks._measure import Took, once

GOOD = Path(__file__).resolve().parent.parent / "fixtures/good"
RECORD, SAMPLED, SUITE = (
    json.loads((GOOD / name).read_text(encoding="utf-8"))
    for name in ("record.json", "with_samples.json", "suite.json")
)
ROWS = (GOOD / "with_samples_samples.jsonl").read_text(encoding="utf-8")
#: One record in so many has a sample file.
SAMPLES = 10
#: A record of the base for each planted problem that needs one; all of them have sample files.
TAKEN, AGAIN, ROTTEN, BARE, GONE, MOVED = (SAMPLES * number for number in range(6))
#: Where the planted problems of names and results are, and the scores of the record of the base.
PLANTED_AT = Path("planted/example/planted-1")
SCORES = [0.7123, 0.6045, 0.8812]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=500, help="records of the base")
    parser.add_argument("--changes", type=int, nargs="+", default=[300, 30_000])
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    missed = 0
    for changes in options.changes:
        with tempfile.TemporaryDirectory() as home:
            os.chdir(home)
            make_base(options.records)
            expected = make_branch(options.records, changes)
            print(f"{options.records} records, {changes} changed files")
            missed += report(expected)
            command = [str(Path(sys.executable).parent / "evalmark"), "check", "-q"]
            show("--changed main", [*command, "--changed", "main"], options.rounds)
            show("all files", [*command, "."], options.rounds)
            os.chdir("/")
    return 1 if missed else 0


def git(*arguments: str) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *who, "-c", "gc.auto=0", *arguments], check=True)


def commit(message: str) -> None:
    git("add", "-A")
    git("commit", "-qm", message)


def name_of(number: int) -> str:
    """The file name of a record: a UUID of version 4, always the same."""
    digest = bytearray(hashlib.sha256(str(number).encode()).digest()[:16])
    return str(uuid.UUID(bytes=bytes(digest), version=4))


def place_of(number: int, model: int | None = None) -> Path:
    folder = number // 100 if model is None else model
    return Path(f"data/agreement/example/model-{folder}/{name_of(number)}.json")


def samples_of(place: Path) -> Path:
    return place.with_name(f"{place.stem}_samples.jsonl")


def record(number: int, kind: dict[str, Any] = RECORD) -> dict[str, Any]:
    """A record with ids, a time and a score of its own, which fits its place."""
    data: dict[str, Any] = json.loads(json.dumps(kind))
    model = f"example/model-{number // 100}"
    data["evaluation_id"] = f"agreement/{model}/{1700000000 + number}"
    data["retrieved_timestamp"] = str(1700000000 + number)
    data["model_info"] = {"name": f"Model {number // 100}", "id": model}
    data["evaluation_results"][0]["score_details"]["score"] = 0.75
    if kind is RECORD:
        data["evaluation_results"][0]["score_details"]["score"] = number / 100_000_000
    return data


def write(place: Path, data: Any) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    text = data if isinstance(data, str) else json.dumps(data, indent=2)
    place.write_text(text, encoding="utf-8")


def put(number: int) -> None:
    """Write a record to its place, with its samples if it has some."""
    place = place_of(number)
    if number % SAMPLES:
        write(place, record(number))
        return
    data = record(number, SAMPLED)
    data["evaluation_timestamp"] = str(1700000000 + number)  # all have one score
    rows = ROWS.replace(SAMPLED["evaluation_id"], data["evaluation_id"])
    rows = rows.replace(SAMPLED["model_info"]["id"], data["model_info"]["id"])
    samples = samples_of(place)
    data["detailed_evaluation_results"] |= {
        "file_path": samples.as_posix(),
        "checksum": hashlib.sha256(rows.encode()).hexdigest(),
    }
    write(place, data)
    write(samples, rows)


def make_base(records: int) -> None:
    git("init", "-q", "-b", "main")
    for number in range(records):
        put(number)
    write(Path("suites/agreement.json"), SUITE)
    write(PLANTED_AT / "base.json", several(0))
    write(PLANTED_AT / "conflict.json", several(1, [0.31, 0.32, 0.33], "example/planted-5"))
    commit("base")


def make_branch(records: int, changes: int) -> set[tuple[str, str]]:
    """Make the branch; the findings to expect, as path and code."""
    git("checkout", "-qb", "branch")
    new = 10_000_000  # numbers that the base does not have
    expected = plant(new) | plant_names_and_results()
    planted = {TAKEN, AGAIN, ROTTEN, BARE, GONE, MOVED}
    free = [n for n in range(records) if n % SAMPLES and n not in planted]
    third = min(len(free) // 3, (changes - len(expected)) // 4)
    for number in free[:third]:
        data = record(number)
        data["evaluation_results"][0]["score_details"]["score"] = 0.5 + number / 100_000_000
        write(place_of(number), data)
    for number in free[third : 2 * third]:
        place_of(number).unlink()
    for number in free[2 * third : 3 * third]:
        place_of(number).rename(place_of(number + 5_000_000, number // 100))
    # A moved record counts twice: as a deleted file and as an added one.
    for number in range(new + 100, new + 100 + changes - len(expected) - 4 * third):
        write(
            place_of(number), {**record(number), "evaluation_timestamp": str(1700000000 + number)}
        )
    commit("a pull request")
    git("checkout", "-q", "main")
    put(new + 1)
    commit("meanwhile")
    git("checkout", "-q", "branch")
    git("gc", "-q")  # as a clone is
    return expected


def plant(new: int) -> set[tuple[str, str]]:
    """Ten problems; where they are to be found, and as what."""
    folder = place_of(TAKEN).parent
    base = {number: place_of(number) for number in (TAKEN, AGAIN, ROTTEN, BARE, GONE, MOVED)}
    mine = [folder / f"{name_of(new + index)}.json" for index in range(4)]
    write(mine[0], record(TAKEN))  # an id that the base has
    write(place_of(new + 50), record(new + 1))  # an id that the base will have
    again = json.loads(base[AGAIN].read_text(encoding="utf-8"))
    del again["detailed_evaluation_results"]
    again["retrieved_timestamp"] = "1700900000"
    again["evaluation_id"] = again["evaluation_id"].rpartition("/")[0] + "/1700900000"
    write(mine[1], again)  # an evaluation that was submitted before
    write(mine[2], json.dumps(record(2))[:-1])  # cut off
    beyond = {**record(3), "evaluation_id": "agreement/example/model-0/1700800000"}
    beyond["retrieved_timestamp"] = "1700800000"
    beyond["evaluation_results"][0]["score_details"]["score"] = 75
    write(mine[3], beyond)  # a percentage where a share is expected
    write(Path("suites/copy.json"), {**SUITE, "items": SUITE["items"][:-1]})  # a name of the base
    rotten, bare = samples_of(base[ROTTEN]), samples_of(base[BARE])
    write(rotten, rotten.read_text(encoding="utf-8").replace("\n", " \n"))  # not as its record says
    bare.unlink()  # named by its record
    base[GONE].unlink()  # its samples stay
    moved = place_of(MOVED, model=999)  # it is still of another model
    text = base[MOVED].read_text(encoding="utf-8")
    write(moved, text.replace(base[MOVED].parent.as_posix(), moved.parent.as_posix()))
    base[MOVED].unlink()
    samples_of(base[MOVED]).rename(samples_of(moved))
    where = {
        mine[0]: "EE230", place_of(new + 50): "EE230", mine[1]: "EE234", mine[2]: "F001",
        mine[3]: "EE201", Path("suites/copy.json"): "SG418", base[ROTTEN]: "EE313",
        base[BARE]: "EE319", samples_of(base[GONE]): "EE323", moved: "EE403",
    }  # fmt: skip
    return {(path.as_posix(), code) for path, code in where.items()}


def several(
    number: int, scores: list[float] = SCORES, model: str = "example/planted-1", **metric: Any
) -> dict[str, Any]:
    """A record of a benchmark for each score."""
    data = record(20_000_000 + number)
    data["evaluation_id"] = f"planted/{model}/{1720000000 + number}"
    data["model_info"] = {"name": model, "id": model}
    (result,) = data["evaluation_results"]
    data["evaluation_results"] = [
        {
            **result,
            "evaluation_name": f"planted {task}",
            "metric_config": {**result["metric_config"], **metric},
            "score_details": {"score": score},
        }
        for task, score in enumerate(scores)
    ]
    return data


def plant_names_and_results() -> set[tuple[str, str]]:
    """Twenty problems; where they are to be found, and as what."""
    at = PLANTED_AT
    free = iter(range(2, 1000))

    def other(*scores: float, model: str = "example/planted-1", **metric: Any) -> dict[str, Any]:
        number = next(free)
        return several(number, list(scores) or [number / 7, 0.1, 0.2], model, **metric)

    text = json.dumps(other(0.41, 0.42, 0.43))
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 7\n"
    conflict = (at / "conflict.json").read_text(encoding="utf-8")
    conflict = conflict.replace("{", "<<<<<<< HEAD\n{", 1)
    files: dict[str, tuple[Any, str]] = {
        "rounded.json": (other(0.712, 0.6045, 0.881), "EE235"),
        "copied.json": (other(*SCORES, model="example/planted-2"), "EE236"),
        "percent.json": (other(51.0, 52.0, 53.0, max_score=100), "EE237"),
        "reversed.json": (other(0.51, 0.52, 0.53, lower_is_better=True), "EE238"),
        "developer.json": (other(0.61, 0.62, 0.63, model="examples/planted-1"), "EE239"),
        "Base.json": (other(0.21, 0.22, 0.23), "F023"),
        "upper.JSON": (text[:-1], "F024"),
        "kept.json.bak": (text, "F024"),
        "editor.json~": (text, "F024"),
        ".hidden.json": (text, "F024"),
        "build/built.json": (text, "F024"),
        "pointer.json": (pointer, "F001"),
        "conflict.json": (conflict, "F001"),
        "url.json": (other(0.11, 0.12, 0.13), "EE240"),
        "space.json": (other(0.14, 0.15, 0.16), "EE241"),
        "owner.json": (other(0.17, 0.18, 0.19), "EE242"),
    }
    source = {"dataset_name": "a", "source_type": "hf_dataset", "hf_repo": "https://hf.co/a/b"}
    files["url.json"][0]["evaluation_results"][0]["source_data"] = source
    files["space.json"][0]["model_info"]["name"] += " "
    files["owner.json"][0]["model_info"]["developer"] = "Another Company"
    for name, (data, _) in files.items():
        write(at / name, data)
    upper = Path("Planted/example/planted-1/new.json")
    write(upper, other(0.24, 0.25, 0.26))
    (at / "packed.json.gz").write_bytes(gzip.compress(text.encode()))
    (at / "link.json").symlink_to("base.json")
    (at.parent / "planted-9").symlink_to("planted-1")
    (at / "broken.json").symlink_to("nowhere.json")
    links = {"packed.json.gz": "F024", "link.json": "F024", "broken.json": "F011"}
    found = {name: code for name, (_, code) in files.items()} | links
    others = {(upper.as_posix(), "F023"), ((at.parent / "planted-9").as_posix(), "F024")}
    return {((at / name).as_posix(), code) for name, code in found.items()} | others


def report(expected: set[tuple[str, str]]) -> int:
    command = [str(Path(sys.executable).parent / "evalmark"), "check", "--changed", "main"]
    done = subprocess.run(
        [*command, "--format", "json"], capture_output=True, text=True, check=False
    )
    told = json.loads(done.stdout)
    found = {(each["path"], each["code"]) for each in told["findings"]}
    print(
        f"changes of results: {told['changes']['counts']}, "
        f"{told['changes']['deleted_records']} records deleted"
    )
    print(f"{len(expected & found)} of {len(expected)} problems found")
    for path, code in sorted(expected - found):
        print(f"  not found: {code} in {path}")
    for path, code in sorted(found - expected):
        print(f"  not planted: {code} in {path}")
    return len(expected ^ found)


def show(name: str, command: list[str], rounds: int) -> None:
    runs = sorted((once(command) for _ in range(rounds)), key=lambda took: took.wall)
    took: Took = runs[len(runs) // 2]
    memory = max(run.memory for run in runs)
    print(f"{name:16} {took.wall:6.1f} s wall {took.cpu:6.1f} s CPU {memory:5.0f} MB")


if __name__ == "__main__":
    sys.exit(main())
