"""``torch._utils_internal``: names that libraries import from torch's inside."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from mindtorch.compat.build_facts import (
    USE_GLOBAL_DEPS,
    USE_RTLD_GLOBAL_WITH_LIBTORCH,
    get_file_path,
    prepare_multiprocessing_environment,
    profiler_allow_cudagraph_cupti_lazy_reinit_cuda12,
)
from mindtorch.core.internal_functions import deprecated

__all__ = [
    "USE_GLOBAL_DEPS",
    "USE_RTLD_GLOBAL_WITH_LIBTORCH",
    "deprecated",
    "get_file_path",
    "get_file_path_2",
    "get_writable_path",
    "is_fb_unit_test",
    "justknobs_check",
    "justknobs_getval_int",
    "log_export_usage",
    "prepare_multiprocessing_environment",
    "profiler_allow_cudagraph_cupti_lazy_reinit_cuda12",
    "resolve_library_path",
    "signpost_event",
]

TEST_MASTER_ADDR = "127.0.0.1"
TEST_MASTER_PORT = 29500


def justknobs_check(name: str, default: bool = True) -> bool:
    """*default*: there are no remote switches."""
    return default


def justknobs_getval_int(name: str) -> int:
    """0: there are no remote switches."""
    return 0


def is_fb_unit_test() -> bool:
    """False: this is not the company that wrote torch."""
    return False


def log_export_usage(**kwargs: Any) -> None:
    """Tell nobody."""


def signpost_event(category: str, name: str, parameters: dict[str, Any]) -> None:
    """Tell nobody."""


def get_file_path_2(*path_components: str) -> str:
    """The components as one path."""
    return os.path.join(*path_components)


def get_writable_path(path: str) -> str:
    """*path* if it may be written to, else a new folder for temporary files."""
    return path if os.access(path, os.W_OK) else tempfile.mkdtemp(suffix=os.path.basename(path))


def resolve_library_path(path: str) -> str:
    """*path* without links."""
    return os.path.realpath(path)
