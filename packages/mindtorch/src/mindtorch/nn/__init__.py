"""``torch.nn``: layers, their functions, and how parameters begin."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..core.submodules import reached as _reached
from . import functional, init, modules, parameter, utils
from .modules import *
from .modules import __all__ as _layers
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

__all__ = [
    *_layers,
    "Buffer",
    "Parameter",
    "UninitializedBuffer",
    "UninitializedParameter",
    "functional",
    "init",
    "modules",
    "parameter",
    "utils",
]
del _layers

# torch has it there too; ``utils`` is made of layers, so it comes after them.
vars(modules.rnn)["PackedSequence"] = utils.rnn.PackedSequence
modules.batchnorm.over_processes.bind(f"{__name__}.parallel.sync_batch_norm")

#: Imported when first asked for, as by a star import; those that torch does not import stand apart.
_LATER = "attention common_types grad intrinsic parallel qat quantizable quantized".split()
_OTHERS = "_reduction backends cpp".split()
_PARALLEL = dict.fromkeys(("DataParallel", "DistributedDataParallel"), ".parallel")
__all__ += [*_LATER, *"DataParallel factory_kwargs".split()]


def factory_kwargs(kwargs: dict[str, Any] | None) -> dict[str, Any]:
    """Of *kwargs*, what functions that make tensors take: ``device``, ``dtype`` and the like.

    Raises TypeError for a key of another kind, and for one that stands there twice.
    """
    if kwargs is None:
        return {}
    plain = {"device", "dtype", "memory_format"}
    if not kwargs.keys() <= {*plain, "factory_kwargs"}:
        raise TypeError(f"unexpected kwargs {kwargs.keys() - {*plain, 'factory_kwargs'}}")
    found = dict(kwargs.get("factory_kwargs", {}))
    for key in ("device", "dtype", "memory_format"):
        if key in kwargs:
            if key in found:
                raise TypeError(f"{key} specified twice, in **kwargs and in factory_kwargs")
            found[key] = kwargs[key]
    return found


__getattr__ = _reached(__name__, (*_LATER, *_OTHERS), _PARALLEL)


def __dir__() -> list[str]:
    return sorted(__all__)
