"""Fake tensors: shape, strides, dtype, device and history of a tensor, and no numbers.

A fake tensor is a wrapper around a meta tensor that says it is on another device. Under a
:class:`FakeTensorMode` every operator runs on the meta tensors inside; factories make fake tensors,
and what would need numbers is refused. Names and texts: torch/_subclasses/fake_tensor.py.
Symbolic sizes are not here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import ref

from mindtorch_storage import Device, get_default_dtype

from .. import nn  # noqa: F401  (see Note [Packages first])
from .._C import _DisableTorchDispatch
from .._ops import ops
from ..core.tags import Tag
from ..nn.parameter import Parameter
from ..tensor import Tensor
from ..utils._python_dispatch import (
    TorchDispatchMode,
    _get_current_dispatch_mode_stack,
    _pop_mode,
    _push_mode,
)
from ..utils._pytree import tree_leaves, tree_map

__all__ = [
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "FakeTensor",
    "FakeTensorDeviceMismatchError",
    "FakeTensorMode",
    "UnsupportedFakeTensorException",
]

META = Device("meta")


class UnsupportedFakeTensorException(RuntimeError):  # torch's name
    """A tensor that no fake tensor can stand for."""


class UnsupportedOperatorException(RuntimeError):  # torch's name
    """An operator that fake tensors do not know."""

    def __init__(self, func: Any) -> None:
        super().__init__(func)
        self.func = func


class _NeedsNumbers(RuntimeError):
    def __init__(self, func: Any) -> None:
        super().__init__(func)
        self.func = func


class DynamicOutputShapeException(_NeedsNumbers):  # torch's name
    """The shape of the result depends on numbers."""


class DataDependentOutputException(_NeedsNumbers):  # torch's name
    """The result is a number."""


class FakeTensorDeviceMismatchError(RuntimeError):
    """Arguments on several devices."""


class FakeTensor(Tensor):
    """A tensor of which all is known but the numbers.

    ``elem`` is the meta tensor inside, ``fake_mode`` the mode that it belongs to.
    """

    elem: Any
    fake_mode: FakeTensorMode
    #: The real tensor, where it is a number that the program wrote down.
    constant: Any

    @staticmethod
    def __new__(
        cls: Any, fake_mode: FakeTensorMode, elem: Any, device: Any, constant: Any = None
    ) -> Any:
        made = Tensor._make_wrapper_subclass(
            cls,
            elem.shape,
            strides=elem.stride(),
            storage_offset=elem.storage_offset(),
            dtype=elem.dtype,
            device=device,
            requires_grad=elem.requires_grad,
        )
        made.elem = elem.detach() if elem.requires_grad else elem
        made.fake_mode = fake_mode
        made.constant = constant
        return made

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    @property
    def fake_device(self) -> Any:
        """The device that it is said to be on."""
        return self.device

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        parts = ["..."]
        if self.device.type != "cpu":
            parts.append(f"device='{self.device}'")
        parts.append(f"size={tuple(self.shape)}")
        if self.dtype not in (get_default_dtype(),):
            parts.append(f"dtype={self.dtype}")
        if self.grad_fn is not None:
            parts.append(f"grad_fn=<{self.grad_fn.name()}>")
        elif self.requires_grad:
            parts.append("requires_grad=True")
        return f"FakeTensor({', '.join(parts)})"

    @classmethod
    def __torch_dispatch__(
        cls, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func* under the mode of the arguments."""
        fake = next(a for a in tree_leaves((args, kwargs)) if isinstance(a, FakeTensor))
        with fake.fake_mode:
            return func(*args, **(kwargs or {}))


