"""``torch._custom_op.impl``: ops that are made in steps, one for each kind of device.

``torch.library.custom_op`` took its place; programs that were written for it run as they did.
"""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from mindtorch_dispatch import FunctionSchema, parse_schema
from mindtorch_storage.device import CUDA

import mindtorch._C as _C
import mindtorch.library as library
from mindtorch._library import schemas
from mindtorch._library.fake import get_ctx, set_ctx_getter
from mindtorch._library.inference import infer_schema
from mindtorch._library.lookup import lookup_op
from mindtorch._ops import ops
from mindtorch.core.tags import Tag

from .autograd import autograd_kernel_indirection, construct_autograd_kernel

__all__ = ["CustomOp", "custom_op", "get_ctx"]

_Kernel = Callable[..., Any]

SUPPORTED_DEVICE_TYPE_TO_KEY = {"cpu": "CPU", CUDA: "CUDA"}
RESERVED_NS = {"prim", "prims", "aten", "at", "torch", "pytorch"}
#: What an op may return that has a gradient, as schemas write it.
_RETURNED = ("int", "SymInt", "bool", "float", "Tensor", "List[Tensor]")
#: Every op that was made here, by name; they live until they are destroyed.
global_registry: dict[str, CustomOp] = {}


def warn_deprecated() -> None:
    """Warn that there is another way."""
    warnings.warn(
        "torch._custom_op is deprecated and will be removed in PyTorch 2.6, please use the "
        "equivalent torch.library API instead.",
        DeprecationWarning,
        stacklevel=2,
    )


def custom_op(qualname: str, manual_schema: str | None = None) -> Callable[[_Kernel], CustomOp]:
    """Make an op of a function's annotations: the function itself is never called.

    :param manual_schema: ``"(Tensor x) -> Tensor"``, for a function without annotations.

    Raises ValueError where name, function and schema do not fit together.
    """
    warn_deprecated()

    def inner(func: _Kernel) -> CustomOp:
        _check_function(qualname, func)
        ns, name = parse_qualname(qualname)
        validate_namespace(ns)
        _check_name(qualname, func)
        text = infer_schema(func, mutates_args=()) if manual_schema is None else manual_schema
        schema = parse_schema(f"{name}{text}")
        validate_schema(schema)
        if manual_schema is not None:
            validate_function_matches_schema(schema, func)
        result = _made(ns, name, text, ())
        result.__name__ = func.__name__
        result.__module__ = func.__module__
        result.__doc__ = func.__doc__
        library.impl(result._lib, result._opname, "Autograd")(
            autograd_kernel_indirection(weakref.proxy(result))
        )
        return result

    return inner


def _check_function(qualname: str, func: Any) -> None:
    if not inspect.isfunction(func):
        raise ValueError(
            f"custom_op(...)(func): Expected `func` to be a Python function, got: {type(func)}"
        )


def _check_name(qualname: str, func: _Kernel) -> None:
    _, name = parse_qualname(qualname)
    if func.__name__ != name:
        raise ValueError(
            f"custom_op(qualname='{qualname}', ...)(func): expected `func` to have name '{name}' "
            f"but got '{func.__name__}'. Please either change the name of `func` or the qualname "
            "that is passed to `custom_op`"
        )


def _made(ns: str, name: str, schema: str, tags: Iterable[Tag]) -> CustomOp:
    """A new op, which says in its own words where a kernel is missing."""
    lib = library.Library(ns, "FRAGMENT")
    lib.define(f"{name}{schema}", tags=tuple(tags))
    function_schema = parse_schema(f"{name}{schema}")
    handle = find_ophandle_or_throw(ns, function_schema)
    result = CustomOp(lib, ns, function_schema, name, handle, _private_access=True)
    _C._dispatch_set_report_error_callback(
        handle, functools.partial(report_error_callback, weakref.proxy(result))
    )
    return result


@dataclass
class FuncAndLocation:
    """A function and the line that registered it."""

    func: _Kernel
    location: str


