"""The functions of ``torch.library`` that register something for an op given by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_dispatch import DispatchKey, parse_key, registry

from .._ops import OpOverload
from ..core.tags import Tag
from ..core.warning import warn
from . import schemas
from .autocast import autocast_kernel, check_device_type
from .autograd import Pair, autograd_kernel
from .custom_op import CustomOpDef, DeviceTypes, find_custom_op
from .keys import backend_key
from .library import Library
from .lookup import lookup_op, split_name
from .vmap import vmap_kernel

Kernel = Callable[..., Any]
OpName = str | OpOverload | CustomOpDef

_NAMELESS = re.compile(r"\(.*\) -> .*")
#: Libraries made here live for ever.
_kept: list[Library] = []


def _library(namespace: str, given: Library | None) -> Library:
    if given is not None:
        return given
    made = Library(namespace, "FRAGMENT")
    _kept.append(made)
    return made


def _resolved(op: OpName, function: str) -> str | CustomOpDef:
    if not isinstance(op, (str, OpOverload, CustomOpDef)):
        raise ValueError(f"{function}({op}): got unexpected type for op: {type(op)}")
    found = find_custom_op(op)
    if found is not None:
        return found
    return op.name() if isinstance(op, OpOverload) else op


def define(
    qualname: str | Library,
    schema: str,
    alias_analysis: str = "",
    *,
    lib: Library | None = None,
    tags: Tag | Sequence[Tag] = (),
) -> Any:
    """Define an op: ``define("ns::name", "(Tensor x) -> Tensor")``.

    ``@define(library, "name(Tensor x) -> Tensor")`` decorates the kernel it decomposes into.
    Raises ValueError for another shape of the name or the schema.
    """
    if isinstance(qualname, Library):
        library = qualname

        def decorate(fn: Kernel) -> Kernel:
            library.impl(library.define(schema, alias_analysis), fn)
            return fn

        return decorate
    if not isinstance(qualname, str):
        raise ValueError(
            "define(qualname, schema): expected qualname to be instance of str, got "
            f"{type(qualname)}"
        )
    namespace, name = split_name(qualname)
    use = _library(namespace, lib)
    if not _NAMELESS.fullmatch(schema):
        raise ValueError(
            "define(qualname, schema, ...): expected schema to look like e.g. "
            f'"(Tensor x) -> Tensor" but got "{schema}"'
        )
    use.define(name + schema, alias_analysis="", tags=tags)
    return None


def impl(
    qualname: str | Library,
    types: str | Sequence[str],
    func: Any = None,
    *,
    lib: Library | None = None,
) -> Any:
    """Register a kernel: ``impl("ns::name", "cpu", fn)`` or as a decorator without *fn*.

    :param types: types of devices, keys, or ``"default"`` (all devices).

    ``@impl(library, "name", "CPU")`` registers in a library of one's own.
    """
    if isinstance(qualname, Library):
        library, name, key = qualname, types, func or ""

        def decorate(fn: Kernel) -> Kernel:
            library.impl(name, fn, key)
            return fn

        return decorate
    keys = {_key_of(t) for t in ((types,) if isinstance(types, str) else types)}

    def register(fn: Kernel) -> None:
        namespace, _ = split_name(qualname)
        use = _library(namespace, lib)
        for key in keys:
            use.impl(qualname, fn, key)

    return register if func is None else register(func)


def _key_of(kind: str) -> str:
    try:
        parse_key(kind)
    except RuntimeError:
        return backend_key(kind).name
    return kind


def register_kernel(
    op: OpName, device_types: DeviceTypes, func: Kernel | None = None, /, *,
    lib: Library | None = None,
) -> Any:  # fmt: skip
    """Register what an op does on some types of devices (None: on all others)."""
    found = _resolved(op, "register_kernel")
    if isinstance(found, CustomOpDef):
        return found.register_kernel(device_types, func)
    if device_types is None:
        device_types = "CompositeExplicitAutograd"
    return impl(found, device_types, func, lib=lib)


def register_fake(
    op: OpName, func: Kernel | None = None, /, *,
    lib: Library | None = None, _stacklevel: int = 1, allow_override: bool = True,
) -> Any:  # fmt: skip
    """Register what an op does on tensors without data: those on meta, and in pipelines.

    Raises RuntimeError, unless *allow_override*, where the op has such a kernel.
    """
    found = _resolved(op, "register_fake")
    if isinstance(found, CustomOpDef):
        return found.register_fake if func is None else found.register_fake(func)
    depth = _stacklevel + (1 if func is None else 2)

    def register(fn: Kernel) -> Kernel:
        namespace, name = split_name(found)
        use = _library(namespace, lib)
        use._register_fake(name, fn, depth, allow_override=allow_override)
        return fn

    return register if func is None else register(func)


def impl_abstract(
    qualname: OpName, func: Kernel | None = None, *,
    lib: Library | None = None, _stacklevel: int = 1,
) -> Any:  # fmt: skip
    """The old name of :func:`register_fake`."""
    warn(
        "`torch.library.impl_abstract` was renamed to `torch.library.register_fake`. Please use "
        "that instead; we will remove `torch.library.impl_abstract` in a future version of "
        "PyTorch.",
        FutureWarning,
    )
    depth = _stacklevel if func is None else _stacklevel + 1
    return register_fake(qualname, func, lib=lib, _stacklevel=depth)


def register_autograd(
    op: OpName, backward: Kernel, /, *, setup_context: Kernel | None = None,
    lib: Library | None = None,
) -> None:  # fmt: skip
    """Register the gradient of an op that changes nothing.

    Raises RuntimeError for one that does, NotImplementedError for keyword-only tensors.
    """
    found = _resolved(op, "register_autograd")
    if isinstance(found, CustomOpDef):
        found.register_autograd(backward, setup_context=setup_context)
        return
    overload = lookup_op(found)
    schema = overload._schema
    if Tag.out in overload.tags:
        raise RuntimeError(
            "Cannot register autograd formula for operator tagged with torch.Tag.out: "
            f"{overload}. Out variants do not support autograd."
        )
    if not schemas.is_functional(schema):
        raise RuntimeError(
            f"Cannot register autograd formula for non-functional operator {overload} with schema "
            f"{schema}. Please create a functional operator and register an autograd formula for "
            "that."
        )
    if schemas.keyword_only_tensors(schema):
        raise NotImplementedError(
            "register_autograd with kwarg-only Tensor args. In the original definition of the op, "
            f"please make your tensors not kwarg-only. Got: {schema}"
        )
    namespace, name = split_name(found)
    kernel = autograd_kernel(overload, Pair(backward, setup_context))
    _library(namespace, lib).impl(name, kernel, "Autograd", with_keyset=True)


def register_torch_dispatch(
    op: OpName, torch_dispatch_class: Any, func: Kernel | None = None, /, *,
    lib: Library | None = None,
) -> Any:  # fmt: skip
    """Register what an op does under a mode or on a subclass."""
    found = _resolved(op, "register_torch_dispatch")
    if isinstance(found, CustomOpDef):
        return found.register_torch_dispatch(torch_dispatch_class, func)

    def register(fn: Kernel) -> Kernel:
        namespace, name = split_name(found)
        _library(namespace, lib)._register_torch_dispatch_rule(name, torch_dispatch_class, fn)
        return fn

    return register if func is None else register(func)


def register_vmap(op: OpName, func: Kernel | None = None, /, *, lib: Library | None = None) -> Any:
    """Register how an op runs over a batch: ``func(info, in_dims, *args)``."""
    found = _resolved(op, "register_vmap")
    if isinstance(found, CustomOpDef):
        return found.register_vmap(func)
    overload = lookup_op(found)
    if schemas.keyword_only_tensors(overload._schema):
        raise NotImplementedError(
            "register_vmap with kwarg-only Tensor args. In the original definition of the op, "
            f"please make your tensors not kwarg-only. Got: {overload._schema}"
        )

    def register(fn: Kernel) -> None:
        namespace, name = split_name(found)
        kernel = vmap_kernel(overload, lambda: fn)
        _library(namespace, lib).impl(name, kernel, "FuncTorchBatched", with_keyset=True)

    return register if func is None else register(func)


def register_autocast(
    op: OpName, device_type: str, cast_inputs: Any, /, *, lib: Library | None = None
) -> Any:
    """Cast an op's floating-point arguments to a dtype where autocast is on."""
    found = _resolved(op, "register_autocast")
    check_device_type(device_type)
    if isinstance(found, CustomOpDef):
        return found.register_autocast(device_type, cast_inputs)
    overload = lookup_op(found)
    namespace, name = split_name(found)
    kernel = autocast_kernel(overload, device_type, cast_inputs)
    key = f"Autocast{backend_key(device_type).name}"
    _library(namespace, lib).impl(name, kernel, key, with_keyset=True)
    return None


