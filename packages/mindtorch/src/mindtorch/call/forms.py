"""What a row says where its family does not tell: of derived forms, of devices, of tangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = [
    "Corrected",
    "DeviceRule",
    "InplaceForm",
    "NoFormula",
    "OutForm",
    "Tangent",
    "gradient_name",
    "made",
    "out_has_no_formula",
]


class InplaceForm(NamedTuple):
    """The in-place form of a row, ``inplace=InplaceForm(…)``; of a row ``x_``, that row itself.

    :ivar overload: its overload's name, where that is not the row's.
    :ivar check: ``check(*args)`` raises what this form alone refuses, before all else, by the
        layouts of the arguments; *when* has the bits of the signatures that it can refuse, all by
        default.
    :ivar own_dtype: computed in the target's dtype, unless the last argument names another.
    :ivar recorded: False where autograd records nothing, and so does not refuse leaves either.
    :ivar broadcasts: refuses another shape as elementwise ops do, though the row is none.
    :ivar iterates: False where torch has a loop of its own for what looks like an elementwise op.
    :ivar overlap: what may be written where memory overlaps. ``"indexed"`` at its beginning: no
        operand may have memory in common with the target; ``"indexed first"`` looks at that before
        the shapes. Of a target of which an element is there twice:
        ``"idempotent"`` writes the same value each time, ``"in sequence"`` adds as often as it is
        there, and ``"deprecated: …"`` is said to be so, with that remark.
    :ivar writes: the kernel copies its first argument once all is checked, changes the copy and
        reads the argument no more; so in place it may be given the target for a copy.
    :ivar overlap_check: ``overlap_check(overload, args, target)`` looks at the memory instead.
    :ivar reads: how many of the first tensors are read where they lie; None: all.
    :ivar idle: ``idle(*args)`` is whether nothing is written, so that memory may overlap.
    """

    overload: str | None = None
    check: Callable[..., None] | None = None
    when: int = -1
    own_dtype: bool = False
    recorded: bool = True
    broadcasts: bool = False
    iterates: bool = True
    overlap: str = ""
    writes: bool = False
    overlap_check: Callable[..., None] | None = None
    reads: int | None = None
    idle: Callable[..., bool] | None = None


class OutForm(NamedTuple):
    """The ``out=`` form of a row, ``out=OutForm(…)``.

    :ivar overload: its overload's name; empty where only what follows is said, and there is none.
    :ivar names: the keywords of the tensors, where they are not the names of the results.
    :ivar dtype: which dtypes are taken. ``"cast"``: those that the result can be cast to, as
        elementwise rows with promotion do; ``"same"``: the result's own, as kernels of one element
        say it that promote nothing; ``"any"``: each, it is computed in that; ``"copied"``: each,
        the result is copied; ``"truth"``: bool and uint8; ``"joined"``: as ``torch.cat`` says it.
        Empty: by promotion or else the result's own.
    :ivar text: what is said of any other dtype; after ``"cast: "`` only of those that the result
        cannot be cast to. *out* and *result* are named, as *c_out* and *c_result* in C's words.
    :ivar castable: of linear algebra that copies to whatever its results can be cast to: who
        refuses the rest, and what it calls each result.
    :ivar direct: a result that is cast is computed in the dtype of *out*, not copied to it.
    :ivar declared: ``dtype=`` must agree with *out*; a text of its own for floats.
    :ivar quiet: another shape is given without the warning that other ops give.
    :ivar function: False where ``aten::x.out`` exists, but ``torch.x`` takes no ``out``.
    :ivar gradient: the op that refuses gradients, where it is not the row's own; ``"inputs"`` where
        only inputs are looked at.
    :ivar recorded: a composite whose result is copied as a program would copy it.
    :ivar elsewhere: what is said of a target on another device than meta, or of one on meta.
    :ivar meta: how a target on meta is checked. Most Meta kernels of torch are functions in Python:
        they compare devices, resize the target, and then look at its dtype. By default it may be
        any to which the result can be cast, for copying forms the result's own alone, which
        ``"castable"`` and ``"exact"`` say of others; ``"exact, laid out"``: one that is resized
        gets the strides of the result; ``"any"``: each dtype. ``"native"``: the Meta
        kernel is C++'s, with the checks and the strides of the kernel on the host.
    :ivar overlap: ``"apart"``: a target may have no memory in common with any operand;
        ``"whole"``: it may be an operand, but not part of one; ``"whole of self, apart"``: so for
        this operand if it is not broadcast, else for the others. After ``"first: "`` its own memory
        is looked at before it gets its size; ``"first"`` alone: all is, as for elementwise ops.
        Where nothing is said, elements of the target that lie in one place are refused in the end,
        but of what ``reduces``; ``"unchecked"``: not even these.
    """

    overload: str = "out"
    names: tuple[str, ...] = ()
    dtype: str = ""
    text: str = ""
    castable: tuple[str, ...] = ()
    direct: bool = False
    declared: str | None = None
    quiet: bool = False
    function: bool = True
    gradient: str = ""
    recorded: bool = False
    elsewhere: str = ""
    meta: str = ""
    overlap: str = ""


class DeviceRule(NamedTuple):
    """What a row says itself of tensors that lie on several devices.

    :ivar here: ``here(args)`` gives the error for tensors with numbers, if it is the row's own.
    :ivar meta: ``meta(overload, args)`` gives it where meta tensors are among them.
    :ivar indexed: reads or writes at indices, which follow from the host to ``self``.
    :ivar first: a composite that looks at devices before the ops inside do.
    """

    here: Callable[[tuple[Any, ...]], Exception | None] | None = None
    meta: Callable[[Any, tuple[Any, ...]], Exception | None] | None = None
    indexed: bool = False
    first: bool = False


class NoFormula(dict[str, Any]):
    """Formulas of an op of which torch's derivatives say nothing, though its results require grad.

    It has no tangent either.
    """


class Corrected(NamedTuple):
    """A ``tangent`` that is what follows for the row, changed by ``correct(tangent, c)``."""

    correct: Callable[[Any, Any], Any]


#: See ``tangent`` of :func:`mindtorch.call.row.op`.
Tangent = None | str | Corrected | Callable[[Any], Any]


def made(overload: str = "out", *, once: bool = False, meta: str = "") -> OutForm:
    """The form of an op that makes new numbers: in whichever dtype *out* has.

    :param once: each element of *out* must be there once.
    """
    overlap = "whole" if once else "unchecked"
    return OutForm(overload, dtype="any", quiet=True, overlap=overlap, meta=meta)


def out_has_no_formula(row: Any) -> bool:
    """Whether torch's derivatives say nothing of the ``out=`` form: gradients are refused later.

    That is so of each form that torch makes itself, beside an op that takes no ``out``.
    """
    form = row.out_form
    return not form.function or isinstance(row.grad, NoFormula) or "out_has_no_formula" in row.tags


def gradient_name(row: Any) -> str:
    """The name in the refusal of gradients with ``out=``."""
    if out_has_no_formula(row):
        return f"aten::{row.base}"
    return row.out_form.gradient.removeprefix("inputs") or row.base


PLAIN_OUT, PLAIN_INPLACE, PLAIN_DEVICES = OutForm(), InplaceForm(), DeviceRule()
NO_OUT = OutForm("")

#: Texts that several rows share.
SCALAR_TYPE = "expected scalar type {result} but found {out}"
SAME_TYPE = "expected scalar_type {result} but found {out}"
DOES_NOT_MATCH = "result dtype {out} does not match input dtype {result}"
OBJECT_TYPE = "Expected object of scalar type {result} but got scalar type {out} for argument 'out'"
