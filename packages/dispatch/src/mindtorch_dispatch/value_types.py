"""What the parser asks about values; a framework supplies it."""

from __future__ import annotations

from typing import Any, Protocol


class ValueTypes(Protocol):
    """What the parser asks about values; a framework supplies it."""

    @property
    def tensor_types(self) -> frozenset[type]:
        """Classes whose instances are tensors without a further question."""
        ...

    @property
    def dtype_types(self) -> frozenset[type]:
        """Those of dtypes."""
        ...

    @property
    def device_types(self) -> frozenset[type]:
        """Those of devices."""
        ...

    @property
    def layout_types(self) -> frozenset[type]:
        """Those of layouts."""
        ...

    @property
    def memory_format_types(self) -> frozenset[type]:
        """Those of memory formats."""
        ...

    @property
    def generator_types(self) -> frozenset[type]:
        """Those of generators."""
        ...

    @property
    def storage_types(self) -> frozenset[type]:
        """Those of storages."""
        ...

    @property
    def stream_types(self) -> frozenset[type]:
        """Those of streams."""
        ...

    def is_tensor(self, value: Any) -> bool:
        """Whether it passes for a tensor (subclasses; also by ``__torch_function__``)."""
        ...

    def to_dtype(self, value: type) -> Any:
        """The dtype that ``float``, ``int``, ``bool`` or ``complex`` stands for."""
        ...

    def to_device(self, value: Any) -> Any:
        """The device that a str or int names; raises torch's error for a bad one."""
        ...

    def to_layout(self, value: Any) -> Any:
        """The layout itself; raises torch's error for one that the framework has no tensors of."""
        ...

    def number(self, value: Any) -> int | float | complex | None:
        """The Python number of a foreign scalar (numpy's), else None. A numpy bool gives a bool."""
        ...

    def dim(self, tensor: Any) -> int:
        """Its number of dimensions."""
        ...

    def numel(self, tensor: Any) -> int:
        """Its number of elements."""
        ...

    def requires_grad(self, tensor: Any) -> bool:
        """Whether autograd records what happens to it."""
        ...

    def is_integral(self, tensor: Any) -> bool:
        """Whether its dtype is integral; bool is not."""
        ...

    def is_bool(self, tensor: Any) -> bool:
        """Whether its dtype is bool."""
        ...

    def item(self, tensor: Any) -> int | float | complex:
        """The number in a tensor of one element."""
        ...

    def type_name(self, value: Any) -> str:
        """The type's name in messages: ``python_type_name``, but ``torch.dtype`` and the like."""
        ...
