"""A node of a graph: one call, or an input, an attribute, the output.

Names, fields and texts are those of torch.fx (torch/fx/node.py).
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._pickling import torch_module
from ..asserting import _assert
from ..functional import __all__ as _FUNCTIONAL
from ..ops.register import NN_FUNCTIONS

if TYPE_CHECKING:
    from .graph import Graph

__all__ = ["Node", "map_aggregate", "map_arg"]

OPS = ("placeholder", "call_method", "call_module", "call_function", "get_attr", "output", "root")


def map_aggregate(a: Any, fn: Callable[[Any], Any]) -> Any:
    """*fn* of every leaf of nested tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        items = [map_aggregate(x, fn) for x in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return [map_aggregate(x, fn) for x in a]
    if isinstance(a, dict):
        return {k: map_aggregate(v, fn) for k, v in a.items()}
    if isinstance(a, slice):
        return slice(
            map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn)
        )
    return fn(a)


def map_arg(a: Any, fn: Callable[[Node], Any]) -> Any:
    """*fn* of every node in nested containers; anything else stays."""
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def qualified_name(func: Any) -> str:
    """The name by which generated code finds a function."""
    if getattr(builtins, getattr(func, "__name__", ""), None) is func:
        return str(func.__name__)  # type: ignore[union-attr]  # who is among builtins has one
    if isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return f"{func.__objclass__.__module__}.{func.__objclass__.__name__}.{func.__name__}"
    name = getattr(func, "__name__", None) or str(func)
    if name in _renamed():
        name = _renamed()[name]
    elif dict.get(NN_FUNCTIONS, name) is func:
        return f"torch._C._nn.{name}"
    module = getattr(func, "__module__", None) or ""
    if module == "_operator":
        module = "operator"
    if module in _OF_TORCH:
        module = "torch.functional" if name in _FUNCTIONAL else "torch"
    return f"{torch_module(module)}.{name}"


def _renamed() -> dict[str, str]:
    """Functions whose name in torch's namespace is another than their own."""
    return {"_threshold": "threshold"}


#: Our modules of what is in ``torch`` or ``torch.functional``.
_OF_TORCH = frozenset(
    f"mindtorch.{m}" for m in ("data", "functions", "nonzeros", "norms", "uniques")
)


def type_text(kind: Any) -> str:
    """A type as generated code writes it."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind, type):
        if kind.__module__ == "builtins":
            return kind.__name__
        return f"{torch_module(kind.__module__)}.{kind.__name__}"
    return str(kind).replace("mindtorch", "torch")


def is_op(target: Any) -> bool:
    """Whether *target* is an operator overload (``torch.ops.aten.add.Tensor``)."""
    return hasattr(target, "_schema") and hasattr(target, "overloadpacket")


#: Functions that do more than return a value: their calls are no dead code.
_SIDE_EFFECTS: set[Any] = {_assert}


def has_side_effect(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Note that *fn* does more than return a value; may be used as a decorator."""
    _SIDE_EFFECTS.add(fn)
    return fn


