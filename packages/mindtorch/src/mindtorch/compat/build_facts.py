"""What ``torch`` tells of its build, and small functions that programs import from it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..aten import torch
from ..call.intercept import PARSED, overridable
from ..core.constants import contiguous_format
from ..core.unavailable import QUANTIZED, SPARSE, refusal

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


def _is_distributed(input: Any) -> bool:
    """False: no tensor lies on several machines."""
    return False


_is_distributed.__name__ = _is_distributed.__qualname__ = "is_distributed"
is_distributed = overridable(_is_distributed, PARSED)


def is_vulkan_available() -> bool:
    """False: there is no Vulkan here."""
    return False


class qscheme:
    """How a quantized tensor keeps its scale: a constant of torch."""

    _name: str

    def __new__(cls) -> qscheme:
        raise TypeError("cannot create 'torch.qscheme' instances")

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


_QSCHEMES = (
    "per_tensor_affine per_channel_affine per_tensor_symmetric per_channel_symmetric "
    "per_channel_affine_float_qparams"
).split()


def _scheme(name: str) -> qscheme:
    made: qscheme = object.__new__(qscheme)
    made._name = name
    return made


globals().update({name: _scheme(name) for name in _QSCHEMES})

_SPARSE = (
    "sparse_bsc_tensor sparse_bsr_tensor sparse_compressed_tensor sparse_coo_tensor "
    "sparse_csc_tensor sparse_csr_tensor ccol_indices_copy col_indices_copy crow_indices_copy "
    "hspmm indices_copy resize_as_sparse_ row_indices_copy smm sspaddmm values_copy"
).split()
_QUANTIZED = (
    "quantize_per_channel quantize_per_tensor quantize_per_tensor_dynamic dequantize int_repr "
    "q_per_channel_axis q_per_channel_scales q_per_channel_zero_points q_scale q_zero_point"
).split()


def _refusals(names: list[str], reason: str) -> dict[str, Any]:
    # What overrides a function gets its calls, whether or not there is anything below.
    return {name: overridable(refusal(f"torch.{name}", reason), PARSED) for name in names}


globals().update(_refusals(_SPARSE, SPARSE) | _refusals(_QUANTIZED, QUANTIZED))
#: Older names; dense tensors are multiplied by the former two as well.
dsmm = spmm = torch.mm
hsmm, saddmm = globals()["hspmm"], globals()["sspaddmm"]
