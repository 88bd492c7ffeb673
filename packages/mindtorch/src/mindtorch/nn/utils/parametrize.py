"""Parameters that are functions of other parameters."""

from __future__ import annotations

import copyreg
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

from ...aten import torch
from ...aten.torch import Tensor
from ...core import conversion_flags
from ...utils import swap_tensors
from ..modules.container import Module, ModuleDict, ModuleList
from ..parameter import Parameter

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]

#: How many ``cached()`` blocks are open, and what was computed in them.
_cache_enabled = 0
_cache: dict[tuple[int, str], Any] = {}


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized tensor once in this block, however often it is read."""
    global _cache_enabled
    outer = _cache_enabled
    _cache_enabled = outer + 1
    try:
        yield
    finally:
        _cache_enabled = outer
        if outer == 0:
            _cache.clear()


def _register_parameter_or_buffer(module: Module, name: str, X: Any) -> None:
    if isinstance(X, Parameter):
        module.register_parameter(name, X)
    else:
        module.register_buffer(name, X)


def _maybe_set(dest: Any, src: Any) -> None:
    """Give *dest* the memory of *src*, or, where tensors are to be swapped, *src* itself."""
    if conversion_flags.get_swap_module_params_on_conversion():
        src = Parameter(src, requires_grad=dest.requires_grad)
        swap_tensors(dest, src)
    else:
        dest.set_(src)


class ParametrizationList(ModuleList):
    """The functions that a tensor goes through, and the tensor or tensors it comes from.

    Those are ``original``, or ``original0``, ``original1``… where the last ``right_inverse`` gives
    several.
    """

    original: Tensor
    unsafe: bool

    def __init__(
        self, modules: Sequence[Module], original: Tensor | Parameter, unsafe: bool = False
    ) -> None:
        if len(modules) == 0:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = self._through_inverses_(original, needed=False)
        self.is_tensor = isinstance(new, Tensor)
        if self.is_tensor:
            self.ntensors = 1
            self._keep_one_(original, new)
        elif isinstance(new, Sequence):
            self.ntensors = len(new)
            self._keep_several_(original, new)
        else:
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). "
                f"Got {type(new).__name__}"
            )
        if not unsafe:
            self._check_result_(shape, dtype)

    def _through_inverses_(self, value: Any, needed: bool) -> Any:
        """What *value* comes from, by the inverses of the functions, the last one first.

        A function without one leaves it as it is, unless inverses are *needed*.
        """
        with torch.no_grad():
            for function in reversed(self):
                inverse = getattr(function, "right_inverse", None)
                if inverse is None and needed:
                    raise RuntimeError(
                        f"parametrization {type(function).__name__} does not implement "
                        "right_inverse."
                    )
                try:
                    value = value if inverse is None else inverse(value)
                except NotImplementedError:
                    if needed:
                        raise
        return value

    def _keep_one_(self, original: Any, new: Any) -> None:
        for what in ("dtype", "device"):
            before, after = getattr(original, what), getattr(new, what)
            if before != after:
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the {what}.\n"
                    f"original.{what}: {before}\n"
                    f"right_inverse(original).{what}: {after}"
                )
        with torch.no_grad():
            _maybe_set(original, new)
        _register_parameter_or_buffer(self, "original", original)

    def _keep_several_(self, original: Any, parts: Sequence[Any]) -> None:
        for i, part in enumerate(parts):
            if not isinstance(part, Tensor):
                raise ValueError(
                    "'right_inverse' must return a Tensor or a Sequence of tensors (list, "
                    f"tuple...). Got element {i} of the sequence with type {type(part).__name__}."
                )
            if isinstance(original, Parameter):
                part = Parameter(part, original.requires_grad)
            part.requires_grad_(original.requires_grad)
            _register_parameter_or_buffer(self, f"original{i}", part)

    def _check_result_(self, shape: Any, dtype: Any) -> None:
        """Refuse functions that give another thing than the tensor was."""
        made = self()
        if not isinstance(made, Tensor):
            raise ValueError(f"A parametrization must return a tensor. Got {type(made).__name__}.")
        for what, before in (("dtype", dtype), ("shape", shape)):
            if getattr(made, what) != before:
                raise ValueError(
                    f"Registering a parametrization may not change the {what} of the tensor, "
                    "unless `unsafe` flag is enabled.\n"
                    f"unparametrized {what}: {before}\n"
                    f"parametrized {what}: {getattr(made, what)}"
                )

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals so that the functions give *value*, by their right inverses."""
        new = self._through_inverses_(value, needed=True)
        if self.is_tensor:
            if not isinstance(new, Tensor):
                raise ValueError(
                    f"`right_inverse` should return a tensor. Got {type(new).__name__}"
                )
            self._assign_("original", new, "The tensor returned")
            return
        if not isinstance(new, Sequence):
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors. Got {type(new).__name__}."
            )
        if len(new) != self.ntensors:
            raise ValueError(
                "'right_inverse' must return a sequence of tensors of length "
                f"{self.ntensors}. Got a sequence of length {len(new)}."
            )
        for i, part in enumerate(new):
            if not isinstance(part, Tensor):
                raise ValueError(
                    f"Tensor {i} returned by `right_inverse` is not of type Tensor. "
                    f"Got {type(part).__name__}"
                )
            self._assign_(f"original{i}", part, f"Tensor {i} returned")

    def _assign_(self, name: str, value: Any, called: str) -> None:
        """Give the original *name* a *value*, which messages call *called*."""
        original = getattr(self, name)
        if value.dtype != original.dtype:
            raise ValueError(
                f"{called} by `right_inverse` has dtype {value.dtype} "
                f"while `{name}` has dtype {original.dtype}"
            )
        with torch.no_grad():
            _maybe_set(original, value)

    def forward(self) -> Tensor:
        """The tensor: the originals after all functions."""
        if self.is_tensor:
            x = self[0](self.original)
        else:
            x = self[0](*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for i in range(1, len(self)):
            x = self[i](x)
        return x


def _inject_new_class(module: Module) -> None:
    """Give *module* a class of its own, which can have properties."""
    cls = module.__class__

    def default_deepcopy(self: Any, memo: dict[int, Any]) -> Any:
        # The class refuses to be pickled, which is how copies are made elsewhere.
        known = memo.get(id(self))
        if known is not None:
            return known
        replica = self.__new__(self.__class__)
        memo[id(self)] = replica
        replica.__dict__ = deepcopy(self.__dict__, memo)
        for slot in copyreg._slotnames(self.__class__):  # type: ignore[attr-defined]  # as copy does
            if hasattr(self, slot):
                setattr(replica, slot, deepcopy(getattr(self, slot), memo))
        return replica

    def getstate(self: Any) -> Any:
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(). See:\n"
            "https://pytorch.org/tutorials/beginner/saving_loading_models.html"
            "#saving-loading-a-general-checkpoint-for-inference-and-or-resuming-training"
        )

    body: dict[str, Any] = {"__getstate__": getstate}
    if not hasattr(cls, "__deepcopy__"):
        body["__deepcopy__"] = default_deepcopy
    module.__class__ = type(f"Parametrized{cls.__name__}", (cls,), body)