class SafeKernelFunction:
    """The kernel that an op runs at a key."""

    __module__ = "torch._C"
    __qualname__ = "_SafeKernelFunction"

    def __init__(self, operator: Any, hop: Any) -> None:
        self._operator, self._hop = operator, hop

    @property
    def op_handle(self) -> Any:
        """The op."""
        return self._operator

    def call_boxed(self, keyset: Any, *args: Any, **kwargs: Any) -> Any:
        """Call it with a key set and arguments."""
        return self._hop.kernel.call(self._operator, keyset, args, kwargs)

    def __repr__(self) -> str:
        return f"SafeKernelFunction(debug='registered at {self._hop.where}')"


def get_kernel(op: OpName, dispatch_key: str | DispatchKey) -> SafeKernelFunction:
    """The kernel that *op* runs at a key.

    Raises ValueError for an unknown key, RuntimeError where the op or its kernel is missing.
    """
    if not isinstance(op, (str, OpOverload)):
        raise ValueError(f"get_kernel({op}): got unexpected type for op: {type(op)}")
    name = op.name() if isinstance(op, OpOverload) else op
    if isinstance(dispatch_key, str):
        try:
            dispatch_key = DispatchKey[dispatch_key]
        except KeyError:
            raise ValueError(f"Invalid dispatch key: {dispatch_key}") from None
    operator = registry.find_exact(name)
    if operator is None:
        raise RuntimeError(f"operator {name} does not exist")
    hop = operator.explain(dispatch_key)
    if hop.kernel is None or hop.fallthrough:
        raise RuntimeError(f"no kernel for {dispatch_key.name} for {name}")
    return SafeKernelFunction(operator, hop)
