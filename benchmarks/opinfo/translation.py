"""Values and functions of torch, made again with another framework.

The table of torch's tests holds functions over ``torch`` and samples made with it. A translation
gives the same function over the other framework: what is torch's own is looked up by its name, what
the tests define is made again with translated globals. Tensors get memory of their own with the
same layout; those that share memory share it afterwards, too.
"""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable, Iterator
from typing import Any

import torch

__all__ = ["Translation", "Untranslatable", "mapped", "tensors"]

#: Functions defined below are made again; all other functions of torch are looked up.
_TESTS = "torch.testing._"
#: Modules in which functions are looked for by identity.
_NAMESPACES = (
    *("torch", "torch.nn.functional", "torch.linalg", "torch.special", "torch.fft"),
    *("torch.sparse", "torch.masked", "torch.signal.windows", "torch.nested"),
)
_OPERATORS = (torch._ops.OpOverload, torch._ops.OpOverloadPacket)
_FUNCTIONS = (
    *(types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type, functools.partial),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, *_OPERATORS),
)
_NAMED = (torch.dtype, torch.layout, torch.memory_format)
_PLAIN = (type(None), bool, int, float, complex, str, bytes, range, type(Ellipsis))


class Untranslatable(Exception):
    """What the other framework does not have; the text is its name in torch."""


class Translation:
    """From torch to the framework *target*, which may be torch itself: then values are copied.

    :param device: where tensors are made, in place of the CPU: ``"meta"``.
    """

    def __init__(self, target: Any, device: str = "") -> None:
        self.target = target
        self.device = device
        self._functions: dict[int, Any] = {}
        self._kept: list[Any] = []  # so that no number of an object is given to another

    # -- functions ---------------------------------------------------------------------------------

    def function(self, value: Any) -> Any:
        """The function, class or module *value* of the other framework.

        :raises Untranslatable: if the framework has none of this name.
        """
        if self.target is torch:
            return value
        found = self._functions.get(id(value))
        if found is None:
            found = self._function(value)
            self._functions[id(value)] = found
            self._kept.append(value)
        return found

    def _function(self, value: Any) -> Any:
        if isinstance(value, types.ModuleType):
            return self._named(value.__name__, "")
        if isinstance(value, torch._ops.OpOverload):
            packet = self._named(f"torch.ops.{value.namespace}", value._opname)
            return self._member(packet, value._overloadname, str(value))
        if isinstance(value, torch._ops.OpOverloadPacket):
            space, _, name = value._qualified_op_name.partition("::")
            return self._named(f"torch.ops.{space}", name)
        if isinstance(value, functools.partial):
            return functools.partial(
                self.value(value.func), *self.value(value.args), **self.value(value.keywords)
            )
        if isinstance(value, types.FunctionType) and _of_tests(value):
            return self._made_again(value)
        public = _public_names().get(id(value))
        if public is not None:
            return self._named(*public)
        owner = getattr(value, "__objclass__", None)
        if owner is not None and issubclass(torch.Tensor, owner):
            return self._named("torch", f"Tensor.{value.__name__}")
        if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
            name = value.__qualname__.removeprefix("_VariableFunctionsClass.")
            return self._named(value.__module__ or "torch", name)
        raise Untranslatable(f"{type(value).__module__}.{type(value).__qualname__}")

    def _named(self, module: str, name: str) -> Any:
        found = self.target
        parts = [*module.split(".")[1:], *(name.split(".") if name else [])]
        for at, part in enumerate(parts):
            if isinstance(found, types.ModuleType) and not hasattr(found, part):
                try:
                    importlib.import_module(f"{found.__name__}.{part}")
                except ImportError:
                    if part.startswith("_") and at < len(parts) - 1:
                        continue  # a private module: what it defines is public one further up
            found = self._member(found, part, f"{module}.{name}".rstrip("."))
        return found

    @staticmethod
    def _member(owner: Any, name: str, whole: str) -> Any:
        try:
            return getattr(owner, name)
        except AttributeError:
            raise Untranslatable(whole) from None

    def _made_again(self, function: types.FunctionType) -> Any:
        space: dict[str, Any] = {"__builtins__": __builtins__, "__name__": function.__module__}
        cells = tuple(types.CellType() for _ in function.__closure__ or ())
        made = types.FunctionType(function.__code__, space, function.__name__, None, cells)
        self._functions[id(function)] = made  # it may call itself
        made.__defaults__ = self.value(function.__defaults__)
        made.__kwdefaults__ = self.value(function.__kwdefaults__)
        for name in _global_names(function.__code__):
            if name in function.__globals__:
                space[name] = self.value(function.__globals__[name])
        for cell, old in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = self.value(old.cell_contents)
        return made

    # -- values ------------------------------------------------------------------------------------

    def value(self, value: Any, shared: dict[int, Any] | None = None) -> Any:
        """*value*, an argument or a variable, for the other framework.

        :param shared: memory that was copied already, by its address.
        """
        shared = {} if shared is None else shared
        if isinstance(value, torch.Tensor):
            return self._tensor(value, shared)
        if isinstance(value, _PLAIN):
            return value
        if isinstance(value, torch.Size):
            return self.target.Size(value)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*(self.value(item, shared) for item in value))
        if isinstance(value, (list, tuple, set)):
            return type(value)(self.value(item, shared) for item in value)
        if isinstance(value, dict):
            return {name: self.value(item, shared) for name, item in value.items()}
        if isinstance(value, slice):
            return slice(*(self.value(x, shared) for x in (value.start, value.stop, value.step)))
        if isinstance(value, _NAMED):
            return self._named("torch", str(value).removeprefix("torch."))
        if isinstance(value, torch.device):
            return self.target.device(self.device or str(value))
        if isinstance(value, torch.Generator):
            return self.target.Generator().manual_seed(value.initial_seed())
        if isinstance(value, torch.nn.Module):
            cls = self.function(type(value))
            module = cls.__new__(cls)
            vars(module).update(self.value(vars(value), shared))
            return module
        if isinstance(value, _FUNCTIONS) and _is_torchs(value):
            return self.function(value)
        return value  # what the tests are made of (OpInfo, …) serves both

    def _tensor(self, tensor: torch.Tensor, shared: dict[int, Any]) -> Any:
        plain = tensor.detach()
        dtype = self.value(tensor.dtype)
        if tensor.layout is not torch.strided:
            made = self._sparse(plain, shared)
        elif self.device or tensor.is_meta:
            count = 0 if tensor.is_meta else plain.untyped_storage().nbytes() // plain.itemsize
            count = max(count, _reach(plain))
            memory = self.target.empty(count, dtype=dtype, device=self.device or "meta")
            made = memory.as_strided(tuple(plain.shape), plain.stride(), plain.storage_offset())
        else:
            if plain.is_conj():
                return self._marked(tensor, plain.conj(), "conj", shared)
            if plain.is_neg():
                return self._marked(tensor, torch._neg_view(plain), "_neg_view", shared)
            storage = plain.untyped_storage()
            address = storage.data_ptr() if storage.nbytes() else id(tensor)
            if address not in shared:
                memory = torch.empty(0, dtype=torch.uint8).set_(storage).numpy().copy()
                shared[address] = self.target.from_numpy(memory).untyped_storage()
            made = self.target.empty(0, dtype=dtype).set_(
                shared[address], plain.storage_offset(), tuple(plain.shape), plain.stride()
            )
        return made.requires_grad_(True) if tensor.requires_grad else made

    def _marked(self, tensor: Any, plain: Any, view: str, shared: dict[int, Any]) -> Any:
        made = getattr(self.target, view)(self._tensor(plain, shared))
        return made.detach().requires_grad_(True) if tensor.requires_grad else made

    def _sparse(self, plain: Any, shared: dict[int, Any]) -> Any:
        size, dtype = tuple(plain.shape), self.value(plain.dtype)
        if plain.layout is torch.sparse_coo:
            parts = (plain._indices(), plain._values())
            made = self.target.sparse_coo_tensor(
                *self.value(parts, shared), size, is_coalesced=plain.is_coalesced()
            )
        else:
            rows = plain.layout in (torch.sparse_csr, torch.sparse_bsr)
            parts = (
                (plain.crow_indices(), plain.col_indices(), plain.values())
                if rows
                else (plain.ccol_indices(), plain.row_indices(), plain.values())
            )
            made = self.target.sparse_compressed_tensor(
                *self.value(parts, shared), size, dtype=dtype, layout=self.value(plain.layout)
            )
        return made.to(self.device) if self.device else made


