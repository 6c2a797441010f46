"""What is wanted of a check of many files: the arguments of a call and a configuration."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, NamedTuple

from evalmark.validator.arguments import check_options, rule_codes
from evalmark.validator.config import Config, FileIgnore
from evalmark.validator.findings.report import Report
from evalmark.validator.options import CheckOptions


class BatchOptions(NamedTuple):
    """What is wanted of a check of many files.

    Attributes:
        asked: What is wanted of each.
        exclude: Globs of files to skip in folders.
        ignore: Codes of rules whose findings are dropped.
        per_file_ignores: Rules ignored in some files or below a pointer in them.
        jobs: Worker processes; None for one per processor once there is enough to check.
        ray: Check on a Ray cluster.
        ray_address: Address of the cluster; None starts one on this machine for this call.
        picked: The paths were picked by a program: skip them if they are unrecognized or excluded.
        hook: They are also those of a commit: do not follow links out of the repository, use one
            process, and do not compare identities, since the other files are missing.
        bars: Show progress on stderr.
        stdin: Name and content of standard input, which is the path ``-``.
        each: Called with every report; what it returns takes the place of the report.
        seen: Called with the bytes of each document before its report; needs one process.
        listed: Keep the paths of all checked files.
        beyond: Called after all files were checked; yields findings on them that other
            files explain, as further reports.
    """

    asked: CheckOptions
    exclude: Sequence[str] = ()
    ignore: Collection[str] = ()
    per_file_ignores: tuple[FileIgnore, ...] = ()
    jobs: int | None = None
    ray: bool = False
    ray_address: str | None = None
    picked: bool = False
    hook: bool = False
    bars: bool = False
    stdin: tuple[str, bytes] | None = None
    each: Callable[[Report], Report] | None = None
    seen: Callable[[bytes], object] | None = None
    listed: bool = False
    beyond: Callable[[], Iterable[Report]] | None = None


def batch_options(
    config: Config,
    *,
    exclude: Sequence[str] = (),
    ignore: Collection[str] = (),
    select: Collection[str] = (),
    join: str | None = None,
    models: str | None = None,
    profile: str | None = None,
    **arguments: Any,
) -> BatchOptions:
    """What a configuration and the arguments of a call want together.

    Raises:
        UnknownNameError: An argument names nothing that exists.
    """
    select = [select] if isinstance(select, str) else select
    wanted = check_options(
        select=(*config.select, *select),
        join=join or config.join,
        models=models or config.models,
        profile=profile or config.profile,
        **arguments,
    )
    return BatchOptions(
        wanted._replace(own=config.own, benchmarks=config.benchmarks),
        exclude=(*config.exclude, *exclude),
        ignore=(*config.ignore, *rule_codes(ignore)),
        per_file_ignores=config.per_file_ignores,
        ray_address=config.ray.address,
    )
