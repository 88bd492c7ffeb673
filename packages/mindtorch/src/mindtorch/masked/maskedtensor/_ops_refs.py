"""Functions and operators of masked tensors that are of no family."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..._ops import ops
from ...aten import torch
from ...autograd.function import Function
from ...tensor import Tensor
from . import binary, passthrough, reductions, unary  # noqa: F401  they fill the tables, too
from .core import (
    FUNCTIONS,
    OPERATORS,
    MaskedTensor,
    _get_data,
    _masks_match,
    _maybe_get_mask,
    is_masked_tensor,
)

__all__: list[str] = []

aten = ops.aten
_MASKEDTENSOR_FUNCTION_TABLE = FUNCTIONS
_MASKEDTENSOR_DISPATCH_TABLE = OPERATORS


def _register(table: dict[Any, Any], keys: list[Any]) -> Callable[[Any], Any]:
    def wrapper(func: Any) -> Any:
        table.update((key, partial(func, key)) for key in keys)
        return func

    return wrapper


def register_function_func(ops: list[Any]) -> Callable[[Any], Any]:
    """Return a decorator that makes a function of ``(func, *args, **kwargs)`` handle *ops*."""
    return _register(FUNCTIONS, ops)


def register_dispatch_func(aten_ops: list[Any]) -> Callable[[Any], Any]:
    """Return a decorator that makes a function of ``(packet, *args, **kwargs)`` handle them."""
    return _register(OPERATORS, aten_ops)


def _check_args_kwargs_length(
    args: Any,
    kwargs: Any,
    error_prefix: str,
    len_args: int | None = None,
    len_kwargs: int | None = None,
) -> None:
    for word, given, wanted in (("args", args, len_args), ("kwargs", kwargs, len_kwargs)):
        if wanted is not None and wanted != len(given):
            raise ValueError(f"{error_prefix}: len({word}) must be {wanted} but got {len(given)}")


# Functions ----------------------------------------------------------------------------------------


def _check_masked(name: str, input: Any) -> None:
    if not is_masked_tensor(input):
        raise ValueError(f"{name} forward: input must be a MaskedTensor.")


class _MaskedContiguous(Function):
    @staticmethod
    def forward(ctx: Any, input: Any) -> Any:
        _check_masked("MaskedContiguous", input)
        if input.is_contiguous():
            return input
        return MaskedTensor(input.get_data().contiguous(), input.get_mask().contiguous())

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        return grad_output


def _conversion(name: str, layout: Any) -> Any:
    """The function ``_{name}``, whose result is in *layout*."""

    def forward(ctx: Any, input: Any) -> Any:
        _check_masked(name, input)
        if layout is torch.sparse_csr and input.dim() != 2:
            raise ValueError(
                "Only 2D tensors can be converted to the SparseCsr layout but got shape: "
                f"{input._masked_data.size()}"
            )
        ctx.layout = input.layout if layout is torch.strided else torch.strided
        return _in_layout(input, layout)

    def backward(ctx: Any, grad_output: Any) -> Any:
        return _in_layout(grad_output, ctx.layout)

    passes = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(Function)(f"_{name}", (Function,), {"__module__": __name__, **passes})


_MaskedToDense = _conversion("MaskedToDense", torch.strided)
_MaskedToSparse = _conversion("MaskedToSparse", torch.sparse_coo)
_MaskedToSparseCsr = _conversion("MaskedToSparseCsr", torch.sparse_csr)


def _in_layout(input: Any, layout: Any) -> Any:
    """The masked tensor *input* in *layout*; a sparse one specifies where the mask is true."""
    if input.layout is layout:
        return input
    data, mask = input.get_data(), input.get_mask()
    if layout is torch.strided:
        return MaskedTensor(data.to_dense(), mask.to_dense())
    mask = mask.to_sparse(layout=layout)
    return MaskedTensor(data.sparse_mask(mask), mask)


class _MaskedWhere(Function):
    @staticmethod
    def forward(ctx: Any, cond: Any, self: Any, other: Any) -> Any:
        ctx.mark_non_differentiable(cond)
        ctx.save_for_backward(cond)
        return aten.where(cond, self, other)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        (cond,) = ctx.saved_tensors
        mask = torch.zeros_like(grad_output.get_mask())
        nothing = MaskedTensor(grad_output.get_data(), mask)
        return None, aten.where(cond, grad_output, nothing), aten.where(cond, nothing, grad_output)


@register_function_func([Tensor.where, torch.where])
def _function_where(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, "__torch_function__, torch.where", 3, 0)
    return _MaskedWhere.apply(*args)


@register_function_func([Tensor.contiguous])
def _function_contiguous(func: Any, *args: Any, **kwargs: Any) -> Any:
    return _MaskedContiguous.apply(args[0])


@register_function_func([Tensor.to_dense])
def _function_to_dense(func: Any, *args: Any, **kwargs: Any) -> Any:
    return _MaskedToDense.apply(args[0])


@register_function_func([Tensor.to_sparse, Tensor.to_sparse_coo])
def _function_to_sparse(func: Any, *args: Any, **kwargs: Any) -> Any:
    return _MaskedToSparse.apply(args[0])


@register_function_func([Tensor.to_sparse_csr])
def _function_to_sparse_csr(func: Any, *args: Any, **kwargs: Any) -> Any:
    return _MaskedToSparseCsr.apply(args[0])


# Questions ----------------------------------------------------------------------------------------


@register_dispatch_func([aten.stride, aten.sym_stride])
def stride(func: Any, *args: Any, **kwargs: Any) -> None:
    """Leave the answer to the tensor."""


@register_dispatch_func([ops.prim.layout])
def layout(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the layout of the data."""
    return _get_data(args[0]).layout


