"""Whether suggestions cure: each is applied, and the file is checked again."""

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from applying import NoForm, applied, applied_to_row
from evalmark.validator.check import check_bytes, check_file
from evalmark.validator.findings.finding import Finding, Severity
from found import codes_of
from one_mistake import FIXTURES, good_files, mutants
from run_mistakes import MISTAKES, RUN, good


class Case(NamedTuple):
    """A file with mistakes, what is found in it, and what a new text of one of its files gives."""

    name: str
    texts: dict[str, str]
    findings: tuple[Finding, ...]
    again: Callable[[str, str], tuple[Finding, ...]]
    #: What the good file has too.
    own: frozenset[Any] = frozenset()


#: Suggestion and finding that it brings: the file had both mistakes, and one hid the other.
HIDDEN = frozenset(
    (
        ("LT112", "LT414"),  # an event that cannot be read may be the one with which a test begins
        *(("SG112", code) for code in ("SG206", "SG213", "SG216", "SG414")),  # of null, for no text
        ("SG115", "SG221"),  # which metrics a legacy suite names, before that it is one
        ("SG119", "SG221"),
        ("EE113", "EE264"),  # one of the values to choose from contradicts who evaluated the model
        ("SG113", "SG214"),  # one of the relations to choose from makes the prediction a duplicate
    )
)


@dataclass
class Count:
    """What became of the findings of a code."""

    findings: int = 0
    suggested: int = 0
    advice: int = 0
    applied: int = 0
    cured: int = 0
    failures: list[str] = field(default_factory=list)


def key(finding: Finding) -> tuple[Any, ...]:
    """What a finding is: its code and where it is."""
    row = finding.span.line if finding.span and finding.path.endswith(".jsonl") else 0
    return Path(finding.path).name, row, finding.code, finding.pointer


def tried(cases: Iterable[Case]) -> dict[str, Count]:
    """Code -> what became of its findings, every suggestion applied."""
    counts: dict[str, Count] = {}
    for case in cases:
        for finding in case.findings:
            if key(finding) in case.own:
                continue
            count = counts.setdefault(finding.code, Count())
            count.findings += 1
            if finding.helps or finding.fix:
                count.suggested += 1
                _try(case, finding, count)
    return dict(sorted(counts.items()))


def _try(case: Case, finding: Finding, count: Count) -> None:
    said = "; ".join(finding.helps) or "(a fix)"
    where = f"{case.name}: {finding.code} {finding.pointer} {finding.message} — {said}"
    before = Counter(map(key, case.findings))
    name = Path(finding.path).name
    in_row = name.endswith(".jsonl")
    try:
        ways = list((applied_to_row if in_row else applied)(case.texts[name], finding))
    except NoForm as error:
        count.failures.append(f"{where}\n    has no form: {error}")
        return
    except Exception as error:
        count.applied += 1
        count.failures.append(f"{where}\n    cannot be applied: {type(error).__name__}: {error}")
        return
    if not ways:
        count.advice += 1
        return
    # A converted file has its other mistakes elsewhere.
    converted = any("`evalmark convert " in sentence for sentence in finding.helps)
    kept = set(codes_of(case)) if converted else ()
    others = [f for f in case.findings if key(f) != key(finding)]
    if converted and any(other.severity is Severity.ERROR for other in others):
        count.advice += 1  # a suite is converted once its errors are corrected
        return
    count.applied += 1
    for new in ways:
        after = Counter(map(key, found := case.again(name, new)))
        left = after[key(finding)] >= before[key(finding)]
        come = [
            f
            for f in found
            if after[key(f)] > before[key(f)]
            and key(f) not in case.own
            and f.code not in kept
            and (finding.code, f.code) not in HIDDEN
        ]
        if left or come:
            what = "is still found" if left else f"brings {come[0].code} {come[0].message}"
            count.failures.append(f"{where}\n    {what}")
            return
    count.cured += 1


def of_bad_fixtures(folder: Path) -> Iterator[Case]:
    """The bad fixtures, in a folder where they can be changed."""
    shutil.copytree(FIXTURES / "bad", folder, dirs_exist_ok=True)
    for path in sorted(folder.iterdir()):
        if path.suffix == ".out" or path.name.endswith("_samples.jsonl"):
            continue
        companion = path.with_name(f"{path.stem}_samples.jsonl")
        files = [file for file in (path, companion) if file.exists()]
        texts = {file.name: file.read_bytes().decode("utf-8", "surrogateescape") for file in files}
        findings = check_file(path, select=_optional(path)).findings

        def again(name: str, new: str, path: Path = path) -> tuple[Finding, ...]:
            file = path.with_name(name)
            old = file.read_bytes()
            file.write_bytes(new.encode("utf-8", "surrogateescape"))
            try:
                found = check_file(path, select=_optional(path)).findings
            finally:
                file.write_bytes(old)
            # A changed sample file has another checksum, which no suggestion can know.
            return tuple(f for f in found if file == path or f.code != "EE313")

        yield Case(path.name, texts, findings, again)


def of_runs(folder: Path) -> Iterator[Case]:
    """A run of memory tests with one mistake each."""
    for number, mistake in enumerate(MISTAKES):
        shutil.copytree(RUN, run := folder / str(number) / "ltm")
        path = run / mistake.path
        path.parent.mkdir(parents=True, exist_ok=True)
        data = mistake.change(good(mistake.path))
        is_rows = path.suffix == ".jsonl"
        text = "".join(f"{json.dumps(row)}\n" for row in data) if is_rows else json.dumps(data)

        def again(_: str, new: str, path: Path = path) -> tuple[Finding, ...]:
            path.write_text(new, encoding="utf-8")
            return check_file(path, select=("LT310",)).findings

        yield Case(f"{mistake.path} {number}", {path.name: text}, again("", text), again)


def _optional(path: Path) -> tuple[str, ...]:
    return ("LT310",) if path.name.startswith("LT310") else ()


def of_mutants(seed: int, times: int) -> Iterator[Case]:
    """Good files with one mistake each."""
    for path in good_files():
        own = frozenset(map(key, check_bytes(path.read_bytes(), str(path)).findings))
        for mutant in mutants(path, seed, times):

            def again(_: str, new: str, name: str = mutant.path) -> tuple[Finding, ...]:
                return check_bytes(new.encode(), name).findings

            findings = again("", mutant.text)
            if set(map(key, findings)) - own:
                name = f"{mutant.path}, {mutant.operator} at {mutant.place}"
                yield Case(name, {Path(mutant.path).name: mutant.text}, findings, again, own)