def _inject_property(module: Module, tensor_name: str) -> None:
    """Make *tensor_name* what the module's parametrization gives when it is read."""
    if hasattr(module, tensor_name):
        raise AssertionError(f"Module already has an attribute named '{tensor_name}'")

    def get_parametrized(self: Any) -> Any:
        parametrization = self.parametrizations[tensor_name]
        if not _cache_enabled:
            return parametrization()
        key = (id(self), tensor_name)
        found = _cache.get(key)
        if found is None:
            found = _cache[key] = parametrization()
        return found

    def set_original(self: Any, value: Any) -> None:
        self.parametrizations[tensor_name].right_inverse(value)

    setattr(module.__class__, tensor_name, property(get_parametrized, set_original))


def register_parametrization(
    module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False
) -> Module:
    """Make the tensor *tensor_name* of *module* the result of *parametrization*.

    Of a tensor that is parametrized already, the new function comes after the others. Where the
    function has ``right_inverse``, that gives the original, and is what assignments go through.

    :param unsafe: allow another shape or dtype, and check nothing.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            _check_further(module, tensor_name, parametrization)
        parametrizations = module.parametrizations[tensor_name]
        parametrizations.append(parametrization)
        parametrizations.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        made = ParametrizationList([parametrization], original, unsafe=unsafe)
        if not is_parametrized(module):
            _inject_new_class(module)
            module.parametrizations = ModuleDict()
        delattr(module, tensor_name)  # what is read from now on is a property of the class
        _inject_property(module, tensor_name)
        module.parametrizations[tensor_name] = made
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element "
            f"with name '{tensor_name}'"
        )
    return module


def _check_further(module: Any, name: str, parametrization: Any) -> None:
    """Refuse a further function that would change shape or dtype, there or back."""
    before = getattr(module, name)
    after = parametrization(before)
    if not isinstance(after, Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after).__name__}.")
    for what in ("dtype", "shape"):
        if getattr(after, what) != getattr(before, what):
            raise ValueError(
                f"Registering a parametrization may not change the {what} of the tensor, unless "
                "the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {getattr(before, what)}\n"
                f"parametrization(module.{name}).{what}: {getattr(after, what)}"
            )
    if not hasattr(parametrization, "right_inverse"):
        return
    try:
        back = parametrization.right_inverse(after)
    except NotImplementedError:
        return
    if not isinstance(back, Tensor):
        raise ValueError(
            f"parametrization.right_inverse must return a tensor. Got: {type(back).__name__}"
        )
    for what in ("dtype", "shape"):
        if getattr(back, what) != getattr(before, what):
            raise ValueError(
                f"The tensor returned by parametrization.right_inverse must have the same {what} "
                f"as module.{name}, unless the `unsafe` flag is enabled.\n"
                f"module.{name}.{what}: {getattr(before, what)}\n"
                f"returned {what}: {getattr(back, what)}"
            )


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether *module* has a parametrization, or one of *tensor_name*."""
    found = getattr(module, "parametrizations", None)
    if not isinstance(found, ModuleDict):
        return False
    return bool(len(found)) if tensor_name is None else tensor_name in found


