"""Interned metas: all that a call may depend on but numbers, as one object per look of a tensor.

Two tensors of the same signature, sizes, strides and device have the *same* :class:`TensorMeta`,
so the metas of the arguments are the key under which a call finds its plan (see
``call.entrance``): a look-up by address stands for comparing dtypes, devices, flags, sizes and
strides. A tensor keeps its meta in the slot ``_meta_``, filled when it is first asked for; who
changes ``_sig_`` or ``_a_`` of a tensor that others may have seen sets the slot to
:data:`~mindtorch.core.signature.STALE`.

Not in a meta: storage offset, version, stream, level of a transform.
"""

from __future__ import annotations

from typing import Any, Final

from ..core import signature as S

__all__ = ["METAS", "TensorMeta", "meta_of"]

#: So many metas are interned; then the table is begun anew. Tensors keep theirs: two metas of one
#: look may exist then, which costs a look-up that misses, and no more.
_MOST: Final = 1 << 16
#: Tensors whose class or level answers for them: what a call does with them is never stored.
UNSTORED: Final = S.OF_CLASS | S.BATCHED | S.FUNCTIONAL | S.DUAL | S.FUNCTIONALITIES
#: Where the device follows from the signature.
_PLACED: Final = S.CPU | S.META


class TensorMeta:
    """The look of a tensor: signature, sizes, byte strides, device.

    ``recorded`` is the same with ``REQUIRES_GRAD``: of the results of calls that are recorded;
    ``alone`` is the same without it, and no view: of what is saved of such a result.
    """

    __slots__ = ("_alone", "_recorded", "device", "shape", "sig", "strides")

    def __init__(self, sig: int, shape: tuple[int, ...], strides: Any, device: Any) -> None:
        self.sig = sig
        self.shape = shape
        self.strides = strides
        self.device = device
        self._recorded: TensorMeta | None = None
        self._alone: TensorMeta | None = None

    @property
    def recorded(self) -> TensorMeta:
        """The meta of a tensor that looks the same and requires grad."""
        found = self._recorded
        if found is None:
            sig = self.sig | S.REQUIRES_GRAD
            found = self._recorded = intern(sig, self.shape, self.strides, self.device)
        return found

    @property
    def alone(self) -> TensorMeta:
        """The meta of a tensor that looks the same, requires no grad and is no view."""
        found = self._alone
        if found is None:
            sig = self.sig & ~(S.REQUIRES_GRAD | S.VIEWS)
            found = self._alone = intern(sig, self.shape, self.strides, self.device)
        return found

    def __repr__(self) -> str:
        return f"<TensorMeta {self.shape} {S.describe(self.sig)}>"


#: Every meta by what it says.
METAS: dict[tuple[Any, ...], TensorMeta] = {}


def intern(sig: int, shape: tuple[int, ...], strides: tuple[int, ...], device: Any) -> TensorMeta:
    """The one meta of this look."""
    key = (sig, shape, strides, device)
    return METAS.get(key) or _interned(key)


def _interned(key: tuple[Any, ...]) -> TensorMeta:
    """The meta of a look that is new; threads that ask at the same time get the same one."""
    if len(METAS) >= _MOST:
        METAS.clear()
    return METAS.setdefault(key, TensorMeta(*key))


def meta_of(t: Any) -> TensorMeta | None:
    """The meta of a tensor, kept in its slot; None where its class or level answers for it."""
    sig = t._sig_
    if sig & UNSTORED:
        return None
    a = t._a_
    key = (sig, a.shape, a.strides, None if sig & _PLACED else t.device)
    found = t._meta_ = METAS.get(key) or _interned(key)
    return found
