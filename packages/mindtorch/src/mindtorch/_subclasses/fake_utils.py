"""``torch._subclasses.fake_utils``: whether fake tensors tell of results what these are."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

from .. import _C
from .._ops import ops
from .._prims_common.checks import compare_tensor_meta
from ..aten import torch
from ..core.tags import Tag
from ..tensor import Tensor
from ..utils._python_dispatch import TorchDispatchMode
from ..utils._pytree import tree_leaves, tree_map
from .fake_errors import MetadataMismatchError, UnsupportedFakeTensorException
from .fake_impls import has_meta
from .fake_tensor import FakeTensor, FakeTensorMode

__all__ = ["CrossRefFakeMode", "MetadataMismatchError"]


# -- what results share ----------------------------------------------------------------------------


def _memories(tree: Any) -> Iterator[int]:
    """Which memory each tensor of *tree* lies in, of those that have any."""
    for leaf in tree_leaves(tree):
        if isinstance(leaf, Tensor) and _C._has_storage(leaf):
            yield leaf.untyped_storage()._cdata


def outputs_alias_inputs(outputs: Any, inputs: Any) -> bool:
    """Whether a tensor of *outputs* lies in the memory of one of *inputs*."""
    return not set(_memories(inputs)).isdisjoint(_memories(outputs))


def outputs_are_inputs(outputs: Any, inputs: Any) -> bool:
    """Whether a tensor of *outputs* is one of *inputs*."""
    given = {id(t) for t in tree_leaves(inputs) if isinstance(t, Tensor)}
    return any(isinstance(t, Tensor) and id(t) in given for t in tree_leaves(outputs))


def output_alias_each_other(outputs: Any) -> bool:
    """Whether two tensors of *outputs* lie in the same memory."""
    found = list(_memories(outputs))
    return len(set(found)) < len(found)


def _check_alias_info(
    context: str, real_out: Any, real_in: Any, fake_out: Any, fake_in: Any
) -> None:
    """Raise MetadataMismatchError where fake results share something else than real ones."""
    for name, found, wanted in (
        (
            "outputs_alias_inputs",
            outputs_alias_inputs(fake_out, fake_in),
            outputs_alias_inputs(real_out, real_in),
        ),
        (
            "outputs_are_inputs",
            outputs_are_inputs(fake_out, fake_in),
            outputs_are_inputs(real_out, real_in),
        ),
        (
            "outputs_alias_each_other",
            output_alias_each_other(fake_out),
            output_alias_each_other(real_out),
        ),
    ):
        if found != wanted:
            raise MetadataMismatchError(f"{context} mismatch in {name} check {found} != {wanted}")


# -- what results look like ------------------------------------------------------------------------


def _check_fake_real_tensors(
    real_out: Any,
    fake_out: Any,
    context: str = "",
    sizes: bool = True,
    strides: bool = False,
    storage_offset: bool = True,
    requires_grad: bool = True,
) -> None:
    """Raise MetadataMismatchError where a fake result looks otherwise than a real one."""
    if requires_grad and real_out.requires_grad != fake_out.requires_grad:
        raise MetadataMismatchError(
            f"{context} mismatched requires_grad-ness of outputs. This usually means that you have "
            "added autograd support for your operator at a dispatch key other than Autograd, which "
            "will lead to problems"
        )
    if _C._has_storage(real_out) and real_out.storage_offset() != fake_out.storage_offset():
        raise MetadataMismatchError(f"{context} mismatched storage offset")
    compare_tensor_meta(real_out, fake_out, check_sizes=sizes, check_strides=strides)


#: Results of attention that lie on the host, of which fake tensors do not know.
_ON_THE_HOST = {
    "aten::_scaled_dot_product_flash_attention": (6, 7),
    "aten::_flash_attention_forward": (6, 7),
    "aten::_scaled_dot_product_efficient_attention": (2, 3),
    "aten::_efficient_attention_forward": (2, 3),
    "aten::_scaled_dot_product_cudnn_attention": (6, 7),
}


def is_sdpa_error(func: Any, idx: int, e: Exception) -> bool:
    """Whether *e* says that the result *idx* of a kernel for attention is on another device."""
    return idx in _ON_THE_HOST.get(func.name(), ()) and "Devices" in repr(e)


def try_convert_fake_to_real(ten_list: list[Any]) -> list[Any]:
    """The list with copies of real tensors in place of the fake ones whose memory is known.

    Known is that of tensors that were converted and still live; the others stay fake.
    """
    fake = next((item for item in ten_list if isinstance(item, FakeTensor)), None)
    if fake is None:
        return ten_list
    converter = fake.fake_mode.fake_tensor_converter.meta_converter
    real_of = {number: real for real, number in converter.describer.lookup_storage.items()}
    known = {
        id(meta): real_of[number]
        for number, meta in converter.storage_memo.items()
        if number in real_of
    }

    def real(t: Any) -> Any:
        if not isinstance(t, FakeTensor) or t.layout != torch.strided:
            return t
        memory = known.get(id(t.untyped_storage()))
        if memory is None:
            return t
        made = torch.empty([], dtype=t.dtype, device=t.device)
        made.set_(memory, t.storage_offset(), t.shape, t.stride())
        return made.clone()

    return [real(t) for t in ten_list]


class CrossRefFakeMode(TorchDispatchMode):
    """A ``with`` block in which each operator runs on fake tensors, too, and both are compared.

    :param ignore_op_fn: says of an operator that it is not compared.
    :param check_strides: compare strides.
    :param check_aliasing: compare what results share with arguments and with each other.
    :param only_check_ops_with_meta: leave out operators that do not run on the meta device.

    Raises MetadataMismatchError for the first operator of which fake tensors tell something else.
    """

    def __init__(
        self,
        ignore_op_fn: Callable[[Any], bool] | None = None,
        *,
        check_strides: bool = True,
        check_aliasing: bool = True,
        only_check_ops_with_meta: bool = True,
    ) -> None:
        super().__init__()
        self.ignore_op_fn = ignore_op_fn or (lambda fn: False)
        self.check_strides = check_strides
        self.check_aliasing = check_aliasing
        self.only_check_ops_with_meta = only_check_ops_with_meta

    def _is_compared(self, func: Any) -> bool:
        """Whether fake tensors can tell of *func* what it gives."""
        return (
            func.name() not in _NOT_COMPARED
            and not self.ignore_op_fn(func)
            and (not self.only_check_ops_with_meta or has_meta(func))
            and not any(tag in func.tags for tag in _NEEDS_MORE)
        )

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*, and compare."""
        kwargs = kwargs or {}
        fake = given = None
        if self._is_compared(func):
            try:
                with FakeTensorMode() as mode, warnings.catch_warnings():
                    given = tree_map(
                        lambda a: mode.from_tensor(a) if isinstance(a, Tensor) else a,
                        (args, kwargs),
                    )
                    fake = func(*given[0], **given[1])
            except UnsupportedFakeTensorException:
                pass
        result = func(*args, **kwargs)
        if fake is not None:
            self._compare(func, result, (args, kwargs), fake, given)
        return result

    def _compare(self, func: Any, result: Any, arguments: Any, fake: Any, given: Any) -> None:
        context = f"When comparing the output of {func} on FakeTensor and concrete Tensors, found"
        real_leaves, fake_leaves = tree_leaves(result), tree_leaves(fake)
        if len(fake_leaves) != len(real_leaves):
            raise AssertionError(
                f"{context} mismatch in number of returns {len(fake_leaves)} != {len(real_leaves)}"
            )
        if self.check_aliasing:
            _check_alias_info(context, result, arguments, fake, given)
        for i, (r, f) in enumerate(zip(real_leaves, fake_leaves, strict=True)):
            if isinstance(r, Tensor) != isinstance(f, Tensor):
                raise AssertionError(f"{context} mismatched number of tensor outputs")
            if not isinstance(r, Tensor):
                continue
            try:
                _check_fake_real_tensors(r, f, strides=self.check_strides)
            except Exception as error:
                if is_sdpa_error(func, i, error):
                    continue
                which = "" if len(real_leaves) == 1 else f" for output[{i}]"
                raise MetadataMismatchError(
                    f"{context} mismatched tensor metadata{which}: {error}"
                ) from error


_NOT_COMPARED = frozenset(
    op.name()
    for op in (
        ops.aten.lift_fresh.default,
        ops.aten.lift_fresh_copy.default,
        ops.aten.set_.source_Storage_storage_offset,
    )
)
_NEEDS_MORE = (Tag.dynamic_output_shape, Tag.inplace_view, Tag.data_dependent_output)
