"""``torch._subclasses``: tensors without memory that know their device."""

from ..core.submodules import reached as _reached
from .fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    UnsupportedFakeTensorException,
)

__all__ = [
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "FakeTensor",
    "FakeTensorMode",
    "UnsupportedFakeTensorException",
]

__getattr__ = _reached(__name__, ("fake_utils", "functional_tensor", "schema_check_mode"))
