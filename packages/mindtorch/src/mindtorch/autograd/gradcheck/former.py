"""What tests of gradients call beside ``gradcheck``; public ones warn that they will be gone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...core.warning import warn
from ...tensor import Tensor
from .analytical import twice
from .numerical import as_tuple, jacobian_of_input, watched

__all__ = [
    "get_analytical_jacobian",
    "get_numerical_jacobian",
    "get_numerical_jacobian_wrt_specific_input",
]


def get_numerical_jacobian(
    fn: Callable[[Any], Any],
    inputs: Sequence[Any],
    target: Any = None,
    eps: float = 1e-3,
    grad_out: float = 1.0,
) -> tuple[Any, ...]:
    """The Jacobian of the first output of *fn*, which takes all inputs as one tuple, per input.

    :param target: what is moved in place of *inputs*.

    Raises ValueError for another *grad_out* than 1, and for complex outputs.
    """
    _warn("get_numerical_jacobian")
    if grad_out != 1.0:
        raise _other_gradient("get_numerical_jacobian")

    def unpacked(*xs: Any) -> Any:
        return fn(xs)

    inputs = as_tuple(inputs)
    outputs = as_tuple(unpacked(*inputs))
    if any(t.is_complex() for t in outputs):
        raise _complex_output("get_numerical_jacobian")
    return tuple([js[0] for js in _get_numerical_jacobian(unpacked, inputs, outputs, target, eps)])


def _get_numerical_jacobian(
    fn: Callable[..., Any],
    inputs: Any,
    outputs: Any = None,
    target: Any = None,
    eps: float = 1e-3,
    is_forward_ad: bool = False,
) -> list[tuple[Any, ...]]:
    """The Jacobians of all outputs of *fn*, for each input that requires a gradient.

    :param target: what is moved in place of *inputs*: a tensor, or tensors.
    """
    inputs = as_tuple(inputs)
    outputs = as_tuple(fn(*inputs)) if outputs is None else outputs
    moved = inputs if target is None else as_tuple(target)
    return [
        get_numerical_jacobian_wrt_specific_input(
            fn, i, inputs, outputs, eps, moved[i], is_forward_ad
        )
        for i in watched(moved)
    ]


def _iter_tensors(x: Any, only_requiring_grad: bool = False) -> Iterator[Tensor]:
    """The tensors in *x*, a tensor or lists and tuples of them.

    :param only_requiring_grad: leave out those that require no gradient.
    """
    if isinstance(x, Tensor):
        if x.requires_grad or not only_requiring_grad:
            yield x
    elif isinstance(x, (list, tuple)):
        for item in x:
            yield from _iter_tensors(item, only_requiring_grad)


def get_numerical_jacobian_wrt_specific_input(
    fn: Callable[..., Any],
    input_idx: int,
    inputs: Sequence[Any],
    outputs: Sequence[Any],
    eps: float,
    input: Any = None,
    is_forward_ad: bool = False,
) -> tuple[Any, ...]:
    """The Jacobians of all *outputs* of *fn* with respect to one input, or when *input* moves."""
    return tuple(jacobian_of_input(fn, input_idx, inputs, outputs, eps, is_forward_ad, input))


def get_analytical_jacobian(
    inputs: Any, output: Any, nondet_tol: float = 0.0, grad_out: float = 1.0
) -> tuple[tuple[Any, ...], bool, bool, bool]:
    """The Jacobian of *output* per input by backward, and three answers.

    Whether a second backward gives the same, whether sizes and whether dtypes of gradients are
    right. Raises ValueError for another *grad_out* than 1, and for a complex output.
    """
    _warn("get_analytical_jacobian")
    if grad_out != 1.0:
        raise _other_gradient("get_analytical_jacobian")
    if output.is_complex():
        raise _complex_output("get_analytical_jacobian")
    found, same, sizes, dtypes = twice(as_tuple(inputs), output, nondet_tol)
    return tuple(found), same, sizes, dtypes


def _warn(name: str) -> None:
    warn(
        f"`{name}` was part of PyTorch's private API and not meant to be exposed. We are "
        "deprecating it and it will be removed in a future version of PyTorch. If you have a "
        "specific use for this or feature request for this to be a stable API, please file us an "
        "issue at https://github.com/pytorch/pytorch/issues/new",
        FutureWarning,
    )


def _other_gradient(name: str) -> ValueError:
    return ValueError(
        f"Expected grad_out to be 1.0. {name} no longer supports values of grad_out != 1.0."
    )


def _complex_output(name: str) -> ValueError:
    return ValueError(
        f"Expected output to be non-complex. {name} no longer supports functions that return "
        "complex outputs."
    )
