"""``custom_op``: an op from a Python function, with all that makes it a good citizen.

A custom op has a kernel at every key that matters from the beginning: its own at the backends,
one at Meta that asks for the fake implementation, one at Autograd that records a node (and
says, upon backward, if no formula was registered), and one at ADInplaceOrView that counts
versions if it changes arguments. Registering later only fills in what those kernels look up.
"""

from __future__ import annotations

import logging
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from mindtorch_dispatch import DispatchKeySet, parse_schema

from .._ops import OpOverload
from ..call.intercept import OPERATOR, Overridden, hand_over
from ..core.pickling import Named
from ..core.tags import Tag
from ..core.warning import warn
from . import schemas
from .autocast import autocast_kernel, check_device_type
from .autograd import autograd_kernel
from .checked import check_of, checked_kernel
from .inference import infer_schema
from .keys import backend_key
from .library import Library
from .lookup import lookup_op
from .versions import version_kernel
from .vmap import vmap_kernel

__all__ = ["CustomOpDef", "custom_op", "find_custom_op"]

_log = logging.getLogger(__name__)

#: The library of each custom op; defining an op again destroys the older one.
_libraries: dict[str, Library] = {}
_definitions: weakref.WeakValueDictionary[str, CustomOpDef] = weakref.WeakValueDictionary()

Kernel = Callable[..., Any]
DeviceTypes = str | Sequence[str] | None


def custom_op(
    name: str,
    fn: Kernel | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    device_types: DeviceTypes = None,
    schema: str | None = None,
    tags: Tag | Sequence[Tag] | None = None,
) -> Any:
    """Make a function an op, which autograd, meta tensors and pipelines take as a whole.

    :param name: ``"namespace::name"``.
    :param fn: the function; without it the result is a decorator.
    :param mutates_args: the arguments that *fn* changes, or ``"unknown"``.
    :param device_types: where *fn* runs; None: everywhere.
    :param schema: ``"(Tensor x) -> Tensor"``; inferred from the annotations if left out.

    Raises ValueError where annotations, schema and *mutates_args* do not fit together.
    """
    several = (tags,) if isinstance(tags, Tag) else tuple(dict.fromkeys(tags or ()))

    def define(fn: Kernel) -> CustomOpDef:
        text = schema
        if text is None:
            text = infer_schema(fn, mutates_args=mutates_args, tags=several)
        namespace, opname = name.split("::")
        made = CustomOpDef(namespace, opname, text, fn, several)
        if schema is not None:
            expected = {a.name for a in schemas.written(made._opoverload._schema)}
            if expected != set(mutates_args):
                raise ValueError(
                    f"Attempted to create a custom op with `mutates_args={mutates_args}` and "
                    f"`schema={schema}. The schema suggests that the op mutates {expected}which "
                    "is different from what was provided to us in `mutates_args`. Please make "
                    "these consistent."
                )
        made.register_kernel(device_types)(fn)
        return made

    return define if fn is None else define(fn)


