"""``torch._prims``: the helpers of torch's primitives, of which no operator is made here."""

from .. import _prims_common as utils

__all__ = ["utils"]
