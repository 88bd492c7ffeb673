"""Operators that take functions, under their older name."""

from mindtorch._ops import HigherOrderOperator

__all__ = ["HigherOrderOperator"]
