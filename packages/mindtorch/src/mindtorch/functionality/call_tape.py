"""What Python code does with operands of known layouts, noted while it runs.

A gradient formula and an op that others make up are Python: they ask shapes, take branches, call
ops. None of that depends on more than the layouts of what they are given and on plain values. So
the code runs once with :class:`Seen` tensors, which answer for their layout alone; each op that it
comes to is called with the real tensors and noted as a look into the op's table with the signature
that stood there. The text of those looks is the code for all operands of these layouts.

Where the code drops a value, the text drops it, too: so memory is given back in the same order,
whether the code runs or its text.

Whatever asks a :class:`Seen` tensor for its numbers, whatever draws, warns, changes what was given
or is made past the ops ends the attempt (:class:`Untraceable`): the code goes on being called.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from contextvars import ContextVar
from functools import partial
from typing import Any, Final

import numpy as np
from mindtorch_autograd import grad_mode
from mindtorch_dispatch import tls
from mindtorch_storage import Device

from ..call.arguments import written_by, written_names
from ..call.bound import call_of_layout
from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, IMPLICIT, Overload
from ..call.row import Out
from ..call.specialize import specialize
from ..call.view_text import quick_window
from ..core import signature as S
from ..core.backend_registry import BACKENDS, complete
from ..core.size import Size
from ..core.warning import trial
from ..tensor import Tensor
from ..tensor.array_memory import address
from ..tensor.interning import meta_of
from ..tensor.tensor_impl import ApartAlias, State, add_viewer, alias_of
from ..tensor.view_marks import mark_view
from .array_calls import all_built, array_call, fits, host_plan
from .stand_in import ODD, Noted, Seen, Untraceable, seen
from .straight_line import StraightLineCode

__all__ = ["Tape", "taped_call"]


#: Ops whose results have what shape their operands' numbers say.
_BY_NUMBERS = frozenset(("data_dependent_output", "dynamic_output_shape"))
#: Views of one call are made one by one up to this many.
_MANY = 8
#: Results of code that are no tensors: layouts say all of them.
_PLAIN_RESULTS = frozenset((bool, int, float, str, Size))
#: Constants of up to so many elements are kept.
_SMALL = 4096
#: What all texts may name.
_NAMES: Final[dict[str, Any]] = {
    "ApartAlias": ApartAlias,
    "Tensor": Tensor,
    "add_viewer": add_viewer,
    "alias_of": alias_of,
    "asarray": np.asarray,
    "mark_view": mark_view,
    "ndarray": np.ndarray,
    "new": object.__new__,
}

#: Arguments of more bytes are not computed with once more, for Python costs little there; views of
#: them are made.
_MUCH: Final = 1 << 17

_tape: ContextVar[Tape | None] = ContextVar("mindtorch_call_tape", default=None)
_TAPED = tls.with_extra(0, tls.TAPED)


class Tape(StraightLineCode):
    """The text of one run of Python code.

    :param grad: the grad mode that it runs in, as ``core.key_sets.grad_state`` says it.
    """

    def __init__(self, grad: int = 0) -> None:
        super().__init__(_NAMES)
        self._grad = grad
        #: The arrays of what the code was given, and the accelerators that they lie on.
        self._given: list[Any] = []
        self._devices: set[Device] = set()

    def follow(self, code: Callable[..., Any], *args: Any) -> Any:
        """``code(*args)``, with the ops that it calls noted.

        They run on the tensors that were given; on devices aside of what these do.
        """
        with ExitStack() as blocks:
            for device in self._devices:
                aside = BACKENDS[device.type].aside
                block = None if aside is None else aside(device)
                if block is None:
                    raise Untraceable(device)
                blocks.enter_context(block)
            token, silence = _tape.set(self), trial.set(Untraceable)
            try:
                tls.state.set(_TAPED)
                return code(*args)
            finally:
                tls.state.set(0)
                trial.reset(silence)
                _tape.reset(token)

    def given(self, real: Tensor, tensor: str, array: str = "") -> Seen:
        """What stands for *real*, which the code is given under these texts."""
        self._given.append(real._a_)
        if real._sig_ & S.ACCELERATORS:
            self._devices.add(real.device)
        return self.stand_in(real, tensor, array)

    def stand_in(
        self,
        real: Tensor,
        tensor: str,
        array: str = "",
        as_tensor: Callable[[], str] | None = None,
        origin: Noted | None = None,
    ) -> Seen:
        """What stands for *real*, which has these texts.

        The same tensor in two places gets two: in another run it may be two tensors.
        """
        if real._sig_ & ODD:
            raise Untraceable
        return seen(Noted(real, tensor, array, as_tensor, origin, self.lines))

    def tensor(self, noted: Noted) -> str:
        """The text of a value as a tensor."""
        if not noted.tensor:
            if noted.as_tensor is not None:
                noted.tensor = noted.as_tensor()
            else:
                noted.tensor = self._fresh(noted.real, noted.array)
        return noted.tensor

    def _fresh(self, real: Tensor, array: str) -> str:
        """The text of a tensor over an *array* that nobody else has."""
        t = self.name("t")
        for text in (
            f"{t} = new(Tensor)",
            f"{t}._a_ = {array}",
            f"{t}._sig_ = {self.cell('s', real._sig_)}",
            f"{t}._meta_ = {self.cell('m', meta_of(real))}",
            f"{t}._shared_ = {t}._edge_ = {t}._state_ = None",
        ):
            self.lines.append((t, text))
        return t

    def array(self, noted: Noted) -> str:
        """The text of a value as an array."""
        if not noted.array:
            noted.array = f"{noted.tensor}._a_"
        return noted.array

    def result(self, value: Any) -> str:
        """The text of what the code gave, for as long as the caller has that."""
        if value is None or type(value) in _PLAIN_RESULTS:
            return self.constant(value)
        if type(value) is Seen:
            return self.tensor(value._noted)
        if type(value) is tuple:
            return f"({', '.join(map(self.result, value))},)"
        if type(value) is list:
            return f"[{', '.join(map(self.result, value))}]"
        raise Untraceable(type(value))

    # -- ops -----------------------------------------------------------------------------------

    def call(self, overload: Overload, sig: int, args: tuple[Any, ...]) -> Any:
        """Call *overload*, in whose table *sig* was looked up, and note that."""
        row = overload.row
        if sig & S.GRAD_STATE != self._grad or row.random:
            raise Untraceable(overload.name)
        if overload.device_position >= 0 and args[overload.device_position] is None:
            if not any(type(a) is Seen for a in args):  # made on the default device
                raise Untraceable(overload.name)
        if sig & S.ACCELERATORS and overload.device_position >= 0:
            asked = args[overload.device_position]
            if asked is not None and complete(asked) not in self._devices:
                raise Untraceable(overload.name)
        real = tuple([_real(a) for a in args])
        if self._changes_given(overload, real):
            raise Untraceable(overload.name)
        if row.view is row.apart is None and _bytes_of(real) > _MUCH:
            raise Untraceable(overload.name)
        if not _BY_NUMBERS.isdisjoint(row.tags) and (row.infer is None or not row.infer(*real)):
            raise Untraceable(overload.name)
        plain = sig & S.OWN
        if plain != sig or not sig & S.REQUIRES_GRAD:  # nothing is recorded, as below autograd
            plain &= ~S.GRAD_STATE
        word = tls.state.get()
        tls.state.set(_untaped(word))
        try:
            found = overload.table[sig]
            arrays = [(t, t._a_) for t in real if isinstance(t, Tensor)]
            result = found(*real)
            known = next((a for a, r in zip(args, real, strict=True) if r is result), None)
            if known is not None:  # changed in place
                if sig & S.REQUIRES_GRAD or any(a is not t._a_ for t, a in arrays):
                    raise Untraceable(overload.name)
                self.lines.append(("", self._called(overload, sig, args, result)[0]))
                return known
            made = self._in_arrays(overload, plain, args, real, result)
            if made is None:
                made = self._windows(overload, sig, plain, args, result)
            return self._in_tensors(overload, sig, args, result) if made is None else made
        finally:
            tls.state.set(word)

    def _changes_given(self, overload: Overload, args: tuple[Any, ...]) -> bool:
        """Whether a call writes into memory that the code was given."""
        if "!" not in overload.schema_text and not written_names(overload.row):
            return False
        arguments = zip(overload.schema.arguments, args, strict=True)
        said = [value for argument, value in arguments if argument.is_write]
        written = [*said, *written_by(overload)(args)]
        return any(isinstance(value, Tensor) and self._is_given(value) for value in written)

    def _is_given(self, t: Tensor) -> bool:
        return any(np.may_share_memory(t._a_, a) for a in self._given)

    def _in_tensors(self, overload: Overload, sig: int, args: tuple[Any, ...], result: Any) -> Any:
        """The call as it was made: of tensors."""
        text, known = self._called(overload, sig, args, result)
        if result is None:
            self.lines.append(("", text))  # a check
            return None
        alone = isinstance(result, Tensor)
        if not alone and type(result) not in (tuple, list):
            raise Untraceable(overload.name)
        made = [result] if alone else result
        pure = overload.kind == FUNCTIONAL
        names = self.values("t", text, result)
        if not pure:
            self.lines[-1] = ("", self.lines[-1][1])  # what it writes is needed
        elif not known:
            for t, r in zip(names, made, strict=True):
                if r is not None:
                    self.lines.append((t, f"{t}._meta_ = {self.cell('m', meta_of(r))}"))
        seen = [
            None if r is None else self.stand_in(r, t) for t, r in zip(names, made, strict=True)
        ]
        return seen[0] if alone else type(result)(seen)

    def _called(
        self, overload: Overload, sig: int, args: tuple[Any, ...], result: Any
    ) -> tuple[str, bool]:
        """The text of the call, and whether the layout of its result is known in it."""
        real = tuple([_real(a) for a in args])
        known = None if result is None else call_of_layout(overload, sig, real, result)
        given = ", ".join(map(self._argument, args))
        if known is not None:
            return f"{self.cell('f', known)}({given})", True
        return f"{self.cell('T', overload.table)}[{self.cell('s', sig)}]({given})", False

    def _argument(self, value: Any) -> str:
        if type(value) is Seen:
            return self.tensor(value._noted)
        if type(value) in (tuple, list) and any(type(v) is Seen for v in value):
            items = "".join(f"{self._argument(v)}, " for v in value)
            return f"({items})" if type(value) is tuple else f"[{items}]"
        return self.constant(value)

    def _in_arrays(
        self,
        overload: Overload,
        sig: int,
        args: tuple[Any, ...],
        real: tuple[Any, ...],
        result: Any,
    ) -> Any:
        """The call as the function of arrays that its row computes with, where that is all."""
        made = array_call(overload, sig, real)
        if made is None:
            return None
        if overload.row.warns is not None:
            given = ", ".join(map(self._argument, args))
            self.lines.append(("", f"{self.cell('w', overload.row.warns)}({given})"))
        texts = []
        for place, value in zip(made.places, made.values, strict=True):
            given = args[place]
            if type(given) is Seen:
                text = self.array(given._noted)
                cast = made.casts.get(place)
                texts.append(text if cast is None else f"{text}.astype({self.cell('k', cast)})")
            elif type(given) in (tuple, list) and any(type(g) is Seen for g in given):
                texts.append(f"[{''.join(f'{self._array_or_none(g)}, ' for g in given)}]")
            else:
                texts.append(self.constant(value))
        text = f"{self.cell('r', made.run)}({', '.join(texts)})"
        value = made.run(*made.values)
        if type(made.outs) is Out:
            if type(value) is np.ndarray and value.size <= _SMALL and not _has_seen(args):
                text = f"{self.cell('k', value)}.copy('K')"  # the same each time
            if type(value) is not np.ndarray:
                value, text = np.asarray(value), f"asarray({text})"
            if not fits(value, made.outs, result):
                return None
            return self.stand_in(result, "", self.put(self.name("a"), text))
        if not all(
            r is None or fits(v, o, r) for v, o, r in zip(value, made.outs, result, strict=True)
        ):
            return None
        names = self.values("a", text, result)
        pairs = zip(names, result, strict=True)
        return tuple([None if r is None else self.stand_in(r, "", a) for a, r in pairs])

    def _array_or_none(self, value: Any) -> str:
        return "None" if value is None else self.array(value._noted)

    def _windows(
        self, overload: Overload, sig: int, plain: int, args: tuple[Any, ...], result: Any
    ) -> Any:
        """The call as windows on the memory of an array, if it is that and has no history."""
        base, row = args[0] if args else None, overload.row
        if row.view is row.apart is None or "of_storage" in row.tags or type(base) is not Seen:
            return None
        if host_plan(overload, plain) is None:
            return None
        made = result if type(result) in (tuple, list) else (result,)
        if len(made) > _MANY:
            return None
        found: list[Any] = []
        calls: list[str] = []

        def call(number: int) -> str:
            """The text of what the call itself makes, which knows how to make it again."""
            if not calls:
                text, _ = self._called(overload, sig, args, result)
                calls[:] = self.values("t", text, result)
            return calls[number]

        for r in made:
            a = r._a_
            if r._sig_ & S.LAZY or not a.size:
                return None
            text, origin = self._window(base._noted, a)
            if not text:
                return None
            array = self.put(self.name("a"), text)
            if type(r._state_) is State:
                as_tensor = partial(call, len(found))
            else:
                as_tensor = partial(self._view, base._noted, r, array)
            found.append(self.stand_in(r, "", array, as_tensor, origin))
        return type(result)(found) if made is result else found[0]

    def _view(self, base: Noted, real: Tensor, array: str) -> str:
        """The text of a view of *base*, or of what is apart in its memory, as a tensor."""
        if type(real._shared_) is ApartAlias and not base.tensor and base.as_tensor is None:
            return self._fresh(real, array)  # no tensor has that memory
        t, whole = self.name("t"), self.tensor(base)
        bits = real._sig_ & S.VIEWS
        state = real._state_
        creation = state[2] if type(state) is tuple else ""
        lines = [
            f"{t} = new(Tensor)",
            f"{t}._a_ = {array}",
            f"{t}._sig_ = {self.cell('s', real._sig_)}",
            f"{t}._shared_ = {whole}._shared_ or alias_of({whole})",
            f"{t}._edge_ = {t}._state_ = None",
            f"if {t}._shared_.viewers is not None: add_viewer({t}._shared_, {t})",
        ]
        if type(real._shared_) is ApartAlias:
            lines.append(f"{t}._shared_ = ApartAlias({t}._shared_)")
        if bits:
            mark = f"mark_view({t}, {whole}, {bits}, {creation!r})"
            version = self.name("v")
            special = bool(creation) or version
            lines += [
                f"{version} = {t}._shared_.value",
                f"if {whole}._state_ is not None: {mark}",
                f"elif {special}: {t}._state_ = ({whole}, {version}, {creation!r})",
                f"else: {t}._state_ = {whole}",
            ]
        lines.append(f"{t}._meta_ = {self.cell('m', meta_of(real))}")
        self.lines += [(t, line) for line in lines]
        return t

    def _window(self, base: Noted, a: Any) -> tuple[str, Noted | None]:
        """The text of *a*, which lies in the memory of *base*, and whose whole memory it is in."""
        near, origin = base.real._a_, base.origin or base
        text = self.array(base)
        same_place = address(a) == address(near)
        if same_place and a.dtype is near.dtype:
            if a.shape == near.shape and a.strides == near.strides:
                return text, origin
        quick = quick_window(near, a)
        if quick is not None:
            return quick[0].format(text, self.constant(quick[1])), origin
        whole = origin.real._a_
        if not (whole.flags.c_contiguous and whole.flags.writeable and whole.size):
            return "", None
        shape, dtype, strides = (self.constant(v) for v in (a.shape, a.dtype, a.strides))
        offset = address(a) - address(whole)
        text = self.array(origin)
        return f"ndarray({shape}, {dtype}, {text}, {offset}, {strides})", origin


def _has_seen(args: tuple[Any, ...]) -> bool:
    return any(type(a) is Seen or type(a) in (tuple, list) and _has_seen(tuple(a)) for a in args)


def _real(value: Any) -> Any:
    """An argument with the tensors that are meant. Raises Untraceable for tensors of unknown
    origin."""
    if type(value) is Seen:
        return value._noted.real
    if isinstance(value, Tensor):
        raise Untraceable("a tensor that no op made")
    if type(value) in (tuple, list):
        return type(value)([_real(v) for v in value])
    return value


def _bytes_of(args: tuple[Any, ...]) -> int:
    """The bytes of the tensors among *args* and in their lists."""
    count = 0
    for value in args:
        if isinstance(value, Tensor):
            count += value._a_.nbytes
        elif type(value) in (tuple, list):
            count += _bytes_of(value)
    return count


def taped_call(overload: Overload, sig: int) -> Call:
    """The call of *overload* for code that is being noted."""
    if not all_built(overload, sig):
        return _untraceable  # nobody is to see a call that is made once more
    composed = overload.composed_on(sig)
    recorded = sig & S.REQUIRES_GRAD and sig & grad_mode.GRAD_ENABLED
    below = composed not in IMPLICIT and recorded  # as one op
    if composed and not below:  # the ops inside are noted
        return specialize(overload, sig, after="taping")

    untaped = sig & S.OWN | _untaped(sig >> S.TLS_SHIFT << S.TLS_SHIFT)

    def call(*args: Any) -> Any:
        tape = _tape.get()
        if tape is None:
            raise Untraceable(overload.name)
        return tape.call(overload, untaped, args)

    return call


def _untaped(word: int) -> int:
    """The state *word* of a thread that notes nothing."""
    return tls.with_extra(word, tls.extra(word) & ~tls.TAPED)


def _untraceable(*args: Any) -> Any:
    raise Untraceable("a kernel of somebody else")
