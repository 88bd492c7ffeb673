"""The sanitizer of streams under the names that programs for CUDA know."""

from __future__ import annotations

from ..utils.stream_sanitizer import (
    DEFAULT_STREAM_ID,
    Access,
    AccessType,
    ArgumentHandler,
    EventHandler,
    StreamId,
    SynchronizationError,
    UnsynchronizedAccessError,
)
from ..utils.stream_sanitizer import NPUSanitizer as CUDASanitizer
from ..utils.stream_sanitizer import NPUSanitizerDispatchMode as CUDASanitizerDispatchMode
from ..utils.stream_sanitizer import NPUSanitizerErrors as CUDASanitizerErrors
from ..utils.stream_sanitizer import enable_npu_sanitizer as enable_cuda_sanitizer
from ..utils.stream_sanitizer import npu_sanitizer as cuda_sanitizer

__all__ = [
    "DEFAULT_STREAM_ID",
    "Access",
    "AccessType",
    "ArgumentHandler",
    "CUDASanitizer",
    "CUDASanitizerDispatchMode",
    "CUDASanitizerErrors",
    "EventHandler",
    "StreamId",
    "SynchronizationError",
    "UnsynchronizedAccessError",
    "cuda_sanitizer",
    "enable_cuda_sanitizer",
]
