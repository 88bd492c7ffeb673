"""A call: signature in, result out.

``run(overload, arguments)`` joins the signatures of the tensor arguments with the thread's state
and looks the joined integer up in the overload's table. What stands there is a plain function
over the arguments, built once per signature by :func:`build`: the dispatcher is asked for the
kernel of the highest key; each functionality key (autograd, in-place-or-view, pipeline, …) has
one *builder* that wraps the function built for the keys below it. Registering or removing a
kernel empties the tables, so the shortcut can never disagree with the dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Hop, call_hop, current_pipeline, tls
from mindtorch_dispatch.keys import autograd_keys_of_backends
from mindtorch_npu.backend import HARDWARE

from . import signature as S
from ._tensor.edges import ask_base
from .call_arguments import (
    default_backend,
    device_bit,
    device_order,
    full_arguments,
    inputs_backend,
    number_sig,
    split_keywords,
    tensors_of,
)
from .deferred import flush_current
from .errors import devices_differ
from .functionality.view_history import check_inplace, is_stale
from .mixed_devices import WHOLE, mixed
from .ops import later
from .ops.overload import IMPLICIT, INPLACE, OUT, Overload
from .tensor import Tensor

grad_state = grad_mode.state.get
tls_state = tls.state.get

Call = Callable[..., Any]
Builder = Callable[[Overload, int, int], Call]


class _Overloads(dict[str, Overload]):
    """Overloads by qualified name; a family that was put off is registered when asked for."""

    __slots__ = ()

    def __missing__(self, name: str) -> Overload:
        if later.load(name) and name in self:
            return self[name]
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        """The overload *name*, or *default*."""
        try:
            return self[name]
        except KeyError:
            return default

    def named(self, base: str) -> list[Overload]:
        """The overloads of the op *base*, in order of registration."""
        later.load(base)
        return [o for o in self.values() if o.base == base]


#: Every overload by its qualified name.
OVERLOADS = _Overloads()
#: Kernel function -> builder: the kernels that know how to specialise themselves.
BUILDERS: dict[Any, Builder] = {}

_KEYS = {
    S.CPU: K.CPU | K.AutogradCPU | K.ADInplaceOrView | K.AutocastCPU,
    S.NPU: K.NPU | K.AutogradNPU | K.ADInplaceOrView | K.AutocastNPU,
    S.META: K.Meta | K.AutogradMeta | K.ADInplaceOrView,
    S.PYTHON: K.Python | K.PythonTLSSnapshot,
    S.CONJ: K.Conjugate,
    S.NEG: K.Negative,
    S.BATCHED: K.FuncTorchBatched,
    S.FUNCTIONAL: K.Functionalize,
}


class CallTable(dict[Any, Call]):
    """signature -> resolved call of one overload; a miss resolves it."""

    __slots__ = ("overload",)

    def __init__(self, overload: Overload) -> None:
        self.overload = overload

    def __missing__(self, sig: int) -> Call:
        if self.overload._schema is None:
            self.overload._analyse()
        operator = self.overload.operator
        version = operator.version
        call = resolve(self.overload, sig)
        operator.remember(self, sig, call, version)  # unless a registration came in between
        return call


class LeadTable(dict[int, Call]):
    """signature -> call that takes the leading tensors only and fills in the defaults.

    ``plain`` has the signature of the result where the call only makes another window on plain
    memory, so that a method may do it without a call (see ``ops.register``).
    """

    __slots__ = ("overload", "plain")

    def __init__(self, overload: Overload) -> None:
        self.overload = overload
        self.plain: dict[int, int] = {}

    def clear(self) -> None:
        """Forget everything: registrations have changed."""
        super().clear()
        self.plain.clear()

    def __missing__(self, sig: int) -> Call:
        operator = self.overload.operator
        version = operator.version
        call = self.overload.api[sig]
        tail = self.overload.tail
        leading = getattr(
            call, "leading", None
        )  # the call for the defaults, made by who knows them
        if leading is not None:
            call = leading
        elif tail and not hasattr(call, "leads"):
            full = call

            def call(*tensors: Any) -> Any:
                return full(*tensors, *tail)

        plain = getattr(call, "plain", None)
        if plain is not None:
            operator.remember(self.plain, sig, plain, version)
        operator.remember(self, sig, call, version)
        return call


class Direct(NamedTuple):
    """Stands on a call that is one function of arrays: ``Tensor(run(a._a, b._a))``.

    For tensors of the call's signature, and the defaults of the schema for all else.
    """

    run: Callable[..., Any]
    operands: int
    #: The signature of the result.
    sig: int
    #: Whether the result always has the shape of the (only) operand.
    same_shape: bool
    #: Whether it takes the other arguments too, instead of meaning their defaults.
    takes_rest: bool = False


def leads(call: Call) -> Call:
    """Mark a function that has the schema's defaults in its own signature."""
    call.leads = True  # type: ignore[attr-defined]
    return call


