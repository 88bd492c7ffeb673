"""``symbolic_trace``: run a module's Python code on proxies and keep the graph.

Names, order of nodes and texts are those of torch.fx.
"""

from __future__ import annotations

import collections
import copy
import functools
import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from .. import nn
from ..aten.asserting import _assert
from ..aten.register import is_of_row
from ..core.pickling import torch_module

# Tracers of libraries take it from here; its module makes it of a list of names (hence: ignored).
from ..jit.script_types import ScriptObject  # noqa: F401  # see above
from ..nn import Module, Parameter
from ..tensor import Tensor
from ..utils import _pytree as pytree
from ._compatibility import compatibility

# Tracers of libraries take all of these from here.
from ._patches import (  # noqa: F401  # names of this module
    _autowrap_check,
    _create_wrapped_func,
    _create_wrapped_method,
    _find_proxy,
    _maybe_revert_all_patches,
    _new_patcher,
    _patch_function,
    _patch_wrapped_functions,
    _PatchedFn,
    _Patcher,
    _wrapped_fns_to_patch,
    _wrapped_methods_to_patch,
)
from .codegen import _PyTreeCodeGen, _PyTreeInfo
from .graph import Graph, module_of
from .node import Node
from .proxy import ParameterProxy, Proxy, Scope, ScopeContextManager, TracerBase

#: Classes whose objects, made of proxies, are nodes.
_proxyable_classes: dict[type, None] = {}
_is_fx_tracing_flag = False
#: What calling and reading an attribute of a module do outside of a trace.
_orig_module_call: Callable[..., Any] = Module.__call__
_orig_module_getattr: Callable[..., Any] = Module.__getattr__


def is_fx_tracing() -> bool:
    """Whether a trace is under way."""
    return _is_fx_tracing_flag


def is_fx_symbolic_tracing() -> bool:
    """Whether a trace is under way that is not a compiler's."""
    return _is_fx_tracing_flag


@compatibility(is_backward_compatible=True)
class ProxyableClassMeta(type):
    """A metaclass: an object made of proxies is a node that calls the class."""

    def __init__(cls, name: str, bases: tuple[type, ...], attrs: dict[str, Any]) -> None:
        _proxyable_classes.setdefault(cls)
        super().__init__(name, bases, attrs)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        proxy = _find_proxy(args, kwargs) if is_fx_tracing() else None
        if proxy is not None:
            return proxy.tracer.create_proxy("call_function", cls, args, kwargs)
        return super().__call__(*args, **kwargs)


class PHBase:
    """A leaf of ``concrete_args`` that stays an input."""

    def __repr__(self) -> str:
        return "PH"


PH = PHBase()


@compatibility(is_backward_compatible=False)
class PHWithMeta(PHBase):
    """The same with attributes, which its node gets in its meta."""

    def __init__(self, ph_key: str | None = None) -> None:
        super().__init__()
        self.ph_key = ph_key


def _transfer_attrs(fr: object, to: object) -> None:
    plain = {name: getattr(fr, name) for name in dir(fr) if not name.startswith("__")}
    for name, value in plain.items():
        if not (callable(value) or hasattr(to, name)):
            setattr(to, name, value)


