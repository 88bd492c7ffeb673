"""What stands in an op's call table: built when a signature first comes.

The dispatcher is asked for the kernel of the highest key; each functionality key (autograd,
in-place-or-view, pipeline, …) has one *builder* that wraps the function built for the keys below
it. Registering or removing a kernel empties the tables, so the shortcut can never disagree with the
dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Hop, call_hop, tls
from mindtorch_dispatch.keys import autograd_keys_of_backends

from ..core import signature as S
from ..core.key_sets import grad_state, key_mask, tls_state
from ..tensor.pending import flush_current
from .argument_preparation import moving, refreshing, settling, up_to_date
from .arguments import full_arguments, split_keywords, tensors_of
from .determinism import deterministic_call
from .determinism import state as determinism
from .device_mismatch import WHOLE
from .dispatch_entry import OVERLOADS, Call, signature
from .overload import Overload

Builder = Callable[[Overload, int, int], Call]

#: Kernel function -> builder: the kernels that know how to specialise themselves.
BUILDERS: dict[Any, Builder] = {}


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


def _tracing() -> Any:
    from ..functionality import tracing  # not before somebody traces

    return tracing


def _freed_call() -> Any:
    from ..functionality.freed import freed_call  # few programs come here

    return freed_call


def resolve(overload: Overload, sig: int) -> Call:
    """The function that serves calls of this signature."""
    if overload.row.name in determinism.concerned:
        return deterministic_call(overload, _resolve(overload, sig))
    return _resolve(overload, sig)


def _resolve(overload: Overload, sig: int) -> Call:
    """The same, where determinism has nothing to say."""
    more = tls.extra(sig)
    if more & tls.TRACED:
        return _tracing().traced_call(overload, sig)
    recorded = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    if recorded and more & tls.STREAMED and sig & S.NPU:
        from ..functionality.streamed import streamed_call  # not before streams are used

        return streamed_call(overload, sig)
    return resolve_call(overload, sig)


def resolve_call(overload: Overload, sig: int) -> Call:
    """The same, for a thread that is not traced or whose trace knows of the call."""
    if tls.extra(sig) & tls.TRANSFORMED:
        from ..functionality.captures import capturing_call  # not before something is transformed

        return capturing_call(overload, sig)
    return resolve_own(overload, sig)


def resolve_own(overload: Overload, sig: int) -> Call:
    """The same, where nothing can be captured."""
    if sig & (S.INFERENCE | grad_mode.INFERENCE):
        from ..functionality.inference import inference_call  # few programs come here

        return inference_call(overload, sig)
    return resolve_tracked(overload, sig)


def resolve_tracked(overload: Overload, sig: int) -> Call:
    """The same, where inference mode has nothing to say."""
    if sig & S.COW:
        from ..functionality.copy_on_write import copy_on_write_call  # few programs come here

        return copy_on_write_call(overload, sig)
    if sig & S.DUAL and not sig & S.BATCHED:
        from ..functionality.forward_mode import dual_call  # not before there are tangents

        return dual_call(overload, sig)
    mask = key_mask(sig)
    if sig & S.FREED:
        return _freed_call()(overload, mask, overload.table[sig & ~S.FREED])
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
        # A mode sees a copy as it was asked for, and it moves below the mode.
        seen = mask & K.Python and row.name == "copy_" and not sig & S.REQUIRES_GRAD
        if not seen and (
            row.composite is None or row.name in WHOLE
        ):  # else the ops inside find out
            return moving(overload)
    return build(overload, sig, mask)


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


def build(overload: Overload, sig: int, mask: int) -> Call:
    """The function for *sig* from the highest key of *mask* downwards."""
    hop = overload.operator.hop(mask)
    if tls.extra(sig) & tls.TRACED:
        return _tracing().traced_kernel(overload, sig, mask, hop)
    return build_hop(overload, sig, mask, hop)


def build_hop(overload: Overload, sig: int, mask: int, hop: Hop) -> Call:
    """The function for *sig* of the kernel at one key."""
    if overload.mixes_devices:
        call = overload.special(hop, sig, mask)
        if call is not None:
            return call
    builder = BUILDERS.get(hop.kernel.fn)  # hop() finds one or raises
    if builder is not None:
        return builder(overload, sig, mask)
    return foreign(overload, hop, mask)


def foreign(overload: Overload, hop: Hop, mask: int) -> Call:
    """A call of a kernel that somebody else registered."""
    from .._library.results import result_converter  # few programs register kernels

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
            call = BUILDERS[kernel](overload, sig & ~S.FREED, mask)
            if sig & S.FREED:
                call = _freed_call()(overload, mask, call)
            operator.remember(overload.table, key, call, version)
        return call(*full)

    kernel.__name__ = builder_kernel.__name__.removeprefix("build_")
    kernel.__doc__ = builder_kernel.__doc__
    kernel.__module__ = builder_kernel.__module__
    kernel.__wrapped__ = builder_kernel
    BUILDERS[kernel] = builder_kernel
    return kernel
