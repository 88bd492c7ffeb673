"""What the results of an op look like: shape, dtype and strides, before any kernel has run.

The row's meta says it. For a pointwise op the elementwise rule (TensorIterator's: operands
broadcast, are promoted, and keep the order of their dimensions) says the same for less, so it
stands for a meta that has agreed with it.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, NamedTuple

import mindtorch_storage as st
from mindtorch_storage import bool as bool_dtype
from mindtorch_storage import get_default_dtype, result_type
from mindtorch_storage.layout import broadcast_shapes

from ..call.arguments import wrapped_number
from ..call.elementwise_meta import elementwise_strides
from ..call.overload import Overload
from ..call.row import Out, Row
from ..core import signature as S
from ..tensor import Tensor

__all__ = ["Promotion", "ResultMeta", "promotion"]

#: So many values of other arguments are remembered per signature.
_TRUSTED: Final = 256
_MISSING: Any = object()
_new = tuple.__new__


class Promotion(NamedTuple):
    """The dtype that operands are computed in, and that of the result; None: the meta says it."""

    compute: Any
    result: Any


_NONE: Final = Promotion(None, None)


def promotion(row: Row, sig: int) -> Promotion:
    """The dtypes of a row's call by torch's promotion over the operands of *sig*."""
    kind = row.promote
    if kind is None or not sig & S.PROMOTION:
        return _NONE
    common = _common(sig)
    if kind == "float" and not (common.is_floating_point or common.is_complex):
        common = get_default_dtype()
    return Promotion(common, bool_dtype if kind == "bool" else common)


def _common(sig: int) -> Any:
    """The dtype in which the tensors and numbers of *sig* meet (torch's ``result_type``)."""
    operands = [(d, False, False) for d in S.dtypes_in(sig, S.DIM_SHIFT)]
    operands += [(d, True, False) for d in S.dtypes_in(sig, S.ZERO_SHIFT)]
    if sig & S.NUMBER_BOOL:
        operands.append((st.bool, True, True))
    if sig & S.NUMBER_INT:
        operands.append((st.int64, True, True))
    if sig & S.NUMBER_FLOAT:
        operands.append((get_default_dtype(), True, True))
    if sig & S.NUMBER_COMPLEX:
        operands.append((get_default_dtype().to_complex(), True, True))
    return result_type(operands)


class ResultMeta:
    """The meta of *overload* for calls of signature *sig*, whose operands are at *positions*.

    :ivar pointwise: whether the operands are a pointwise op's and come first.
    """

    __slots__ = (
        "_compute",
        "_lead",
        "_n_inputs",
        "_numbers",
        "_positions",
        "_result",
        "_row",
        "_ruled",
        "_says_odd",
        "_sig_",
        "_strided",
        "_trusted",
        "pointwise",
    )

    def __init__(
        self, overload: Overload, sig: int, positions: list[int], n_inputs: int, found: Promotion
    ) -> None:
        row = self._row = overload.row
        self._sig_, self._positions, self._n_inputs = sig, positions, n_inputs
        self._result = found.result
        #: torch's host casts operands before it looks at their layout.
        self._compute = found.compute if sig & S.CPU else None
        self._strided = bool(sig & S.STRIDED)
        #: torch makes numbers tensors, which have a say in the layout; ``lerp`` only takes one.
        self._numbers = bool(sig & S.NUMBERS) or row.name.endswith(".Scalar") and row.base != "lerp"
        #: By values of the other arguments with which the row's meta was asked twice, and agreed
        #: with the elementwise rule, the dtype: for a pointwise op it need not be asked again.
        self._trusted: dict[Any, Any] = {}
        lead = self._lead = len(positions)
        self.pointwise = (
            "pointwise" in row.tags
            and positions == list(range(lead))
            and all([a.real_type.text == "Tensor" for a in overload.schema.arguments[:lead]])
        )
        # The signature does not say which of three operands has which dtype.
        plain = lead < 3 or _dtype_count(sig) < 2
        #: Whether the elementwise rule may stand for the row's meta once the two agreed.
        self._ruled = self.pointwise and plain and not self._strided
        #: Whether numbers beside a size of 1 may give it a stride of their own.
        self._says_odd = self._numbers or row.promote is None

    def outs(self, args: tuple[Any, ...]) -> Any:
        """``Out`` of each result: from the row's meta, else by the elementwise rule.

        None where only the kernel knows, because the shape depends on data.
        """
        row = self._row
        if row.meta is None:
            return None if row.promote is None else self.elementwise(args)
        extras, dtype = self._remembered(args)
        if dtype is not None and dtype is not _MISSING:
            with suppress(RuntimeError):  # sizes that do not fit: the row says it in its words
                return self.elementwise(args, dtype)
        seen = list(args[: self._n_inputs])
        if row.promote is None:
            for i in self._positions:
                if seen[i] is not None and not isinstance(seen[i], Tensor):
                    seen[i] = wrapped_number(seen[i])
        out = row.meta(*seen)
        if isinstance(out, Out):
            if row.promote is not None and self._strided and out.strides is None:
                out = Out(out.shape, out.dtype, self._strides(tuple(out.shape), args))
            if extras is not None and len(self._trusted) < _TRUSTED:
                if dtype is _MISSING:
                    self._trusted[extras] = None  # what is called once is not compared
                elif dtype is None and out == self.elementwise(args, out.dtype):
                    self._trusted[extras] = out.dtype
        return out

    def _remembered(self, args: tuple[Any, ...]) -> tuple[Any, Any]:
        """The key of arguments in ``_trusted``, and what stands there; None where nothing may."""
        if not self._ruled or self._says_odd and self._has_odd_sizes(args):
            return None, None
        extras = args[self._lead : self._n_inputs]
        if self._sig_ & S.NUMBERS:
            extras = (*[a for a in args[: self._lead] if not isinstance(a, Tensor)], *extras)
        if extras:
            extras = (*extras, *map(type, extras))  # True equals 1, and 1 equals 1.0
        try:
            return extras, self._trusted.get(extras, _MISSING)
        except TypeError:  # not hashable
            return None, None

    @property
    def follows_rule(self) -> bool:
        """Whether :meth:`dtype_by_rule` may know the dtype of a result that is contiguous."""
        if self._strided:
            return False
        return self._ruled if self._row.meta is not None else self._result is not None

    def dtype_by_rule(self, args: tuple[Any, ...]) -> Any:
        """The dtype of a result that is all that broadcasting gives; None: the meta says what."""
        if self._row.meta is None:
            return self._result
        dtype = self._remembered(args)[1]
        return None if dtype is _MISSING else dtype

    def _has_odd_sizes(self, args: tuple[Any, ...]) -> bool:
        """Whether a tensor has a size of 1."""
        return any(1 in args[i]._a_.shape for i in self._positions if isinstance(args[i], Tensor))

    def elementwise(self, args: tuple[Any, ...], dtype: Any = None) -> Out:
        """The result of a pointwise op, whatever its meta says; *dtype*: where it says that."""
        shapes = [args[i]._a_.shape for i in self._positions if isinstance(args[i], Tensor)]
        shape = shapes[0] if shapes else ()  # there may be numbers alone
        if shapes.count(shape) != len(shapes):
            shape = broadcast_shapes(*shapes)
        strides = self._strides(shape, args) if self._strided else None
        # What a call of the class does, in half the time.
        return _new(Out, (shape, dtype or self._result, strides))

    def _strides(self, shape: tuple[int, ...], args: tuple[Any, ...]) -> Any:
        operands = [args[i] for i in self._positions if isinstance(args[i], Tensor)]
        return elementwise_strides(
            shape, [*operands, 0] if self._numbers else operands, self._compute
        )


def _dtype_count(sig: int) -> int:
    """How many dtypes the operands of a call have."""
    return len({*S.dtypes_in(sig, S.DIM_SHIFT), *S.dtypes_in(sig, S.ZERO_SHIFT)})
