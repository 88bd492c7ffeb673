"""``torch.autograd.graph.Node``: what every node can be asked, as an abstract class."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from mindtorch_autograd import Node as EngineNode
from mindtorch_autograd import RemovableHandle

from ..core.pickling import pickled_by_our_name


@pickled_by_our_name
class _Named(abc.ABCMeta):
    """Of an abstract class that says it lives in torch."""


class Node(abc.ABC, metaclass=_Named):
    """A step of the graph. Nodes are instances of it; nobody derives from it."""

    __module__ = "torch.autograd.graph"

    @abc.abstractmethod
    def name(self) -> str:
        """The name that messages show."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """Where its gradients go."""
        raise NotImplementedError

    @abc.abstractmethod
    def metadata(self) -> dict[str, Any]:
        """A dictionary for notes."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def _input_metadata(self) -> list[Any]:
        raise NotImplementedError

    @abc.abstractmethod
    def _register_hook_dict(self, tensor: Any) -> None:
        raise NotImplementedError

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call *fn* after it ran."""
        raise NotImplementedError

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call *fn* before it runs."""
        raise NotImplementedError

    @abc.abstractmethod
    def _sequence_nr(self) -> int:
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass: type) -> Any:
        return True if cls is Node and issubclass(subclass, EngineNode) else NotImplemented
