"""What stands in an op's call table: built when a signature first comes.

The dispatcher is asked for the kernel of the highest key; each functionality key (autograd,
in-place-or-view, pipeline, …) has one *builder* that wraps the function built for the keys below
it. Registering or removing a kernel empties the tables, so the shortcut can never disagree with the
dispatcher.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final, NamedTuple

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import Hop, call_hop, tls
from mindtorch_dispatch.keys import autograd_keys_of_backends

from ..core import signature as S
from ..core.key_sets import grad_state, key_mask, tls_state
from ..core.late_bound import LateBound
from ..tensor.pending import flush_current
from .arguments import full_arguments, split_keywords, tensors_of
from .determinism import deterministic_call, is_concerned
from .determinism import state as determinism
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
        call = specialize(self.overload, sig)
        operator.remember(self, sig, call, version)  # unless a registration came in between
        return call


# What a step does is defined in the layer of its subject, which is loaded when it first comes up.
taped_call = LateBound("taped_call")
traced_call = LateBound("traced_call")
traced_kernel = LateBound("traced_kernel")
streamed_call = LateBound("streamed_call")
whole_call = LateBound("whole_call")
capturing_call = LateBound("capturing_call")
inference_call = LateBound("inference_call")
copy_on_write_call = LateBound("copy_on_write_call")
bits_call = LateBound("bits_call")
dual_call = LateBound("dual_call")
freed_call = LateBound("freed_call")
settling = LateBound("settling")
refreshing = LateBound("refreshing")
moving = LateBound("moving")
up_to_date = LateBound("up_to_date")
result_converter = LateBound("result_converter")


def _classes(overload: Overload, sig: int) -> Call | None:
    return whole_call(overload, sig) if sig & S.ASKS_SIZES else None


def _taping(overload: Overload, sig: int) -> Call | None:
    return taped_call(overload, sig) if tls.extra(sig) & tls.TAPED else None


def _determinism(overload: Overload, sig: int) -> Call | None:
    if not determinism.enabled or not is_concerned(overload):
        return None
    return deterministic_call(overload, specialize(overload, sig, after="determinism"))


def _tracing(overload: Overload, sig: int) -> Call | None:
    return traced_call(overload, sig) if tls.extra(sig) & tls.TRACED else None


def _streams(overload: Overload, sig: int) -> Call | None:
    recorded = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED and sig & S.STREAMED
    return streamed_call(overload, sig) if recorded and tls.extra(sig) & tls.STREAMED else None


def _transforms(overload: Overload, sig: int) -> Call | None:
    return capturing_call(overload, sig) if tls.extra(sig) & tls.TRANSFORMED else None


def _inference(overload: Overload, sig: int) -> Call | None:
    return inference_call(overload, sig) if sig & (S.INFERENCE | grad_mode.INFERENCE) else None


def _copy_on_write(overload: Overload, sig: int) -> Call | None:
    return copy_on_write_call(overload, sig) if sig & S.COW else None


def _tangents(overload: Overload, sig: int) -> Call | None:
    return dual_call(overload, sig) if sig & S.DUAL and not sig & S.BATCHED else None


def _bits(overload: Overload, sig: int) -> Call | None:
    return bits_call(overload, sig) if sig & S.LAZY else None


def _freed(overload: Overload, sig: int) -> Call | None:
    if not sig & S.FREED:
        return None
    return freed_call(overload, key_mask(sig), overload.table[sig & ~S.FREED])


def _pipeline(overload: Overload, sig: int) -> Call | None:
    if key_mask(sig) & K.Pipeline:
        return None
    if tls.masks(sig >> S.TLS_SHIFT << S.TLS_SHIFT)[0] & K.Pipeline:
        return overtaking(overload)
    return settling(overload) if sig & S.PENDING else None


def _views(overload: Overload, sig: int) -> Call | None:
    if not sig & S.VIEW:
        return None
    return (
        refreshing(overload, sig)
        if sig & grad_mode.GRAD_ENABLED
        else overload.table[sig & ~S.VIEWS]
    )


def _devices(overload: Overload, sig: int) -> Call | None:
    backends = sig & S.BACKENDS
    if not backends & (backends - 1) or overload.mixes_devices:
        return None
    row = overload.row
    if key_mask(sig) & K.Python:
        return None  # a mode or a class sees the call as it was asked for
    if overload.composed_on(sig) and row.composite is not None and not row.devices.first:
        return None  # the ops inside find out
    return moving(overload)


class Step(NamedTuple):
    """What a call may need before its kernel."""

    #: Bits of a signature, state included, without which it is not needed.
    bits: int
    #: Looks at the signature and the state of the thread in it; gives the call that does what is
    #: needed, or None.
    build: Callable[[Overload, int], Call | None]


_ANY: Final = -1
_STATE: Final = -1 << S.TLS_SHIFT
#: What a signature may need before its kernel, outermost first.
STEPS: dict[str, Step] = {
    "classes": Step(S.ASKS_SIZES, _classes),
    "taping": Step(_STATE, _taping),
    "determinism": Step(_ANY, _determinism),
    "tracing": Step(_STATE, _tracing),
    "streams": Step(S.STREAMED, _streams),
    "transforms": Step(_STATE, _transforms),
    "inference": Step(S.INFERENCE | grad_mode.INFERENCE, _inference),
    "copy_on_write": Step(S.COW, _copy_on_write),
    "tangents": Step(S.DUAL, _tangents),
    "bits": Step(S.LAZY, _bits),
    "freed": Step(S.FREED, _freed),
    "pipeline": Step(_STATE | S.PENDING, _pipeline),
    "views": Step(S.VIEW, _views),
    "devices": Step(S.BACKENDS, _devices),
}
_ORDER: Final = tuple(STEPS)
#: The bits that decide which steps are needed.
_DECIDING: Final = reduce(or_, [step.bits for step in STEPS.values() if step.bits != _ANY])


@lru_cache(4096)
def _needed(bits: int, after: str | None) -> tuple[Callable[[Overload, int], Call | None], ...]:
    """The builders of the steps below *after* that a signature with these bits may need."""
    below = _ORDER if after is None else _ORDER[_ORDER.index(after) + 1 :]
    return tuple([STEPS[n].build for n in below if STEPS[n].bits == _ANY or STEPS[n].bits & bits])


def specialize(overload: Overload, sig: int, after: str | None = None) -> Call:
    """The function that serves calls of this signature.

    :param after: the step that calls, of which those below it are left.
    """
    call = stepping(overload, sig, after)
    return build(overload, sig, key_mask(sig)) if call is None else call


def stepping(overload: Overload, sig: int, after: str | None = None) -> Call | None:
    """The call that does what is to be done before the kernel; None where nothing is."""
    for build_step in _needed(sig & _DECIDING, after):
        call = build_step(overload, sig)
        if call is not None:
            return call
    return None


def overtaking(overload: Overload) -> Call:
    """In a pipeline whose key is excluded: the call runs now, after what was recorded before."""

    def call(*args: Any) -> Any:
        flush_current()
        for t in tensors_of(overload, args):
            if t._sig_ & S.PENDING:
                t._settle_()
        sig = up_to_date(overload, args)
        key = (sig, "now")
        inner = overload.table.get(key)
        if inner is None:
            version = overload.operator.version
            inner = specialize(overload, sig, after="pipeline")
            overload.operator.remember(overload.table, key, inner, version)
        return inner(*args)

    return call


def build(overload: Overload, sig: int, mask: int) -> Call:
    """The function for *sig* from the highest key of *mask* downwards."""
    operator = overload.operator
    if sig >> S.TLS_SHIFT and tls.extra(sig) & tls.TRACED:
        return traced_kernel(overload, sig, mask, operator.hop(mask))
    builder = BUILDERS.get(operator.shared_kernel(mask))
    if builder is not None:
        return builder(overload, sig, mask)
    return build_hop(overload, sig, mask, operator.hop(mask))


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
                if t._sig_ & S.PENDING:
                    t._settle_()
            sig &= ~S.PENDING
        key = (sig, mask)
        call = overload.table.get(key)
        if call is None:
            version = operator.version
            call = BUILDERS[kernel](overload, sig & ~S.FREED, mask)
            if sig & S.FREED:
                call = freed_call(overload, mask, call)
            operator.remember(overload.table, key, call, version)
        return call(*full)

    kernel.__name__ = builder_kernel.__name__.removeprefix("build_")
    kernel.__doc__ = builder_kernel.__doc__
    kernel.__module__ = builder_kernel.__module__
    kernel.__wrapped__ = builder_kernel
    BUILDERS[kernel] = builder_kernel
    return kernel
