"""``torch._tensor``: where methods of ``Tensor`` and pickles of subclasses are looked up."""

from mindtorch._utils import _rebuild_from_type_v2
from mindtorch.tensor import Tensor

__all__ = ["Tensor", "_rebuild_from_type_v2"]
