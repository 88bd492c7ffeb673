"""``1 - tensor`` and ``1 / tensor``, by the ops of torch's C++ code.

C++ has no op with a number in front: it fills a tensor like the other with the number and goes on
in place. Who watches operators sees that; where nobody does, one op gives the same numbers.

Source: torch aten/src/ATen/TensorOperators.h.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from mindtorch_autograd import grad_mode

from ..core.constants import preserve_format, strided
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import of
from ..core.signature import BATCHED, DUAL

__all__ = [
    "constant_of",
    "differentiated",
    "divided_by",
    "filled_less",
    "holds",
    "less",
    "of_functions",
    "new_zeros_in",
    "recording",
    "watched",
    "zeros_in",
    "zeros_of",
]

grad_state = grad_mode.state.get


#: Whether ``vjp`` or ``grad`` of ``torch.func`` asked for the gradients that are computed.
of_functions: ContextVar[bool] = ContextVar("mindtorch_gradients_of_functions", default=False)


def recording() -> bool:
    """Whether a formula runs in a backward that is recorded itself (``create_graph=True``)."""
    return bool(grad_state() & grad_mode.GRAD_ENABLED)


def differentiated(*tensors: Any) -> bool:
    """Whether a formula has to be of ops that have derivatives of both modes.

    It is recorded; or there are tangents and it is one of ``torch.func``, where torch records in
    any case.
    """
    return recording() or (of_functions.get() and any(t._sig_ & DUAL for t in tensors))


def watched(*tensors: Any) -> bool:
    """Whether a dispatch mode or a class of the tensors sees operators, or one stands for samples.

    Formulas then change nothing in place and read no numbers.
    Source: torch aten/src/ATen/TensorSubclassLikeUtils.h, areAnyTensorSubclassLike.
    """
    sig = tls_state()
    for t in tensors:
        sig |= t._sig_
    return bool(sig & BATCHED) or seen_by_python(sig)


def holds(answer: Any) -> bool:
    """Whether a tensor of one bool is true, by an op that is there where numbers are not read.

    Source: torch aten/src/ATen/TensorSubclassLikeUtils.h, is_scalar_tensor_true.
    """
    true = answer.new_ones((), dtype=answer.dtype, layout=answer.layout, device=answer.device)
    return bool(answer.equal(true))


def filled(tensor: Any, number: Any) -> Any:
    empty = of("empty_like")(tensor, memory_format=preserve_format)
    return of("fill_.Scalar")(empty, number)


def zeros_of(tensor: Any, shape: Any = None) -> Any:
    """Zeros with dtype and device of *tensor*, and its shape where none is given."""
    size = tuple(tensor.shape) if shape is None else shape
    return of("zeros")(size, dtype=tensor.dtype, layout=strided, device=tensor.device)


def zeros_in(tensor: Any) -> Any:
    """``zeros_like`` with all the options of *tensor* given."""
    return of("zeros_like")(tensor, dtype=tensor.dtype, layout=tensor.layout, device=tensor.device)


def new_zeros_in(tensor: Any, shape: Any) -> Any:
    """``tensor.new_zeros(shape)`` with all the options of *tensor* given."""
    return of("new_zeros")(
        tensor, tuple(shape), dtype=tensor.dtype, layout=tensor.layout, device=tensor.device
    )


def constant_of(tensor: Any, number: float) -> Any:
    """*number*, with dtype and device of *tensor* and no dimension."""
    empty = of("empty.memory_format")((), dtype=tensor.dtype, layout=strided, device=tensor.device)
    return of("fill_.Scalar")(empty, number)


def filled_less(number: float, tensor: Any) -> Any:
    """``number - tensor``, always by the ops of C++: for composites, whose nodes tell."""
    return filled(tensor, number).sub_(tensor)


def less(number: float, tensor: Any) -> Any:
    """``number - tensor`` in a formula."""
    return filled(tensor, number).sub_(tensor) if watched(tensor) else number - tensor


def divided_by(number: float, tensor: Any) -> Any:
    """``number / tensor`` in a formula."""
    return filled(tensor, number).div_(tensor) if watched(tensor) else number / tensor
