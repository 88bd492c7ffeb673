"""What is known of a tensor without keeping it."""

from __future__ import annotations

from typing import Any, NamedTuple

from mindtorch_storage import CPU

from ..core import signature as S
from ..core.size import Size
from . import Tensor
from .layout import empty_strides

_tuple_new = tuple.__new__
#: What the facts of a tensor keep of its signature.
_KEPT = S.BACKENDS | S.PYTHON


class AnyDtype:
    """Stands for the dtype of a gradient that may be of any, real or complex as its leaf."""

    def __init__(self, is_complex: bool) -> None:
        self.is_complex = is_complex
        #: As numpy's dtypes have one, by which what was found out is found again.
        self.num = -2 if is_complex else -1


ANY_REAL: Any = AnyDtype(False)
ANY_COMPLEX: Any = AnyDtype(True)


class Facts(NamedTuple):
    """What is known of a tensor without keeping it: for formulas that only ask its shape,
    and for fitting a gradient to the argument it is for."""

    sizes: tuple[int, ...]
    np_dtype: Any
    sig: int
    device: Any
    byte_strides: tuple[int, ...]
    offset: int = -1

    @property
    def shape(self) -> Size:
        """The shape, as of a tensor."""
        return _tuple_new(Size, self.sizes)

    @property
    def dtype(self) -> Any:
        """The dtype, as of a tensor."""
        return S.dtype_of(self.np_dtype)

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    #: Nested tensors are of a class of their own: what is described here is none.
    is_nested_tensor = is_cpp_nested_tensor = False

    @property
    def is_tensor_subclass(self) -> bool:
        """Whether the class of the tensor sees operators."""
        return bool(self.sig & S.PYTHON)

    def dim(self) -> int:
        """The number of dimensions."""
        return len(self.sizes)

    def numel(self) -> int:
        """The number of elements."""
        return self.shape.numel()

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of one dimension."""
        return self.shape if dim is None else self.sizes[dim]

    def stride(self, dim: int | None = None) -> Any:
        """The strides in elements, or one of them."""
        item = self.np_dtype.itemsize
        strides = tuple([s // item for s in self.byte_strides])
        return strides if dim is None else strides[dim]

    def storage_offset(self) -> int:
        """Where the first element lay in the storage; asked for when the facts were taken."""
        return self.offset

    def is_complex(self) -> bool:
        """Whether the dtype is complex."""
        return bool(self.dtype.is_complex)

    def is_floating_point(self) -> bool:
        """Whether the dtype is a floating point type."""
        return bool(self.dtype.is_floating_point)


#: The attributes of a tensor that :class:`Facts` answers too.
FACTS = frozenset(
    ("shape", "dtype", "ndim", "dim", "numel", "size", "stride", "device", "is_complex",
     "is_floating_point", "storage_offset")
)  # fmt: skip


def describe(t: Any, placed: bool = False) -> Facts | None:
    """The facts of a tensor, with its storage offset if *placed*; None for anything else."""
    if not isinstance(t, Tensor):
        return None
    a = t._a_
    sig = t._sig_
    device = CPU if sig & S.CPU else t.device
    strides = a.strides if a.size else empty_strides(a)
    offset = t.storage_offset() if placed else -1
    return _tuple_new(Facts, (a.shape, a.dtype, sig & _KEPT, device, strides, offset))
