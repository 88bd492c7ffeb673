"""``torch._prims_common.wrappers``: what makes an operator's reference of a plain function.

Promotion of operands, ``out=``, and the refusal of gradients.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Sequence
from functools import wraps
from types import GenericAlias
from typing import Any, NamedTuple, TypeVar

from .. import _prims_common as utils
from .._C import _AutoDispatchBelowAutograd
from ..aten import torch
from ..aten.torch import Tensor
from ..autograd import Function
from ..core.warning import warn_resized
from ..utils import _pytree as pytree
from ..utils._inspect import _fast_bind
from ..utils._pytree import tree_flatten, tree_unflatten
from . import (
    ELEMENTWISE_TYPE_PROMOTION_KIND,
    CustomOutParamAnnotation,
    Number,
    NumberType,
    ShapeType,
    TensorLike,
    TensorLikeType,
)

_Function = Callable[..., Any]

# -- conversions -----------------------------------------------------------------------------------


def _maybe_convert_to_dtype(a: Any, dtype: torch.dtype) -> Any:
    """A tensor, a number or a sequence of these in *dtype*; None stays None."""
    if isinstance(a, TensorLike):
        return a if a.dtype == dtype else a.to(dtype)
    if isinstance(a, Number):
        return utils.dtype_to_type_ctor(dtype)(a)
    if isinstance(a, Sequence):
        return tuple(_maybe_convert_to_dtype(x, dtype) for x in a)
    if a is None:
        return None
    raise ValueError(
        f"Received unsupported type {type(a)}. Expected TensorLike, Number, or Sequence."
    )


def _maybe_convert_to_type(a: NumberType, typ: type) -> NumberType:
    """A number of another type. Raises ValueError where that type is lesser."""
    if not isinstance(a, Number):
        raise ValueError(f"Found unknown type {type(a)} when trying to convert scalars!")
    if not utils.is_weakly_lesser_type(type(a), typ):
        raise ValueError(f"Scalar {a} of type {type(a)} cannot be safely cast to type {typ}!")
    return typ(a)  # type: ignore[no-any-return]


def _annotation_has_type(*, typ: Any, annotation: Any) -> bool:
    """Whether *typ* stands in an annotation."""
    args = typing.get_args(annotation)
    if args:
        return any(_annotation_has_type(typ=typ, annotation=a) for a in args)
    return typ is annotation


class elementwise_type_promotion_wrapper:
    """A decorator: operands reach the function in the dtype that it computes in.

    :param type_promoting_args: the names of those that choose the dtype and are converted. One
        that is a sequence counts with each of its elements.
    :param type_promotion_kind: the rule.

    The result gets the dtype of the rule, or that of an argument called ``dtype``.
    """

    def __init__(
        self,
        *,
        type_promotion_kind: ELEMENTWISE_TYPE_PROMOTION_KIND,
        type_promoting_args: Sequence[str] | None = None,
    ) -> None:
        self.type_promoting_arg_names = type_promoting_args
        self.type_promotion_kind = type_promotion_kind

    def __call__(self, fn: _Function) -> _Function:
        """Wrap *fn*."""
        sig = inspect.signature(fn)
        names = self.type_promoting_arg_names

        @wraps(fn)
        def _fn(*args: Any, **kwargs: Any) -> Any:
            given = _fast_bind(sig, *args, **kwargs).arguments
            promoted = {name: given[name] for name in names if name in given}  # type: ignore[union-attr]
            computed, result_dtype = utils.elementwise_dtypes(
                *pytree.arg_tree_leaves(*promoted.values()),
                type_promotion_kind=self.type_promotion_kind,
            )
            for name, value in promoted.items():
                given[name] = _maybe_convert_to_dtype(value, computed)
            result = fn(**given)
            result_dtype = given.get("dtype") or result_dtype
            if isinstance(result, (TensorLike, Sequence)):
                return _maybe_convert_to_dtype(result, result_dtype)
            raise AssertionError(f"Unhandled result type: {type(result)}")

        _fn.__signature__ = sig  # type: ignore[attr-defined]
        return _fn


def elementwise_unary_scalar_wrapper(fn: _Function) -> _Function:
    """Let a function of a tensor take a number, too: it gives a number then."""
    sig = inspect.signature(fn)

    @wraps(fn)
    def _fn(*args: Any, **kwargs: Any) -> Any:
        if not args or not isinstance(args[0], Number):
            return fn(*args, **kwargs)
        dtype = utils.type_to_dtype(type(args[0]))
        result = fn(torch.tensor(args[0], dtype=dtype), *args[1:], **kwargs)
        if not isinstance(result, Tensor):
            raise AssertionError(f"Expected torch.Tensor, got {type(result)}")
        return result.item()

    _fn.__signature__ = sig  # type: ignore[attr-defined]
    return _fn


# -- out -------------------------------------------------------------------------------------------


def _resize_output_check(out: TensorLikeType, shape: ShapeType) -> bool:
    """Whether *out* needs another shape; warns if it has elements."""
    if utils.same_shape(out.shape, shape):
        return False
    if out.numel():
        warn_resized(out.shape, shape, meta=True)
    return True


def _maybe_resize_out(
    out: TensorLikeType, shape: ShapeType, memory_format: torch.memory_format | None = None
) -> TensorLikeType:
    """*out* in *shape*."""
    if _resize_output_check(out, shape):
        out.resize_(shape, memory_format=memory_format)
    return out


def is_cpu_scalar(x: TensorLikeType) -> bool:
    """Whether a tensor has no dims and is on the host."""
    return x.dim() == 0 and x.device.type == "cpu"


def check_copy_devices(*, copy_from: TensorLikeType, copy_to: TensorLikeType) -> None:
    """Raise RuntimeError for a copy to another device."""
    if copy_from.device != copy_to.device:
        raise RuntimeError(
            f"Attempting to copy from device {copy_from.device} to device {copy_to.device}, but "
            "cross-device copies are not allowed!"
        )


def _safe_copy_out(
    *, copy_from: TensorLikeType, copy_to: TensorLikeType, exact_dtype: bool = False
) -> TensorLikeType:
    """Copy a result into *copy_to*. Raises RuntimeError where device or dtype do not allow it."""
    if not is_cpu_scalar(copy_from):
        check_copy_devices(copy_from=copy_from, copy_to=copy_to)
    if exact_dtype:
        torch._check(
            copy_from.dtype == copy_to.dtype,
            lambda: (
                f"Expected out tensor to have dtype {copy_from.dtype} but got {copy_to.dtype} "
                "instead"
            ),
        )
    torch._check(
        utils.can_safe_cast_to(cast_from=copy_from.dtype, cast_to=copy_to.dtype),
        lambda: (
            f"Attempting to cast from {copy_from.dtype} to out tensor with dtype {copy_to.dtype}, "
            "but this can't be cast because it is not safe!"
        ),
    )
    return copy_to.copy_(copy_from)


class _Out:
    """What an ``out=`` of one or several tensors is, and how results get into it."""

    def __init__(
        self, fn: _Function, names: tuple[str, ...], exact_dtype: bool, preserve_format: bool
    ) -> None:
        self.names = names
        self.single = len(names) == 1
        # The reference of ``unbind`` gives as many results as there are.
        self.any_number = fn.__name__ == "unbind"
        self.exact_dtype, self.preserve_format = exact_dtype, preserve_format
        self.type: Any = TensorLikeType
        self.return_type: Any = TensorLikeType
        if not self.single:
            self.type = GenericAlias(tuple, (TensorLikeType,) * len(names))
            fields = [(name, TensorLikeType) for name in names]
            self.return_type = NamedTuple(f"return_types_{fn.__name__}", fields)  # type: ignore[misc]

    def check_result(self, result: Any) -> None:
        """Raise AssertionError if *result* is not what was said."""
        if (
            isinstance(result, TensorLike)
            and self.single
            or isinstance(result, tuple)
            and len(result) == len(self.names)
            or isinstance(result, (list, tuple))
            and self.any_number
        ):
            return
        raise AssertionError(
            f"Unexpected result type: {type(result)}, is_tensor={self.single}, "
            f"out_names={self.names}"
        )

    def _into(self, result: Tensor, out: Tensor) -> None:
        keep = self.preserve_format
        memory_format = utils.suggest_memory_format(result) if keep else None
        _maybe_resize_out(out, result.shape, memory_format)
        _safe_copy_out(copy_from=result, copy_to=out, exact_dtype=self.exact_dtype)

    def write(self, result: Any, out: Any) -> None:
        """Write *result* into *out*."""
        if self.single and not self.any_number:
            if not isinstance(out, TensorLike):
                raise AssertionError(f"out must be TensorLike, got {type(out)}")
            self._into(result, out)
            return
        allowed, said = ((list, tuple), "list or tuple") if self.any_number else (tuple, "tuple")
        if not isinstance(out, allowed):  # type: ignore[arg-type]
            raise AssertionError(f"out must be {said}, got {type(out)}")
        torch._check_type(
            len(out) == len(result),
            lambda: f"expected tuple of {len(result)} elements but got {len(out)}",
        )
        for r, o in zip(result, out, strict=True):
            self._into(r, o)

    def given_back(self, out: Any) -> Any:
        """What the caller gets."""
        return out if self.single else self.return_type(*out)


def out_wrapper(
    *out_names: str,
    exact_dtype: bool = False,
    pass_is_out: bool = False,
    preserve_memory_format: bool = False,
) -> Callable[[_Function], _Function]:
    """A decorator: the function takes ``out=``, into which its result is written.

    :param out_names: the names of several results, which are then returned by name, or of a
        single one that is not called ``out`` by the operator.
    :param exact_dtype: the dtype of ``out`` must be that of the result.
    :param pass_is_out: the function is told, as ``is_out``, whether there is one.
    :param preserve_memory_format: an ``out`` that gets another shape gets the layout as well.

    A function with ``dtype`` and ``device`` gets those of ``out`` where they are not given.
    """
    names = out_names or ("out",)

    def _out_wrapper(fn: _Function) -> _Function:
        """Wrap *fn*."""
        outs = _Out(fn, names, exact_dtype, preserve_memory_format)
        sig = inspect.signature(fn)
        of_factory = ("device", "dtype") if {"device", "dtype"} <= set(sig.parameters) else ()

        @wraps(fn)
        def _fn(*args: Any, **kwargs: Any) -> Any:
            out = kwargs.pop("out", None)
            if out is not None:
                for name in of_factory:
                    kwargs.setdefault(name, getattr(out, name))
            for each in out if isinstance(out, (tuple, list)) else (out,):
                if isinstance(each, TensorLike) and isinstance(args[0], TensorLike):
                    check_copy_devices(copy_from=args[0], copy_to=each)
            if pass_is_out:
                kwargs["is_out"] = out is not None
            result = fn(*args, **kwargs)
            if result is NotImplemented:
                return NotImplemented
            outs.check_result(result)
            if out is None:
                return outs.given_back(result)
            outs.write(result, out)
            return outs.given_back(out)

        said = sig.return_annotation
        if not isinstance(said, (str, TypeVar)) and said not in (sig.empty, outs.type):
            raise AssertionError(
                f"Unexpected return annotation: {said}, expected str, TypeVar, empty, "
                f"{outs.type}, or {outs.type}"
            )
        out_param = inspect.Parameter(
            "out", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=outs.type
        )
        # ``**kwargs`` stay the last.
        parameters = sorted((*sig.parameters.values(), out_param), key=lambda p: p.kind)
        _fn.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            parameters, return_annotation=outs.return_type
        )
        _fn.__annotations__ = {
            **getattr(fn, "__annotations__", {}),
            "out": outs.type,
            "return": outs.return_type,
        }
        if outs.single and names != ("out",):
            _fn.__annotations__[CustomOutParamAnnotation] = names[0]
        _fn._torch_decompositions_out_wrapper = (  # type: ignore[attr-defined]
            f"This function is wrapped by {out_wrapper.__module__}.out_wrapper"
        )
        return _fn

    return _out_wrapper


def _maybe_remove_out_wrapper(fn: _Function) -> _Function:
    """The function below a wrapper for ``out=``, if there is one."""
    return inspect.unwrap(fn, stop=lambda f: not hasattr(f, "_torch_decompositions_out_wrapper"))


# -- gradients -------------------------------------------------------------------------------------


def backwards_not_supported(prim: _Function) -> _Function:
    """*prim* as a function whose results require gradients that cannot be computed."""

    def below_autograd(args: Any, kwargs: Any) -> Any:
        with _AutoDispatchBelowAutograd():
            return prim(*args, **kwargs)

    class BackwardsNotSupported(Function):  # torch's name, which nodes show
        @staticmethod
        def forward(ctx: Any, args_spec: Any, *flat_args: Any) -> Any:
            args, kwargs = tree_unflatten(flat_args, args_spec)
            return below_autograd(args, kwargs)

        @staticmethod
        def backward(ctx: Any, *args: Any) -> Any:
            raise RuntimeError("backwards not supported on prim")

    @wraps(prim)
    def _autograd_impl(*args: Any, **kwargs: Any) -> Any:
        flat_args, args_spec = tree_flatten((args, kwargs))
        if torch.is_grad_enabled() and any(
            a.requires_grad for a in flat_args if isinstance(a, Tensor)
        ):
            return BackwardsNotSupported.apply(args_spec, *flat_args)
        return below_autograd(args, kwargs)

    return _autograd_impl
