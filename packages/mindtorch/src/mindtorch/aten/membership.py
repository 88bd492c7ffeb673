"""``isin``: which elements are among others.

Source: torch aten/src/ATen/native/TensorCompare.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_
from mindtorch_storage.layout import contiguous_strides

from ..call.elementwise_meta import (
    BOOL,
    COMPLEX,
    FLOATING,
    INTEGRAL,
    UNSIGNED,
    common_dtype,
    dtype_of,
    refuse,
)
from ..call.forms import OutForm
from ..call.row import Out, op
from ..tensor.resizing import resize_out

__all__: list[str] = []


_UNSUPPORTED = frozenset({"bool", "complex64", "complex128"})
_SEARCHED = (FLOATING | INTEGRAL) - UNSIGNED
#: Of numbers or of rare floats: all others hold only bytes.
_READ = FLOATING | INTEGRAL | COMPLEX | BOOL


def _refuse_search(dtype: Any, tests: Any) -> None:
    refuse(dtype, {"isin_default_cpu": frozenset({dtype.name}) - _SEARCHED}, tests)


def _refuse_bytes(x: Any) -> None:
    """A number cannot be compared with what holds only bytes."""
    dtype = x.dtype
    if not dtype.is_floating_point:
        refuse(dtype, {"copy_": frozenset({dtype.name}) - _READ}, x)


def _meta(shape_of: Any) -> Any:
    def meta(elements: Any, tests: Any, assume_unique: bool, invert: bool) -> Out:
        for x in (elements, tests):
            dtype = dtype_of(x)
            if dtype.name in _UNSUPPORTED:
                raise RuntimeError(
                    f"Unsupported input type encountered for isin(): {dtype.scalar_type}"
                )
        return shape_of(elements, tests)

    return meta


def _contiguous(shape: Any) -> Out:
    """Contiguous, whatever the elements are: said outright, for the row promotes."""
    return Out(tuple(shape), bool_, contiguous_strides(tuple(shape)))


def _of_elements(elements: Any, tests: Any) -> Out:
    _refuse_search(common_dtype(elements, tests), elements)
    return _contiguous(elements.shape)


def _of_number(number: Any, tests: Any) -> Out:
    _refuse_bytes(tests)
    _refuse_search(tests.dtype, tests)
    return Out((), bool_)


def _with_number(elements: Any, number: Any) -> Out:
    _refuse_bytes(elements)
    return _contiguous(elements.shape)


def _number_onto(target: Any, *args: Any) -> Out:
    """torch gives the target no elements first, and warns of that."""
    out = _meta(_of_number)(*args)
    if target.dtype is bool_ and target.device == args[1].device:
        resize_out(target, Out((0,), bool_))
    return out


#: So many pairs are compared outright.
_FEW = 4096


def _prepare_among(
    elements: Any, tests: Any, assume_unique: bool, invert: bool
) -> Callable[..., Any]:
    if elements.size * tests.size > _FEW:
        return lambda elements, tests, *_: np.isin(elements, tests, invert=invert)
    shape, empty, truth = elements.shape, np.empty, np.dtype(bool)
    compare = np.not_equal if invert else np.equal
    reduce = (np.logical_and if invert else np.logical_or).reduce
    column, row = (*shape, 1), tests.size

    def kernel(elements: Any, tests: Any, *_: Any) -> Any:
        pairs = compare(elements.reshape(column), tests.reshape(row))
        return reduce(pairs, -1, None, empty(shape, truth))

    return kernel


def _prepare_equals(
    elements: Any, number: Any, assume_unique: bool, invert: bool
) -> Callable[..., Any]:
    shape, dtype, empty, truth = elements.shape, elements.dtype, np.empty, np.dtype(bool)
    whole = dtype.kind in "iu"  # the number may be none of the dtype's
    if whole:
        dtype = np.dtype(np.int64 if isinstance(number, int) else np.float32)
    compare, number = np.not_equal if invert else np.equal, np.asarray(number).astype(dtype)
    if whole and elements.dtype != dtype:
        return lambda elements, *_: compare(elements.astype(dtype), number, empty(shape, truth))
    return lambda elements, *_: compare(elements, number, empty(shape, truth))


def _prepare_holds(
    number: Any, tests: Any, assume_unique: bool, invert: bool
) -> Callable[..., Any]:
    equals, count, array = _prepare_equals(tests, number, False, False), np.count_nonzero, np.array
    return lambda _, tests, *rest: array((count(equals(tests)) > 0) != invert)


for _overload, _arguments, _shape, _prepare, _promote, _text in (
    (
        "Tensor_Tensor",
        "Tensor elements, Tensor test_elements",
        _of_elements,
        _prepare_among,
        "bool",
        "Expected out tensor to have dtype {c_result}, but got {c_out} instead",
    ),
    (
        "Tensor_Scalar",
        "Tensor elements, Scalar test_element",
        _with_number,
        _prepare_equals,
        None,
        "",
    ),
    (
        "Scalar_Tensor",
        "Scalar element, Tensor test_elements",
        _of_number,
        _prepare_holds,
        None,
        "",
    ),
):
    op(
        f"isin.{_overload}({_arguments}, *, bool assume_unique=False, bool invert=False) -> Tensor",
        says="""Return whether each element is among the test elements.
        The result is bool and has the shape of the elements.

        >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 4]))
        tensor([False,  True, False])
        """,
        meta=_meta(_shape),
        prepare=_prepare,
        promote=_promote,
        variants="function",
        out=OutForm(f"{_overload}_out", text=_text),
        out_meta=_number_onto if _overload == "Scalar_Tensor" else None,
        samples=f"isin_{_overload.lower()}",
        batch="whole_loop",  # each sample has tests of its own
        tags=("loops: functional",),
    )
