"""The changes: what can be changed in a module, and the text before and after."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
BOUNDARIES = (ast.Gt, ast.GtE, ast.Lt, ast.LtE)
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
}  # fmt: skip


@dataclass(frozen=True)
class Change:
    """One change of one module.

    Attributes:
        path: The module, in the checkout.
        operator: The kind of change.
        line: Where it begins.
        start: Its offset in the bytes of the module.
        before: The text there, which is replaced.
        after: The text instead.
    """

    path: str
    operator: str
    line: int
    start: int
    before: str
    after: str

    @property
    def room(self) -> str:
        return self.path.partition("/")[0]

    @property
    def key(self) -> str:
        """What names it as long as its text stays, wherever in the module that is."""
        return f"{self.path} | {' '.join(self.before.split())} | {' '.join(self.after.split())}"

    def applied(self, content: bytes) -> bytes:
        before = self.before.encode()
        assert content[self.start : self.start + len(before)] == before
        return content[: self.start] + self.after.encode() + content[self.start + len(before) :]


def changes(path: str, content: bytes) -> Iterator[Change]:
    """Every change of a module."""
    starts = [0]
    for line in content.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for operator, node, after in replaced(ast.parse(content)):
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
        before = content[start:end].decode()
        yield Change(path, operator, node.lineno, start, before, after or f"(not ({before}))")


def replaced(node: ast.AST) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    """Operator, node and new text of each change; no text: the expression negated."""
    if isinstance(node, ast.expr | ast.stmt):
        yield from expressions(node) if isinstance(node, ast.expr) else statements(node)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params", "values") and (
            name != "values" or isinstance(node, ast.JoinedStr)
        ):
            continue  # types, and expressions in f-strings, whose places Python 3.11 does not know
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not is_guard(child):
                yield from replaced(child)


def is_guard(node: ast.AST) -> bool:
    """True of what is never changed: types, assertions, signals to processes."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("kill", "killpg"):
        return True  # another number would end processes of others
    return isinstance(node, ast.Assert) or (
        isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    )


def expressions(node: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node, ast.Compare):
        for index, op in enumerate(node.ops):
            ops = [*node.ops[:index], COMPARISONS[type(op)](), *node.ops[index + 1 :]]
            kind = "boundary" if isinstance(op, BOUNDARIES) else "comparison"
            yield kind, node, text(ast.Compare(node.left, ops, node.comparators))
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield "and, or", node, text(ast.BoolOp(other, node.values))
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "condition", node, text(node.operand)
    elif isinstance(node, ast.IfExp):
        yield from negated(node.test)
    elif isinstance(node, ast.Constant):
        yield from constants(node)
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        sides = (node.left, node.right)
        if any(isinstance(s, ast.Constant) and isinstance(s.value, int | float) for s in sides):
            other_op = ARITHMETIC[type(node.op)]()
            yield "arithmetic", node, text(ast.BinOp(node.left, other_op, node.right))
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        yield from swapped(node)


def negated(test: ast.expr) -> Iterator[tuple[str, ast.expr, str]]:
    """A condition; comparisons, ``and``, ``or`` and ``not`` are changed themselves."""
    if not isinstance(test, ast.Compare | ast.BoolOp | ast.Constant | ast.UnaryOp):
        yield "condition", test, ""


def constants(node: ast.Constant) -> Iterator[tuple[str, ast.expr, str]]:
    if isinstance(node.value, bool):
        yield "constant", node, str(not node.value)
    elif isinstance(node.value, int):
        yield "constant", node, str(node.value + 1)
        yield "constant", node, f"({node.value - 1})" if node.value < 1 else str(node.value - 1)


def swapped(node: ast.Call) -> Iterator[tuple[str, ast.expr, str]]:
    first, second, *rest = node.args
    starred = any(isinstance(a, ast.Starred) for a in (first, second))
    if not starred and ast.dump(first) != ast.dump(second):
        yield "arguments", node, text(ast.Call(node.func, [second, first, *rest], node.keywords))


def statements(node: ast.stmt) -> Iterator[tuple[str, ast.expr | ast.stmt, str]]:
    value = getattr(node, "value", None)
    if isinstance(node, ast.If | ast.While):
        yield from negated(node.test)
    elif isinstance(node, ast.Continue | ast.Break | ast.AugAssign | ast.Raise):
        yield "statement", node, "pass"
    elif value is None or isinstance(value, ast.Constant):
        return  # a docstring, or what returns a constant
    elif isinstance(node, ast.Expr):
        yield "statement", node, "pass"
    elif isinstance(node, ast.Return):
        yield "return", node, "return None"


def text(node: ast.expr) -> str:
    return f"({ast.unparse(node)})"


def chosen(modules: dict[str, bytes], count: int, seed: str) -> list[Change]:
    """Changes at random: of each room by its size, but three at least, and of all kinds alike."""
    random = Random(seed)
    rooms: dict[str, list[str]] = defaultdict(list)
    for path in sorted(modules):
        rooms[path.partition("/")[0]].append(path)
    sizes = {room: sum(len(modules[path]) for path in paths) for room, paths in rooms.items()}
    picked: list[Change] = []
    for room in sorted(rooms):
        number = max(3, round(count * sizes[room] / sum(sizes.values())))
        kinds: dict[str, list[Change]] = defaultdict(list)
        for path in rooms[room]:
            for change in changes(path, modules[path]):
                kinds[change.operator].append(change)
        for _ in range(number):
            if not kinds:
                break
            kind = random.choice(sorted(kinds))
            picked.append(kinds[kind].pop(random.randrange(len(kinds[kind]))))
            if not kinds[kind]:
                del kinds[kind]
    random.shuffle(picked)
    return picked[:count]
