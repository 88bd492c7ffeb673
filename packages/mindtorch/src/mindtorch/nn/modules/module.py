"""``Module``: the base of all layers and models."""

from __future__ import annotations

from collections import OrderedDict
from inspect import signature
from typing import Any, Self, TypeVar

from mindtorch_storage import Device as device  # noqa: F401  (torch has both here too)
from mindtorch_storage import DType as dtype  # noqa: F401

from ...aten.functions import typename
from ...core.module_names import name_parts
from ...tensor import Tensor
from ..parameter import Buffer, Parameter
from .calling import Calling, _forward_unimplemented  # noqa: F401  (torch has it here)
from .conversion import Conversion
from .hooks import (
    BackwardHook,  # noqa: F401  (torch has both here too)
    RemovableHandle,  # noqa: F401
    _global_buffer_registration_hooks,
    _global_module_registration_hooks,
    _global_parameter_registration_hooks,
    look_in,
    register_module_backward_hook,
    register_module_buffer_registration_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from .hooks import (
    WithModule as _WrappedHook,  # noqa: F401
)
from .state import (
    _EXTRA_STATE_KEY_SUFFIX,  # noqa: F401  (torch has both here too)
    State,
    _IncompatibleKeys,  # noqa: F401
)
from .traversal import Traversal

look_in(globals())

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]

T = TypeVar("T", bound="Module")  # programs import it for their own annotations

_set = object.__setattr__
# In torch's order, which is the order of a module's ``__dict__``; None stands for itself.
_HOOKS_AND_FLAGS = (
    "_backward_pre_hooks",
    "_backward_hooks",
    "_is_full_backward_hook",
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)


def _has_any_global_hook() -> bool:
    """Whether a hook for all modules sees calls of modules."""
    names = globals()
    return bool(
        names["_global_backward_pre_hooks"]
        or names["_global_backward_hooks"]
        or names["_global_forward_pre_hooks"]
        or names["_global_forward_hooks"]
        or names["_global_forward_hooks_always_called"]
        or names["_global_forward_hooks_with_kwargs"]
    )


def _typename(obj: Any) -> str:
    """``torch.typename``, with our modules called as they are known to users."""
    name = typename(obj)
    return name[4:] if name.startswith("mindtorch.") else name


def _addindent(text: str, spaces: int) -> str:
    """All lines but the first moved right."""
    return text.replace("\n", "\n" + " " * spaces)


