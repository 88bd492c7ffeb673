"""``torch.utils.backend_registration``: devices of one's own, under names of one's own.

:func:`register_backend` takes a :class:`~mindtorch.backends.backend.Backend`; several may live
beside cpu and npu. :func:`rename_privateuse1_backend` is torch's way, for one device whose kernels
the user registers one by one.

Note [Who has PrivateUse1]
    torch keeps one set of keys, ``PrivateUse1``, for a device that it does not know. mindtorch's
    NPU has them, as torch_npu does. Renaming before the NPU is used gives them to another device:
    the NPU's kernels go, and those that the user registers take their place.
"""

from __future__ import annotations

from typing import Any

from mindtorch_storage import DEVICE_TYPES, Device

from ..aten import torch
from ..backends.backend import BACKENDS, add_backend, drop_backend
from ..backends.backend import Backend as Backend
from ..nn import Module
from ..tensor import Tensor
from .own_device import device_name, rename

# What torch lists; `Backend`, `register_backend` and `unregister_backend` are mindtorch's own.
__all__ = ["generate_methods_for_privateuse1_backend", "rename_privateuse1_backend"]


def register_backend(backend: Backend) -> None:
    """Let tensors be on devices of *backend*, beside those that there are.

    Gives ``Tensor`` and ``Module`` what is called after it: for ``demo`` that is ``x.is_demo``,
    ``x.demo()`` and ``module.demo()``. Raises RuntimeError where its name or its key is another's.
    """
    if backend.name in DEVICE_TYPES:
        raise RuntimeError(f"torch has devices that are called '{backend.name}'")
    add_backend(backend)
    _give_methods(backend.name, for_tensor=True, for_module=True)


def unregister_backend(backend: Backend) -> None:
    """Take *backend* away again; of its tensors, if there are any, no use can be made."""
    name = backend.name
    for owner, method in ((Tensor, f"is_{name}"), (Tensor, name), (Module, name)):
        delattr(owner, method)
    drop_backend(name)


def rename_privateuse1_backend(backend_name: str) -> None:
    """Give ``PrivateUse1`` to a device called *backend_name*.

    Raises RuntimeError for the name of a device of torch's, and where the keys are given away: to
    another name, or to the NPU by its use.
    """
    rename(backend_name)


def generate_methods_for_privateuse1_backend(
    for_tensor: bool = True,
    for_module: bool = True,
    for_packed_sequence: bool = True,
    for_storage: bool = False,
    unsupported_dtype: Any = None,
) -> None:
    """Give ``Tensor`` and ``Module`` the methods of the renamed device: ``x.foo()``, ``x.is_foo``.

    Storages and packed sequences have no such methods here: *for_storage* raises
    NotImplementedError, *for_packed_sequence* finds no class to extend.
    """
    _give_methods(device_name(), for_tensor=for_tensor, for_module=for_module)
    if for_storage:
        raise NotImplementedError("storages have no methods for a device of one's own")


def _give_methods(name: str, *, for_tensor: bool, for_module: bool) -> None:
    if for_tensor:
        _attach(Tensor, f"is_{name}", property(lambda t: t.device.type == name))
        _attach(Tensor, name, _tensor_to(name))
    if for_module:
        if not hasattr(Tensor, name):
            raise RuntimeError(
                f"Can not automatically generate {name}() method for torch.nn.Module.Because "
                f"torch.Tensor doesn't has the method {name}().For this error, you can try "
                "setting for_tensor=True."
            )
        _attach(Module, name, lambda m, device=None: m._apply(lambda t: getattr(t, name)(device)))


def _attach(owner: Any, name: str, what: Any) -> None:
    if hasattr(owner, name):
        raise RuntimeError(
            f"The custom device module of {owner} has already been registered with {name}"
        )
    setattr(owner, name, what)


def _tensor_to(name: str) -> Any:
    def to(t: Any, device: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
        index = _index(name, device)
        return t.to(device=Device(name, index), non_blocking=non_blocking, **kwargs)

    to.__name__ = name
    return to


def _index(name: str, device: Any) -> int:
    """Which device of that name is meant; without an index the module's current one."""
    if isinstance(device, int) and not isinstance(device, bool):
        return device
    if device is not None:
        device = Device(device)
        if device.type != name:
            raise RuntimeError(f"Invalid device, must be {name} device")
        if device.index is not None:
            return int(device.index)
    current = BACKENDS[name].current_device or getattr(_module(name), "current_device", None)
    return 0 if current is None else int(current())


def _module(name: str) -> Any:
    return vars(torch).get(name)


def _get_custom_mod_func(func_name: str) -> Any:
    """A function of the device's module. Raises RuntimeError where it lacks it."""
    name = device_name()
    found = getattr(_module(name), func_name, None)
    if found is None:
        raise RuntimeError(
            f"Try to call torch.{name}.{func_name}. The backend must register a custom backend "
            f"module with `torch._register_device_module('{name}', BackendModule)`. And "
            f"BackendModule needs to have the following API's:\n `{func_name}(*args, **kwargs)`. \n"
        )
    return found


class _DummyBackendModule:
    """What ``torch.<name>`` is where the user gives no module."""

    def is_initialized(self) -> bool:
        """There is nothing to prepare."""
        return True

    def is_available(self) -> bool:
        """The device is there."""
        return True

    def current_device(self) -> int:
        """The only one."""
        return 0

    def _is_in_bad_fork(self) -> bool:
        return False

    def manual_seed_all(self, seed: int) -> None:
        """It draws no numbers."""

    def device_count(self) -> int:
        """One."""
        return 1


def _setup_privateuseone_for_python_backend(
    rename: str | None = None,
    backend_module: Any = None,
    hook: Any = None,
    device_guard: Any = None,
) -> None:
    """Everything that a device written in Python needs, in one call.

    *hook* and *device_guard* speak to C++ in torch; here nobody asks them.
    """
    if rename is not None:
        rename_privateuse1_backend(rename)
    generate_methods_for_privateuse1_backend()
    torch._register_device_module(device_name(), backend_module or _DummyBackendModule())
