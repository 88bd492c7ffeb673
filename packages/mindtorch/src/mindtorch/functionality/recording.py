"""What a recorder of an op's gradient knows, for the modules that make its node's code."""

from __future__ import annotations

from typing import Any, Protocol

from ..call.overload import Overload

__all__ = ["Recording"]


class Recording(Protocol):
    """:class:`~mindtorch.functionality.recorder.Recorder`, as those see it that it calls."""

    overload: Overload
    sig: int
    #: What stands on the call, if it is one function of arrays; see ``call.dispatch_entry``.
    direct: Any
    #: The arguments that are differentiated, the formulas, and the names of arguments and results.
    inputs: Any
    formulas: Any
    names: Any
    results: Any
    #: The names of tensors and of lists among the arguments.
    tensors: Any
    lists: Any
    #: What is saved, of what only facts are, what tells them, and where each stands.
    saved: Any
    facts: Any
    told: Any
    places: Any
    #: The node's attribute that holds it all, and whether some is kept apart.
    store: str
    apart: Any
    multi: Any
    #: What of the saved is no tensor, and of which tensors the storage offset is asked.
    plain: Any
    placed: Any
    #: Whether the result has the one dtype that all arguments have.
    one_dtype: bool

    def plain_apply(self) -> Any: ...

    def needing(self, name: str) -> list[str]: ...

    def place(self, name: str) -> Any: ...

    def surely_tensor(self, name: str) -> bool: ...

    def class_with_hooks(self, cls: type) -> type: ...