class Module(Traversal, Calling, Conversion, State):
    """Base class of everything that has parameters and is called.

    A subclass calls ``super().__init__()``, assigns parameters and submodules as attributes and
    defines ``forward``.
    """

    #: Whether ``__init__`` passes its arguments on, for use with other base classes.
    call_super_init: bool = False
    dump_patches: bool = False
    training: bool

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            if kwargs:
                raise TypeError(
                    f"{type(self).__name__}.__init__() got an unexpected keyword argument "
                    f"'{next(iter(kwargs))}'"
                )
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but "
                    f"{len(args) + 1} were given"
                )
        own = self.__dict__
        own["training"] = True
        own["_parameters"] = {}
        own["_buffers"] = {}
        own["_non_persistent_buffers_set"] = set()
        for name in _HOOKS_AND_FLAGS:
            own[name] = OrderedDict()
        own["_is_full_backward_hook"] = None
        own["_modules"] = {}
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # attributes -----------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for kind in ("_parameters", "_buffers", "_modules"):
            group = own.get(kind)
            if group is not None and name in group:
                return group[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        parameters = own.get("_parameters")
        # Parameter and Buffer are asked through a metaclass, which plain values need not pay for.
        is_tensor = isinstance(value, Tensor)
        if is_tensor and isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget_(name, "_buffers", "_modules")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_typename(value)}' as parameter '{name}' "
                    "(torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget_(name, "_parameters", "_buffers")
            self._put_module_(name, value)
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{_typename(value)}' as child module '{name}' "
                    "(torch.nn.Module or None expected)"
                )
            self._put_module_(name, value)
        elif name in own.get("_buffers", ()) or (is_tensor and isinstance(value, Buffer)):
            self._put_buffer_(name, value)
        else:
            _set(self, name, value)

    def __delattr__(self, name: str) -> None:
        for group in (self._parameters, self._buffers, self._modules):
            if name in group:
                del group[name]
                if group is self._buffers:
                    self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = [*dir(type(self)), *self.__dict__]
        names += [*self._parameters, *self._modules, *self._buffers]
        return sorted(n for n in names if not n[0].isdigit())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        state.pop("_compiled_call_impl", None)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        own = self.__dict__
        own.update(state)
        # Old checkpoints lack the kinds of hooks that came later.
        for name in _HOOKS_AND_FLAGS:
            if name not in own:
                own[name] = None if name == "_is_full_backward_hook" else OrderedDict()
        own.setdefault("_non_persistent_buffers_set", set())

    # registration ---------------------------------------------------------------------------

    def _forget_(self, name: str, *groups: str) -> None:
        """Make room for *name* in another group."""
        own = self.__dict__
        own.pop(name, None)
        for group in groups:
            own[group].pop(name, None)
        own["_non_persistent_buffers_set"].discard(name)

    def _put_module_(self, name: str, module: Any) -> None:
        for hook in _global_module_registration_hooks.values():
            changed = hook(self, name, module)
            if changed is not None:
                module = changed
        self._modules[name] = module

    def _put_buffer_(self, name: str, value: Any) -> None:
        if value is not None and not (
            isinstance(value, Tensor) or hasattr(value, "__torch_function__")
        ):
            raise TypeError(
                f"cannot assign '{_typename(value)}' as buffer '{name}' "
                "(torch.nn.Buffer, torch.Tensor or None expected)"
            )
        if isinstance(value, Buffer):
            persistent = value.persistent
        else:
            persistent = name not in self._non_persistent_buffers_set
        if type(self).register_buffer is not Module.register_buffer:
            if "persistent" not in signature(self.register_buffer).parameters:
                if not persistent:
                    raise RuntimeError(
                        "Registering a non-persistent buffer on a Module subclass that implements "
                        "register_buffer() without the persistent argument is not allowed."
                    )
                self.register_buffer(name, value)
                return
        self.register_buffer(name, value, persistent)

    def _check_name_(self, kind: str, name: Any, group: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {_typename(name)}")
        if kind == "module":  # torch checks these in another order and says more
            if hasattr(self, name) and name not in group:
                raise KeyError(f"attribute '{name}' already exists")
            if "." in name:
                raise KeyError(f'module name can\'t contain ".", got: {name}')
        elif "." in name:
            raise KeyError(f'{kind} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if hasattr(self, name) and name not in group:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter; None keeps the name without one."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name_("parameter", name, self._parameters)
        if param is not None:
            if not isinstance(param, Parameter):
                raise TypeError(
                    f"cannot assign '{_typename(param)}' object to parameter '{name}' "
                    "(torch.nn.Parameter or None required)"
                )
            if param.grad_fn:
                raise ValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must "
                    f"be created explicitly. To express '{name}' as a function of another Tensor, "
                    "compute the value in the forward() method."
                )
            for hook in _global_parameter_registration_hooks.values():
                changed = hook(self, name, param)
                if changed is not None:
                    param = changed
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Any, persistent: bool = True) -> None:
        """Add a tensor that belongs to the module but is not trained.

        :param persistent: whether ``state_dict`` has it.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name_("buffer", name, self._buffers)
        if tensor is not None and not (
            isinstance(tensor, Tensor) or hasattr(tensor, "__torch_function__")
        ):
            raise TypeError(
                f"cannot assign '{_typename(tensor)}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        for hook in _global_buffer_registration_hooks.values():
            changed = hook(self, name, tensor)
            if changed is not None:
                tensor = changed
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a submodule under *name*."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{_typename(module)} is not a Module subclass")
        self._check_name_("module", name, self._modules)
        self._put_module_(name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Another name of :meth:`add_module`."""
        self.add_module(name, module)

    # looking up by dotted name --------------------------------------------------------------

    def _owner_(self, target: str) -> tuple[Any, str]:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name

    def get_submodule(self, target: str) -> Module:
        """The submodule with the dotted name *target*; self for ``""``."""
        module: Any = self
        for name in target.split(".") if target != "" else ():
            if not hasattr(module, name):
                raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put *module* where the dotted name *target* points.

        :param strict: raise AttributeError where nothing was there.
        """
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        *path, name = target.split(".")
        if not isinstance(module, Module):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        parent = self.get_submodule(".".join(path)) if path else self
        if hasattr(parent, name):
            if not isinstance(getattr(parent, name), Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        elif strict:
            raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        setattr(parent, name, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name *target*."""
        module, name = self._owner_(target)
        param = getattr(module, name)
        if not isinstance(param, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return param

    def get_buffer(self, target: str) -> Any:
        """The buffer with the dotted name *target*."""
        module, name = self._owner_(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return getattr(module, name)

    # printing -------------------------------------------------------------------------------

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What ``repr`` shows of the module's own settings; several lines are allowed."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        own = len(lines)
        lines += [f"({k}): {_addindent(repr(m), 2)}" for k, m in self._modules.items()]
        if own == 1 == len(lines):
            return f"{self._get_name()}({lines[0]})"
        body = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{self._get_name()}({body})"

    def _replicate_for_data_parallel(self) -> Self:
        replica = self.__new__(type(self))
        own = self.__dict__.copy()
        # A replica's parameters are results of ops on the original's.
        own.update(
            _parameters={},
            _buffers=self._buffers.copy(),
            _modules=self._modules.copy(),
            _is_replica=True,
        )
        replica.__dict__ = own
        return replica


name_parts(Module)


def _ntuple(value: Any, n: int) -> tuple[Any, ...]:
    """*value* as a tuple: itself if it is iterable, else *n* times."""
    if hasattr(value, "__iter__"):
        return tuple(value)
    return (value,) * n
