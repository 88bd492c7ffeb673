"""Tensors that answer for their own shape, device or layout: through ``__torch_dispatch__``.

``_make_wrapper_subclass(…, dispatch_sizes_strides_policy="sizes")`` makes one. Who asks such a
tensor for its shape asks its class, by an operator; None as an answer means what the tensor itself
would say. The methods look for a policy only once there is a tensor with one (see ``points``).

Source: c10/core/TensorImpl.h, SizesStridesPolicy; torch/csrc/PyInterpreter.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import ACCELERATOR
from mindtorch_storage.device import CUDA
from mindtorch_storage.layout import wrap_dim

from ..core import signature as S
from ..core.constants import contiguous_format
from ..core.late_bound import LateBound
from ..core.operators import operator_named
from ..core.size import Size

__all__ = ["ANSWERS", "bits_of", "device_of", "lies_so"]

hand_over = LateBound("hand_over")

_SIZES_STRIDES = {"strides": S.ASKS_STRIDES, "sizes": S.ASKS_STRIDES | S.ASKS_SIZES}


def bits_of(
    name: str, sizes_strides: Any = None, device: bool = False, layout: bool = False
) -> int:
    """The bits of a signature for the policies that a tensor is made with.

    Raises TypeError or ValueError for a word that is none, on behalf of function *name*.
    """
    bits = 0
    if sizes_strides is not None:
        if not isinstance(sizes_strides, str):
            raise TypeError(
                f"{name}: argument 'dispatch_sizes_strides_policy' must be str, not "
                f"{type(sizes_strides).__name__}"
            )
        if sizes_strides not in _SIZES_STRIDES:
            raise ValueError(
                f"Unknown sizes_strides_policy: {sizes_strides}; expected 'strides' or 'sizes'"
            )
        bits = _SIZES_STRIDES[sizes_strides]
    for what, flag in (("dispatch_device", device), ("dispatch_layout", layout)):
        if not isinstance(flag, bool):
            raise TypeError(f"{name}: argument '{what}' must be bool, not {type(flag).__name__}")
    return bits | device * S.ASKS_DEVICE | layout * S.ASKS_LAYOUT


def ask(t: Any, name: str, *args: Any) -> Any:
    """The answer of the class of *t* to a question; None if it leaves it to the tensor."""
    func = operator_named(name)
    return hand_over(
        func, (t, *args), {}, f"torch.ops.{name.replace('::', '.').split('.')[0]}.{func._opname}"
    )


Answer = Callable[..., Any]


def _simple(question: str) -> Answer:
    def answer(plain: Answer, t: Any) -> Any:
        got = ask(t, question)
        return plain(t) if got is None else got

    return answer


def _required(question: str, text: str) -> Answer:
    """An answer that cannot be left to the tensor; *text* is torch's, for None."""

    def answer(plain: Answer, t: Any) -> Any:
        got = ask(t, question)
        if got is None:
            raise RuntimeError(text)
        return got

    return answer


_dim = _required("aten::dim", "dim returned invalid type NoneType, expected int")
_device = _required("prim::device", "unpackString: expected bytes or unicode object")
_layout = _required("prim::layout", "layout returned invalid type NoneType, expected Layout")


def lies_so(t: Any, question: str, plain: Callable[..., bool], *args: Any) -> Any:
    """Whether *t* lies as *question* asks: what its class says, or *plain* of the tensor."""
    got = ask(t, question, *args) if t._sig_ & S.ASKS_STRIDES else None
    return plain(t, *args) if got is None else got


def device_of(t: Any) -> Any:
    """The device of *t* as users are told of it."""
    return _device(t, t) if t._sig_ & S.ASKS_DEVICE else t.device


def _shape(plain: Answer, t: Any) -> Any:
    got = ask(t, "aten::sym_size")
    return plain(t) if got is None else Size(got)


def _size(plain: Answer, t: Any, dim: Any = None) -> Any:
    if dim is None:
        return _shape(plain, t)
    at = wrap_dim(dim, _dim(plain, t), False)
    return _shape(plain, t)[at]


def _stride(plain: Answer, t: Any, dim: Any = None) -> Any:
    got = ask(t, "aten::sym_stride")
    if got is None:
        return plain(t, dim)
    return tuple(got) if dim is None else got[dim]


def _contiguous(plain: Answer, t: Any, *args: Any, memory_format: Any = contiguous_format) -> Any:
    if args:
        return plain(t, *args)  # which refuses them
    if memory_format is contiguous_format:
        got = ask(t, "aten::is_contiguous")
    else:
        got = ask(t, "aten::is_contiguous.memory_format", memory_format)
    return plain(t, memory_format=memory_format) if got is None else got


def _length(plain: Answer, t: Any) -> Any:
    if _dim(plain, t) == 0:
        raise TypeError("len() of a 0-d tensor")
    got = ask(t, "aten::sym_size")
    return plain(t) if got is None else got[0]


def _nbytes(plain: Answer, t: Any) -> Any:
    got = ask(t, "aten::numel")
    return plain(t) if got is None else got * t._a_.itemsize


def _on(kind: str) -> Answer:
    return lambda plain, t: _device(plain, t).type == kind


def _index(plain: Answer, t: Any) -> Any:
    index = _device(plain, t).index
    return -1 if index is None else index


_NUMEL = _simple("aten::sym_numel")
#: Method or property -> the bit of tensors that are asked, and ``answer(plain, tensor, *args)``.
ANSWERS: dict[str, tuple[int, Answer]] = {
    "__len__": (S.ASKS_SIZES, _length),
    "device": (S.ASKS_DEVICE, _device),
    "dim": (S.ASKS_SIZES, _dim),
    "get_device": (S.ASKS_DEVICE, _index),
    "is_contiguous": (S.ASKS_STRIDES, _contiguous),
    "is_cpu": (S.ASKS_DEVICE, _on("cpu")),
    "is_cuda": (S.ASKS_DEVICE, _on(CUDA)),
    "is_meta": (S.ASKS_DEVICE, _on("meta")),
    "is_npu": (S.ASKS_DEVICE, _on(ACCELERATOR)),
    "layout": (S.ASKS_LAYOUT, _layout),
    "nbytes": (S.ASKS_SIZES, _nbytes),
    "ndim": (S.ASKS_SIZES, _dim),
    "ndimension": (S.ASKS_SIZES, _dim),
    "nelement": (S.ASKS_SIZES, _NUMEL),
    "numel": (S.ASKS_SIZES, _NUMEL),
    "shape": (S.ASKS_SIZES, _shape),
    "size": (S.ASKS_SIZES, _size),
    "storage_offset": (S.ASKS_SIZES, _simple("aten::sym_storage_offset")),
    "stride": (S.ASKS_STRIDES, _stride),
}
