"""Methods of ``Tensor`` that stand on what stands on the class: put on it when that is there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import tls
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_storage import ACCELERATOR, Device
from mindtorch_storage.dtype import dtype_given
from mindtorch_storage.storage_errors import accelerator_not_one, pin_device_deprecated

from ..call import subclass
from ..call.argument_parser import TYPES
from ..call.dispatch_entry import OVERLOADS
from ..call.lazy_registration import DECLARED_METHODS
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core import vmap_errors
from ..core.key_sets import grad_state, tls_state
from ..core.operators import operator_named
from ..core.warning import warn
from ..functionality.batching import inside_of_its_vmap
from ..functionality.node_metadata import type_of_value
from ..functionality.python import detached
from ..tensor import Tensor, named_as_tensors
from ..tensor.array_memory import alias_with_own_version
from ..tensor.construction import set_data, share
from ..tensor.gradient import require_grad
from ..tensor.pending import flush_current
from ..tensor.set_storage import over_storage
from ..tensor.set_storage import share as share_storage
from ..tensor.tensor_impl import DetachedAlias, Leaf, alias_of
from .from_data import check_options, copy_of, detach_fresh, from_numpy, tensor, warn_copy_construct
from .functions import unique as unique_of
from .register import METHODS


def new_tensor(
    self: Any,
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Any:
    """A tensor with a copy of *data*, by default of this tensor's dtype and device."""
    check_options("new_tensor", device, requires_grad)
    if dtype is not None:
        dtype = dtype_given(dtype, "new_tensor", "dtype")
    if isinstance(data, Tensor):
        warn_copy_construct("tensor.new_tensor")
        made = copy_of(data, dtype or self.dtype, self.device if device is None else device)
        return require_grad(made) if requires_grad else made
    return tensor(
        data,
        dtype=dtype or self.dtype,
        device=self.device if device is None else device,
        requires_grad=requires_grad,
    )


def unique(
    self: Any,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: Any = None,
) -> Any:
    """See ``torch.unique``."""
    return unique_of(self, sorted, return_inverse, return_counts, dim)


def unflatten(self: Any, dim: int, sizes: Any) -> Any:
    """See ``torch.unflatten``."""
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    return METHODS["unflatten"](self, dim, sizes)


def pin_memory(self: Any, device: Any = None) -> Any:
    """A copy in page-locked memory; itself if it is there already.

    Raises RuntimeError for a tensor that is not on the host.
    """
    if device is not None:
        warn(pin_device_deprecated("pin_memory"), DeprecationWarning)
    if self._sig_ & S.CPU and self.is_pinned(device):
        return self
    if self._sig_ & S.CPU and device is not None:
        _refuse_other_accelerators(Device(device))
        device = None
    return call_again(OVERLOADS["aten::_pin_memory"], (self, device))


def _refuse_other_accelerators(device: Device) -> None:
    if device.type != ACCELERATOR:
        raise accelerator_not_one(device.type)


def pinned_copy(self: Any, device: Any = None) -> Any:
    """``aten::_pin_memory``: a contiguous copy in page-locked memory."""
    if not self._sig_ & S.CPU:
        kind = type_of_value(self)
        raise RuntimeError(f"cannot pin '{kind}' only dense CPU tensors can be pinned")
    if device is not None:
        _refuse_other_accelerators(Device(device))
    return over_storage(self, self.contiguous().untyped_storage().pin_memory())


def share_memory_(self: Any) -> Any:
    """Move the storage to memory that forked processes share."""
    flush_current()  # who gets the memory may change it; the queue reads it before
    share_storage(self)
    return self


