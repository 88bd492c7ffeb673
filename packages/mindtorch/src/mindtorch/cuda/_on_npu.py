"""``torch.cuda`` where ``cuda`` is the name of the simulated NPU.

The NPU's package has torch.cuda's interface. What it offers takes the place of what a build without
CUDA has. Marks for NVIDIA's profilers go nowhere, as where no profiler listens; the rest
of ``torch.cuda`` (NCCL, NVIDIA's management) stays as it is there.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import mindtorch_npu
from mindtorch_npu import graphs as npu_graphs

from . import _absent

__all__ = ["CHANGING", "take_over"]

#: What changes while a program runs, and is read where it changes.
CHANGING = ("_initialization_lock", "_initialized", "_queued_calls", "default_generators")

#: Submodules that both packages have.
_SHARED = ("graphs", "memory", "random", "streams")


def take_over(package: str) -> None:
    """Put the NPU's functions and classes in the place of those of *package*, ``torch.cuda``."""
    for name in _SHARED:
        _put(import_module(f"{package}.{name}"), import_module(f"mindtorch_npu.{name}"))
    _put(_absent, mindtorch_npu)
    _put(import_module(package), mindtorch_npu)

    for name, replaced in _REPLACED.items():
        module = import_module(f"{package}.{name}")
        for attribute, value in replaced.items():
            setattr(module, attribute, value)
            if attribute in vars(import_module(package)):
                setattr(import_module(package), attribute, value)
    vars(import_module(package)).update(
        _cudart=import_module(f"{package}._cudart"),
        DeferredCudaCallError=mindtorch_npu.DeferredNpuCallError,
    )


#: What NVTX answers where no tool listens: NVTX_NO_PUSH_POP_TRACKING.
_NOT_TRACKED = -2


class _Marks:
    """NVTX without a tool that listens."""

    @staticmethod
    def rangePushA(msg: str) -> int:
        """A range of this thread begins."""
        return _NOT_TRACKED

    @staticmethod
    def rangePop() -> int:
        """The innermost range ends."""
        return _NOT_TRACKED

    @staticmethod
    def rangeStartA(msg: str) -> int:
        """A range begins, which another thread may end."""
        return 0

    @staticmethod
    def rangeEnd(range_id: int) -> None:
        """It ends."""

    @staticmethod
    def markA(msg: str) -> None:
        """A moment."""

    @staticmethod
    def deviceRangeStart(msg: str, stream: int) -> None:
        """A range of a stream begins."""

    @staticmethod
    def deviceRangeEnd(range_handle: object, stream: int) -> None:
        """It ends."""


def _nothing() -> None:
    """There is no profiler of NVIDIA's."""


class CUDAGraph(npu_graphs.NPUGraph):
    """Work that was captured."""

    __module__ = "torch.cuda.graphs"


class graph(npu_graphs.graph):
    """``with graph(g):`` captures the work of the block into *g*, a :class:`CUDAGraph`."""

    __module__ = "torch.cuda.graphs"

    def __init__(self, cuda_graph: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(cuda_graph, *args, **kwargs)
        self.cuda_graph = cuda_graph


#: Submodule -> what stands there in place of what a build without CUDA has.
_REPLACED: dict[str, dict[str, Any]] = {
    "graphs": {"CUDAGraph": CUDAGraph, "graph": graph},
    "nvtx": {"_nvtx": _Marks()},
    "profiler": {"start": _nothing, "stop": _nothing},
}


def _put(module: ModuleType, theirs: ModuleType) -> None:
    """Give *module* what *theirs* has, submodules and what belongs to the import system aside."""
    for name in {*vars(module), *dir(theirs)}:
        if name.startswith("__"):
            continue
        found: Any = getattr(theirs, name, None)
        if name in CHANGING:
            vars(module).pop(name, None)
        elif found is not None and not isinstance(found, ModuleType):
            setattr(module, name, found)
