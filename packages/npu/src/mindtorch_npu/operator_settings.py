"""Settings of the hardware's operators, which torch_npu has beyond ``torch.cuda``.

How operators are compiled, which formats and precisions they may use. They are remembered and told
back: the simulator compiles nothing, has one format, and computes in the dtype it is given. Where
hardware serves, its own settings stand here.
"""

from __future__ import annotations

from collections.abc import Mapping

from mindtorch_npu import runtime

__all__ = [
    "clear_npu_overflow_flag",
    "config",
    "conv",
    "get_mm_bmm_format_nd",
    "get_npu_overflow_flag",
    "is_jit_compile_false",
    "matmul",
    "set_compile_mode",
    "set_mm_bmm_format_nd",
    "set_option",
]


class _Formats:
    """``torch.npu.config``."""

    #: Whether operators may lay tensors out in the hardware's private formats.
    allow_internal_format = False


class _Precision:
    """``torch.npu.matmul`` and ``torch.npu.conv``."""

    def __init__(self, allow_hf32: bool) -> None:
        #: Whether float32 may be computed in HF32, of eleven bits.
        self.allow_hf32 = allow_hf32


config = _Formats()
#: The hardware's defaults: products in full precision, convolutions not.
matmul, conv = _Precision(False), _Precision(True)

_jit_compile = False
_format_nd = True
_options: dict[str, str] = {}


def set_compile_mode(jit_compile: bool = False) -> None:
    """Say whether operators are compiled for the shapes that come, or come compiled."""
    global _jit_compile
    _jit_compile = bool(jit_compile)


def is_jit_compile_false() -> bool:
    """Whether operators come compiled."""
    return not _jit_compile


def set_option(option: Mapping[str, object]) -> None:
    """Set options of the compiler of operators (``{"ACL_PRECISION_MODE": …}``).

    Raises TypeError for what is no dictionary.
    """
    if not isinstance(option, Mapping):
        raise TypeError("npu option must be a dict.")
    _options.update({name: str(value) for name, value in option.items()})


def set_mm_bmm_format_nd(is_nd: bool) -> None:
    """Say whether products of matrices keep the format ND."""
    global _format_nd
    _format_nd = bool(is_nd)


def get_mm_bmm_format_nd() -> bool:
    """Whether products of matrices keep the format ND."""
    return _format_nd


def get_npu_overflow_flag() -> bool:
    """False: an overflow gives infinity, which the numbers themselves show."""
    return False


def clear_npu_overflow_flag() -> None:
    """Nothing: there is no flag."""


if runtime.HARDWARE:
    _module = getattr(runtime.driver(), "module", None)
    globals().update({n: getattr(_module, n) for n in __all__ if hasattr(_module, n)})
