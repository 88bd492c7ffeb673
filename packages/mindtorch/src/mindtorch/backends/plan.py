"""How a row's kernel is run for one signature, on any backend.

:class:`Plan` is worked out once per signature: the dtype to compute in, how each argument becomes
what the kernel takes, what the results look like. A backend then decides *where the results
live and when the kernel runs*; it knows nothing of ops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import can_cast, complex32
from mindtorch_storage.layout import broadcast_shapes

from ..call.arguments import wrapped_number
from ..call.code import function
from ..call.overload import Overload
from ..call.row import Out
from ..core import signature as S
from ..core.errors import bad_in_place, c_type_name, cannot_cast, cannot_cast_to, in_place_shape
from ..core.half_precision import as_dtype, by_numpy, widened
from ..tensor import Tensor
from ..tensor.array_memory import empty_array
from ..tensor.construction import wrap
from .dtype_support import is_scarce, scarce_kernel, scarce_result
from .half_blocks import of_many_halves
from .number_arrays import number_array
from .result_meta import ResultMeta, promotion
from .unseen_numbers import looks_at_none, scalar_places
from .written_memory import in_place

_HALF = ("float16", "bfloat16", "complex32")
#: What they are computed in.
_WIDE, _WIDE_COMPLEX = np.dtype(np.float32), np.dtype(np.complex64)
_MISSING: Any = object()
_ndarray = np.ndarray


class Plan:
    """The kernel of *overload* for signature *sig*. See the module docstring."""

    __slots__ = (
        "_numbers_dtype",
        "_runner",
        "_scalars",
        "_takes_arrays",
        "asked_dtype",
        "compute",
        "kernel",
        "lists",
        "meta",
        "n_inputs",
        "overload",
        "positions",
        "refuses",
        "result",
        "row",
        "sig",
        "widen",
        "writes",
    )

    def __init__(self, overload: Overload, sig: int) -> None:
        overload.analyse()
        self.overload = overload
        row = self.row = overload.row
        self.sig = sig
        # What is asked for each layout, worked out when it is first asked.
        self._scalars: tuple[int, ...] | None = None
        self._runner: Callable[..., Any] | None = None
        self._takes_arrays: bool | None = None
        self._numbers_dtype: Any = _MISSING
        outs = overload.out_positions
        self.n_inputs = overload.arity - len(outs)
        self.positions = [i for i in overload.tensor_positions if i not in outs]
        self.lists = overload.list_positions
        found = promotion(row, sig)
        self.compute, self.result = found
        self.meta = ResultMeta(overload, sig, self.positions, self.n_inputs, found)
        self.widen = False
        if self.compute is not None:
            self.widen = bool(row.half) and self.compute.name in _HALF
        elif row.promote is None and row.half:
            self.widen = any(
                d.name in _HALF
                for shift in (S.DIM_SHIFT, S.ZERO_SHIFT)
                for d in S.dtypes_in(sig, shift)
            )
        #: Raises for arguments that the kernel does not take, once all else is checked; see ``op``.
        self.refuses = None if sig & S.META else row.refuses
        kernel = row.kernel
        if kernel is None and row.ufunc is not None:
            kernel = _of_operands(row.ufunc, self.positions, self.n_inputs)

        #: Where the result's dtype stands, of which the kernel is asked for more than of others.
        self.asked_dtype = -1
        if sig & S.SCARCE or self.compute is complex32:
            kernel = scarce_kernel(self, kernel)
        elif "ScalarType" in overload.schema_text:
            asked, kernel = kernel, scarce_result(self, kernel)
            if kernel is not asked and asked is row.kernel:
                self.asked_dtype = overload.names.index("dtype")
        self.kernel = kernel
        #: Whether the kernel may change its first argument where that lies.
        self.writes = overload.mutable_position == 0 and row.inplace_form.writes

    # -- what the results look like --------------------------------------------------------

    def asker(self) -> Callable[..., Any]:
        """``meta.outs``, with what the kernel refuses behind it: for results of their own."""
        if self.refuses is not None:
            return self._outs_or_refusal
        row, meta = self.row, self.meta
        return meta.elementwise if row.meta is None and row.promote is not None else meta.outs

    def _outs_or_refusal(self, args: tuple[Any, ...]) -> Any:
        out = self.meta.outs(args)
        self.refuse(args)
        return out

    def refuse(self, args: tuple[Any, ...]) -> None:
        """Raise torch's error if the kernel does not take *args*."""
        if self.refuses is not None:
            self.refuses(*args[: self.n_inputs])

    def has_layouts(self) -> bool:
        """Whether the layout of arguments decides what results look like: numbers do not count."""
        row = self.row
        if row.meta is row.promote is row.infer is None:
            return False
        if self.sig & S.NUMBERS and row.promote is None:
            return False
        if row.random and self.sig & S.NPU:
            arguments = self.overload.schema.arguments
            # Drawn on a device.
            return not any("Generator" in str(a.type) for a in arguments)
        return True

    # -- running the kernel ----------------------------------------------------------------

    def runner(self) -> Callable[..., Any]:
        """A function from a kernel to ``compute_arrays(arrays(args))`` in one call.

        Where no number stands for a tensor, arrays go straight to the kernel if none is cast.
        """
        if self._runner is None:
            self._runner = self._made_runner()
        return self._runner

    def _made_runner(self) -> Callable[..., Any]:
        compute, arrays = self.compute_arrays, self.arrays
        if not self.takes_arrays:
            return lambda kernel: lambda *args: compute(arrays(args), kernel)
        if not self.positions and not self.lists:
            return lambda kernel: kernel
        parts = [f"a{i}" for i in range(self.overload.arity)]
        for i in self.positions:
            parts[i] = f"None if a{i} is None else a{i}._a_"
        for i in self.lists:
            parts[i] = f"None if a{i} is None else [None if t is None else t._a_ for t in a{i}]"
        names = ", ".join([f"a{i}" for i in range(self.overload.arity)])
        text = f"return lambda kernel: lambda {names}: kernel({', '.join(parts)})"
        found: Callable[..., Any] = function(text, {})
        return found

    def casting(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """*kernel* of arrays of any dtype, and numbers in place of tensors: they are cast first."""
        cast = self.cast
        return lambda *values: kernel(*cast(list(values)))

    def preparer(self) -> Callable[[tuple[Any, ...]], Callable[..., Any]]:
        """A function from arguments to what computes on those of their layout, tensors given."""
        run_by, arrays = self.runner(), self.arrays

        def prepare(args: tuple[Any, ...]) -> Callable[..., Any]:
            halves = of_many_halves(self, args)
            if halves is not None:
                return lambda *args: halves(*arrays(args))
            return run_by(self.kernel_for(args))

        return prepare

    def kernel_for(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The kernel, prepared for arguments of the layout of *args*."""
        return self.prepared(self.cast(self.arrays(args)), args)

    def prepared(self, values: list[Any], args: tuple[Any, ...]) -> Callable[..., Any]:
        """The same for arrays like those in *values*, which are cast."""
        kernel, row = self.kernel, self.row
        if self.asked_dtype >= 0 and not is_scarce(args[self.asked_dtype]):
            kernel = row.kernel  # what is asked for is nothing to refuse or to warn of
        if row.prepare is not None and kernel is row.kernel:
            kernel = row.prepare(*values)
        return in_place(kernel) if self.writes else kernel

    def kernel_of_any(self, args: tuple[Any, ...]) -> Callable[..., Any]:
        """The same, which casts arrays, and numbers in place of them, itself."""
        return of_many_halves(self, args) or self.casting(self.kernel_for(args))

    def kernel_takes_any_number(self, args: tuple[Any, ...]) -> bool:
        """Whether the kernel for *args* is that for all numbers in place of their Scalars."""
        if not self.scalars:
            return True
        row = self.row
        if row.prepare is None:
            return True  # it is given them in each call
        asked = self.asked_dtype >= 0 and not is_scarce(args[self.asked_dtype])
        if row.random or not asked and self.kernel is not row.kernel:
            return False
        return looks_at_none(row.prepare, self.cast(self.arrays(args)), self.scalars)

    @property
    def scalars(self) -> tuple[int, ...]:
        """Where the overload takes a Scalar that is no operand."""
        if self._scalars is None:
            operands = self.positions
            self._scalars = tuple([i for i in scalar_places(self.overload) if i not in operands])
        return self._scalars

    def ufunc_for(self, args: tuple[Any, ...]) -> Any:
        """The ufunc of the tensors that is all of the kernel for *args*, or None."""
        row = self.row
        if type(row.ufunc) is not np.ufunc or self.sig & S.SCARCE:
            return None
        if not self.takes_arrays and self.numbers_dtype is None and not self._takes_halves:
            return None
        if self.compute is not None and self.compute.name in _HALF:
            given = [args[i]._a_ for i in self.positions if isinstance(args[i], Tensor)]
            if (self.widen or row.kernel is not None) and not by_numpy(row.ufunc, given):
                return None
        if "ufunc of reals" in row.tags and (self.compute is None or self.compute.is_complex):
            return None
        if row.kernel is not None:  # which does what the other arguments ask for
            for i, default in enumerate(self.overload.defaults[: self.n_inputs]):
                if i not in self.positions and (
                    type(args[i]) is not type(default) or args[i] != default
                ):
                    return None
        return row.ufunc

    @property
    def numbers_dtype(self) -> Any:
        """What numbers in place of tensors become for a kernel that takes the others as they are.

        None where there are no numbers, or the others are cast.
        """
        if self._numbers_dtype is _MISSING:
            plain = not self.widen and not self.sig & S.SCARCE
            alike = plain and self.sig & S.NUMBERS and self._computes_in_its_dtype()
            self._numbers_dtype = self.compute.np if alike else None
        return self._numbers_dtype

    @property
    def takes_arrays(self) -> bool:
        """Whether the arrays of tensors go to the kernel as they are: none is cast."""
        if self._takes_arrays is None:
            numbers = self.sig & (S.NUMBERS | S.SCARCE) or self.overload.out_positions
            asked = self.compute is None or self._computes_in_its_dtype()
            self._takes_arrays = asked and not self.widen and not numbers
        return self._takes_arrays

    @property
    def _takes_halves(self) -> bool:
        """Whether a ufunc of half types could take arrays that the kernel gets in float32."""
        others = self.sig & (S.NUMBERS | S.SCARCE) or self.overload.out_positions
        return self.widen and not others and self._computes_in_its_dtype()

    def _computes_in_its_dtype(self) -> bool:
        """Whether all tensors have the dtype that the kernel computes in."""
        dtypes = {*S.dtypes_in(self.sig, S.DIM_SHIFT), *S.dtypes_in(self.sig, S.ZERO_SHIFT)}
        return dtypes == {self.compute}

    def arrays(self, args: tuple[Any, ...]) -> list[Any]:
        """The arguments with ndarrays in place of tensors (their final memory, not yet read)."""
        values = list(args[: self.n_inputs])
        for i in self.positions:
            t = values[i]
            if isinstance(t, Tensor):
                values[i] = t._a_
        for i in self.lists:
            if values[i] is not None:
                values[i] = [None if t is None else t._a_ for t in values[i]]
        return values

    def compute_arrays(self, values: list[Any], kernel: Any = None) -> Any:
        """Cast, run the kernel; the result as it comes."""
        if kernel is None:
            kernel = in_place(self.kernel) if self.writes else self.kernel
        return kernel(*self.cast(values))

    def cast(self, values: list[Any]) -> list[Any]:
        """*values*, of which arrays are of the dtype that the kernel computes in."""
        compute = self.compute
        if compute is not None:
            np_dtype = compute.np
            if self.widen:
                np_dtype = _WIDE_COMPLEX if compute.is_complex else _WIDE
            for i in self.positions:
                v = values[i]
                if v is None:
                    continue
                if type(v) is not np.ndarray:
                    values[i] = number_array(v, np_dtype)
                elif v.dtype != np_dtype:
                    values[i] = as_dtype(v, np_dtype)
        else:
            for i in self.positions:
                v = values[i]
                if v is not None and type(v) is not np.ndarray:
                    numpy = isinstance(v, np.generic)  # a 0-d result that is still numpy's scalar
                    values[i] = np.asarray(v) if numpy else wrapped_number(v)._a_
            if self.widen:
                self._widen(values)
        return values

    def _widen(self, values: list[Any]) -> None:
        for i in self.positions:
            values[i] = widened(values[i])
        for i in self.lists:
            if values[i] is not None:
                values[i] = [widened(v) for v in values[i]]


def _of_operands(ufunc: Any, positions: list[int], n_inputs: int) -> Callable[..., Any]:
    """*ufunc* as a kernel: which is given all arguments, and does not write results where asked."""
    if len(positions) == n_inputs:
        return lambda *args: ufunc(*args)
    return lambda *args: ufunc(*[args[i] for i in positions])


def finish(result: Any, out: Out) -> Any:
    """A tensor over a kernel's result, in the dtype and layout that meta promised."""
    np_dtype = out.dtype.np
    if type(result) is not _ndarray:
        result = np.asarray(result, np_dtype)
    elif result.dtype is not np_dtype and result.dtype != np_dtype:
        result = as_dtype(result, np_dtype)
    if out.strides is None:
        if not result.flags.c_contiguous:
            result = np.ascontiguousarray(result)
    else:
        item = result.itemsize
        if result.strides != tuple([s * item for s in out.strides]):
            laid = empty_array(tuple(out.shape), np_dtype, tuple(out.strides))
            laid[...] = result
            result = laid
    return wrap(result)


def finish_all(results: Any, outs: Any) -> tuple[Any, ...]:
    """The same for several; None for those that meta says are absent."""
    pairs = zip(results, outs, strict=True)
    return tuple([None if o is None else finish(r, o) for r, o in pairs])


def in_place_check(plan: Plan, args: tuple[Any, ...], target: Tensor) -> None:
    """An in-place op may not change the shape of its target, nor lose its kind of number.

    As in TensorIterator the shape is looked at before the kernel looks at dtypes.
    """
    row = plan.row
    shape = target._a_.shape
    try:
        out = plan.meta.outs(args) if row.out_meta is None else row.out_meta(target, *args)
    except NotImplementedError:  # a kernel's refusal of a dtype, which comes after the shape's
        shapes = [a._a_.shape for a in args if isinstance(a, Tensor)]
        broadcast = tuple(broadcast_shapes(*shapes)) if plan.meta.pointwise else shape
        if broadcast != shape:
            raise in_place_shape(shape, broadcast) from None
        if plan.meta.pointwise and plan.result is not None and row.out_form.dtype != "same":
            check_cast(plan.result, target.dtype)
        raise
    shape = target._a_.shape  # ``addbmm_`` changes it after all
    if row.promote is not None or "pointwise" in row.tags or row.inplace_form.broadcasts:
        if tuple(out.shape) != shape:
            raise in_place_shape(shape, tuple(out.shape))
        if row.out_form.dtype == "same" and not can_cast(out.dtype, target.dtype):
            raise cannot_cast_to(out.dtype, target.dtype)
        check_cast(out.dtype, target.dtype)
        return
    if tuple(out.shape) != shape:
        raise bad_in_place("size", list(shape), list(out.shape))
    if out.dtype is not target.dtype and row.out_form.dtype != "cast":
        raise bad_in_place("dtype", c_type_name(target.dtype), c_type_name(out.dtype))


def check_cast(result: Any, to: Any) -> None:
    """torch's rule which results may be written to which dtype."""
    if not can_cast(result, to):
        raise cannot_cast(result, to)
