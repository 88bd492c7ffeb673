"""What a ``Function`` that somebody made by hand shows: a node of no call, in no graph."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd.function_context import FunctionCtx
from mindtorch_autograd.node import Node, next_key, shown

__all__ = ["UnrecordedFunction"]


class UnrecordedFunction(FunctionCtx):
    """Gives the instances of ``Function`` what nodes have, with nothing in it.

    torch has one class for the node of a call and for what a Function's class makes.
    """

    __module__ = "torch.autograd.function"

    #: As nodes say it: an instance has one result, and its own class in texts.
    _num_outputs_ = 1
    _shown_by_ = "torch._C._FunctionBase"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Make one that stands at the next place of the sequence."""
        made: Any = object.__new__(cls)  # it gets the slots that nodes have
        made._key_ = next_key()
        made._edges_ = made._saved_ = ()
        made._extra_ = None
        return made

    name = Node.name
    next_functions = Node.next_functions
    requires_grad = Node.requires_grad
    metadata = Node.metadata
    _sequence_nr = Node._sequence_nr
    _set_sequence_nr = Node._set_sequence_nr
    register_hook = Node.register_hook
    register_prehook = Node.register_prehook
    _register_hook_dict = Node._register_hook_dict
    _only_ = Node._only_

    @shown
    def _input_metadata(self) -> tuple[Any, ...]:
        return ()

    @shown
    def saved_tensors(self) -> tuple[Any, ...]:
        """Nothing was saved."""
        return ()

    @shown
    def _raw_saved_tensors(self) -> tuple[Any, ...]:
        return ()
