"""Policies: which submodules are wrapped by themselves."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ... import nn

__all__ = [
    "CustomPolicy",
    "ModuleWrapPolicy",
    "always_wrap_policy",
    "enable_wrap",
    "lambda_auto_wrap_policy",
    "size_based_auto_wrap_policy",
    "transformer_auto_wrap_policy",
    "wrap",
]


def always_wrap_policy(*args: Any, **kwargs: Any) -> bool:
    """Wrap all."""
    return True


class _Policy(ABC):
    """Says with which arguments which modules are wrapped."""

    @abstractmethod
    def _run_policy(
        self, root_module: nn.Module, ignored_modules: set[nn.Module], root_kwargs: dict[str, Any]
    ) -> dict[nn.Module, dict[str, Any]]: ...


def _module_wrap_policy(
    module: nn.Module, recurse: bool, nonwrapped_numel: int, module_classes: set[type[nn.Module]]
) -> bool:
    return recurse or isinstance(module, tuple(module_classes))


class ModuleWrapPolicy(_Policy):
    """Wrap the modules of some classes."""

    def __init__(self, module_classes: Iterable[type[nn.Module]]) -> None:
        self._module_classes = set(module_classes)
        self._module_classes_str = str(self._module_classes)

    def _run_policy(
        self, root_module: nn.Module, ignored_modules: set[nn.Module], root_kwargs: dict[str, Any]
    ) -> dict[nn.Module, dict[str, Any]]:
        kinds = tuple(self._module_classes)
        return {
            m: dict(root_kwargs)
            for m in root_module.modules()
            if m not in ignored_modules and isinstance(m, kinds)
        }

    def __call__(self, module: nn.Module, recurse: bool, *args: Any, **kwargs: Any) -> bool:
        return _module_wrap_policy(module, recurse, -1, self._module_classes)

    def __repr__(self) -> str:
        return super().__repr__() + f"({self._module_classes_str})"


class CustomPolicy(_Policy):
    """Wrap what a function says, with the arguments that it says."""

    def __init__(self, lambda_fn: Callable[[nn.Module], bool | dict[str, Any]]) -> None:
        self._lambda_fn = lambda_fn

    def _run_policy(
        self, root_module: nn.Module, ignored_modules: set[nn.Module], root_kwargs: dict[str, Any]
    ) -> dict[nn.Module, dict[str, Any]]:
        found = {}
        for m in root_module.modules():
            if m in ignored_modules:
                continue
            said = self._lambda_fn(m)
            if not isinstance(said, dict | bool):
                raise ValueError(
                    "The lambda_fn passed to CustomPolicy should return False/True or a kwarg "
                    f"dict, but it returned {said}"
                )
            if said:
                found[m] = {**root_kwargs, **(said if isinstance(said, dict) else {})}
        return found


def lambda_auto_wrap_policy(
    module: nn.Module, recurse: bool, nonwrapped_numel: int, lambda_fn: Callable[..., bool]
) -> bool:
    """Wrap what *lambda_fn* says."""
    return recurse or lambda_fn(module)


def transformer_auto_wrap_policy(
    module: nn.Module,
    recurse: bool,
    nonwrapped_numel: int,
    transformer_layer_cls: set[type[nn.Module]],
) -> bool:
    """Wrap the layers of a transformer."""
    return _module_wrap_policy(module, recurse, nonwrapped_numel, transformer_layer_cls)


def _or_policy(module: nn.Module, recurse: bool, nonwrapped_numel: int, policies: Any) -> bool:
    """Wrap what any of *policies* does."""
    return any(
        policy(module=module, recurse=recurse, nonwrapped_numel=nonwrapped_numel)
        for policy in policies
    )


def size_based_auto_wrap_policy(
    module: nn.Module,
    recurse: bool,
    nonwrapped_numel: int,
    min_num_params: int = int(1e8),
    force_leaf_modules: set[type[nn.Module]] | None = None,
    exclude_wrap_modules: set[type[nn.Module]] | None = None,
) -> bool:
    """Wrap what has many parameters that are in no wrapped module."""
    own: Any = size_based_auto_wrap_policy  # programs change what is kept on it
    if force_leaf_modules is None:
        force_leaf_modules = own.FORCE_LEAF_MODULES
    if exclude_wrap_modules is None:
        exclude_wrap_modules = own.EXCLUDE_WRAP_MODULES
    large = nonwrapped_numel >= min_num_params
    if recurse:
        return large and not isinstance(module, tuple(force_leaf_modules))
    return large and not isinstance(module, tuple(exclude_wrap_modules))


vars(size_based_auto_wrap_policy).update(
    EXCLUDE_WRAP_MODULES={nn.ModuleList, nn.ModuleDict}, FORCE_LEAF_MODULES={nn.MultiheadAttention}
)


class _ConfigAutoWrap:
    """What ``wrap`` wraps with inside of ``enable_wrap``."""

    in_autowrap_context = False
    wrapper_cls: Any = None
    kwargs: dict[str, Any] = {}


@contextlib.contextmanager
def enable_wrap(*, wrapper_cls: Any, **wrapper_kwargs: Any) -> Iterator[None]:
    """Let ``wrap`` wrap with *wrapper_cls*."""
    if _ConfigAutoWrap.in_autowrap_context:
        raise NotImplementedError(
            "You are already within an autowrap context and we currently do not supported nested "
            "autowrap."
        )
    _ConfigAutoWrap.in_autowrap_context = True
    _ConfigAutoWrap.wrapper_cls, _ConfigAutoWrap.kwargs = wrapper_cls, wrapper_kwargs
    try:
        yield
    finally:
        _ConfigAutoWrap.in_autowrap_context = False
        _ConfigAutoWrap.wrapper_cls, _ConfigAutoWrap.kwargs = None, {}


def wrap(module: nn.Module, **wrap_overrides: Any) -> nn.Module:
    """Wrap a module inside of ``enable_wrap``; elsewhere it stays as it is."""
    if not _ConfigAutoWrap.in_autowrap_context:
        return module
    return _wrap(
        module, _ConfigAutoWrap.wrapper_cls, **{**_ConfigAutoWrap.kwargs, **wrap_overrides}
    )


def _wrap(module: nn.Module, wrapper_cls: Any, **kwargs: Any) -> Any:
    overrides = getattr(module, "_wrap_overrides", {})
    return wrapper_cls(module, **{**kwargs, **overrides})


def _recursive_wrap(
    module: nn.Module,
    auto_wrap_policy: Callable[..., bool],
    wrapper_cls: Any,
    ignored_modules: set[nn.Module],
    ignored_params: set[Any],
    only_wrap_children: bool = False,
    **kwargs: Any,
) -> tuple[nn.Module, int]:
    """Wrap from the leaves on; the module, and how many of its parameters are wrapped."""
    count = sum(p.numel() for p in module.parameters() if p not in ignored_params)
    if not auto_wrap_policy(module=module, recurse=True, nonwrapped_numel=count):
        return module, 0
    wrapped = 0
    for name, child in module.named_children():
        if child in ignored_modules:
            continue
        made, inside = _recursive_wrap(
            child, auto_wrap_policy, wrapper_cls, ignored_modules, ignored_params, **kwargs
        )
        setattr(module, name, made)
        wrapped += inside
    left = count - wrapped
    if not only_wrap_children and auto_wrap_policy(
        module=module, recurse=False, nonwrapped_numel=left
    ):
        return _wrap(module, wrapper_cls, **kwargs), count
    return module, wrapped


def _post_order_apply(root: nn.Module, fn: Callable[[nn.Module], nn.Module | None]) -> None:
    """Put what *fn* makes of each submodule in its place, leaves first."""
    for name, child in list(root.named_children()):
        _post_order_apply(child, fn)
        made = fn(child)
        if made is not None:
            setattr(root, name, made)


def _auto_wrap(
    root: nn.Module,
    policy: Any,
    ignored_modules: set[nn.Module],
    ignored_params: set[Any],
    root_kwargs: dict[str, Any],
    wrapper_cls: Any,
) -> None:
    """Wrap the submodules of *root* that *policy* says."""
    if isinstance(policy, _Policy):
        targets = policy._run_policy(root, ignored_modules, root_kwargs)
        targets.pop(root, None)
        _post_order_apply(root, lambda m: wrapper_cls(m, **targets[m]) if m in targets else None)
        return
    _recursive_wrap(
        root,
        policy,
        wrapper_cls,
        ignored_modules,
        ignored_params,
        only_wrap_children=True,
        **root_kwargs,
    )
