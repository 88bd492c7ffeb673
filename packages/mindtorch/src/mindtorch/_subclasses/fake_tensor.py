"""Fake tensors: shape, strides, dtype, device and history of a tensor, and no numbers.

A fake tensor has the memory of a meta tensor and says that it is on another device. Under a
:class:`FakeTensorMode` every operator runs on meta tensors; factories make fake tensors, and what
would need numbers is refused, unless they are single numbers that the program wrote down. Names and
texts: torch/_subclasses/fake_tensor.py. In a mode with an environment of symbols, tensors have
symbols for sizes, beside those of this run (see :mod:`.symbolic_layout`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from threading import local
from typing import Any

import mindtorch_storage as st
from mindtorch_storage import Device, get_default_dtype

from .. import nn  # noqa: F401  (see Note [Packages first])
from .._C import DisableTorchFunctionSubclass, _DisableTorchDispatch
from .._C._modes import (
    _set_dispatch_mode,
    _TorchDispatchModeKey,
    _unset_dispatch_mode,
)
from .._library.fake import find_fake_impl, set_ctx_getter, sizes_from
from .._ops import ops
from ..aten.symbolic_numbers import settled
from ..backends.devices import complete
from ..core import signature as S
from ..core.tags import Tag
from ..core.warning import warn_once
from ..io.copying import rebuild_of_memory
from ..io.printing import printoptions
from ..nn.parameter import Parameter
from ..overrides import TorchFunctionMode
from ..serialization.options import LOCAL
from ..tensor import Tensor
from ..tensor.array_memory import storage_of
from ..tensor.construction import share
from ..tensor.resizing import look_at
from ..tensor.tensor_impl import alias_of
from ..utils._python_dispatch import TorchDispatchMode
from ..utils._pytree import tree_leaves, tree_map
from .cache_key import _CacheKeyState  # noqa: F401 (programs look for it here)
from .data_dependent import with_numbers_as_symbols
from .dispatch_cache import DispatchCacheInfo, TensorMetadata, extract_tensor_metadata
from .dispatch_cache import disable_fake_tensor_cache as disable_fake_tensor_cache
from .fake_converter import FakeTensorConverter
from .fake_errors import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensorDeviceMismatchError,
    MetadataMismatchError,
    UnsupportedFakeTensorException,
    UnsupportedMutationAliasingException,
    UnsupportedOperatorException,
)
from .fake_impls import (
    is_builtin,
    laid_out,
    refuse_without_numbers,
    result_device,
    sizes_of,
    takes_device,
)
from .symbolic_layout import (
    SIZES,
    Symbols,
    TrackedFake,
    Unnamed,
    arguments_to_run,
    has_symbols,
    renew,
    said_of_results,
    tell_results,
)
from .symbolic_subscript import with_numbers
from .symbolic_tensor import WithSymbols

__all__ = [
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "DispatchCacheInfo",
    "FakeCopyMode",
    "FakeTensor",
    "FakeTensorConfig",
    "FakeTensorConverter",
    "FakeTensorDeviceMismatchError",
    "FakeTensorMode",
    "MetadataMismatchError",
    "TensorMetadata",
    "UnsupportedFakeTensorException",
    "UnsupportedMutationAliasingException",
    "UnsupportedOperatorException",
    "extract_tensor_metadata",
]

META = Device("meta")
#: The namespaces of operators that may run on zeros.
_TRUSTED = frozenset("debugprims prims aten xla vision torchtext torchaudio quantized".split())
#: A number that the program wrote down stays known if it is a single one.
CONSTANT_NUMEL_LIMIT = 1


class FakeTensorTLS(local):
    """What a thread says of all modes."""

    #: In place of a mode's ``allow_non_fake_inputs``, where it is not None.
    allow_non_fake_inputs_override: bool | None = None


fake_tensor_tls = FakeTensorTLS()


class FakeTensorConfig:
    """Settings of the environment."""

    debug = os.environ.get("TORCH_FAKE_TENSOR_DEBUG", "0") == "1"


class FakeTensor(WithSymbols, Tensor):
    """A tensor of which all is known but the numbers. ``fake_mode`` is the mode it belongs to."""

    fake_mode: FakeTensorMode
    fake_device: Any
    #: The real tensor, where it is a number that the program wrote down.
    constant: Any
    #: What was found out of its numbers, and at which version: see :mod:`.data_dependent`.
    known_numbers: dict[str, Any]

    @staticmethod
    def __new__(
        cls: Any,
        fake_mode: FakeTensorMode,
        elem: Any = None,
        device: Any = None,
        constant: Any = None,
    ) -> Any:
        """A fake tensor in the memory of the meta tensor *elem*, said to be on *device*."""
        if not isinstance(fake_mode, (FakeTensorMode, Tensor)):
            raise TypeError(
                "FakeTensor.__new__() expected a FakeTensorMode or Tensor as the first argument, "
                f"got {type(fake_mode)}"
            )
        if elem.device.type != "meta":
            raise AssertionError(f"elem.device.type must be 'meta', got {elem.device.type}")
        made = Tensor._make_wrapper_subclass(
            cls,
            elem.shape,
            strides=elem.stride(),
            dtype=elem.dtype,
            device=device,
            requires_grad=elem.requires_grad,
        )
        made._a_ = elem._a_
        made._sig_ |= elem._sig_ & S.LAZY
        storage_of(elem)
        made._shared_ = alias_of(elem)
        made.fake_mode = fake_mode
        made.fake_device = complete(Device(device))
        made.constant = constant
        made.known_numbers = {}
        return made

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    @staticmethod
    def from_tensor(t: Any, fake_mode: FakeTensorMode) -> Any:
        """What stands for *t* in *fake_mode*."""
        return fake_mode.from_tensor(t)

    @property
    def device(self) -> Any:
        """The device that it is said to be on; its memory is on meta."""
        return self.fake_device

    def data_ptr(self) -> int:
        """0: there is no address. It warns."""
        warn_once(
            "Accessing the data pointer of FakeTensor is deprecated and will error in PyTorch 2.5. "
            "This is almost definitely a bug in your code and will cause undefined behavior with "
            "subsystems like torch.compile. Please wrap calls to tensor.data_ptr() in an opaque "
            "custom op; If all else fails, you can guard accesses to tensor.data_ptr() on "
            "isinstance(tensor, FakeTensor)."
        )
        return 0

    def tolist(self) -> Any:
        """Its numbers, where they are known. Raises DataDependentOutputException."""
        if self.dim() == 0:
            return ops.aten.item.default(self)
        return [part.tolist() for part in self]

    def with_numbers_(self, index: Any) -> Any:
        """A subscript, with symbols for numbers that tensors in it are."""
        return with_numbers(self, index)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        parts = ["..."]
        if self.device.type != "cpu":
            parts.append(f"device='{self.device}'")
        parts.append(f"size={tuple(self.shape)}")
        if self.dtype not in (get_default_dtype(),):
            parts.append(f"dtype={self.dtype}")
        if self.grad_fn is not None:
            parts.append(f"grad_fn=<{self.grad_fn.name().rpartition('::')[2]}>")
        elif self.requires_grad:
            parts.append("requires_grad=True")
        text = f"FakeTensor({', '.join(parts)})"
        return f"Parameter({text})" if isinstance(self, Parameter) else text

    def __reduce_ex__(self, protocol: Any) -> Any:
        """As torch's: an ordinary tensor, under ``skip_data(materialize_fake_tensors=True)``."""
        if not (LOCAL.skip_data and LOCAL.materialize_fake_tensors):
            return super().__reduce_ex__(protocol)
        inside = _inside(self)
        inside.untyped_storage()._fake_device = self.device
        window = (self.storage_offset(), tuple(self.shape), self.stride(), self.requires_grad)
        return rebuild_of_memory(inside, window)

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

    :param allow_fallback_kernels: an operator of torch's that has no rule for shapes runs on zeros.
    :param allow_non_fake_inputs: make fake tensors of real ones that operators meet, in place of
        refusing them.
    :param shape_env: where symbols of sizes live; None: sizes are numbers.
    :param static_shapes: whether sizes are numbers unless something else is said.
    """

    _mode_key = _TorchDispatchModeKey.FAKE

    def __init__(
        self,
        *,
        allow_fallback_kernels: bool = True,
        allow_non_fake_inputs: bool = False,
        shape_env: Any = None,
        static_shapes: bool | None = None,
        export: bool = False,
    ) -> None:
        super().__init__()
        self.allow_fallback_kernels = allow_fallback_kernels
        self.allow_non_fake_inputs = allow_non_fake_inputs
        self.shape_env = shape_env
        self.static_shapes = shape_env is None if static_shapes is None else static_shapes
        self.export = export
        #: Let numbers read from tensors be symbols, whatever the environment says.
        self.allow_scalar_outputs = False
        self.fake_tensor_converter = FakeTensorConverter(export=export)
        self._left: list[Any] = []

    @classmethod
    def is_infra_mode(cls) -> bool:
        """It lies below all modes of programs."""
        return True

    def __enter__(self) -> FakeTensorMode:
        before = _unset_dispatch_mode(self._mode_key)
        self._left.append(before)
        _set_dispatch_mode(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        _unset_dispatch_mode(self._mode_key)
        before = self._left.pop()
        if before is not None:
            _set_dispatch_mode(before)

    def from_tensor(
        self,
        tensor: Any,
        *,
        static_shapes: bool | None = None,
        source: Any = None,
        symbolic_context: Any = None,
        trace: bool = True,
    ) -> Any:
        """The fake tensor that stands for *tensor*, the same each time.

        :param static_shapes: whether its sizes are numbers; by default as the mode says.
        :param source: where it comes from: symbols are named after it.
        :param symbolic_context: which sizes are symbols, and in which range.
        """
        made = self.fake_tensor_converter.from_real_tensor(self, tensor)
        env = self.shape_env
        if isinstance(tensor, FakeTensor):
            made.symbols = tensor.symbols
        if env is None or made.symbols is not None or isinstance(tensor, FakeTensor):
            return made
        if source is not None and not self.export and tensor.dim() == 0:
            self._know_number(made, tensor, source)
        static = self.static_shapes if static_shapes is None else static_shapes
        if static and symbolic_context is None or made is tensor:
            return made
        if source is None:
            source = Unnamed(len(self.fake_tensor_converter.tensor_memo) - 1)
        sizes, strides, _ = env.create_symbolic_sizes_strides_storage_offset(
            made, source, symbolic_context=symbolic_context
        )
        if has_symbols(sizes):
            made.symbols = Symbols(sizes, strides)
        if env.tracked_fakes is not None:
            env.tracked_fakes.append(TrackedFake(made, source, symbolic_context))
        return made

    def _know_number(self, made: Any, tensor: Any, source: Any) -> None:
        """The number of a tensor that is an input: a symbol with the value of this run."""
        if tensor.dtype not in (st.int64, st.float64) or tensor.device.type != "cpu":
            return
        with _DisableTorchDispatch():
            value = tensor.item()
        if isfinite(value):
            made.known_numbers["item"] = (
                made._version,
                self.shape_env.symbol_of_number(value, source),
            )

    def in_memory_of(self, elem: Any, device: Any, constant: Any = None) -> Any:
        """A fake tensor of this mode with the memory of the meta tensor *elem*."""
        return FakeTensor(self, elem, device, constant)

    def can_run_unsafe_fallback(self, func: Any) -> bool:
        """Whether an operator that says nothing of shapes may run on zeros."""
        return self.allow_fallback_kernels and func.namespace in _TRUSTED

    def is_our_fake(self, t: object) -> bool:
        """Whether *t* is a fake tensor of this mode."""
        return isinstance(t, FakeTensor) and t.fake_mode is self

    @classmethod
    def cache_info(cls) -> DispatchCacheInfo:
        """How often results of calls were known: never, as nothing is kept of calls."""
        return DispatchCacheInfo(0, 0, {}, 0)

    @classmethod
    def cache_clear(cls) -> None:
        """Keep nothing of calls."""

    def _check_mode(self, fake: Any) -> None:
        if fake.fake_mode is not self:
            raise AssertionError(
                f"Mixing fake modes NYI x.fake_mode={fake.fake_mode} vs self={self}"
            )

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func* on meta tensors, or on single numbers that are known."""
        kwargs = dict(kwargs or {})
        if func is ops.aten.lift_fresh.default and not isinstance(args[0], FakeTensor):
            return self._written_down(args[0])
        args, kwargs = self._converted(func, args, kwargs)
        leaves = tree_leaves((args, kwargs))
        fakes = [a for a in leaves if isinstance(a, FakeTensor)]
        for fake in fakes:
            self._check_mode(fake)
        symbolic = self.shape_env is not None and has_symbols(leaves)
        if fakes and not symbolic and all(fake.constant is not None for fake in fakes):
            known, result = self._of_constants(func, args, kwargs)
            if known:
                return result
        result = with_numbers_as_symbols(self, func, args, kwargs)
        if result is not NotImplemented:
            return result
        if symbolic:
            return self._with_symbols(func, args, kwargs, fakes)
        return self._run(func, args, kwargs, fakes)

    def _with_symbols(self, func: Any, args: Any, kwargs: Any, fakes: list[Any]) -> Any:
        """The call with the sizes of this run; its results have symbols for them.

        Where there are sizes that depend on data, it is first known what the operator needs of
        them; it runs on some for which that holds.
        """
        read = SIZES.get(func.name())
        if read is not None:
            return settled(read(*args, **kwargs))
        first = self.shape_env.depends_on_data
        said = said_of_results(self, func, args, kwargs) if first else None
        for fake in fakes if first else ():
            renew(fake)
        result = self._run(func, *arguments_to_run(func, args, kwargs), fakes)
        tell_results(result, said if first else said_of_results(self, func, args, kwargs))
        return result

    def _run(self, func: Any, args: Any, kwargs: Any, fakes: list[Any]) -> Any:
        if func._schema.is_mutable:
            for fake in fakes:
                self.fake_tensor_converter.forget(fake)
        written = find_fake_impl(func.name())
        if written is not None:
            with self, set_ctx_getter(lambda: sizes_of(func)):
                return written(*args, **kwargs)
        refuse_without_numbers(func)
        device = result_device(fakes, kwargs)
        return self._without_numbers(func, args, kwargs, fakes, device)

    def _without_numbers(
        self, func: Any, args: Any, kwargs: Any, fakes: list[Any], device: Any
    ) -> Any:
        """The call on meta tensors."""
        inside = {id(fake): _inside(fake) for fake in fakes}
        of = {id(inside[id(fake)]): fake for fake in fakes}
        plain, named = tree_map(lambda a: inside.get(id(a), a), (args, kwargs))
        if "device" in named or not fakes and takes_device(func):
            named["device"] = META

        try:
            with sizes_from(sizes_of(func)._new_size):
                result = laid_out(func, func(*plain, **named), device)
        except NotImplementedError:
            schema = func._schema
            if not is_builtin(func) and schema.is_mutable and not schema.returns:
                return None
            if not self.can_run_unsafe_fallback(func):
                raise UnsupportedOperatorException(func) from None
            if schema.is_mutable:
                raise
            return self._on_zeros(func, args, kwargs, device)
        for fake in fakes:  # which may be another size now
            meta = inside[id(fake)]
            if meta._a_ is not fake._a_:
                look_at(fake, meta._a_)

        def wrap(value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            known = of.get(id(value))
            return FakeTensor(self, value, device) if known is None else known

        return tree_map(wrap, result)

    def _on_zeros(self, func: Any, args: Any, kwargs: Any, device: Any) -> Any:
        """The call of an op that says nothing of shapes: it runs, on the CPU."""

        def zeros(value: Any) -> Any:
            if not isinstance(value, FakeTensor):
                return value
            made = ops.aten.empty_strided(
                list(value.shape), list(value.stride()), dtype=value.dtype, device="cpu"
            )
            return ops.aten.zero_(made)

        plain, named = tree_map(zeros, (args, kwargs))
        if "device" in named:
            named["device"] = Device("cpu")

        def wrap(value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            meta = ops.aten.empty_strided(
                list(value.shape), list(value.stride()), dtype=value.dtype, device=META
            )
            return FakeTensor(self, meta, device)

        return tree_map(wrap, func(*plain, **named))

    def _written_down(self, value: Any) -> Any:
        """The fake tensor for one that the program wrote numbers into."""
        known = value.numel() <= CONSTANT_NUMEL_LIMIT and value.device.type != "meta"
        if not known:
            return self.fake_tensor_converter.from_real_tensor(self, value)
        with _DisableTorchDispatch():
            constant = value.clone()
        return self.fake_tensor_converter.from_real_tensor(self, constant, make_constant=True)

    def _of_constants(self, func: Any, args: Any, kwargs: Any) -> tuple[bool, Any]:
        """Whether the result for numbers that are known is known, and it."""
        if Tag.nondeterministic_seeded in func.tags or str(kwargs.get("device")) == "meta":
            return False, None
        constants: dict[int, Any] = {}

        def number(value: Any) -> Any:
            if not isinstance(value, FakeTensor):
                return value
            constants[id(value.constant)] = value
            return value.constant

        plain, named = tree_map(number, (args, kwargs))
        with _DisableTorchDispatch():
            result = func(*plain, **named)
        tensors = [a for a in tree_leaves(result) if isinstance(a, Tensor)]
        if any(t.numel() > CONSTANT_NUMEL_LIMIT for t in tensors):
            return False, None

        def wrap(value: Any) -> Any:
            if not isinstance(value, Tensor):
                return value
            known = constants.get(id(value))
            if known is not None:
                return known
            return self.fake_tensor_converter.from_real_tensor(self, value, make_constant=True)

        return True, tree_map(wrap, result)

    def _converted(self, func: Any, args: Any, kwargs: Any) -> tuple[Any, dict[str, Any]]:
        said = fake_tensor_tls.allow_non_fake_inputs_override
        allowed = self.allow_non_fake_inputs if said is None else said

        def convert(value: Any) -> Any:
            if not isinstance(value, Tensor) or isinstance(value, FakeTensor):
                return value
            if not allowed:
                with _DisableTorchDispatch(), printoptions(threshold=0, edgeitems=0):
                    named = (f"{k}={v!r}" for k, v in kwargs.items())
                    shown = ", ".join([*map(repr, args), *named])
                raise AssertionError(
                    "Please convert all Tensors to FakeTensors first or instantiate FakeTensorMode "
                    f"with 'allow_non_fake_inputs'. Found in {func}({shown})"
                )
            return self.from_tensor(value)

        return tree_map(convert, (args, kwargs))


class FakeCopyMode(TorchFunctionMode):
    """A ``with`` block in which ``copy.deepcopy`` of tensors and parameters makes fake ones."""

    def __init__(self, fake_mode: FakeTensorMode) -> None:
        super().__init__()
        self.fake_mode = fake_mode

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Copy into the mode; all else runs as it is."""
        kwargs = kwargs or {}
        if func is Tensor.clone:
            return func(self.fake_mode.from_tensor(args[0]), **kwargs)
        if func is Tensor.__deepcopy__:
            tensor, memo = args
            if id(tensor) not in memo:
                memo[id(tensor)] = self.fake_mode.from_tensor(tensor)
            return memo[id(tensor)]
        with DisableTorchFunctionSubclass():
            return func(*args, **kwargs)


def tree_flatten_only(ty: type, tree: Any) -> list[Any]:
    """The leaves of a tree that are of a type."""
    return [leaf for leaf in tree_leaves(tree) if isinstance(leaf, ty)]


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
    """Inside, no mode of fake tensors is on; the one that was is given."""
    before = _unset_dispatch_mode(_TorchDispatchModeKey.FAKE)
    try:
        yield before
    finally:
        if before is not None:
            _set_dispatch_mode(before)


def _inside(fake: Any) -> Any:
    """The meta tensor of which *fake* has the memory."""
    meta = share(fake._a_, fake)
    meta._sig_ = meta._sig_ & ~S.BACKENDS | S.META
    return meta