def _refuse_sparse(func: Any, x: Any) -> None:
    if _get_data(x).is_sparse:
        raise ValueError(f"MaskedTensors with sparse data do not have {func.__name__}")


@register_dispatch_func([aten.is_contiguous, aten.is_strides_like_format])
def of_data(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return what is true of the data."""
    _refuse_sparse(func, args[0])
    return func(_get_data(args[0]), *args[1:], **kwargs)


@register_dispatch_func([aten.is_same_size])
def is_same_size(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return whether both have one size."""
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", len_args=2)
    return _get_data(args[0]).is_same_size(_get_data(args[1]))


@register_dispatch_func([aten._local_scalar_dense])
def _local_scalar_dense(func: Any, *args: Any, **kwargs: Any) -> Any:
    if not _maybe_get_mask(args[0]):
        raise ValueError(f"__torch_dispatch__, {func}: expected a mask tensor")
    return func(_get_data(args[0]))


# Copies -------------------------------------------------------------------------------------------


@register_dispatch_func([aten.contiguous])
def contiguous(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the same with data and mask contiguous."""
    _refuse_sparse(func, args[0])
    return _MaskedContiguous.apply(args[0])


@register_dispatch_func([aten.new_empty_strided])
def new_empty_strided(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return data without numbers, of the same layout, with the same mask."""
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", len_args=3)
    data = _get_data(args[0])
    for at, name, own in ((1, "size", data.size()), (2, "stride", data.stride())):
        if tuple(args[at]) != tuple(own):
            raise ValueError(
                f"__torch_dispatch__, {func}: args[{at}] expected to be the same as data.{name}()"
            )
    return MaskedTensor(func(data, args[1], args[2], **kwargs), _maybe_get_mask(args[0]))


@register_dispatch_func([aten.detach, aten.clone])
def _apply_fn_on_data(func: Any, *args: Any, **kwargs: Any) -> Any:
    return MaskedTensor(func(_get_data(args[0])), _maybe_get_mask(args[0]))


@register_dispatch_func([aten._to_copy])
def _to_copy(func: Any, *args: Any, **kwargs: Any) -> Any:
    data = func(_get_data(args[0]), *args[1:], **kwargs)
    mask = func(_maybe_get_mask(args[0]), *args[1:], **{**kwargs, "dtype": torch.bool})
    return MaskedTensor(data, mask)


@register_dispatch_func([aten.ones_like])
def ones_like(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ones with the same mask."""
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", len_args=1)
    return MaskedTensor(func(_get_data(args[0]), **kwargs), _maybe_get_mask(args[0]))


@register_dispatch_func([aten.copy_])
def copy_(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Copy data into data."""
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", len_args=2)
    if not _masks_match(_maybe_get_mask(args[0]), _maybe_get_mask(args[1])):
        raise ValueError("args[0] mask and args[1] mask must match but do not")
    func(_get_data(args[0]), _get_data(args[1]))
    return args[0]


@register_dispatch_func([aten._to_sparse])
def _to_sparse(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 1, 0)
    return _in_layout(args[0], torch.sparse_coo)


@register_dispatch_func([aten._to_sparse_csr])
def _to_sparse_csr(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 1, 0)
    return _in_layout(args[0], torch.sparse_csr)


@register_dispatch_func([aten._to_dense])
def _to_dense(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 1, 0)
    return _in_layout(args[0], torch.strided)


@register_dispatch_func([aten._indices, aten._values])
def _part(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 1, 0)
    part = func(_get_data(args[0]))
    return MaskedTensor(part, torch.ones_like(part, dtype=torch.bool))


# Computations -------------------------------------------------------------------------------------


@register_dispatch_func([aten._softmax])
def _softmax(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 3, 0)
    mask = _maybe_get_mask(args[0])
    return MaskedTensor(aten._masked_softmax(_get_data(args[0]), ~mask, args[1], 2), mask)


@register_dispatch_func([aten._softmax_backward_data])
def _softmax_backward_data(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", len_args=4)
    grad, output, dim, _ = args
    if not is_masked_tensor(grad) or not is_masked_tensor(output):
        raise ValueError(f"__torch_dispatch__, {func}: grad and output must both be MaskedTensors")
    if not _masks_match(grad, output):
        raise ValueError(
            f"__torch_dispatch__, {func}: expected the masks of grad and output to match"
        )
    data, mask = _get_data(grad), _maybe_get_mask(grad)
    result = aten._masked_softmax_backward(data, _get_data(output), ~mask, dim % data.ndim)
    return MaskedTensor(result, mask)


@register_dispatch_func([aten.where])
def where(func: Any, *args: Any, **kwargs: Any) -> Any:
    """Return elements of one or the other, each with its mask; of a plain tensor all count."""
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 3, 0)
    if not isinstance(args[0], Tensor):
        raise ValueError(f"__torch_dispatch__, {func}: expected args[0] to be a tensor")
    first, second = [
        x if is_masked_tensor(x) else MaskedTensor(x, torch.ones_like(x, dtype=torch.bool))
        for x in args[1:]
    ]
    data = func(args[0], first.get_data(), second.get_data())
    return MaskedTensor(data, func(args[0], first.get_mask(), second.get_mask()))


@register_dispatch_func([aten._is_any_true] if hasattr(aten, "_is_any_true") else [])
def _is_any_true(func: Any, *args: Any, **kwargs: Any) -> Any:
    _check_args_kwargs_length(args, kwargs, f"__torch_dispatch__, {func}", 1, 0)
    data, mask = _get_data(args[0]), _maybe_get_mask(args[0])
    if mask is None:
        raise ValueError(f"__torch_dispatch__, {func}: expected args[0] to be a MaskedTensor")
    if data.dtype is not torch.bool:
        raise ValueError(f"__torch_dispatch__, {func}: expected a boolean tensor")
    return MaskedTensor(func(data & mask), torch.tensor(True))
