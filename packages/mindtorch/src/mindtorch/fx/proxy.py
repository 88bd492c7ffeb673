"""Values that stand for what is not there yet: what is done to a proxy becomes a node.

Names and texts are those of torch.fx.
"""

from __future__ import annotations

import collections
import contextlib
import copy
import enum
import inspect
import operator
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from types import FunctionType
from typing import Any

from mindtorch_storage import Device, DType

from .._ops import OpOverload, OpOverloadPacket
from ..core.constants import layout, memory_format
from ..overrides import is_tensor_method_or_property
from ..tensor import Tensor
from . import traceback as fx_traceback
from ._compatibility import compatibility
from .frames import asks_for_assert, instruction, is_ours, user_frames
from .function_body import magic_methods, reflectable_magic_methods
from .graph import Graph
from .node import Argument, Node, Target, base_types, map_aggregate  # noqa: F401  # torch's names
from .operator_schemas import check_for_mutable_operation

__all__ = [
    "Attribute", "GraphAppendingTracer", "MetaProxy", "ParameterProxy", "Proxy", "Scope",
    "ScopeContextManager", "TraceError", "TracerBase",
]  # fmt: skip


@compatibility(is_backward_compatible=False)
class Scope:
    """The module that is being traced: its path and class."""

    def __init__(self, module_path: str, module_type: Any) -> None:
        self.module_path = module_path
        self.module_type = module_type


@compatibility(is_backward_compatible=False)
class ScopeContextManager:
    """Inside, *scope* says what *current_scope* says."""

    def __init__(self, scope: Scope, current_scope: Scope) -> None:
        self._prev_scope = copy.copy(scope)
        scope.module_path = current_scope.module_path
        scope.module_type = current_scope.module_type
        self._scope = scope

    def __enter__(self) -> Scope:
        return self._scope

    def __exit__(self, *args: object) -> None:
        self._scope.module_path = self._prev_scope.module_path
        self._scope.module_type = self._prev_scope.module_type


_COPY_META_FIELDS = (
    "nn_module_stack torch_fn source_fn_stack original_aten recompute ac_graph_id "
    "has_backward_hook from_node quantization_tag _numeric_debug_handle custom partitioner_tag "
    "arg_kwarg_vals"
).split()


