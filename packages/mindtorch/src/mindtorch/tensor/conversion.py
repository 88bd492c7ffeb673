"""From tensors to numbers and arrays."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
from mindtorch_autograd import is_grad_enabled
from mindtorch_dispatch import DispatchKey, current_pipeline, tls
from mindtorch_storage import bfloat16
from mindtorch_storage.storage_errors import no_memory

from ..core import signature as S
from ..core import vmap_errors
from ..core.backend_registry import backend_of
from ..core.errors import no_data, no_data_pointer, no_item, not_implemented_for
from ..core.extended_dtypes import plain_numbers
from ..core.key_sets import seen_as_operators, seen_by_python, tls_state
from ..core.late_bound import LateBound
from ..core.layout_names import layout_name
from ..core.operators import of, operator_named, ops, written_parser
from ..core.tracebacks import shorten
from ..core.warning import warn_once
from .foreign_argument import answer_of
from .layout import seen
from .pending import flush_current
from .quantizer import quantizer_of, steps_of
from .tensor_impl import alias_of

_RARE = S.META | S.PYTHON | S.BATCHED | S.FUNCTIONAL | S.RARE | S.SPARSE_LAYOUTS
_ELSEWHERE = S.PENDING | S.ACCELERATORS | S.META | S.MEMORYLESS | S.LAZY | S.FREED
#: Dtypes that numpy does not have, though arrays of ml_dtypes do.
_NOT_NUMPYS = S.RARE | sum(S.dtype_bits(bfloat16))
#: What :meth:`Conversion.numpy` has to look at more closely.
_NOT_AN_ARRAY = (
    _ELSEWHERE
    | S.OF_CLASS
    | S.BATCHED
    | S.RARE
    | 1 << (S.DIM_SHIFT + bfloat16.index)
    | 1 << (S.ZERO_SHIFT + bfloat16.index)
)
_BITS = {"conj": "conjugate", "neg": "negative"}

# Functions of higher layers, most of which few programs need.
apply_ = LateBound("apply_")
map_ = LateBound("map_")
map2_ = LateBound("map2_")
legacy_new = LateBound("legacy_new")
freed = LateBound("freed")
inside_of_its_vmap = LateBound("inside_of_its_vmap")
lu = LateBound("lu")
nonzero_of = LateBound("nonzero_of")
sparse_new = LateBound("sparse_new")
norm = LateBound("norm")
stft = LateBound("stft")
unique_consecutive = LateBound("unique_consecutive")
value_tensor = LateBound("value_tensor")


class _Watched(dict[int, bool]):
    """A thread's state -> whether a mode watches operators."""

    def __missing__(self, word: int) -> bool:
        found = self[word] = bool(tls.masks(word)[0] & DispatchKey.Python)
        return found


_WATCHED = _Watched()


def _warn_of_history() -> None:
    """Say once per process, where things are recorded, that a number has no history.

    Source: torch csrc/autograd/python_variable_methods.cpp.
    """
    if is_grad_enabled():
        warn_once(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected "
            "behavior.\nConsider using tensor.detach() first.",
        )


