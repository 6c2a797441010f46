"""Runs that are killed: what they leave, and all files of a folder."""

from contextlib import contextmanager
from itertools import count

import pytest


class Killed(BaseException):
    """What a kill is to the code that runs: nothing after it happens."""


@contextmanager
def killed_at_pack(number):
    """What scores a model in this context is killed when it begins with that pack."""
    from evalmark.scoring.models.language_models import CausalModel

    real, packs = CausalModel.read_pack, count(1)

    def read_pack(self, pack):
        if next(packs) == number:
            raise Killed
        return real(self, pack)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CausalModel, "read_pack", read_pack)
        try:
            yield
        except Killed:
            return
    pytest.fail("it was not killed")


def files_in(folder):
    """The path of each file, from the folder, and its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*")) if path.is_file()
    }  # fmt: skip
