"""The edge to git: questions about the repository of the current folder, asked of its command.

Names of branches and files come from anyone. They are passed as arguments, never through a shell,
and never where git would read them as options or patterns; names that git returns end in NUL.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from threading import Thread
from typing import IO, NamedTuple, TypeVar

from evalmark.schemas.errors import UsageError

Wanted = TypeVar("Wanted")

#: Blobs that one process is asked for: their names and what they are for are in memory.
_AT_ONCE = 10_000
#: Bytes read from git at a time.
_PART = 1 << 16
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",  # a check writes nothing, not even what git remembers of files
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class Commit(NamedTuple):
    """A commit, or a tree without any history, as the empty one is.

    Attributes:
        id: Its object id.
        is_tree: Whether it is a tree.
    """

    id: str
    is_tree: bool = False


class TreeEntry(NamedTuple):
    """A file of a tree: its mode, the id of its blob, and its path from the root."""

    mode: str
    id: str
    path: str


class Difference(NamedTuple):
    """A difference between a tree and the working tree.

    Attributes:
        old_mode: Mode in the tree; zeros if it is not there.
        new_mode: Mode in the working tree; zeros if it is not there.
        old_id: Id of the old blob; zeros if there is none.
        new_id: Id of the new blob; zeros if git does not have it.
        path: From the root of the repository.
    """

    old_mode: str
    new_mode: str
    old_id: str
    new_id: str
    path: str


class Repository:
    """The git repository of the current folder.

    Raises:
        UsageError: git is not installed, or the folder is not in the working tree of a repository.
    """

    def __init__(self) -> None:
        self._program = _program()
        self._environment = {**os.environ, **_SETTINGS}
        self.root = os.curdir
        done = self._run("rev-parse", "--show-toplevel")
        if done.returncode:
            if b"not a git repository" in done.stderr:
                raise UsageError("the current folder is not in a git repository")
            raise _failure("rev-parse", done)
        self.root = os.path.realpath(os.fsdecode(done.stdout.removesuffix(b"\n")))

    def commit(self, name: str) -> Commit:
        """The commit of a branch, a tag or an id; a tree is accepted as well.

        Raises:
            UsageError: There is none.
        """
        for kind in ("commit", "tree"):
            wanted = f"{name}^{{{kind}}}"
            done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", wanted)
            if name and done.returncode == 0:
                return Commit(done.stdout.decode().strip(), kind == "tree")
        raise UsageError(
            f"git finds no commit {name!r} in this repository: fetch it first "
            "(`git fetch origin BRANCH`), or name another"
        )

    def merge_base(self, base: Commit, name: str) -> str:
        """Where the history of HEAD has left that of a commit; a tree has no history.

        Raises:
            UsageError: They have no commit in common that is in this repository.
        """
        if base.is_tree:
            return base.id
        done = self._run("merge-base", base.id, "HEAD")
        if done.returncode == 0:
            return done.stdout.decode().strip()
        if base.id in self._parents():
            return base.id  # a shallow clone hides that
        if self._run("rev-parse", "--verify", "--quiet", "HEAD").returncode:
            raise UsageError("the current branch has no commit yet: commit first")
        shallow = self._run("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
        why = (
            "this clone is shallow; fetch the whole history with `git fetch --unshallow` "
            "(actions/checkout: `fetch-depth: 0`)"
            if shallow
            else "their histories are unrelated; name the commit from which the branch was made"
        )
        raise UsageError(f"{name!r} and HEAD have no commit in common: {why}")

    def _parents(self) -> list[str]:
        """The commits that HEAD was made from, also those that a shallow clone lacks."""
        head, _, _ = self._run("cat-file", "commit", "HEAD").stdout.partition(b"\n\n")
        lines = head.decode("ascii", "replace").split("\n")
        return [line.removeprefix("parent ") for line in lines if line.startswith("parent ")]

    def differences(self, tree: str, *patterns: str) -> Iterator[Difference]:
        """What differs between a commit and the working tree, in all files or those of patterns.

        A moved file is a deleted one and an added one.
        """
        how = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", "--no-ext-diff")
        done = self._run("diff", *how, "--ignore-submodules=dirty", tree, "--", *patterns)
        if done.returncode:
            raise _failure("diff", done)
        fields = iter(os.fsdecode(done.stdout).split("\0"))
        for words in fields:
            if words:
                old_mode, new_mode, old_id, new_id, _ = words.removeprefix(":").split(" ")
                yield Difference(old_mode, new_mode, old_id, new_id, next(fields))

    def untracked(self) -> Iterator[str]:
        """Paths, from the root, of the files that git neither tracks nor ignores."""
        done = self._run("ls-files", "-z", "--others", "--exclude-standard", "--full-name")
        if done.returncode:
            raise _failure("ls-files", done)
        # Another repository inside this one ends in a slash.
        names = os.fsdecode(done.stdout).split("\0")
        return (name for name in names if name and not name.endswith("/"))

    def tree(self, commit: str) -> Iterator[TreeEntry]:
        """The files of a commit or a tree."""
        with self._started("ls-tree", "-r", "-z", "--full-tree", commit) as output:
            for line in _until_nul(output):
                entry, _, path = line.partition("\t")
                mode, _, blob = entry.split(" ")
                yield TreeEntry(mode, blob, path)

    def blobs(self, wanted: Iterable[tuple[Wanted, str]]) -> Iterator[tuple[Wanted, bytes | None]]:
        """The contents of blobs; None for one that this repository lacks.

        Args:
            wanted: Anything that says what the blob is for, and the id of the blob.
        """
        remaining = iter(wanted)
        while some := list(islice(remaining, _AT_ONCE)):
            names = "".join(f"{blob}\n" for _, blob in some).encode()
            with self._started("cat-file", "--batch", "--buffer", stdin=names) as answers:
                for what, _ in some:
                    *_, size = answers.readline().split() or [b"missing"]
                    if size.isdigit():
                        yield what, answers.read(int(size))
                        answers.read(1)
                    else:
                        yield what, None

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603  # no shell, and no name where an option could be
            [self._program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self._environment,
            cwd=self.root,
            check=False,
        )

    @contextmanager
    def _started(self, *arguments: str, stdin: bytes = b"") -> Iterator[IO[bytes]]:
        """The output of a git command, which is read as it comes.

        Raises:
            UsageError: It fails.
        """
        with subprocess.Popen(  # noqa: S603  # as above
            [self._program, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
            cwd=self.root,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            # Both sides may be waiting for the other one to read.
            feeder = Thread(target=_feed, args=(process.stdin, stdin), daemon=True)
            feeder.start()
            yield process.stdout
            process.stdout.close()
            feeder.join()
        if process.returncode:
            raise UsageError(f"`git {arguments[0]}` failed with exit code {process.returncode}")


def _feed(pipe: IO[bytes], content: bytes) -> None:
    with suppress(OSError), pipe:  # it has ended
        pipe.write(content)


def _program() -> str:
    """The path of git, which is never a file of the repository itself.

    Raises:
        UsageError: It is not installed.
    """
    found = os.path.abspath(shutil.which("git") or "")
    # Windows looks in the current folder first.
    if os.path.dirname(found) == os.path.abspath(os.curdir) or not os.path.isfile(found):
        raise UsageError("git is not installed, or not on the PATH; changes are found with it")
    return found


def _failure(command: str, done: subprocess.CompletedProcess[bytes]) -> UsageError:
    """What git itself says, in one line."""
    lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
    first = next((line for line in lines if line.startswith("fatal: ")), lines[0])
    help_text = ""
    if "dubious ownership" in first:  # usual in containers
        help_text = '; if you trust it: git config --global --add safe.directory "$PWD"'
    return UsageError(f"`git {command}` failed: {first.removeprefix('fatal: ')}{help_text}")


def _until_nul(stream: IO[bytes]) -> Iterator[str]:
    """The names in a stream, each of which ends in NUL."""
    rest = b""
    while part := stream.read(_PART):
        *whole, rest = (rest + part).split(b"\0")
        yield from map(os.fsdecode, whole)