def __array_wrap__(self: Any, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
    """What numpy's functions of tensors give: tensors again, bytes for truth values."""
    return from_numpy(array.astype("uint8") if array.dtype == bool else array)


def _guards() -> Any:
    from ..functionality import transform_guards  # not before something is transformed

    return transform_guards


@property
def data(self: Any) -> Any:
    """The same memory without gradient history and with a version counter of its own."""
    if self._sig_ & S.BATCHED:
        if not inside_of_its_vmap(self):
            raise RuntimeError(vmap_errors.DATA)
        return self.detach()
    if tls_state() or self._sig_ & S.PYTHON:
        return alias_with_own_version(detached(self, keeps_class=False))
    return alias_with_own_version(share(self._a_, self))


@data.setter
def data(self: Any, value: Any) -> None:
    if tls_state() and tls.extra(tls_state()) & tls.TRANSFORMED:
        _guards().refuse_new_data(self)
    if self._sig_ & S.BATCHED:
        raise RuntimeError(vmap_errors.SET_DATA)
    if self._sig_ & S.REQUIRES_GRAD and isinstance(value, Tensor):
        if value._a_.dtype.kind in "biu":
            raise RuntimeError(
                "data set to a tensor that requires gradients must be floating point or "
                "complex dtype"
            )
    set_data(self, value)


@data.deleter
def data(self: Any) -> None:
    raise RuntimeError("Deleting tensor data is not allowed. Delete tensor instead!")


def detach_(self: Any) -> Any:
    """Cut this tensor from the graph that made it."""
    if self._sig_ & S.INFERENCE or grad_state() & grad_mode.INFERENCE:
        return self  # autograd, which would cut it, is not asked
    if tls_state() and tls.extra(tls_state()) & tls.TRANSFORMED:
        _guards().check("aten::detach_", self)
    if self._base is not None or self._sig_ & S.BATCHED:
        raise RuntimeError(
            "Can't detach views in-place. Use detach() instead. If you are using "
            "DistributedDataParallel (DDP) for training, and gradient_as_bucket_view is set as "
            "True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
            "these gradients. To fix this error, please refer to the Optimizer.zero_grad() "
            "function in torch/optim/optimizer.py as the solution."
        )
    if self._sig_ & S.FUNCTIONAL or tls_state():
        detach_fresh(self)
    if self._edge_ is not None and type(self._edge_) is not Leaf:
        self._shared_ = DetachedAlias(alias_of(self))
    self._edge_ = None
    self._sig_ &= ~S.REQUIRES_GRAD
    self._meta_ = S.STALE
    if self._sig_ & S.DUAL:
        from ..functionality.tangents import forget  # not before there are tangents

        forget(self)
    if self._shared_ is not None:
        self._shared_.touched = True
    return self


def as_subclass(self: Any, cls: Any) -> Any:
    """The same data as an instance of *cls*; gradients flow through."""
    return subclass.as_subclass(self, cls)


def _make_subclass(*args: Any, **kwargs: Any) -> Any:
    return subclass.make_subclass(*args, **kwargs)


def _make_wrapper_subclass(*args: Any, **kwargs: Any) -> Any:
    return subclass.make_wrapper_subclass(*args, **kwargs)


def _declared_method(name: str) -> Callable[..., Any]:
    """The method of an op of which there is the schema alone, parsed as torch parses methods."""

    @cache
    def parser() -> ArgumentParser:
        schemas = [str(operator_named(f"aten::{name}")._schema)]
        return ArgumentParser.from_schemas(name, schemas, types=TYPES, method=True)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        _, full = parser().parse(args, kwargs, self)
        return operator_named(f"aten::{name}")(*full)

    method.__name__ = name
    method.__doc__ = f"Raise NotImplementedError: nothing here computes ``aten::{name}``."
    return method


def attach() -> None:
    """Put the methods on ``Tensor``."""
    for method in (*_METHODS, *map(_declared_method, DECLARED_METHODS)):
        named_as_tensors(method, method.__name__)
        setattr(Tensor, method.__name__, method)
    for maker in (_make_subclass, _make_wrapper_subclass):
        named_as_tensors(maker, maker.__name__)
        setattr(Tensor, maker.__name__, staticmethod(maker))
    Tensor.data = data


_METHODS = (
    __array_wrap__,
    as_subclass,
    detach_,
    new_tensor,
    pin_memory,
    share_memory_,
    unflatten,
    unique,
)
