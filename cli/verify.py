"""``evalmark verify``."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from evalmark.cli.options import TableFormatOption
from evalmark.cli.settings import settings as settings_of_folder
from evalmark.cli.unused_files import hint_of
from evalmark.schemas.errors import EvalmarkError
from evalmark.scoring.score_settings import DTYPES
from evalmark.validator.findings.phrasing import counted, first_of
from evalmark.validator.io.escaping import json_text, shown
from evalmark.validator.io.terminal import CLEAN, COULD_NOT_RUN, FOUND, report_error, write_stdout
from evalmark.validator.options.declaration import (
    Argument,
    choice_of,
    command,
    model_option,
    tests_option,
)

if TYPE_CHECKING:
    from evalmark.scoring.verification import CheckError, Disagreement, Verification

#: Errors of a record that are listed.
ERRORS = 5


@dataclass(frozen=True, kw_only=True)
class VerifyOptions:
    """The options of ``evalmark verify``."""

    submission: Annotated[
        Path, Argument(metavar="SUBMISSION", help="A record, or a folder of them.")
    ]
    model: Annotated[
        str | None,
        model_option("--model", metavar="MODEL", help="Folder, Hugging Face name or `demo`."),
    ] = None
    dtype: Annotated[
        str | None,
        model_option(
            "--dtype",
            metavar="DTYPE",
            **choice_of("dtype", DTYPES),
            show_default=False,
            help="float32, float64, bfloat16, float16; else that of the record.",
        ),
    ] = None
    allow_pickle: Annotated[
        bool, model_option("--allow-pickle", help="Allow pickled weights (they can execute code).")
    ] = False
    trust_remote_code: Annotated[
        bool, model_option("--trust-remote-code", help="Run the code that comes with the model.")
    ] = False
    source: Annotated[
        Sequence[str],
        tests_option("--source", metavar="FILE", help="The file that was scored; repeatable."),
    ] = ()
    items: Annotated[
        int, tests_option("--items", metavar="N", min=1, help="Items to score again.")
    ] = 20
    seed: Annotated[
        int | None,
        tests_option("--seed", metavar="N", help="Seed of the draw; default: a new one."),
    ] = None
    output_format: TableFormatOption = "table"


@command(
    VerifyOptions,
    "evalmark verify results/ --model gpt2 --items 20",
    exit_code="0 agrees, 1 does not, 2 unverifiable, or something failed",
)
def verify(options: VerifyOptions) -> int:
    """Test the claim of a record: do its numbers follow from its samples, and those from a model?

    It fails if `check` finds an error in the record or its samples, such as another checksum or an
    output that contradicts its score. Score, number of items, standard error and 95 % interval of
    each result are computed again.
    With --source, the items of the record are those of the file that was scored: none is missing,
    none is more, and texts and formulas are the same.
    With --model, items drawn at random are scored again with the settings of the record: those of
    suites and minimal pairs, whose samples have their sentences and surprisals.
    """
    try:
        return _verify(options)
    except EvalmarkError as error:
        from evalmark.cli.score_run import HINTS

        hints = {name: HINTS[name] for name in ("allow_pickle", "dtype", "trust_remote_code")}
        return report_error(f"{error}{hint_of(error, hints)}")


def _verify(options: VerifyOptions) -> int:
    from evalmark.scoring.verification import claims_at
    from evalmark.scoring.verification import verify as verify_claim

    # Nobody knows what will be drawn.
    seed = secrets.randbits(32) if options.seed is None else options.seed
    model, dtype, load = options.model, options.dtype, None
    if model:
        from evalmark.scoring.models.load_models import load_model

        # Records of one run have one dtype.
        load = lru_cache(1)(
            lambda recorded_dtype, bos, kind: load_model(
                model,
                dtype=dtype or recorded_dtype,
                bos=bos,
                kind=kind,
                allow_pickle=options.allow_pickle,
                trust_remote_code=options.trust_remote_code,
            )
        )
    tables = settings_of_folder().pairs
    found = [
        verify_claim(
            claim, load, items=options.items, seed=seed, source=options.source, tables=tables
        )
        for claim in claims_at(options.submission)
    ]
    if options.output_format == "json":
        data = [{**asdict(check), "agrees": check.agrees} for check in found]
        write_stdout(json_text({"version": 1, "seed": seed, "records": data}) + "\n")
    else:
        write_stdout("".join(f"{shown(line)}\n" for check in found for line in _lines(check, seed)))
    code = CLEAN if all(check.agrees for check in found) else FOUND
    return code or (COULD_NOT_RUN if any(check.why for check in found) else CLEAN)


def _lines(found: Verification, seed: int) -> Iterator[str]:
    yield f"{found.path}:"
    if found.differs:
        yield f"  not the model of the record: its {' and '.join(found.differs)} have other digests"
    if found.results:
        right = found.recomputed - len({disagreement.where for disagreement in found.numbers})
        none = found.results - found.recomputed
        without = f"; {none} have none" if none else ""
        yield f"  {right} of {found.recomputed} results follow from the samples{without}"
    yield from map(_error, found.errors[:ERRORS])
    if (more := len(found.errors) - ERRORS) > 0:
        yield f"    and {more} more errors, which `evalmark check` lists"
    yield from map(_line, found.numbers)
    yield from [f"    {found.contradiction}"] if found.contradiction else ()
    yield from _items_of_source(found)
    if found.drawn:
        right, limit = found.drawn - len(found.items), f"{found.tolerance:.2g} bits"
        sample_note = f"(drawn from {found.total}, seed {seed})"
        yield f"  {right} of {found.drawn} items agree within {limit} {sample_note}"
    yield from map(_line, found.items)
    yield from [f"  {found.why}"] if found.why else ()


def _items_of_source(found: Verification) -> Iterator[str]:
    if found.hashes:
        yield f"  {_told(found.hashes, 'have another sample_hash than their texts')}"
    if (source := found.source) is None:
        if found.results:
            yield "  not looked at: whether the items are those of the scored file (--source FILE)"
        return
    yield f"  {counted(source.items, 'item')} of the source"
    for names, problem in (
        (source.missing, "are missing in the record"),
        (source.more, "of the record are more than it has"),
        (source.other, "have another text, formula or order of conditions"),
    ):
        if names:
            yield f"    {_told(names, problem)}"
    for name in source.digests:
        yield f"    {name}: its suite_digest is that of other regions or another metric"


def _told(names: Sequence[str], what: str) -> str:
    return f"{len(names)} {what}: {first_of(names, ERRORS)}"


def _error(error: CheckError) -> str:
    line = f" line {error.line}" if error.line else ""
    return f"    {error.code} {error.message} ({Path(error.path).name}{line})"


def _line(item: Disagreement) -> str:
    recorded, computed = (
        f"{value:.6g}" if isinstance(value, float) else "undefined" if value is None else value
        for value in (item.recorded, item.computed)
    )
    return f"    {item.where}: {item.what}: {recorded} in the record, {computed} computed"
