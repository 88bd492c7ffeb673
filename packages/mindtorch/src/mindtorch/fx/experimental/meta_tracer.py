"""Traces whose proxies know shapes: what is done to them is done to tensors without data, too."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

from ... import nn
from ...aten import torch
from ...core.warning import warn
from .._patches import _find_proxy, _Patcher
from .._symbolic_trace import Tracer
from ..graph import Graph
from ..graph_module import GraphModule
from ..node import Node, map_aggregate
from ..proxy import Proxy

__all__ = [
    "MetaAttribute", "MetaDeviceAttribute", "MetaProxy", "MetaTracer", "embedding_override",
    "functional_relu_override", "gen_constructor_wrapper", "manual_meta_overrides",
    "nn_layernorm_override", "proxys_to_metas", "symbolic_trace", "torch_abs_override",
    "torch_nn_relu_override", "torch_relu_override", "torch_where_override",
]  # fmt: skip


# What some functions give, said without running them -------------------------------------------


def embedding_override(self: nn.Embedding, input: torch.Tensor) -> torch.Tensor:
    """The rows of an embedding."""
    return torch.empty(*input.shape, self.weight.shape[-1], device="meta")


def nn_layernorm_override(self: nn.LayerNorm, input: torch.Tensor) -> torch.Tensor:
    """A tensor as it came."""
    return input


def torch_relu_override(x: torch.Tensor) -> torch.Tensor:
    """A tensor as it came."""
    return x


def torch_nn_relu_override(self: nn.ReLU, x: torch.Tensor) -> torch.Tensor:
    """A tensor as it came."""
    return x


def functional_relu_override(x: torch.Tensor, inplace: bool = False) -> torch.Tensor:
    """A tensor as it came. Raises AssertionError for one that would be changed."""
    if inplace:
        raise AssertionError("don't support inplace functional.relu for metatensor analysis")
    return x


def torch_where_override(condition: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """The sum of all three, which has the shape of the choice."""
    total: torch.Tensor = condition.to(device="meta") + x.to(device="meta") + y.to(device="meta")
    return total


def torch_abs_override(input: torch.Tensor, *, out: torch.Tensor | None = None) -> torch.Tensor:
    """A tensor as it came. Raises AssertionError where it shall go elsewhere."""
    if out is not None:
        raise AssertionError("Dont support in-place abs for MetaTensor analysis")
    return input


manual_meta_overrides: dict[Any, Callable[..., Any]] = {
    nn.Embedding: embedding_override,
    nn.LayerNorm: nn_layernorm_override,
    torch.relu: torch_relu_override,
    nn.functional.relu: functional_relu_override,
    nn.ReLU: torch_nn_relu_override,
    torch.where: torch_where_override,
    torch.abs: torch_abs_override,
}


def gen_constructor_wrapper(target: Any) -> tuple[Callable[..., Any], Any]:
    """*target* as a function that makes a node when it is called with proxies; and *target*."""

    @functools.wraps(target)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        proxy = _find_proxy(args, kwargs)
        if proxy is None:
            return target(*args, **kwargs)
        return proxy.tracer.create_proxy("call_function", target, args, kwargs)

    return wrapper, target


# Proxies ----------------------------------------------------------------------------------------


class MetaProxy(Proxy):
    """A proxy that may know a tensor without data with the shape of its value."""

    def install_tensor_meta(self, tensor_meta: Any) -> None:
        """Note the value without data."""
        self._tensor_meta = tensor_meta

    def size(self, dim: int | None = None) -> Any:
        """The shape, or the size of a dimension but the first; a node, where it is not known."""
        meta = self._known()
        if meta is None:
            return self.tracer.create_proxy(
                "call_method", "size", (self, dim) if dim else (self,), {}
            )
        return meta.size(dim) if dim else meta.size()

    def dim(self) -> Any:
        """The number of dimensions; a node, where it is not known."""
        meta = self._known()
        if meta is None:
            return self.tracer.create_proxy("call_method", "dim", (self,), {})
        return meta.dim()

    @property
    def shape(self) -> Any:
        """The shape; a node, where it is not known."""
        meta = self._known()
        if meta is None:
            return self.tracer.create_proxy("call_function", getattr, (self, "shape"), {})
        return meta.shape

    @property
    def dtype(self) -> Any:
        """The dtype; a node, where it is not known."""
        meta = self._known()
        if meta is None:
            return self.tracer.create_proxy("call_function", getattr, (self, "dtype"), {})
        return meta.dtype

    @property
    def device(self) -> MetaDeviceAttribute:
        """The device, which is a node: the value without data has none."""
        return MetaDeviceAttribute(self, "device")

    def _known(self) -> Any:
        return self.__dict__.get("_tensor_meta")

    def __getattr__(self, k: str) -> Any:
        return MetaAttribute(self, k)


class MetaAttribute(MetaProxy):
    """An attribute of a proxy: a method if it is called, else a ``getattr``."""

    def __init__(self, root: MetaProxy, attr: str) -> None:
        self.root, self.attr = root, attr
        self.tracer = root.tracer
        self._node: Node | None = None

    @property
    def node(self) -> Node:  # type: ignore[override]  # an attribute of the class above
        """Made when first needed: most attributes are only called."""
        if self._node is None:
            made = self.tracer.create_proxy("call_function", getattr, (self.root, self.attr), {})
            self._node = made.node
            self._tensor_meta = made.__dict__.get("_tensor_meta")
        return self._node

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.tracer.create_proxy("call_method", self.attr, (self.root, *args), kwargs)


class MetaDeviceAttribute(MetaAttribute):
    """The device of a proxy."""


def proxys_to_metas(v: Any) -> Any:
    """The value without data of a proxy; other values as they are. Raises AssertionError."""
    if isinstance(v, MetaDeviceAttribute):
        return "meta"
    if not isinstance(v, Proxy):
        return v
    if not isinstance(v, MetaProxy):
        raise AssertionError(f"Expected MetaProxy but got {type(v)}")
    if isinstance(v, MetaAttribute):
        _ = v.node  # makes it, and its value
    if v._known() is None:
        raise AssertionError("MetaProxy does not have an associated meta")
    return v._known()


# Tracers ----------------------------------------------------------------------------------------


class MetaTracer(Tracer):
    """Traces with tensors without data as inputs: decisions on shapes are made as they say."""

    #: Modules without tensors that the root does not have become submodules of it.
    allow_insert_stateless_mods: bool = True
    _TORCH_METHODS_TO_PATCH = ["arange", "zeros", "ones", "full_like", "eye"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.meta_args: dict[str, torch.Tensor] = {}
        self.orig_fns: set[Any] = set()
        #: While a value without data is computed, parameters are read as they are.
        self._disable_module_getattr = False

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
        """A node for a call, and a proxy that knows what the call gives on values without data."""
        made = super().create_proxy(kind, target, args, kwargs, name, type_expr, proxy_factory_fn)
        if kind == "placeholder":
            if target in self.meta_args:
                made.install_tensor_meta(self.meta_args[target])
            return made
        if target in self.orig_fns and "device" in kwargs:
            kwargs = {**kwargs, "device": "meta"}
        if kind in ("call_function", "call_method", "call_module", "get_attr"):
            try:
                made.install_tensor_meta(self._meta_of(kind, target, args, kwargs))
            except Exception as e:
                warn(f"Could not compute metadata for {kind} target {target}: {e}")
        return made

    def _meta_of(self, kind: str, target: Any, args: Any, kwargs: Any) -> Any:
        """What a call gives on values without data."""
        values: Any = map_aggregate(args, proxys_to_metas)
        named: Any = map_aggregate(kwargs, proxys_to_metas)
        if kind == "call_function":
            return manual_meta_overrides.get(target, target)(*values, **named)
        if kind == "call_method":
            return getattr(values[0], target)(*values[1:], **named)
        self._disable_module_getattr = True
        try:
            found = operator.attrgetter(target)(self.root)
            if kind == "get_attr":
                return found.to("meta")
            override = manual_meta_overrides.get(type(found))
            if override is not None:
                return override(found, *values, **named)
            return self.orig_forward(*values, **named)
        finally:
            self._disable_module_getattr = False

    def getattr(self, attr: str, attr_val: Any, parameter_proxy_cache: dict[str, Any]) -> Any:
        """What reading an attribute of a module gives."""
        if self._disable_module_getattr:
            return attr_val
        return super().getattr(attr, attr_val, parameter_proxy_cache)

    def call_module(
        self,
        m: nn.Module,
        forward: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> Any:
        """A call of a submodule."""
        self.orig_forward = forward
        return super().call_module(m, forward, args, kwargs)

    def _insert_module_as_submodule(self, mod: nn.Module) -> str:
        """Let the root have *mod*; the name that it gets."""
        name = type(mod).__name__.lower()
        paths = (f"{name}_{i}" for i in itertools.count())
        path = next(path for path in paths if not hasattr(self.root, path))
        self.root.add_module(path, mod)
        return path

    def path_of_module(self, mod: nn.Module) -> str:
        """The name of a submodule of the root, which may become one."""
        try:
            return super().path_of_module(mod)
        except NameError:
            tensors = itertools.chain(mod.parameters(), mod.buffers())
            if not self.allow_insert_stateless_mods or any(True for _ in tensors):
                raise
            self.prev_module = self._insert_module_as_submodule(mod)
            return self.prev_module

    def proxy(self, node: Node) -> MetaProxy:
        """What stands for the result of *node*."""
        return MetaProxy(node, self)

    def trace(  # type: ignore[override]  # torch's has the argument in the middle
        self,
        root: Any,
        meta_args: dict[str, torch.Tensor],
        concrete_args: dict[str, Any] | None = None,
    ) -> Graph:
        """The graph of what *root* does with inputs of these shapes.

        :param meta_args: tensors, with or without data, by the names of the inputs.
        """
        if not isinstance(meta_args, dict):
            raise AssertionError(f"Expected dict for meta_args, got {type(meta_args)}")
        self.meta_args = meta_args
        with _Patcher() as patcher:
            for name in self._TORCH_METHODS_TO_PATCH:
                wrapper, original = gen_constructor_wrapper(getattr(torch, name))
                self.orig_fns.add(original)
                patcher.patch(vars(torch), name, wrapper)
            graph = super().trace(root, concrete_args)
        graph._tracer_extras = {"meta_args": meta_args}
        return graph


def symbolic_trace(
    root: nn.Module | Callable[..., Any],
    meta_args: dict[str, torch.Tensor] | None = None,
    concrete_args: dict[str, Any] | None = None,
) -> GraphModule:
    """The program of a module or function for inputs of the shapes of *meta_args*."""
    tracer = MetaTracer()
    graph = tracer.trace(root, meta_args, concrete_args)  # type: ignore[arg-type]  # it says so
    name = type(root).__name__ if isinstance(root, nn.Module) else root.__name__
    return GraphModule(tracer.root, graph, name)