def _reach(plain: torch.Tensor) -> int:
    """How many elements of memory a tensor looks at, with those before it."""
    steps = zip(plain.shape, plain.stride(), strict=True)
    return plain.storage_offset() + 1 + sum((n - 1) * s for n, s in steps) if plain.numel() else 0


def _of_tests(value: Any) -> bool:
    return (getattr(value, "__module__", None) or "").startswith(_TESTS)


def _is_torchs(value: Any) -> bool:
    """Whether the other framework has something else in the place of *value*."""
    if isinstance(value, (types.ModuleType, functools.partial, *_OPERATORS)):
        name = getattr(value, "__name__", "")
        return not isinstance(value, types.ModuleType) or name.partition(".")[0] == "torch"
    if isinstance(value, type) and _of_tests(value):
        return False
    if isinstance(value, types.MethodDescriptorType | types.WrapperDescriptorType):
        return issubclass(torch.Tensor, value.__objclass__) and value.__objclass__ is not object
    return (getattr(value, "__module__", None) or "").partition(".")[0] == "torch"


@functools.cache
def _public_names() -> dict[int, tuple[str, str]]:
    """Where users find the functions of torch: module and name by the function's identity."""
    found: dict[int, tuple[str, str]] = {}
    for module in _NAMESPACES:
        for name, value in vars(importlib.import_module(module)).items():
            if callable(value) and not name.startswith("__"):
                found.setdefault(id(value), (module, name))
    return found


def _global_names(code: types.CodeType) -> Iterator[str]:
    """Names that *code*, or a function inside it, may look up as globals."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _global_names(constant)


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """*value* with *change* made to everything in it that is no container."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(mapped(item, change) for item in value))
    if isinstance(value, (list, tuple)) and type(value) in (list, tuple):
        return type(value)(mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {name: mapped(item, change) for name, item in value.items()}
    return change(value)


def tensors(framework: Any, value: Any) -> list[Any]:
    """All tensors of *framework* in *value*, in order; each once."""
    found: list[Any] = []

    def look(item: Any) -> None:
        if isinstance(item, framework.Tensor):
            if all(item is not other for other in found):
                found.append(item)
        elif isinstance(item, dict):
            for inner in item.values():
                look(inner)
        elif isinstance(item, (list, tuple)):
            for inner in item:
                look(inner)

    look(value)
    return found
