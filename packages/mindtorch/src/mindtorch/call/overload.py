"""An overload: one schema of one row, with its tables of resolved calls.

A row ``mul.Tensor`` with ``inplace`` and ``out`` makes three overloads: ``aten::mul.Tensor``,
``aten::mul_.Tensor`` and ``aten::mul.out``. Nothing is parsed, and no schema is derived, until an
overload is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_dispatch import FunctionSchema, parse_schema

from ..core import signature as S
from ..core.named_results import structure
from .row import Row

FUNCTIONAL, INPLACE, OUT = KINDS = "functional", "inplace", "out"
#: Words of ``Overload.composed``: autograd and modes see the ops inside.
IMPLICIT = ("implicit", "recorded")
#: The word of ``Row.kinds`` for what is one operator on accelerators alone.
FUSED = "fused"


#: What is looked at in an argument, by the text of its type.
_KINDS = {
    **dict.fromkeys(("Tensor", "Tensor?"), "tensor"),
    **dict.fromkeys(("Tensor[]", "Tensor?[]", "Tensor[]?"), "list"),
    **dict.fromkeys(("Device", "Device?"), "device"),
}


class Overload:
    """One schema of one row. See the module docstring."""

    __slots__ = (
        "_parsed",
        "_schema",
        "_text",
        "api",
        "arity",
        "base",
        "defaults",
        "device_position",
        "entrances",
        "kind",
        "layout_position",
        "list_positions",
        "mutable_position",
        "name",
        "names",
        "n_outputs",
        "operator",
        "out_positions",
        "pack",
        "pin_position",
        "row",
        "table",
        "tensor_positions",
    )

    #: An op without a row: its arguments may lie on several devices, see ``_library.foreign``.
    mixes_devices = False

    def __init__(self, row: Row, kind: str, base: str, overload: str) -> None:
        self.row = row
        self.kind = kind
        self.base = base
        self.name = f"aten::{base}.{overload}" if overload else f"aten::{base}"
        self._text = ""
        self._parsed: FunctionSchema | None = None
        self._schema: FunctionSchema | None = None
        self.table: Any = None
        self.api: Any = None
        self.operator: Any = None
        #: The names through which it is called: their tables are emptied with its own.
        self.entrances: list[Any] = []

    def __repr__(self) -> str:
        return f"<Overload {self.name}>"

    def __str__(self) -> str:
        return self.name

    @property
    def schema_text(self) -> str:
        """The schema without the namespace."""
        text = self._text
        if not text:
            row = self.row
            if self.name == "aten::" + row.name:
                text = row.schema
            else:
                text = out_schema(row) if self.kind == OUT else inplace_schema(row)
            self._text = text
        return text

    @property
    def changes_look(self) -> bool:
        """Whether its target looks at its memory in another way afterwards: ``transpose_``."""
        return self.kind == INPLACE and self.row.view is not None

    @property
    def composed(self) -> str:
        """How other ops make it up, a word of ``Row.kinds``; "" where kernels run it."""
        word = self.row.kinds.get(self.kind)
        if word is None or word == FUSED:
            return "implicit" if self.row.composite is not None else ""
        return word

    @property
    def is_fused(self) -> bool:
        """Whether accelerators have a kernel of what other ops make up elsewhere."""
        return self.row.kinds.get(self.kind) == FUSED

    def composed_on(self, sig: int) -> str:
        """:attr:`composed` for tensors of a signature."""
        return "" if sig & S.ACCELERATORS and self.is_fused else self.composed

    @property
    def shares_memory(self) -> bool:
        """Whether results lie in the memory of the first argument, be they views or not."""
        row = self.row
        return self.kind != OUT and not row.view is row.apart is None

    def tagged(self, word: str) -> bool:
        """Whether its row has the tag *word*, of all forms or (``"word: out"``) of this one."""
        tags = self.row.tags
        return word in tags or f"{word}: {self.kind}" in tags

    @property
    def grad(self) -> dict[str, Callable[..., Any] | None]:
        """The formulas of its gradient; empty where it has none."""
        row = self.row
        if self.kind == INPLACE and row.inplace_grad is not None:
            return row.inplace_grad
        return row.grad or {}

    @property
    def schema(self) -> FunctionSchema:
        """The parsed schema; parsing fills the derived fields too."""
        self.analyse()
        return self._schema

    def analyse(self) -> None:
        """Fill the fields that follow from the schema, unless they are filled."""
        if self._schema is None:
            self._analyse()

    @property
    def tail(self) -> tuple[Any, ...]:
        """What is appended where a caller gives only the leading tensors, or sizes."""
        optional = [a.has_default_value() for a in self.schema.arguments]
        return self.defaults[optional.index(True) :] if True in optional else ()

    def special(self, hop: Any, sig: int, mask: int) -> Any:
        """What an op without a row does in place of running the kernel of *hop*; None: nothing."""
        return None

    def parsed(self) -> FunctionSchema:
        """The schema, of which nothing has been made yet."""
        found = self._parsed
        if found is None:
            found = self._parsed = parse_schema("aten::" + self.schema_text)
        return found

    def _analyse(self) -> None:
        self._derive(self.parsed())

    def _derive(self, schema: FunctionSchema) -> None:
        """Fill the fields that follow from the schema."""
        arguments = schema.arguments
        names = self.names = tuple([a.name for a in arguments])
        self.arity = len(arguments)
        self.defaults = tuple([a.default_value for a in arguments])
        places: dict[str, list[int]] = {"tensor": [], "list": [], "device": [], "": []}
        for i, argument in enumerate(arguments):
            places[_KINDS.get(argument.real_type.text, "")].append(i)
        self.tensor_positions = tuple(places["tensor"])
        lists = self.list_positions = tuple(places["list"])
        # The device of ``_to_copy`` is where the result goes, not where the call runs.
        transfers = "transfer" in self.row.tags
        self.device_position = places["device"][0] if places["device"] and not transfers else -1
        #: A layout that is asked for counts like a tensor of it.
        self.layout_position = names.index("layout") if "layout" in names else -1
        pins = not transfers and "pin_memory" in names
        self.pin_position = names.index("pin_memory") if pins else -1
        self.mutable_position = -1
        self.out_positions: tuple[int, ...] = ()
        if self.kind != FUNCTIONAL:
            written = [i for i, a in enumerate(arguments) if a.is_write]
            if self.kind == OUT:
                self.out_positions = tuple([i for i in written if i not in lists])
            else:
                self.mutable_position = written[0]
        self.n_outputs = len(schema.returns)
        #: Makes of the results what functions and methods return; None: they are it already.
        self.pack = self._pack(tuple([r.name for r in schema.returns]))
        self._schema = schema

    def _pack(self, fields: tuple[str, ...]) -> Any:
        name = self.structure_name()
        if name:
            return structure(name, fields)
        return tuple if self.schema_text.endswith("[]") else None

    def structure_name(self) -> str:
        """The class in ``torch.return_types`` of its results; "" where they have no names."""
        returns = self.schema_text.rpartition(" -> ")[2]
        if returns[0] != "(" or " " not in returns.partition(",")[0]:
            return ""
        return f"{self.base}_out" if self.kind == OUT else self.base


def inplace_overload(row: Row) -> str:
    """The overload's name of the in-place form."""
    named = row.inplace_form.overload
    return row.overload if named is None else named