def run(overload: Overload, args: tuple[Any, ...]) -> Any:
    """Call *overload* with all its arguments in schema order."""
    return overload.table[signature(overload, args) | grad_state() | tls_state()](*args)


def signature(overload: Overload, args: tuple[Any, ...]) -> int:
    """The joined signature of the arguments."""
    if overload._schema is None:
        overload._analyse()
    sig = 0
    for i in overload.tensor_positions:
        a = args[i]
        if isinstance(a, Tensor):
            sig |= a._sig
        elif a is not None:
            sig |= number_sig(a)
    for i in overload.list_positions:
        if args[i] is not None:
            for a in args[i]:
                if a is not None:
                    sig |= a._sig
    if overload.device_position >= 0:
        device = args[overload.device_position]
        if device is not None:
            sig = sig & ~S.BACKENDS | device_bit(device)
    if not sig & S.BACKENDS:
        sig |= default_backend()
    return sig


def own_keys(sig: int) -> int:
    """The dispatch keys that tensors of a signature bring, as torch's ``_dispatch_keys``."""
    mask = 0
    for bit, keys in _KEYS.items():
        if sig & bit:
            mask |= keys
    return mask


def key_mask(sig: int) -> int:
    """The dispatch keys of a signature, the thread's masks applied."""
    mask = own_keys(sig)
    included, excluded = tls.masks(sig >> S.TLS_SHIFT << S.TLS_SHIFT)
    return int((mask | included) & ~excluded)


class _Reaches(dict[int, bool]):
    """signature, state included -> whether operators of it come to one of some keys."""

    def __init__(self, keys: int) -> None:
        self.keys_ = keys

    def __missing__(self, sig: int) -> bool:
        found = self[sig] = bool(key_mask(sig) & self.keys_)
        return found


#: Whether a dispatch mode or a subclass sees operators of a signature, state included.
seen_by_python: Callable[[int], bool] = _Reaches(K.Python).__getitem__
#: Whether those, or functionalization, do.
seen_as_operators: Callable[[int], bool] = _Reaches(K.Python | K.Functionalize).__getitem__


def resolve(overload: Overload, sig: int) -> Call:
    """The function that serves calls of this signature."""
    more = tls.extra(sig)
    if more & tls.TRACED:
        from .tracing import traced_call  # not before somebody traces

        return traced_call(overload, sig)
    if more & tls.STREAMED and sig & S.NPU and sig & S.REQUIRES_GRAD:
        from .functionality.streamed import streamed_call  # not before streams are used

        return streamed_call(overload, sig)
    return resolve_call(overload, sig)


def resolve_call(overload: Overload, sig: int) -> Call:
    """The same, for a thread that is not traced or whose trace knows of the call."""
    if tls.extra(sig) & tls.TRANSFORMED:
        from .functionality.captures import capturing_call  # not before something is transformed

        return capturing_call(overload, sig)
    return resolve_own(overload, sig)


def resolve_own(overload: Overload, sig: int) -> Call:
    """The same, where nothing can be captured."""
    if sig & (S.INFERENCE | grad_mode.INFERENCE):
        from .functionality.inference import inference_call  # few programs come here

        return inference_call(overload, sig)
    return resolve_tracked(overload, sig)


def resolve_tracked(overload: Overload, sig: int) -> Call:
    """The same, where inference mode has nothing to say."""
    if sig & S.COW:
        from .functionality.copy_on_write import copy_on_write_call  # few programs come here

        return copy_on_write_call(overload, sig)
    if sig & S.DUAL and not sig & S.BATCHED:
        from .functionality.forward_mode import dual_call  # not before there are tangents

        return dual_call(overload, sig)
    mask = key_mask(sig)
    if not mask & K.Pipeline:
        if tls.masks(sig >> S.TLS_SHIFT << S.TLS_SHIFT)[0] & K.Pipeline:
            return overtaking(overload)
        if sig & S.PENDING:
            return settling(overload)
    return resolve_settled(overload, sig, mask)


