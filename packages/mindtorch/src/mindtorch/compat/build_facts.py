"""What ``torch`` tells of its build, and small functions that programs import from it."""

from __future__ import annotations

import os
from pathlib import Path

from ..aten import torch
from ..core.constants import contiguous_format
from ..core.qscheme import QSCHEMES
from ..core.qscheme import qscheme as _qscheme

#: What the build has: numpy's linear algebra and Fourier transforms, neither MKL nor OpenMP.
has_mkl = False
has_lapack = True
has_openmp = False
has_spectral = True
USE_GLOBAL_DEPS = True
USE_RTLD_GLOBAL_WITH_LIBTORCH = False
PRIVATE_OPS = ("unique_dim",)


#: An older name of the format.
legacy_contiguous_format = contiguous_format


class FatalError(Exception):
    """An error after which a process cannot go on."""


def compiled_with_cxx11_abi() -> bool:
    """True: whatever is compiled for torch uses the newer strings of C++."""
    return True


def get_file_path(*path_components: str) -> str:
    """A path below the folder that holds the package."""
    return os.path.join(str(Path(__file__).parent.parent), *path_components)


def prepare_multiprocessing_environment(path: str) -> None:
    """Prepare for processes of the program in *path*: nothing."""


def profiler_allow_cudagraph_cupti_lazy_reinit_cuda12() -> bool:
    """True: as torch answers outside of its own company."""
    return True


def init_num_threads() -> None:
    """Let this thread use as many threads as are set: it does."""


def is_vulkan_available() -> bool:
    """False: there is no Vulkan here."""
    return False


def _nnpack_available() -> bool:
    """False: there is no NNPACK here."""
    return False


def _use_cudnn_rnn_flatten_weight() -> bool:
    """False: there is no cuDNN here, which would have weights in one piece."""
    return False


globals().update(QSCHEMES)
qscheme = _qscheme

#: Older names; dense tensors are multiplied by the former two as well.
dsmm = spmm = torch.mm