class Conversion:
    """Reading data, and functions that torch writes in Python."""

    __slots__ = ()

    _a_: Any
    _sig_: int
    _shared_: Any

    def _settle_(self) -> None:
        """Flush the pipeline that has still to write this memory."""
        alias = self._shared_
        if alias is not None and alias.storage is not None:
            pending = alias.storage.pending
            if pending is not None:
                pending.pipeline.settle(pending)
        elif self._sig_ & S.PENDING:  # backends.recorder, Note [Tiny operands]
            flush_current()
        if self._sig_ & S.PENDING:
            self._sig_ &= ~S.PENDING
            self._meta_ = S.STALE

    def _host_(self) -> Any:
        """The ndarray with its numbers in it: flushes pipelines and waits for the device."""
        sig = self._sig_
        if sig & _ELSEWHERE or (
            self._shared_ is not None
            and self._shared_.storage is not None
            and self._shared_.storage.pending is not None
        ):
            if sig & S.META:
                raise NotImplementedError("Cannot copy out of meta tensor; no data!")
            if sig & S.MEMORYLESS:
                if sig & S.SPARSE_LAYOUTS:
                    raise no_data_pointer()
                raise no_data() if sig & S.BATCHED else no_memory()
            if sig & S.FREED:
                raise freed(self)
            self._settle_()
            if sig & S.ACCELERATORS:
                backend = backend_of(self)
                if backend.read is not None:
                    return backend.read(self)
                backend.wait(self.device)  # as CUDA does before a read
            if sig & S.LAZY:
                return _resolved(self._a_, sig)
        return self._a_

    def numpy(self, *args: Any, force: bool = False) -> np.ndarray[Any, Any]:
        """The ndarray over the same memory.

        Raises TypeError for a tensor that is not on the cpu or whose dtype numpy lacks,
        RuntimeError for one that requires grad, in grad mode; with *force* it is detached first.
        """
        if args or force.__class__ is not bool:
            named = {"force": force}
            _, (force,) = written_parser("Tensor.numpy").parse(args, named)
        if not (self._sig_ & _NOT_AN_ARRAY or force or _WATCHED[tls_state()]):
            if current_pipeline() is None and not (
                self._sig_ & S.REQUIRES_GRAD and is_grad_enabled()
            ):
                alias = self._shared_
                if alias is None:
                    alias = alias_of(self)
                storage = alias.storage
                if storage is None:
                    alias.lent = True
                    return self._a_.view()
                if storage.pending is None:
                    storage._lend()
                    return self._a_.view()
        if self._sig_ & S.SPARSE_LAYOUTS:
            raise TypeError(
                f"can't convert {layout_name(self.layout)} layout tensor to numpy. Use "
                "Tensor.to_dense() first."
            )
        if _WATCHED[tls_state()] or self._sig_ & S.PYTHON:
            self = seen_whole(self, "numpy()")
        if force:
            plain = self.detach().cpu().resolve_conj().resolve_neg()
            return plain.numpy()
        if self._sig_ & S.REQUIRES_GRAD and is_grad_enabled():
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. "
                "Use tensor.detach().numpy() instead."
            )
        if not self._sig_ & S.CPU:
            raise TypeError(
                f"can't convert {self.device} device type tensor to numpy. "
                "Use Tensor.cpu() to copy the tensor to host memory first."
            )
        for bit, name in ((S.CONJ, "conj"), (S.NEG, "neg")):
            if self._sig_ & bit:
                raise RuntimeError(
                    f"Can't call numpy() on Tensor that has {_BITS[name]} bit set. Use "
                    f"tensor.resolve_{name}().numpy() instead."
                )
        flush_current()  # who gets the memory may change it; the queue reads it before
        self._host_()
        if self._sig_ & _NOT_NUMPYS:
            raise TypeError(f"Got unsupported ScalarType {self.dtype.scalar_type}")
        self.untyped_storage()._lend()
        return self._a_.view()

    def item(self) -> Any:
        """The one element as a Python number."""
        if self._a_.size != 1 and not self._sig_ & S.BATCHED:
            raise RuntimeError(
                f"a Tensor with {self._a_.size} elements cannot be converted to Scalar"
            )
        if tls_state() or self._sig_ & _RARE:
            return scalar(self)
        return number_in(self._host_().reshape(()))

    def tolist(self) -> Any:
        """Nested lists of Python numbers (one number for a 0-d tensor)."""
        if self._sig_ & S.PYTHON:
            raise RuntimeError(
                f".tolist() is not supported for tensor subclasses, got {type(self).__name__}"
            )
        if self._sig_ & S.FUNCTIONAL or (
            self._sig_ & S.FREED and not self._shared_.storage.nbytes()
        ):
            raise RuntimeError("tolist() shouldn't be called on a tensor with unallocated storage")
        if self._sig_ & S.ACCELERATORS and seen_as_operators(self._sig_ | tls_state()):
            return self.cpu().tolist()  # which is how torch gets at them
        a = self._host_()
        if a.dtype.num > 24:  # bfloat16: numpy's own tolist would keep its scalars
            a = plain_numbers(a)
        elif self._sig_ & S.RARE and a.size:
            raise RuntimeError("load_scalar: invalid type")
        return a.tolist()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        a = self.numpy()
        return a if dtype is None or a.dtype == dtype else a.astype(dtype, copy=False)

    def __bool__(self) -> bool:
        n = self._a_.size
        if n != 1:
            if n == 0:
                raise RuntimeError("Boolean value of Tensor with no values is ambiguous")
            raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
        if tls_state() or self._sig_ & _RARE:
            return bool(scalar(self, truth=True))
        return bool(self._host_().reshape(()))

    def __int__(self) -> int:
        try:
            return int(self._real_number_("int64_t"))
        except Exception as error:
            shorten(error)
            raise

    def __float__(self) -> float:
        try:
            if self._sig_ & S.REQUIRES_GRAD:
                _warn_of_history()
            return float(self._real_number_("double"))
        except Exception as error:
            shorten(error)
            raise

    def __complex__(self) -> complex:
        try:
            if self._sig_ & S.REQUIRES_GRAD:
                _warn_of_history()
            return complex(self._only_number_())
        except Exception as error:
            shorten(error)
            raise

    def _real_number_(self, c_type: str) -> Any:
        value = self._only_number_()
        if isinstance(value, complex):
            if value.imag != 0:
                raise RuntimeError(f"value cannot be converted to type {c_type} without overflow")
            return value.real
        return value

    def _only_number_(self) -> Any:
        if self._a_.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return self.item()

    def __index__(self) -> int:
        if self._a_.size != 1 or self._a_.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    @property
    def real(self) -> Any:
        """The real part, a view; a real tensor itself."""
        return ops.real(self)

    @real.setter
    def real(self, value: Any) -> None:
        _put_into(ops.real(self), value)

    @property
    def imag(self) -> Any:
        """The imaginary part, a view. Raises RuntimeError for a real tensor."""
        return ops.imag(self)

    @imag.setter
    def imag(self, value: Any) -> None:
        _put_into(ops.imag(self), value)

    def new(self, *args: Any, **kwargs: Any) -> Any:
        """A tensor of this dtype on this device, as ``torch.Tensor(...)`` makes one."""
        if self._sig_ & S.SPARSE:
            return sparse_new(args, kwargs, self.dtype)
        return legacy_new(args, kwargs, self.dtype, self.device, of_new=True)

    def apply_(self, callable: Any) -> Any:
        """Put ``callable(element)`` in the place of each element."""
        return apply_(self, callable)

    def map_(self, tensor: Any, callable: Any) -> Any:
        """Put ``callable(element, other)`` in the place of each element."""
        return map_(self, tensor, callable)

    def map2_(self, x: Any, y: Any, callable: Any) -> Any:
        """Put ``callable(element, one, other)`` in the place of each element."""
        return map2_(self, x, y, callable)

    def module_load(self, other: Any, assign: bool = False) -> Any:
        """What a module takes for this tensor when it loads *other* from a state dict."""
        return other.detach() if assign else self.copy_(other).detach()

    def to_sparse_coo(self) -> Any:
        """This tensor in the layout ``torch.sparse_coo``, as ``to_sparse()`` gives it."""
        return self.to_sparse()  # type: ignore[attr-defined]  # of an op

    def is_nonzero(self) -> bool:
        """Whether the one element is not zero."""
        return bool(self)

    def unique_consecutive(
        self, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
    ) -> Any:
        """Drop repetitions that follow each other, as :func:`torch.unique_consecutive`."""
        return unique_consecutive(
            self, return_inverse=return_inverse, return_counts=return_counts, dim=dim
        )

    def split(self, split_size: Any, dim: int = 0) -> Any:
        """The parts along *dim*: of one size, or of the sizes given. Views."""
        if hasattr(split_size, "_sig_"):  # a tensor
            with contextlib.suppress(RuntimeError, ValueError):
                split_size = int(split_size)
        if isinstance(split_size, int):
            return ops.split(self, split_size, dim)
        return ops.split_with_sizes(self, split_size, dim)

    def nonzero(self, *args: Any, **kwargs: Any) -> Any:
        """Return the indices of the elements that are not zero, as :func:`torch.nonzero`."""
        return nonzero_of(self, args, kwargs)

    def norm(
        self,
        p: float | str | None = "fro",
        dim: Any = None,
        keepdim: bool = False,
        dtype: Any = None,
    ) -> Any:
        """Return the norm of the elements, as :func:`torch.norm`."""
        return norm(self, p, dim, keepdim, dtype=dtype)

    def lu(self, pivot: bool = True, get_infos: bool = False) -> Any:
        """Return the LU factors of matrices, as :func:`torch.lu`."""
        return lu(self, pivot=pivot, get_infos=get_infos)

    def stft(
        self,
        n_fft: int,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = None,
        center: bool = True,
        pad_mode: str = "reflect",
        normalized: bool = False,
        onesided: bool | None = None,
        return_complex: bool | None = None,
        align_to_window: bool | None = None,
    ) -> Any:
        """Return the short-time Fourier transform, as :func:`torch.stft`."""
        return stft(
            self, n_fft, hop_length, win_length, window, center, pad_mode, normalized, onesided,
            return_complex, align_to_window,
        )  # fmt: skip

    def istft(
        self,
        n_fft: int,
        hop_length: int | None = None,
        win_length: int | None = None,
        window: Any = None,
        center: bool = True,
        normalized: bool = False,
        onesided: bool | None = None,
        length: int | None = None,
        return_complex: bool = False,
    ) -> Any:
        """Return the signal of a short-time Fourier transform, as :func:`torch.istft`."""
        return ops.istft(
            self, n_fft, hop_length, win_length, window, center, normalized, onesided, length,
            return_complex=return_complex,
        )  # fmt: skip

    def is_same_size(self, other: Any) -> bool:
        """Whether both have the same shape."""
        if not isinstance(other, Conversion):
            found: bool = answer_of(other, Conversion.is_same_size, self)
            return found
        if seen(self, other):
            return operator_named("aten::is_same_size")(self, other)
        return bool(self._a_.shape == other._a_.shape)


