"""How texts name the accelerator, and the metaclass of classes that live where torch has them."""

from __future__ import annotations

from typing import Final, TypeVar

from mindtorch_storage.device import ACCELERATOR, ACCELERATOR_IS_CUDA

__all__ = ["CHIP", "NAME", "TYPE", "Named", "named_by_type"]

TYPE: Final = ACCELERATOR
"""The device type, which is also what its module is called: ``npu``, or ``cuda``."""

NAME: Final = TYPE.upper()
"""As texts have it: ``NPU error: …``."""

CHIP: Final = "GPU" if ACCELERATOR_IS_CUDA else NAME
"""What one of them is called where torch does not say CUDA."""

_Class = TypeVar("_Class", bound=type)


def named_by_type(kind: _Class) -> _Class:
    """Give what *kind* names after the npu the device type's name as well: ``cuda_stream``."""
    for name, value in list(vars(kind).items()):
        if "npu" in name:
            setattr(kind, name.replace("npu", TYPE), value)
    return kind


class Named(type):
    """So that who joins the packages can say how pickle finds such classes.

    ``pickle`` asks a reducer of the metaclass before it looks at ``__module__``.
    """
