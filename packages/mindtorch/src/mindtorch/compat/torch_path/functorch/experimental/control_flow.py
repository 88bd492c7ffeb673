"""Control flow as ops, under its older name."""

from mindtorch._higher_order_ops import cond
from mindtorch._higher_order_ops.map import map

__all__ = ["cond", "map"]
