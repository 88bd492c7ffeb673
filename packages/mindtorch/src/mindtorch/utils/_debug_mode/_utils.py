"""How what a :class:`~.DebugMode` saw is written: tensors, placements, names of calls, hashes."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from typing import Any

import mindtorch_storage as st

from ..._C._engine import _current_autograd_node
from ..._C._masks import _DisablePythonDispatcher
from ..._ops import OpOverload
from ..._subclasses.fake_tensor import FakeTensor
from ...aten import torch
from ...tensor import Tensor
from .._dtype_abbrs import dtype_abbrs
from .._pytree import tree_map
from .._traceback import CapturedTraceback
from ..weak import WeakIdRef

__all__ = ["REDISTRIBUTE_FUNC", "TensorIdTracker", "hash_tensor_fn", "kinds", "norm_hash_fn"]

REDISTRIBUTE_FUNC = "redistribute_input"
#: Classes of tensors that are shown, or answer calls, in a way of their own, by what they are:
#: ``"distributed"``, ``"local"``, ``"asynchronous"``. Who has such a class writes it here.
kinds: dict[str, type] = {}
#: What writes the placements of a spec of a distributed tensor, and its class.
specs: dict[type, Callable[[Any], str]] = {}

_DISPATCH_RECORD_HOOKS: list[Callable[..., Any]] = []
_DISPATCH_LOG_HOOKS: list[Callable[..., Any]] = []
_DISPATCH_PRE_LOG_HOOKS: list[Callable[..., Any]] = []


def is_kind(x: Any, kind: str) -> bool:
    """Whether *x* is a tensor of a class that was written down as *kind*."""
    known = kinds.get(kind)
    return known is not None and isinstance(x, known)


def _stringify_shape(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _stringify_attributes(tensor: Any, attributes: list[str]) -> str:
    pairs = [f"{name}={getattr(tensor, name)}" for name in attributes if hasattr(tensor, name)]
    return f"{{{', '.join(pairs)}}}" if pairs else ""


class TensorIdTracker:
    """Numbers tensors in the order in which they are met."""

    def __init__(self) -> None:
        self.tensor_memo: dict[WeakIdRef, int] = {}
        self.next_tensor_id = 0

    def _id(self, tensor: Tensor) -> int:
        with _DisablePythonDispatcher():
            key = WeakIdRef(tensor)
            if key not in self.tensor_memo:
                self.tensor_memo[key] = self.next_tensor_id
                self.next_tensor_id += 1
                weakref.finalize(tensor, self.tensor_memo.pop, key, None)
            return self.tensor_memo[key]


def _tensor_debug_string(
    tensor: Any, attributes: list[str], tensor_memo: TensorIdTracker | None = None
) -> str:
    """A tensor as its kind, dtype and shape."""
    if not isinstance(tensor, Tensor):
        raise RuntimeError(f"Unsupported tensor type: {type(tensor)}")
    shown = f"{dtype_abbrs[tensor.dtype]}{_stringify_shape(tensor.shape)}"
    shown += _stringify_attributes(tensor, attributes)
    number = "" if tensor_memo is None else f"${tensor_memo._id(tensor)}"
    if is_kind(tensor, "distributed"):
        return f"dt{number}: {shown}| {_arg_to_str(tensor._spec, attributes)}"  # type: ignore[attr-defined]
    return f"{'ft' if isinstance(tensor, FakeTensor) else 't'}{number}: {shown}"


def _shown(arg: Any, attributes: list[str], memo: TensorIdTracker | None = None) -> Any:
    """*arg* with texts in the place of tensors and specs."""

    def show(x: Any) -> Any:
        if isinstance(x, Tensor):
            return _tensor_debug_string(x, attributes, memo)
        of_spec = specs.get(type(x))
        return x if of_spec is None else of_spec(x)

    return tree_map(show, arg)


def _arg_to_str(arg: Any, attributes: list[str], tensor_memo: TensorIdTracker | None = None) -> str:
    return str(_shown(arg, attributes, tensor_memo))


def _get_op_name(op: Any) -> str:
    if isinstance(op, OpOverload):
        return op.__qualname__
    # What is written in C++ in torch has no module of its own.
    module, name = getattr(op, "__module__", None), getattr(op, "__name__", None)
    return str(op) if module is None or name is None else f"{module}.{name}"


def _get_stack_trace() -> str:
    """The frames of the program that called."""
    frames = CapturedTraceback.extract(skip=1).summary()
    ours = os.path.dirname(os.path.dirname(os.path.dirname(__file__))) + os.sep
    return "".join(
        type(frames).from_list([f for f in frames if not f[0].startswith(ours)]).format()
    )


def _maybe_get_autograd_trace() -> str | None:
    """Where the operator was called whose backward runs; None outside of one, or if not noted."""
    node = _current_autograd_node()
    noted = None if node is None else node.metadata.get("traceback_")
    return "".join(noted) if noted else None


def _get_user_stack_trace(stack_trace: str) -> str | None:
    """The last frame of a trace on one line."""
    lines = stack_trace.rstrip().splitlines()
    at = max((i for i, line in enumerate(lines) if line.startswith('  File "')), default=None)
    if at is None:
        return None
    place, number, name = lines[at].strip().removeprefix('File "').split(", ", 2)
    code = lines[at + 1].strip() if at + 1 < len(lines) else ""
    where = f"{place.removesuffix(chr(34))}:{number.removeprefix('line ')}"
    return f"File: {where} in {name.removeprefix('in ')}, code: {code}"


# Hashes -------------------------------------------------------------------------------------------


def norm_hash_fn(t: Any, use_scalar: bool = False) -> Any:
    """The 1-norm in double precision."""
    with _DisablePythonDispatcher():
        wide = st.complex128 if t.is_complex() else st.float64
        found = t.contiguous().to(wide).norm(p=1)
        return found.item() if use_scalar else found


def hash_tensor_fn(t: Any, use_scalar: bool = False) -> Any:
    """``torch.hash_tensor`` of the numbers in double precision, or as whole numbers of 64 bits."""
    if is_kind(t, "distributed"):
        t = t.to_local()
    if t.is_complex():
        clean = t.to(st.complex128).view(st.float64)
    else:
        clean = t.to(st.float64 if t.is_floating_point() else st.int64)
    if t.numel() > 0:
        found = torch.hash_tensor(clean)
    else:
        found = torch.zeros((), device=clean.device, dtype=st.uint64)
    return found.item() if use_scalar else found


def _compute_rel_diff(hash1: Any, hash2: Any) -> Any:
    return abs(hash1 - hash2) / max(abs(hash1), abs(hash2), 1e-10)


# Hooks --------------------------------------------------------------------------------------------


def _of_hook(hook: Callable[..., Any], *args: Any) -> dict[str, Any]:
    found = hook(*args)
    if found is not None and not isinstance(found, dict):
        raise AssertionError(f"hook must return None or dict, got {type(found).__name__}")
    return found or {}


def _run_dispatch_pre_log_hooks(call: Any, func: Any, types: Any, args: Any, kwargs: Any) -> None:
    """Note what the hooks say before a call."""
    for hook in _DISPATCH_PRE_LOG_HOOKS:
        said = _of_hook(hook, func, types, args, kwargs, call)
        if said:
            call.log = (call.log or {}) | said


def _run_dispatch_hooks(
    call: Any, func: Any, types: Any, args: Any, kwargs: Any, result: Any
) -> None:
    """Note what the hooks say after a call."""
    for hook in _DISPATCH_RECORD_HOOKS:
        said = _of_hook(hook, func, types, args, kwargs, result)
        if said:
            call.record = (call.record or {}) | said
    for hook in _DISPATCH_LOG_HOOKS:
        call.log = (call.log or {}) | _of_hook(hook, func, types, args, kwargs, result)
