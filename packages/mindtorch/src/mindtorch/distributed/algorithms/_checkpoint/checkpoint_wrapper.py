"""Modules whose activations are computed again in backward."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from enum import Enum, auto
from functools import partial
from typing import Any

from mindtorch.autograd.graph import save_on_cpu
from mindtorch.utils.checkpoint import checkpoint as torch_utils_checkpoint

from .... import nn

__all__ = [
    "ActivationWrapper",
    "CheckpointImpl",
    "CheckpointWrapper",
    "OffloadWrapper",
    "apply_activation_checkpointing",
    "checkpoint_wrapper",
    "offload_wrapper",
]

_CHECKPOINT_WRAPPED_MODULE = "_checkpoint_wrapped_module"
_CHECKPOINT_PREFIX = _CHECKPOINT_WRAPPED_MODULE + "."


class CheckpointImpl(Enum):
    """Which implementation computes again."""

    REENTRANT = auto()
    NO_REENTRANT = auto()


class ActivationWrapper(nn.Module, ABC):
    """A module in another, which names of states do not show."""

    def __init__(self, mod: nn.Module) -> None:
        super().__init__()
        self._checkpoint_wrapped_module = mod
        self._register_state_dict_hook(self._post_state_dict_hook)
        self.register_load_state_dict_pre_hook(self._pre_load_state_dict_hook)

    @abstractmethod
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The wrapped forward."""

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            if name == _CHECKPOINT_WRAPPED_MODULE:
                raise
            return getattr(self._checkpoint_wrapped_module, name)

    def __getitem__(self, key: int) -> Any:
        return self._checkpoint_wrapped_module[key]  # type: ignore[index]  # a container, if it has items

    def named_parameters(self, *args: Any, **kwargs: Any) -> Iterator[Any]:
        """Parameters by names without the wrapper."""
        for name, p in super().named_parameters(*args, **kwargs):
            yield name.replace(_CHECKPOINT_PREFIX, ""), p

    @staticmethod
    def _post_state_dict_hook(module: Any, state_dict: Any, prefix: str, *args: Any) -> Any:
        inside = prefix + _CHECKPOINT_PREFIX
        for key in [k for k in state_dict if k.startswith(inside)]:
            state_dict[prefix + key[len(inside) :]] = state_dict.pop(key)
        return state_dict

    @staticmethod
    def _pre_load_state_dict_hook(module: Any, state_dict: Any, prefix: str, *args: Any) -> None:
        for key in [k for k in state_dict if k.startswith(prefix)]:
            state_dict[prefix + _CHECKPOINT_PREFIX + key[len(prefix) :]] = state_dict.pop(key)


class OffloadWrapper(ActivationWrapper):
    """A module whose activations are kept on the host."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The forward of the module."""
        with save_on_cpu(pin_memory=True):
            return self._checkpoint_wrapped_module(*args, **kwargs)


class CheckpointWrapper(ActivationWrapper):
    """A module whose activations are computed again in backward."""

    def __init__(
        self,
        mod: nn.Module,
        checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
        checkpoint_fn: Callable[..., Any] | None = None,
        **checkpoint_fn_kwargs: Any,
    ) -> None:
        super().__init__(mod)
        self.checkpoint_impl = checkpoint_impl
        if checkpoint_fn is None:
            self.checkpoint_fn: Any = partial(
                torch_utils_checkpoint,
                use_reentrant=checkpoint_impl is CheckpointImpl.REENTRANT,
                **checkpoint_fn_kwargs,
            )
        else:
            self.checkpoint_fn = partial(checkpoint_fn, **checkpoint_fn_kwargs)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """The forward of the module."""
        if self.checkpoint_impl is CheckpointImpl.REENTRANT and kwargs:
            inner = self._checkpoint_wrapped_module
            return self.checkpoint_fn(partial(inner, **kwargs), *args)
        return self.checkpoint_fn(self._checkpoint_wrapped_module, *args, **kwargs)


def offload_wrapper(module: nn.Module) -> nn.Module:
    """*module* with its activations on the host."""
    return OffloadWrapper(module)


def checkpoint_wrapper(
    module: nn.Module,
    checkpoint_impl: CheckpointImpl = CheckpointImpl.NO_REENTRANT,
    checkpoint_fn: Callable[..., Any] | None = None,
    **checkpoint_fn_kwargs: Any,
) -> nn.Module:
    """*module* with its activations computed again."""
    return CheckpointWrapper(module, checkpoint_impl, checkpoint_fn, **checkpoint_fn_kwargs)


def apply_activation_checkpointing(
    model: nn.Module,
    checkpoint_wrapper_fn: Callable[[nn.Module], nn.Module] = checkpoint_wrapper,
    check_fn: Callable[[nn.Module], bool] = lambda _: True,
    auto_wrap_policy: Callable[..., bool] | None = None,
) -> None:
    """Wrap the submodules that *check_fn*, or a policy, says."""
    from ...fsdp.wrap import _Policy, _post_order_apply, _recursive_wrap

    if auto_wrap_policy is None:
        _post_order_apply(model, lambda m: checkpoint_wrapper_fn(m) if check_fn(m) else None)
    elif isinstance(auto_wrap_policy, _Policy):
        targets = auto_wrap_policy._run_policy(model, set(), {})
        targets.pop(model, None)
        _post_order_apply(model, lambda m: checkpoint_wrapper_fn(m) if m in targets else None)
    else:
        _recursive_wrap(
            model, auto_wrap_policy, checkpoint_wrapper_fn, set(), set(), only_wrap_children=True
        )
