"""``torch._library.infer_schema``: where torch keeps ``infer_schema``."""

from .inference import infer_schema, tuple_to_list

__all__ = ["infer_schema", "tuple_to_list"]