def remove_parametrizations(
    module: Module, tensor_name: str, leave_parametrized: bool = True
) -> Module:
    """Make *tensor_name* a plain parameter or buffer again.

    :param leave_parametrized: with the value that the functions give; else the original.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    own = module.parametrizations
    plain = _plain(own[tensor_name], module, tensor_name, leave_parametrized)
    own.pop(tensor_name)
    kind = type(module)
    delattr(kind, tensor_name)
    _register_parameter_or_buffer(module, tensor_name, plain)
    if not len(own):
        del module.parametrizations
        module.__class__ = kind.__bases__[0]
    return module


def _plain(functions: Any, module: Module, tensor_name: str, with_value: bool) -> Any:
    """What stands for *tensor_name* without its *functions*."""
    if not with_value:
        if functions.is_tensor:
            return functions.original
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is "
            "parametrized in terms of a sequence of tensors."
        )
    if not functions.is_tensor:
        value = getattr(module, tensor_name)
        return Parameter(value) if value.requires_grad else value
    original = functions.original
    with torch.no_grad():
        value = getattr(module, tensor_name)
        try:
            _maybe_set(original, value)
        except RuntimeError as error:
            if type(original) is Tensor:
                raise
            raise RuntimeError(
                "Calling remove_parametrizations() with leave_parametrized=True for a parameter "
                "that is an instance of a tensor subclass requires set_() to be implemented "
                "correctly for the tensor subclass. Alternatively, one can opt into the "
                "swap_tensors path Either set leave_parametrized=False or provide a working "
                "implementation for set_() in the tensor subclass or set "
                "torch.__future__.set_swap_module_params_on_conversion(True)."
            ) from error
    return original


def type_before_parametrizations(module: Module) -> type:
    """The class of *module* without what parametrizations made of it."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Give *to_module* the parametrizations of *from_module*, and the parameters they have.

    :param tensor_name: only those of this tensor.
    """
    if not is_parametrized(from_module):
        return to_module
    found: Any = from_module.parametrizations
    for name in list(found) if tensor_name is None else [tensor_name]:
        source = found[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for function in source:
            register_parametrization(to_module, name, function)
        target = to_module.parametrizations[name]
        if source.is_tensor:
            target.original = source.original
        else:
            for i in range(source.ntensors):
                setattr(target, f"original{i}", getattr(source, f"original{i}"))
    return to_module
