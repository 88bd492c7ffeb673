"""``torch.library``: ops of one's own, and kernels for the ops that there are.

What is defined here is called as ``torch.ops.<namespace>.<name>``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ._library.custom_op import CustomOpDef, custom_op
from ._library.fake import get_ctx
from ._library.inference import infer_schema
from ._library.library import Library, fallthrough_kernel
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
]


def __getattr__(name: str) -> Callable[..., Any] | NoReturn:
    if name in ("triton_op", "wrap_triton"):
        raise AttributeError(
            f"torch.library.{name} needs triton, which compiles for GPUs; mindtorch has no such "
            "compiler. Use torch.library.custom_op."
        )
    raise AttributeError(f"module 'torch.library' has no attribute '{name}'")
