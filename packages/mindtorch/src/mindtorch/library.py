"""``torch.library``: ops of one's own, and kernels for the ops that there are.

What is defined here is called as ``torch.ops.<namespace>.<name>``.
"""

from __future__ import annotations

from ._library.custom_op import CustomOpDef, custom_op
from ._library.fake import get_ctx
from ._library.inference import infer_schema
from ._library.library import Library, fallthrough_kernel
from ._library.library import _defs as _defs
from ._library.library import _impls as _impls
from ._library.library import scoped_library as _scoped_library
from ._library.opcheck import opcheck
from ._library.registration import (
    define,
    get_kernel,
    impl,
    impl_abstract,
    register_autocast,
    register_autograd,
    register_fake,
    register_kernel,
    register_torch_dispatch,
    register_vmap,
)
from ._library.triton import triton_op, wrap_triton

__all__ = [
    "CustomOpDef",
    "Library",
    "_scoped_library",
    "custom_op",
    "define",
    "fallthrough_kernel",
    "get_ctx",
    "get_kernel",
    "impl",
    "impl_abstract",
    "infer_schema",
    "opcheck",
    "register_autocast",
    "register_autograd",
    "register_fake",
    "register_kernel",
    "register_torch_dispatch",
    "register_vmap",
    "triton_op",
    "wrap_triton",
]
