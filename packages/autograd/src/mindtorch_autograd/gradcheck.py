"""Compare a gradient formula with finite differences.

Real inputs, every element perturbed (torch's slow mode). Inputs should be of double precision.
The space needs two methods more than the engine asks for, see :class:`NumericSpace`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Protocol, cast

from mindtorch_autograd import grad_mode, installed
from mindtorch_autograd.backward import grad
from mindtorch_autograd.naming import Named
from mindtorch_autograd.protocols import Space

__all__ = ["GradcheckError", "NumericSpace", "gradcheck", "gradgradcheck"]

_Matrix = list[list[float]]

#: What one may do about a check that fails for a reason.
WORKAROUNDS = """\
If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck"""

#: torch autograd/gradcheck.py, FAILED_NONDET_MSG.
_NOTE = f"""

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

{WORKAROUNDS}.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


class GradcheckError(RuntimeError, metaclass=Named):
    """A gradient is wrong."""


def nondeterministic(tolerance: float) -> GradcheckError:
    """Two backwards gave different gradients."""
    return GradcheckError(
        "Backward is not reentrant, i.e., running backward with same input and grad_output "
        "multiple times gives different values, although analytical gradient matches numerical "
        f"gradient.The tolerance for nondeterminism was {tolerance}." + _NOTE
    )


def no_watched_input() -> ValueError:
    """There is nothing to check."""
    return ValueError(
        "gradcheck expects at least one input tensor to require gradient, "
        "but none of them have requires_grad=True."
    )


class NumericSpace(Space, Protocol):
    """A space whose values can be read and made number by number."""

    def numbers(self, x: Any) -> list[float]:
        """Return the elements of *x*, row by row."""

    def like(self, x: Any, numbers: list[float], requires_grad: bool = False) -> Any:
        """Return a leaf like *x* with other elements."""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    matrix_text: Callable[[_Matrix], str] = str,
) -> bool:
    """Return whether the gradients of *func* at *inputs* agree with central differences.

    :param inputs: the arguments: a value or a sequence; those that require grad are checked.
    :param eps: the perturbation.
    :param atol: absolute, *rtol* relative tolerance.
    :param nondet_tol: how much two runs of the same backward may differ.
    :param matrix_text: how a message shows a Jacobian, one row per element of the input.
    :raises GradcheckError: where they disagree, unless ``raise_exception=False``.
    """
    space = cast(NumericSpace, installed.space)
    args = (inputs,) if space.is_value(inputs) else tuple(inputs)
    watched = [i for i, x in enumerate(args) if space.is_value(x) and space.requires_grad(x)]
    if not watched:
        raise no_watched_input()
    try:
        _check(space, func, args, watched, eps, atol, rtol, nondet_tol, matrix_text)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., Any], inputs: Any, grad_outputs: Any = None, **options: Any
) -> bool:
    """Check the gradients of the gradients of *func*, with respect to inputs and *grad_outputs*.

    :param grad_outputs: where the first backward starts; random numbers by default.
    :param options: those of :func:`gradcheck`.
    """
    space = cast(NumericSpace, installed.space)
    args = (inputs,) if space.is_value(inputs) else tuple(inputs)
    outputs = _differentiable(space, func(*args))
    if grad_outputs is None:
        seeds = tuple([_random_leaf(space, out) for out in outputs])
    else:
        seeds = (grad_outputs,) if space.is_value(grad_outputs) else tuple(grad_outputs)

    def first_order(*both: Any) -> tuple[Any, ...]:
        xs, gs = both[: len(args)], both[len(args) :]
        wanted = [x for x in xs if space.is_value(x) and space.requires_grad(x)]
        outs = _differentiable(space, func(*xs))
        with grad_mode.enable_grad():
            found = grad(outs, wanted, gs, create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(first_order, args + seeds, **options)


def _random_leaf(space: NumericSpace, out: Any) -> Any:
    numbers = [random.gauss(0.0, 1.0) for _ in space.numbers(out)]
    return space.like(out, numbers, True)


def _differentiable(space: NumericSpace, outputs: Any) -> list[Any]:
    outs = (outputs,) if space.is_value(outputs) else tuple(outputs)
    return [out for out in outs if space.is_value(out) and space.requires_grad(out)]


def _check(
    space: NumericSpace,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    watched: Sequence[int],
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
    matrix_text: Callable[[_Matrix], str],
) -> None:
    outputs = _differentiable(space, func(*args))
    numerical = _numerical(space, func, args, watched, eps)
    for o, out in enumerate(outputs):
        analytical = _analytical(space, out, args, watched)
        again = _analytical(space, out, args, watched)
        if not all(_close(a, b, nondet_tol, 0.0) for a, b in zip(analytical, again)):
            raise nondeterministic(nondet_tol)
        for i, found in enumerate(analytical):
            wanted = numerical[i][o]
            if not _close(found, wanted, atol, rtol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {o} with respect to input {i},\n"
                    f"numerical:{matrix_text(wanted)}\nanalytical:{matrix_text(found)}\n"
                )


def _close(a: _Matrix, b: _Matrix, atol: float, rtol: float) -> bool:
    return all(
        abs(x - y) <= atol + rtol * abs(y) for row, other in zip(a, b) for x, y in zip(row, other)
    )


def _analytical(
    space: NumericSpace, out: Any, args: tuple[Any, ...], watched: Sequence[int]
) -> list[_Matrix]:
    """Return per input the Jacobian, one row per element of the input."""
    values = [args[i] for i in watched]
    size = len(space.numbers(out))
    columns: list[list[list[float]]] = [[] for _ in values]
    for k in range(size):
        unit = space.like(out, [1.0 if j == k else 0.0 for j in range(size)])
        found = grad(out, values, unit, retain_graph=True, allow_unused=True)
        for column, x, g in zip(columns, values, found):
            column.append([0.0] * len(space.numbers(x)) if g is None else space.numbers(g))
    return [[list(row) for row in zip(*column)] for column in columns]


def _numerical(
    space: NumericSpace,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    watched: Sequence[int],
    eps: float,
) -> list[list[_Matrix]]:
    """Return per input and output the Jacobian by central differences."""
    jacobians = []
    for i in watched:
        start = space.numbers(args[i])
        rows: list[list[list[float]]] = []  # per element of the input, per output, its change
        for k in range(len(start)):
            ends = []
            for step in (eps, -eps):
                moved = list(start)
                moved[k] += step
                x = space.like(args[i], moved, True)
                outs = _differentiable(space, func(*args[:i], x, *args[i + 1 :]))
                ends.append([space.numbers(out) for out in outs])
            rows.append(
                [
                    [(up - down) / (2 * eps) for up, down in zip(ups, downs)]
                    for ups, downs in zip(*ends)
                ]
            )
        jacobians.append([[row[o] for row in rows] for o in range(len(rows[0]) if rows else 0)])
    return jacobians
