"""What ``torch.use_deterministic_algorithms`` changes.

Kernels here are numpy's: deterministic, whatever the switch says. But while it is on, new memory is
filled with values that nobody takes for numbers, and ``put`` complains, as it does in torch where
one index may come twice. Calls are resolved with that or without; the switch empties the tables.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import signature as S
from ..core.errors import not_implemented_for
from ..core.warning import warn
from ..tensor import Tensor
from ..tensor.construction import wrap
from ..tensor.tensor_impl import alias_of
from .dispatch_entry import OVERLOADS, Call
from .overload import OUT, Overload

__all__ = ["deterministic_call", "fill_new", "fill_tail", "state", "switch"]


class _State:
    """What is switched on, in the whole process."""

    enabled = False
    warn_only = False
    fills = True  # ``torch.utils.deterministic.fill_uninitialized_memory``
    #: Names of the rows whose calls differ; none while nothing is switched on.
    concerned: frozenset[str] = frozenset()


state = _State

_MAKE_MEMORY = frozenset(
    ("empty.memory_format", "empty_like", "empty_strided", "new_empty", "new_empty_strided")
)
_CONCERNED = _MAKE_MEMORY | {"put"}
_INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
#: What is left to the calls below: other devices, and whatever stands for another tensor.
_ELSEWHERE = S.META | S.PYTHON | S.FUNCTIONAL | S.BATCHED | S.PENDING | S.LAZY


def switch(enabled: bool, warn_only: bool) -> None:
    """Turn it on or off."""
    state.enabled, state.warn_only = enabled, warn_only
    state.concerned = _CONCERNED if enabled else frozenset()
    for overload in OVERLOADS.values():
        if overload.row.name in _CONCERNED:
            overload.table.clear()
            overload.lead.clear()
            overload.api.clear()


def deterministic_call(overload: Overload, call: Call) -> Call:
    """*call*, of a row that is concerned, as it is while the switch is on."""
    if overload.row.name == "put":
        return _complaining(call)
    if overload.kind == OUT:

        def filled_out(*args: Any) -> Any:
            made = call(*args)
            if state.fills and not made._sig & _ELSEWHERE:
                made.fill_(_no_number(made.dtype))
            return made

        return filled_out

    def filled(*args: Any) -> Any:
        made = call(*args)
        fill_new(made)
        return made

    return filled


def _complaining(call: Call) -> Call:
    def put(self: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
        if not accumulate and not self._sig & S.META:
            _alert("put_")
        return call(self, index, source, accumulate)

    return put


def _alert(name: str) -> None:
    """Raise or warn. Source: torch aten/src/ATen/Context.cpp, alertNotDeterministic."""
    only = ", warn_only=True" if state.warn_only else ""
    text = (
        f"{name} does not have a deterministic implementation, but you set "
        f"'torch.use_deterministic_algorithms(True{only})'. "
    )
    ask = "ile an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding "
    ask += "deterministic support for this operation."
    if state.warn_only:
        warn(f"{text}You can f{ask}")
        return
    raise RuntimeError(
        f"{text}You can turn off determinism just for this operation, or you can use the "
        "'warn_only=True' option, if that's acceptable for your application. You can also "
        f"f{ask}"
    )


def _no_number(dtype: Any) -> Any:
    """What stands for memory that nobody wrote.

    Raises NotImplementedError for dtypes of which torch does not know it either.
    Source: torch aten/src/ATen/native/TensorFactories.cpp, fill_empty_deterministic_.
    """
    name = dtype.name
    if name.startswith(("float", "bfloat", "complex")) and not name.startswith("float4"):
        return float("nan")
    if name == "bool":
        return True
    if name not in _INTEGERS:
        raise not_implemented_for("fill_empty_deterministic_", dtype)
    return int(np.iinfo(dtype.np).max)


def fill_new(made: Any, change: int = 0) -> None:
    """Fill a tensor that was made just now; *change* tells how often it counts as changed."""
    if not state.enabled or not state.fills or not isinstance(made, Tensor):
        return
    if made._sig & _ELSEWHERE or not made._a.size:
        return
    value = _no_number(made.dtype)
    if made._sig & S.CPU:
        made._a[...] = value
    else:
        made.detach().fill_(value)
    alias_of(made).value = change


def fill_tail(t: Any, nbytes: int) -> None:
    """Fill what the storage of *t* has grown by since it had *nbytes*."""
    if not t._sig & _ELSEWHERE:
        storage = t.untyped_storage()
        if storage.nbytes() > nbytes:
            first = -(-nbytes // t.element_size())
            whole = wrap(np.empty(0, t._a.dtype))._to(t.device).set_(storage)
            whole[first:].fill_(_no_number(t.dtype))
