"""The Functionalize key's fallback; what it does is loaded when something is functional."""

from __future__ import annotations

from typing import Any

from ..call.dispatch_entry import OVERLOADS, Call
from ..call.overload import Overload
from ..call.specialize import BUILDERS, boxed

__all__ = ["functionalize_key"]


def build_functionalize_key(overload: Overload, sig: int, mask: int) -> Call:
    """See ``functionalization``."""
    from . import functionalization_ops  # noqa: F401  (which serves single overloads)
    from .functionalization import build_functionalization  # as above

    return build_functionalization(overload, sig, mask)


_of_rows = boxed(build_functionalize_key)


def functionalize_key(
    operator: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Run a row's op on values; one of a program's own in its functional form, if it has one."""
    if operator.name in OVERLOADS:
        return _of_rows(operator, keyset, args, kwargs)
    from .functionalization_foreign import foreign_op  # as above

    return foreign_op(operator, keyset, args, kwargs)


BUILDERS[functionalize_key] = build_functionalize_key
