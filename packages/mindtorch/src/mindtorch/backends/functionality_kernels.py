"""Kernels of tensors that have a functionality of their own: sparse and quantized tensors.

The key set of such a tensor has the functionality's key of its backend (``SparseCPU``) in place
of the backend's own, and an op looks for its kernel there. :class:`FunctionalityKernels`
registers what is written for such a key: a kernel takes all arguments in schema order, tensors as
tensors, and runs below autograd. The in-place form and ``out=`` of an op follow from its kernel,
as for dense tensors. Where an op has none, the call is refused in torch's words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch.kernel import BOXED, Kernel

from ..call.dispatch_entry import OVERLOADS, Call
from ..call.lazy_registration import register_rows
from ..call.overload import INPLACE, OUT, Overload, inplace_overload
from ..call.specialize import boxed
from .composites import below_autograd
from .outputs import functional_arguments, functional_of

__all__ = ["FunctionalityKernels", "makes_tensors"]

Function = Callable[..., Any]


def makes_tensors(kernel: Any) -> bool:
    """Whether a kernel takes and makes tensors, not arrays: of sparse tensors, for one."""
    return getattr(kernel, "of_tensors", False)


class FunctionalityKernels:
    """What is registered at one key.

    :param key: ``SparseCPU``, ``QuantizedCPU``…
    :param write: ``write(target, result)`` makes *target*, a tensor that was given, the *result* of
        a kernel; for in-place forms and ``out=``.
    """

    def __init__(self, key: K, write: Callable[[Any, Any], object]) -> None:
        self.key = key
        self._write = write

    def __call__(self, *names: str, forms: bool = True) -> Callable[[Function], Function]:
        """A decorator: the kernel of the ops *names* (``add.Tensor``).

        :param forms: whether their in-place and ``out=`` forms follow.
        """

        def register(function: Function) -> Function:
            for name in names:
                self.register(name, function, forms=forms)
            return function

        return register

    def register(self, name: str, function: Function, *, forms: bool = True) -> None:
        """Let *function* be the kernel of the op *name*."""
        register_rows()  # those of the module that calls are among them
        overload = OVERLOADS[f"aten::{name}"]
        self.put(overload, function)
        row = overload.row
        if not forms or overload.name != f"aten::{row.name}":
            return
        if row.inplace:
            dot = "." if inplace_overload(row) else ""
            self.put(OVERLOADS[f"aten::{row.base}_{dot}{inplace_overload(row)}"], function)
        if row.out:
            self.put(OVERLOADS[f"aten::{row.base}.{row.out}"], function)

    def put(self, overload: Overload, function: Function) -> None:
        """Let *function* be the kernel of *overload* alone."""

        def build_kernel(overload: Overload, sig: int, mask: int) -> Call:
            return below_autograd(self._call(overload, function))

        kernel = boxed(build_kernel)
        kernel.of_tensors = True  # type: ignore[attr-defined]  # see makes_tensors
        operator = overload.operator
        operator.put(Kernel(kernel, self.key, BOXED, overload.row.where, operator))

    def _call(self, overload: Overload, function: Function) -> Call:
        """The call of *overload*: the kernel itself, or what writes its result."""
        overload.analyse()
        functional = functional_of(overload)
        if functional is overload:
            return function
        write = self._write
        if overload.kind == INPLACE:
            at = overload.mutable_position

            def change(*args: Any) -> Any:
                write(args[at], function(*args))
                return args[at]

            return change
        assert overload.kind == OUT
        places = overload.out_positions

        def fill(*args: Any) -> Any:
            result = function(*functional_arguments(overload, functional, args))
            results = result if isinstance(result, tuple) else (result,)
            targets = tuple([args[i] for i in places])
            for target, each in zip(targets, results, strict=True):
                write(target, each)
            return targets[0] if len(targets) == 1 else targets

        return fill
