"""mindtorch: PyTorch's semantics in Python on numpy. ``import mindtorch as torch``."""

from __future__ import annotations

import warnings as _warnings
from math import e, inf, nan, pi
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

# torch's CPU kernels say nothing of overflow, NaN or division by zero. numpy's setting holds for
# this thread only; for the others the warnings that rise from here are filtered.
_np.seterr(all="ignore")
_warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"mindtorch\.")

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
from .generator import (  # noqa: E402
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .install import install as _install  # noqa: E402
from .ops import families as _families  # noqa: E402, F401
from .ops.register import FUNCTIONS as _FUNCTIONS  # noqa: E402
from .pipelines import pipeline  # noqa: E402
from .printing import set_printoptions  # noqa: E402

newaxis = None
_install()
del _install
# The package of the op rows; users mean torch.ops, the namespace of operators.
del ops  # type: ignore[name-defined]  # noqa: F821


#: Submodules and functions that are imported when first asked for: most programs use few of them.
_LAZY = {
    "_C": "",
    "_ops": "",
    "OutOfMemoryError": ".npu",
    "_utils": "",
    "load": ".serialization",
    "nn": "",
    "npu": "",
    "ops": "._ops",
    "optim": "",
    "return_types": "",
    "save": ".serialization",
    "serialization": "",
    "testing": "",
    "utils": "",
}


def __getattr__(name: str) -> Any:
    found: Any = _FUNCTIONS.get(name)
    if found is None and name.endswith("Tensor"):
        from .legacy import TENSOR_TYPES, tensor_type

        if name in TENSOR_TYPES:
            found = globals()[name] = tensor_type(name)
            return found
    if found is None:
        home = _LAZY.get(name)
        if home is None:
            raise AttributeError(f"module 'torch' has no attribute '{name}'")
        from importlib import import_module

        if home:
            found = getattr(import_module(home, __name__), name)
        else:
            found = import_module(f".{name}", __name__)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_FUNCTIONS})
