"""Control flow as ops, under its older name."""

from mindtorch._higher_order_ops import cond
from mindtorch._higher_order_ops.map import _stack_pytree, _unstack_pytree, map  # noqa: F401

__all__ = ["cond", "map"]
