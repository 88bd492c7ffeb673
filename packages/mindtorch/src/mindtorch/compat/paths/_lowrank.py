"""``torch._lowrank``: where torch has :mod:`mindtorch.linalg.lowrank`."""

from mindtorch.linalg.lowrank import (
    _svd_lowrank,
    get_approximate_basis,
    pca_lowrank,
    svd_lowrank,
)

__all__ = ["_svd_lowrank", "get_approximate_basis", "pca_lowrank", "svd_lowrank"]