class CustomOpDef(metaclass=Named):
    """A custom op; call it, and register more for it.

    The op itself is ``torch.ops.<namespace>.<name>``.
    """

    __module__ = "torch._library.custom_ops"

    def __init__(
        self,
        namespace: str,
        name: str,
        schema: str,
        fn: Kernel,
        tags: Tag | Sequence[Tag] | None = None,
    ) -> None:
        self._namespace, self._name, self._schema = namespace, name, schema
        self._tags = (tags,) if isinstance(tags, Tag) else tuple(tags or ())
        self._init_fn = fn
        self._backend_fns: dict[str | None, Kernel] = {}
        self._abstract_fn: Kernel | None = None
        self._setup_context_fn: Kernel | None = None
        self._backward_fn: Kernel | None = None
        self._torch_dispatch_fns: dict[type, Kernel] = {}
        self._vmap_fn: Kernel | None = None
        self._autocast_dtype: dict[str, Any] = {}
        self._disabled_kernel: set[str | None] = set()
        older = _libraries.pop(self._qualname, None)
        if older is not None:
            older._destroy()
        self._lib = _libraries[self._qualname] = Library(namespace, "FRAGMENT")
        self._define()
        _definitions[self._qualname] = self

    @property
    def _qualname(self) -> str:
        return f"{self._namespace}::{self._name}"

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the op."""
        try:
            return self._foreign.entry(*args, **kwargs)
        except Overridden:
            pass
        return hand_over(self._opoverload, args, kwargs, style=OPERATOR)

    # -- the op ------------------------------------------------------------------------------------

    def _define(self) -> None:
        text = self._name + self._schema
        if Tag.out not in self._tags and schemas.keyword_only_tensors(parse_schema(text)):
            raise NotImplementedError(
                "custom_op with kwarg-only Tensor args. Please make your tensors not kwarg-only. "
                f"Got: {text}"
            )
        tags = [Tag.pt2_compliant_tag, *(t for t in self._tags if t is not Tag.pt2_compliant_tag)]
        self._lib.define(text, tags=tags)
        self._opoverload: OpOverload = lookup_op(self._qualname)
        foreign = self._opoverload._foreign
        assert foreign is not None  # it has no row
        self._foreign = foreign
        schema = self._opoverload._schema
        self._is_inplace, self._is_out = Tag.inplace in self._tags, Tag.out in self._tags
        self._written = schemas.written(schema)
        self._lib._register_fake(self._name, self._fake, 4)
        self._lib.impl(
            self._name, autograd_kernel(self._opoverload, self), "Autograd", with_keyset=True
        )
        if schema.is_mutable:
            self._lib.impl(
                self._name, version_kernel(self._opoverload), "ADInplaceOrView", with_keyset=True
            )

    def _fake(self, *args: Any, **kwargs: Any) -> Any:
        if self._abstract_fn is not None:
            return self._abstract_fn(*args, **kwargs)
        if self._is_out:
            outs = tuple(kwargs[a.name] for a in self._written)
            return outs[0] if len(outs) == 1 else outs
        if self._is_inplace:
            return args[0]
        schema = self._opoverload._schema
        if schema.is_mutable and not schema.returns:
            return None
        raise RuntimeError(
            f"There was no fake impl registered for {self}. This is necessary for "
            "torch.compile/export/fx tracing to work. Please use "
            f"`{self._init_fn.__name__}.register_fake` to add an fake impl."
        )

    # -- kernels -----------------------------------------------------------------------------------

    def register_kernel(self, device_types: DeviceTypes, fn: Kernel | None = None, /) -> Kernel:
        """Register what the op does on some types of devices (``None``: on all others).

        Raises ValueError for an op that takes neither a tensor nor ``device: torch.device``.
        """
        if device_types is not None and not schemas.takes_tensors(self._opoverload._schema):
            place = schemas.device_position(self._opoverload._schema)
            if place is None:
                raise ValueError(
                    "Functions without tensor inputs are required to have a `device: "
                    "torch.device` argument"
                )
            self._lib.impl(
                self._name, self._backend_select(place), "BackendSelect", with_keyset=True
            )

        def register(fn: Kernel) -> Kernel:
            listed = device_types is not None and not isinstance(device_types, str)
            for device_type in device_types if listed else (device_types,):
                if device_type not in self._backend_fns:
                    key = backend_key(device_type)
                    self._lib.impl(self._name, self._kernel(device_type), key)
                self._backend_fns[device_type] = self._switchable(device_type, fn)
            return fn

        return register if fn is None else register(fn)

    def _switchable(self, device_type: str | None, fn: Kernel) -> Kernel:
        def kernel(*args: Any, **kwargs: Any) -> Any:
            if device_type in self._disabled_kernel:
                return self._init_fn(*args, **kwargs)
            return fn(*args, **kwargs)

        kernel.__wrapped__ = fn
        return kernel if self._init_fn is not fn else fn

    def _kernel(self, device_type: str | None) -> Kernel:
        """The kernel of a backend: the registered function, and a look at what it returned."""
        kernel = checked_kernel(
            self._name, self._backend_fns, device_type, check_of(self._opoverload)
        )
        kernel.__name__ = getattr(self._init_fn, "__name__", "kernel")
        return kernel

    def _backend_select(self, place: int) -> Kernel:
        """For an op without tensors: the kernel of the device that it is given."""

        def backend_select(keyset: Any, *args: Any, **kwargs: Any) -> Any:
            device = args[place].type
            if device not in self._backend_fns:
                raise RuntimeError(
                    f"{self._name} does not have a kernel registered for {device}. Please use "
                    "register_kernel to do so."
                )
            return self._opoverload.redispatch(DispatchKeySet(backend_key(device)), *args, **kwargs)

        return backend_select

    @contextmanager
    def set_kernel_enabled(self, device_type: str, enabled: bool = True) -> Iterator[None]:
        """Use the kernel of *device_type*, or the function that defined the op, in the block."""
        disabled = device_type in self._disabled_kernel
        if device_type not in self._backend_fns:
            _log.warning(
                "Attempted to %s kernel for %s but no kernel was registered for this device type.",
                "enable" if enabled else "disable",
                device_type,
            )
        if enabled != disabled:
            _log.warning(
                "Attempted to %s kernel for %s but it was already %s.",
                *(("enable", device_type, "enabled") if enabled else
                  ("disable", device_type, "disabled")),
            )  # fmt: skip
        (self._disabled_kernel.discard if enabled else self._disabled_kernel.add)(device_type)
        try:
            yield
        finally:
            (self._disabled_kernel.add if disabled else self._disabled_kernel.discard)(device_type)

    # -- what else an op may have ------------------------------------------------------------------

    def register_fake(self, fn: Kernel, /) -> Kernel:
        """Register what the op does on tensors without data; a pipeline asks it for shapes."""
        if self._is_inplace or self._is_out:
            tag = "torch.Tag.inplace" if self._is_inplace else "torch.Tag.out"
            warn(
                f"The fake registration for {self} is unnecessary. Custom ops tagged with {tag} "
                "already get an autogenerated fake kernel. The provided fake impl will be used "
                "instead.",
            )
        self._abstract_fn = fn
        return fn

    def register_autograd(
        self, backward: Kernel, /, *, setup_context: Kernel | None = None
    ) -> None:
        """Register the gradient: ``backward(ctx, *grads)`` gives one gradient per argument.

        :param setup_context: ``setup_context(ctx, inputs, output)`` saves what it needs; with
            keyword-only arguments it takes ``keyword_only_inputs`` too.

        Raises RuntimeError for an op that changes its arguments.
        """
        schema = self._opoverload._schema
        if self._is_out:
            raise RuntimeError(
                "Cannot register autograd formula for operator tagged with torch.Tag.out: "
                f"{self}. Out variants do not support autograd."
            )
        if not schemas.is_functional(schema, views=True):
            raise RuntimeError(
                f"Cannot register autograd formula for non-functional operator {self} with schema "
                f"{schema}. Please create a functional operator and register an autograd formula "
                "for that."
            )
        self._backward_fn, self._setup_context_fn = backward, setup_context

    def register_torch_dispatch(
        self, torch_dispatch_class: Any, fn: Kernel | None = None, /
    ) -> Kernel:
        """Register what the op does under a mode or on a subclass."""

        def register(fn: Kernel) -> Kernel:
            known = self._torch_dispatch_fns
            if torch_dispatch_class not in known:

                def rule(*args: Any, **kwargs: Any) -> Any:
                    return known[torch_dispatch_class](*args, **kwargs)

                self._lib._register_torch_dispatch_rule(self._name, torch_dispatch_class, rule)
            known[torch_dispatch_class] = fn
            return fn

        return register if fn is None else register(fn)

    def register_vmap(self, func: Kernel | None = None) -> Any:
        """Register how the op runs over a batch: ``func(info, in_dims, *args)``."""

        def register(func: Kernel) -> None:
            if self._vmap_fn is None:
                kernel = vmap_kernel(self._opoverload, lambda: self._vmap_fn)
                self._lib.impl(self._name, kernel, "FuncTorchBatched", with_keyset=True)
            self._vmap_fn = func

        return register if func is None else register(func)

    def register_autocast(self, device_type: str, cast_inputs: Any) -> Kernel:
        """Cast floating-point arguments on *device_type* to a dtype where autocast is on."""
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        check_device_type(device_type)
        kernel = autocast_kernel(self._opoverload, device_type, cast_inputs)
        if device_type not in self._autocast_dtype:
            self._autocast_dtype[device_type] = cast_inputs
            key = f"Autocast{backend_key(device_type).name}"
            self._lib.impl(self._name, kernel, key, with_keyset=True)
        return kernel


def find_custom_op(op: CustomOpDef | OpOverload | str) -> CustomOpDef | None:
    """The custom op that *op* names, None if it is none."""
    if isinstance(op, CustomOpDef):
        return op
    return _definitions.get(op.name() if isinstance(op, OpOverload) else op)
