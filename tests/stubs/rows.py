"""What the rows offer to Python: schemas of functions and methods by name."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from mindtorch.aten.register import METHODS, MODULES, hidden
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.overload import OUT, Overload
from mindtorch_dispatch import python_signatures
from mindtorch_dispatch.parameter import Signature
from mindtorch_dispatch.schema import Argument


class Offered:
    """A function or method that comes from rows: its signatures, in the order of their trial."""

    __slots__ = ("_overloads", "base", "is_method", "signatures")

    def __init__(self, base: str, overloads: Iterable[Overload], *, is_method: bool) -> None:
        self.base, self.is_method = base, is_method
        self._overloads = list(overloads)
        texts = [o.schema_text for o in self._overloads]
        self.signatures: list[Signature] = python_signatures(base, texts, method=is_method)

    def returns(self, signature: Signature) -> tuple[str, tuple[Argument, ...]]:
        """What a call of *signature* gives: the named tuple, if it is one, and its parts."""
        meant = signature.functional or signature.out
        assert meant is not None
        overload = self._overloads[meant.index]
        return overload.structure_name(), tuple(overload.schema.returns)


@cache
def functions() -> dict[int, Offered]:
    """Every function made of rows, by its identity: it may be offered under several names."""
    load_all()
    found = {}
    for module, table in MODULES.items():
        for base in table:
            group = (
                o
                for o in OVERLOADS.named(base)
                if o.row.module == module and "function" in o.row.variants and not hidden(o)
            )
            found[id(table[base])] = Offered(base, group, is_method=False)
    return found


@cache
def methods() -> dict[str, Offered]:
    """Every method made of rows, by its name."""
    load_all()
    found = {}
    for base in METHODS:
        group = (o for o in OVERLOADS.named(base) if "method" in o.row.variants and o.kind != OUT)
        found[base] = Offered(base, group, is_method=True)
    return found


@cache
def structures() -> dict[str, list[tuple[str, str]]]:
    """The named tuples that ops return: their fields, each with the type that its schema says."""
    load_all()
    named = ((o.structure_name(), o) for o in OVERLOADS.values())
    found = {
        name: [(r.name, r.real_type.str()) for r in o.schema.returns] for name, o in named if name
    }
    return dict(sorted(found.items()))


def is_method(name: str, value: Any) -> bool:
    """Whether *value*, an attribute of ``Tensor``, is the method that rows make."""
    return name in METHODS and METHODS[name] is value
