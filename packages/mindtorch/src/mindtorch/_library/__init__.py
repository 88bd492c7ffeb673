"""Ops of one's own: what stands behind :mod:`mindtorch.library`, one module per subject."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(
    __name__,
    ("custom_ops", "fake_impl", "fake_profile", "infer_schema", "opaque_object", "triton", "utils"),
)
