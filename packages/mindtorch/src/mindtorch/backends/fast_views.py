"""View calls compiled for the common case: numpy's own views, and the base noted at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.dispatch_entry import Call
from ..call.overload import INPLACE, Overload
from ..core import signature as S
from ..tensor import State, base_of, blank
from ..tensor.tensor_impl import alias_of
from ..tensor.view_marks import mark_view
from .window import window

_ndarray = np.ndarray
odd = S.odd
#: Whose windows take more than numpy.
_SPECIAL = S.META | S.LAZY | S.RARE


def fast_view(overload: Overload, sig: int, bit: int | None = None) -> Call | None:
    """``view`` of contiguous memory through numpy's own reshape.

    With *bit* (0, or VIEW in grad mode) the result also learns its base, which is what the
    in-place-or-view key would do around it.
    """
    if sig & (S.STRIDED | S.META | S.LAZY | S.RARE):
        return None
    backend = sig & (S.BACKENDS | S.PENDING) | (bit or 0)
    view = overload.row.view
    assert view is not None
    number = (
        S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
        if (sig & S.DIM_MASK)
        else S.DTYPES[(sig & S.ZERO_MASK).bit_length() - 1 - S.ZERO_SHIFT].np.num
    )
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    marked = bit is not None

    def call(base: Any, size: Any) -> Any:
        a = base._a
        t = blank()
        try:
            # numpy takes any negative number for -1.
            if size and (not size[0] >= -1 <= size[-1] or len(size) > 2 and min(size) < -1):
                raise ValueError
            t._a = a.reshape(size)
        except ValueError:  # in torch's words, or by its rules for sizes of 0
            t._a = a.reshape(view(base, size).shape)
        t._sig = dim_sig if size else zero_sig
        alias = base._shared
        if alias is None:
            alias = alias_of(base)
        t._shared = alias
        t._edge = None
        if not marked:
            t._state = None
        elif base._state is None:
            version = alias.value
            t._state = (base, version, "") if version else base
        else:
            mark_view(t, base, bit)
        return t

    if marked and not sig & S.REQUIRES_GRAD:
        call.plain = dim_sig
    return call


def _pick(a: Any, dim: int, index: int) -> Any:
    if dim < 0:
        dim += a.ndim
    if not 0 <= dim < a.ndim:
        raise IndexError
    return a[(*[slice(None)] * dim, index, ...)]


def fast_select(overload: Overload, sig: int, bit: int) -> Call | None:
    """``t[index]`` along the first dimension."""
    if sig & _SPECIAL or not sig & S.DIM_MASK:
        return None
    backend = sig & (S.BACKENDS | S.PENDING) | bit
    number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    strided = bool(sig & S.STRIDED)
    view = overload.row.view
    assert view is not None

    def call(base: Any, dim: int, index: int) -> Any:
        a = base._a
        t = blank()
        try:
            t._a = b = a[index, ...] if dim == 0 else _pick(a, dim, index)
        except (IndexError, ValueError):  # numpy's AxisError is both
            view(base, dim, index)  # says it in torch's words
            raise
        t._sig = dim_sig if a.ndim > 1 else zero_sig
        if (strided or dim) and a.ndim > 1 and (not b.flags.c_contiguous or odd(b)):
            t._sig |= S.STRIDED
        alias = base._shared
        if alias is None:
            alias = alias_of(base)
        t._shared = alias
        t._edge = None
        if base._state is None:
            version = alias.value
            t._state = (base, version, "") if version else base
        else:
            mark_view(t, base, bit)
        return t

    return call


def fast_expand(overload: Overload, sig: int, bit: int) -> Call | None:
    """``expand`` of a 0-d tensor, which is how the gradient of a full sum begins."""
    if sig & (S.META | S.LAZY | S.DIM_MASK | S.RARE):
        return None
    backend = sig & (S.BACKENDS | S.PENDING) | bit
    number = S.DTYPES[(sig & S.ZERO_MASK).bit_length() - 1 - S.ZERO_SHIFT].np.num
    dim_sig = S.DIM_SIG[number] | backend
    view = overload.row.view
    assert view is not None
    #: size -> byte strides and signature of the result, for sizes that are met again and again.
    plain: dict[tuple[int, ...], tuple[tuple[int, ...], int]] = {}

    def learn(size: tuple[int, ...]) -> tuple[tuple[int, ...], int] | None:
        if not size or min(size) < 1:
            return None
        found = (0,) * len(size), dim_sig | S.STRIDED
        if len(plain) < 256:
            plain[size] = found
        return found

    def call(base: Any, size: Any, implicit: bool = False) -> Any:
        a = base._a
        size = tuple(size)
        known = plain.get(size) or learn(size)
        if known is None or a.base is not None:
            t = window(base, view(base, size, implicit))
            mark_view(t, base, bit)
            return t
        t = blank()
        strides, t._sig = known
        t._a = _ndarray(size, a.dtype, a, 0, strides)
        alias = base._shared
        if alias is None:
            alias = alias_of(base)
        t._shared = alias
        t._edge = None
        if base._state is None:
            version = alias.value
            t._state = (base, version, "") if version else base
        else:
            mark_view(t, base, bit)
        return t

    return call


def fast_unbind(overload: Overload, sig: int, bit: int) -> Call | None:
    """``unbind``: numpy's own indexing makes the same windows."""
    if sig & _SPECIAL or not sig & S.DIM_MASK:
        return None
    backend = sig & (S.BACKENDS | S.PENDING)
    number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
    dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
    view = overload.row.view
    assert view is not None
    creation = "" if bit & S.NO_GRAD_VIEW else "multi"

    def call(base: Any, dim: int = 0) -> Any:
        a = base._a
        n = a.ndim
        if not -n <= dim < n:
            view(base, dim)  # says it in torch's words
        if not a.size:  # numpy does not move through an array without elements
            windows = tuple([window(base, spec) for spec in view(base, dim)])
            for t in windows:
                mark_view(t, base, bit, creation)
            return windows
        dim %= n
        alias = base._shared
        if alias is None:
            alias = alias_of(base)
        root, made_as = base_of(base), creation
        if root is None:
            root = base
        else:
            known = base._state
            kind = type(known)
            before = known.creation if kind is State else known[2] if kind is tuple else ""
            if before == "inference":
                made_as = before
        state = (root, alias.value, made_as)
        if n == 1:
            parts: Any = [a[i, ...] for i in range(a.shape[0])]
            part_sig = zero_sig | bit
        else:  # moving through an array is quicker than asking for one part after the other
            parts = a if dim == 0 else a.transpose((dim, *range(dim), *range(dim + 1, n)))
            whole = parts[0].flags.c_contiguous and not odd(parts[0])
            part_sig = (dim_sig if whole else dim_sig | S.STRIDED) | bit
        made = []
        for b in parts:
            t = blank()
            t._a = b
            t._sig = part_sig
            t._shared = alias
            t._edge = None
            t._state = state
            made.append(t)
        return tuple(made)

    return call


