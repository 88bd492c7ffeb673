"""``torch.__config__``: what this build is made of."""

from __future__ import annotations

import os
import platform

import numpy

from mindtorch.__about__ import __version__
from mindtorch.aten import torch
from mindtorch.backends import cpu

__all__ = ["parallel_info", "show"]


def show() -> str:
    """A readable text: the libraries that compute, and the build's facts."""
    capability = cpu.get_cpu_capability()
    return (
        "PyTorch built with:\n"
        f"  - Python {platform.python_version()}\n"
        f"  - NumPy {numpy.__version__}\n"
        "  - LAPACK is enabled (provided by NumPy)\n"
        f"  - CPU capability usage: {capability}\n"
        f"  - Build settings: TORCH_VERSION={__version__}, USE_CUDA=0, USE_CUDNN=OFF, "
        "USE_MKL=OFF, USE_MKLDNN=OFF, USE_MPI=OFF, USE_NCCL=OFF, USE_NNPACK=OFF, USE_OPENMP=OFF, "
        "USE_ROCM=OFF, USE_XPU=OFF, \n"
    )


def parallel_info() -> str:
    """A readable text: how many threads work on one op and on several."""
    return (
        "ATen/Parallel:\n"
        f"\tat::get_num_threads() : {torch.get_num_threads()}\n"
        f"\tat::get_num_interop_threads() : {torch.get_num_interop_threads()}\n"
        f"std::thread::hardware_concurrency() : {os.cpu_count()}\n"
        "Environment variables:\n"
        f"\tOMP_NUM_THREADS : {os.environ.get('OMP_NUM_THREADS', '[not set]')}\n"
        f"\tMKL_NUM_THREADS : {os.environ.get('MKL_NUM_THREADS', '[not set]')}\n"
        "ATen parallel backend: native thread pool\n"
    )


def _cxx_flags() -> str:
    """The compiler's options: none, for nothing was compiled."""
    return ""
