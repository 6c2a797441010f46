"""Check files under the settings of a folder; commands, the page and editors use it."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Self, Unpack

from evalmark.validator.batch.check_files import Checked, check_batch
from evalmark.validator.batch.ignores import Ignores
from evalmark.validator.batch.walking import matches
from evalmark.validator.check import check_one, data_reading
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.format import CheckContext, Document, Share
from evalmark.validator.reading.reading import Reading
from evalmark.validator.settings.check_options import Arguments, CheckOptions, context_of
from evalmark.validator.settings.config import Config, load_config


class Checker:
    """A check of files, texts and data under some settings; it does not change.

    Globs in settings are relative to the folder that has them, and paths to the current one. What
    the settings ignore is in no report.

    Attributes:
        settings: Those of a folder; without one, the defaults.
        options: What is wanted besides.
        context: What follows from both.
    """

    __slots__ = ("context", "options", "settings")

    def __init__(
        self,
        settings: Config | None = None,
        options: CheckOptions | None = None,
        *,
        exclude: Sequence[str] = (),
        ignore: Collection[str] = (),
        **arguments: Unpack[Arguments],
    ) -> None:
        """Check under some settings.

        Args:
            settings: See ``of``. The other arguments add to them.
            options: What is wanted; the other arguments replace those that they name.
            exclude: Globs of files to skip in folders.
            ignore: Codes or names of rules whose findings are dropped.
            arguments: See ``CheckOptions``.

        Raises:
            UnknownNameError: An argument names nothing that exists.
        """
        self.settings = settings or Config()
        wanted = options or CheckOptions()
        self.options = replace(
            wanted,
            exclude=exclude or wanted.exclude,
            ignore=ignore or wanted.ignore,
            **arguments,
        )
        self.context = context_of(self.options, self.settings)

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
        return Checker(self.settings, self.options, **arguments)

    def file(
        self,
        path: str | os.PathLike[str],
        *,
        share: Share | None = None,
        seen: Callable[[bytes], object] | None = None,
        wants: Callable[[Document, Reading], bool] | None = None,
    ) -> Report:
        """Check a file, or ``-``; a record with its samples. The callbacks: ``CheckContext``."""
        context = self.context._replace(share=share, seen=seen, wants=wants)
        return self._kept(check_one(os.fspath(path), context))

    def text(self, text: str | bytes, path: str = "<text>", *, is_file: bool = False) -> Report:
        """Check what a file of this path holds, or will hold.

        Args:
            text: JSON or, if the path says so, YAML, rows or a table.
            path: The path.
            is_file: Whether there is such a file, so that its samples may lie beside it.
        """
        # A lone surrogate cannot be in a file of UTF-8: the check says where it is.
        raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        return self._kept(check_one(path, self.context._replace(is_file=is_file), raw))

    def data(self, data: Any, path: str = "<data>") -> Report:
        """Check parsed JSON, or a list of rows; findings have pointers, but no lines."""
        return self.reading(data_reading(data, path))

    def reading(self, reading: Reading, *, is_file: bool = False) -> Report:
        """Check a document that was read before; see ``text``."""
        context = self.context._replace(is_file=is_file)
        return self._kept(check_one(reading.path, context, reading))

    def files(
        self, paths: Iterable[str | os.PathLike[str]], context: CheckContext | None = None
    ) -> Checked:
        """Check files, and the files in folders, and compare them; see ``check_files``.

        Args:
            paths: Files and folders.
            context: That of this check, changed: ``checker.context._replace(jobs=4)``.

        Raises:
            UsageError: A Ray cluster cannot read standard input.
            NotInstalledError: Ray is not installed.
            ClusterError: There is no Ray cluster at the address.
        """
        return check_batch(paths, context or self.context)

    def excludes(self, path: str | os.PathLike[str]) -> bool:
        """True if the settings exclude a file that nobody has named."""
        return matches(os.fspath(path), self.context.exclude)

    def kept(self, findings: Iterable[Finding]) -> tuple[Finding, ...]:
        """The findings that nothing ignores."""
        return Ignores(self.context.ignore, self.context.per_file_ignores).kept(findings)

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
        arguments: See ``CheckOptions``.

    Raises:
        UnknownNameError: An argument names nothing that exists.
        UsageError: A Ray cluster cannot read standard input.
        NotInstalledError: Ray is not installed.
        ClusterError: There is no Ray cluster at the address.
    """
    checker = Checker(config, exclude=exclude, ignore=ignore, **arguments)
    context = checker.context
    address = ray_address or context.ray_address
    return checker.files(paths, context._replace(jobs=jobs, ray=ray, ray_address=address))
