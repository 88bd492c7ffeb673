"""Docstrings of functions and methods, from the rows of their overloads.

``docstring(base, group)`` says what the op does (the row's ``says``), how it is called, and what
follows from the row: shapes, dtypes, gradient, memory, errors. It is made when the function is,
which is when it is first looked up, so it must cost little: the schemas are taken apart as text.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Final

from ..call.elementwise_meta import BOOL, COMPLEX, FLOATING, RULES, UNSIGNED, Rule
from ..call.forms import NoFormula
from ..call.overload import INPLACE, OUT, Overload
from ..call.row import Row

__all__ = ["call_forms", "docstring", "summary"]

#: Whether Python keeps docstrings: not with ``-OO``.
_KEPT: Final = sys.flags.optimize < 2
#: Where users find the functions of a row's ``module``.
_NAMESPACES: Final = {
    "": "torch.",
    "nn": "",
    "linalg": "torch.linalg.",
    "fft": "torch.fft.",
    "sparse": "torch.sparse.",
    "special": "torch.special.",
}
#: Ends of names of ops that are parts of others, and what those are.
_PARTS: Final = (
    ("_double_backward", "Return the gradient of the gradient of :func:`{}`."),
    ("_backward", "Return the gradient of :func:`{}`."),
    ("_forward", "Return what :func:`{}` does, with what its gradient needs."),
)


# What an op does ----------------------------------------------------------------------------------


def summary(base: str, rows: Iterable[Row]) -> str:
    """What the op *base* does: the sentence of its rows, or one that follows from its name."""
    for row in rows:
        if row.says and row.base == base:
            return row.says
    plain = base[:-1]
    if base.endswith("_"):
        return f"In-place version of :meth:`{plain}`."
    for end, says in _PARTS:
        if base.endswith(end):
            return says.format(base.removesuffix(end))
    if base.startswith("_foreach_"):
        return f"Apply :func:`torch.{base.removeprefix('_foreach_')}` to each tensor of a list."
    return f"Run the op ``aten::{base}``, of which others are made."


# How it is called ---------------------------------------------------------------------------------


def call_forms(base: str, group: list[Overload], *, method: bool) -> list[str]:
    """The ways to call the function or method *base*: ``add(input, other, *, alpha=1) -> Tensor``.

    Overloads that differ in types alone are one form, and ``out=`` is a part of the form that it
    belongs to. Names and defaults are those of the argument parser.
    """
    forms: dict[tuple[str, ...], str] = {}
    outs = [] if method else [o for o in group if o.kind == OUT]
    rows_with_out = [o.row for o in outs]
    keys_with_out = {_without_out(o.row.schema) for o in outs if "(a!)" in o.row.schema}
    for overload in group:
        if overload.kind == OUT and not _only_out(overload, group):
            continue
        head, _, returns = overload.schema_text.rpartition(") -> ")
        pieces = _pieces(head[head.index("(") + 1 :])
        names = [_parameter(piece, method) for piece in pieces]
        if method:
            names.remove("self")
        key = tuple([n.partition("=")[0] for n in names if n != "*"])
        if key in forms:
            continue
        positional = names.index("*") if "*" in names else len(names)
        sizes = positional == 1 and _is_sizes(pieces, method)
        if sizes:
            names[0] = "*" + names[0]
            if "*" in names:  # what follows a list of sizes can be given by name alone
                names.remove("*")
        if overload.kind != OUT and (overload.row in rows_with_out or key in keys_with_out):
            names += ("out=None",) if sizes or "*" in names else ("*", "out=None")
        if "pin_memory=None" in names:
            names[names.index("pin_memory=None")] = "pin_memory=False"
            names.append("requires_grad=False")
        place = "Tensor." if method else _NAMESPACES[overload.row.module]
        name = base.removeprefix(f"{overload.row.module}_") if place else base
        forms[key] = f"{place}{name}({', '.join(names)}) -> {_returned(returns)}"
    return list(forms.values())


def _without_out(schema: str) -> tuple[str, ...]:
    """The names of the arguments of an ``out=`` overload but the last ones."""
    arguments = schema[schema.index("(") + 1 : schema.index("Tensor(a!)")]
    names = [_parameter(p, False).partition("=")[0] for p in _pieces(arguments)]
    return tuple([name for name in names if name not in ("*", "")])


def _only_out(overload: Overload, group: list[Overload]) -> bool:
    return all(o.kind == OUT for o in group) and overload is group[0]


def _pieces(arguments: str) -> list[str]:
    """The arguments of a schema, one text each: ``int[2] stride=[1, 1]`` is one."""
    found: list[str] = []
    for piece in arguments.split(", "):
        if " " in piece or piece == "*":
            found.append(piece)
        elif piece:
            found[-1] += ", " + piece
    return found


def _parameter(piece: str, method: bool) -> str:
    """``float eps=1e-05`` as ``eps=1e-05``; of ``Tensor self`` the name in a function."""
    head, given, value = piece.partition("=")
    name = head.rpartition(" ")[2]
    if not given:
        renamed = name == "self" and not method and head.startswith("Tensor") and "[]" not in head
        return "input" if renamed else name
    if value == "None":
        return f"{name}=None"
    if value[0] == "[":
        numbers = value[1:-1].split(", ")
        one = len(set(numbers)) == 1
        value = (numbers[0] or "()") if one else f"({value[1:-1]})"
    elif name == "dtype":
        value = "None"  # torch's number of a dtype, which is found where none is given
    elif name == "memory_format":
        value = "torch.contiguous_format"
    elif len(value) > 12 or value.endswith("."):
        value = repr(float(value))
    return f"{name}={value}"


def _is_sizes(pieces: list[str], method: bool) -> bool:
    """Whether the first argument is a list of ints, which may be given one by one."""
    first = pieces[1] if method and pieces[0].endswith(" self") else pieces[0]
    return first.startswith(("SymInt[] ", "int[] "))


def _returned(returns: str) -> str:
    if returns.startswith("("):
        parts = [part.rpartition(" ")[2].partition("(")[0] for part in returns[1:-1].split(", ")]
        return f"({', '.join(parts)})" if parts != [""] else "None"
    return "tuple of Tensors" if returns.endswith("[]") else returns.partition("(")[0]


# What follows from the row ------------------------------------------------------------------------


def _kinds(names: frozenset[str]) -> str:
    """Dtypes in words: ``complex and bool``."""
    found = [
        word
        for word, part in (
            ("complex", COMPLEX),
            ("floating-point", FLOATING),
            ("integer", frozenset(("int32", "int64"))),
            ("bool", BOOL),
            ("uint16 to uint64", UNSIGNED),
        )
        if part <= names
    ]
    if "integer" in found and "uint16 to uint64" in found:
        found.remove("uint16 to uint64")
    return " and ".join((", ".join(found[:-1]), found[-1])) if len(found) > 1 else "".join(found)


#: How elementwise results get their dtype, by the rule's name and whether there are two operands.
_DTYPES: Final = {
    ("common", False): "the result has that of the operand",
    ("common", True): "the result has the one that the operands are promoted to",
    ("float", False): "integers are computed in the default floating-point dtype",
    ("float", True): "integers are computed in the default floating-point dtype",
    ("bool", False): "the result is bool",
    ("bool", True): "the result is bool",
}


def _facts(rows: list[Row], kind: str, method: bool) -> list[str]:
    """Lines on shapes, dtypes, memory, gradient and errors."""
    row = next((row for row in rows if row.composite is None), rows[0])
    schemas = " ".join([row.schema for row in rows])
    lines: list[str] = []
    errors: list[str] = []
    rule = RULES.get(row.meta) if row.meta is not None else None
    promote, operands, _, refused = rule or Rule(row.promote or "", 0)
    operands = operands or row.schema.partition(" -> ")[0].count("Tensor ")
    pointwise = rule is not None or "pointwise" in row.tags
    itself = "self" if method else "input"
    arguments = row.schema.rpartition(") -> ")[0].partition("(")[2]
    tensor = next((p for p in _pieces(arguments) if p.startswith("Tensor")), "Tensor self")
    first = _parameter(tensor, method)
    if pointwise and operands > 1:
        lines.append("Shapes: the operands broadcast.")
        errors.append("RuntimeError if the shapes do not broadcast")
    elif pointwise:
        lines.append(f"Shapes: the result has that of {first}.")
    elif "bool keepdim" in schemas:
        lines.append("Shapes: reduced dimensions are dropped; with keepdim they stay, of size 1.")
    if pointwise and promote in ("common", "float", "bool"):
        text = _DTYPES[promote, operands > 1]
        if kind == INPLACE:
            text = f"the result is cast to that of {first}"
        words = _kinds(refused)
        lines.append(f"Dtypes: {text}{f'; not {words}' if words else ''}.")
        if words:
            errors.append("NotImplementedError for a dtype that is not accepted")
    if kind == INPLACE:
        lines.append(f"Memory: that of {first}, which is changed and returned.")
    elif "Tensor(a) " in row.schema or "Tensor(a -> *) " in row.schema:
        always = row.view is not None or row.schema.endswith("[]")
        lines.append(f"Memory: that of {first}{'' if always else ', where a view is possible'}.")
    gradient = _gradient(row, itself)
    if gradient:
        lines.append(f"Gradient: {gradient}.")
    if row.random:
        lines.append("Random numbers: of the generator given, else of the default one.")
    dims = any(text in schemas for text in (" dim=", " dim,", " dim)", " dims"))
    if dims and "of_storage" not in row.tags:
        errors.append("IndexError if a dimension is out of range")
    if kind == INPLACE:
        errors.append("RuntimeError for a leaf that requires grad, for an expanded tensor")
        errors.append("RuntimeError if the result has another shape or cannot be cast")
    return lines + [f"Raises {error}." for error in errors]


def _gradient(row: Row, operand: str) -> str:
    arguments, _, returns = row.schema.partition(" -> ")
    if "Tensor" not in arguments or "Tensor" not in returns or isinstance(row.grad, NoFormula):
        return ""
    if row.composite is not None:
        return "" if "(a!)" in row.schema else "that of the ops by which it is computed"
    named: list[str] = []
    refused: list[str] = []
    for key, formula in (row.grad or {}).items():
        if formula is not None:
            names = [operand if name == "self" else name for name in key.split(", ")]
            (refused if formula.__name__ == "refuse" else named).extend(names)
    if refused:
        lacks = f"not implemented with respect to {', '.join(refused)}"
        return f"with respect to {', '.join(named)}; {lacks}" if named else lacks
    return f"with respect to {', '.join(named)}" if named else "none"


def docstring(base: str, group: list[Overload], *, method: bool = False) -> str | None:
    """The docstring of the function or method *base* with the overloads *group*."""
    if not _KEPT:
        return None
    rows = list({id(o.row): o.row for o in group}.values())
    says, _, example = summary(base, rows).partition("\n\n")
    if "\n" in says:
        says = " ".join(says.split())
    if example:  # which is indented as the row is: by four spaces, mostly
        deeper = len(example) - len(example.lstrip()) - 4
        example = f"\n{example.rstrip()}".replace("\n" + " " * deeper, "\n")
        example = f"Example:\n{example}"
    forms = "\n".join([f"    {form}" for form in call_forms(base, group, method=method)])
    facts = "\n".join(_facts(rows, group[0].kind, method))
    return "\n\n".join([part for part in (says, forms, facts, example) if part])