def through_numpy(look: Callable[..., Any]) -> Callable[[Overload, int, int], Call | None]:
    """A view that numpy makes with torch's strides.

    *look* takes the array and the op's other arguments. Where it raises an error of numpy's or
    answers with None, the row's own rule makes the view, or says why not in torch's words.
    """

    def fast(overload: Overload, sig: int, bit: int) -> Call | None:
        if overload.kind == INPLACE or sig & _SPECIAL or not sig & S.DIM_MASK:
            return None
        backend = sig & (S.BACKENDS | S.PENDING)
        number = S.DTYPES[(sig & S.DIM_MASK).bit_length() - 1 - S.DIM_SHIFT].np.num
        dim_sig, zero_sig = S.DIM_SIG[number] | backend, S.ZERO_SIG[number] | backend
        view = overload.row.view
        assert view is not None

        def call(base: Any, *rest: Any) -> Any:
            a = base._a
            try:
                b = look(a, *rest)
            except (ValueError, IndexError, TypeError):
                b = None
            if b is None or not b.size:  # numpy's strides say nothing where there is no element
                t = window(base, view(base, *rest))
                mark_view(t, base, bit)
                return t
            t = blank()
            t._a = b
            if not b.ndim:
                t._sig = zero_sig
            else:
                t._sig = dim_sig if b.flags.c_contiguous and not odd(b) else dim_sig | S.STRIDED
            alias = base._shared
            if alias is None:
                alias = alias_of(base)
            t._shared = alias
            t._edge = t._state = None
            mark_view(t, base, bit)
            return t

        return call

    return fast


def transposed(a: Any) -> Any:
    return a.T if a.ndim == 2 else None


def unsqueezed(a: Any, dim: int) -> Any:
    if not a.flags.c_contiguous or odd(a):
        return None  # numpy would give the dimension no stride, or the wrong one
    n = a.ndim + 1
    if not -n <= dim < n:
        return None
    dim %= n
    shape = a.shape
    return a.reshape((*shape[:dim], 1, *shape[dim:]))


def squeezed(a: Any, dim: int) -> Any:
    return a.squeeze(dim) if a.shape[dim] == 1 else a[...]


def sliced(
    a: Any, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1
) -> Any:
    if step < 1:
        return None
    if dim < 0:
        dim += a.ndim
    if not 0 <= dim < a.ndim:
        return None
    return a[(*(_WHOLE,) * dim, slice(start, end, step))]


_WHOLE = slice(None)
