"""The changes of ``benchmarks.mutants``: what is changed, and that a commit decides which."""

from __future__ import annotations

import ast

import pytest

from benchmarks.mutants.changes import changes, chosen


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ok = a > b", {"(a >= b)"}),
        ("ok = a <= b < c", {"(a < b < c)", "(a <= b <= c)"}),
        ("ok = a == b", {"(a != b)"}),
        ("ok = a in b", {"(a not in b)"}),
        ("ok = a is b", {"(a is not b)"}),
        ("ok = a and b", {"(a or b)"}),
        ("ok = not a", {"(a)"}),
        ("ok = a if b() else c", {"(not (b()))"}),
        ("n = 3", {"4", "2"}),
        ("n = 0", {"1", "(-1)"}),
        ("ok = True", {"False"}),
        ("n = a + 1", {"(a - 1)", "2", "0"}),
        ("n = a + b", set()),
        ("f(a, b, c)", {"(f(b, a, c))", "pass"}),
        ("f(a, a)", {"pass"}),
        ("n += a", {"pass"}),
        ("raise a", {"pass"}),
        ("assert a > 1", set()),
        ('"""A docstring."""', set()),
        ("os.kill(process, 0)", {"pass"}),
        ("n: Annotated[int, 3]", set()),
        ("text = f'{a > 1}'", set()),
        ("ok = 'é', a > b", {"(a >= b)"}),
    ],
)
def test_a_line_is_changed(line, expected):
    content = f"# é\n{line}\n".encode()
    found = list(changes("cli/a.py", content))
    assert {change.after for change in found} == expected
    for change in found:
        assert change.line == 2
        assert ast.dump(ast.parse(change.applied(content))) != ast.dump(ast.parse(content))


def test_a_return_is_changed():
    assert [c.after for c in changes("a.py", b"def f(a):\n    return a\n")] == ["return None"]


MODULES = {
    "cli/a.py": b"ok = a > b and c == 2\n" * 300,
    "schemas/b.py": b"ok = a > b and c == 2\n" * 10,
}


def test_a_seed_decides_which_changes_are_made():
    first = chosen(MODULES, 40, "9e8d7ae")
    assert first == chosen(dict(reversed(MODULES.items())), 40, "9e8d7ae")
    assert first != chosen(MODULES, 40, "c31b555")
    assert len(set(first)) == 40


def test_every_room_and_kind_is_changed():
    picked = chosen(MODULES, 40, "9e8d7ae")
    assert sum(change.room == "schemas" for change in picked) >= 3
    assert {c.operator for c in picked} == {"boundary", "comparison", "and, or", "constant"}
