"""What a captured graph reads from outside of it, and whether that is still there at a replay.

Source: torch/utils/_cuda_debug.py.
"""

from __future__ import annotations

import textwrap
import traceback
import weakref
from collections.abc import Iterator
from typing import Any

from mindtorch_npu import graphs
from mindtorch_npu.naming import NAME
from mindtorch_npu.snapshots import memory_snapshot

from ..core import signature as S
from ..tensor import Tensor
from ._python_dispatch import TorchDispatchMode
from ._pytree import tree_leaves

__all__ = ["Inputs"]

#: So many dead tensors are told of one by one.
_SHOWN = 5


def _stack(inner: int) -> str:
    """The program's stack, without that many frames of those who ask."""
    return "".join(traceback.format_stack()[: -inner - 1])


class _Input:
    """A tensor that a graph reads, by its storage: where it was first read, and where it died."""

    def __init__(self, tensor: Tensor) -> None:
        self.data_ptr = tensor.data_ptr()
        self.device_index = tensor.device.index
        self.read_at = _stack(5)
        self.died_at = ""
        storage = tensor.untyped_storage()
        self._begin = storage.data_ptr()
        self._storage = weakref.ref(storage, self._dies)

    def _dies(self, storage: object) -> None:
        self.died_at = _stack(1)

    def is_alive(self) -> bool:
        """Whether its storage is there, and where it was."""
        storage = self._storage()
        return storage is not None and storage.data_ptr() == self._begin

    def told(self, number: int) -> str:
        """What an error says of it."""
        parts = [f"Dead tensor #{number} (data_ptr={self.data_ptr:#x}):\n"]
        parts.append(_part("Creation Traceback (Python)", self.read_at))
        parts.append(_part("Deletion Traceback (Python)", self.died_at))
        return "".join(parts)


def _part(title: str, stack: str) -> str:
    return f"  {title}:\n{textwrap.indent(stack.strip(), '    ')}\n" if stack else ""


class Inputs:
    """Follows what a graph reads from outside while it is captured."""

    def __init__(self) -> None:
        self._read: dict[int, _Input] = {}
        self._made: set[int] = set()
        self._mode: _Mode | None = None

    def start(self) -> None:
        """Watch the operators of this thread."""
        self._mode = _Mode(self)
        self._mode.__enter__()

    def stop(self) -> None:
        """Watch no more."""
        if self._mode is not None:
            mode, self._mode = self._mode, None
            mode.__exit__(None, None, None)

    def note(self, read: Any, made: Any) -> None:
        """An operator has read some tensors, and gave others."""
        for tensor in _tensors(read):
            known = tensor.data_ptr() in self._made or tensor.data_ptr() in self._read
            if tensor.data_ptr() and not known and (_is_there(tensor) or tensor.is_pinned()):
                self._read[tensor.data_ptr()] = _Input(tensor)
        outputs = {tensor.data_ptr() for tensor in _tensors(made) if _is_there(tensor)}
        self._made |= outputs.difference(self._read)

    def check(self, pool: tuple[int, int]) -> None:
        """Raises RuntimeError where something is gone that is not the graph's own, in *pool*."""
        dead = [each for each in self._read.values() if not each.is_alive()]
        if dead:
            own = memory_snapshot(pool, include_traces=False)
            dead = [each for each in dead if not _is_in(each, own)]
        if not dead:
            return
        parts = [f"{NAME} graph replay detected {len(dead)} dead tensor(s).\n"]
        parts += [each.told(i) for i, each in enumerate(dead[:_SHOWN], 1)]
        if len(dead) > _SHOWN:
            parts.append(f"  ... and {len(dead) - _SHOWN} more\n")
        parts.append(_part("Replay Traceback (Python)", _stack(2)))
        raise RuntimeError("".join(parts))


def _tensors(tree: Any) -> Iterator[Tensor]:
    return (value for value in tree_leaves(tree) if isinstance(value, Tensor))


def _is_there(tensor: Tensor) -> bool:
    return bool(tensor._sig_ & S.STREAMED)


def _is_in(dead: _Input, segments: list[dict[str, Any]]) -> bool:
    """Whether the memory is in use in one of *segments*."""
    return any(
        block["address"] <= dead.data_ptr < block["address"] + block["size"]
        and "active" in block["state"]
        for segment in segments
        if segment["device"] == dead.device_index
        for block in segment["blocks"]
    )


class _Mode(TorchDispatchMode):
    """Tells *inputs* of each operator that is captured."""

    def __init__(self, inputs: Inputs) -> None:
        super().__init__()
        self._inputs = inputs

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        result = func(*args, **kwargs)
        given = (args, kwargs)
        if graphs.is_current_stream_capturing() and any(map(_is_there, _tensors(given))):
            self._inputs.note(given, result)
        return result
