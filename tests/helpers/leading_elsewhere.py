"""Links in a folder that lead out of it."""

import pytest
from conftest import file_at


@pytest.fixture
def elsewhere(tmp_path):
    """A folder of the user, and a file in it."""
    file_at(tmp_path / "home/precious", "mine")
    return tmp_path / "home"


def links(folder, elsewhere, names):
    """Put links into a folder that lead to a file, to nothing yet, or to a folder of the user."""
    for name, target in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(elsewhere / target)
