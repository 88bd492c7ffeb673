"""What a stage receives: from which stage, into which memory, and what it is."""

from __future__ import annotations

from ...tensor import Tensor
from ._metadata import TensorMeta

__all__ = ["_RecvInfo"]


class _RecvInfo:
    """One tensor that a stage gets: from another stage, or from the program that runs it.

    :ivar source: the index of the stage that sends it; None if the program gives it.
    :ivar buffer: where it is received; None, too, for a gradient that does not exist.
    """

    def __init__(
        self,
        input_name: str,
        source: int | None,
        buffer: Tensor | None,
        tensor_meta: TensorMeta | None,
        *,
        is_root_arg: bool = False,
    ) -> None:
        self.input_name = input_name
        self.source = source
        self.buffer = buffer
        self.tensor_meta = tensor_meta
        self.is_root_arg = is_root_arg

    def __repr__(self) -> str:
        if self.is_root_arg:
            return f"_RecvInfo(input={self.input_name}, root_arg=True)"
        meta = type(self.tensor_meta).__name__ if self.tensor_meta else "None"
        shape = "None" if self.buffer is None else self.buffer.size()
        return (
            f"_RecvInfo(input={self.input_name}, source={self.source}, shape={shape}, meta={meta})"
        )
