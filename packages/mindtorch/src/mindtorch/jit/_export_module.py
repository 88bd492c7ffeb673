"""Archives of traced modules and functions, which ``torch.jit.load`` of either side reads.

What was traced is drawn as a graph once more, on the example that it was traced with; the graph
becomes the source of ``forward``, and each module a class that holds its parameters and buffers.

Source: torch/csrc/jit/serialization/export_module.cpp.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from .. import nn
from ..amp.switches import is_any_autocast_enabled
from ..aten import torch
from ..fx.experimental.proxy_tensor import make_fx
from ..overrides import TorchFunctionMode
from ..random import fork_rng
from ..tensor import Tensor
from ..utils._pytree import tree_flatten, tree_unflatten
from ._python_print import annotation, is_name, printed
from ._script_archive import script_class, write_archive
from .internal import _qualified_name

__all__ = ["write_module"]


class _Archive:
    """The classes of an archive, and an object of it for each module."""

    def __init__(self) -> None:
        self._objects: dict[int, Any] = {}
        self._taken: set[str] = set()
        #: The text of each source file, by the name of its module.
        self.sources: dict[str, str] = {}

    def object_of(self, module: nn.Module, name: str, methods: list[str]) -> Any:
        """An object with the attributes of *module*; its class is written."""
        made = self._objects.get(id(module))
        if made is not None:
            return made
        name = self._free(name)
        made = self._objects[id(module)] = script_class(name)()
        state: dict[str, Any] = {**module._parameters, **module._buffers}
        lines = [
            f"__{group}__ = [" + "".join(f'"{n}", ' for n, t in held.items() if t is not None) + "]"
            for group, held in (("parameters", module._parameters), ("buffers", module._buffers))
        ]
        kinds = {n: "NoneType" if t is None else "Tensor" for n, t in state.items()}
        state |= {"training": module.training, "_is_full_backward_hook": None}
        kinds |= {"training": "bool", "_is_full_backward_hook": "Optional[bool]"}
        for attribute, child in module._modules.items():
            if child is not None:
                state[attribute] = self.object_of(child, _name_of(child), [])
                kinds[attribute] = type(state[attribute]).script_name
        lines += [
            f"{n} : {kind}" if is_name(n) else f'__annotations__["{n}"] = {kind}'
            for n, kind in kinds.items()
        ]
        made.script_state = state
        body = "".join(f"  {line}\n" for line in [*lines, *methods])
        where, _, own = name.rpartition(".")
        self.sources[where] = self.sources.get(where, "") + f"class {own}(Module):\n{body}"
        return made

    def _free(self, name: str) -> str:
        where, _, own = name.rpartition(".")
        number = 0
        while name in self._taken:
            name = f"{where}.___torch_mangle_{number}.{own}"
            number += 1
        self._taken.add(name)
        return name


def _name_of(module: Any) -> str:
    original = module.__dict__.get("_original_class", type(module))
    return _qualified_name(original)


def write_module(
    called: Callable[..., Any],
    root: nn.Module | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    file: Any,
    extra_files: dict[str, Any] | None,
) -> None:
    """Write the archive of *called*, as it runs on these arguments.

    :param root: the module that is called, whose tensors are named; None for a function.
    :param file: a path or an open file.
    :param extra_files: further records, texts or bytes by name.

    Raises RuntimeError for arguments and results that are no tensors, and NotImplementedError
    for what has no source: operators of Python functions, objects that no script knows.
    """
    given = [*args, *kwargs.values()]
    parameters = _parameter_names(called, root)
    names = [*parameters[: len(args)], *kwargs]
    leaves = [leaf for n, value in zip(names, given, strict=True) for leaf in _leaves(n, value)]
    graph, result = _drawn(called, root, args, kwargs)
    lines, constants = printed(graph, root, leaves)
    module = nn.Module() if root is None else root
    name = "__torch__.PlaceholderModule" if root is None else _name_of(root)
    arguments = "".join(f",\n    {n}: {annotation(v)}" for n, v in zip(names, given, strict=True))
    head = f"def forward(self: {name}{arguments}) -> {annotation(result)}:"
    archive = _Archive()
    data = archive.object_of(module, name, [head, *(f"  {line}" for line in lines)])
    sources = {f"code/{k.replace('.', '/')}.py": text for k, text in archive.sources.items()}
    write_archive(file, data, tuple(constants), sources, extra_files)


class _Watch(TorchFunctionMode):
    """Sees whether a function is called while autocast is on."""

    autocast = False

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        self.autocast = self.autocast or is_any_autocast_enabled()
        return func(*args, **kwargs or {})


def _drawn(
    called: Callable[..., Any],
    root: nn.Module | None,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> tuple[Any, Any]:
    """The graph of a call, and what it returned. Buffers and random numbers stay as they were.

    Where autocast is on, it is drawn behind autocast, for a script knows only what that casts.
    """
    results: list[Any] = []
    watch = _Watch()
    leaves, structure = tree_flatten((args, kwargs))

    def run(*values: Any) -> Any:
        given, named = tree_unflatten(list(values), structure)
        with watch:
            results.append(called(*given, **named))
        return results[-1]

    def graph_of(whole: bool) -> Any:
        with fork_rng():
            return make_fx(run, pre_dispatch=whole)(*leaves)

    buffers = [] if root is None else list(root.buffers())
    kept = [(b, b.detach().clone()) for b in buffers]
    try:
        graph = graph_of(whole=True)
        if watch.autocast:
            graph = graph_of(whole=False)
    finally:
        for buffer, before in kept:
            if not torch.equal(buffer, before):  # statistics are kept without a new version
                buffer.detach().copy_(before)
    return graph, results[-1]


def _leaves(source: str, value: Any) -> list[str]:
    """The source of each tensor in the argument *source*."""
    if isinstance(value, Tensor):
        return [source]
    annotation(value)  # refuses what is no tensor
    keys = (
        [(f'["{key}"]', item) for key, item in value.items()]
        if isinstance(value, dict)
        else [(f"[{i}]", item) for i, item in enumerate(value)]
    )
    return [leaf for key, item in keys for leaf in _leaves(f"({source}){key}", item)]


def _parameter_names(called: Callable[..., Any], root: nn.Module | None) -> list[str]:
    """The names of the arguments, without a method's ``self``."""
    if root is not None:
        called = root.__dict__.get("_original_class", type(root)).forward
    found = inspect.signature(called).parameters.values()
    names = [each.name for each in found if each.kind is not each.VAR_POSITIONAL]
    return [*names[root is not None :], *(f"argument_{i}" for i in range(64))]