class CustomOp:
    """An op, and what was registered for it. Made by :func:`custom_op`."""

    def __init__(
        self,
        lib: library.Library,
        cpp_ns: str,
        schema: FunctionSchema,
        operator_name: str,
        ophandle: Any,
        *,
        _private_access: bool = False,
    ) -> None:
        warn_deprecated()
        if not _private_access:
            raise RuntimeError(
                "The CustomOp constructor is private and we do not guarantee BC for it. Please "
                "use custom_op(...) to create a CustomOp object"
            )
        self._schema = schema
        self._cpp_ns = cpp_ns
        self._lib = lib
        self._ophandle = ophandle
        self._opname = operator_name
        self._qualname = f"{cpp_ns}::{operator_name}"
        self.__name__: str | None = None
        #: By kind: a type of devices, ``abstract``, ``factory``, ``backward`` …
        self._impls: dict[str, FuncAndLocation] = {}
        self._registered_autograd_kernel_indirection = False
        self._output_differentiability: list[bool] | None = None
        global_registry[self._qualname] = self

    def __repr__(self) -> str:
        return f'<CustomOp(op="{self._qualname}")>'

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the op."""
        return _C._dispatch_call_boxed(self._ophandle, *args, **kwargs)

    def _destroy(self) -> None:
        """Take the op out of the world; what holds it has nothing left."""
        self._lib._destroy()
        del self._lib
        del global_registry[self._qualname]

    # -- what was registered -----------------------------------------------------------------------

    def _register_impl(self, kind: str, func: _Kernel, stacklevel: int = 2) -> None:
        """Write down *func*, and the line that is *stacklevel* frames above."""
        if self._has_impl(kind):
            raise RuntimeError(
                f"Attempting to register a {kind} impl for operator {self._qualname} that already "
                f"has a {kind} impl registered from Python at {self._impls[kind].location}. This "
                "is not supported."
            )
        frame = sys._getframe(stacklevel)
        self._impls[kind] = FuncAndLocation(func, f"{frame.f_code.co_filename}:{frame.f_lineno}")

    def _get_impl(self, kind: str) -> FuncAndLocation:
        return self._impls[kind]

    def _has_impl(self, kind: str) -> bool:
        return kind in self._impls

    def _has_kernel(self, key: str) -> bool:
        return _C._dispatch_has_kernel_for_dispatch_key(self._qualname, key)

    # -- kernels -----------------------------------------------------------------------------------

    def impl(self, device_types: str | Iterable[str], _stacklevel: int = 2) -> Any:
        """A decorator: the function is what the op does on these types of devices."""
        several = [device_types] if isinstance(device_types, str) else list(device_types)
        for device_type in several:
            validate_device_type(device_type)

        def inner(f: _Kernel) -> _Kernel:
            for device_type in set(several):
                self._check_doesnt_have_library_impl(device_type)
                self._register_impl(device_type, f, stacklevel=_stacklevel)
                key = SUPPORTED_DEVICE_TYPE_TO_KEY[device_type]
                library.impl(self._lib, self._opname, key)(f)
            return f

        return inner

    def impl_factory(self) -> Any:
        """A decorator: the function is what an op does that takes no tensors."""

        def inner(f: _Kernel) -> _Kernel:
            self._register_impl("factory", f)
            library.impl(self._lib, self._opname, "BackendSelect")(f)
            return f

        return inner

    def impl_abstract(self, _stacklevel: int = 2) -> Any:
        """A decorator: the function is what the op does on tensors without data."""

        def inner(f: _Kernel) -> _Kernel:
            self._check_doesnt_have_library_meta_impl()
            self._register_impl("abstract", f, stacklevel=_stacklevel)
            location = self._get_impl("abstract").location

            def no_ctx() -> NoReturn:
                raise RuntimeError(
                    f"Attempted to call get_ctx() for the meta implementation for {self._qualname}."
                    "You have presumably called get_ctx() because the operator has a "
                    "data-dependent output shape; if so, there is no such meta implementation and "
                    "this error is the correct behavior. Otherwise, please remove the call to "
                    "get_ctx() in the implementation registered with impl_abstract at "
                    f"{location}"
                )

            @functools.wraps(f)
            def f_with_ctx(*args: Any, **kwargs: Any) -> Any:
                with set_ctx_getter(no_ctx):
                    return f(*args, **kwargs)

            self._lib.impl(self._opname, f_with_ctx, "Meta")
            return f

        return inner

    def _check_doesnt_have_library_impl(self, device_type: str) -> None:
        key = SUPPORTED_DEVICE_TYPE_TO_KEY[device_type]
        if not self._has_impl(device_type) and _C._dispatch_has_computed_kernel_for_dispatch_key(
            self._qualname, key
        ):
            raise RuntimeError(
                f"impl(..., device_types={device_type}): the operator {self._qualname} already has "
                "an implementation for this device type via a pre-existing torch.library or "
                "TORCH_LIBRARY registration."
            )

    def _check_doesnt_have_library_meta_impl(self) -> None:
        if self._has_impl("abstract"):
            return
        # A kernel for all backends is one that may not work on meta.
        if self._has_kernel("CompositeExplicitAutograd") and not self._has_kernel("Meta"):
            return
        start = f"impl_abstract(...): the operator {self._qualname} already has"
        if self._has_kernel("CompositeImplicitAutograd"):
            raise RuntimeError(
                f"{start} an implementation for this device type via a pre-existing registration "
                "to DispatchKey::CompositeImplicitAutograd.CompositeImplicitAutograd operators do "
                "not need an abstract impl; instead, the operator will decompose into its "
                "constituents and those can have abstract impls defined on them."
            )
        if self._has_kernel("Meta"):
            raise RuntimeError(
                f"{start} a DispatchKey::Meta implementation via a pre-existing torch.library or "
                "TORCH_LIBRARY registration. Please either remove that registration or don't call "
                "impl_abstract."
            )

    # -- gradients ---------------------------------------------------------------------------------

    def impl_save_for_backward(self, _stacklevel: int = 2) -> Any:
        """A decorator: the function says what is kept, of arguments by name and the result."""

        def inner(f: _Kernel) -> None:
            self._register_half("save_for_backward", f, _stacklevel)
            if self._has_impl("backward"):
                self._register_autograd_kernel()

        return inner

    def impl_backward(
        self, output_differentiability: list[bool] | None = None, _stacklevel: int = 2
    ) -> Any:
        """A decorator: ``f(ctx, saved, *grads)`` gives gradients by argument.

        :param output_differentiability: whether each result has a gradient; None: all.
        """
        if output_differentiability is not None and not (
            isinstance(output_differentiability, list)
            and all(isinstance(each, bool) for each in output_differentiability)
            and len(output_differentiability) == len(self._schema.returns)
        ):
            raise RuntimeError(
                "impl_backward(output_differentiability): expected output_differentiability to be "
                "a list of bools with length equal to the number of outputs of this CustomOp got: "
                f"{output_differentiability}"
            )

        def inner(f: _Kernel) -> None:
            self._register_half("backward", f, _stacklevel)
            self._output_differentiability = output_differentiability
            if self._has_impl("save_for_backward"):
                self._register_autograd_kernel()

        return inner

    def _register_half(self, kind: str, f: _Kernel, stacklevel: int) -> None:
        self._check_can_register_backward()
        self._check_doesnt_have_library_autograd_impl()
        if not self._registered_autograd_kernel_indirection:
            self._register_autograd_kernel_indirection()
        self._register_impl(kind, f, stacklevel=stacklevel + 1)

    def _register_autograd_kernel_indirection(self) -> None:
        if self._registered_autograd_kernel_indirection:
            raise AssertionError("autograd kernel indirection already registered")
        self._lib.impl(self._opname, autograd_kernel_indirection(weakref.proxy(self)), "Autograd")
        self._registered_autograd_kernel_indirection = True

    def _register_autograd_kernel(self) -> None:
        for kind in ("backward", "save_for_backward"):
            if not self._has_impl(kind):
                raise AssertionError(f"{kind} impl must be registered first")
        kernel = construct_autograd_kernel(
            self._schema,
            self._output_differentiability,
            self,
            get_op(self._qualname),
            self._get_impl("save_for_backward").func,
            self._get_impl("backward").func,
        )
        self._register_impl("autograd", kernel)

    def _check_can_register_backward(self) -> None:
        schema = self._schema

        def error(detail: str) -> NoReturn:
            raise RuntimeError(
                f"Cannot use torch._custom_ops APIs to register backward formula for {detail}. Got "
                f"operator {self._qualname} with schema: {schema}"
            )

        if schema.is_mutable:
            error("non-functional operator")
        if not schema.returns:
            error("operator with no returns")
        if any(r.alias_info is not None for r in schema.returns):
            error("operator that returns views")
        for each in schema.returns:
            if str(each.type) not in _RETURNED:
                listed = [name.replace("List[Tensor]", "List[Tensor]") for name in _RETURNED]
                error(f"operator with return not in {listed} (got {each})")

    def _check_doesnt_have_library_autograd_impl(self) -> None:
        if self._registered_autograd_kernel_indirection:
            return
        start = f"impl_backward/impl_save_for_backward: the operator {self._qualname} already has"
        if self._has_kernel("CompositeImplicitAutograd"):
            raise RuntimeError(
                f"{start} an implementation for this device type via a pre-existing registration "
                "to DispatchKey::CompositeImplicitAutograd.CompositeImplicitAutograd operators do "
                "not need an autograd formula; instead, the operator will decompose into its "
                "constituents and those can have autograd formulas defined on them."
            )
        for key in ("Autograd", "AutogradCPU", "AutogradCUDA"):
            if self._has_kernel(key):
                raise RuntimeError(
                    f"{start} an Autograd kernel registered to DispatchKey::{key} vi a "
                    "pre-existing torch.library or TORCH_LIBRARY registration. Please either "
                    "remove those registrations or don't use the torch._custom_ops APIs"
                )


# -- checks ----------------------------------------------------------------------------------------


def validate_namespace(ns: str) -> None:
    """Raise ValueError for a namespace that is torch's own, or no name."""
    if "." in ns:
        raise ValueError(
            f'custom_op(..., ns="{ns}"): expected ns to not contain any . (and be a valid variable '
            "name)"
        )
    if ns in RESERVED_NS:
        raise ValueError(
            f"custom_op(..., ns='{ns}'): '{ns}' is a reserved namespace, please choose something "
            "else. "
        )


