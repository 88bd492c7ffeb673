"""``torch._library.infer_schema``: where torch keeps ``infer_schema``."""

from .inference import infer_schema

__all__ = ["infer_schema"]