@compatibility(is_backward_compatible=True)
class TracerBase:
    """Makes nodes, and proxies for them."""

    graph: Graph
    #: Note in every node where in the program it was made.
    record_stack_traces: bool = False
    _record_forward_stack_traces_only: bool = False
    #: Refuse functions that change their arguments.
    check_mutable_operations: bool = False
    #: Let ``assert`` of a proxy be a node.
    trace_asserts: bool = False
    #: Let buffers be proxies, as parameters are.
    proxy_buffer_attributes: bool = False
    #: Which function of the root is traced.
    traced_func_name: str = "forward"
    scope: Scope
    module_stack: OrderedDict[str, tuple[str, Any]]
    node_name_to_scope: dict[str, tuple[str, type]]

    def create_node(
        self,
        kind: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Add a node to the graph, with what is known of where it comes from."""
        if kind == "call_function" and self.check_mutable_operations:
            check_for_mutable_operation(target, args, kwargs)
        node = self.graph.create_node(kind, target, args, kwargs, name, type_expr)
        if hasattr(self, "node_name_to_scope"):
            self.node_name_to_scope[node.name] = (self.scope.module_path, self.scope.module_type)
        if fx_traceback.has_preserved_node_meta():
            current = fx_traceback.get_current_meta()
            if current.get("stack_trace"):
                node.stack_trace = current["stack_trace"]
            for field in _COPY_META_FIELDS:
                if field in current:
                    node.meta[field] = copy.copy(current[field])
        elif getattr(self, "module_stack", None):
            node.meta["nn_module_stack"] = copy.copy(self.module_stack)
        if self.record_stack_traces and not node.stack_trace:
            summary = user_frames()
            if summary:
                node.stack_trace = "".join(summary.format()).strip()
        return node

    def _filter_traceback_frames(self, user_stack_summary: Any) -> Any:
        return user_stack_summary

    def proxy(self, node: Node) -> Proxy:
        """What stands for the result of *node*."""
        return Proxy(node, self)

    def create_proxy(
        self,
        kind: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
        proxy_factory_fn: Any = None,
    ) -> Any:
        """A node for a call, and the proxy of its result."""
        args_ = self.create_arg(args)
        kwargs_ = self.create_arg(kwargs)
        assert isinstance(args_, tuple)
        assert isinstance(kwargs_, dict)
        node = self.create_node(kind, target, args_, kwargs_, name, type_expr)
        return self.proxy(node) if proxy_factory_fn is None else proxy_factory_fn(node)

    def _find_user_frame(self) -> Any:
        frame = inspect.currentframe()
        while frame is not None and is_ours(frame):
            frame = frame.f_back
        return frame

    def create_arg(self, a: Any) -> Any:
        """*a* as an argument of a node. Raises NotImplementedError for what cannot be one."""
        if isinstance(a, Proxy):
            return a.node
        if not isinstance(a, type) and hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(x) for x in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(x) for x in a]
        if isinstance(a, dict):
            return _create_arg_dict(self, a)
        if isinstance(a, (slice, range)):
            return type(a)(*map(self.create_arg, (a.start, a.stop, a.step)))
        if isinstance(a, (OpOverload, OpOverloadPacket)):
            return a
        if is_dataclass(a) and not isinstance(a, type):
            kwargs = {f.name: self.create_arg(getattr(a, f.name)) for f in fields(a)}
            return self.create_node("call_function", a.__class__, (), kwargs)
        if isinstance(a, (*base_types, enum.Enum, Node)) or a is None or a is ... or _is_value(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def to_bool(self, obj: Proxy) -> bool:
        """The truth of a proxy. Raises TraceError; for tracers that know better."""
        raise TraceError("symbolically traced variables cannot be used as inputs to control flow")

    def iter(self, obj: Proxy) -> Iterator[Any]:
        """The elements of a proxy. Raises TraceError; for tracers that know better."""
        raise TraceError(
            "Proxy object cannot be iterated. This can be attempted when the Proxy is used in a "
            "loop or as a *args or **kwargs function argument. See the torch.fx docs on "
            "pytorch.org for a more detailed explanation of what types of control flow can be "
            "traced, and check out the Proxy docstring for help troubleshooting Proxy iteration "
            "errors"
        )

    def keys(self, obj: Proxy) -> Any:
        """The keys of a proxy that is unpacked with ``**``."""
        return Attribute(obj, "keys")()


def _create_arg_dict(self: TracerBase, a: dict[Any, Any]) -> dict[Any, Any]:
    def key(k: Any) -> Any:
        if isinstance(k, str):
            return k
        made = self.create_arg(k)
        map_aggregate(made, _no_nodes_error)
        return made

    return {key(k): self.create_arg(v) for k, v in a.items()}


def _no_nodes_error(arg: Any) -> Any:
    if isinstance(arg, Node):
        raise RuntimeError(
            f"Keys for dictionaries used as an argument cannot contain a Node. Got key: {arg}"
        )
    return arg


def _is_value(a: Any) -> bool:
    """Dtypes, devices, functions and the like, which a node may hold as they are."""
    return isinstance(a, (DType, Device, layout, memory_format, FunctionType, type, Tensor))


@compatibility(is_backward_compatible=True)
class GraphAppendingTracer(TracerBase):
    """Adds what is done to proxies to a graph that is there."""

    def __init__(self, graph: Graph) -> None:
        super().__init__()
        self.graph = graph
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.node_name_to_scope = {}


@compatibility(is_backward_compatible=False)
def assert_fn(x: object) -> None:
    """Assert; what ``assert`` of a proxy becomes."""
    assert x


@compatibility(is_backward_compatible=True)
class TraceError(ValueError):
    """What a program asks of a proxy depends on a value that a trace does not have."""


@compatibility(is_backward_compatible=True)
class Proxy:
    """Stands for the result of a node: operators, methods and functions on it are recorded."""

    def __init__(self, node: Node, tracer: TracerBase | None = None) -> None:
        if tracer is None:
            tracer = GraphAppendingTracer(node.graph)
        self.tracer = tracer
        self.node = node

    def __repr__(self) -> str:
        return f"Proxy({self.node.name})"

    def __getattr__(self, k: str) -> Any:
        return Attribute(self, k)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__

    def __deepcopy__(self, memo: dict[int, Any]) -> Proxy:
        made = self.__class__.__new__(self.__class__)
        made.__dict__.update({k: v for k, v in self.__dict__.items() if k == "tracer"})
        for k, v in self.__dict__.items():
            if k not in ("node", "tracer"):
                made.__dict__[k] = copy.deepcopy(v, memo)
        made.__dict__["node"] = self.node
        return made

    def __setstate__(self, d: dict[str, Any]) -> None:
        self.__dict__ = d

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", "__call__", (self, *args), kwargs)

    def __iter__(self) -> Iterator[Any]:
        frame = inspect.currentframe()
        assert frame is not None and frame.f_back is not None
        found = instruction(frame.f_back)
        if found is not None and found.opname == "UNPACK_SEQUENCE":
            return (self[i] for i in range(found.argval))  # type: ignore[index]  # put in below
        return self.tracer.iter(self)

    def __abs__(self) -> Any:
        return self.tracer.create_proxy("call_function", operator.abs, (self,), {})

    def __bool__(self) -> bool:
        if self.tracer.trace_asserts:
            frame = inspect.currentframe()
            assert frame is not None
            if asks_for_assert(frame.f_back):
                self.tracer.create_proxy("call_function", assert_fn, (self,), {})
                return True
        return self.tracer.to_bool(self)

    @compatibility(is_backward_compatible=True)
    def keys(self) -> Any:
        """What ``**`` of a proxy would need."""
        return self.tracer.keys(self)

    def __len__(self) -> int:
        raise RuntimeError(
            "'len' is not supported in symbolic tracing by default. If you want this call to be "
            "recorded, please call torch.fx.wrap('len') at module scope"
        )

    @classmethod
    def __torch_function__(
        cls, orig_method: Any, types: Any, args: Any = None, kwargs: Any = None
    ) -> Any:
        """Record the call of a function or of a method of Tensor."""
        args, kwargs = args or (), kwargs or {}
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
        return tracer.create_proxy(
            "call_function",
            orig_method,
            args,
            kwargs,
            name=tracer.graph._target_to_str(orig_method.__name__),
        )


@compatibility(is_backward_compatible=False)
class MetaProxy(Proxy):
    """A proxy whose results know their shape: functions run on tensors without data, too."""

    def __init__(self, node: Node, tracer: TracerBase | None = None, fake_mode: Any = None) -> None:
        super().__init__(node, tracer)
        self.fake_mode = fake_mode

    def __repr__(self) -> str:
        return f"MetaProxy({self.node.name})"

    @classmethod
    def __torch_function__(
        cls, orig_method: Any, types: Any, args: Any = None, kwargs: Any = None
    ) -> Any:
        """Record the call, and note what it gives on tensors without data."""
        args, kwargs = args or (), kwargs or {}
        owner = next((a for a in args if isinstance(a, cls)), None)
        if owner is None:
            raise AssertionError("No MetaProxy found in arguments, but one is expected.")
        proxy = super().__torch_function__(orig_method, types, args, kwargs)
        with owner.fake_mode or contextlib.nullcontext():
            proxy.node.meta["val"] = orig_method(
                *[a.node.meta["val"] if isinstance(a, Proxy) else a for a in args], **kwargs
            )
        return MetaProxy(proxy.node, proxy.tracer, owner.fake_mode)


@compatibility(is_backward_compatible=True)
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


@compatibility(is_backward_compatible=False)
class ParameterProxy(Proxy):
    """A parameter whose shape the trace takes as it is."""

    def __init__(self, tracer: TracerBase, node: Node, name: str, param: Any) -> None:
        super().__init__(node, tracer)
        assert isinstance(param, Tensor)
        self.param = param
        self.name = name

    def __repr__(self) -> str:
        return f"ParameterProxy({self.name})"

    @property
    def shape(self) -> Any:
        """The parameter's."""
        return self.param.shape

    def size(self) -> Any:
        """The parameter's."""
        return self.param.size()

    def dim(self) -> int:
        """The parameter's."""
        return int(self.param.dim())

    @property
    def ndim(self) -> int:
        """The parameter's."""
        return int(self.param.ndim)

    def numel(self) -> int:
        """The parameter's."""
        return int(self.param.numel())

    def nelement(self) -> int:
        """The parameter's."""
        return int(self.param.nelement())


def _direct(target: Callable[..., Any], name: str) -> Callable[..., Any]:
    def method(*args: Any, **kwargs: Any) -> Any:
        return args[0].tracer.create_proxy("call_function", target, args, kwargs)

    method.__name__ = name
    method.__qualname__ = f"Proxy.{name}"
    return method


def _reflected(target: Callable[..., Any], name: str) -> Callable[..., Any]:
    def method(self: Proxy, rhs: Any) -> Any:
        return self.tracer.create_proxy("call_function", target, (rhs, self), {})

    method.__name__ = name
    method.__qualname__ = f"Proxy.{name}"
    return method


for _name in magic_methods:
    _dunder = _name.strip("_")
    _target = getattr(operator, _name, operator.truediv)
    setattr(Proxy, f"__{_dunder}__", _direct(_target, f"__{_dunder}__"))
    if _name in reflectable_magic_methods:
        setattr(Proxy, f"__r{_dunder}__", _reflected(_target, f"__r{_dunder}__"))
Proxy.__hash__ = object.__hash__  # type: ignore[method-assign]  # == made it None
