"""``torch.return_types``: the named tuples that ops with named results return.

A class is made when its op is first called, or asked for as an attribute of this module. It has
the ways of C's struct sequences, which torch uses: one sequence makes it, and it prints its
fields one below the other.
"""

from __future__ import annotations

from typing import Any

from mindtorch.aten.register import FUNCTIONS, METHODS
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.lazy_registration import load_all
from mindtorch.core.named_results import classes as _classes

__all__ = ["pytree_register_structseq"]


def pytree_register_structseq(cls: Any) -> None:
    """Let ``torch.utils._pytree`` look into *cls*: it looks into every named result."""


def __getattr__(name: str) -> Any:
    if name == "all_return_types":
        return [__getattr__(each) for each in __dir__() if each not in (name, *__all__)]
    found = _classes.get(name)
    if found is None and not name.startswith("_"):
        load_all()
        for overload in OVERLOADS.values():
            if overload.structure_name() == name:
                overload.analyse()
                found = overload.pack
                break
    if found is None:
        raise AttributeError(f"module 'torch.return_types' has no attribute '{name}'")
    return found


def __dir__() -> list[str]:
    load_all()
    offered = [o for o in OVERLOADS.values() if o.base in FUNCTIONS or o.base in METHODS]
    named = {o.structure_name() for o in offered}
    return sorted({"all_return_types", *__all__, *(n for n in named if n and n[0] != "_")})
