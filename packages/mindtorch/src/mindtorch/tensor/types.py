"""``torch.types``: names for annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from mindtorch_storage import Device as _device
from mindtorch_storage import DType as _dtype

from ..core.constants import layout as _layout
from ..core.constants import memory_format as _memory_format
from ..core.size import Size
from . import Tensor

__all__ = ["Device", "FileLike", "IntLikeType", "Number", "Storage"]

from os import PathLike as _PathLike
from typing import IO as _IO

from mindtorch_storage import UntypedStorage as Storage

Number: TypeAlias = int | float | bool
Device: TypeAlias = _device | str | int | None
FileLike: TypeAlias = str | _PathLike[str] | _IO[bytes]
IntLikeType: TypeAlias = int
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_int: TypeAlias = int
_float: TypeAlias = float
_bool: TypeAlias = bool
_str: TypeAlias = str
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
#: What ``isinstance`` takes for a number.
_Number = (int, float, bool)
BoolLikeType: TypeAlias = bool
FloatLikeType: TypeAlias = float
_complex: TypeAlias = complex
#: What the argument parser takes for a dtype.
_DTypeLike: TypeAlias = _dtype | type[bool] | type[int] | type[float] | type[complex]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]
__all__ += ["_device", "_dtype", "_layout", "_memory_format", "_size"]
