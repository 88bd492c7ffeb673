"""A node of a graph: one call, or an input, an attribute, the output.

Names, fields and texts are those of torch.fx.
"""

from __future__ import annotations

import builtins
import inspect
import operator
import types
from collections.abc import Callable
from typing import Any

from .. import _C, amp
from .._ops import OpOverload, OpOverloadPacket, ops
from ..aten.asserting import _assert
from ..aten.register import NN_FUNCTIONS
from ..core.pickling import torch_module
from ..functional import __all__ as _FUNCTIONAL
from ..tensor import Tensor
from ._compatibility import compatibility
from .immutable_collections import immutable_dict, immutable_list
from .operator_schemas import ArgsKwargsPair, normalize_function, normalize_module
from .tensor_text import annotation_of

__all__ = ["Node", "has_side_effect", "map_aggregate", "map_arg"]

#: What may be an argument as it is.
BaseArgumentTypes = Any
base_types = (str, int, float, bool, complex)
#: What a node calls.
Target = Callable[..., Any] | str
#: What a node may have as an argument: these, nested.
Argument = Any

_legal_ops = dict.fromkeys(
    "placeholder call_method call_module call_function get_attr output root".split()
)


@compatibility(is_backward_compatible=True)
def map_aggregate(a: Any, fn: Callable[[Any], Any]) -> Any:
    """*fn* of every leaf of nested tuples, lists, dicts and slices."""
    if isinstance(a, tuple):
        items = [map_aggregate(x, fn) for x in a]
        return type(a)(*items) if hasattr(a, "_fields") else tuple(items)
    if isinstance(a, list):
        return immutable_list([map_aggregate(x, fn) for x in a])
    if isinstance(a, dict):
        return immutable_dict([(k, map_aggregate(v, fn)) for k, v in a.items()])
    if isinstance(a, slice):
        return slice(
            map_aggregate(a.start, fn), map_aggregate(a.stop, fn), map_aggregate(a.step, fn)
        )
    return fn(a)


@compatibility(is_backward_compatible=True)
def map_arg(a: Any, fn: Callable[[Node], Any]) -> Any:
    """*fn* of every node in nested containers; anything else stays."""
    assert callable(fn), "torch.fx.map_arg(a, fn): fn must be a callable"
    return map_aggregate(a, lambda x: fn(x) if isinstance(x, Node) else x)


def _get_qualified_name(func: Any) -> str:
    """The name by which generated code finds a function."""
    if getattr(builtins, getattr(func, "__name__", ""), None) is func:
        return str(getattr(func, "__name__"))  # noqa: B009  # who is among builtins has one
    if isinstance(func, (OpOverload, OpOverloadPacket)):
        return f"torch.ops.{func}"
    if isinstance(func, (types.MethodDescriptorType, types.WrapperDescriptorType)):
        return f"{func.__objclass__.__module__}.{func.__objclass__.__name__}.{func.__name__}"
    name = getattr(func, "__name__", None) or str(func)
    if isinstance(func, types.FunctionType) and getattr(Tensor, name, None) is func:
        return f"torch.Tensor.{name}"
    if name == "<lambda>":
        name = inspect.getsource(func).strip()
    if name in _RENAMED:
        name = _RENAMED[name]
    elif dict.get(NN_FUNCTIONS, name) is func:
        return f"torch._C._nn.{name}"
    module = getattr(func, "__module__", None)
    if module is None:
        raise RuntimeError(f"cannot find module for {func}")
    if module.startswith(("mindtorch.aten.", "torch.aten.")):  # torch's own namespace
        module = "torch.functional" if name in _FUNCTIONAL else "torch"
    return f"{torch_module(module)}.{name}"


#: Functions whose name in torch's namespace is another than their own.
_RENAMED = {"_threshold": "threshold"}


def _type_repr(obj: object) -> str:
    """A type as torch writes it in graphs."""
    if isinstance(obj, type) and not isinstance(obj, types.GenericAlias):
        if obj.__module__ == "builtins":
            return obj.__qualname__
        return f"{torch_module(obj.__module__)}.{obj.__qualname__}"
    if isinstance(obj, types.FunctionType):
        return obj.__name__
    return (
        ("..." if obj is ... else repr(obj))
        .replace("mindtorch.tensor.Tensor", "torch.Tensor")
        .replace("mindtorch", "torch")
    )


