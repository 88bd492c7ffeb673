"""``torch.autograd.gradcheck``: formulas against differences.

Errors and their order: torch/autograd/gradcheck.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_autograd import grad
from mindtorch_autograd.gradcheck import GradcheckError, no_watched_input

from ...core.module_names import living_in
from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor
from ...tensor.generator import Generator
from ...testing._creation import make_tensor
from . import further
from .analytical import by_backward, by_forward, close, differentiable
from .former import (
    _get_numerical_jacobian as _get_numerical_jacobian,
)
from .former import (
    _iter_tensors as _iter_tensors,
)
from .former import (
    get_analytical_jacobian,
    get_numerical_jacobian,
    get_numerical_jacobian_wrt_specific_input,
)
from .messages import SLOW_WOULD_PASS, mismatch
from .numerical import as_tuple, directional, is_differentiable, jacobians, vector, watched
from .sparse import is_sparse, refuse_sparse_outputs, values_of, with_all_elements

__all__ = [
    "GradcheckError",
    "get_analytical_jacobian",
    "get_numerical_jacobian",
    "get_numerical_jacobian_wrt_specific_input",
    "gradcheck",
    "gradgradcheck",
]

GradcheckError.__module__ = "torch.autograd.gradcheck"  # by which name messages know it
living_in(
    __name__,
    get_analytical_jacobian,
    get_numerical_jacobian,
    get_numerical_jacobian_wrt_specific_input,
)


class _Check:
    """One comparison: of which function at which inputs, and how."""

    def __init__(
        self,
        eps: float,
        rtol: float,
        atol: float,
        nondet_tol: float,
        dtypes: bool,
        masked: bool | None,
    ) -> None:
        self.eps, self.rtol, self.atol = eps, rtol, atol
        self.masked = masked
        self.nondet_tol, self.dtypes = nondet_tol, dtypes
        self.complex_indices: list[int] | None = None
        self.imaginary = False

    def slow(self, func: Any, func_out: Any, inputs: Sequence[Any], forward: bool) -> None:
        """Compare every derivative."""
        every = as_tuple(func_out)
        moved = inputs if self.masked else [with_all_elements(x) for x in inputs]
        numerical = jacobians(func, moved, every, self.eps, forward)
        if not differentiable(every):
            for matrices in numerical:
                if any((m != 0).sum() > 0 for m in matrices):
                    raise GradcheckError("Numerical gradient for function expected to be zero")
            return
        kept = [t for t in every if is_differentiable(t)]
        at = [k for k, t in enumerate(kept) if t.requires_grad]
        if forward:
            found = by_forward(func, inputs, every, self.dtypes)
            for i, k in enumerate(at):
                for j, matrices in enumerate(numerical):
                    self.compare(found[j][i], matrices[k], i, j, True)
            return
        for i, k in enumerate(at):
            rows = by_backward(inputs, kept[k], self.nondet_tol, self.dtypes)
            for j, matrices in enumerate(numerical):
                self.compare(rows[j], matrices[k], i, j, False)

    def compare(self, a: Any, n: Any, output: int, input: int, forward: bool) -> None:
        """Raise GradcheckError where they differ."""
        if not close(a, n, self.rtol, self.atol):
            raise GradcheckError(
                mismatch(a, n, output, input, self.complex_indices, self.imaginary, forward)
            )

    def fast(self, func: Any, func_out: Any, inputs: Sequence[Any], forward: bool) -> None:
        """Compare the derivatives along one random direction, by one random gradient."""
        every = as_tuple(func_out)
        outputs = differentiable(every)
        at = watched(inputs)
        numbers = Generator()  # of its own, as always begun anew
        us = [_direction(inputs[i], numbers) for i in at]
        vs = None if forward else [vector(t, t.dtype, numbers) for t in outputs]
        numerical = []
        for i, u in zip(at, us, strict=True):
            moved = directional(func, i, inputs, u, self.eps, forward)
            kept = [m for m, t in zip(moved, every, strict=True) if is_differentiable(t)]
            if vs is not None:
                kept = [(v * m).sum() for v, m in zip(vs, kept, strict=False)]
            numerical.append(kept)
        if forward:
            analytical = by_forward(func, inputs, every, self.dtypes, us)
        else:
            if not outputs:
                self._no_change(func, inputs, at, us)
            analytical = self._along(inputs, outputs, vs or [], us)
        for i, (found, wanted) in enumerate(zip(analytical, numerical, strict=True)):
            for j, (a, n) in enumerate(zip(found, wanted, strict=False)):
                v = None if vs is None else vs[j]
                if not close(a, n, self.rtol, self._tolerance(us[i], v)):
                    text = mismatch(a, n, j, i, self.complex_indices, self.imaginary, forward)
                    raise GradcheckError(text + self._slowly(func, inputs, outputs, i, j, forward))

    def _no_change(self, func: Any, inputs: Sequence[Any], at: list[int], us: list[Any]) -> None:
        for i, u in zip(at, us, strict=True):
            for moved in directional(func, i, inputs, u, self.eps):
                if moved.numel() and moved.abs().max() > self.nondet_tol:
                    raise GradcheckError("Numerical gradient for function expected to be zero")

    def _along(
        self, inputs: Sequence[Any], outputs: Sequence[Any], vs: list[Any], us: list[Any]
    ) -> list[list[Any]]:
        found: list[list[Any]] = [[] for _ in us]
        for out, v in zip(outputs, vs, strict=True):
            pulled = by_backward(inputs, out, self.nondet_tol, self.dtypes, v)
            for row, column, u in zip(found, pulled, us, strict=True):
                g = column.squeeze(1)
                if g.is_complex():
                    row.append(ops.real(g).dot(u[0]) + 1j * ops.imag(g).dot(u[1]))
                else:
                    row.append(g.dot(u))
        return found

    def _tolerance(self, u: Any, v: Any) -> float:
        along = float(u[0].sum()) + float(u[1].sum()) if isinstance(u, tuple) else float(u.sum())
        if v is None:
            return self.atol * along
        total = v.sum()
        return self.atol * along * float(ops.real(total) if total.is_complex() else total)

    def _slowly(
        self, func: Any, inputs: Sequence[Any], outputs: Any, i: int, j: int, forward: bool
    ) -> str:
        numerical = jacobians(func, inputs, outputs, self.eps, forward)[i][j]
        if forward:
            where = watched(inputs)[i]

            def one(x: Any) -> Any:
                args = list(inputs)
                args[where] = x
                return as_tuple(func(*args))[j]

            analytical = by_forward(one, (inputs[where],), (outputs[j],))[0][0]
        else:
            analytical = by_backward(inputs, outputs[j], float("inf"), False)[i]
        gap = (numerical - analytical).abs().max()
        text = (
            "\nThe above quantities relating the numerical and analytical jacobians are computed "
            "\nin fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more "
            "background \nabout fast mode. Below, we recompute numerical and analytical jacobians "
            f"in slow mode:\n\nNumerical:\n {numerical}\nAnalytical:\n{analytical}\n\nThe max "
            f"per-element difference (slow mode) is: {gap}.\n"
        )
        if ops.allclose(analytical, numerical, self.rtol, self.atol):
            text += SLOW_WOULD_PASS
        return text


def _direction(t: Any, numbers: Generator) -> Any:
    if not t.is_complex():
        return vector(t, t.dtype, numbers)
    dtype = t.real.dtype
    return vector(t, dtype, numbers), vector(t, dtype, numbers)


def _check_modes(modes: dict[str, bool], *options: tuple[str, bool, str]) -> None:
    """Refuse where no mode is checked, and an option (with its mode) whose mode is not."""
    if not any(modes.values()):
        raise AssertionError(f"Expected at least one of {' or '.join(modes)} to be True")
    for option, wanted, mode in options:
        if wanted and not modes[mode]:
            raise AssertionError(f"Setting {option}=True requires {mode} to be True")


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the derivatives of *func* at *inputs* agree with central differences.

    :param inputs: a tensor or a sequence; those that require gradients, of double precision, are
        moved by *eps*.
    :param atol: absolute, *rtol* relative tolerance; *nondet_tol*: between two backwards.
    :param raise_exception: raise GradcheckError in place of False.
    :param fast_mode: compare along one random direction only, but for sparse inputs.
    :param masked: elements that sparse inputs do not have are none; else they are zeros.

    Complex functions are checked by the real and the imaginary parts of their outputs (backward)
    or inputs (forward mode). Raises ValueError where no input requires gradients.
    """
    modes = {"check_forward_ad": check_forward_ad, "check_backward_ad": check_backward_ad}
    _check_modes(
        modes,
        ("check_batched_grad", check_batched_grad, "check_backward_ad"),
        ("check_batched_forward_grad", check_batched_forward_grad, "check_forward_ad"),
    )
    check = _Check(eps, rtol, atol, nondet_tol, check_grad_dtypes, masked)
    try:
        args = as_tuple(inputs)
        _check_inputs(args)
        result = func(*args)
        outputs = differentiable(result)
        refuse_sparse_outputs(outputs)
        compare = check.fast if fast_mode and not any(map(is_sparse, args)) else check.slow
        if check_backward_ad:
            _backward_parts(check, compare, func, result, args, outputs)
        if check_forward_ad:
            _forward_parts(check, compare, func, result, args, check_undefined_grad)
        if check_batched_forward_grad:
            further.batched_forward(func, args)
        if not check_backward_ad:
            return True
        if check_batched_grad:
            for i, out in enumerate(outputs):
                further.batched(args, out, i)
        further.multiplies(outputs, args, masked)
        if check_undefined_grad:
            further.undefined(func, outputs, args)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_inputs(inputs: Sequence[Any]) -> None:
    for i in watched(inputs):
        t = inputs[i]
        if t.dtype.name not in ("float64", "complex128"):
            warn(
                f"Input #{i} requires gradient and is not a double precision floating point or "
                "complex. This check will likely fail if all the inputs are not of double "
                "precision floating point or complex. ",
            )
        content = values_of(t)
        if any(s == 0 and n > 1 for s, n in zip(content.stride(), content.shape, strict=True)):
            raise RuntimeError(
                f"The {i}th input has a dimension with stride 0. gradcheck only supports inputs "
                "that are non-overlapping to be able to compute the numerical gradients "
                "correctly. You should call .contiguous on the input before passing it to "
                "gradcheck."
            )
    if not watched(inputs):
        raise no_watched_input()


