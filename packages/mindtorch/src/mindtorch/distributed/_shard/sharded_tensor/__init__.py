"""``ShardedTensor``: the class that ``isinstance`` asks for; none is made here."""

from __future__ import annotations

from typing import Any

from ....tensor import Tensor

__all__ = ["ShardedTensor"]


class ShardedTensor(Tensor):
    """A tensor in parts; superseded by ``DTensor``, and not made here."""

    @staticmethod
    def __new__(cls: type, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError("ShardedTensor is not available; use torch.distributed.tensor.DTensor")
