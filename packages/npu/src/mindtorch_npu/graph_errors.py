"""The texts of graphs that torch has too, as ``errors.py`` has all others."""

from __future__ import annotations

from mindtorch_npu.errors import AcceleratorError
from mindtorch_npu.naming import NAME, TYPE

__all__: list[str] = []


def _refused(what: str, code: int) -> AcceleratorError:
    """An error of the CUDA runtime, as torch c10/cuda/CUDAException.cpp words it (first line)."""
    return AcceleratorError(f"{NAME} error: {what}", code)


def illegal_state() -> AcceleratorError:
    """CUDA runtime error 401 (cudaErrorIllegalState)."""
    return _refused("the operation cannot be performed in the present state", 401)


def not_while_capturing() -> AcceleratorError:
    """CUDA runtime error 900 (cudaErrorStreamCaptureUnsupported)."""
    return _refused("operation not permitted when stream is capturing", 900)


def capture_failed() -> AcceleratorError:
    """CUDA runtime error 901 (cudaErrorStreamCaptureInvalidated)."""
    return _refused("operation failed due to a previous error during capture", 901)


def captures_merged() -> AcceleratorError:
    """CUDA runtime error 902 (cudaErrorStreamCaptureMerge)."""
    return _refused("operation would result in a merge of separate capture sequences", 902)


def capture_unjoined() -> AcceleratorError:
    """CUDA runtime error 904 (cudaErrorStreamCaptureUnjoined)."""
    return _refused("capturing stream has unjoined work", 904)


def uncaptured_work() -> AcceleratorError:
    """CUDA runtime error 905 (cudaErrorStreamCaptureIsolation)."""
    return _refused("dependency created on uncaptured work in another stream", 905)


def captured_event() -> AcceleratorError:
    """CUDA runtime error 907 (cudaErrorCapturedEvent)."""
    return _refused("operation not permitted on an event last recorded in a capturing stream", 907)


def capture_of_other_thread() -> AcceleratorError:
    """CUDA runtime error 908 (cudaErrorStreamCaptureWrongThread)."""
    what = "attempt to terminate a thread-local capture sequence from another thread"
    return _refused(what, 908)


def capture_mode(mode: object) -> RuntimeError:
    """torch csrc/cuda/Graph.cpp, capture_begin."""
    return RuntimeError(
        f"Unknown capture error mode. Expected `global`, `thread_local`, or `relaxed`, got {mode}"
    )


def capture_on_default_stream() -> RuntimeError:
    """torch ATen/cuda/CUDAGraph.cpp, capture_begin."""
    return RuntimeError(
        f"{NAME} graphs must be captured on a non-default stream. (However, after capture, it's ok "
        "to replay them on the default stream.)"
    )


def capture_on_other_stream() -> RuntimeError:
    """torch ATen/cuda/CUDAGraph.cpp, capture_end."""
    return RuntimeError("Capture must end on the same stream it began on.")


def graph_is_captured() -> RuntimeError:
    """torch ATen/cuda/CUDAGraph.cpp, capture_begin."""
    return RuntimeError(
        f"This {NAME}Graph instance already owns a captured graph. To capture a new graph, create "
        "a new instance."
    )


def graph_is_empty() -> str:
    """torch ATen/cuda/CUDAGraph.cpp, capture_end; a warning."""
    return (
        f"The {NAME} Graph is empty. This usually means that the graph was attempted to be "
        "captured on wrong device or stream."
    )


_NOT_CAPTURED = {
    "instantiate": "capture_end() must have been called before calling instantiate",
    "pool": f"Called {NAME}Graph::pool() without a preceding successful capture.",
    "raw": f"You cannot access the raw {TYPE}Graph_t instance until capture_end() has been called",
    "raw_exec": f"You cannot access the raw {TYPE}GraphExec_t instance until instantiate() has "
    "been called",
    "replay": f"Called {NAME}Graph::replay without a preceding successful capture.",
}


def graph_is_not_captured(what: str) -> RuntimeError:
    """torch ATen/cuda/CUDAGraph.cpp, the method *what*."""
    return RuntimeError(_NOT_CAPTURED[what])


def graph_is_not_kept(what: str) -> RuntimeError:
    """torch ATen/cuda/CUDAGraph.cpp, instantiate and raw_cuda_graph."""
    if what == "raw":
        return RuntimeError(
            f"You cannot access the raw {TYPE}Graph_t instance unless {NAME}Graph was initialized "
            "with keep_graph=true"
        )
    return RuntimeError(
        "instantiate() is intended to be called by the user only when keep_graph=true"
    )


def not_in_capture(attempt: str) -> RuntimeError:
    """torch ATen/cuda/CUDAGraphsUtils.cuh, assertNotCapturing."""
    return RuntimeError(
        f"{attempt} during {NAME} graph capture. If you need this call to be captured, please file "
        f"an issue. Current {TYPE}StreamCaptureStatus: {TYPE}StreamCaptureStatusActive"
    )


def other_seed_in_capture() -> RuntimeError:
    """torch ATen/cuda/CUDAGeneratorImpl.cpp, set_current_seed."""
    return RuntimeError(
        f"{NAME}GeneratorImpl::set_current_seed can be called during stream capture only if new "
        "seed is the same as the original seed."
    )


def no_annotations() -> RuntimeError:
    """Not torch's: there it needs NVIDIA's bindings."""
    return RuntimeError("the simulated NPU has no annotations of graphs: no profiler listens")