def validate_schema(schema: FunctionSchema) -> None:
    """Raise ValueError for an op that changes something, returns views, or has a ``self``."""
    if not schemas.is_functional(schema):
        raise ValueError(
            "custom_op only supports functional operators (ops that do not mutate any inputs, do "
            "not return views of the inputs, and has at least one return). Got the following "
            f"non-functional schema: {schema}"
        )
    if any(a.name == "self" for a in schema.arguments):
        raise ValueError(
            "custom_op does not support arguments named 'self'. Please rename your argument. Got: "
            f"{schema}"
        )


def parse_qualname(qualname: str) -> tuple[str, str]:
    """``"ns::name"`` → ``("ns", "name")``. Raises ValueError for other shapes, and overloads."""
    ns, found, name = qualname.partition("::")
    if not found:
        raise ValueError(
            f"Expected there to be a namespace in {qualname}, i.e. The operator name should look "
            "something like ns::foo"
        )
    if "." in name:
        raise ValueError(
            "The torch.custom_ops APIs do not handle overloads, i.e. operator names with '.' in "
            f"them. Please name your operator something like ns::foo. Got: {qualname}"
        )
    return ns, name


def validate_device_type(device_type: str) -> None:
    """Raise ValueError for another type of devices than those of torch's kernels."""
    if device_type not in SUPPORTED_DEVICE_TYPE_TO_KEY:
        raise ValueError(
            f"CustomOp.impl(device_types=[{device_type}, ...]): we only support device_type in "
            f"{SUPPORTED_DEVICE_TYPE_TO_KEY.keys()}."
        )