def resolve_settled(overload: Overload, sig: int, mask: int) -> Call:
    """The same, where nothing has to be flushed first."""
    if sig & S.VIEW:
        if sig & grad_mode.GRAD_ENABLED:
            return refreshing(overload, sig)
        return overload.table[sig & ~S.VIEWS]
    backends = sig & S.BACKENDS
    if backends & (backends - 1) and not overload.mixes_devices:
        row = overload.row
        if row.composite is None or row.name in WHOLE:  # else the ops inside find out
            return moving(overload)
    return build(overload, sig, mask)


def build(overload: Overload, sig: int, mask: int) -> Call:
    """The function for *sig* from the highest key of *mask* downwards."""
    hop = overload.operator.hop(mask)
    if tls.extra(sig) & tls.TRACED:
        from .tracing import traced_kernel

        return traced_kernel(overload, sig, mask, hop)
    return build_hop(overload, sig, mask, hop)


def build_hop(overload: Overload, sig: int, mask: int, hop: Hop) -> Call:
    """The function for *sig* of the kernel at one key."""
    if overload.mixes_devices:
        call = overload.special(hop, sig, mask)
        if call is not None:
            return call
    builder = BUILDERS.get(hop.kernel.fn)  # type: ignore[union-attr]  # hop() finds one or raises
    if builder is not None:
        return builder(overload, sig, mask)
    return foreign(overload, hop, mask)


def foreign(overload: Overload, hop: Hop, mask: int) -> Call:
    """A call of a kernel that somebody else registered."""
    from ._library.results import result_converter

    operator = overload.operator
    convert = result_converter(overload.name, overload.schema)

    if all(not (a.kwarg_only or a.has_default_value()) for a in overload.schema.arguments):

        def call_as_is(*args: Any) -> Any:
            return convert(call_hop(operator, hop, mask, args, {}))

        return call_as_is

    def call(*args: Any) -> Any:
        positional, keywords = split_keywords(overload, args)
        return convert(call_hop(operator, hop, mask, positional, keywords))

    return call


