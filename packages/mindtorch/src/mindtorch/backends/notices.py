"""What a call warns of besides its work: each time, whatever was remembered of it.

Metas are asked once per layout and kernels may run later, on another thread. So these warnings are
given by a function around the call, which stands only where there is something to warn of.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_storage import complex32

from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, INPLACE, OUT, Overload
from ..core import signature as S
from ..core.warning import trial, warn_complex_half, warn_discarded
from ..tensor import Tensor
from .outputs import functional_arguments, functional_of

__all__ = ["loses", "noticing"]


def noticing(overload: Overload, sig: int, call: Call) -> Call:
    """*call*, with the warnings of its row before it, and that of complex numbers made real."""
    row = overload.row
    warns = row.warns
    if (
        warns is not None
        and (not row.warns_of or _has_dtypes(sig, row.warns_of))
        and (overload.kind != OUT or row.out_meta is None)
        and not (overload.kind == INPLACE and "warns_when_fresh" in row.tags)
    ):
        call = _warning(overload, warns, call)
    if sig & _COMPLEX_HALF and row.view is None and not overload.composed:
        call = _warning_of_half(call)
    if sig & (S.COMPLEX | S.NUMBER_COMPLEX) or row.name in ("eq.Scalar", "ne.Scalar"):
        found = _discarding(overload)
        if found is not None:
            return _told(overload, found, call)
    return call


def _has_dtypes(sig: int, names: Iterable[str]) -> bool:
    found = [*S.dtypes_in(sig, S.DIM_SHIFT), *S.dtypes_in(sig, S.ZERO_SHIFT)]
    return any(d.name in names for d in found)


def _warning(overload: Overload, warns: Any, call: Call) -> Call:
    if overload.kind != OUT:

        def warning(*args: Any) -> Any:
            warns(*args)
            return call(*args)

        return _with_known_layouts(warning, call, lambda args: _says(warns, args))
    functional = functional_of(overload)

    def warning_out(*args: Any) -> Any:
        warns(*functional_arguments(overload, functional, args))
        return call(*args)

    return _with_known_layouts(
        warning_out,
        call,
        lambda args: _says(warns, functional_arguments(overload, functional, args)),
    )


def _with_known_layouts(
    around: Call, call: Call, speaks: Callable[[tuple[Any, ...]], bool]
) -> Call:
    """*around* with what *call* knows of layouts, where that is all there is to do.

    What is warned of follows from layouts and numbers in place of Scalars, so a layout of which
    nothing is said stays without a word until another number comes.
    """
    for name in ("prepare", "into", "target"):
        prepare = getattr(call, name, None)
        if prepare is not None:
            setattr(around, name, _where_silent(prepare, speaks, fresh=name == "prepare"))
    return around


def _where_silent(
    prepare: Callable[[tuple[Any, ...]], Any],
    speaks: Callable[[tuple[Any, ...]], bool],
    fresh: bool,
) -> Callable[[tuple[Any, ...]], Any]:
    """*prepare* where nothing is said; of other numbers *speaks* is asked again.

    :param fresh: whether it gives kernels of fresh results.
    """

    def known(args: tuple[Any, ...]) -> Any:
        made = None if speaks(args) else prepare(args)
        if not made:
            return made
        made = made._replace(any_scalar=False)
        if not fresh or made.again is None:
            return made
        again = made.again
        return made._replace(again=lambda args: None if speaks(args) else again(args))

    return known


class _Said(Exception):
    """In place of a warning."""


def _says(warns: Callable[..., object], args: tuple[Any, ...]) -> bool:
    """Whether *warns* has something to say of these arguments."""
    token = trial.set(_Said)
    try:
        warns(*args)
    except _Said:
        return True
    finally:
        trial.reset(token)
    return False


def _warning_of_half(call: Call) -> Call:
    def warning(*args: Any) -> Any:
        warn_complex_half()
        return call(*args)

    return warning


def _told(overload: Overload, discards: Any, call: Call) -> Call:
    def telling(*args: Any) -> Any:
        result = call(*args)
        if discards(*args):
            warn_discarded()
        return result

    return _with_known_layouts(telling, call, lambda args: bool(discards(*args)))


def loses(t: Any, dtype: Any) -> bool:
    """Whether there are imaginary parts in *t* that *dtype* has no place for. True is none."""
    if dtype is None or dtype.is_complex or dtype.name == "bool":
        return False
    return bool(t.dtype.is_complex and t._a_.size) if isinstance(t, Tensor) else type(t) is complex


def _discarding(overload: Overload) -> Any:
    """A function of all arguments of *overload*: whether they lose imaginary parts; or None."""
    row = overload.row
    if overload.base in ("copy_", "fill", "fill_"):
        return lambda self, value, *rest: self._a_.size and loses(value, self.dtype)
    if row.base in _COMPARED and overload.kind != FUNCTIONAL:
        # torch compares into a temporary of the common dtype, which is then copied.
        overload.analyse()
        to = overload.out_positions[0] if overload.kind == OUT else overload.mutable_position
        inputs = range(overload.arity - len(overload.out_positions))

        def compared(*args: Any) -> bool:
            dtype, size = args[to].dtype, args[to]._a_.size
            if dtype.is_complex or dtype.name == "bool" or not size:
                return False
            return any(_is_complex(args[i]) for i in inputs)

        return compared
    functional = functional_of(overload)
    if overload.kind == OUT and row.name in _AS_TARGET:
        return lambda self, *args: loses(self, args[-1].dtype)
    if row.composite is not None or row.base.endswith("_like") or row.base.startswith("new_"):
        return None  # the ops inside say it; others take no numbers
    if "ScalarType? dtype" not in functional.schema_text or "self" not in functional.names:
        return None
    own, dtype = functional.names.index("self"), functional.names.index("dtype")
    if overload.kind != OUT:
        return lambda *args: loses(args[own], args[dtype])

    def written(*args: Any) -> bool:
        given = functional_arguments(overload, functional, args)
        return loses(given[own], given[dtype])

    return written


_COMPLEX_HALF = sum(S.dtype_bits(complex32))


def _is_complex(value: Any) -> bool:
    return value.dtype.is_complex if isinstance(value, Tensor) else isinstance(value, complex)


#: What is computed in the dtype of ``out``, and casts the numbers to it first.
_AS_TARGET = frozenset(("logsumexp", "mean", "mean.dim"))
#: Those that take complex numbers.
_COMPARED = frozenset(("eq", "ne", "logical_and", "logical_or", "logical_xor"))
