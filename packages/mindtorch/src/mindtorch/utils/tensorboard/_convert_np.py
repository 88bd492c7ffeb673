"""Values as numpy arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...aten.torch import Tensor, bfloat16, float16


def make_np(x: Any) -> Any:
    """*x*, an array, a number or a tensor, as an array. Raises NotImplementedError for others."""
    if isinstance(x, np.ndarray):
        return x
    if np.isscalar(x):
        return np.array([x])
    if isinstance(x, Tensor):
        return _prepare_pytorch(x)
    raise NotImplementedError(f"Got {type(x)}, but numpy array or torch tensor are expected.")


def _prepare_pytorch(x: Tensor) -> Any:
    if x.dtype == bfloat16:
        x = x.to(float16)
    return x.detach().cpu().numpy()
