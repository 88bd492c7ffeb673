"""How calls on distributed tensors are split: plans that are made once for each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

from ..._ops import ops
from ...aten import torch
from ...core.tags import Tag
from ...tensor import Tensor
from ...utils._python_dispatch import _disable_current_modes
from ..device_mesh import DeviceMesh
from ._dtensor_spec import DTensorSpec, TensorMeta
from ._sharding import Call, Plan, known_of, modes, plan_of

__all__ = ["ShardingPropagator", "change_in"]

#: What gives no tensor.
_ASKING = (ops.aten.equal.default, ops.aten.is_same_size.default)
#: How many plans are kept; all are forgotten when there are more.
_MOST = 4096


def change_in(x: Any, change: Callable[[Any], Any]) -> Any:
    """*x* with *change* made to what is in it, if it is a list."""
    if isinstance(x, tuple) and type(x) is not tuple:  # results with names
        return type(x)([change(e) for e in x])
    if type(x) in (list, tuple):
        return type(x)(change(e) for e in x)
    return change(x)


def _key(x: Any) -> Any:
    if type(x) in (list, tuple):
        return tuple(_key(e) for e in x)
    return type(x), x  # 1, 1.0 and True are different arguments


class ShardingPropagator:
    """Plans calls, and keeps the plans."""

    #: Held while an operator runs on tensors without data. Tests with threads put a lock here.
    _fake_mode_lock: ClassVar[AbstractContextManager[Any]] = nullcontext()

    def __init__(self) -> None:
        self._plans: dict[Any, Plan] = {}
        #: How many calls were split as before, and how many were planned.
        self.hits = self.misses = 0

    def _metas(
        self, func: Any, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> list[TensorMeta | None]:
        """What results the operator has for whole tensors."""

        def stand_in(x: Any) -> Any:
            if not isinstance(x, DTensorSpec):
                return x
            meta: Any = x.tensor_meta
            return torch.empty_strided(
                tuple(meta.shape), meta.stride, dtype=meta.dtype, device="meta"
            )

        named = {k: change_in(v, stand_in) for k, v in kwargs.items() if k != "generator"}
        if named.get("device") is not None:
            named["device"] = torch.device("meta")
        # Nothing runs that a mode would want to see.
        with self._fake_mode_lock, torch.no_grad(), _disable_current_modes():
            result = func(*(change_in(a, stand_in) for a in args), **named)
        found = result if isinstance(result, list | tuple) else [result]
        return [
            TensorMeta(r.shape, r.stride(), r.dtype) if isinstance(r, Tensor) else None
            for r in found
        ]

    def plan(
        self, func: Any, mesh: DeviceMesh, args: Sequence[Any], kwargs: dict[str, Any]
    ) -> Plan:
        """How a call is split: as before where there was the same."""
        try:
            # Equal meshes may have other groups. A plan keeps its mesh, so the number stays its
            # own.
            key: Any = (
                func,
                id(mesh),
                bool(modes.split_classes),
                _key(args),
                _key(tuple(kwargs.items())),
            )
            found = self._plans.get(key)
        except TypeError:  # an argument that cannot be a key
            key, found = None, None
        if found is not None:
            self.hits += 1
            return found
        self.misses += 1
        call = Call(func, args, kwargs, [])
        dynamic = Tag.dynamic_output_shape in func.tags
        if not dynamic:
            known_of(call)  # what has no rule need not have a meta kernel either
        try:
            metas = [] if func in _ASKING else self._metas(func, args, kwargs)
        except NotImplementedError as error:
            if not dynamic:
                raise
            refused = f"{func}\n\nSharding propagation failed for {call}"
            raise RuntimeError(refused) from error  # each process would find another shape
        call = Call(func, args, kwargs, metas)
        try:
            found = plan_of(call)
        except (RuntimeError, ValueError) as error:
            if isinstance(error, NotImplementedError):
                raise
            raise RuntimeError(f"{error}\n\nSharding propagation failed for {call}") from error
        if key is not None:
            if len(self._plans) >= _MOST:
                self._plans.clear()
            self._plans[key] = found
        return found

    def forget(self) -> None:
        """Let calls be planned anew, for rules have changed."""
        self._plans.clear()
        self.hits = self.misses = 0

    @property
    def kept(self) -> int:
        """How many plans are kept."""
        return len(self._plans)
