"""The execution trace: every call with its arguments, as a graph of nodes in a JSON file."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from mindtorch_dispatch.trace import Trace, tracing

from ..tensor import Tensor

__all__ = ["add", "disable", "enable", "remove"]


class _Writer(Trace):
    """A trace that keeps each call as a node."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self.complete = True
        self.path = path
        self.nodes: list[dict[str, Any]] = []
        self.guard: tracing | None = None
        self._around = [1]

    def call(self, name: str, keys: int, arguments: Any) -> Any:
        values = [value for _, value in arguments]
        node = {
            "id": len(self.nodes) + 2,
            "name": name.partition(".")[0],
            "ctrl_deps": self._around[-1],
            "inputs": {
                "values": [_value(v) for v in values],
                "shapes": [list(v.shape) if isinstance(v, Tensor) else [] for v in values],
                "types": [_type(v) for v in values],
            },
            "outputs": {"values": [], "shapes": [], "types": []},
            "attrs": [{"name": "op_schema", "type": "string", "value": name}],
        }
        self.nodes.append(node)
        return _Node(self, node["id"])

    def kernel(self, *args: Any, **kwargs: Any) -> Any:
        return _Node(self, self._around[-1])

    def span(self, kind: str, name: str, *notes: str) -> Any:
        return _Node(self, self._around[-1])

    def running(self, entry: Any) -> Any:
        return entry.run


class _Node:
    """What is called in here hangs on this node."""

    def __init__(self, writer: _Writer, number: Any) -> None:
        self.writer, self.number = writer, number

    def __enter__(self) -> None:
        self.writer._around.append(self.number)

    def __exit__(self, *exc_info: object) -> None:
        self.writer._around.pop()


def _value(value: Any) -> Any:
    if isinstance(value, Tensor):
        device = str(value.device)
        item = value.element_size()
        return [id(value), id(value), value.storage_offset(), value.numel(), item, device]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (list, tuple)):
        return [_value(v) for v in value]
    return f"<{type(value).__name__}>"


def _type(value: Any) -> str:
    if isinstance(value, Tensor):
        return f"Tensor({str(value.dtype).removeprefix('torch.')})"
    if value is None:
        return "None"
    if isinstance(value, (list, tuple)):
        return f"GenericList[{','.join(_type(v) for v in value)}]"
    return {"bool": "Bool", "int": "Int", "float": "Double", "str": "String"}.get(
        type(value).__name__, type(value).__name__
    )


_writer: _Writer | None = None


def add(path: str) -> bool:
    """Prepare to write to *path*; False if one is there already."""
    global _writer
    if _writer is not None:
        return False
    Path(path).touch()
    _writer = _Writer(path)
    return True


def enable() -> None:
    """Note what this thread calls from now on."""
    if _writer is not None and _writer.guard is None:
        from ..functionality import tracing as _  # noqa: F401  (calls find their way to a trace)

        _writer.guard = tracing(_writer)
        _writer.guard.__enter__()


def disable() -> None:
    """Note nothing more for now."""
    if _writer is not None and _writer.guard is not None:
        _writer.guard.__exit__()
        _writer.guard = None


def remove() -> None:
    """Write the file."""
    global _writer
    writer = _writer
    if writer is None:
        return
    disable()
    _writer = None
    root = {
        "id": 1,
        "name": "[pytorch|profiler|execution_trace|process]",
        "ctrl_deps": 0,
        "inputs": {"values": [], "shapes": [], "types": []},
        "outputs": {"values": [], "shapes": [], "types": []},
        "attrs": [],
    }
    whole = {
        "schema": "1.1.1-chakra.0.0.4",
        "pid": os.getpid(),
        "nodes": [root, *writer.nodes],
    }
    Path(writer.path).write_text(json.dumps(whole, indent=1, default=str), "utf-8")
