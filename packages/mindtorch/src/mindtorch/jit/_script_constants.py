"""Constants of scripts: as source, and the tensors that source names."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import Device

from ..tensor import Tensor
from ._text import float_text

__all__ = ["ConstMap", "Constants", "constant_text", "with_constants"]


class Constants:
    """Tensors that source names as ``CONSTANTS``."""

    def __init__(self) -> None:
        self.tensors: list[Tensor] = []

    def name(self, tensor: Tensor) -> str:
        """The name of *tensor*."""
        for i, known in enumerate(self.tensors):
            if known is tensor:
                return f"CONSTANTS.c{i}"
        self.tensors.append(tensor)
        return f"CONSTANTS.c{len(self.tensors) - 1}"


def constant_text(value: Any, constants: Constants | None = None) -> str:
    """A constant as source."""
    if hasattr(value, "qualified_name"):
        return str(value.qualified_name)
    if isinstance(value, bool) or value is None:
        return str(value)
    if isinstance(value, float):
        return float_text(value)
    if isinstance(value, str):
        text = value.encode("unicode_escape").decode().replace('"', '\\"').replace("'", "\\'")
        return f'"{text}"'
    if isinstance(value, Device):
        return f'torch.device("{value}")'
    if isinstance(value, Tensor):
        return constants.name(value) if constants is not None else "CONSTANTS.c0"
    if isinstance(value, tuple):
        inner = ", ".join(constant_text(each, constants) for each in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return "[" + ", ".join(constant_text(each, constants) for each in value) + "]"
    if isinstance(value, complex):
        return f"{float_text(value.real)}+{float_text(value.imag)}j"
    return str(value)


class ConstMap:
    """The tensors that source names as ``CONSTANTS``, by attribute."""

    def __init__(self, tensors: list[Tensor]) -> None:
        self.const_mapping = {f"c{i}": tensor for i, tensor in enumerate(tensors)}

    def __getattr__(self, name: str) -> Tensor:
        try:
            return self.__dict__["const_mapping"][name]  # type: ignore[no-any-return]  # a tensor
        except KeyError:
            raise AttributeError(name) from None


def with_constants(function: Any) -> tuple[str, ConstMap]:
    """The source of a function, and the tensors that it names."""
    constants = Constants()
    text: str = function.code(constants)
    return text, ConstMap(constants.tensors)
