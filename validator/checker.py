"""A check under the settings of a folder: commands, the page and editors ask it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Self, Unpack

from evalmark.validator.batch.check_files import BatchOptions, Checked, Ignores, check_batch
from evalmark.validator.batch.walking import Glob, matches
from evalmark.validator.check import check_one, data_reading, file_context
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.format import Document, Share
from evalmark.validator.options.check_options import Arguments
from evalmark.validator.reading.reading import Reading
from evalmark.validator.settings.arguments import check_options, rule_codes
from evalmark.validator.settings.config import Config, load_config


class Checker:
    """A check of files, texts and data under some settings; it does not change.

    Globs in settings are relative to the folder that has them, and paths to the current one. What
    the settings ignore is in no report.

    Attributes:
        settings: Those of a folder; without one, the defaults.
        options: What follows from them and from the arguments.
    """

    __slots__ = ("_arguments", "options", "settings")

    def __init__(
        self,
        settings: Config | None = None,
        *,
        exclude: Sequence[str] = (),
        ignore: Collection[str] = (),
        **arguments: Unpack[Arguments],
    ) -> None:
        """Check under some settings.

        Args:
            settings: See ``of``. The other arguments add to them.
            exclude: Globs of files to skip in folders.
            ignore: Codes or names of rules whose findings are dropped.
            arguments: See ``Arguments``.

        Raises:
            UnknownNameError: An argument names nothing that exists.
        """
        self.settings = config = settings or Config()
        self._arguments: Mapping[str, Any] = {"exclude": exclude, "ignore": ignore, **arguments}
        select = arguments.get("select", ())
        asked: dict[str, Any] = {
            "join": config.join,
            "models": config.models,
            "profile": config.profile,
            **{key: value for key, value in arguments.items() if value is not None},
            "select": (*config.select, *([select] if isinstance(select, str) else select)),
        }
        check = check_options(**asked)
        self.options = BatchOptions(
            check._replace(
                words=frozenset(config.words),
                pairs=check.pairs if check.pairs.entries else config.pairs,
            ),
            exclude=(*(Glob(g, config.folder) for g in config.exclude), *map(Glob, exclude)),
            ignore=(*config.ignore, *rule_codes(ignore)),
            per_file_ignores=config.per_file_ignores,
            ray_address=config.ray.address,
        )

    @classmethod
    def of(cls, folder: str | os.PathLike[str] = ".", **arguments: Unpack[Arguments]) -> Self:
        """A check under the settings of a folder, or else of a folder above it.

        Raises:
            ConfigError: The settings cannot be used.
            UnknownNameError: An argument names nothing that exists.
        """
        return cls(load_config(os.fspath(folder)), **arguments)

    def asking(self, **arguments: Unpack[Arguments]) -> Checker:
        """The same settings with other arguments, which replace those that they name."""
        return Checker(self.settings, **{**self._arguments, **arguments})

    def file(
        self,
        path: str | os.PathLike[str],
        *,
        share: Share | None = None,
        seen: Callable[[bytes], object] | None = None,
        wants: Callable[[Document, Reading], bool] | None = None,
    ) -> Report:
        """Check a file, or ``-``; a record with its samples. The callbacks: ``CheckContext``."""
        context = file_context(self.options.check, share=share, seen=seen, wants=wants)
        return self._kept(check_one(os.fspath(path), self.options.check, context=context))

    def text(self, text: str | bytes, path: str = "<text>", *, is_file: bool = False) -> Report:
        """Check what a file of this path holds, or will hold.

        Args:
            text: JSON or, if the path says so, YAML, rows or a table.
            path: The path.
            is_file: Whether there is such a file, so that its samples may lie beside it.
        """
        # A lone surrogate cannot be in a file of UTF-8: the check says where it is.
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        context = file_context(self.options.check) if is_file else None
        return self._kept(check_one(path, self.options.check, raw, context))

    def data(self, data: Any, path: str = "<data>") -> Report:
        """Check parsed JSON, or a list of rows; findings have pointers, but no lines."""
        return self.reading(data_reading(data, path))

    def reading(self, reading: Reading, *, is_file: bool = False) -> Report:
        """Check a document that was read before; see ``text``."""
        context = file_context(self.options.check) if is_file else None
        return self._kept(check_one(reading.path, self.options.check, reading, context))

    def files(
        self, paths: Iterable[str | os.PathLike[str]], options: BatchOptions | None = None
    ) -> Checked:
        """Check files, and the files in folders, and compare them; see ``check_files``.

        Args:
            paths: Files and folders.
            options: Those of this check, changed: ``checker.options._replace(jobs=4)``.

        Raises:
            UsageError: A Ray cluster cannot read standard input.
            NotInstalledError: Ray is not installed.
            ClusterError: There is no Ray cluster at the address.
        """
        return check_batch(paths, options or self.options)

    def excludes(self, path: str | os.PathLike[str]) -> bool:
        """True if the settings exclude a file that nobody has named."""
        return matches(os.fspath(path), self.options.exclude)

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nothing ignores."""
        return Ignores(self.options.ignore, self.options.per_file_ignores).kept(findings)

    def _kept(self, report: Report) -> Report:
        return replace(report, findings=self.kept(report.findings)) if report.findings else report


def check_files(
    paths: Iterable[str | os.PathLike[str]],
    *,
    config: Config | None = None,
    exclude: Sequence[str] = (),
    ignore: Collection[str] = (),
    jobs: int | None = None,
    ray: bool = False,
    ray_address: str | None = None,
    **arguments: Unpack[Arguments],
) -> Checked:
    """Check files, and the files in folders.

    Unrecognized files in folders are skipped, and a sample file is checked once, with its record.
    Records must have different evaluation ids (EE243), and suites different names (SG418).

    Args:
        paths: Files and folders.
        config: Settings of a repository; see ``load_config``. The other arguments add to them.
        exclude: Globs of files to skip in folders.
        ignore: Codes or names of rules whose findings are dropped.
        jobs: Worker processes; None for one per processor once there is enough to check.
        ray: Check on a Ray cluster.
        ray_address: Address of the cluster; None starts one on this machine for this call.
        arguments: See ``Arguments``.

    Raises:
        UnknownNameError: An argument names nothing that exists.
        UsageError: A Ray cluster cannot read standard input.
        NotInstalledError: Ray is not installed.
        ClusterError: There is no Ray cluster at the address.
    """
    checker = Checker(config, exclude=exclude, ignore=ignore, **arguments)
    options = checker.options
    address = ray_address or options.ray_address
    return checker.files(paths, options._replace(jobs=jobs, ray=ray, ray_address=address))
