"""``torch._subclasses.meta_utils``: tensors on meta that are like other tensors.

A converter makes one for each tensor, the same each time, and lets those whose originals lie in one
memory lie in one memory. It holds neither the originals nor what it made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, TypeGuard
from weakref import WeakValueDictionary

from mindtorch_autograd import set_grad_enabled
from mindtorch_storage import UntypedStorage

from .. import (
    _C,
    nn,  # noqa: F401  (see Note [Packages first])
)
from .._C import _DisableTorchDispatch
from .._C._functions import DelayedError
from .._ops import ops
from ..aten import torch
from ..core import signature as S
from ..nn.parameter import Parameter
from ..tensor import Tensor
from ..utils._python_dispatch import _disable_current_modes
from ..utils.weak import WeakIdKeyDictionary

__all__ = ["MetaConverter", "assert_eq", "assert_metadata_eq"]

_COMPRESSED = (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)
#: Makes what stands for a tensor of a function that gives the meta tensor, and a device.
Callback = Callable[[Callable[[], Any], Any], Any]


# -- questions -------------------------------------------------------------------------------------


def is_sparse_coo(t: object) -> TypeGuard[Tensor]:
    """Whether *t* is a sparse tensor of coordinates."""
    return isinstance(t, Tensor) and t.layout is torch.sparse_coo


def is_sparse_compressed_layout(layout: Any) -> bool:
    """Whether it is a compressed sparse layout."""
    return layout in _COMPRESSED


def is_sparse_compressed(t: object) -> TypeGuard[Tensor]:
    """Whether *t* is a tensor of one."""
    return isinstance(t, Tensor) and is_sparse_compressed_layout(t.layout)


def is_sparse_any(t: object) -> TypeGuard[Tensor]:
    """Whether *t* is a sparse tensor."""
    return is_sparse_coo(t) or is_sparse_compressed(t)


def safe_is_leaf(t: Any) -> bool:
    """Whether *t* is a leaf; False where that cannot be told."""
    try:
        return bool(t.is_leaf)
    except RuntimeError:
        return False


def safe_grad(t: Any) -> Any:
    """The gradient of *t*, without the warning that only leaves have one."""
    return t.grad if t.is_leaf or t.retains_grad else None


def assert_eq(a: Any, b: Any) -> None:
    """Raise AssertionError if two values differ."""
    if a != b:
        raise AssertionError(f"{a} != {b}")


def assert_metadata_eq(
    assert_eq: Callable[[Any, Any], Any],
    m1: Any,
    m2: Any,
    *,
    skip_symbolic: bool = False,
    skip_leaf: bool = False,
) -> None:
    """Let *assert_eq* compare all facts of two tensors, of their gradients and of their bases.

    :param skip_symbolic: leave out sizes and strides.
    :param skip_leaf: leave out whether they are leaves.
    """
    facts: list[Callable[[Any], Any]] = [lambda t: t.dtype]
    facts += [] if skip_symbolic else [lambda t: t.shape]
    facts += [lambda t: t.requires_grad]
    facts += [] if skip_leaf else [lambda t: t.is_leaf]
    facts += [
        lambda t: t.is_sparse,
        lambda t: t.is_inference(),
        lambda t: t.is_conj(),
        lambda t: t.is_neg(),
        lambda t: safe_grad(t) is not None,
    ]

    def compare(first: Any, second: Any) -> None:
        for fact in facts:
            assert_eq(fact(first), fact(second))
        if safe_grad(first) is not None:
            compare(first.grad, second.grad)
        if is_sparse_any(first):
            assert_eq(first.layout, second.layout)
            assert_eq(first.dense_dim(), second.dense_dim())
            assert_eq(first.sparse_dim(), second.sparse_dim())
            if is_sparse_coo(first):
                assert_eq(first.is_coalesced(), second.is_coalesced())
            return
        if not skip_symbolic:
            assert_eq(first.stride(), second.stride())
            assert_eq(first.storage_offset(), second.storage_offset())
        assert_eq(first._is_view(), second._is_view())
        if first._is_view():
            compare(first._base, second._base)

    compare(m1, m2)


# -- conversion ------------------------------------------------------------------------------------


class MetaTensorDescriber:
    """Numbers tensors and memories, in the order in which they were asked for."""

    def __init__(self, *, copy_data: bool = False) -> None:
        self.copy_data = copy_data
        self.lookup_tensor = WeakIdKeyDictionary()
        self.lookup_storage = WeakIdKeyDictionary()
        self._next_tensor, self._next_storage = count(), count()

    def get_tensor_id(self, t: Any) -> int:
        """The number of a tensor."""
        return _numbered(self.lookup_tensor, t, self._next_tensor)

    def get_storage_id(self, s: UntypedStorage) -> int:
        """The number of a memory."""
        return _numbered(self.lookup_storage, s, self._next_storage)


def _numbered(known: WeakIdKeyDictionary, key: Any, numbers: Iterator[int]) -> int:
    """The number of *key*, which gets the next one if it has none."""
    found: int | None = known.get(key)
    if found is None:
        found = known[key] = next(numbers)
    return found


class MetaConverter:
    """Makes tensors on meta; call it with a tensor.

    :param copy_data: False. Raises NotImplementedError for True: originals are not kept here.
    """

    def __init__(self, *, copy_data: bool = False) -> None:
        if copy_data:
            raise NotImplementedError("a converter that copies the numbers is not offered")
        self.copy_data = copy_data
        self.describer = MetaTensorDescriber()
        #: By the number of the original.
        self.tensor_memo: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.storage_memo: WeakValueDictionary[int, UntypedStorage] = WeakValueDictionary()
        #: How often a tensor was made, how often one could not be, how often one was asked for.
        self.hit = self.miss = self.arg_cnt = 0
        self.del_hook: Callable[[], None] | None = None

    def successful(self) -> bool:
        """Whether all tensors so far had a stand-in."""
        return self.hit > 0 and self.miss == 0

    def get_tensor_memo(self, t: Any) -> Any:
        """What stands for *t*; None if nothing does, or not any more."""
        number = self.describer.lookup_tensor.get(t)
        return None if number is None else self.tensor_memo.get(number)

    def set_tensor_memo(self, t: Any, v: Any) -> None:
        """Let *v* stand for *t*."""
        self.tensor_memo[self.describer.get_tensor_id(t)] = v

    def _laid_out(self, t: Any) -> Any:
        """A meta tensor that lies as *t* does, in the memory that stands for that of *t*."""
        geometry = list(t.shape), list(t.stride())
        if not _C._has_storage(t):
            return ops.aten.empty_strided(*geometry, dtype=t.dtype, device="meta")
        real = t.untyped_storage()
        number, offset = self.describer.get_storage_id(real), t.storage_offset()
        memory = self.storage_memo.get(number)
        if memory is None and offset == 0:  # most tensors fill their memory: no other look at it
            inside = ops.aten.empty_strided(*geometry, dtype=t.dtype, device="meta")
            memory = inside.untyped_storage()
            if memory.nbytes() == real.nbytes():
                self.storage_memo[number] = memory
                return inside
            memory = None
        if memory is None:
            memory = self.storage_memo[number] = UntypedStorage(real.nbytes(), device="meta")
        inside = ops.aten.empty([0], dtype=t.dtype, device="meta")
        return inside.set_(memory, offset, *geometry)

    def __call__(
        self, t: Any, shape_env: Any = None, *, callback: Callback | None = None, **options: Any
    ) -> Any:
        """What stands for *t*, the same as long as it lives; *t* itself if it is no tensor.

        :param callback: what is made in place of the meta tensor.

        NotImplemented for tensors of which none can be made. *options* say which sizes torch makes
        symbols of: none here.
        """
        self.arg_cnt += 1
        if not isinstance(t, Tensor):
            return t
        if t.is_quantized or t._sig_ & S.SPARSE_LAYOUTS:
            self.miss += 1
            return NotImplemented
        self.hit += 1
        made = self.get_tensor_memo(t)
        if made is None:
            made = self.make(t, callback or (lambda make, device: make()))
            self.set_tensor_memo(t, made)
        return made

    def make(self, t: Any, callback: Callback) -> Any:
        """Something new that stands for *t*, whose base is what stands for the base of *t*."""
        with _disable_current_modes():
            if t._is_view() and _is_window(t):
                made = self._view(t, callback)
            else:
                made = self.leaf(t, callback)
            if t.is_leaf and t.grad is not None and not t._is_view():
                made.grad = self(t.grad, callback=callback)
        return made

    def leaf(self, t: Any, callback: Callback) -> Any:
        """Something new that is no view."""

        def make() -> Any:
            with _DisableTorchDispatch():
                inside = self._laid_out(t)
                inside = inside.conj() if t.is_conj() else inside
                return inside._neg_view() if t.is_neg() else inside

        made = callback(make, t.device)
        if not t.requires_grad:
            return made
        made.requires_grad_()
        if isinstance(t, Parameter):
            made._is_param = True
        if t.is_leaf:
            return made
        return DelayedError("Internal error: Tried to backward() through example input", 1)(made)

    def _view(self, t: Any, callback: Callback) -> Any:
        """A window on what stands for the base of *t*; differentiable if *t* has a history."""
        base = self(t._base, callback=callback)
        geometry = list(t.shape), list(t.stride()), t.storage_offset()
        with set_grad_enabled(t.grad_fn is not None):
            made = _alike(base, t).as_strided(*geometry)
        if t.requires_grad and t.is_leaf and not made.requires_grad:
            made.requires_grad_()
        return made


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