def boxed(builder_kernel: Any) -> Callable[..., Any]:
    """The dispatcher's view of a kernel with a builder: build for these arguments, call.

    This is how a redispatch from a user's kernel comes back into the table.
    """

    def kernel(operator: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        overload = OVERLOADS[operator.name]
        full = full_arguments(overload, args, kwargs)
        sig = signature(overload, full) | grad_state() | tls_state()
        mask = int(getattr(keyset, "mask", keyset))
        if mask & K.Autograd:
            # The alias would bring autograd back for the keys below it.
            mask = mask & ~K.Autograd | autograd_keys_of_backends(mask)
        if sig & S.PENDING and not mask & K.Pipeline:
            for t in tensors_of(overload, full):
                if t._sig & S.PENDING:
                    t._settle()
            sig &= ~S.PENDING
        key = (sig, mask)
        call = overload.table.get(key)
        if call is None:
            version = operator.version
            call = BUILDERS[kernel](overload, sig, mask)
            operator.remember(overload.table, key, call, version)
        return call(*full)

    kernel.__name__ = builder_kernel.__name__.removeprefix("build_")
    kernel.__doc__ = builder_kernel.__doc__
    kernel.__module__ = builder_kernel.__module__
    kernel.__wrapped__ = builder_kernel  # type: ignore[attr-defined]
    BUILDERS[kernel] = builder_kernel
    return kernel


# Signatures that need a step before the real call ----------------------------------------------


def settling(overload: Overload) -> Call:
    """Outside the pipeline that made them, pending arguments are computed first."""

    def call(*args: Any) -> Any:
        for t in tensors_of(overload, args):
            if t._sig & S.PENDING:
                t._settle()
        return run(overload, args)

    return call


def overtaking(overload: Overload) -> Call:
    """In a pipeline whose key is excluded: the call runs now, after what was recorded before."""

    def call(*args: Any) -> Any:
        flush_current()
        for t in tensors_of(overload, args):
            if t._sig & S.PENDING:
                t._settle()
        sig = up_to_date(overload, args)
        key = (sig, "now")
        inner = overload.table.get(key)
        if inner is None:
            version = overload.operator.version
            inner = resolve_settled(overload, sig, key_mask(sig))
            overload.operator.remember(overload.table, key, inner, version)
        return inner(*args)

    return call


def up_to_date(overload: Overload, args: tuple[Any, ...]) -> int:
    """The signature of a call, state included, of which no argument is to be taken for a view.

    Views ask their base whether they require grad. Where something does, those that are
    differentiated get the history they have by now; torch's errors for those that must not, in the
    order in which torch looks.
    """
    for t in tensors_of(overload, args):
        if t._sig & S.VIEW:
            ask_base(t)
    sig = signature(overload, args) & ~S.VIEWS | grad_state() | tls_state()
    if sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED and overload.composed not in IMPLICIT:
        if overload.kind == INPLACE:
            check_inplace(args[overload.mutable_position])
        for i in _differentiated(overload):
            for t in args[i] if isinstance(args[i], (tuple, list)) else (args[i],):
                if isinstance(t, Tensor):
                    t._grad_edge  # noqa: B018  (refreshes)
    return sig


def _differentiated(overload: Overload) -> list[int]:
    """The positions of arguments that gradients are asked for."""
    grad = overload.row.grad or {}
    named = {name for key, f in grad.items() if f is not None for name in key.split(", ")}
    given = sorted((*overload.tensor_positions, *overload.list_positions))
    # What is changed forgets what was there; what gradients a user's op has is not known here.
    if not named and (overload.kind == INPLACE or overload.mixes_devices):
        return given
    return [i for i in given if overload.names[i] in named]


def refreshing(overload: Overload, sig: int) -> Call:
    """Views whose base was changed in place get their new history first."""
    table, positions = overload.table, overload.tensor_positions
    fresh = sig & ~S.VIEWS
    if overload.row.name == "detach" or overload.composed in IMPLICIT:
        return table[fresh]  # no history comes of it; or the ops inside look
    if overload.list_positions:
        return lambda *args: table[up_to_date(overload, args)](*args)
    plain = not sig & S.REQUIRES_GRAD

    def call(*args: Any) -> Any:
        for i in positions:
            t = args[i]
            if isinstance(t, Tensor) and t._sig & S.VIEW:
                alias: Any = t._shared
                if (alias.touched or not plain and alias.value) and is_stale(t):
                    return table[up_to_date(overload, args)](*args)
        return table[fresh](*args)

    return call


#: Copies between devices that go by way of ``to``: to be differentiated, queued or refused.
_NOT_STAGED = S.REQUIRES_GRAD | S.META | S.PENDING | S.LAZY | S.NO_MEMORY | S.PYTHON | S.FUNCTIONAL


def moving(overload: Overload) -> Call:
    """Arguments on several devices: 0-d host tensors follow, anything else is an error."""

    takes_other = "takes_other_device" in overload.row.tags
    copies = overload.row.name == "copy_" and not HARDWARE
    order = device_order(overload)
    if "checks_devices" in overload.row.tags and overload.kind != OUT:
        return overload.row.composite  # type: ignore[return-value]

    def call(*args: Any) -> Any:
        if takes_other:
            if args[1]._sig & S.META:
                raise NotImplementedError("Cannot copy out of meta tensor; no data!")
            if (
                copies
                and current_pipeline() is None
                and not (args[0]._sig | args[1]._sig) & _NOT_STAGED
            ):
                from .backends.copies import staged, wait  # which imports this module

                args[1]._settle()
                source = staged(args[0], args[1], args[2])
                if source is not None:
                    run(overload, (args[0], source, args[2]))
                    if source._sig & S.NPU and not args[2]:
                        wait(args[0].device.index)
                return args[0]
            return run(overload, (args[0], args[1]._to(args[0].device), *args[2:]))
        if order:
            tensors = [args[i] for i in order if isinstance(args[i], Tensor)]
        else:
            tensors = list(tensors_of(overload, args))
        if overload.kind == OUT:
            inputs = [a for i, a in enumerate(args) if i not in overload.out_positions]
            at = inputs_backend(inputs)
            if at and not at & (at - 1):  # only the targets lie elsewhere: they are checked last
                sig = signature(overload, args) & ~(S.BACKENDS | S.VIEWS) | at
                return overload.table[sig | grad_state() | tls_state()](*args)
        elsewhere = [t for t in tensors if not t._sig & S.CPU]
        target = next((t for t in elsewhere if t._a.ndim), elsewhere[0])
        device = target.device
        checked = list(args)
        for i in overload.tensor_positions:
            t = args[i]
            if isinstance(t, Tensor) and t.device != device:
                if t._a.ndim or not t._sig & S.CPU or overload.row.promote is None:
                    raise mixed(overload, args, tensors)
                if i == overload.mutable_position:
                    raise devices_differ(str(t.device), str(device))
                checked[i] = t._to(device)
        for i in overload.list_positions:
            for t in args[i] or ():
                if t is not None and t.device != device:
                    raise mixed(overload, args, tensors)
        return run(overload, tuple(checked))

    return call
