"""``_absent.CUDAGraph`` of a build without CUDA: nothing can be captured."""

from __future__ import annotations

from typing import Any, NoReturn

from ..tensor import Tensor
from ..utils._pytree import arg_tree_leaves
from . import _absent, streams
from ._utils import _check_cuda_bindings, _dummy_type  # noqa: F401  (torch has the first here)

__all__ = [
    "is_current_stream_capturing",
    "graph_pool_handle",
    "CUDAGraph",
    "graph",
    "make_graphed_callables",
]

_CUDAGraph: Any = _dummy_type("_CUDAGraph")


def is_current_stream_capturing() -> NoReturn:
    """Raises RuntimeError: there is no CUDA here."""
    raise RuntimeError("Tried to instantiate dummy base class _cuda_isCurrentStreamCapturing")


def graph_pool_handle() -> NoReturn:
    """Raises RuntimeError: there is no CUDA here."""
    raise RuntimeError("Tried to instantiate dummy base class _graph_pool_handle")


class CUDAGraph(_CUDAGraph):
    """Work that was captured. Making one raises RuntimeError: there is no CUDA here."""

    def __new__(cls, keep_graph: bool = False) -> Any:
        raise RuntimeError("Tried to instantiate dummy base class CUDAGraph")

    def capture_begin(self, pool: Any = None, capture_error_mode: str = "global") -> None:
        """Begin to capture the work of the present stream."""
        super().capture_begin(pool=pool, capture_error_mode=capture_error_mode)

    def capture_end(self) -> None:
        """End the capture."""
        super().capture_end()

    def instantiate(self) -> None:
        """Make what was captured ready to run."""
        super().instantiate()

    def replay(self) -> None:
        """Run what was captured."""
        super().replay()

    def reset(self) -> None:
        """Forget what was captured."""
        super().reset()

    def pool(self) -> Any:
        """The id of the memory pool."""
        return super().pool()

    def enable_debug_mode(self) -> None:
        """Keep what :meth:`debug_dump` writes."""
        super().enable_debug_mode()

    def debug_dump(self, debug_path: str) -> None:
        """Write the graph to a file."""
        super().debug_dump(debug_path)

    def raw_cuda_graph(self) -> int:
        """The address of the graph."""
        return super().raw_cuda_graph()

    def raw_cuda_graph_exec(self) -> int:
        """The address of what runs."""
        return super().raw_cuda_graph_exec()


class graph:
    """``with graph(g):`` captures the work of the block. Making one raises RuntimeError."""

    default_capture_stream: Any = None

    def __init__(
        self,
        cuda_graph: Any,
        pool: Any = None,
        stream: Any = None,
        capture_error_mode: str = "global",
        enable_annotations: bool = False,
        check_input_liveness: bool = False,
    ) -> None:
        if stream is None and type(self).default_capture_stream is None:
            type(self).default_capture_stream = streams.Stream()
        self.pool = () if pool is None else (pool,)
        self.capture_stream = type(self).default_capture_stream if stream is None else stream
        self.stream_ctx = _absent.stream(self.capture_stream)
        self.cuda_graph = cuda_graph
        self.capture_error_mode = capture_error_mode

    def __enter__(self) -> None:
        _absent.synchronize()
        self.stream_ctx.__enter__()
        self.cuda_graph.capture_begin(*self.pool, capture_error_mode=self.capture_error_mode)

    def __exit__(self, *args: object) -> None:
        self.cuda_graph.capture_end()
        self.stream_ctx.__exit__(*args)


def make_graphed_callables(
    callables: Any,
    sample_args: Any,
    num_warmup_iters: int = 3,
    allow_unused_input: bool = False,
    pool: Any = None,
) -> Any:
    """Functions or modules whose work is captured. Raises: there is no CUDA here."""
    lists = sample_args if isinstance(callables, tuple) else (sample_args,)
    for each in lists:
        if not all(isinstance(a, Tensor) for a in arg_tree_leaves(*each)):
            raise AssertionError(
                "In the beta API, sample_args for each callable must contain only Tensors. Other "
                "types are not allowed."
            )
    _absent.synchronize()
    raise RuntimeError("torch.cuda.Stream requires CUDA support")