def is_op(target: Any) -> bool:
    """Whether *target* is an operator overload (``torch.ops.aten.add.Tensor``)."""
    return hasattr(target, "_schema") and hasattr(target, "overloadpacket")


#: Functions that do more than return a value: their calls are no dead code.
_side_effectful_functions: set[Any] = {_assert, operator.setitem}
_side_effectful_need_to_be_preserved_pre_dispatch: list[Any] = []
_KNOWN: list[Any] = []


def _torchs_side_effects() -> set[Any]:
    """Those of torch's functions that do; found when first asked for, as they import much."""
    if not _KNOWN:
        aten = ops.aten
        paths = (
            "_assert_async.msg _assert_scalar.default _assert_tensor_metadata.default "
            "sym_constrain_range.default sym_constrain_range_for_size.default"
        )
        for packet, overload in (p.split(".") for p in paths.split()):
            found = getattr(getattr(aten, packet, None), overload, None)
            if found is not None:
                _KNOWN.append(found)
        profiler = ops.profiler
        _KNOWN.extend(
            [
                profiler._record_function_enter,
                profiler._record_function_enter.default,
                profiler._record_function_enter_new,
                profiler._record_function_enter_new.default,
                profiler._record_function_exit,
                profiler._record_function_exit._RecordFunction,
            ]
        )
        _KNOWN.extend([_C._set_grad_enabled, amp._enter_autocast, amp._exit_autocast])
        _side_effectful_functions.update(_KNOWN)
    return _side_effectful_functions


