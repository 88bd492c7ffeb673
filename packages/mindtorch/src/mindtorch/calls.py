"""A call: signature in, result out.

``run(overload, arguments)`` joins the signatures of the tensor arguments with the thread's state
and looks the joined integer up in the overload's table. What stands there is a plain function
over the arguments, built once per signature: see ``resolution``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from . import signature as S
from .call_arguments import (
    default_backend,
    device_bit,
    number_sig,
)
from .ops import later
from .ops.overload import Overload
from .tensor import Tensor

grad_state = grad_mode.state.get
tls_state = tls.state.get

Call = Callable[..., Any]


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
