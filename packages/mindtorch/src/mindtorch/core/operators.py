"""``ops.cat(...)``: functions of mindtorch for gradient formulas, without an import cycle.

Rows are imported while ``mindtorch`` itself is; its functions exist only afterwards. A name is
looked up when a formula first needs it and then kept as an attribute. Helpers of gradients
(``threshold_backward``, ``_to_copy``) are called with all their arguments and skip the parser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from .signature import COMPLEX

__all__ = ["conj", "of", "onto", "ops", "to_type"]


class _Functions:
    """The ops by name: helpers of gradients directly, all others as ``torch.x``."""

    def __getattr__(self, name: str) -> Any:
        import mindtorch  # these stand on the rows, which import this module

        from ..aten.register import MODULES, aten_function, internal  # as above

        found = internal(name) or next(
            (home[name] for home in MODULES.values() if name in home), None
        )
        found = found or aten_function(name)
        if found is None:
            found = getattr(mindtorch, name)
        setattr(self, name, found)
        return found


ops = _Functions()


@cache
def of(name: str) -> Callable[..., Any]:
    """One overload (``of("div.Scalar")``), where the function would choose another.

    torch's C++ divides by a number with ``div.Scalar``, its Python with ``div.Tensor``; the names
    of the nodes tell which it was.
    """
    from ..call.dispatch_entry import OVERLOADS  # which stand on the rows
    from ..call.straight_calls import straight  # as above

    return straight(OVERLOADS["aten::" + name])


def onto(function: Callable[..., Any]) -> Callable[..., Any]:
    """The ``out_kernel`` of a composite that hands ``out=`` to an op inside."""
    return lambda target, *args: function(*args, out=target)


def to_type(tensor: Any, dtype: Any) -> Any:
    """*tensor* in another dtype, with all the options of the result given."""
    return of("_to_copy")(tensor, dtype=dtype, layout=tensor.layout, device=tensor.device)


def conj(x: Any) -> Any:
    """The complex conjugate of a tensor or number; real ones come back as they are."""
    try:
        sig = x._sig
    except AttributeError:
        return x.conjugate() if isinstance(x, complex) else x
    return x.conj() if sig & COMPLEX else x
