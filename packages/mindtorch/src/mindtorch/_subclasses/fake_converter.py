"""From tensors to what stands for them: one fake tensor for each, views for views."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet, ref

from mindtorch_autograd import set_grad_enabled

from .. import nn  # noqa: F401  (see Note [Packages first])
from .._C import _DisableTorchDispatch
from .._C._functions import DelayedError
from .._ops import ops
from ..aten import torch
from ..core import signature as S
from ..nn.parameter import Parameter
from ..tensor import Tensor
from ..utils._python_dispatch import _disable_current_modes
from .fake_errors import UnsupportedFakeTensorException

__all__ = ["FakeTensorConverter"]


class FakeTensorConverter:
    """The stand-ins of a mode, by the tensor they stand for.

    :param make: makes a fake tensor of a mode, a meta tensor, a device and a constant.
    """

    def __init__(self, make: Any) -> None:
        self._make = make
        self._known: dict[int, tuple[Any, Any]] = {}
        #: The fake tensors of which the numbers are known, by the memory of these.
        self._constants: dict[int, WeakSet[Any]] = {}

    def __deepcopy__(self, memo: dict[int, Any]) -> FakeTensorConverter:
        """Another mode's: it knows of no tensors yet."""
        return type(self)(self._make)

    def from_real_tensor(self, fake_mode: Any, t: Any, make_constant: bool = False) -> Any:
        """What stands for *t*, the same each time.

        :param make_constant: the numbers of *t* are those that the program wrote down.

        Raises UnsupportedFakeTensorException for quantized and sparse tensors.
        """
        if not isinstance(t, Tensor):
            raise TypeError(f"cannot create weak reference to '{type(t).__name__}' object")
        known = self._known.get(id(t))
        if known is not None and known[0]() is t:
            return known[1]
        with _disable_current_modes():
            made = self._like(fake_mode, t, make_constant)
            if t.is_leaf and t.grad is not None and not t._is_view():
                made.grad = self.from_real_tensor(fake_mode, t.grad)
        if not make_constant:
            self._known[id(t)] = (ref(t), made)
        return made

    def _like(self, fake_mode: Any, t: Any, make_constant: bool) -> Any:
        if t.is_quantized:
            raise UnsupportedFakeTensorException("quantized nyi in meta tensors")
        if t._sig & S.SPARSE_LAYOUTS:
            raise UnsupportedFakeTensorException(f"no fake tensor has the layout {t.layout}")
        if t._is_view() and not make_constant and _is_window(t):
            return self._view(fake_mode, t)
        with _DisableTorchDispatch():
            inside = ops.aten.empty_strided(
                list(t.shape), list(t.stride()), dtype=t.dtype, device="meta"
            )
            inside = inside.conj() if t.is_conj() else inside
            inside = inside._neg_view() if t.is_neg() else inside
        made = self._make(fake_mode, inside, t.device, t if make_constant else None)
        if make_constant:
            self._constants.setdefault(t.untyped_storage()._cdata, WeakSet()).add(made)
        if not t.requires_grad:
            return made
        made.requires_grad_()
        if isinstance(t, Parameter):
            made._is_param = True
        if t.is_leaf:
            return made
        return DelayedError("Internal error: Tried to backward() through example input", 1)(made)

    def _view(self, fake_mode: Any, t: Any) -> Any:
        """A window on what stands for the base of *t*; differentiable if *t* has a history."""
        base = self.from_real_tensor(fake_mode, t._base)
        geometry = list(t.shape), list(t.stride()), t.storage_offset()
        with set_grad_enabled(t.grad_fn is not None):
            made = _alike(base, t).as_strided(*geometry)
        if t.requires_grad and t.is_leaf and not made.requires_grad:
            made.requires_grad_()
        return made

    def forget(self, fake: Any) -> None:
        """*fake* was written to: its number is not known any more, nor is that of its views."""
        constant = fake.constant
        if constant is not None:
            for one in self._constants.pop(constant.untyped_storage()._cdata, ()):
                one.constant = None
            fake.constant = None


def _is_window(t: Any) -> bool:
    """Whether the view *t* shows numbers of its base, or their real and imaginary parts."""
    base = t._base
    if t.dtype == base.dtype:
        return bool(t.is_neg() == base.is_neg())
    return t.dtype.is_complex != base.dtype.is_complex and t.dtype.to_complex() == (
        base.dtype.to_complex()
    )


def _alike(base: Any, t: Any) -> Any:
    """*base*, as complex numbers, their parts or their conjugates, whichever *t* shows."""
    if base.dtype.is_complex != t.dtype.is_complex:
        base = torch.view_as_real(base) if base.dtype.is_complex else torch.view_as_complex(base)
    return base if base.is_conj() == t.is_conj() else base.conj()
