"""Layouts and devices that torch has kernels for and this build has none: how they are refused."""

from __future__ import annotations

from mindtorch_storage.device import CUDA

from . import constants
from .late_bound import LateBound

__all__ = ["built_layout", "missing_backend", "not_built"]

#: torch has kernels of their own for these; nested tensors (jagged) are no tensors of a factory.
_BACKENDS_OF_LAYOUTS = {
    constants._mkldnn: "MkldnnCPU",
}


_SPARSE = frozenset(
    (
        constants.sparse_coo,
        constants.sparse_csr,
        constants.sparse_csc,
        constants.sparse_bsr,
        constants.sparse_bsc,
    )
)
#: Registers what is there for sparse tensors.
load_sparse = LateBound("load_sparse")

#: Devices of builds other than this one.
_LEFT_OUT = frozenset({CUDA, "xpu"})


def built_layout(layout: constants.layout) -> constants.layout:
    """*layout*; raises NotImplementedError where this build has no backend for its tensors."""
    if layout in _SPARSE:
        load_sparse()
    backend = _BACKENDS_OF_LAYOUTS.get(layout)
    if backend is not None:
        raise not_built(backend)
    return layout


def missing_backend(kind: str) -> Exception:
    """torch's error for a device type that this build has no backend for."""
    if kind in _LEFT_OUT:
        return AssertionError(f"Torch not compiled with {kind.upper()} enabled")
    return not_built(kind.upper())


def not_built(backend: str, op: str = "aten::empty.memory_format") -> NotImplementedError:
    """torch's error for a tensor of a backend (``MAIA``, ``SparseCPU``) that lacks *op*."""
    return NotImplementedError(
        f"Could not run '{op}' with arguments from the '{backend}' "
        "backend. This could be because the operator doesn't exist for this backend, or was "
        "omitted during the selective/custom build process (if using custom build)."
    )