@compatibility(is_backward_compatible=True)
class Tracer(TracerBase):
    """Traces a module or function; override what is to be a node and what is looked into.

    :param autowrap_modules: modules whose functions, called with proxies, become nodes.
    :param autowrap_functions: more of such functions.
    :param param_shapes_constant: the shapes of parameters are taken as they are.
    """

    def __init__(
        self,
        autowrap_modules: tuple[ModuleType, ...] = (math,),
        autowrap_functions: tuple[Callable[..., Any], ...] = (),
        param_shapes_constant: bool = False,
    ) -> None:
        super().__init__()
        self._autowrap_function_ids: set[int] = {
            id(value)
            for name, value in (p for m in autowrap_modules for p in vars(m).items())
            if not name.startswith("_") and callable(value)
        } | {id(f) for f in autowrap_functions}
        self._autowrap_search: list[ModuleType] = list(autowrap_modules)
        self.param_shapes_constant = param_shapes_constant
        self.root_module_name: str = ""
        self.submodule_paths: dict[Module, str] | None = None
        self.scope = Scope("", None)
        self.module_stack = collections.OrderedDict()
        self.num_calls: dict[str, int] = {}
        self.node_name_to_scope = {}
        self.root: Module

    _qualname_counter: dict[str, int] = collections.defaultdict(int)

    @compatibility(is_backward_compatible=True)
    def get_fresh_qualname(self, prefix: str) -> str:
        """A name that no attribute of the root has: *prefix* with a number."""
        root = getattr(self, "root", None)
        counter = self._qualname_counter
        if not hasattr(root, f"{prefix}0"):  # the count begins anew
            counter[prefix] = 0
            return f"{prefix}0"
        free = (n for n in itertools.count(counter[prefix]) if not hasattr(root, f"{prefix}{n}"))
        found = next(free)
        counter[prefix] = found + 1
        return f"{prefix}{found}"

    # What is what -------------------------------------------------------------------------------

    def is_leaf_module(self, m: Module, module_qualified_name: str) -> bool:
        """Whether a call of *m* is one node: the modules of ``torch.nn``, but containers."""
        home = torch_module(type(m).__module__)
        return home.startswith(("torch.nn", "torch.ao.nn")) and not isinstance(m, nn.Sequential)

    def path_of_module(self, mod: Module) -> str:
        """The name of a submodule of the root. Raises NameError if it is none."""
        if self.submodule_paths is not None:
            path = self.submodule_paths.get(mod)
        else:
            path = _name_of(mod, self.root.named_modules())
        if path is None:
            raise NameError("module is not installed as a submodule")
        return path

    def call_module(
        self, m: Module, forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        """A call of a submodule: a node, or what its ``forward`` does."""
        path = self.path_of_module(m)
        with ScopeContextManager(self.scope, Scope(path, type(m))) as scope:
            calls = self.num_calls.get(path, 0)
            self.num_calls[path] = calls + 1
            key = f"{scope.module_path}@{calls}" if calls > 0 else scope.module_path
            self.module_stack[key] = (path, scope.module_type)
            try:
                if self.is_leaf_module(m, path):
                    return self.create_proxy("call_module", path, args, kwargs)
                return forward(*args, **kwargs)
            finally:
                self.module_stack.popitem(last=True)

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """What reading an attribute of a module gives: parameters of the root are proxies."""
        if isinstance(attr_val, Parameter):
            found = self._cached_(attr_val, self.root.named_parameters(), parameter_proxy_cache)
        elif self.proxy_buffer_attributes and isinstance(attr_val, Tensor):
            found = self._cached_(attr_val, self.root.named_buffers(), parameter_proxy_cache)
        else:
            found = None
        return attr_val if found is None else found

    def _cached_(self, value: Tensor, named: Any, cache: dict[str, Any]) -> Any:
        name = _name_of(value, named)
        if name is None:
            return None
        if name not in cache:
            # Tracers of libraries need not know of what makes proxies.
            special: dict[str, Any] = {}
            if self.param_shapes_constant:
                special["proxy_factory_fn"] = partial(
                    self._parameter_proxy_, name=name, param=value
                )
            cache[name] = self.create_proxy("get_attr", name, (), {}, **special)
        return cache[name]

    def _parameter_proxy_(self, node: Node, name: str, param: Tensor) -> Proxy:
        return ParameterProxy(self, node, name, param)

    def create_arg(self, a: Any) -> Any:
        """Parameters, buffers and constants are attributes of the root."""
        path = None
        if isinstance(a, Parameter):
            path = _name_of(a, self.root.named_parameters())
            if path is None:
                raise NameError("parameter is not a member of this module")
        elif isinstance(a, Tensor):
            path = _name_of(a, self.root.named_buffers())
        elif isinstance(a, Module):
            path = _name_of(a, self.root.named_modules())
        if path is not None:
            return self.create_node("get_attr", path, (), {})
        if isinstance(a, tuple) and hasattr(a, "_fields"):
            values = tuple(map(self.create_arg, a))
            return self.create_node("call_function", type(a), values, {})
        if isinstance(a, Tensor):
            return self._constant_(a, "_tensor_constant")
        if type(a) in _proxyable_classes:
            return self._constant_(a, f"_{type(a).__name__}_constant_")
        return super().create_arg(a)

    def _constant_(self, a: Any, prefix: str) -> Node:
        try:
            name = self.tensor_attrs.get(a)
        except TypeError:
            name = None
        if not name:
            name = self.get_fresh_qualname(prefix)
            self.tensor_attrs[a] = name
            setattr(self.root, name, a)
        return self.create_node("get_attr", name, (), {})

    # Tracing ------------------------------------------------------------------------------------

    def trace(
        self, root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
    ) -> Graph:
        """The graph of what *root* does.

        :param concrete_args: arguments that have a value in the trace; the graph holds for it.
        """
        global _is_fx_tracing_flag
        before, _is_fx_tracing_flag = _is_fx_tracing_flag, True
        try:
            fn, is_module = self._begin_(root)
            self.graph = Graph(tracer_cls=getattr(self, "__class__", None))
            code = getattr(fn, "__code__", None)
            if code is not None:
                names = ("co_name", "co_filename", "co_firstlineno")
                self.graph._co_fields = {name: getattr(code, name) for name in names}
            self.tensor_attrs: dict[Any, str] = {}
            self._collect_(self.root, [])
            kind = BuiltinFunctionType if is_of_row(fn) else type(fn)  # what it is in torch
            assert kind is FunctionType, f"Expected FunctionType, got {kind}"
            outside = getattr(fn, "__globals__", {})  # read before anything is replaced
            given, args = self.create_args_for_root(fn, is_module, concrete_args)
            with self._patched_(outside):
                result = given(*args)
                kind = _annotation(given, "return")
                self.create_node("output", "output", (self.create_arg(result),), {}, type_expr=kind)
            self.submodule_paths = None
        finally:
            _is_fx_tracing_flag = before
        return self.graph

    def _begin_(self, root: Any) -> tuple[Any, bool]:
        """Note the root; its function, and whether it is a module's."""
        if not isinstance(root, Module):
            self.root = Module()
            return root, False
        if hasattr(type(root), "real_recompile"):  # its code is only written when it is asked for
            root.real_recompile()
        self.root = root
        assert hasattr(type(root), self.traced_func_name), (
            f"traced_func_name={self.traced_func_name} doesn't exist in {type(root).__name__}"
        )
        self.root_module_name = root._get_name()
        self.submodule_paths = {mod: name for name, mod in root.named_modules()}
        return getattr(type(root), self.traced_func_name), True

    def _collect_(self, m: Module, path: list[str]) -> None:
        """Names of the tensors that are plain attributes."""
        for k, v in m.__dict__.items():
            if isinstance(v, Tensor):
                self.tensor_attrs[v] = ".".join([*path, k])
        for k, child in m.named_children():
            self._collect_(child, [*path, k])

    def __deepcopy__(self, memo: dict[int, Any]) -> Tracer:
        made = Tracer.__new__(self.__class__)
        for k, v in self.__dict__.items():
            made.__dict__[k] = v if k == "_autowrap_search" else copy.deepcopy(v, memo)
        return made

    def create_args_for_root(
        self, root_fn: Callable[..., Any], is_module: bool, concrete_args: Any = None
    ) -> tuple[Callable[..., Any], list[Any]]:
        """The function to run, and a placeholder for each of its arguments."""
        fn: Any = inspect.unwrap(root_fn)
        code, names = fn.__code__, fn.__code__.co_varnames
        total = code.co_argcount + code.co_kwonlyargcount
        if is_module and not total:
            raise RuntimeError("``self`` argument cannot be part of *args expansion!")
        args: list[Any] = [self.root] if is_module else []
        named = names[len(args) : total]
        signature = inspect.signature(fn)
        shown: list[str] = []
        if isinstance(concrete_args, tuple):
            if len(named) != len(concrete_args):
                raise RuntimeError(
                    f"Tracing expected {len(named)} arguments but got {len(concrete_args)} "
                    "concrete arguments"
                )
            concrete_args = dict(zip(named, concrete_args, strict=True))
        args.extend(self._proxy_placeholder(n, concrete_args, signature, fn) for n in named)
        stars = code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS)
        if code.co_kwonlyargcount > 0 or stars:
            at = total
            if code.co_flags & inspect.CO_VARARGS:
                shown.append("*" + names[at])
                at += 1
            if code.co_flags & inspect.CO_VARKEYWORDS:
                shown.append("**" + names[at])
            args.extend(self._proxy_placeholder(n, {}, signature, fn) for n in shown)
            root_fn = _patch_function(fn, total + len(shown))
        flat, in_spec = pytree.tree_flatten(tuple(args))
        if not all(child.is_leaf() for child in in_spec.children()):
            self.graph._codegen = _PyTreeCodeGen(_PyTreeInfo(list(names[:total]), in_spec, None))
            return self._nested_(root_fn, in_spec), flat
        return root_fn, args

    def _nested_(self, fn: Callable[..., Any], in_spec: Any) -> Callable[..., Any]:
        def flatten_fn(*args: Any) -> Any:
            out = fn(*pytree.tree_unflatten(list(args), in_spec))
            flat, out_spec = pytree.tree_flatten(out)
            codegen: Any = self.graph._codegen
            codegen.pytree_info = codegen.pytree_info._replace(out_spec=out_spec)
            return flat

        return flatten_fn

    def _proxy_placeholder(self, name: str, concrete: Any, signature: Any, fn: Any) -> Any:
        if concrete is not None and name in concrete:
            number = itertools.count(1)
            return pytree.tree_map(
                lambda x: self._concrete_(name, f"{name}_{next(number)}", x, signature),
                concrete[name],
            )
        return self._placeholder_(name, self._default_(name, signature), fn)

    @staticmethod
    def _default_(name: str, signature: Any) -> tuple[Any, ...]:
        if name.startswith("*"):
            return ()
        default = signature.parameters[name].default
        return () if default is inspect.Parameter.empty else (default,)

    def _placeholder_(self, name: str, default: tuple[Any, ...], fn: Any) -> Proxy:
        annotation = _annotation(fn, name)
        found: Proxy = self.create_proxy("placeholder", name, default, {}, type_expr=annotation)
        return found

    def _concrete_(self, name: str, target: str, value: Any, signature: Any) -> Any:
        """A value that the trace has: its input, *target*, stays and is no longer looked at."""
        if isinstance(value, PHBase):
            if type(value) is not PHBase:

                def make(node: Node) -> Proxy:
                    _transfer_attrs(fr=value, to=node)
                    return self.proxy(node)

                return self.create_proxy("placeholder", target, (), {}, proxy_factory_fn=make)
            return self.create_proxy("placeholder", target, (), {})
        default = self._default_(name, signature)
        given = self.create_proxy("placeholder", target, default, {})
        said = f"{name} has been specialized to have value {value} but got another value"
        if isinstance(value, (bool, int, float, str)) and not isinstance(value, Tensor):
            _assert(given == value, said)
        elif value is None:
            self.create_proxy("call_function", _assert_is_none, (given, said), {})
        return value

    @contextmanager
    def _patched_(self, fn_globals: dict[str, Any]) -> Iterator[None]:
        """Inside, modules and wrapped functions that meet proxies make nodes."""
        parameters: dict[str, Proxy] = {}

        @functools.wraps(_orig_module_call)
        def module_call(mod: Module, *args: Any, **kwargs: Any) -> Any:
            scope = getattr(getattr(mod, "forward", mod), "__globals__", {})
            _autowrap_check(patcher, scope, self._autowrap_function_ids)
            return self.call_module(mod, partial(_orig_module_call, mod), args, kwargs)

        @functools.wraps(_orig_module_getattr)
        def module_getattr(mod: Module, attr: str) -> Any:
            return self.getattr(attr, _orig_module_getattr(mod, attr), parameters)

        with _new_patcher() as patcher:
            patcher.patch_method(Module, "__getattr__", module_getattr, deduplicate=False)
            patcher.patch_method(Module, "__call__", module_call, deduplicate=False)
            _patch_wrapped_functions(patcher)
            for scope in (fn_globals, *map(vars, self._autowrap_search)):
                _autowrap_check(patcher, scope, self._autowrap_function_ids)
            yield


