"""Tensors that are waited for when they are first read."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey

from .._library.custom_op import custom_op
from .._ops import OpOverload, ops
from ..aten import torch
from ..core.module_names import living_in
from ..tensor import Tensor
from ..utils._debug_mode._utils import kinds
from ..utils._pytree import tree_map_only
from ._c10d import functional_operators as _operators  # noqa: F401 - makes ``wait_tensor``

__all__ = ["AsyncCollectiveTensor", "wait_tensor"]


def wait_tensor(tensor: Tensor) -> Tensor:
    """The tensor, once the collective that writes it has ended."""
    return ops._c10d_functional.wait_tensor(tensor)


def _is_view_op(tgt: Any) -> bool | None:
    """Whether an operator gives a view of its first argument, which need not be there yet."""
    if not isinstance(tgt, OpOverload):
        raise AssertionError(f"Expected torch._ops.OpOverload, got {type(tgt)}")
    if tgt.has_kernel_for_dispatch_key(DispatchKey.CompositeImplicitAutograd):
        return False
    for argument in tgt._schema.arguments[:1]:
        return argument.alias_info is not None and not argument.alias_info.is_write
    return None


class AsyncCollectiveTensor(Tensor):
    """A tensor whose numbers may be under way: it is waited for when it is first read.

    Views are such tensors, too, and wait for nothing. Attributes: ``elem``, the tensor itself, and
    ``completed``, whether it has been waited for through this one.
    """

    __slots__ = ["completed", "elem"]
    elem: Tensor
    completed: bool

    @staticmethod
    def __new__(cls, elem: Tensor) -> Any:
        made: Any = Tensor._make_wrapper_subclass(
            cls,
            elem.size(),
            strides=elem.stride(),
            storage_offset=elem.storage_offset(),
            dtype=elem.dtype,
            layout=elem.layout,
            device=elem.device,
            requires_grad=elem.requires_grad,
        )
        made.elem, made.completed = elem, False
        return made

    def __tensor_flatten__(self) -> tuple[list[str], None]:
        return ["elem"], None

    @staticmethod
    def __tensor_unflatten__(
        inner_tensors: dict[str, Tensor], meta: Any, outer_size: Any, outer_stride: Any
    ) -> AsyncCollectiveTensor:
        if meta is not None:
            raise AssertionError("meta must be None for AsyncCollectiveTensor unflatten")
        return AsyncCollectiveTensor(inner_tensors["elem"])

    def __coerce_same_metadata_as_tangent__(
        self, expected_metadata: Any, expected_type: type | None = None
    ) -> Tensor | None:
        return self.trigger_wait() if expected_type is Tensor else None

    def __repr__(self, *, tensor_contents: Any = None) -> str:  # type: ignore[override]  # as torch
        return f"AsyncCollectiveTensor({self.trigger_wait()})"

    def trigger_wait(self) -> Tensor:
        """The tensor itself, once it is there."""
        if self.completed:
            return self.elem
        found = wait_tensor(self.elem)
        self.completed = True
        return found

    def wait(self) -> Tensor:
        """The tensor itself, once it is there."""
        return wait_tensor(self.elem)

    def _get_acs_underlying_tensor(self) -> Tensor:
        return self.elem

    def tolist(self) -> Any:
        """The numbers as lists."""
        return self.trigger_wait().tolist()

    def numpy(self, *, force: bool = False) -> Any:
        """The numbers as an array."""
        return self.wait().numpy(force=force)

    @classmethod
    def __torch_dispatch__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        views = _is_view_op(func)

        def inside(tensor: AsyncCollectiveTensor) -> Tensor:
            return tensor.elem if views else tensor.trigger_wait()

        given = tree_map_only(AsyncCollectiveTensor, inside, args)
        found = func(*given, **tree_map_only(AsyncCollectiveTensor, inside, kwargs or {}))
        return tree_map_only(Tensor, AsyncCollectiveTensor, found) if views else found


_wrap = custom_op(
    "_c10d_functional::_wrap_tensor_autograd",
    lambda input: AsyncCollectiveTensor(input),
    mutates_args=(),
    schema="(Tensor input) -> Tensor",
)
_wrap.register_fake(lambda input: torch.empty_like(input))
_wrap.register_autograd(lambda ctx, grad: grad, setup_context=lambda ctx, inputs, output: None)

living_in("mindtorch.distributed._functional_collectives", AsyncCollectiveTensor)


kinds["asynchronous"] = AsyncCollectiveTensor
