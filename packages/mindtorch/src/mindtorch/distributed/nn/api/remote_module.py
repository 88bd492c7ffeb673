"""``torch.distributed.nn.api.remote_module``: modules that compute in another worker."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from types import MethodType
from typing import Any

from .... import jit, nn
from ....aten import torch
from ....jit._script import RecursiveScriptModule
from ....nn import Parameter
from ....tensor import Tensor
from ....utils import _pytree as pytree
from ... import rpc
from ...remote_device import _remote_device
from ...rpc.api import _get_current_rpc_agent, _is_current_rpc_agent_set
from ...rpc.internal import _internal_rpc_pickler

__all__ = ["RemoteModule"]

#: What is sent of a remote module.
_REMOTE_MODULE_PICKLED_ATTRIBUTES = (
    "on",
    "device",
    "is_device_map_set",
    "is_scriptable",
    "generated_methods",
    "module_rref",
)
#: What is not: the attributes of every module, and methods that are made again.
_REMOTE_MODULE_ATTRIBUTES_IGNORE_FOR_PICKLING = (*vars(nn.Module()), "forward_async", "forward")


def _create_module(module_cls: Any, args: Any, kwargs: Any, device: str) -> nn.Module:
    """The module that a worker was asked for. Raises ValueError for what is none."""
    module = module_cls(*args, **kwargs)
    if not isinstance(module, nn.Module):
        raise ValueError(
            "Expect `module_cls(*args, **kwargs)` returns an instance of <class nn.Module>, but it "
            f"returns an instance of {type(module)}."
        )
    return module.to(device)


def _create_module_with_interface(
    module_cls: Any, args: Any, kwargs: Any, device: str, module_interface_cls: Any
) -> rpc.RRef[Any]:
    """The same, scripted."""
    module = jit.script(_create_module(module_cls, args, kwargs, device))
    return rpc.RRef(module, module_interface_cls)


def _param_rrefs(module_rref: Any, recurse: bool) -> list[rpc.RRef[Parameter]]:
    """References to the parameters of a module of this worker."""
    return [rpc.RRef(param) for param in module_rref.local_value().parameters(recurse)]


def _remote_forward(
    module_rref: Any, device: str, is_device_map_set: bool, *args: Any, **kwargs: Any
) -> Any:
    """The forward of a module of this worker, on its device.

    :param is_device_map_set: whether results may leave on that device; else they go by the host.
    """
    module = module_rref.local_value()
    if torch.device(device).type == "cpu":
        return module.forward(*args, **kwargs)
    result = module.forward(*_moved(args, device), **_moved(kwargs, device))
    return result if is_device_map_set else _moved(result, "cpu")


def _moved(values: Any, device: str) -> Any:
    """*values* with their tensors on *device*."""
    return pytree.tree_map(lambda t: t.to(device) if isinstance(t, Tensor) else t, values)


def forward_async(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute in the module's worker; a future of the result."""
    call = (self.module_rref, self.device, self.is_device_map_set, *args)
    return rpc.rpc_async(self.module_rref.owner(), _remote_forward, call, kwargs)


