"""``symbolic_trace``: run a module's Python code on proxies and keep the graph.

Names, order of nodes and texts are those of torch.fx (torch/fx/_symbolic_trace.py, proxy.py).
"""

from __future__ import annotations

import builtins
import functools
import inspect
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType, ModuleType
from typing import Any

from mindtorch_storage import Device, DType

from .. import nn
from .._pickling import torch_module
from ..asserting import _assert
from ..constants import layout, memory_format
from ..nn import Module, Parameter
from ..tensor import Tensor
from .graph import Graph
from .graph_module import GraphModule
from .node import Node, is_op, map_aggregate
from .proxy import Proxy, TraceError

__all__ = [
    "PH", "GraphAppendingTracer", "Tracer", "TracerBase", "symbolic_trace", "wrap",
]  # fmt: skip

_BASE = (str, int, float, bool, complex, type(None), type(...))


class PH:
    """A leaf of ``concrete_args`` that stays an input."""

    def __repr__(self) -> str:
        return "PH"


class TracerBase:
    """Makes nodes, and proxies for them."""

    graph: Graph

    def create_node(
        self,
        kind: str,
        target: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        name: str | None = None,
        type_expr: Any = None,
    ) -> Node:
        """Add a node to the graph."""
        return self.graph.create_node(kind, target, args, kwargs, name, type_expr)

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
        node = self.create_node(kind, target, args_, kwargs_, name, type_expr)
        return self.proxy(node) if proxy_factory_fn is None else proxy_factory_fn(node)

    def create_arg(self, a: Any) -> Any:
        """*a* as an argument of a node. Raises NotImplementedError for what cannot be one."""
        if isinstance(a, Proxy):
            return a.node
        if hasattr(a, "__fx_create_arg__"):
            return a.__fx_create_arg__(self)
        if isinstance(a, tuple):
            items = [self.create_arg(x) for x in a]
            return type(a)(*items) if hasattr(a, "_fields") else type(a)(items)
        if isinstance(a, list):
            return [self.create_arg(x) for x in a]
        if isinstance(a, dict):
            return self._dict(a)
        if isinstance(a, slice):
            return slice(*map(self.create_arg, (a.start, a.stop, a.step)))
        if isinstance(a, range):
            return range(*map(self.create_arg, (a.start, a.stop, a.step)))
        if isinstance(a, (*_BASE, Node)) or _is_value(a):
            return a
        raise NotImplementedError(f"argument of type: {type(a)}")

    def _dict(self, a: dict[Any, Any]) -> dict[Any, Any]:
        made = {}
        for k, v in a.items():
            if isinstance(k, Proxy):
                raise RuntimeError(
                    "Keys for dictionaries used as an argument cannot contain a Node. Got key: "
                    f"{k.node}"
                )
            made[k] = self.create_arg(v)
        return made

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
        return obj.__getattr__("keys")()


def _is_value(a: Any) -> bool:
    """Dtypes, devices, functions and the like, which a node may hold as they are."""
    return isinstance(a, (DType, Device, layout, memory_format, FunctionType, type)) or is_op(a)


