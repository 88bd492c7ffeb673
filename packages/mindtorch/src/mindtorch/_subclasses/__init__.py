"""``torch._subclasses``: tensors without memory that know their device."""

from ..core.submodules import reached as _reached
from .fake_tensor import DataDependentOutputException as DataDependentOutputException
from .fake_tensor import (
    DynamicOutputShapeException,
    FakeTensor,
    FakeTensorMode,
    UnsupportedFakeTensorException,
)

__all__ = [
    "CrossRefFakeMode",
    "DynamicOutputShapeException",
    "FakeTensor",
    "FakeTensorMode",
    "UnsupportedFakeTensorException",
]

__getattr__ = _reached(
    __name__,
    ("fake_impls", "fake_utils", "functional_tensor", "meta_utils", "schema_check_mode"),
    {"CrossRefFakeMode": ".fake_utils"},
)
