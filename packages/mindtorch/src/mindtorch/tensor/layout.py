"""What a tensor says of itself without looking at its numbers."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import ACCELERATOR_IS_CUDA, Device, hooks, storage_errors
from mindtorch_storage.layout import contiguous_strides, is_channels_last_contiguous, wrap_dim

from ..core import signature as S
from ..core import vmap_errors
from ..core.constants import channels_last, contiguous_format, preserve_format, sparse_csr, strided
from ..core.errors import inference_version, no_data, no_data_pointer
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import operator_named, written_parser
from ..core.size import Size
from ..core.warning import level_of_user, warn
from .array_memory import address, owner_of, storage_of
from .pending import flush_current
from .tensor_impl import counts

CPU_DEVICE = Device("cpu")
META_DEVICE = Device("meta")
_tuple_new = tuple.__new__


def empty_strides(a: Any) -> tuple[int, ...]:
    """The byte strides of an array without elements, as torch has them.

    numpy gives fresh empty arrays strides of 0; torch counts sizes of 0 as 1. What looks at memory
    that has elements keeps its own, and so does ``array_of_nothing``.
    """
    strides, owner = a.strides, owner_of(a)
    if any(strides) or type(owner.base) is bytearray or owner is not a and owner.size:
        return strides
    item = a.itemsize
    return tuple([s * item for s in contiguous_strides(a.shape)])


def seen(*tensors: Any) -> bool:
    """Whether a mode or a subclass looks at operators of *tensors*."""
    sig = tls_state()
    for t in tensors:
        sig |= t._sig_
    return seen_by_python(sig)


NO_NBYTES = (
    "nbytes is not defined for sparse tensors.  If you want the size of the constituent tensors, "
    "add the nbytes of the indices and values.  If you want the size of the  equivalent dense "
    "tensor, multiply numel() by element_size()"
)


def _never() -> property:
    """A question about tensors of a kind that there is not."""

    def never(self: Any) -> bool:
        """False: there are no such tensors."""
        return False

    return property(never)


def _typed() -> Any:
    from mindtorch_storage import typed  # not at import: few programs come here

    return typed


class Layout:
    """Shape, strides, dtype, device, storage."""

    __slots__ = ()

    _a_: Any
    _sig_: int
    _shared_: Any
    _content_: Any

    @property
    def shape(self) -> Size:
        """The size of each dimension."""
        return _tuple_new(Size, self._a_.shape)

    @property
    def dtype(self) -> Any:
        """The type of the elements."""
        try:
            return S.DTYPE_OF_NUM[self._a_.dtype.num]
        except LookupError:
            return S.dtype_of(self._a_.dtype)

    @property
    def device(self) -> Device:
        """Where the memory lies."""
        sig = self._sig_
        if sig & S.CPU:
            return CPU_DEVICE
        if sig & S.META:
            return META_DEVICE
        return self._shared_.device

    @property
    def layout(self) -> Any:
        """How the elements lie: ``torch.strided``, but for sparse tensors."""
        return self._content_.layout if self._sig_ & S.SPARSE_LAYOUTS else strided

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self._a_.ndim

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return self._a_.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        if self._sig_ & S.SPARSE:
            raise RuntimeError(NO_NBYTES)
        return self._a_.size * self._a_.itemsize

    def dim(self) -> int:
        """The number of dimensions."""
        return self._a_.ndim

    def ndimension(self) -> int:
        """The number of dimensions."""
        return self._a_.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._a_.size

    def nelement(self) -> int:
        """The number of elements."""
        return self._a_.size

    def element_size(self) -> int:
        """Bytes per element."""
        return self._a_.itemsize

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of dimension *dim*."""
        if dim is None:
            return _tuple_new(Size, self._a_.shape)
        if dim.__class__ is not int:
            _, (dim,) = written_parser("Tensor.size").parse((dim,))
        return self._a_.shape[wrap_dim(dim, self._a_.ndim, False)]

    def stride(self, dim: int | None = None) -> Any:
        """The step of each dimension (or of *dim*), in elements."""
        a = self._a_
        item = a.itemsize
        strides = a.strides if a.size else empty_strides(a)
        if self._sig_ & S.SPARSE_CSR:
            raise self._content_.has_no("strides")
        if dim is None:
            return tuple([s // item for s in strides])
        if dim.__class__ is not int:
            _, (dim,) = written_parser("Tensor.stride").parse((dim,))
        return strides[wrap_dim(dim, a.ndim, False)] // item

    def storage_offset(self) -> int:
        """Where the first element lies in the storage, in elements; of a batch for its samples."""
        if self._sig_ & S.BATCHED:
            offset: int = self._batched.value.storage_offset()
            return offset
        owner = self._shared_.storage._owner if self._shared_ and self._shared_.storage else None
        a = self._a_
        if owner is None:
            owner = owner_of(a)
        return 0 if owner is a else (address(a) - address(owner)) // a.itemsize

    def is_contiguous(self, *args: Any, memory_format: Any = contiguous_format) -> bool:
        """Whether the elements lie in memory in order (of *memory_format*)."""
        if args or memory_format is not contiguous_format:
            named = {"memory_format": memory_format}
            _, (memory_format,) = written_parser("Tensor.is_contiguous").parse(args, named)
        if self._sig_ & S.SPARSE_LAYOUTS:
            return self._content_.is_contiguous()
        if memory_format is contiguous_format:
            return self._a_.flags.c_contiguous
        if self._sig_ & S.BATCHED:
            raise RuntimeError(vmap_errors.IS_CONTIGUOUS)
        if memory_format is preserve_format:
            raise RuntimeError("preserve memory format is unsupported by the contiguous operator")
        n = self._a_.ndim
        return n == (4 if memory_format is channels_last else 5) and is_channels_last_contiguous(
            self._a_.shape, self.stride()
        )

    def data_ptr(self) -> int:
        """Address of the first element (0 where there is none, or no memory)."""
        if self._sig_ & (S.META | S.MEMORYLESS | S.FREED):
            if self._sig_ & S.SPARSE_LAYOUTS:
                raise no_data_pointer()
            if self._sig_ & S.BATCHED:
                raise no_data()
            if self._sig_ & S.FREED:
                start: int = self._shared_.storage.data_ptr()
                return start + self.storage_offset() * self._a_.itemsize
            return 0
        flush_current()
        self._settle_()
        if self._sig_ & S.COW:
            self._shared_.storage._separate()
        if self._a_.size == 0:
            return 0
        if self._sig_ & S.ACCELERATORS:
            storage = self._shared_.storage
            return storage.block.data_ptr + self.storage_offset() * self._a_.itemsize
        return address(self._a_)

    def const_data_ptr(self) -> int:
        """The same, for who only reads."""
        if self._sig_ & S.COW and self._sig_ & S.CPU and self._a_.size:
            return address(self._a_)
        return self.data_ptr()

    def untyped_storage(self) -> Any:
        """The bytes under this tensor, shared by all its views."""
        flush_current()  # who gets the memory may change it; the queue reads it before
        if self._sig_ & S.BATCHED:
            raise NotImplementedError("Cannot access storage of BatchedTensorImpl")
        return storage_of(self)

    def _typed_storage(self) -> Any:
        return _typed().TypedStorage(
            wrap_storage=self.untyped_storage(), dtype=self.dtype, _internal=True
        )

    def storage(self) -> Any:
        """The typed storage (deprecated in torch, with torch's warning)."""
        _typed()._warn_typed_storage_removal(stacklevel=level_of_user())
        return self._typed_storage()

    def storage_type(self) -> Any:
        """The class of :meth:`storage`."""
        return self.storage()._get_legacy_storage_class()

    def dim_order(self, *, ambiguity_check: Any = False) -> tuple[int, ...]:
        """The dimensions from the outermost in memory to the innermost.

        Raises RuntimeError where that is not unique and *ambiguity_check* demands it, or, for a
        list of memory formats, where not exactly one of them fits.
        """
        from ..core.dimension_order import dim_order  # few programs come here

        return dim_order(self, ambiguity_check)

    @property
    def name(self) -> None:
        """None: tensors have no names."""
        return None

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating point type."""
        return self.dtype.is_floating_point

    def is_complex(self) -> bool:
        """Whether the dtype is complex."""
        return self.dtype.is_complex

    def is_signed(self) -> bool:
        """Whether the dtype has negative numbers."""
        return self.dtype.is_signed

    def is_conj(self) -> bool:
        """Whether the memory holds the conjugates of the elements."""
        return bool(self._sig_ & S.CONJ)

    def is_neg(self) -> bool:
        """Whether the memory holds the elements with the other sign."""
        return bool(self._sig_ & S.NEG)

    def _is_zerotensor(self) -> bool:
        """Whether this tensor is known to be zero without memory, which none is here.

        ``torch._efficientzerotensor`` makes zeros with memory.
        """
        return False

    def is_inference(self) -> bool:
        """Whether this tensor was made in inference mode."""
        return bool(self._sig_ & S.INFERENCE)

    def is_pinned(self, device: Any = None) -> bool:
        """Whether the memory is page-locked. *device* is deprecated."""
        if seen(self):
            return operator_named("aten::is_pinned")(self)
        if device is not None:
            written_parser("Tensor.is_pinned").parse((device,))
            warn(storage_errors.pin_device_deprecated("is_pinned"), DeprecationWarning)
        storage = self._shared_.storage if self._shared_ is not None else None
        if storage is not None:
            return bool(storage.is_pinned())
        registered = hooks.is_registered
        return registered is not None and bool(self._sig_ & S.CPU) and registered(self.data_ptr())

    def is_shared(self) -> bool:
        """Whether the memory is shared between processes."""
        if self._sig_ & S.SPARSE_LAYOUTS:
            raise self._content_.no_storage()
        storage = self._shared_.storage if self._shared_ is not None else None
        return bool(storage is not None and storage.is_shared())

    def is_distributed(self) -> bool:
        """Whether the tensor lies in several processes: never."""
        return False

    def get_device(self) -> int:
        """Index of the accelerator, -1 on the host."""
        index = self.device.index
        return -1 if index is None else index

    @property
    def is_cpu(self) -> bool:
        """Whether the tensor is in host memory."""
        return bool(self._sig_ & S.CPU)

    @property
    def is_npu(self) -> bool:
        """Whether the tensor is on an NPU."""
        return bool(self._sig_ & S.NPU)

    @property
    def is_meta(self) -> bool:
        """Whether the tensor has shape but no memory."""
        return bool(self._sig_ & S.META)

    @property
    def is_cuda(self) -> bool:
        """Whether the tensor is on an NPU that is called CUDA; there is no other CUDA device."""
        return ACCELERATOR_IS_CUDA and bool(self._sig_ & S.NPU)

    # Each has a function of its own, lest a handler take one for another.
    is_xpu, is_mps, is_mtia = (_never() for _ in range(3))
    is_xla, is_ipu, is_vulkan, is_maia = (_never() for _ in range(4))
    is_mkldnn, is_nested = (_never() for _ in range(2))

    @property
    def is_sparse(self) -> bool:
        """Whether the layout is ``torch.sparse_coo``."""
        return bool(self._sig_ & S.SPARSE)

    @property
    def is_sparse_csr(self) -> bool:
        """Whether the layout is ``torch.sparse_csr``."""
        return bool(self._sig_ & S.SPARSE_CSR) and self._content_.layout is sparse_csr

    @property
    def is_quantized(self) -> bool:
        """Whether the elements are stored as integers that stand for numbers."""
        return bool(self._sig_ & S.QUANTIZED)

    @property
    def _pending(self) -> bool:
        """Whether this belongs to a pipeline that was not flushed since."""
        alias = self._shared_
        if alias is not None and alias.storage is not None:
            return alias.storage.pending is not None
        return bool(self._sig_ & S.PENDING)  # backends.recorder, Note [Tiny operands]

    @property
    def _cdata(self) -> int:
        return id(self)

    @property
    def _version(self) -> int:
        """How often this tensor, or another over the same memory, was changed in place."""
        if self._sig_ & S.INFERENCE and not counts(self):
            raise inference_version()
        return 0 if self._shared_ is None else int(self._shared_.value)