class Node:
    """One step of a :class:`Graph`.

    ``op`` says what kind: ``placeholder``, ``get_attr``, ``call_function``, ``call_method``,
    ``call_module`` or ``output``; ``target`` what is called, ``args`` and ``kwargs`` with what
    (nodes stand for their results), ``users`` who needs it, ``meta`` what else is known.
    """

    def __init__(
        self,
        graph: Graph,
        name: str,
        op: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        return_type: Any = None,
    ) -> None:
        assert op in OPS
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type "
                    f"{_torch_type(target)} but a Callable is expected"
                )
        elif not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type "
                f"{_torch_type(target)} but a str is expected"
            )
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.type = return_type
        self.meta: dict[str, Any] = {}
        #: Who uses the result, in order; the values are None.
        self.users: dict[Node, None] = {}
        self._input_nodes: dict[Node, None] = {}
        self._args: tuple[Any, ...] = ()
        self._kwargs: dict[str, Any] = {}
        self._prev: Node = self
        self._next: Node = self
        self._erased = False
        self._update(args, kwargs)

    # Order --------------------------------------------------------------------------------------

    @property
    def next(self) -> Node:
        """The node after this one."""
        return self._next

    @property
    def prev(self) -> Node:
        """The node before this one."""
        return self._prev

    def prepend(self, x: Node) -> None:
        """Move *x* to just before this node."""
        if x.graph is not self.graph:
            raise AssertionError("Attempting to move a Node into a different Graph")
        if x is self:
            return
        x._unlink()
        p = self._prev
        p._next, x._prev = x, p
        x._next, self._prev = self, x

    def append(self, x: Node) -> None:
        """Move *x* to just after this node."""
        self._next.prepend(x)

    def _unlink(self) -> None:
        p, n = self._prev, self._next
        p._next, n._prev = n, p

    # Arguments ----------------------------------------------------------------------------------

    @property
    def args(self) -> tuple[Any, ...]:
        """Positional arguments; assign to change them."""
        return self._args

    @args.setter
    def args(self, value: tuple[Any, ...]) -> None:
        self._update(value, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments; assign to change them."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value: dict[str, Any]) -> None:
        self._update(self._args, value)

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes that are arguments, each once."""
        return list(self._input_nodes)

    def _update(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for old in self._input_nodes:
            old.users.pop(self)
        self._input_nodes = {}

        def used(n: Node) -> Node:
            self._input_nodes.setdefault(n)
            n.users.setdefault(self)
            return n

        self._args = map_arg(tuple(args), used)
        self._kwargs = map_arg(dict(kwargs), used)

    def update_arg(self, idx: int, arg: Any) -> None:
        """Replace positional argument *idx*."""
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def update_kwarg(self, key: str, arg: Any) -> None:
        """Replace keyword argument *key*."""
        self.kwargs = {**self.kwargs, key: arg}

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Use *new_input* wherever *old_input* is an argument."""

        def swap(node: Node) -> Any:
            return new_input if node is old_input else node

        self._update(map_arg(self._args, swap), map_arg(self._kwargs, swap))

    def replace_all_uses_with(
        self,
        replace_with: Node,
        delete_user_cb: Callable[[Node], bool] = lambda user: True,
        *,
        propagate_meta: bool = False,
    ) -> list[Node]:
        """Let the users of this node use *replace_with*; returns those that were changed."""
        if propagate_meta:
            replace_with.meta.update(self.meta)
        changed = [user for user in list(self.users) if delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    # Facts --------------------------------------------------------------------------------------

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether leaving the node out would change more than its result."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function" and self.target in _SIDE_EFFECTS:
            return True
        if self.op == "call_function" and is_op(self.target):
            schema = self.target._schema
            if schema.is_mutable:
                return True
            tags = {str(t).rpartition(".")[2] for t in self.target.tags}
            return impure_random and "nondeterministic_seeded" in tags
        return self.op == "call_module"

    def _pretty_print_target(self, target: Any) -> str:
        if isinstance(target, str):
            return target
        if is_op(target):
            return f"torch.ops.{target}"
        name = qualified_name(target)
        return name if "." in name else f"builtins.{name}"

    def format_node(self) -> str:
        """One line that says all of the node."""
        if self.op == "placeholder":
            default = f"(default={self.args[0]})" if self.args else ""
            kind = "" if self.type is None else f"{type_text(self.type)} "
            return (
                f"%{self.name} : {kind}[num_users={len(self.users)}] = "
                f"{self.op}[target={self.target}]{default}"
            )
        if self.op == "get_attr":
            return f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={self.target}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        return (
            f"%{self.name} : [num_users={len(self.users)}] = {self.op}"
            f"[target={self._pretty_print_target(self.target)}]"
            f"(args = {_marked(self.args)}, kwargs = {_marked(self.kwargs)})"
        )

    def __repr__(self) -> str:
        return self.name


def _torch_type(value: Any) -> str:
    kind = type(value)
    return f"{torch_module(kind.__module__)}.{kind.__name__}"


def _marked(arg: Any) -> str:
    """Arguments as text, nodes marked with %."""
    if isinstance(arg, Node):
        return "%" + arg.name
    if isinstance(arg, tuple):
        items = ", ".join(_marked(a) for a in arg)
        return f"({items},)" if len(arg) == 1 else f"({items})"
    if isinstance(arg, list):
        return f"[{', '.join(_marked(a) for a in arg)}]"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{k}: {_marked(v)}" for k, v in arg.items()) + "}"
    return str(arg)
