"""``torch._prims``: the helpers of torch's primitives, of which no operator is made here."""

from .. import _prims_common as utils
from ..core.submodules import reached as _reached

__all__ = ["utils"]

__getattr__ = _reached(__name__, ("context", "executor"))