def supported_param(param: inspect.Parameter) -> bool:
    """Whether a parameter can be given by name."""
    return param.kind in (param.POSITIONAL_OR_KEYWORD, param.KEYWORD_ONLY)


def validate_function_matches_schema(schema: FunctionSchema, func: _Kernel) -> None:
    """Raise ValueError if *func*, which has no annotations, has other arguments than *schema*."""
    sig = inspect.signature(func)
    parameters = list(sig.parameters.values())
    start = "custom_op(..., manual_schema)(func):"
    if not all(map(supported_param, parameters)):
        raise ValueError(
            f"{start} positional-only args, varargs, and kwargs are not supported. Please rewrite "
            f"`func` to not have them. Got `func` with signature: {sig}"
        )
    if any(p.annotation is not p.empty for p in parameters) or (
        sig.return_annotation is not sig.empty
    ):
        raise ValueError(
            f"{start} When passing in a manual schema, we expect `func` to have no type "
            f"annotations to avoid ambiguity. Got `func` with signature: {sig}"
        )
    shown = f"func's signature: {sig}, manual_schema: {schema}"
    for by_name in (False, True):
        ours = [p for p in parameters if (p.kind is p.KEYWORD_ONLY) == by_name]
        wanted = [a for a in schema.arguments if a.kwarg_only == by_name]
        pairs = list(zip(ours, wanted))
        if len(ours) != len(wanted) or any(p.name != a.name for p, a in pairs):
            raise ValueError(
                f"{start} When passing in a manual schema, we expect `func`'s signature to match "
                f"`manual_schema` (aside from type annotations). {shown}"
            )
        if any(p.default is not p.empty or a.has_default_value() for p, a in pairs):
            raise ValueError(
                f"{start} neither func nor manual_schema should have default arguments. Got {shown}"
            )