def _backward_parts(
    check: _Check, compare: Any, func: Any, result: Any, args: Any, outputs: Any
) -> None:
    if not any(isinstance(t, Tensor) and t.is_complex() for t in as_tuple(result)):
        compare(func, result, args, False)
        return
    check.complex_indices = [i for i, t in enumerate(outputs) if t.is_complex()]
    for part, imaginary in ((ops.imag, True), (ops.real, False)):

        def of_part(*xs: Any, part: Any = part) -> Any:
            return tuple([part(t) if t.is_complex() else t for t in as_tuple(func(*xs))])

        check.imaginary = imaginary
        compare(of_part, of_part(*args), args, False)
    check.complex_indices, check.imaginary = None, False


def _forward_parts(
    check: _Check, compare: Any, func: Any, result: Any, args: Any, check_undefined: bool
) -> None:
    at = [i for i, t in enumerate(args) if isinstance(t, Tensor) and t.is_complex()]
    if not at:
        compare(func, result, args, True)
        if check_undefined:
            further.undefined_forward(func, args)
        return
    check.complex_indices = at
    for imaginary in (True, False):

        def of_part(*xs: Any, imaginary: bool = imaginary) -> Any:
            made = list(xs)
            for i in at:
                whole = args[i]
                made[i] = whole.real + made[i] * 1j if imaginary else made[i] + whole.imag * 1j
            return as_tuple(func(*made))

        moved = [(t.imag if imaginary else t.real) if i in at else t for i, t in enumerate(args)]
        check.imaginary = imaginary
        compare(of_part, of_part(*moved), moved, True)
        if check_undefined:
            further.undefined_forward(of_part, moved)
    check.complex_indices, check.imaginary = None, False


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the derivatives of the gradients of *func* agree with central differences.

    :param grad_outputs: where backward begins; random numbers by default.
    """
    modes = {"check_fwd_over_rev": check_fwd_over_rev, "check_rev_over_rev": check_rev_over_rev}
    _check_modes(
        modes,
        ("check_undefined_grad", check_undefined_grad, "check_rev_over_rev"),
        ("check_batched_grad", check_batched_grad, "check_rev_over_rev"),
    )
    args = as_tuple(inputs)
    if grad_outputs is None:
        seeds = tuple(
            [
                make_tensor(
                    t.shape,
                    dtype=t.dtype,
                    device=t.device,
                    low=-1,
                    high=1,
                    requires_grad=True,
                    noncontiguous=gen_non_contig_grad_outputs,
                )
                for t in differentiable(func(*args))
            ]
        )
    else:
        seeds = as_tuple(grad_outputs)
    count = len(seeds)
    at = watched(args)
    seeded = watched(seeds)

    def first_order(*both: Any) -> tuple[Any, ...]:
        xs = [x.requires_grad_() if i in at else x for i, x in enumerate(both[:-count])]
        outputs = differentiable(func(*xs))
        begin = [g.requires_grad_() if i in seeded else g for i, g in enumerate(both[-count:])]
        wanted = [xs[i] for i in at]
        found = grad(outputs, wanted, begin, create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(
        first_order,
        args + seeds,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        fast_mode=fast_mode,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        masked=masked,
    )


def __dir__() -> list[str]:
    return sorted(__all__)
