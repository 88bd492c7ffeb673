"""What the argument parser asks about tensors, dtypes and devices, and the parsers of ops."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import mindtorch_storage as st
import numpy as np
from mindtorch_dispatch.argument_errors import python_type_name
from mindtorch_dispatch.argument_parser import ArgumentParser
from mindtorch_dispatch.handwritten_signatures import WRITTEN
from mindtorch_dispatch.signature import OutForm
from mindtorch_npu import ExternalStream, Stream

from ..core import constants
from ..core import signature as S
from ..core.missing_backends import built_layout
from ..core.size import Size
from ..tensor import Tensor
from ..tensor.generator import Generator
from .overload import FUNCTIONAL, OUT, Overload, out_names

_DTYPE_OF_PYTHON = {float: "float64", int: "int64", bool: "bool", complex: "complex128"}


class Types:
    """Answers of this framework; see ``mindtorch_dispatch.argument_kind.ValueTypes``."""

    __slots__ = ()

    tensor_types = frozenset((Tensor,))
    dtype_types = frozenset((st.DType,))
    device_types = frozenset((st.Device,))
    layout_types = frozenset((constants.layout,))
    memory_format_types = frozenset((constants.memory_format,))
    storage_types = frozenset((st.UntypedStorage, st.TypedStorage))

    @property
    def stream_types(self) -> frozenset[type]:
        """The classes of streams."""
        return frozenset((Stream, ExternalStream))

    @property
    def generator_types(self) -> frozenset[type]:
        """The class of generators."""
        return frozenset((Generator,))

    def is_tensor(self, value: Any) -> bool:
        """Whether it is a tensor."""
        return isinstance(value, Tensor)

    def to_dtype(self, value: Any) -> Any:
        """The dtype it means."""
        if isinstance(value, st.DType):
            return value
        return getattr(st, _DTYPE_OF_PYTHON[value])

    def to_device(self, value: Any) -> Any:
        """The device it means."""
        return value if isinstance(value, st.Device) else st.Device(value)

    def to_layout(self, value: Any) -> Any:
        """The layout, unless its tensors need a backend that is not there."""
        return built_layout(value)

    def number(self, value: Any) -> int | float | complex | None:
        """The Python number of a numpy scalar."""
        return value.item() if isinstance(value, (np.number, np.bool_)) else None

    def dim(self, tensor: Any) -> int:
        """Number of dimensions."""
        return tensor._a_.ndim

    def numel(self, tensor: Any) -> int:
        """Number of elements."""
        return tensor._a_.size

    def requires_grad(self, tensor: Any) -> bool:
        """Whether gradients flow to it."""
        return bool(tensor._sig_ & S.REQUIRES_GRAD)

    def is_integral(self, tensor: Any) -> bool:
        """Whether its dtype is integral, bool excluded."""
        return tensor._a_.dtype.kind in "iu"

    def is_bool(self, tensor: Any) -> bool:
        """Whether its dtype is bool."""
        return tensor._a_.dtype.kind == "b"

    def item(self, tensor: Any) -> Any:
        """Its one number."""
        return tensor.item()

    def type_name(self, value: Any) -> str:
        """The type's name in messages."""
        for cls, name in (
            (st.DType, "torch.dtype"),
            (st.Device, "torch.device"),
            (constants.layout, "torch.layout"),
            (constants.memory_format, "torch.memory_format"),
            (Size, "torch.Size"),
            (st.UntypedStorage, "torch.storage.UntypedStorage"),
            (st.TypedStorage, "torch.storage.TypedStorage"),
        ):
            if isinstance(value, cls):
                return name
        if type(value) in self.generator_types:
            return "torch._C.Generator"
        if type(value).__module__ == "torch":
            return type(value).__name__
        return python_type_name(value)


TYPES = Types()


#: Methods of ops whose signatures torch writes by hand; all of them mean the only overload.
_WRITTEN_OPS = {"copy_": WRITTEN["Tensor.copy_"]}


def parser_of(base: str, group: list[Overload], *, method: bool) -> ArgumentParser:
    """The parser of a function or method; ``parse`` answers with a place in *group*."""
    if method and base in _WRITTEN_OPS:
        written = _WRITTEN_OPS[base]
        group += group * (len(written) - len(group))
        return ArgumentParser.from_signatures(base, written, types=TYPES, method=True)
    return ArgumentParser.from_schemas(base, _Schemas(group), types=TYPES, method=method)


class _Schemas(Sequence[Any]):
    """The schemas of overloads, each parsed when it is asked for, and for the overload too.

    That of an ``out=`` form which follows its row's functional one is not, until a call names a
    target.
    """

    __slots__ = ("_group",)

    def __init__(self, group: list[Overload]) -> None:
        self._group = group

    def __len__(self) -> int:
        return len(self._group)

    def __iter__(self) -> Iterator[Any]:
        functional: dict[str, int] = {}
        for place, overload in enumerate(self._group):
            row = overload.row
            if overload.kind == FUNCTIONAL:
                functional[row.name] = place
            elif overload.kind == OUT and row.name in functional:
                yield OutForm(functional[row.name], out_names(row), overload.parsed)
                continue
            yield overload.parsed()

    def __getitem__(self, place: Any) -> Any:
        return self._group[place].parsed()


@cache
def written_parser(name: str) -> ArgumentParser:
    """The parser of what is no op, as ``Tensor.to``: its signatures are written by hand."""
    base = name.rpartition(".")[2]
    return ArgumentParser.from_signatures(base, WRITTEN[name], types=TYPES)
