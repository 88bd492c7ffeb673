"""A thread's autocast beyond its key: the dtypes it casts to, and the casts that are kept.

Whether autocast is on is a question of dispatch: its key is excluded until it is switched on
(see ``mindtorch_dispatch.tls``). What is here is only read by the key's kernel.
"""

from __future__ import annotations

import threading
import weakref
from typing import Any

import mindtorch_storage as st
from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage.device import CUDA

__all__ = ["DEVICES", "KEYLESS", "clear_casts", "kept_cast", "thread"]

#: Device type -> the key of its autocast, and the dtype that it casts to unless told otherwise.
DEVICES: dict[str, tuple[K, Any]] = {
    "cpu": (K.AutocastCPU, st.bfloat16),
    CUDA: (K.AutocastCUDA, st.float16),
    "xpu": (K.AutocastXPU, st.float16),
    "ipu": (K.AutocastIPU, st.float16),
    "hpu": (K.AutocastHPU, st.bfloat16),
    "xla": (K.AutocastXLA, st.bfloat16),
    st.ACCELERATOR: (K.AutocastPrivateUse1, st.float16),
}
#: Types of devices without a key, for there are no tensors on them: their switches are kept.
KEYLESS: dict[str, Any] = {"mps": st.float16, "mtia": st.float16, "maia": st.bfloat16}


class _Thread(threading.local):
    def __init__(self) -> None:
        self.dtypes = {kind: dtype for kind, (_, dtype) in DEVICES.items()} | KEYLESS
        self.dtypes["hip"] = st.float16  # that much of it torch knows
        #: Those of the types without a key whose autocast is on.
        self.keyless: set[str] = set()
        self.cache_enabled = True
        self.nesting = 0


#: What this thread has chosen.
thread = _Thread()
#: id of a parameter -> (weak reference to it, its cast). Shared by all threads, as in torch.
_casts: dict[int, tuple[weakref.ref[Any], Any]] = {}


def clear_casts() -> None:
    """Forget the casts that were kept."""
    _casts.clear()


def kept_cast(parameter: Any, dtype: Any) -> Any:
    """*parameter* in *dtype*; the same tensor for every op until the outermost block ends."""
    if not thread.cache_enabled:
        return parameter.to(dtype)
    kept = _casts.get(id(parameter))
    if kept is not None and kept[0]() is parameter and kept[1].dtype is dtype:
        return kept[1]
    cast = parameter.to(dtype)
    _casts[id(parameter)] = (weakref.ref(parameter), cast)
    return cast