def inplace_schema(row: Row) -> str:
    """``mul.Tensor(Tensor self, …) -> Tensor`` becomes ``mul_.Tensor(Tensor(a!) self, …)…``."""
    head, _, rest = row.schema.partition("(")
    base, _, _ = head.partition(".")
    overload = inplace_overload(row)
    dot = "." if overload else ""
    arguments, _, _ = rest.rpartition(" -> ")
    written = arguments.replace("Tensor self", "Tensor(a!) self", 1)
    written = written.replace("Tensor(a) self", "Tensor(a!) self", 1)
    return f"{base}_{dot}{overload}({written} -> Tensor(a!)"


def _result_fields(returns: str) -> list[str]:
    """What a schema's results are called, or would be as targets."""
    parts = [r.split() for r in returns[1:-1].split(", ")]
    return [p[1] if len(p) > 1 else f"out{i}" for i, p in enumerate(parts)]


def out_names(row: Row) -> Sequence[str]:
    """What the targets of the ``out=`` form of a functional row are called."""
    if row.out_form.names:
        return row.out_form.names
    _, _, returns = row.schema.rpartition(" -> ")
    if returns.startswith("("):
        return _result_fields(returns)
    return (row.out if row.out == "grad_input" else "out",)


def out_schema(row: Row) -> str:
    """``mul.Tensor(…) -> Tensor`` becomes ``mul.out(…, *, Tensor(a!) out) -> Tensor(a!)``."""
    _, _, rest = row.schema.partition("(")
    arguments, _, returns = rest.rpartition(" -> ")
    arguments = arguments.rstrip()[:-1]
    letters = "abcdefgh"
    outs = [f"Tensor({letters[i]}!) {name}" for i, name in enumerate(out_names(row))]
    back = "Tensor(a!)"
    if returns.startswith("("):
        named = " " in returns.partition(", ")[0] and row.out != "output" and row.out_form.function
        fields = _result_fields(returns)
        back = ", ".join(
            f"Tensor({letters[i]}!)" + (f" {field}" if named else "")
            for i, field in enumerate(fields)
        )
        back = f"({back})"
    # Options of a fresh result make no sense where the result is given.
    options = ["Layout? layout", "Device? device", "bool? pin_memory"]
    if "Layout? layout" in arguments:
        options.append("ScalarType? dtype=")
    kept = [a for a in arguments.split(", ") if not a.startswith(tuple(options))]
    if kept and kept[-1] == "*":
        kept.pop()
    star = "" if "*" in kept else "*, "
    lead = ", ".join(kept)
    lead = f"{lead}, " if lead else ""
    return f"{row.base}.{row.out}({lead}{star}{', '.join(outs)}) -> {back}"
