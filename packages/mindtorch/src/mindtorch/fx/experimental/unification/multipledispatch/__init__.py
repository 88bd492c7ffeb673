"""Functions of which the types of all arguments choose the implementation."""

from .core import dispatch
from .dispatcher import Dispatcher, MDNotImplementedError, halt_ordering, restart_ordering

__all__ = [
    "Dispatcher", "MDNotImplementedError", "dispatch", "halt_ordering", "restart_ordering",
]  # fmt: skip
