"""``evalmark memory``."""

from __future__ import annotations

from evalmark.memory.commands.memory_options import MemoryOptions
from evalmark.schemas.errors import UsageError
from evalmark.validator.options.declaration import command


@command(
    MemoryOptions,
    "evalmark memory all --model ./my-chat-model --out runs/mine",
    "evalmark memory colours --agent mine.py:Mine --out mine --at-least all=0.6",
    exit_code="0 done, 1 a test failed, not judged or below a floor, 2 failed",
)
def memory(options: MemoryOptions) -> int:
    """Test what a model remembers of conversations; write a record.

    TESTS are names of datasets (`all` are those that need no judge), `file.py:Class`, definitions
    of the LTM benchmark or folders of them, or a configuration. Repeat the command to resume.
    """
    from evalmark.memory.commands.converse_targets import converse_targets

    if options.out is None:
        raise UsageError("--out is missing: name the folder of the run")
    return converse_targets(options, options.out)
