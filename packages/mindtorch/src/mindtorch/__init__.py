"""mindtorch: PyTorch's semantics in Python on numpy. ``import mindtorch as torch``."""

from __future__ import annotations

from typing import Any

import numpy as _np
from mindtorch_storage import (
    Device as device,
)
from mindtorch_storage import (
    DType as dtype,
)
from mindtorch_storage import (
    TypedStorage,
    UntypedStorage,
    bfloat16,
    bool,
    can_cast,
    cdouble,
    cfloat,
    complex64,
    complex128,
    double,
    finfo,
    float,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    promote_types,
    short,
    uint8,
    uint16,
    uint32,
    uint64,
)

from .__about__ import __version__
from .constants import *  # noqa: F403
from .size import Size
from .tensor import Tensor

# torch's CPU kernels say nothing of overflow, NaN or division by zero.
_np.seterr(all="ignore")

from . import autograd, library  # noqa: E402
from .autograd import (  # noqa: E402
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .data import as_tensor, asarray, from_numpy, frombuffer, tensor  # noqa: E402
from .defaults import (  # noqa: E402
    get_default_device,
    set_default_device,
    set_default_dtype,
)
from .functions import *  # noqa: E402, F403
from .install import install as _install  # noqa: E402
from .ops import families as _families  # noqa: E402, F401
from .pipelines import pipeline  # noqa: E402
from .printing import set_printoptions  # noqa: E402

_install()
del _install


def __getattr__(name: str) -> Any:
    from .ops.register import FUNCTIONS

    try:
        return FUNCTIONS[name]
    except KeyError:
        raise AttributeError(f"module 'torch' has no attribute '{name}'") from None