def forward(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute in the module's worker."""
    return forward_async(self, *args, **kwargs).wait()


def _refusing(name: str) -> Callable[..., Any]:
    """A method that another worker's module does not have here."""
    instead = " Please use ``remote_parameters`` instead." if name == "parameters" else ""
    end = f".{instead}" if instead else ""

    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise ValueError(f"Method ``{name}`` not supported for RemoteModule{end}")

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = "Raise ValueError: the module is another worker's."
    return refuse


class _RemoteModule(nn.Module):
    """A module of another worker: its ``forward`` runs there, and gradients go there.

    :ivar module_rref: a reference to the module.
    :ivar on: the name or number of its worker.
    :ivar device: the device that it is on there.
    """

    on: Any
    device: str
    is_device_map_set: bool
    is_scriptable: bool
    generated_methods: list[Any]
    module_rref: Any

    def __init__(
        self,
        remote_device: str,
        module_cls: type[nn.Module],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
        _module_interface_cls: Any = None,
    ) -> None:
        super().__init__()
        self._prepare_init(remote_device)
        self.is_scriptable = _module_interface_cls is not None
        self.generated_methods = [forward_async, forward]
        call: tuple[Any, ...] = (module_cls, args or (), kwargs or {}, self.device)
        if self.is_scriptable:
            call = (*call, _module_interface_cls)
            self.module_rref = rpc.rpc_sync(self.on, _create_module_with_interface, call)
        else:
            self.module_rref = rpc.remote(self.on, _create_module, call)
        self._install_generated_methods()
        self._check_attribute_picklability()

    @staticmethod
    def init_from_module_rref(
        remote_device: str, module_rref: rpc.RRef[nn.Module], _module_interface_cls: Any = None
    ) -> RemoteModule:
        """A remote module of a module that is there already."""
        made = object.__new__(RemoteModule)
        made._prepare_init(remote_device)
        made.__dict__.update(
            is_scriptable=_module_interface_cls is not None,
            generated_methods=[forward_async, forward],
            module_rref=module_rref,
        )
        made._install_generated_methods()
        made._check_attribute_picklability()
        return made

    def _prepare_init(self, remote_device_str: str) -> None:
        if not _is_current_rpc_agent_set():
            raise AssertionError("RemoteModule only works in RPC.")
        place = _remote_device(remote_device_str)
        on = place.worker_name() if place.worker_name() is not None else place.rank()
        agent = _get_current_rpc_agent()
        self.__dict__.update(
            on=on,
            device=str(place.device()),
            is_device_map_set=bool(agent._get_device_map(agent.get_worker_info(on))),
        )

    def _install_generated_methods(self) -> None:
        for method in self.generated_methods:
            self.__dict__[method.__name__] = MethodType(method, self)

    def _check_attribute_picklability(self) -> None:
        """Raise AttributeError for an attribute of which nobody has said whether it is sent."""
        for name in self.__dict__:
            if not _is_known(name):
                raise AttributeError(
                    f"Attribute {name} must be either in ``_REMOTE_MODULE_PICKLED_ATTRIBUTES`` or "
                    "``_REMOTE_MODULE_ATTRIBUTES_IGNORE_FOR_PICKLING``."
                )

    def remote_parameters(self, recurse: bool = True) -> list[rpc.RRef[Parameter]]:
        """References to the parameters of the module."""
        found: list[rpc.RRef[Parameter]]
        found = rpc.rpc_sync(self.on, _param_rrefs, args=(self.module_rref, recurse))
        return found

    def get_module_rref(self) -> rpc.RRef[nn.Module]:
        """A reference to the module."""
        found: rpc.RRef[nn.Module] = self.module_rref
        return found

    def train(self, mode: bool = True) -> Any:
        """Set the mode of the module."""
        return self.module_rref.rpc_sync().train()

    def eval(self) -> Any:
        """Set the mode of the module to that of evaluation."""
        return self.module_rref.rpc_sync().eval()

    @jit.export
    def __getstate__(self) -> Any:
        raise RuntimeError(
            "Cannot pickle RemoteModule in python pickler. RemoteModule can only be pickled when "
            "using RPC"
        )

    @jit.export
    def __setstate__(self, state: Any) -> None:
        raise RuntimeError(
            "Cannot unpickle RemoteModule in python pickler. RemoteModule can only be unpickled "
            "when using RPC"
        )


for _name in (
    "register_buffer register_parameter add_module apply cuda ipu xpu cpu type float double half "
    "bfloat16 to register_backward_hook register_forward_pre_hook register_forward_hook state_dict "
    "load_state_dict parameters named_parameters buffers named_buffers children named_children "
    "modules named_modules requires_grad_ zero_grad share_memory extra_repr"
).split():
    setattr(_RemoteModule, _name, _refusing(_name))


class RemoteModule(_RemoteModule):
    """A module of another worker: its ``forward`` runs there, and gradients go there.

    :param remote_device: the worker and the device there: ``worker1/cpu``, ``rank:1/cpu``.
    :param module_cls: what makes the module there, of *args* and *kwargs*.
    """


def _is_known(name: str) -> bool:
    """Whether it is said of an attribute if it is sent."""
    ignored = _REMOTE_MODULE_ATTRIBUTES_IGNORE_FOR_PICKLING
    return name in _REMOTE_MODULE_PICKLED_ATTRIBUTES or name in ignored


def _received(attributes: dict[str, Any]) -> RemoteModule:
    """A remote module that was sent."""
    made = object.__new__(RemoteModule)
    made.__dict__.update(attributes)
    made._install_generated_methods()
    return made


def _sent(module: RemoteModule) -> Any:
    """What is sent of a remote module. Raises RuntimeError for one that is scripted."""
    if module.is_scriptable:
        raise _no_scripts()
    for name in filter(lambda name: not _is_known(name), module.__dict__):
        print(
            f"The new attribute ``{name}`` of RemoteModule is ignored during RPC pickling. To "
            "pickle this attribute, please add it to ``_REMOTE_MODULE_PICKLED_ATTRIBUTES``. "
            "Otherwise, please explicitly add it to "
            "``_REMOTE_MODULE_ATTRIBUTES_IGNORE_FOR_PICKLING``.",
            file=sys.stderr,
        )
    names = _REMOTE_MODULE_PICKLED_ATTRIBUTES
    return _received, ({name: module.__dict__[name] for name in names},)


def _no_scripts() -> RuntimeError:
    return RuntimeError(
        "Passing a script RemoteModule over RPC is not supported. Please create a RemoteModule in "
        "the sender, send the `module_rref` to the receiver, and create a new instance on the "
        "receiver end by passing this `module_rref`."
    )


def _script_sent(module: RecursiveScriptModule) -> Any:
    """What is sent of a scripted module: files of scripts are not written here."""
    if hasattr(module, "module_rref"):
        raise _no_scripts()
    return module.__reduce_ex__(pickle.DEFAULT_PROTOCOL)


_internal_rpc_pickler._register_reducer(RemoteModule, _sent)
_internal_rpc_pickler._register_reducer(RecursiveScriptModule, _script_sent)
