"""The Conjugate and Negative keys: views that say "conjugated" or "negated" and compute nothing.

``conj()`` of a complex tensor, and ``imag`` of a conjugated one, are views of the same memory with
a bit in the signature. Views of such views keep the bit. Any other op gets the numbers themselves:
the keys' kernel computes them for every argument that has a bit, and what an op writes is
conjugated or negated again on the way back. It lies below autograd, so the graph has a node for
``conj`` and none for that copy.

Source: torch aten/src/ATen/native/MathBitsFallback.h.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls

from ..backends.overlap import check_before, is_same_window
from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, INPLACE, Overload
from ..call.overload_entrance import call_again, straight_named
from ..call.specialize import boxed, build
from ..core import functionality_keys
from ..core import signature as S
from ..core.key_sets import key_mask, seen_by_python, tls_state
from ..tensor import Tensor
from ..tensor.construction import share
from ..tensor.resizing import reshaped

_ABOVE = functionality_keys.AUTOGRAD_BLOCK | int(K.ADInplaceOrView)
_BELOW = min(int(K.Conjugate), int(K.Negative)) - 1
_SEEN = int(K.Python)
_BITS = int(K.Conjugate | K.Negative)


def build_lazy_bits(overload: Overload, sig: int, mask: int) -> Call:
    """Resolve the arguments' bits, then call below autograd; views pass them on."""
    looks = overload.shares_memory
    passed = _left_to_kernels(overload, sig) and (looks or mask & _SEEN)  # a handler sees the bits
    exchanges = overload.row.base == "set_"  # memory, not what it holds
    if overload.row.view is not None or exchanges or passed:
        return build(overload, sig, mask & _BELOW)
    return _resolving(overload)


def _left_to_kernels(overload: Overload, sig: int) -> bool:
    """Whether torch leaves these bits to the op's kernels."""
    tags = overload.row.tags
    return "keeps_bits" in tags or ("keeps_conjugates" in tags and not sig & S.NEG)


def bits_call(overload: Overload, sig: int) -> Call | None:
    """Where the keys are excluded, as in a handler: kernels that know the bits heed them still."""
    if key_mask(sig) & (_BITS | _SEEN) or overload.shares_memory:
        return None
    if "heeds_bits" not in overload.row.tags and not _left_to_kernels(overload, sig):
        return None
    return _resolving(overload)


def _resolving(overload: Overload) -> Call:
    """Call with the numbers that the arguments stand for."""
    written: tuple[int, ...] = ()
    if overload.kind != FUNCTIONAL:
        inplace = overload.kind == INPLACE
        written = (overload.mutable_position,) if inplace else tuple(overload.out_positions)

    copies = overload.row.name == "copy_"

    def call(*args: Any) -> Any:
        if copies and _is_itself(overload, args):
            return args[0]
        word = tls.state.get()
        token = tls.state.get()
        try:
            tls.state.set(tls.with_excluded(word, _ABOVE))
            ready = list(args)
            for i in overload.tensor_positions:
                ready[i] = resolved(args[i])
            for i in overload.list_positions:
                if args[i] is not None:
                    ready[i] = type(args[i])([resolved(t) for t in args[i]])
            if any(isinstance(t, Tensor) and t._sig_ & S.LAZY for t in ready):
                # A class made them with the bits: it is asked once.
                tls.state.set(tls.with_excluded(tls.state.get(), _BITS))
            result = call_again(overload, tuple(ready))
            for i in written:
                _write_back(args[i], ready[i])
        finally:
            tls.state.set(token)
        if not written:
            return result
        return args[written[0]] if len(written) == 1 else tuple([args[i] for i in written])

    return call


def _is_itself(overload: Overload, args: tuple[Any, ...]) -> bool:
    """Whether ``copy_`` has nothing to do. Raises RuntimeError for memory that overlaps.

    The copy looks at the memory as it lies there, though it reads other numbers.
    """
    target, source = args[0], args[1]
    raw = without_bits(target)
    if isinstance(source, Tensor):  # the parser takes numbers too
        if not (target._sig_ ^ source._sig_) & S.LAZY and is_same_window(target, source):
            return True
        source = without_bits(source)
    check_before(overload, (raw, source, *args[2:]), raw)
    return False


lazy_bits = boxed(build_lazy_bits)


def without_bits(t: Tensor) -> Tensor:
    """The memory of *t* as it lies there."""
    raw = share(t._a_, t)
    raw._sig_ &= ~S.LAZY
    raw._meta_ = S.STALE
    return raw


def resolved(t: Any) -> Any:
    """*t*, or a copy with the numbers that its bits stand for."""
    if not isinstance(t, Tensor) or not t._sig_ & S.LAZY:
        return t
    if seen_by_python(t._sig_ | tls_state()):
        return straight_named("aten::clone")(t, None)
    raw = without_bits(t)
    numbers = _apply(t._sig_, raw)
    if not t._sig_ & S.STRIDED or numbers.stride() == raw.stride():
        return numbers
    copy = straight_named("aten::empty_like")(raw)
    return straight_named("aten::copy_")(copy, numbers, False)  # torch's is a clone


def _apply(sig: int, t: Tensor) -> Tensor:
    if sig & S.CONJ:
        t = straight_named("aten::_conj_physical")(t)
    if sig & S.NEG:
        t = straight_named("aten::neg")(t)
    return t


def _write_back(target: Tensor, computed: Tensor) -> None:
    if computed is target:
        return
    if target._a_.shape != computed._a_.shape:  # ``out=`` has resized it
        reshaped(target, computed._a_.shape)
    copy = straight_named("aten::copy_")
    copy(without_bits(target), _apply(target._sig_, computed), False)
