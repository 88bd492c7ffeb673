"""Tensors and submodules of a module by their full names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...aten import torch
from ..modules import Module

__all__ = ["NamedMemberAccessor", "set_tensor", "swap_submodule", "swap_tensor"]

_MISSING: Any = object()


def set_tensor(module: Any, name: str, tensor: Any) -> None:
    """Put *tensor* where *module* has the parameter, buffer or attribute *name*."""
    _check_module(module)
    _check_tensor(tensor)
    _check_name("tensor", name)
    for store in (module._parameters, module._buffers):
        if name in store:
            store[name] = tensor
            return
    setattr(module, name, tensor)


def _check_module(module: Any) -> None:
    if not isinstance(module, Module):
        raise TypeError(f"{module} is not an instance of torch.nn.Module")


def _check_tensor(tensor: Any) -> None:
    if tensor is not None and not isinstance(tensor, torch.Tensor):
        raise TypeError(f"{tensor} is not an instance of torch.Tensor")


def _check_name(kind: str, name: str) -> None:
    """Refuse what names a member of another module, or nothing."""
    if "." in name:
        raise KeyError(f'{kind} name can\'t contain "."')
    if not name:
        raise KeyError(f'{kind} name can\'t be empty string ""')


def swap_tensor(module: Any, name: str, tensor: Any, allow_missing: bool = False) -> Any:
    """Put *tensor* in place of *name*, and return what was there.

    :param allow_missing: there may be nothing, which a sentinel stands for, here as in *tensor*.
    """
    _check_module(module)
    _check_tensor(None if tensor is _MISSING else tensor)
    _check_name("tensor", name)
    for store in (module._parameters, module._buffers):
        if name in store:
            before = store[name]
            if tensor is not _MISSING:
                store[name] = tensor
            else:
                del store[name]
            return before
    before = getattr(module, name, _MISSING)
    if before is _MISSING:
        if not allow_missing:
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
    elif not isinstance(before, torch.Tensor) and before is not None:
        raise TypeError(f"attribute `{name}`: {before} is not an instance of torch.Tensor")
    if tensor is _MISSING:
        if hasattr(module, name):
            delattr(module, name)
    else:
        setattr(module, name, tensor)
    return before


def swap_submodule(module: Any, name: str, submodule: Any) -> Any:
    """Put *submodule* in place of *name*, and return what was there."""
    _check_module(module)
    _check_module(submodule)
    _check_name("submodule", name)
    before = module._modules.get(name, _MISSING)
    if before is _MISSING:
        raise KeyError(f"submodule {name} does not exist")
    if not isinstance(before, Module):
        raise TypeError(f"{name} attribute is not an instance of torch.nn.Module")
    module._modules[name] = submodule
    return before


class NamedMemberAccessor:
    """Finds the members of *module* by full names, remembering where submodules are."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.memo: dict[str, Any] = {}

    def _split(self, name: str) -> tuple[Any, str]:
        prefix, _, attr = name.rpartition(".")
        return self.get_submodule(prefix), attr

    def get_submodule(self, name: str) -> Any:
        """The submodule *name*, the module itself for an empty one."""
        known = self.memo.get(name) if name else self.module
        if known is not None:
            return known
        parent, attr = self._split(name)
        try:
            found = getattr(parent, attr)
        except AttributeError as error:
            raise AttributeError(f"{parent._get_name()} has no attribute `{attr}`") from error
        if not isinstance(found, Module):
            raise TypeError(f"submodule `{name}`: {found} is not an instance of torch.nn.Module")
        self.memo[name] = found
        return found

    def swap_submodule(self, path: str, value: Any) -> Any:
        """Put *value* in place of the submodule *path*, and return what was there."""
        parent, attr = self._split(path)
        return swap_submodule(parent, attr, value)

    def get_tensor(self, name: str) -> Any:
        """The tensor *name*."""
        owner, attr = self._split(name)
        try:
            tensor = getattr(owner, attr)
        except AttributeError as error:
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`") from error
        if not isinstance(tensor, torch.Tensor) and tensor is not None:
            raise TypeError(f"{tensor} is not an instance of torch.Tensor")
        return tensor

    def set_tensor(self, name: str, value: Any) -> None:
        """Put *value* where the tensor *name* is."""
        set_tensor(*self._split(name), value)

    def del_tensor(self, name: str) -> None:
        """Delete the tensor *name*."""
        owner, attr = self._split(name)
        try:
            delattr(owner, attr)
        except AttributeError as error:
            raise AttributeError(f"{owner._get_name()} has no attribute `{name}`") from error

    def swap_tensor(self, name: str, value: Any, allow_missing: bool = False) -> Any:
        """Put *value* where the tensor *name* is, and return what was there."""
        return swap_tensor(*self._split(name), value, allow_missing=allow_missing)

    def get_tensors(self, names: Iterable[str]) -> list[Any]:
        """The tensors of these names."""
        return [self.get_tensor(name) for name in names]

    def set_tensors(self, names: Iterable[str], values: Iterable[Any]) -> None:
        """Put each of *values* where the tensor of its name is."""
        names, values = _paired(names, values)
        for name, value in zip(names, values, strict=True):
            self.set_tensor(name, value)

    def set_tensors_dict(self, named_tensors: dict[str, Any]) -> None:
        """Put each tensor where the one of its name is."""
        for name, value in named_tensors.items():
            self.set_tensor(name, value)

    def del_tensors(self, names: Iterable[str]) -> None:
        """Delete the tensors of these names."""
        for name in names:
            self.del_tensor(name)

    def swap_tensors(
        self, names: Iterable[str], values: Iterable[Any], allow_missing: bool = False
    ) -> list[Any]:
        """Put each of *values* where the tensor of its name is, and return what was there."""
        names, values = _paired(names, values)
        return [
            self.swap_tensor(name, value, allow_missing=allow_missing)
            for name, value in zip(names, values, strict=True)
        ]

    def swap_tensors_dict(
        self, named_tensors: dict[str, Any], allow_missing: bool = False
    ) -> tuple[dict[str, Any], list[str]]:
        """The same for a dictionary; also the names of which nothing was there.

        If one cannot be put in place, none is.
        """
        before: dict[str, Any] = {}
        missing: list[str] = []
        try:
            for name, tensor in named_tensors.items():
                before[name] = self.swap_tensor(name, tensor, allow_missing=True)
                if before[name] is _MISSING:
                    missing.append(name)
        except Exception as error:
            for name, tensor in before.items():
                self.swap_tensor(name, tensor, allow_missing=True)
            raise RuntimeError("Failed to swap tensors.") from error
        if missing and not allow_missing:
            for name, tensor in before.items():
                self.swap_tensor(name, tensor, allow_missing=True)
            raise RuntimeError(f"Missing key(s): {', '.join(map(repr, missing))}.")
        return before, missing

    def check_keys(self, keys: Iterable[str]) -> tuple[list[str], list[str]]:
        """Which of the module's tensors *keys* lack, and which of them it does not have."""
        given = set(keys)
        valid = {name for name, _ in self.named_tensors(remove_duplicate=False)}
        return sorted(valid - given), sorted(given - valid)

    def named_parameters(self, remove_duplicate: bool = True) -> Iterable[tuple[str, Any]]:
        """All parameters of the module."""
        yield from self.module.named_parameters(remove_duplicate=remove_duplicate)

    def named_buffers(self, remove_duplicate: bool = True) -> Iterable[tuple[str, Any]]:
        """All buffers of the module."""
        yield from self.module.named_buffers(remove_duplicate=remove_duplicate)

    def named_tensors(self, remove_duplicate: bool = True) -> Iterable[tuple[str, Any]]:
        """All parameters and buffers of the module."""
        yield from self.module.named_parameters(remove_duplicate=remove_duplicate)
        yield from self.module.named_buffers(remove_duplicate=remove_duplicate)

    def named_modules(self, remove_duplicate: bool = True) -> Iterable[tuple[str, Any]]:
        """All submodules of the module."""
        yield from self.module.named_modules(remove_duplicate=remove_duplicate)


def _paired(names: Iterable[str], values: Iterable[Any]) -> tuple[list[str], list[Any]]:
    names, values = list(names), list(values)
    if len(names) != len(values):
        raise AssertionError(
            f"names and values must have the same length, got {len(names)} names and "
            f"{len(values)} values"
        )
    return names, values