def report_error_callback(custom_op: Any, key: str) -> NoReturn:
    """Say that *custom_op* has no kernel at *key*."""
    if key == "Undefined":
        raise NotImplementedError(
            f"{custom_op}: There were no Tensor inputs to this operator (e.g. you passed an empty "
            "list of Tensors). If your operator is a factory function (that is, it takes no "
            "Tensors and constructs a new one), then please use CustomOp.impl_factory to register "
            "an implementation for it"
        )
    if key == "Meta":
        raise NotImplementedError(
            f"{custom_op}: when running with device='Meta' tensors: there is no abstract impl "
            "registered for this CustomOp. Please register one via CustomOp.impl_abstract to get "
            "this CustomOp to work with Meta tensors"
        )
    if key in ("CPU", "CUDA"):
        device = key.lower()
        raise NotImplementedError(
            f"{custom_op}: when running with device='{device}' tensors: there is no {device} impl "
            "registered for this CustomOp. Please register one via "
            f"CustomOp.impl(device_type='{device}')"
        )
    raise NotImplementedError(
        f"{custom_op}: No implementation for dispatch key {key}. It is likely that we have not "
        "added this functionality yet, please either open an issue or if you're feeling "
        "adventurous, use the low-level torch.library API"
    )


# -- finding ops -----------------------------------------------------------------------------------


def find_ophandle_or_throw(cpp_ns: str, schema: FunctionSchema) -> Any:
    """The op of a schema. Raises RuntimeError if there is none."""
    return _C._dispatch_find_schema_or_throw(f"{cpp_ns}::{schema.name}", schema.overload_name)


def custom_op_from_existing(op: Any) -> CustomOp:
    """What registers more for an op that was defined elsewhere."""
    ns, name = op.namespace, op.name().split("::")[-1]
    schema = parse_schema(str(op._schema).rsplit("::", maxsplit=1)[-1])
    handle = find_ophandle_or_throw(ns, schema)
    lib = library.Library(ns, "FRAGMENT")
    return CustomOp(lib, ns, schema, name, handle, _private_access=True)


def get_op(qualname: str) -> Any:
    """The overload of an op. Raises ValueError if there is none."""
    ns, name = parse_qualname(qualname)
    packet = getattr(getattr(ops, ns), name, None)
    if not hasattr(packet, "default"):
        raise ValueError(
            f"Could not find the operator {qualname}. Please make sure you have already registered "
            "the operator and (if registered from C++) loaded it via torch.ops.load_library."
        )
    return lookup_op(qualname)


def _find_custom_op(qualname: str, also_check_torch_library: bool = False) -> CustomOp:
    """The op of that name that was made here, or, if wanted, any other."""
    if qualname in global_registry:
        return global_registry[qualname]
    if not also_check_torch_library:
        raise RuntimeError(
            f'Could not find custom op "{qualname}". Did you register it via the torch._custom_ops '
            "API?"
        )
    return custom_op_from_existing(get_op(qualname))


def get_abstract_impl(qualname: str) -> _Kernel | None:
    """What an op does on tensors without data; None if nothing was registered here."""
    found = global_registry.get(qualname)
    return found._impls["abstract"].func if found and found._has_impl("abstract") else None


def _custom_op_with_schema(
    qualname: str, schema: str, needs_fixed_stride_order: bool = True
) -> Any:
    """Define an op, which has no kernels yet, and give its overload."""
    ns, name = qualname.split("::")
    validate_schema(parse_schema(f"{name}{schema}"))
    tags = (Tag.needs_fixed_stride_order,) if needs_fixed_stride_order else ()
    _made(ns, name, schema, tags)._register_autograd_kernel_indirection()
    return get_op(qualname)
