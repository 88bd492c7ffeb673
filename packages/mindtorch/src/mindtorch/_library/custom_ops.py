"""``torch._library.custom_ops``: where torch keeps ``custom_op``."""

from .custom_op import CustomOpDef, custom_op, find_custom_op

__all__ = ["CustomOpDef", "custom_op", "find_custom_op"]
