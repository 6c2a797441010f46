"""The commands: options in, exit code out."""

import gc
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

# Loading modules makes many objects and no garbage: at Python's threshold of 700, the search for
# reference cycles is a fifteenth of the time of a hook.
gc.set_threshold(50_000)


class _Inspect(ModuleType):
    """Stands for ``inspect`` until something asks for a name of it.

    `dataclasses` imports it, with all that reads source code, and needs it for classes without a
    docstring alone. That would be a twelfth of the time of a hook.
    """

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get("inspect") is self:
            del sys.modules["inspect"]
        return getattr(import_module("inspect"), name)


sys.modules.setdefault("inspect", _Inspect("inspect"))