class FakeTensorMode(TorchDispatchMode):
    """A ``with`` block in which tensors have no numbers.

    :param allow_non_fake_inputs: make fake tensors of real ones that operators meet, in place of
        refusing them.
    """

    def __init__(self, *, allow_non_fake_inputs: bool = False, **options: Any) -> None:
        if options.pop("shape_env", None) is not None:
            raise NotImplementedError("fake tensors with symbolic sizes are not offered")
        super().__init__()
        self.allow_non_fake_inputs = allow_non_fake_inputs
        self._known: dict[int, tuple[Any, Any]] = {}

    def from_tensor(self, tensor: Any, **options: Any) -> Any:
        """The fake tensor that stands for *tensor*, the same each time."""
        known = self._known.get(id(tensor))
        if known is not None and known[0]() is tensor:
            return known[1]
        made = self._fake(tensor)
        self._known[id(tensor)] = (ref(tensor), made)
        return made

    def _fake(self, tensor: Any, constant: Any = None) -> Any:
        with _DisableTorchDispatch():
            elem = ops.aten.empty_strided(
                list(tensor.shape), list(tensor.stride()), dtype=tensor.dtype, device=META
            )
        made = FakeTensor(self, elem, tensor.device, constant)
        if tensor.requires_grad and (tensor.is_leaf or isinstance(tensor, Parameter)):
            made.requires_grad_()
        return made

    def _check_mode(self, fake: Any) -> None:
        if fake.fake_mode is not self:
            raise AssertionError(
                f"Mixing fake modes NYI x.fake_mode={fake.fake_mode} vs self={self}"
            )

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func* on the meta tensors inside."""
        kwargs = dict(kwargs or {})
        if func is ops.aten.lift_fresh.default and not isinstance(args[0], FakeTensor):
            return self._fake(args[0], args[0].clone() if args[0].numel() == 1 else None)
        args, kwargs = self._converted(func, args, kwargs)
        fakes = [a for a in tree_leaves((args, kwargs)) if isinstance(a, FakeTensor)]
        for fake in fakes:
            self._check_mode(fake)
        if func is ops.aten._local_scalar_dense.default and fakes[0].constant is not None:
            return fakes[0].constant.item()
        self._refuse(func, fakes)
        device = self._device(fakes, kwargs)
        if func._schema.is_mutable:
            for fake in fakes:
                fake.constant = None
        inside = {id(f.elem): f for f in fakes}
        meta = tree_map(lambda a: a.elem if isinstance(a, FakeTensor) else a, (args, kwargs))
        if "device" in meta[1] or not fakes and _takes_device(func):
            meta[1]["device"] = META
        result = func(*meta[0], **meta[1])

        def wrap(value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            known = inside.get(id(value))
            return FakeTensor(self, value, device) if known is None else known

        return tree_map(wrap, result)

    def _converted(self, func: Any, args: Any, kwargs: Any) -> tuple[Any, dict[str, Any]]:
        def convert(value: Any) -> Any:
            if not isinstance(value, Tensor) or isinstance(value, FakeTensor):
                return value
            if not self.allow_non_fake_inputs:
                named = (f"{k}={_shown(v)}" for k, v in kwargs.items())
                shown = ", ".join([*map(_shown, args), *named])
                raise AssertionError(
                    "Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode "
                    f"with 'allow_non_fake_inputs'. Found in {func}({shown})"
                )
            return self.from_tensor(value)

        return tree_map(convert, (args, kwargs))

    def _refuse(self, func: Any, fakes: list[Any]) -> None:
        """What needs numbers."""
        if Tag.dynamic_output_shape in func.tags:
            raise DynamicOutputShapeException(func)
        if Tag.data_dependent_output in func.tags:
            raise DataDependentOutputException(func)

    def _device(self, fakes: list[Any], kwargs: dict[str, Any]) -> Any:
        """Where the result is: as said, or where the arguments are, 0-d ones of the cpu aside."""
        named = kwargs.get("device")
        if named is not None:
            return Device(named)
        found = Device("cpu")
        strong = False
        for fake in fakes:
            weak = fake.dim() == 0 and fake.device.type == "cpu"
            if not strong and not weak:
                found, strong = fake.device, True
            elif not weak and fake.device != found:
                raise FakeTensorDeviceMismatchError(
                    "Expected all tensors to be on the same device, but found at least two "
                    f"devices, {found} and {fake.device}!"
                )
        return found


def is_fake(x: object) -> bool:
    """Whether *x* is a fake tensor."""
    return isinstance(x, FakeTensor)


def maybe_get_fake_mode(t: object) -> FakeTensorMode | None:
    """The mode of a fake tensor; None of all else."""
    mode: FakeTensorMode | None = getattr(t, "fake_mode", None) if is_fake(t) else None
    return mode


def get_plain_tensors(subclass: Any, *, out: list[Any]) -> list[Any]:
    """Add the ordinary tensors inside of a wrapper tensor to *out*, at any depth."""
    if not hasattr(subclass, "__tensor_flatten__"):
        out.append(subclass)
        return out
    for name in subclass.__tensor_flatten__()[0]:
        get_plain_tensors(getattr(subclass, name), out=out)
    return out


@contextmanager
def unset_fake_temporarily() -> Iterator[TorchDispatchMode | None]:
    """Inside, no mode of fake tensors is on; the innermost of them is given."""
    modes = _get_current_dispatch_mode_stack()
    fakes = [mode for mode in modes if isinstance(mode, FakeTensorMode)]
    kept = [mode for mode in modes if not isinstance(mode, FakeTensorMode)]
    if not fakes:
        yield None
        return
    for _ in modes:
        _pop_mode()
    for mode in kept:
        _push_mode(mode)
    try:
        yield fakes[-1]
    finally:
        for _ in kept:
            _pop_mode()
        for mode in modes:
            _push_mode(mode)


def _takes_device(func: Any) -> bool:
    return any(a.name == "device" for a in func._schema.arguments)


def _shown(value: Any) -> str:
    if isinstance(value, Tensor) and not isinstance(value, FakeTensor):
        return f"tensor([...], size={tuple(value.shape)})"
    return repr(value)