def _name_of(value: object, named: Iterable[tuple[str, object]]) -> str | None:
    """The name that *value* has among *named*."""
    return next((name for name, each in named if each is value), None)


def _annotation(fn: Any, name: str) -> Any:
    """The type that *fn* says an argument, or its result, has; ours say nothing worth writing."""
    found = getattr(fn, "__annotations__", {}).get(name)
    home = torch_module(str(getattr(fn, "__module__", "")))
    return None if found == "Any" and home.startswith("torch.") else found


# Functions that are nodes -------------------------------------------------------------------------


def wrap(fn_or_name: str | Callable[..., Any]) -> Any:
    """Let a function of this module be a node: calls of it with proxies are recorded, not run.

    Called at the top of a module, with the function or its name, or as a decorator. Raises
    RuntimeError for what is neither, NotImplementedError inside a function.
    """
    if not callable(fn_or_name) and not isinstance(fn_or_name, str):
        raise RuntimeError(
            "Unsupported type for global function! Must be either a callable or string name"
        )
    if callable(fn_or_name):
        assert not isinstance(fn_or_name, str)
        name = fn_or_name.__name__
    else:
        name = fn_or_name
    frame = inspect.currentframe()
    assert frame is not None and frame.f_back is not None
    calling = frame.f_back
    if calling.f_code.co_name != "<module>":
        raise NotImplementedError("wrap must be called at the top level of a module")
    _wrapped_fns_to_patch[(id(calling.f_globals), name)] = (calling.f_globals, name)
    return fn_or_name


@compatibility(is_backward_compatible=True)
def symbolic_trace(
    root: Module | Callable[..., Any], concrete_args: dict[str, Any] | None = None
) -> Any:
    """The program of a module or function as a ``GraphModule``.

    Its Python code runs once, on proxies: what depends on values raises :class:`TraceError`.
    """
    tracer = Tracer()
    graph = tracer.trace(root, concrete_args)
    name = type(root).__name__ if isinstance(root, Module) else root.__name__
    return module_of(tracer.root, graph, name)


@wrap
def _assert_is_none(value: Any, msg: str) -> None:
    assert value is None, msg
