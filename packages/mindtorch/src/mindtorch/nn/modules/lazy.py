"""Lazy modules: those that learn the sizes of their parameters from the first input."""

from __future__ import annotations

from typing import Any, Protocol

from mindtorch_autograd import no_grad

from ..parameter import is_lazy

__all__ = ["LazyModuleMixin"]


class _LazyProtocol(Protocol):
    """What the mixin asks of the module that it is mixed into."""

    def _register_load_state_dict_pre_hook(self, hook: Any) -> Any: ...

    def register_forward_pre_hook(self, hook: Any, *, with_kwargs: bool = False) -> Any: ...


class LazyModuleMixin:
    """Lets a module begin with parameters without a shape; comes before :class:`Module`.

    A subclass makes :class:`~torch.nn.UninitializedParameter` in ``__init__`` and gives them their
    shapes in ``initialize_parameters``, which gets what the first call gets. The module then
    becomes an instance of ``cls_to_become``.
    """

    #: The class of the module once all is known; None: it stays what it is.
    cls_to_become: Any = None

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._load_hook = self._register_load_state_dict_pre_hook(self._lazy_load_hook)
        self._initialize_hook = self.register_forward_pre_hook(
            self._infer_parameters, with_kwargs=True
        )

    def _save_to_state_dict(self: Any, destination: Any, prefix: str, keep_vars: bool) -> None:
        skipped = self._non_persistent_buffers_set
        for group in (self._parameters, self._buffers):
            for name, value in group.items():
                if value is None or (group is self._buffers and name in skipped):
                    continue
                kept = is_lazy(value) or keep_vars
                destination[prefix + name] = value if kept else value.detach()

    def _lazy_load_hook(
        self: Any,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: Any,
        unexpected_keys: Any,
        error_msgs: Any,
    ) -> None:
        """Give parameters the shapes of those that are loaded into them."""
        for name, value in [*self._parameters.items(), *self._buffers.items()]:
            given = state_dict.get(prefix + name)
            if value is None or given is None or not is_lazy(value) or is_lazy(given):
                continue
            with no_grad():
                value.materialize(given.shape)

    def initialize_parameters(self, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes; the arguments are those of the first call."""
        raise NotImplementedError(
            "initialize_parameters is not implemented for " + type(self).__name__
        )

    def has_uninitialized_params(self: Any) -> bool:
        """Whether a parameter or buffer of this module has no shape yet."""
        return any(is_lazy(v) for v in [*self._parameters.values(), *self._buffers.values()])

    def _infer_parameters(self: Any, module: Any, args: Any, kwargs: Any = None) -> None:
        """The hook before the first call."""
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise RuntimeError(f"module {self._get_name()} has not been fully initialized")
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook
        del module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become

    def _replicate_for_data_parallel(self) -> Any:
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DataParallel`. Run a dummy "
            "forward pass to correctly initialize the modules"
        )
