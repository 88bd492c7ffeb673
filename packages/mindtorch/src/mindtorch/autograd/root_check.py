"""The gradients that a backward starts with: what they must fit, and ones where none is given."""

from __future__ import annotations

from typing import Any
from weakref import ref

import numpy as np
from mindtorch_autograd import errors as autograd_errors
from mindtorch_autograd import unwrap

from ..call.validate_gradients import fits_device
from ..core import signature as S
from ..core.key_sets import tls_state
from ..core.operators import ops
from ..core.size import Size
from ..functionality.gradient_layout import claim
from ..tensor import Tensor, blank
from ..tensor.interning import intern
from ..tensor.tensor_impl import alias_of
from ..tensor.tensor_meta import Facts
from .roots import ones_visibly

__all__ = ["check_root", "metadata_of"]

#: The bits of a tensor of which only dtype and backend are to be said.
_PLAIN = S.DIM_MASK | S.ZERO_MASK | S.CPU
#: The bits of a root, or of its gradient, that ask for a closer look.
_ODD_ROOT = S.PENDING | S.OF_CLASS | S.FUNCTIONALITIES | S.BACKENDS & ~S.CPU
#: Signature -> the array that is copied, and the meta.
_ONES: dict[int, tuple[Any, Any]] = {}


def check_root(x: Any, grad: Any, is_grads_batched: bool) -> Any:
    """The gradient to start from; torch's errors for one that cannot be.

    Source: torch autograd/__init__.py, _make_grads.
    """
    if isinstance(x, Tensor):
        sig = x._sig_
        if grad is not None and type(grad) is Tensor and not is_grads_batched:
            ours = grad._sig_
            if (
                not (sig | ours) & _ODD_ROOT
                and not (sig ^ ours) & _PLAIN
                and grad._a_.shape == x._a_.shape
            ):
                (grad._shared_ or alias_of(grad)).claimed = ref(grad)
                return grad
        if sig & S.PENDING:
            x._settle_()  # what the forward pass owes shows its errors here
    else:
        meta = metadata_of(*unwrap(x))
        if grad is None:
            if meta is None:
                return ops.ones(())
            if Size(meta.sizes).numel() != 1:
                raise autograd_errors.not_scalar()
            return ops.ones(meta.sizes, dtype=meta.dtype, device=meta.device)
        if meta is not None and isinstance(grad, Tensor):
            shape = grad[0]._a_.shape if is_grads_batched else grad._a_.shape
            if shape != meta.sizes:
                want = Size(meta.sizes)
                raise autograd_errors.grad_shape_mismatch(0, Size(shape), 0, want, is_grads_batched)
            if grad.is_complex() != meta.dtype.is_complex:
                raise autograd_errors.grad_dtype_mismatch(0, grad.dtype, meta.dtype)
            if grad.dtype is not meta.dtype:  # cast as the engine casts what a node gives
                return claim(grad.to(meta.dtype))
        return grad
    if grad is None:
        if x._a_.size != 1:
            raise autograd_errors.not_scalar()
        if not x.dtype.is_floating_point:
            raise autograd_errors.not_real(x.dtype)
        return _ones_for(x)
    if not isinstance(grad, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(grad).__name__}")
    shape = grad[0]._a_.shape if is_grads_batched else grad._a_.shape
    if shape != x._a_.shape:
        shape = shape[1:] if is_grads_batched else shape  # torch takes the batch off twice
        raise autograd_errors.grad_shape_mismatch(0, Size(shape), 0, x.shape, is_grads_batched)
    if x.is_complex() != grad.is_complex():
        raise autograd_errors.grad_dtype_mismatch(0, grad.dtype, x.dtype)
    if not fits_device(grad._sig_ | x._sig_) and grad.device != x.device:
        if grad.dim():
            raise RuntimeError(
                f"invalid gradient at index 0 - expected device {x.device} but got {grad.device}"
            )
        grad = grad.to(x.device)
    # Cast as the engine casts what a node gives.
    return claim(grad if grad.dtype is x.dtype else grad.to(x.dtype))


def metadata_of(node: Any, nr: int) -> Facts | None:
    """What is known of result *nr* of *node*; None if nothing."""
    extra = node._extra_
    known = () if extra is None else extra.input_metadata or ()
    found: Facts | None = known[nr] if nr < len(known) else None
    return found


def _ones_for(x: Any) -> Any:
    """The gradient that backward starts with."""
    sig = x._sig_ & ~S.REQUIRES_GRAD | tls_state()
    one = _ONES.get(sig)
    if one is None:
        if sig & ~(S.ZERO_MASK | S.CPU):
            return ones_visibly(x)
        array = np.array(1, x._a_.dtype)
        one = _ONES[sig] = array, intern(sig, (), (), None)
    t = blank()
    t._a_ = one[0].copy()
    t._sig_ = sig
    t._meta_ = one[1]
    t._shared_ = t._edge_ = t._state_ = None
    return t
