"""Ask git about a repository, by its command.

Names of branches and files come from anyone. They are passed as arguments, never through a shell,
and never where git would read them as options or patterns; names that git returns end in NUL.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import islice
from threading import Thread
from typing import IO, NamedTuple, TypeVar

from evalmark.schemas.errors import UsageError
from evalmark.validator.io.opening import read_whole

Purpose = TypeVar("Purpose")

#: Blobs that one process is asked for: their names and what they are for are in memory.
_AT_ONCE = 10_000
#: Bytes read from git at a time.
_PART = 1 << 16
#: Letters of the id of an object in a repository that has SHA-1.
_SHA1 = 40
_SETTINGS = {
    "GIT_OPTIONAL_LOCKS": "0",  # a check writes nothing, not even what git remembers of files
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    # Nothing is fetched, which git does by itself for what a partial clone lacks. Versions before
    # 2.44 do not know the first; the second also forbids what the repository's settings allow.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "",
}
_OPTIONS = (
    "-c", "protocol.allow=never",
    # Files of the folder are not a repository: a bare one, which any commit can bring, has settings
    # that run commands. Of the settings of the real one, the file system monitor is a command.
    "-c", "safe.bareRepository=explicit",
    "-c", "core.fsmonitor=false",
)  # fmt: skip
#: Git's errors in a bare repository, and in `.git`.
_NO_WORKING_TREE = (b"cannot use bare repository", b"must be run in a work tree")
#: Settings of a clone without some of the blobs or trees.
_PARTIAL = r"^(extensions\.partialclone|remote\..*\.promisor)$"
#: The command that fetches everything such a clone lacks.
REFETCH = "git fetch --refetch --no-filter"


class Commit(NamedTuple):
    """A commit, or a tree without any history, as the empty one is."""

    id: str
    is_tree: bool = False


class DatedCommit(NamedTuple):
    """A commit and its time: a Unix timestamp."""

    id: str
    time: int


class TreeEntry(NamedTuple):
    """A file of a tree: its mode, the id of its blob, and its path from the root."""

    mode: str
    id: str
    path: str

    @property
    def is_link(self) -> bool:
        """True if it is a symbolic link, whose content is where it leads."""
        return self.mode.startswith("120")


class Difference(NamedTuple):
    """A difference between a tree and the working tree."""

    old_mode: str  # mode in the tree; zeros if it is not there
    new_mode: str  # mode in the working tree; zeros if it is not there
    old_id: str  # id of the old blob; zeros if there is none
    new_id: str  # id of the new blob; zeros if git does not have it
    path: str  # from the root of the repository


#: Host -> what it has between a repository and a file of its newest commit.
_SHOWN_AT = {
    "github.com": "blob/HEAD", "gitlab.com": "-/blob/HEAD", "huggingface.co": "blob/main",
}  # fmt: skip
#: The URL of a remote repository; what is before an @, which may be a secret, is not looked at.
_REMOTE = re.compile(
    rf"(?:(?:https|ssh)://)?(?:[^@/]*@)?(?P<host>{'|'.join(map(re.escape, _SHOWN_AT))})[:/]"
    r"(?P<path>[\w.-]+(?:/[\w.-]+)+)/?",
    re.ASCII,
)


class Author(NamedTuple):
    """The author of a commit, as the commit says."""

    email: str
    name: str


class Repository:
    """The git repository of a folder; a UsageError without git, or outside of a working tree."""

    def __init__(self, folder: str = os.curdir) -> None:
        self._program = _program()
        self._environment = {**os.environ, **_SETTINGS}
        self.root = folder
        done = self._run("rev-parse", "--show-toplevel")
        if done.returncode:
            if b"not a git repository" in done.stderr:
                raise UsageError("the current folder is not in a git repository")
            if any(message in done.stderr for message in _NO_WORKING_TREE):
                raise UsageError(
                    "the current folder is a git repository without a working tree, whose "
                    "settings could run commands: change to a working tree"
                )
            raise self._failure("rev-parse", done)
        self.root = os.path.realpath(os.fsdecode(done.stdout.removesuffix(b"\n")))

    def commit(self, name: str) -> Commit:
        """The commit of a branch, tag or id, or a tree as it is; UsageError if there is none."""
        for kind in ("commit", "tree"):
            revision = f"{name}^{{{kind}}}"
            done = self._run("rev-parse", "--verify", "--quiet", "--end-of-options", revision)
            if name and done.returncode == 0:
                return Commit(done.stdout.decode().strip(), kind == "tree")
        raise UsageError(
            f"git finds no commit {name!r} in this repository: fetch it first "
            "(`git fetch origin BRANCH`), or name another"
        )

    def merge_base(self, base: Commit, name: str) -> str:
        """The commit at which HEAD's history has left that of another; a tree has no history.

        Raises UsageError if they have no commit in common that is in this repository.
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

    def newest(self, path: str) -> DatedCommit | None:
        """The newest commit that has changed a file or a folder of the working tree.

        None if the current commit does not have all of its files as they are there, or if the clone
        is shallow: its oldest commit may have changed nothing. Files are compared by their bytes,
        since filters that git would apply are commands of the repository's settings.
        """
        place = os.path.relpath(os.path.realpath(path), self.root).replace(os.sep, "/")
        if self._run("rev-parse", "--is-shallow-repository").stdout.strip() != b"false":
            return None
        listed = self._run("ls-tree", "-r", "-z", "--full-tree", "HEAD", "--", place)
        entries = [line.split("\t", 1) for line in os.fsdecode(listed.stdout).split("\0") if line]
        ids = {name: entry.split(" ")[2] for entry, name in entries}
        for file in _files_at(os.path.realpath(path)):
            blob = ids.get(os.path.relpath(file, self.root).replace(os.sep, "/"))
            if blob is None or not is_blob(file, blob):
                return None
        found = self._run("rev-list", "-1", "--timestamp", "HEAD", "--", f":(literal){place}")
        seconds, _, commit = found.stdout.decode("ascii", "replace").strip().partition(" ")
        return DatedCommit(commit, int(seconds)) if seconds.isdecimal() else None

    def authors(self, commit: str) -> dict[str, Author]:
        """Place of each file that a commit has or had -> who has added it, as git knows.

        Empty in a shallow clone, whose oldest commit seems to add everything, and for a tree.
        """
        if self._run("rev-parse", "--is-shallow-repository").stdout.strip() != b"false":
            return {}
        added = ("--diff-filter=A", "--no-renames", "--name-only", "-z", "--format=%x01%ae%x02%an")
        done = self._run("log", "--reverse", *added, commit, "--")
        found: dict[str, Author] = {}
        for entry in os.fsdecode(done.stdout).split("\x01")[1:]:
            who, *places = entry.split("\0")
            email, _, name = who.partition("\x02")
            found.update((place.lstrip("\n"), Author(email, name)) for place in places if place)
        return found

    def emails_since(self, commit: str) -> set[str]:
        """The addresses of the authors of a branch; of the user, if nothing is committed yet."""
        done = self._run("log", "--format=%ae", f"{commit}..HEAD", "--")
        found = set(os.fsdecode(done.stdout).split())
        user = os.fsdecode(self._run("config", "user.email").stdout).strip()
        return found or ({user} if user else set())

    def web_folder(self) -> tuple[str, dict[str, str]]:
        """The URL of the files of HEAD, and place -> blob of each; empty if it is not published.

        Hosts are known that show a file, and HEAD must be in a branch of one. No commit is named,
        so that the URL stays as it is.
        """
        remote = os.fsdecode(self._run("config", "--get", "remote.origin.url").stdout).strip()
        match = _REMOTE.fullmatch(remote)
        if match is None or not self._run("branch", "-r", "--contains", "HEAD").stdout.strip():
            return "", {}
        head = self.commit("HEAD").id
        path = match["path"].removesuffix(".git")
        url = f"https://{match['host']}/{path}/{_SHOWN_AT[match['host']]}/"
        return url, {place: blob for mode, blob, place in self.tree(head) if mode.startswith("100")}

    def differences(self, tree: str, *patterns: str) -> Iterator[Difference]:
        """The differences between a commit and the working tree, in all files or those of patterns.

        A moved file is a deleted one and an added one.
        """
        options = ("--raw", "-z", "--no-abbrev", "--no-renames", "--no-relative", "--no-ext-diff")
        output = self._output("diff", *options, "--ignore-submodules=dirty", tree, "--", *patterns)
        fields = iter(output.split("\0"))
        for words in fields:
            if words:
                old_mode, new_mode, old_id, new_id, _ = words.removeprefix(":").split(" ")
                yield Difference(old_mode, new_mode, old_id, new_id, next(fields))

    def untracked(self) -> Iterator[str]:
        """Paths, from the root, of the files that git neither tracks nor ignores."""
        output = self._output("ls-files", "-z", "--others", "--exclude-standard", "--full-name")
        # Another repository inside this one ends in a slash.
        return (name for name in output.split("\0") if name and not name.endswith("/"))

    def tree(self, commit: str) -> Iterator[TreeEntry]:
        """The files of a commit or a tree."""
        with self._started("ls-tree", "-r", "-z", "--full-tree", commit) as output:
            for line in _until_nul(output):
                entry, _, path = line.partition("\t")
                mode, _, blob = entry.split(" ")
                yield TreeEntry(mode, blob, path)

    def entry(self, tree: str, place: str) -> TreeEntry | None:
        """The file of a commit or a tree at a path from the root, if it has one."""
        options = ("-z", "--full-tree", tree, "--", place)
        listed = self._output("--literal-pathspecs", "ls-tree", *options)
        entry, _, path = listed.removesuffix("\0").partition("\t")
        mode, kind, blob = entry.split(" ") if path == place else ("", "", "")
        return TreeEntry(mode, blob, path) if kind == "blob" else None

    def blobs(
        self, requests: Iterable[tuple[Purpose, str]]
    ) -> Iterator[tuple[Purpose, bytes | None]]:
        """The contents of blobs; None for one that this repository lacks, as partial clones do.

        A request says what the blob is for (anything), and has its id.
        """
        remaining = iter(requests)
        while some := list(islice(remaining, _AT_ONCE)):
            ids = {blob for _, blob in some}
            there = ids if not self.is_partial else self._there(ids)
            names = "".join(f"{blob}\n" for _, blob in some if blob in there).encode()
            with self._started("cat-file", "--batch", "--buffer", stdin=names) as answers:
                for purpose, blob in some:
                    line = answers.readline() if blob in there else b""
                    *_, size = line.split() or [b"missing"]
                    if size.isdigit():
                        yield purpose, answers.read(int(size))
                        answers.read(1)
                    else:
                        yield purpose, None

    @cached_property
    def is_partial(self) -> bool:
        """True if this is a partial clone, which may lack some of its objects."""
        return self._run("config", "--local", "--get-regexp", _PARTIAL).returncode == 0

    def _there(self, ids: set[str]) -> set[str]:
        """The ids whose objects are there. A git that is asked for others would end."""
        listing = ("--batch-check=%(objectname)", "--batch-all-objects", "--unordered")
        with self._started("cat-file", *listing) as lines:
            return {name for line in lines if (name := line.decode().strip()) in ids}

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(  # noqa: S603  # no shell, and no name where an option could be
            [self._program, *_OPTIONS, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=self._environment,
            cwd=self.root,
            check=False,
        )

    def _output(self, *arguments: str) -> str:
        done = self._run(*arguments)
        if done.returncode:
            command = next(word for word in arguments if not word.startswith("-"))
            raise self._failure(command, done)
        return os.fsdecode(done.stdout)

    @contextmanager
    def _started(self, *arguments: str, stdin: bytes = b"") -> Iterator[IO[bytes]]:
        with subprocess.Popen(  # noqa: S603  # as above
            [self._program, *_OPTIONS, *arguments],
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
            reason = f"`git {arguments[0]}` failed with exit code {process.returncode}"
            raise UsageError(reason + self._way_out())

    def _failure(self, command: str, done: subprocess.CompletedProcess[bytes]) -> UsageError:
        lines = done.stderr.decode("utf-8", "replace").strip().splitlines() or ["no reason given"]
        fatal = [line for line in lines if line.startswith("fatal: ")] or lines
        # Of what a partial clone lacks, the first line is about the protocol that is not allowed.
        chosen = next((line for line in fatal if "could not fetch" in line), fatal[0])
        help_text = ""
        if "dubious ownership" in chosen:  # usual in containers
            help_text = '; if you trust it: git config --global --add safe.directory "$PWD"'
        elif command != "rev-parse":
            help_text = self._way_out()
        return UsageError(f"`git {command}` failed: {chosen.removeprefix('fatal: ')}{help_text}")

    def _way_out(self) -> str:
        return f"; this is a partial clone: fetch what it lacks: `{REFETCH}`" * self.is_partial


def _files_at(path: str) -> list[str]:
    if not os.path.isdir(path):
        return [path]
    files = []
    for here, folders, names in os.walk(path):
        folders[:] = [name for name in folders if name != ".git"]
        files += [os.path.join(here, name) for name in names]
    return files


def is_blob(path: str, blob: str) -> bool:
    """True if a file has the bytes of a blob, whose id is a SHA-1 or a SHA-256."""
    raw = read_whole(path)
    digest = hashlib.new("sha1" if len(blob) == _SHA1 else "sha256", usedforsecurity=False)
    digest.update(b"blob %d\0" % len(raw))
    digest.update(raw)
    return digest.hexdigest() == blob


def _feed(pipe: IO[bytes], content: bytes) -> None:
    with suppress(OSError), pipe:  # it has ended
        pipe.write(content)


def _program() -> str:
    """The path of git, which is never a file of the repository itself; a UsageError without it."""
    program = os.path.abspath(shutil.which("git") or "")
    # Windows looks in the current folder first.
    if os.path.dirname(program) == os.path.abspath(os.curdir) or not os.path.isfile(program):
        raise UsageError("git is not installed, or not on the PATH; changes are found with it")
    return program


def _until_nul(stream: IO[bytes]) -> Iterator[str]:
    rest = b""
    while part := stream.read(_PART):
        *whole, rest = (rest + part).split(b"\0")
        yield from map(os.fsdecode, whole)
