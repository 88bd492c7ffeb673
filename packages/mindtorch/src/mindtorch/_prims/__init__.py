"""``torch._prims``: torch's primitives, small operators that convert and broadcast nothing.

They are the operators of ``torch.ops.prims``, too.
"""

from typing import Any

from .. import _prims_common as utils
from ..core.submodules import reached as _reached
from .creation import TABLE as _CREATION
from .definition import RETURN_TYPE
from .elementwise import TABLE as _ELEMENTWISE
from .reductions import TABLE as _REDUCTIONS
from .shaping import TABLE as _SHAPING
from .shaping import expand_dims

_TABLE = {**_ELEMENTWISE, **_SHAPING, **_REDUCTIONS, **_CREATION}
globals().update(_TABLE)

__all__ = ["RETURN_TYPE", "expand_dims", "shift_right_logical", "utils", *_TABLE]


def shift_right_logical(*args: Any, **kwargs: Any) -> Any:
    """Refuse: torch does not have it either."""
    raise NotImplementedError


__getattr__ = _reached(__name__, ("context", "executor"))
