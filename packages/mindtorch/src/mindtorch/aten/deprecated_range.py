"""``torch.range``: deprecated in torch, and read there by a signature written by hand."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_dispatch.handwritten_signatures import WRITTEN
from mindtorch_storage import Device, get_default_dtype

from ..call.argument_parser import TYPES
from ..core.constants import strided
from ..core.errors import factory_requires_grad
from ..core.operators import ops
from ..core.warning import warn
from ..tensor.defaults import default_device
from ..tensor.gradient import require_grad
from .options import check_target

__all__ = ["range"]

_HOST = Device("cpu")
_PARSER = ArgumentParser.from_signatures("range", list(WRITTEN["torch.range"]), types=TYPES)


_DEPRECATED = (
    "torch.range is deprecated and will be removed in a future release because its behavior "
    "is inconsistent with Python's range builtin. Instead, use torch.arange, which produces "
    "values in [start, end)."
)


def range(*args: Any, **kwargs: Any) -> Any:
    """Numbers from *start* to *end*, both included: ``range(start, end, step=1, *, out=None)``.

    Raises RuntimeError where dtype or device disagree with those of *out*. Deprecated.
    Source: torch csrc/autograd/python_torch_functions_manual.cpp, THPVariable_range.
    """
    try:
        _, bound = _PARSER.parse(args, kwargs)
    except OverflowError:  # of a number, which torch reads after it has warned
        warn(_DEPRECATED)
        raise
    start, end, step, out, dtype, layout, device, requires_grad = bound
    warn(_DEPRECATED)
    if out is None:
        # Said in full, whoever sees the operator.
        options = {
            "dtype": dtype or get_default_dtype(),
            "layout": layout or strided,
            "device": device or default_device() or _HOST,
        }
        result = ops.range(start, end, step, **options)
    else:
        check_target(out, dtype, device)
        result = ops.range(start, end, step, out=out)
    if requires_grad:
        if not (result.is_floating_point() or result.is_complex()):
            raise factory_requires_grad()
        require_grad(result)
    return result
