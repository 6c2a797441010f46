"""The prediction language: reading, printing, types, truth, and what can be proved of it."""

from ._meaning import (
    ABSOLUTE_TOLERANCE,
    RELATIVE_TOLERANCE,
    TypeProblem,
    ValueOf,
    evaluate,
    margin,
    number,
    same_meaning,
    tolerance,
    type_problems,
)
from ._parser import MAX_DEPTH, Dialect, Formula, parse, read
from ._proof import Budget, Form, can_fail, can_hold
from ._tokens import FormulaSyntaxError
from ._tree import (
    Comparison,
    Logic,
    Node,
    Number,
    Reference,
    Sum,
    children,
    number_text,
    references,
    unparse,
    walk,
)

__all__ = [
    "ABSOLUTE_TOLERANCE",
    "MAX_DEPTH",
    "RELATIVE_TOLERANCE",
    "Budget",
    "Comparison",
    "Dialect",
    "Form",
    "Formula",
    "FormulaSyntaxError",
    "Logic",
    "Node",
    "Number",
    "Reference",
    "Sum",
    "TypeProblem",
    "ValueOf",
    "can_fail",
    "can_hold",
    "children",
    "evaluate",
    "margin",
    "number",
    "number_text",
    "parse",
    "read",
    "references",
    "same_meaning",
    "tolerance",
    "type_problems",
    "unparse",
    "walk",
]