class GraphAppendingTracer(TracerBase):
    """Adds what is done to proxies to a graph that is there."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph


class Tracer(TracerBase):
    """Traces a module or function; override what is to be a node and what is looked into.

    :param autowrap_modules: modules whose functions, called with proxies, become nodes.
    :param autowrap_functions: more of such functions.
    """

    def __init__(
        self,
        autowrap_modules: tuple[ModuleType, ...] = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        self._autowrap_function_ids = {
            id(value)
            for name, value in (p for m in autowrap_modules for p in vars(m).items())
            if not name.startswith("_") and callable(value)
        } | {id(f) for f in autowrap_functions}
        self._autowrap_search: list[ModuleType] = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.root: Module = Module()
        self.submodule_paths: dict[Module, str] | None = None
        self.tensor_attrs: dict[Any, str] = {}
        self._parameters: dict[str, Proxy] = {}

    # What is what -------------------------------------------------------------------------------

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether a call of *m* is one node: the modules of ``torch.nn``, but containers."""
        home = torch_module(type(m).__module__)
        return home.startswith(("torch.nn", "torch.ao.nn")) and not isinstance(m, nn.Sequential)

    def path_of_module(self, mod: Module) -> str:
        """The name of a submodule of the root. Raises NameError if it is none."""
        paths = self.submodule_paths
        if paths is not None:
            path = paths.get(mod)
            if path is None:
                raise NameError("module is not installed as a submodule")
            return path
        for name, p in self.root.named_modules():
            if mod is p:
                return name
        raise NameError("module is not installed as a submodule")

    def call_module(
        self, m: Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A call of a submodule: a node, or what its ``forward`` does."""
        name = self.path_of_module(m)
        if not self.is_leaf_module(m, name):
            return forward(*args, **kwargs)
        return self.create_proxy("call_module", name, args, kwargs)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """What reading an attribute of a module gives: parameters of the root are proxies."""
        if isinstance(attr_val, Parameter):
            for name, p in self.root.named_parameters():
                if attr_val is p:
                    if name not in parameter_proxy_cache:
                        parameter_proxy_cache[name] = self.create_proxy("get_attr", name, (), {})
                    return parameter_proxy_cache[name]
        return attr_val

    def create_arg(self, a: Any) -> Any:
        """Parameters, buffers and constants are attributes of the root."""
        if isinstance(a, Parameter):
            for name, p in self.root.named_parameters():
                if a is p:
                    return self.create_node("get_attr", name, (), {})
            raise NameError("parameter is not a member of this module")
        if isinstance(a, Tensor):
            for name, b in self.root.named_buffers():
                if a is b:
                    return self.create_node("get_attr", name, (), {})
            return self._constant(a)
        return super().create_arg(a)

    def _constant(self, a: Tensor) -> Node:
        name = self.tensor_attrs.get(id(a))
        if name is None:
            i = 0
            while hasattr(self.root, f"_tensor_constant{i}"):
                i += 1
            name = self.tensor_attrs[id(a)] = f"_tensor_constant{i}"
            setattr(self.root, name, a)
        return self.create_node("get_attr", name, (), {})

    # Tracing ------------------------------------------------------------------------------------

    def trace(
        self, root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
    ) -> Graph:
        """The graph of what *root* does.

        :param concrete_args: arguments that have a value in the trace; the graph holds for it.
        """
        if isinstance(root, Module):
            self.root = root
            fn = type(root).forward
            self.submodule_paths = {mod: name for name, mod in root.named_modules()}
        else:
            self.root = Module()
            fn = root
        self.tensor_attrs = {id(v): k for k, v in vars(self.root).items() if isinstance(v, Tensor)}
        self.graph = Graph(tracer_cls=type(self))
        self._parameters = {}
        fn, args = self._inputs(fn, isinstance(root, Module), concrete_args or {})
        with self._patched(fn):
            result = fn(*args)
            self.create_node(
                "output",
                "output",
                (self.create_arg(result),),
                {},
                type_expr=_annotation(fn, "return"),
            )
        self.submodule_paths = None
        return self.graph

    def create_args_for_root(
        self, root_fn: Callable[..., Any], is_module: bool, concrete_args: Any = None
    ) -> tuple[Callable[..., Any], list[Any]]:
        """The function to run, and a placeholder for each of its arguments."""
        return self._inputs(root_fn, is_module, concrete_args or {})

    def _inputs(
        self, fn: Callable[..., Any], is_module: bool, concrete: dict[str, Any]
    ) -> tuple[Callable[..., Any], list[Any]]:
        plain = inspect.unwrap(fn)
        code = plain.__code__
        total = code.co_argcount + code.co_kwonlyargcount
        names = iter(code.co_varnames)
        args: list[Any] = []
        if is_module:
            if total == 0:
                raise RuntimeError("``self`` argument cannot be part of *args expansion!")
            next(names)
            args.append(self.root)
        signature = inspect.signature(plain)
        for name in [next(names) for _ in range(len(args), total)]:
            if name in concrete:
                args.append(self._concrete(name, concrete[name], plain))
            else:
                default = signature.parameters[name].default
                given = () if default is inspect.Parameter.empty else (default,)
                args.append(self._placeholder(name, given, plain))
        if code.co_kwonlyargcount or code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
            if code.co_flags & inspect.CO_VARARGS:
                args.append(self._placeholder("*" + next(names), (), plain))
            if code.co_flags & inspect.CO_VARKEYWORDS:
                args.append(self._placeholder("**" + next(names), (), plain))
            fn = _with_stars_as_arguments(plain)
        return fn, args

    def _placeholder(self, name: str, default: tuple[Any, ...], fn: Any) -> Proxy:
        annotation = _annotation(fn, name)
        return self.create_proxy("placeholder", name, default, {}, type_expr=annotation)

    def _concrete(self, name: str, value: Any, fn: Any) -> Any:
        """A value that the trace has: its input stays, and is no longer looked at."""
        if isinstance(value, PH):
            return self._placeholder(name, (), fn)
        given = self.create_proxy("placeholder", f"{name}_1", (), {})
        said = f"{name} has been specialized to have value {value} but got another value"
        if type(value) in (int, float, bool, str):
            _assert(given == value, said)
        elif value is None:
            self.create_proxy("call_function", _assert_is_none, (given, said), {})
        return value

    @contextmanager
    def _patched(self, fn: Callable[..., Any]) -> Iterator[None]:
        """Inside, modules and wrapped functions that meet proxies make nodes."""
        tracer, call, get = self, Module.__call__, Module.__getattr__

        @functools.wraps(call)
        def module_call(mod: Module, *args: Any, **kwargs: Any) -> Any:
            def forward(*args: Any, **kwargs: Any) -> Any:
                return call(mod, *args, **kwargs)

            tracer._autowrap(vars(inspect.getmodule(type(mod)) or builtins), undo)
            return tracer.call_module(mod, forward, args, kwargs)

        @functools.wraps(get)
        def module_getattr(mod: Module, attr: str) -> Any:
            return tracer.getattr(attr, get(mod, attr), tracer._parameters)

        undo: list[tuple[dict[str, Any], str, Any]] = []
        Module.__call__ = module_call  # type: ignore[method-assign, assignment]  # while it traces
        Module.__getattr__ = module_getattr  # type: ignore[method-assign]  # while it traces
        try:
            for scope, name in _WRAPPED:
                if name in scope or hasattr(builtins, name):
                    original = scope.get(name, getattr(builtins, name, None))
                    undo.append((scope, name, scope.get(name, _ABSENT)))
                    scope[name] = _recording(original)
            self._autowrap(getattr(inspect.unwrap(fn), "__globals__", {}), undo)
            for module in self._autowrap_search:
                self._autowrap(vars(module), undo)
            yield
        finally:
            Module.__call__ = call  # type: ignore[method-assign]  # as it was
            Module.__getattr__ = get  # type: ignore[method-assign]  # as it was
            for scope, name, before in reversed(undo):
                if before is _ABSENT:
                    del scope[name]
                else:
                    scope[name] = before

    def _autowrap(self, scope: dict[str, Any], undo: list[tuple[dict[str, Any], str, Any]]) -> None:
        for name, value in list(scope.items()):
            if not name.startswith("_") and callable(value):
                if id(value) in self._autowrap_function_ids:
                    undo.append((scope, name, value))
                    scope[name] = _recording(value)


def _annotation(fn: Any, name: str) -> Any:
    """The type that *fn* says an argument, or its result, has; ours say nothing worth writing."""
    found = getattr(fn, "__annotations__", {}).get(name)
    own = found == "Any" and getattr(fn, "__module__", "").startswith("mindtorch.")
    return None if own else found


_ABSENT = object()


def _with_stars_as_arguments(fn: Callable[..., Any]) -> Callable[..., Any]:
    """*fn* with ``*args`` and ``**kwargs`` as ordinary arguments, whose values are proxies."""
    code = fn.__code__
    stars = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    plain = code.replace(
        co_argcount=code.co_argcount + code.co_kwonlyargcount + stars,
        co_kwonlyargcount=0,
        co_flags=code.co_flags & ~(inspect.CO_VARARGS | inspect.CO_VARKEYWORDS),
    )
    return FunctionType(plain, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)


# Functions that are nodes -------------------------------------------------------------------------

#: Where ``wrap`` was called, and for which names.
_WRAPPED: list[tuple[dict[str, Any], str]] = []


def wrap(fn_or_name: str | Callable[..., Any]) -> Any:
    """Let a function of this module be a node: calls of it with proxies are recorded, not run.

    Called at the top of a module, with the function or its name, or as a decorator. Raises
    RuntimeError for what is neither, NotImplementedError inside a function.
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    name = fn_or_name if isinstance(fn_or_name, str) else fn_or_name.__name__
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    if frame.f_back.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _WRAPPED.append((frame.f_back.f_globals, name))
    return fn_or_name


def _recording(original: Any) -> Callable[..., Any]:
    @functools.wraps(original)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        found: list[Proxy] = []

        def look(a: Any) -> Any:
            if isinstance(a, Proxy):
                found.append(a)
            return a

        map_aggregate(args, look)
        map_aggregate(kwargs, look)
        if found:
            return found[0].tracer.create_proxy("call_function", original, args, kwargs)
        return original(*args, **kwargs)

    return wrapped


def symbolic_trace(
    root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
) -> GraphModule:
    """The program of a module or function as a :class:`GraphModule`.

    Its Python code runs once, on proxies: what depends on values raises :class:`TraceError`.
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return GraphModule(tracer.root, graph, name)


def _assert_is_none(value: Any, msg: str) -> None:
    assert value is None, msg
