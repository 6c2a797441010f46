"""What ``evalmark check`` is asked to do."""

from __future__ import annotations

from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class Options(NamedTuple):
    """What the user asked for; the defaults are those of the command line."""

    paths: Sequence[str]
    kind: str | None = None
    schema_version: str | None = None
    join: str | None = None
    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    profile: str | None = None
    datastore: bool = False
    schema_only: bool = False
    format: str = "auto"
    fail_on: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False
    show_all: bool = False
    quiet: bool = False
    verbose: bool = False
    colour: str = "auto"
    stdin_filename: str = "<stdin>"
    exit_zero: bool = False
    #: Processes; None for as many as there are processors, once there is enough to share out.
    jobs: int | None = None
    #: Bytes after which the rest is shared out: starting processes has been repaid by then.
    enough: int = 20_000_000
    engine: str = "local"
    #: Where the Ray cluster is; None for one of this machine.
    ray_address: str | None = None
    #: Under the hook, files of no known kind are passed over: a repository has other JSON too.
    hook: bool = False
