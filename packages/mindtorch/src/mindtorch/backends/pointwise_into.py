"""Calls of a ufunc on an NPU that write into their first operand.

As in :mod:`.pointwise` a small one runs at once on an idle stream. Nothing is booked: the result
has its memory.
"""

from __future__ import annotations

from typing import Any

from mindtorch_npu.backend import AT_ONCE, call_site, launch_safe

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..core import signature as S
from ..tensor import Tensor
from .costs import weight_of
from .launch_text import written
from .memory import UNBOOKED
from .plan import numbers_as
from .pointwise import Rest, with_rest, writing
from .uniform import Uniform, uniform_case

__all__ = ["in_place", "into_first"]


def in_place(overload: Overload, sig: int, slow: Call) -> Call | None:
    """``a = ufunc(a)`` or ``a = ufunc(a, b)`` in the memory of ``a``, the version counted.

    *slow* does the same.
    """
    case = uniform_case(overload, sig)
    if (
        UNBOOKED
        or sig & (S.STRIDED | S.PENDING | S.LAZY | S.DEFER | S.NO_MEMORY)
        or sig & S.BACKENDS != S.NPU
        or case is None
        or case.result is not case.dtype
        or case.zero_dim
    ):
        return None
    return into_first(overload, case, sig, slow, count=True)


def into_first(overload: Overload, case: Uniform, sig: int, general: Call, count: bool) -> Call:
    """The call of the ufunc that writes into its first operand; *count*: and counts the version."""
    kernel = writing(case.ufunc)
    name, weight = overload.name, weight_of(case.ufunc)

    def slowly(a: Any, queue: Any, *operands: Any) -> Any:
        launch_safe(queue, kernel, operands, name, a._a.nbytes * weight)
        return a

    def failed(queue: Any, error: Exception) -> None:
        queue.keep_error(error, name, call_site(2))

    rest = Rest(slowly, AT_ONCE // weight, general, overload.defaults[2:], failed=failed)
    if case.operands == 1:
        return with_rest(_into_one[count](kernel, rest), overload, 1, general)
    if sig & S.NUMBERS:
        call = _into_with_number[count](kernel, numbers_as(case.dtype.np), rest)
    else:
        call = _into_two[count](kernel, rest)
    return with_rest(call, overload, 2, general)


def _writing_into(parameters: str, text: str, operands: str, **names: Any) -> tuple[Any, Any]:
    """Makers of functions that do not count the version, and that do."""
    names |= {"operands": operands, "slowly": f"rest.slowly(a, queue, {operands})"}
    names |= {"fail": "rest.failed(queue, error)"}
    texts = [text.replace("COUNT", count) for count in ("", "alias.value += 1")]
    plain, counting = [written(parameters, each, **names)[0] for each in texts]
    return plain, counting


# The version is counted first: a launch that waits is one too.

_into_one = _writing_into(
    "kernel, rest",
    """
    def call(a):
        x = a._a
        alias = a._shared
        lane = alias.lane
        COUNT
        if x.size <= TINY:
            SHORTLY_INTO
        RUN_ON
        return a
    """,
    "x, x",
)

_into_two = _writing_into(
    "kernel, rest",
    """
    def call(a, b):
        x = a._a
        y = b._a
        alias = a._shared
        other = b._shared
        lane = alias.lane
        if (
            x.shape != y.shape
            or other.lane.index != lane.index
            or (other is alias and a is not b)  # they may overlap
        ):
            return rest.general(a, b, *rest.defaults)
        COUNT
        if x.size <= TINY:
            SHORTLY_INTO
        RUN_ON
        return a
    """,
    "x, y, x",
)

_into_with_number = _writing_into(
    "kernel, numbers, rest",
    """
    def call(a, b):
        if isinstance(b, Tensor):
            return rest.general(a, b, *rest.defaults)
        x = a._a
        y = numbers(b)
        alias = a._shared
        lane = alias.lane
        COUNT
        if x.size <= TINY:
            SHORTLY_INTO
        RUN_ON
        return a
    """,
    "x, y, x",
    Tensor=Tensor,
)