def _put_into(part: Any, value: Any) -> None:
    part.copy_(value if isinstance(value, Conversion) else value_tensor(part, value))


def _resolved(a: Any, sig: int) -> Any:
    """The numbers that memory with lazy bits stands for."""
    if sig & S.CONJ:
        a = np.conjugate(a)
    return np.negative(a) if sig & S.NEG else a


def seen_whole(t: Any, method: str) -> Any:
    """*t* for reading its memory; a mode sees that as ``detach``."""
    if t._sig_ & S.PYTHON:
        raise RuntimeError(f".{method} is not supported for tensor subclasses.")
    return t.detach() if seen_by_python(t._sig_ | tls_state()) and not t.requires_grad else t


def scalar(t: Any, truth: bool = False) -> Any:
    """The one element of a tensor, as somebody may see who watches operators."""
    if seen_as_operators(t._sig_ | tls_state()):
        return of("_local_scalar_dense")(t)
    if t._sig_ & S.SPARSE_LAYOUTS:
        return ops.sum(t._content_.values).item()
    if t._sig_ & (S.META | S.BATCHED):
        if t._sig_ & S.BATCHED:
            if inside_of_its_vmap(t):
                raise RuntimeError(vmap_errors.ITEM_OR_CONTROL_FLOW)
        raise no_item(t._sig_, truth)
    if t._sig_ & S.QUANTIZED:
        return float(quantizer_of(t).dequantized(steps_of(t._host_().reshape(()))))
    return number_in(t._host_().reshape(()))


def number_in(a: Any) -> Any:
    """The one element of an array; NotImplementedError for dtypes that are no numbers."""
    value = a.item()
    if a.dtype.num > 24:
        return plain_numbers(a).item()
    if type(value) is tuple:
        raise not_implemented_for("_local_scalar_dense_cpu", S.dtype_of(a.dtype))
    return value
