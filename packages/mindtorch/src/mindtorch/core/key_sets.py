"""Which dispatch keys a call has: by its signature and by the thread's masks."""

from __future__ import annotations

from collections.abc import Callable

from mindtorch_autograd import grad_mode
from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_dispatch.keys import DENSE_MASK

from . import signature as S

grad_state = grad_mode.state.get
tls_state = tls.state.get
#: States of a thread in which nobody sees which ops run: the usual one, that on other streams, and
#: that in which a composite is noted, whose text leaves out what makes no difference anyway.
UNSEEN = (0, tls.with_extra(0, tls.STREAMED), tls.with_extra(0, tls.TAPED))
#: Of tensors of which somebody may see each op: their class, a transform, autograd.
_WATCHED = (
    S.OF_CLASS | S.BATCHED | S.FUNCTIONAL | S.DUAL | S.FUNCTIONALITIES | S.FREED | S.REQUIRES_GRAD
)

#: Bit of a signature -> the dispatch keys that it brings; backends enter theirs when they come.
OWN_KEYS: dict[int, int] = {
    S.PYTHON: K.Python | K.PythonTLSSnapshot,
    S.CONJ: K.Conjugate,
    S.NEG: K.Negative,
    S.BATCHED: K.FuncTorchBatched,
    S.FUNCTIONAL: K.Functionalize,
}


#: Bit of a signature -> how often a dense backend's key is the functionality's key of it.
FUNCTIONALITY_KEYS: dict[int, int] = {
    S.SPARSE: K.SparseCPU // K.CPU,
    S.SPARSE_CSR: K.SparseCsrCPU // K.CPU,
    S.QUANTIZED: K.QuantizedCPU // K.CPU,
}
#: What of a signature, state included, its keys follow from.
_TELLING = sum(OWN_KEYS) | S.BACKENDS | S.FUNCTIONALITIES | -1 << S.TLS_SHIFT
#: So many are remembered.
_MOST = 4096
_masks: dict[int, int] = {}


def set_own_keys(bit: int, keys: int | None) -> None:
    """Say which keys a backend's *bit* brings; None: it is no backend's any more."""
    if keys is None:
        OWN_KEYS.pop(bit, None)
    else:
        OWN_KEYS[bit] = keys
    _masks.clear()


def is_unwatched(sig: int) -> bool:
    """Whether nobody learns of an op on a tensor of signature *sig* that gives it as it is.

    A composite may then leave the op out, as long as its own result is a new tensor.
    """
    return not sig & _WATCHED and tls_state() in UNSEEN


def own_keys(sig: int) -> int:
    """The dispatch keys that tensors of a signature bring, as torch's ``_dispatch_keys``.

    A functionality stands in place of the dense one; of joined signatures, too, since it is higher.
    """
    mask = 0
    for bit, keys in OWN_KEYS.items():
        if sig & bit:
            mask |= keys
    if sig & S.FUNCTIONALITIES:
        dense = mask & DENSE_MASK
        mask &= ~DENSE_MASK
        for bit, times in FUNCTIONALITY_KEYS.items():
            if sig & bit:
                mask |= dense * times
    return mask


def key_mask(sig: int) -> int:
    """The dispatch keys of a signature, the thread's masks applied."""
    bits = sig & _TELLING
    mask = _masks.get(bits)
    if mask is None:
        included, excluded = tls.masks(bits)
        if len(_masks) >= _MOST:
            _masks.clear()
        mask = _masks[bits] = int((own_keys(sig) | included) & ~excluded)
    return mask


class _Reaches(dict[int, bool]):
    """signature, state included -> whether operators of it come to one of some keys."""

    def __init__(self, keys: int) -> None:
        self.keys_ = keys

    def __missing__(self, sig: int) -> bool:
        found = self[sig] = bool(key_mask(sig) & self.keys_)
        return found


#: Whether a dispatch mode or a subclass sees operators of a signature, state included.
seen_by_python: Callable[[int], bool] = _Reaches(K.Python).__getitem__
#: Whether those do, or a mode that sees operators before autograd.
seen_by_modes: Callable[[int], bool] = _Reaches(K.Python | K.PreDispatch).__getitem__
#: Whether those, or functionalization, do.
seen_as_operators: Callable[[int], bool] = _Reaches(
    K.Python | K.PreDispatch | K.Functionalize
).__getitem__
