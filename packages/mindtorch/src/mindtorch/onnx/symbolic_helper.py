"""``torch.onnx.symbolic_helper``: what functions use that say how an op is exported.

Their arguments come as values of the program: tensors are values of the graph, all else is plain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .errors import OnnxExporterError, SymbolicValueError


def parse_args(*arg_descriptors: str) -> Callable[[Any], Any]:
    """A decorator for a function that writes an op; it returns the function."""

    def decorator(fn: Any) -> Any:
        fn._arg_descriptors = arg_descriptors
        return fn

    return decorator


def quantized_args(*arg_q_descriptors: bool, **kwargs: Any) -> Callable[[Any], Any]:
    """A decorator for a function that writes an op; it returns the function."""
    return parse_args()


def _is_none(x: Any) -> bool:
    """Whether an argument was left out."""
    return x is None


def _get_const(value: Any, desc: str, arg_name: str) -> Any:
    """What is constant in the program, which is every argument but tensors.

    Raises SymbolicValueError for a tensor where *desc* is no ``v`` or ``t``.
    """
    if hasattr(value, "dtype") and desc not in ("v", "t"):
        raise SymbolicValueError(
            f"ONNX symbolic expected a constant value of the '{arg_name}' argument, got '{value}'",
            value,
        )
    return value


def _maybe_get_const(value: Any, descriptor: str) -> Any:
    """*value*: constants come as they are."""
    return value


def _parse_arg(value: Any, desc: str, arg_name: str | None = None, node_name: Any = None) -> Any:
    """*value*: arguments come as they are."""
    return value


def _get_tensor_sizes(x: Any, allow_nonstatic: bool = True) -> list[Any] | None:
    """The sizes of a tensor; None where they are not known."""
    return None if x.shape is None else list(x.shape)


def _get_tensor_rank(x: Any) -> int | None:
    """The number of dimensions; None where it is not known."""
    return None if x.shape is None else len(x.shape)


def _get_tensor_dim_size(x: Any, dim: int) -> Any:
    """One size; None where it is not known."""
    sizes = _get_tensor_sizes(x)
    return None if sizes is None else sizes[dim]


def _unimplemented(op: str, msg: str, value: Any = None) -> None:
    """Raise OnnxExporterError: *op* has no translation, and why."""
    _onnx_unsupported(f"{op}, {msg}", value)


def _onnx_unsupported(op_name: str, value: Any = None) -> NoReturn:
    """Raise OnnxExporterError: *op_name* has no translation."""
    raise OnnxExporterError(
        f"Unsupported: ONNX export of operator {op_name}. Please feel free to request support or "
        "submit a pull request on PyTorch GitHub: https://github.com/pytorch/pytorch/issues"
    )


__all__: list[str] = []
