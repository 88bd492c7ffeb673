"""The op row: one statement holds everything that is particular to one op.

A row says what an op *is*: its schema in torch's syntax, how shape and dtype of the result
follow from the arguments (``meta``), the numpy kernel, the gradient, the samples of the tests.
Everything else is derived by looping over :data:`ROWS`: registration at the dispatch keys,
the in-place and ``out=`` overloads, ``torch.*`` functions, ``Tensor`` methods, deferred and
asynchronous execution, and the generic tests.

Conventions, the same for every callable of a row:

* arguments arrive **positionally, in schema order, all of them** (defaults filled in);
* ``kernel`` gets an ``ndarray`` where the schema says ``Tensor`` (``None`` for an absent
  optional, a list for ``Tensor[]``), a Python number for ``Scalar``, a tuple for ``int[]``, a
  ``DType`` for ``ScalarType``; it returns an ndarray (a tuple where the op has several results)
  and never changes its arguments;
* ``meta`` and ``view`` get something with ``shape``, ``dtype``, ``device``, ``stride()``,
  ``dim()``, ``numel()`` in place of each tensor; they raise torch's errors and look at no data;
* ``grad`` formulas are written with operators on tensors, so that double backward needs no
  second formula.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from ..core.results import Out, ViewOf
from ..core.signature import CONJ, NEG
from .forms import (
    NO_OUT,
    PLAIN_DEVICES,
    PLAIN_INPLACE,
    PLAIN_OUT,
    DeviceRule,
    InplaceForm,
    NoFormula,
    OutForm,
    Tangent,
)
from .scalar_text import of_ufunc

__all__ = ["ROWS", "Out", "Row", "ViewOf", "copy_name", "is_conj", "is_neg", "op"]


def is_conj(tensor: Any) -> bool:
    """Whether what a ``view`` was given is a conjugated view."""
    return bool(getattr(tensor, "_sig_", 0) & CONJ)


def is_neg(tensor: Any) -> bool:
    """Whether what a ``view`` was given is a negated view."""
    return bool(getattr(tensor, "_sig_", 0) & NEG)


class Row:
    """One op. See :func:`op` for the meaning of each field."""

    __slots__ = (
        "apart",
        "autocast",
        "base",
        "batch",
        "composite",
        "copies",
        "devices",
        "functional",
        "grad",
        "half",
        "infer",
        "inplace",
        "inplace_form",
        "inplace_grad",
        "into",
        "inverse",
        "kernel",
        "kinds",
        "looks",
        "meta",
        "module",
        "name",
        "node",
        "out",
        "out_form",
        "out_kernel",
        "out_meta",
        "overload",
        "promote",
        "random",
        "reduces",
        "refuses",
        "prepare",
        "samples",
        "scalar_text",
        "says",
        "schema",
        "tags",
        "tangent",
        "ufunc",
        "variants",
        "view",
        "warns",
        "warns_of",
        "where",
    )

    schema: str
    #: The qualified name ``add.Tensor``, and its two parts.
    name: str
    base: str
    overload: str
    meta: Callable[..., Any] | None
    kernel: Callable[..., Any] | None
    prepare: Callable[..., Callable[..., Any]] | None
    ufunc: Any
    scalar_text: str
    reduces: Any
    view: Callable[..., Any] | None
    apart: Callable[..., Any] | None
    inverse: Callable[..., Any] | None
    #: The ``out=`` form of its copying form ``x_copy``; None: it has no such form.
    copies: OutForm | None
    #: The name of an in-place row's functional form and that one's ``out=`` form.
    functional: tuple[str, OutForm] | None
    composite: Callable[..., Any] | None
    tangent: Tangent
    batch: str | tuple[Any, ...]
    node: tuple[int, int]
    autocast: tuple[str, str]
    devices: DeviceRule
    looks: Callable[..., Any] | None
    grad: dict[str, Callable[..., Any] | None] | None
    promote: str | None
    half: bool
    into: Callable[..., None] | None
    infer: Callable[..., Any] | None
    kinds: dict[str, str]
    variants: str
    inplace: bool
    inplace_form: InplaceForm
    inplace_grad: dict[str, Callable[..., Any] | None] | None
    module: str
    #: Name of the ``out=`` overload; empty if there is none.
    out: str
    out_form: OutForm
    out_meta: Callable[..., Any] | None
    out_kernel: Callable[..., Any] | None
    samples: str
    says: str
    tags: tuple[str, ...]
    random: bool
    refuses: Callable[..., None] | None
    warns: Callable[..., None] | None
    warns_of: tuple[str, ...]
    #: File and line.
    where: tuple[str, int]

    def __repr__(self) -> str:
        return f"<Row {self.name}>"

    @property
    def scalar(self) -> str:
        """The scalar expression of an elementwise row; empty where none is known."""
        text = self.scalar_text
        if text or self.promote is None:
            return text
        arguments = self.schema[self.schema.index("(") + 1 : self.schema.rindex(") -> ")]
        tensors = [a[7:] for a in arguments.split(", ") if a.startswith("Tensor ")]
        return of_ufunc(self.ufunc, tuple(tensors))

    @property
    def loop(self) -> str:
        """What the pipeline may do with the op.

        ``"elementwise"``: compute ``scalar`` in a loop over elements; ``"reduction"``: close such a
        loop by joining elements with ``reduces``; ``"opaque"``: run its kernel as it is.
        """
        return "elementwise" if self.scalar else "opaque" if self.reduces is None else "reduction"

    def is_leaf(self, i: int) -> bool:
        """Whether the *i*-th result never has a gradient, though it may hold such numbers."""
        if i and "one_gradient" in self.tags:
            return True
        return str(i) in self.said("no_gradient").replace(",", " ").split()

    def said(self, word: str) -> str:
        """What a tag ``"word: …"`` says; empty where there is none of that word."""
        start = f"{word}: "
        return next((t.removeprefix(start) for t in self.tags if t.startswith(start)), "")


#: Every row by its qualified name (``"add.Tensor"``, ``"relu"``), in order of definition.
ROWS: dict[str, Row] = {}


def copy_name(name: str) -> str:
    """``select_copy.int`` of ``select.int``."""
    base, dot, overload = name.partition(".")
    return f"{base}_copy{dot}{overload}"


def _out_form(out: bool | str | OutForm) -> OutForm:
    if isinstance(out, OutForm):
        return out
    return OutForm(out) if isinstance(out, str) else PLAIN_OUT if out else NO_OUT


def _functional(row: Row, wanted: bool | str | OutForm) -> tuple[str, OutForm] | None:
    """The functional form of an in-place row: its name, and its ``out=`` form."""
    if isinstance(wanted, str):
        return wanted, NO_OUT
    if wanted is False:
        return None
    dot = "." if row.overload else ""
    name = f"{row.base.removesuffix('_')}{dot}{row.overload}"
    if isinstance(wanted, OutForm):
        return name, wanted
    return name, OutForm(f"{row.overload}_out" if row.overload else "out")


def _prepared(prepare: Callable[..., Callable[..., Any]]) -> Callable[..., Any]:
    """The kernel of a row with ``prepare``, for whoever calls it once."""
    return lambda *args: prepare(*args)(*args)


def op(
    schema: str,
    *,
    says: str = "",
    meta: Callable[..., Any] | None = None,
    kernel: Callable[..., Any] | None = None,
    prepare: Callable[..., Callable[..., Any]] | None = None,
    ufunc: Any = None,
    scalar: str = "",
    reduces: Any = None,
    into: Callable[..., None] | None = None,
    infer: Callable[..., Any] | None = None,
    view: Callable[..., Any] | None = None,
    apart: Callable[..., Any] | None = None,
    inverse: Callable[..., Any] | None = None,
    copies: bool | str | OutForm = False,
    functional: bool | str | OutForm = False,
    composite: Callable[..., Any] | None = None,
    kinds: dict[str, str] | None = None,
    grad: dict[str, Callable[..., Any] | None] | None = None,
    promote: str | None = None,
    half: bool = True,
    variants: str = "function, method",
    inplace: bool | InplaceForm = False,
    inplace_grad: dict[str, Callable[..., Any] | None] | None = None,
    tangent: Tangent = None,
    batch: str | tuple[Any, ...] = "",
    node: int | tuple[int, int] = 0,
    autocast: str | tuple[str, str] = "",
    devices: DeviceRule = PLAIN_DEVICES,
    looks: Callable[..., Any] | None = None,
    out: bool | str | OutForm = False,
    out_meta: Callable[..., Any] | None = None,
    out_kernel: Callable[..., Any] | None = None,
    module: str = "",
    samples: str = "",
    tags: Iterable[str] = (),
    random: bool = False,
    refuses: Callable[..., None] | None = None,
    warns: Callable[..., None] | None = None,
    warns_of: Iterable[str] = (),
) -> Row:
    """Define an op and return its row.

    :param schema: torch's schema without the namespace, ``"add.Tensor(Tensor self, …) -> Tensor"``.
    :param says: what the op does, in one sentence for users ("Return the sine of each element.");
        once per op, at its first overload. An example for the docstring may follow after an empty
        line, as an interpreter shows it.
    :param meta: ``meta(*args) -> Out``; a tuple of them for several results, with None for one that
        is absent: callers get None, whatever the kernel gives there. Not needed where ``promote``
        is given with a ``ufunc``/elementwise kernel: the broadcast rule is used.
    :param kernel: ``kernel(*args) -> ndarray`` or a tuple of them.
    :param prepare: in place of ``kernel``: ``prepare(*args) -> kernel`` looks at shapes, dtypes,
        strides and the arguments that are no tensors, and works out what follows from them; it is
        asked once for each layout. It looks at no numbers of tensors. A kernel on which
        ``takes_nothing`` stands works without arguments, too, and known calls give it none.
    :param ufunc: in place of ``kernel``: a numpy ufunc (or a function with ``out=``) over the
        tensor arguments, called without the others. Gives the fastest path.
    :param scalar: what an elementwise row computes of one element of each operand, as an expression
        of Python's syntax over the arguments' names, see ``call.scalar_text``. It lets the pipeline
        put the op into one loop with others. With a numpy ufunc it need not be said.
    :param reduces: of a reduction, the numpy ufunc that joins two elements: ``np.add`` of a sum.
        It is what the pipeline may close a loop with.
    :param into: optional ``into(self, *rest)``: the in-place op on contiguous arrays of one float
        dtype, where *self* has the shape of the result. Equal to the kernel and a copy, to the bit.
    :param infer: in place of ``meta``, what the Meta backend asks of a row whose kernel finds the
        result's shape itself: ``Out``, or None where the shape depends on the numbers.
    :param view: in place of kernel and meta, ``view(*args) -> ViewOf`` (or a list of them for
        ops like ``split``): the result shares the first argument's storage.
    :param apart: of a kernel that only looks at its first argument's memory, ``apart(*args) ->
        ViewOf``: the result is no view and counts its changes itself, but no memory is taken.
    :param inverse: of a view, ``inverse(views, base, view, index, *args)``: the base with the
        elements of a changed *view* in their place (of a view with several results its
        *index*-th), for functionalization. *views* calls a view op, or the copying form of it.
    :param copies: of a view, derive ``x_copy``, whose result has memory of its own; a string names
        its ``out`` overload, "" says that it has none.
    :param functional: of an in-place row ``x_``, derive ``x``, which leaves its argument; a string
        is its name, if that is another (then it has no ``out``).
    :param composite: ``composite(*args)`` over tensors, in place of kernel, meta and gradient
        (registered as CompositeImplicitAutograd).
    :param kinds: where torch registers an overload (``"functional"``, ``"inplace"``, ``"out"``) at
        other keys than the row's other fields say, at which: ``"implicit"`` or ``"explicit"``
        (CompositeImplicitAutograd; CompositeExplicitAutograd with Autograd), ``"recorded"``
        (implicit, with Autograd and ADInplaceOrView), ``"fused"`` (implicit, with a kernel of the
        accelerators, one operator to Autograd), ``"backends"`` (all but Meta), ``"tensors"``
        (all backends), ``"host"`` (the CPU alone). What is explicit, or of the backends or the
        host, is one operator to autograd and to modes; the ops of its ``composite`` run below them.
        A row with a kernel may have an implicit ``out`` form: its ``out_kernel`` is that of a
        composite.
    :param grad: for each differentiable argument ``formula(g, c)``: *g* is the gradient of the
        result (a tuple where there are several results); *c* has every argument by name, and the
        results as ``c.result`` or ``c.result0``, ``c.result1``… Only what a formula's code names
        is saved. A key may name several arguments (``"input, weight"``): the formula then returns
        a tuple, and ``c.mask`` says which are wanted. The engine sums a gradient down to its
        argument's shape and casts it to its dtype, so formulas do not. Absent key: not
        differentiable. ``None``: no gradient (integer results, comparisons).
    :param tangent: forward mode, where it does not follow: views view the tangent, elementwise ops
        take the gradient formulas, all else their transpose. ``"linear"``: the op of the tangents;
        ``"none"``: results have no tangent; ``"not implemented"``: torch has a gradient but no
        tangent; ``"refused"``: torch has neither; ``tangent(c)``: a rule, where *c* has arguments
        and results as for ``grad``, and ``c.tangents`` by argument. :class:`Corrected` changes
        what would follow.
    :param batch: how the op runs under ``vmap``, where it does not follow (elementwise ops
        broadcast, arguments named ``dim`` are counted one further, all else runs in a loop):
        the name of a rule of ``functionality.batching_rules``, or a tuple of that and of the
        rule's parameters. A composite row that reads numbers or memory has one; others fall apart.
    :param node: the number in the name of the gradient's node, where it is not 0: torch numbers
        overloads. A pair where the in-place form has another.
    :param autocast: what autocast does with the arguments, a word of ``autocast_policies.Policy``:
        ``"lower precision"``, ``"float32"``, ``"promote"`` …; a pair where the host and an
        accelerator differ.
    :param devices: what the op says of tensors that lie on several devices.
    :param looks: ``looks(tensor, *args)`` gives shape and strides of the window through which
        torch's kernel looks at its first argument, which is what a freed one is refused by.
    :param promote: how tensor arguments are cast before an elementwise kernel runs, and which
        dtype results: ``"common"`` (torch's promotion), ``"float"`` (integers become the default
        float), ``"bool"`` (compute in the common dtype, give bool), ``"integral"`` (common dtype,
        floats refused with torch's text). ``None``: arguments come as they are.
    :param half: compute float16 and bfloat16 in float32 and round the result (what torch's CPU
        kernels do). False for kernels that only move data.
    :param variants: where it appears: ``"function"`` (``torch.x``), ``"method"`` (``Tensor.x``).
    :param inplace: derive ``x_`` (mutates and returns ``self``); an :class:`InplaceForm` says what
        is particular to it.
    :param inplace_grad: ``grad`` of that form, where torch has another: of its result, or none.
    :param out: derive the ``out=`` overload; a string gives its overload name, an :class:`OutForm`
        says which tensors it takes, where the kind of row does not tell.
    :param out_meta: ``out_meta(target, *args)`` in place of ``meta`` where torch checks another way
        with ``out=``, and in place (where *target* is ``self``); *args* are those of
        the functional form, *target* is the tensor given, a tuple of several.
    :param out_kernel: ``out_kernel(target, *args)`` in place of ``kernel`` where the result depends
        on the memory that is given (*target*, an ndarray, which it does not change). That of a
        composite row writes *target*, a tensor, and returns nothing.
    :param module: torch's ``python_module`` (``"nn"``, ``"linalg"``, ``"fft"``, ``"special"``), for
        functions not in ``torch.*``.
    :param samples: name of the generator in ``tests.samples`` that yields arguments.
    :param tags: torch's tags (``"pointwise"``, ``"data_dependent_output"`` …), and ours:
        ``"devices: target, self"`` is the order in which devices are compared, ``"rounds"``
        marks a kernel with ``half=False`` that does arithmetic in the half types itself,
        ``"undefined: attn_bias"`` names a tensor that formulas may leave out,
        ``"one_gradient"`` and ``"no_gradient: 2, 3"`` say which results have none,
        ``"warns_when_fresh"`` a row that has nothing to warn of in place,
        ``"symbols: nonzero"`` names the rule of fake tensors for a result that depends on numbers,
        ``"asks_identity"`` one whose composite looks whether two arguments are one tensor,
        ``"numbers_decide_sizes"`` one whose numbers say how large the result is,
        ``"ufunc of reals"`` one whose kernel does more than its ``ufunc`` with complex numbers,
        ``"any_number"`` one whose meta looks at a number's type alone,
        ``"not_on_meta"`` a row that torch has no Meta kernel of (``"not_on_meta: out"`` a form that
        it has none of), ``"selects_backend"`` one that has
        a BackendSelect kernel though it takes tensors, ``"not_in_place_or_view: inplace"`` a
        row of whose form ADInplaceOrView has no kernel,
        ``"counts_its_change"`` an in-place row that raises the version itself,
        ``"out_has_no_formula"`` one with a formula that torch does not know of its ``out=`` form,
        ``"loops: functional"``, ``"loops: inplace"`` and ``"loops: copy"`` say of which form torch
        has no batching rule, ``"loops as: stft"`` of which other op it has none,
        ``"takes_numbers"`` a row whose tensors may be numbers through ``torch.ops``, too,
        ``"numbers_follow"`` a row without type promotion whose 0-d tensors may be the host's,
        ``"checks_devices"`` a composite that compares devices itself, ``"not_on_cpu"`` a row whose
        kernel torch has on accelerators alone, ``"not_under_vmap"`` one that torch
        does not draw in a ``vmap``, ``"refuses_gradients"`` a composite that refuses
        them with ``out=`` in its own name, not in that of the op inside.
        ``"on_meta: mask, self"`` is the order of devices that meta tensors are compared in,
        ``"keeps_bits"`` a kernel that takes conjugated and negated views as they are,
        ``"keeps_conjugates"`` one that takes conjugated ones, ``"heeds_bits"`` one that would take
        them, and is given the numbers all the same,
        ``"of_geometry"`` an op that reads no number of its argument,
        ``"of_storage"`` one that looks at the place of its argument in the storage, or at the size
        of that, which metas do not say: both are looked at in a known call,
        ``"unchecked_view"`` a view that torch makes without a look at the storage,
        ``"one_more_dim"`` one whose ``dim`` counts a dimension that the result has more,
        ``"zero_tangents"`` a backward op whose result has a tangent of zeros where the gradient
        has none, ``"one_tangent"`` one of whose results the first alone has a tangent,
        ``"product"`` a matrix product and ``"moves"`` an op that only moves numbers, for costs.
        ``"real_only"`` one whose complex results torch does not differentiate, ``"real_copy"`` a
        view whose copying form is such, ``"new_memory"`` one that the switch to deterministic
        algorithms makes fill its memory, ``"nondeterministic: put_ unless accumulate or meta"`` one
        that it makes complain in the name of a kernel, unless an argument holds or on meta,
        ``"moves_mask"`` one that a masked tensor has done to its mask as to its data,
        ``"einsum: mk,kn->mn"`` which products of its last tensors are summed; a tensor before
        those is added,
        ``"of_matrices"`` an op on the matrices of the last two dimensions, each for itself (what
        has whole numbers may be of their rows),
        ``"of_parts"`` one that does with a part of its argument what it does with the whole, also
        with a part of a sum,
        ``"independent_slices"`` one whose slices along ``dim`` know nothing of each other,
        ``"joins: min, max"`` how its results of parts are reduced to those of the whole, where
        ``reduces`` does not say it,
        ``"needs_whole"`` one of which a part of the arguments tells nothing of the result,
        ``"own"`` an op that torch does not have, ``"quantizes"`` one that makes or asks quantized
        tensors,
        ``"writes: mean, var if training"`` names arguments that the kernel changes though the
        schema does not say so, as in torch, and the argument that says whether it does.
    :param random: draws from a generator: never merged or reordered, kernel gets the
        ``Generator`` in its schema position.
    :param refuses: ``refuses(*args)`` raises for what the kernel does not take, though ``meta`` has
        nothing against it: of tensors with numbers only, and after the checks of ``out=`` and of
        in-place targets. It comes at the call, on every backend; *args* are those of the functional
        form, and like ``meta`` it is asked once per layout and looks at no numbers of tensors.
    :param warns: ``warns(*args)`` gives the warnings of a call on a device with numbers, each time
        (what ``meta`` said is remembered). With ``out=`` only where there is no ``out_meta``.
    :param warns_of: dtypes without which ``warns`` has nothing to say.
    """
    row = Row()
    row.schema = schema
    row.name = schema[: schema.index("(")]
    row.base, _, row.overload = row.name.partition(".")
    row.meta, row.kernel, row.ufunc, row.view, row.composite = meta, kernel, ufunc, view, composite
    row.apart = apart
    row.scalar_text, row.reduces = scalar, reduces
    row.inverse = inverse
    row.copies = None if copies is False else _out_form(copies)
    row.functional = _functional(row, functional)
    if tangent is None and isinstance(grad, NoFormula):
        tangent = "refused"
    row.autocast = autocast if isinstance(autocast, tuple) else (autocast, autocast)
    row.node = node if isinstance(node, tuple) else (node, node)
    row.tangent, row.batch, row.devices, row.looks = tangent, batch, devices, looks
    row.prepare = prepare
    if prepare is not None:
        row.kernel = _prepared(prepare)
    row.grad, row.promote, row.half = grad, promote, half
    row.into, row.infer, row.kinds = into, infer, kinds or {}
    row.variants, row.module = variants, module
    row.inplace = bool(inplace) and not row.base.endswith("_")
    row.inplace_form = inplace if isinstance(inplace, InplaceForm) else PLAIN_INPLACE
    row.inplace_grad = inplace_grad
    row.out_form = _out_form(out)
    row.out = row.out_form.overload
    row.out_meta, row.out_kernel = out_meta, out_kernel
    row.samples, row.tags, row.random = samples, tuple(tags), random
    row.says = says
    row.refuses, row.warns, row.warns_of = refuses, warns, tuple(warns_of)
    frame = sys._getframe(1)
    while frame.f_code.co_name != "<module>" and frame.f_back is not None:
        frame = frame.f_back  # a factory of rows: the line that called it is the row's
    row.where = (frame.f_code.co_filename, frame.f_lineno)
    if row.name in ROWS:
        raise ValueError(f"op {row.name} is defined twice: {ROWS[row.name].where} and {row.where}")
    ROWS[row.name] = row
    return row
