"""Verdicts beside those of Every Eval Ever: ``python -m benchmarks.gate --eee PYTHON FOLDER …``.

Makes mistakes in records and sample files of every version, and in real records (as they are, and
converted to the version that the validator reads), lays each out as a datastore of its own, and
lets both judge every file: ``check --profile eee`` here, and all registered checks of
``every-eval-ever`` 0.3.0 in an environment of its own. What passes here has to pass there; what it
reads leniently may be refused here, and is counted. Prints how often each of its checks and each of
our codes spoke; where it crashes it has no verdict, so such files are listed apart. Our findings
must say what the verdict says: a refused file has an error.

The environment: Python 3.12, ``pip install --no-deps every-eval-ever==0.3.0`` and ``pydantic``,
``rich``, ``pyyaml``, ``requests``, ``huggingface-hub``.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evalmark.validator.check import check_file

from benchmarks.gate.cases import good, mutants

#: What runs in the other environment: the file of paths → a line of JSON for each.
EEE = """
import json, sys
from pathlib import Path
from every_eval_ever.validator.validate import _local_path_context
from every_eval_ever.validator.validation_core import (
    REGISTERED_CHECKS, ValidationContext, run_registered_checks, validate_file)
assert len(REGISTERED_CHECKS) == 6
import every_eval_ever.validator.validation_core as core
fired = set()
def spy(check):
    def run(context, data):
        found = check.run(context, data)
        if found:
            fired.add(check.name)
        return found
    return core.ValidationCheck(check.name, check.scope, check.severity, run)
core.run_registered_checks.__kwdefaults__["checks"] = tuple(map(spy, REGISTERED_CHECKS))
for line in open(sys.argv[1], encoding="utf-8"):
    path = Path(line.rstrip("\\n"))
    fired.clear()
    repo_path, files = _local_path_context(path)
    try:
        report = validate_file(path, repo_path=repo_path, available_files=files,
                               read_repo_file=files.read_text, run_semantic_checks=True)
    except Exception as error:
        print(json.dumps({"crash": type(error).__name__}))
        continue
    shape = {"semantic_rule_error", "semantic_warning"}
    if any(error["type"] not in shape for error in report.errors):
        fired.add("schema")
    verdict = "refuse" if not report.valid else "warn" if report.warnings else "pass"
    print(json.dumps({"verdict": verdict, "checks": sorted(fired)}))
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*", help="folders of real records")
    parser.add_argument("--eee", type=Path, required=True, help="Python that has every-eval-ever")
    parser.add_argument("--count", type=int, default=5000, help="datastores")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a new folder for the datastores")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        home = options.keep or home
        files: dict[Path, str] = {}
        layouts = list(good(options.folders))
        made = [("as it is", layout) for layout in layouts]
        made += mutants(layouts, options.count, random.Random(options.seed))
        for number, (name, layout) in enumerate(made):
            written = layout.write(Path(home) / str(number))
            files |= dict.fromkeys(written, name)
        theirs = list(zip(files, judged_by_eee(options.eee, list(files)), strict=True))
        print(f"{len(layouts)} datastores and {options.count} with a mistake, {len(files)} files")
        return compared(files, theirs, keep=bool(options.keep))


def judged_by_eee(python: Path, paths: list[Path]) -> Iterator[dict[str, object]]:
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listing:
        listing.write("".join(f"{path}\n" for path in paths))
        listing.flush()
        command = [str(python), "-c", EEE, listing.name]
        done = subprocess.run(command, capture_output=True, check=True, text=True, cwd="/")
    yield from map(json.loads, done.stdout.splitlines())


def compared(
    files: dict[Path, str], theirs: list[tuple[Path, dict[str, object]]], keep: bool
) -> int:
    counts: collections.Counter[tuple[str, str]] = collections.Counter()
    spoke: collections.Counter[str] = collections.Counter()
    crashes: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    stricter: list[str] = []
    for path, judged in theirs:
        report = check_file(path, profile="eee")
        ours = dict(report.verdicts).get(str(path), "none")
        errors = {f.code for f in report.findings if f.severity == "error"}
        if "crash" in judged:
            crashes[f"{judged['crash']}, {files[path]}: ours {ours}"] += 1
            wrong += [f"{files[path]}: passes here, crashes there"] * (ours == "pass")
            continue
        there, checks = "refuse" if judged["verdict"] == "refuse" else "pass", judged["checks"]
        assert isinstance(checks, list)
        counts[ours, there] += 1
        spoke.update((*(f"check: {check}" for check in checks), *errors))
        line = f"{files[path]}, {path.suffix[1:]}: {checks} {sorted(errors)}"
        passes_here_only = ours == "pass" and there == "refuse"
        wrong += [line] * passes_here_only
        wrong += [f"{line}: no error"] * (ours == "refuse" and not errors)
        stricter += [line] * (ours == "refuse" and there == "pass")
        if keep and passes_here_only:
            print(path)
    for (ours, there), count in sorted(counts.items()):
        print(f"here {ours}, there {there}: {count}")
    for name, count in sorted(spoke.items()):
        print(f"  {name:28} {count:6}")
    for title, lines in (("pass here and fail there", wrong), ("stricter here", stricter)):
        print(f"{title}: {len(lines)}")
        for line, count in collections.Counter(lines).most_common(20):
            print(f"  {count:4}  {line}")
    print(f"its crashes: {sum(crashes.values())}")
    for line, count in crashes.most_common():
        print(f"  {count:4}  {line}")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
