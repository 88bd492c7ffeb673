"""How close numbers have to be, by their dtype: what torch documents for ``assert_close``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from mindtorch_storage import DType

from ..aten import torch
from ._mismatch import ErrorMeta

__all__ = ["ALLCLOSE_TOLERANCES", "default_tolerances", "get_tolerances"]

Tolerances = Mapping[Any, tuple[float, float]]
_FLOAT32 = (1.3e-6, 1e-5)
#: ``(rtol, atol)``; ``(0, 0)`` for all other dtypes. Quantized numbers are compared as the float32
#: numbers that they stand for.
_TOLERANCES: Final[Tolerances] = {
    torch.float16: (1e-3, 1e-5),
    torch.bfloat16: (1.6e-2, 1e-5),
    torch.float32: _FLOAT32,
    torch.float64: (1e-7, 1e-7),
    torch.complex32: (1e-3, 1e-5),
    torch.complex64: _FLOAT32,
    torch.complex128: (1e-7, 1e-7),
    **dict.fromkeys(
        (torch.quint8, torch.quint2x4, torch.quint4x2, torch.qint8, torch.qint32), _FLOAT32
    ),
}
#: The wider ones of the deprecated ``assert_allclose``.
ALLCLOSE_TOLERANCES: Final[Tolerances] = {
    torch.float16: (1e-3, 1e-3),
    torch.float32: (1e-4, 1e-5),
    torch.float64: (1e-5, 1e-8),
}


def default_tolerances(
    *inputs: Any, dtype_precisions: Tolerances | None = None
) -> tuple[float, float]:
    """``(rtol, atol)``: the widest of those of tensors and dtypes.

    :param dtype_precisions: those of each dtype, in place of the usual ones.
    :raises TypeError: for anything else among *inputs*.
    """
    found = []
    for given in inputs:
        if not isinstance(given, (torch.Tensor, DType)):
            raise TypeError(
                f"Expected a torch.Tensor or a torch.dtype, but got {type(given)} instead."
            )
        dtype = given.dtype if isinstance(given, torch.Tensor) else given
        found.append((dtype_precisions or _TOLERANCES).get(dtype, (0.0, 0.0)))
    return max([r for r, _ in found]), max([a for _, a in found])


def get_tolerances(
    *inputs: Any, rtol: float | None, atol: float | None, id: tuple[Any, ...] = ()
) -> tuple[float, float]:
    """``(rtol, atol)`` as given, or those of *inputs* where neither is.

    :raises ErrorMeta: of a ValueError where only one is given.
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        text = "Both 'rtol' and 'atol' must be either specified or omitted, "
        raise ErrorMeta(ValueError, f"{text}but got no {missing}.", id=id)
    if rtol is not None and atol is not None:
        return rtol, atol
    return default_tolerances(*inputs)
