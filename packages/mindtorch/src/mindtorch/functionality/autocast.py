"""The Autocast keys: arguments cast as the op's policy says, then the call goes on below.

One kernel for all ops on torch's lists (``autocast`` of their rows); for others the key falls
through. While the op runs the key is excluded, so the ops that a composite op calls are not cast
again.
Source: torch aten/src/ATen/autocast_mode.h.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from ..backends.built_in import BACKENDS
from ..call.dispatch_entry import OVERLOADS, Call
from ..call.overload import Overload
from ..call.overload_entrance import call_again
from ..call.specialize import boxed
from ..core import signature as S
from ..tensor import Leaf, Tensor, base_of
from .autocast_policies import Policy, policy_of
from .autocast_state import kept_cast, thread

KEYS: tuple[tuple[K, str], ...] = tuple(
    (backend.autocast, kind) for kind, backend in BACKENDS.items() if backend.autocast is not None
)
#: Where a float32 result is asked for through another overload.
_WITH_DTYPE = {
    "norm.Scalar": "norm.ScalarOpt_dtype",
    "norm.ScalarOpt_dim": "norm.ScalarOpt_dim_dtype",
}


def autocast_keys(overload: Overload) -> list[K]:
    """The autocast keys that have a policy for *overload*: the row's own, no form of it."""
    if overload.name != "aten::" + overload.row.name:
        return []
    return [key for key, kind in KEYS if policy_of(overload.row, kind) is not None]


def build_autocast(overload: Overload, sig: int, mask: int) -> Call:
    """Cast the tensor arguments, then call below the key."""
    key, kind = next(pair for pair in KEYS if mask & pair[0])
    policy = policy_of(overload.row, kind)
    assert policy is not None
    if policy is Policy.BANNED:
        return _refuse
    prepare = _PREPARE[policy]

    def call(*args: Any) -> Any:
        target, ready = prepare(overload, args, kind)
        token = tls.state.get()
        try:
            tls.state.set(tls.with_excluded(tls.state.get(), key))
            return call_again(target, tuple(ready))
        finally:
            tls.state.set(token)

    return call


autocast = boxed(build_autocast)


def eligible(t: Any, kind: str) -> bool:
    """Whether *t* is a floating point tensor (float64 excepted) on a device of *kind*."""
    return (
        isinstance(t, Tensor)
        and t.dtype.is_floating_point
        and t.dtype is not st.float64
        and t.device.type == kind
    )


def _cast_all(overload: Overload, args: tuple[Any, ...], dtype: Any, kind: str) -> tuple[Any, ...]:
    ready = list(args)
    for i in reversed(overload.tensor_positions):  # the order in which C++ casts them
        ready[i] = _cast(args[i], dtype, kind)
    for i in overload.list_positions:
        if args[i] is not None:
            ready[i] = type(args[i])(_cast(t, dtype, kind) for t in args[i])
    return tuple(ready)


def _cast(t: Any, dtype: Any, kind: str) -> Any:
    if not eligible(t, kind) or t.dtype is dtype:
        return t
    lower = thread.dtypes[kind]
    parameter = t._sig_ & S.REQUIRES_GRAD and type(t._edge_) is Leaf and base_of(t) is None
    if parameter and dtype is lower and t.dtype is st.float32:
        return kept_cast(t, dtype)
    return t.to(dtype)


Prepared = tuple[Overload, tuple[Any, ...]]


def _lower(overload: Overload, args: tuple[Any, ...], kind: str) -> Prepared:
    return overload, _cast_all(overload, args, thread.dtypes[kind], kind)


def _float32(overload: Overload, args: tuple[Any, ...], kind: str) -> Prepared:
    return overload, _cast_all(overload, args, st.float32, kind)


def _float32_result(overload: Overload, args: tuple[Any, ...], kind: str) -> Prepared:
    if not eligible(args[0], kind):
        return overload, args
    other = _WITH_DTYPE.get(overload.name.removeprefix("aten::"))
    if other is not None:
        return OVERLOADS[f"aten::{other}"], (*args, st.float32)
    at = overload.names.index("dtype")
    if args[at] is not None:
        return overload, args
    return overload, (*args[:at], st.float32, *args[at + 1 :])


def _promote(overload: Overload, args: tuple[Any, ...], kind: str) -> Prepared:
    lower = thread.dtypes[kind]
    widest = lower
    tensors = [args[i] for i in overload.tensor_positions]
    for i in overload.list_positions:
        tensors += args[i] or ()
    for t in tensors:
        if not eligible(t, kind):
            continue
        if t.dtype is st.float32 or widest is st.float32:
            widest = st.float32
        elif t.dtype is not lower:
            raise RuntimeError("Unexpected floating ScalarType in at::autocast::prioritize")
    return overload, _cast_all(overload, args, widest, kind)


_PREPARE: dict[Policy, Callable[[Overload, tuple[Any, ...], str], Prepared]] = {
    Policy.LOWER_PRECISION: _lower,
    Policy.FLOAT32: _float32,
    Policy.FLOAT32_RESULT: _float32_result,
    Policy.PROMOTE: _promote,
}


def _refuse(*args: Any) -> Any:
    raise RuntimeError(
        "torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast.\n"
        "Many models use a sigmoid layer right before the binary cross entropy layer.\n"
        "In this case, combine the two layers using "
        "torch.nn.functional.binary_cross_entropy_with_logits\n"
        "or torch.nn.BCEWithLogitsLoss.  binary_cross_entropy_with_logits and BCEWithLogits are\n"
        "safe to autocast."
    )
