"""Inputs that travel with a TorchScript module; there is no TorchScript here."""

from __future__ import annotations

from typing import Any, NamedTuple, NoReturn

from ..aten.torch import zeros

__all__ = [
    "InflatableArg",
    "augment_many_model_functions_with_bundled_inputs",
    "augment_model_with_bundled_inputs",
    "bundle_inputs",
    "bundle_large_tensor",
    "bundle_randn",
]

MAX_RAW_TENSOR_SIZE = 16


class InflatableArg(NamedTuple):
    """A value, and the expression that makes the input of it."""

    value: Any
    fmt: str = "{}"
    fmt_fn: str = ""


def _refuse(model: Any) -> NoReturn:
    raise Exception("Only ScriptModule is supported.")


def bundle_inputs(
    model: Any,
    inputs: Any,
    info: Any = None,
    *,
    _receive_inflate_expr: list[str] | None = None,
) -> NoReturn:
    """Refuse what is no ScriptModule, which nothing is."""
    _refuse(model)


def augment_model_with_bundled_inputs(
    model: Any,
    inputs: Any = None,
    _receive_inflate_expr: list[str] | None = None,
    info: list[str] | None = None,
    skip_size_check: bool = False,
) -> NoReturn:
    """Refuse what is no ScriptModule, which nothing is."""
    _refuse(model)


def augment_many_model_functions_with_bundled_inputs(
    model: Any,
    inputs: Any,
    _receive_inflate_expr: list[str] | None = None,
    info: Any = None,
    skip_size_check: bool = False,
) -> NoReturn:
    """Refuse what is no ScriptModule, which nothing is."""
    _refuse(model)


def bundle_randn(*size: int, dtype: Any = None) -> InflatableArg:
    """An input that is drawn when it is needed."""
    stub = zeros(1, dtype=dtype).expand(*size)
    return InflatableArg(value=stub, fmt="torch.randn_like({})")


def bundle_large_tensor(t: Any) -> InflatableArg:
    """A tensor as it is, however large."""
    return InflatableArg(value=t, fmt="{}")
