"""Named tuples for what a hook loads: ``typing`` would take longer than the check of a record.

``typing.NamedTuple`` compiles every annotation, and ``typing`` itself is slow to load. Modules on
the way of a valid file take ``NamedTuple`` from here, and know ``typing`` only as type checkers.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Maker(type):
        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body["__annotations__"])
            defaults = [body.pop(field) for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in ("__module__", "__classcell__"):
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """Fields are the annotations of the class, as with ``typing.NamedTuple``."""
