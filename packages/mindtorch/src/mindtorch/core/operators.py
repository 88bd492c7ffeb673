"""``ops.cat(...)``: functions of mindtorch for gradient formulas, without an import cycle.

Rows are imported while ``mindtorch`` itself is; its functions exist only afterwards. A name is
looked up when a formula first needs it and then kept as an attribute. Helpers of gradients
(``threshold_backward``, ``_to_copy``) are called with all their arguments and skip the parser.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from .late_bound import LateBound
from .signature import COMPLEX

__all__ = [
    "UNCLAIMED", "call_for_objects", "conj", "grad", "of", "onto", "operator_named", "ops",
    "to_type", "written_parser",
]  # fmt: skip

function_named = LateBound("function_named")
straight_named = LateBound("straight_named")
#: ``torch.autograd.grad``, for formulas that differentiate ops themselves.
grad = LateBound("grad")
#: ``torch.ops``' object for a qualified name: ``aten::add.Tensor``.
operator_named = LateBound("operator_named")
#: What :data:`call_for_objects` gives where nobody takes over a call.
UNCLAIMED: Final = object()
#: What an argument that is no tensor, but overrides functions, makes of a call that does not fit.
call_for_objects = LateBound("call_for_objects")
#: The parser of a function or method that is no op, by its name: ``Tensor.size``.
written_parser = LateBound("written_parser")


class _Functions:
    """The ops by name: helpers of gradients directly, all others as ``torch.x``."""

    def __getattr__(self, name: str) -> Any:
        found = function_named(name)
        setattr(self, name, found)
        return found


ops = _Functions()


@cache
def of(name: str) -> Callable[..., Any]:
    """One overload (``of("div.Scalar")``), where the function would choose another.

    torch's C++ divides by a number with ``div.Scalar``, its Python with ``div.Tensor``; the names
    of the nodes tell which it was.
    """
    call: Callable[..., Any] = straight_named("aten::" + name)
    return call


def onto(function: Callable[..., Any]) -> Callable[..., Any]:
    """The ``out_kernel`` of a composite that hands ``out=`` to an op inside."""
    return lambda target, *args: function(*args, out=target)


def to_type(tensor: Any, dtype: Any) -> Any:
    """*tensor* in another dtype, with all the options of the result given."""
    return of("_to_copy")(tensor, dtype=dtype, layout=tensor.layout, device=tensor.device)


def conj(x: Any) -> Any:
    """The complex conjugate of a tensor or number; real ones come back as they are."""
    try:
        sig = x._sig_
    except AttributeError:
        return x.conjugate() if isinstance(x, complex) else x
    return x.conj() if sig & COMPLEX else x
