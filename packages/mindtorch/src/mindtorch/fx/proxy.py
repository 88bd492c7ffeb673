"""Values that stand for what is not there yet: what is done to a proxy becomes a node.

Names and texts are those of torch.fx (torch/fx/proxy.py).
"""

from __future__ import annotations

import dis
import inspect
import operator
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ..overrides import is_tensor_method_or_property
from .namespace import snake_case
from .node import Node, is_op, map_aggregate

if TYPE_CHECKING:
    from ._symbolic_trace import TracerBase

__all__ = ["Attribute", "Proxy", "TraceError"]


class TraceError(ValueError):
    """What a program asks of a proxy depends on a value that a trace does not have."""


class Proxy:
    """Stands for the result of a node: operators, methods and functions on it are recorded."""

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        if tracer is None:
            from ._symbolic_trace import GraphAppendingTracer  # which stands on this module

            tracer = GraphAppendingTracer(node.graph)
        self.tracer = tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Any:
        return Attribute(self, k)

    def __deepcopy__(self, memo: dict[int, Any]) -> Proxy:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        frame = inspect.currentframe()
        assert frame is not None and frame.f_back is not None
        calling = frame.f_back
        found = _instruction(calling)
        if found is not None and found.opname == "UNPACK_SEQUENCE":
            return iter([self[i] for i in range(found.argval)])  # type: ignore[index]  # operators are put in below
        return self.tracer.iter(self)

    def __abs__(self) -> Any:
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self) -> bool:
        return self.tracer.to_bool(self)

    def keys(self) -> Any:
        """What ``**`` of a proxy would need. Raises TraceError unless the tracer has an answer."""
        return self.tracer.keys(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be "
            "recorded, please call torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(
        cls, orig_method: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Record the call of a function or of a method of Tensor."""
        kwargs = kwargs or {}
        tracers: dict[TracerBase, None] = {}

        def find(a: Any) -> Any:
            if isinstance(a, cls):
                tracers[a.tracer] = None
            return a

        map_aggregate(args, find)
        map_aggregate(kwargs, find)
        if len(tracers) > 1:
            raise RuntimeError(
                f"Found multiple different tracers {list(tracers)} while trying to trace "
                f"operations {orig_method}"
            )
        tracer = next(iter(tracers))
        if is_tensor_method_or_property(orig_method):
            return tracer.create_proxy("call_method", orig_method.__name__, args, kwargs)
        name = snake_case(orig_method.__name__.replace(".", "_")) if is_op(orig_method) else None
        return tracer.create_proxy("call_function", orig_method, args, kwargs, name=name)


def _instruction(frame: Any) -> Any:
    """The instruction that a frame is at."""
    for found in dis.get_instructions(frame.f_code):
        if found.offset == frame.f_lasti:
            return found
    return None


class Attribute(Proxy):
    """An attribute of a proxy: a method if it is called, else a ``getattr``."""

    def __init__(self, root: Proxy, attr: str) -> None:
        self.root = root
        self.attr = attr
        self.tracer = root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:  # type: ignore[override]  # an attribute of the class above
        """Made when first needed: most attributes are only called."""
        if self._node is None:
            made = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {})
            self._node = made.node
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


#: Operators by the name of their dunder method.
_OPERATORS = {
    name: getattr(operator, {"and": "and_", "or": "or_"}.get(name, name))
    for name in (
        "add and eq floordiv ge getitem gt invert le lshift lt matmul mod mul ne neg or pos pow "
        "rshift sub truediv xor"
    ).split()
}
_REFLECTED = ("add and floordiv lshift matmul mod mul or pow rshift sub truediv xor").split()


def _direct(target: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Proxy, *args: Any) -> Any:
        return self.tracer.create_proxy("call_function", target, (self, *args), {})

    return method


def _reflected(target: Callable[..., Any]) -> Callable[..., Any]:
    def method(self: Proxy, other: Any) -> Any:
        return self.tracer.create_proxy("call_function", target, (other, self), {})

    return method


for _name, _target in _OPERATORS.items():
    setattr(Proxy, f"__{_name}__", _direct(_target))
for _name in _REFLECTED:
    setattr(Proxy, f"__r{_name}__", _reflected(_OPERATORS[_name]))
Proxy.__hash__ = object.__hash__  # type: ignore[method-assign]  # == made it None