@compatibility(is_backward_compatible=False)
def has_side_effect(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Note that *fn* does more than return a value; may be used as a decorator."""
    _side_effectful_functions.add(fn)
    return fn


#: Random functions, whose calls are kept in number where that is asked for.
_RANDOM = frozenset(
    "rand randn randint randperm rand_like randn_like randint_like normal poisson bernoulli "
    "multinomial".split()
)


def _is_random(target: Any) -> bool:
    name = getattr(target, "__name__", "")
    return name in _RANDOM and _get_qualified_name(target) == f"torch.{name}"


class Node:
    """One step of a :class:`Graph`.

    ``op`` says what kind: ``placeholder``, ``get_attr``, ``call_function``, ``call_method``,
    ``call_module`` or ``output``; ``target`` what is called, ``args`` and ``kwargs`` with what
    (nodes stand for their results), ``users`` who needs it, ``meta`` what else is known.
    """

    def __init__(
        self,
        graph: Any,
        name: str,
        op: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        return_type: Any = None,
    ) -> None:
        assert op in _legal_ops, f"op '{op}' is not in _legal_ops"
        if op == "call_function":
            if not callable(target):
                raise ValueError(
                    f"Node [graph = {graph}, name = '{name}'] target {target} has type "
                    f"{_kind(target)} but a Callable is expected"
                )
        elif not isinstance(target, str):
            raise ValueError(
                f"Node [graph = {graph}, name = '{name}'] target {target} has type "
                f"{_kind(target)} but a str is expected"
            )
        self.graph = graph
        self.name: str = name
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
        self._sort_key: tuple[int, ...] = ()
        #: Writes the node's name; generated code may call it otherwise.
        self._repr_fn: Callable[[Node], str] | None = None
        self._update_(args, kwargs)

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
        x._unlink_()
        p = self._prev
        p._next, x._prev = x, p
        x._next, self._prev = self, x
        before, after = p._sort_key, self._sort_key
        if len(before) > len(after):
            x._sort_key = (*before[: len(after)], before[len(after)] + 1)
        elif len(before) < len(after):
            x._sort_key = (*after[: len(before)], after[len(before)] - 1)
        else:
            x._sort_key = (*before, 0)

    def __lt__(self, other: Node) -> bool:
        return self._sort_key < other._sort_key

    def __gt__(self, other: Node) -> bool:
        return self._sort_key > other._sort_key

    def __le__(self, other: Node) -> bool:
        return self is other or self < other

    def __ge__(self, other: Node) -> bool:
        return self is other or self > other

    def append(self, x: Node) -> None:
        """Move *x* to just after this node."""
        self._next.prepend(x)

    def _unlink_(self) -> None:
        p, n = self._prev, self._next
        p._next, n._prev = n, p

    # Arguments ----------------------------------------------------------------------------------

    @property
    def args(self) -> tuple[Any, ...]:
        """Positional arguments; assign to change them."""
        return self._args

    @args.setter
    def args(self, value: tuple[Any, ...]) -> None:
        self._update_(value, self._kwargs)

    @property
    def kwargs(self) -> dict[str, Any]:
        """Keyword arguments; assign to change them."""
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value: dict[str, Any]) -> None:
        self._update_(self._args, value)

    @property
    def all_input_nodes(self) -> list[Node]:
        """The nodes that are arguments, each once."""
        return list(self._input_nodes)

    def _update_(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        for old in self._input_nodes:
            old.users.pop(self)
        self._input_nodes = {}

        def used(n: Node) -> Node:
            self._input_nodes.setdefault(n)
            n.users.setdefault(self)
            return n

        self._args = map_arg(args, used)
        self._kwargs = map_arg(kwargs, used)

    def update_arg(self, idx: int, arg: Any) -> None:
        """Replace positional argument *idx*."""
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def update_kwarg(self, key: str, arg: Any) -> None:
        """Replace keyword argument *key*."""
        self.kwargs = {**self.kwargs, key: arg}

    def insert_arg(self, idx: int, arg: Any) -> None:
        """Put a positional argument before the one at *idx*."""
        assert 0 <= idx <= len(self.args), (
            f"insert_args index must be between 0 and len(self.args), got {idx}"
        )
        self.args = (*self.args[:idx], arg, *self.args[idx:])

    def replace_input_with(self, old_input: Node, new_input: Node) -> None:
        """Use *new_input* wherever *old_input* is an argument."""

        def swap(node: Node) -> Any:
            return new_input if node is old_input else node

        self._tell_of_replacement_(self, old_input, new_input)
        self._update_(map_arg(self._args, swap), map_arg(self._kwargs, swap))

    @staticmethod
    def _tell_of_replacement_(user: Node, old: Node, new: Any) -> None:
        module = user.graph.owning_module
        for hook in getattr(module, "_replace_hooks", ()):
            hook(old=old, new=getattr(new, "name", new), user=user)

    def replace_all_uses_with(
        self,
        replace_with: Node,
        delete_user_cb: Callable[[Node], bool] | None = None,
        *,
        propagate_meta: bool = False,
    ) -> list[Node]:
        """Let the users of this node use *replace_with*; returns those that used it."""
        if propagate_meta:
            assert len(replace_with.meta) == 0, (
                "Called node.replace_all_uses_with(replace_with, propagate_meta=True), but "
                "replace_with already has .meta keys"
            )
            replace_with.meta.update(self.meta)
        changed = [u for u in list(self.users) if delete_user_cb is None or delete_user_cb(u)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        return changed

    def _replace_input_with(self, old_input: Node, new_input: Node) -> None:
        self.replace_input_with(old_input, new_input)

    def _rename(self, candidate: str) -> None:
        if candidate == self.name:
            return
        self.name = self.graph._graph_namespace.create_name(candidate, None)
        self.graph._graph_namespace._rename_object(self, self.name)

    def normalized_arguments(
        self,
        root: Any,
        arg_types: tuple[Any] | None = None,
        kwarg_types: dict[str, Any] | None = None,
        normalize_to_only_use_kwargs: bool = False,
    ) -> ArgsKwargsPair | None:
        """The arguments in the order of the signature, by keyword where that is asked for."""
        if self.op == "call_function":
            return normalize_function(
                self.target, self.args, self.kwargs, arg_types, kwarg_types,
                normalize_to_only_use_kwargs,
            )  # fmt: skip
        if self.op == "call_module":
            return normalize_module(
                root, self.target, self.args, self.kwargs, normalize_to_only_use_kwargs
            )
        return None

    # Facts --------------------------------------------------------------------------------------

    @property
    def stack_trace(self) -> str | None:
        """Where in the program the node was made, if the tracer noted it."""
        return self.meta.get("stack_trace")

    @stack_trace.setter
    def stack_trace(self, trace: str | None) -> None:
        self.meta["stack_trace"] = trace

    def is_impure(self, impure_random: bool = True) -> bool:
        """Whether leaving the node out would change more than its result."""
        if self.op in ("placeholder", "output"):
            return True
        if self.op == "call_function":
            if is_op(self.target):
                schema = self.target._schema
                if schema.is_mutable:
                    return True
                tags = {str(t).rpartition(".")[2] for t in self.target.tags}
                if impure_random and "nondeterministic_seeded" in tags:
                    return True
            elif _is_random(self.target):
                return True
            return self.target in _torchs_side_effects()
        if self.op == "call_module":
            owner = self.graph.owning_module
            assert owner is not None, "self.graph.owning_module not set for purity check"
            return bool(getattr(owner.get_submodule(self.target), "_is_impure", False))
        return False

    @staticmethod
    def _pretty_print_target(target: Any) -> str:
        if isinstance(target, str):
            return target
        module, name = getattr(target, "__module__", None), getattr(target, "__name__", None)
        if module == "builtins":
            return f"builtins.{name}"
        if module == "_operator":
            return f"operator.{name}"
        return _get_qualified_name(target)

    def format_node(
        self,
        placeholder_names: list[str] | None = None,
        maybe_return_typename: list[str] | None = None,
        *,
        include_tensor_metadata: bool = False,
    ) -> str | None:
        """One line that says all of the node.

        :param placeholder_names: inputs are put here; the line is None.
        :param maybe_return_typename: the type of what is returned is put here.
        """
        kind = f"{_type_repr(self.type)} " if self.type is not None else ""
        if include_tensor_metadata and self.op not in ("placeholder", "get_attr", "output"):
            kind += self._shown_tensor_()
        head = f"%{self.name} : {kind}[num_users={len(self.users)}] = {self.op}"
        if self.op == "placeholder":
            if placeholder_names:
                typed = f": {_type_repr(self.type)}" if self.type else ""
                placeholder_names.append(self.target + typed)
                return None
            default = f"(default={self.args[0]})" if self.args else ""
            return f"{head}[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"{head}[target={self._pretty_print_target(self.target)}]"
        if self.op == "output":
            if maybe_return_typename and self.type:
                maybe_return_typename[:1] = [f" -> {_type_repr(self.type)}"]
            return f"return {self.args[0]}"
        return (
            f"{head}[target={self._pretty_print_target(self.target)}]"
            f"(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})"
        )

    def _shown_tensor_(self) -> str:
        value = self.meta.get("val")
        if not isinstance(value, Tensor):
            return ""
        return f'Tensor "{annotation_of(self, True, True)}"'

    def __repr__(self) -> str:
        return self._repr_fn(self) if self._repr_fn else self.name

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "name" and hasattr(self, "name"):
            hooks = getattr(self.graph.owning_module, "_replace_hooks", None)
            for hook in hooks or ():
                for user in list(self.users):
                    hook(old=self, new=value, user=user)
        object.__setattr__(self, name, value)


def _kind(value: Any) -> str:
    """What the value is, as error texts say it."""
    if callable(value):
        return str(getattr(value, "__name__", _type_repr(type(value))))
    return _type_repr(type(value))


def _format_arg(arg: object, max_list_len: float = float("inf")) -> str:
    """Arguments as text, nodes marked with %."""
    if hasattr(arg, "_custom_fx_repr_fn"):
        return str(arg._custom_fx_repr_fn())
    if isinstance(arg, (list, tuple)):
        shown = [_format_arg(a, max_list_len) for i, a in enumerate(arg) if i < max_list_len]
        items = ", ".join(shown)
        if len(arg) > max_list_len:
            items += f", ...[total_len={len(arg)}]"
        if isinstance(arg, list):
            return f"[{items}]"
        return f"({items},)" if len(arg) == 1 else f"({items})"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{k}: {_format_arg(v)}" for k, v in arg.items()) + "}"
    if isinstance(arg, Node):
        return "%" + str(arg)
    return str(arg)
