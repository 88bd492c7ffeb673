"""Signature: the overloads of one Python-visible function, as Python sees them.

torch offers ``torch.add`` and ``Tensor.add``, not ``aten::add.Tensor`` and ``aten::add.out``. This
module derives the former from the schemas of a group of overloads:

* a functional overload and its ``out=`` overload are one signature, ``out`` last of the arguments;
* a method's signature has no ``self``; a function's ``Tensor self`` is called ``input``;
* ``dtype, layout, device, pin_memory`` of a factory come last, and ``requires_grad`` joins them;
* overloads are ordered so that none shadows another: ``Tensor`` before ``Scalar``, ``int`` before
  ``int[]``, sequences of tensors last (their check raises in place of failing).

Source of the rules: torch tools/autograd/gen_python_functions.py and torchgen/api/python.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

from . import argument_errors as errors
from .deprecated_signatures import deprecated_signatures
from .parameter import TYPE_NAMES, Overload, Parameter, Signature, without_optional
from .schema import Argument, FunctionSchema, SchemaType, parse_schema
from .signature_order import ordered, sort_key

# Functions that take a Python number for any Tensor parameter.
# Source: python_arg_parser.cpp, should_allow_numbers_as_tensors.
_NUMBERS_AS_TENSORS = frozenset(
    name + end
    for name in "add div divide mul multiply sub subtract true_divide floor_divide".split()
    for end in ("", "_", "_out")
) | {"to", "_to_copy", "copy_", "copy", "_conj"}

# Overloads that Python does not see: their Tensor overload takes numbers.
# Source: gen_python_functions.py, SKIP_PYTHON_BINDINGS_SIGNATURES.
_HIDDEN = frozenset(
    (name + end, "Scalar") for name in ("add", "div", "mul", "sub") for end in ("", "_")
)

_TENSOR_OPTIONS = ("dtype", "layout", "device", "pin_memory")


def _has_tensor_options(schema: FunctionSchema) -> bool:
    names = [a.name for a in schema.arguments if a.kwarg_only]
    return "pin_memory" in names and all(name in names for name in _TENSOR_OPTIONS)


def _is_tensor_like(argument: Argument) -> bool:
    return "Tensor" in argument.real_type.str()


def _is_factory(schema: FunctionSchema, functional: bool) -> bool:
    """Whether the signature ends in tensor options: it makes a tensor, mostly out of none."""
    if functional and _has_tensor_options(schema):
        return True
    if any(_is_tensor_like(a) for a in schema.arguments if not a.is_out):
        return False
    return any(r.real_type.str() == "Tensor" for r in schema.returns)


def _default_text(argument: Argument, plain: SchemaType) -> str:
    value = argument.default_value
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        if not value:
            return "None"
        if len(value) > 1 and value.count(value[0]) == len(value):
            return str(value[0])
        if len(value) == 1 and argument.N == 1:
            return str(value[0])
        return "{" + ",".join([str(v) for v in value]) + "}"
    if argument.name == "reduction" and value == 1 and plain.name == "int":
        return "at::Reduction::Mean"
    if plain.name == "MemoryFormat" and value == 0:
        return "torch.contiguous_format"
    if plain.name == "float" and value is not None:
        # torch keeps what native_functions.yaml has: "std = 1" but "base = 10.0"
        return argument.default_source if argument.default_source.isdigit() else repr(value)
    return str(value)


#: Parameters by argument, name and whether numbers pass: they are shared as arguments are.
_parameters: dict[tuple[Argument, str, bool], Parameter] = {}


def _parameter(argument: Argument, name: str, numbers: bool) -> Parameter:
    key = (argument, name, numbers)
    made = _parameters.get(key)
    if made is None:
        made = _parameters[key] = _new_parameter(argument, name, numbers)
    return made


def _new_parameter(argument: Argument, name: str, numbers: bool) -> Parameter:
    plain, nullable = without_optional(argument.real_type)
    value = argument.default_value
    if isinstance(value, list):
        value = tuple(value)
    text = _default_text(argument, plain) if argument.has_default_value() else ""
    if text == "at::Reduction::Mean":
        value = 0  # what torch makes of that text: torch.margin_ranking_loss does not reduce
    return Parameter(
        name,
        plain.str(),
        size=argument.N,
        nullable=nullable,
        optional=argument.has_default_value(),
        default=value,
        default_text=text,
        keyword_only=argument.kwarg_only,
        schema_name=argument.name,
        numbers_as_tensors=numbers and plain.name == "Tensor",
    )


def _options(schema: FunctionSchema) -> list[Parameter]:
    """The tensor options of a factory: they are printed alike for all."""
    # the default dtype of randint and its kind, which the schema gives as torch's number for int64
    integer = any(a.name == "dtype" and a.default_value == 4 for a in schema.arguments)
    made = []
    for name, kind in (("dtype", "ScalarType"), ("layout", "Layout"), ("device", "Device")):
        default = int if integer and name == "dtype" else None
        made.append(
            Parameter(
                name,
                kind,
                nullable=True,
                optional=True,
                default=default,
                default_text="None",
                keyword_only=True,
            )
        )
    for name in ("pin_memory", "requires_grad"):
        made.append(
            Parameter(
                name,
                "bool",
                nullable=True,
                optional=True,
                default=False,
                default_text="False",
                keyword_only=True,
            )
        )
    return made


def _inputs(schema: FunctionSchema, factory: bool) -> list[Argument]:
    return [
        a
        for a in schema.arguments
        if not a.is_out and not (factory and a.name in _TENSOR_OPTIONS and a.kwarg_only)
    ]


class _Group:
    """Schemas that make one signature: a functional overload and perhaps its ``out=`` overload."""

    __slots__ = ("functional", "index", "out", "out_index")

    def __init__(self) -> None:
        self.functional: FunctionSchema | None = None
        self.out: FunctionSchema | None = None
        self.index = self.out_index = -1


def python_signatures(
    name: str, schemas: Iterable[str | FunctionSchema], *, method: bool
) -> list[Signature]:
    """The signatures of the function or method *name* in the order in which they are tried.

    *schemas* are the overloads that the caller offers, in any order; an ``out=`` overload needs
    its functional one. The indices of the overloads are places in *schemas*.
    """
    numbers = name in _NUMBERS_AS_TENSORS
    groups: dict[Any, _Group] = {}
    for index, given in enumerate(schemas):
        schema = parse_schema(given) if isinstance(given, str) else given
        if (name, schema.overload_name) in _HIDDEN:
            continue
        is_out = schema.arguments[-1:] != [] and schema.arguments[-1].is_out
        inputs = _inputs(schema, _has_tensor_options(schema))
        key = tuple([(a.real_type, a.name) for a in inputs])
        group = groups.setdefault(key, _Group())
        if is_out:
            group.out, group.out_index = schema, index
        else:
            group.functional, group.index = schema, index
    made: list[tuple[Signature, Sequence[Argument]]] = []
    for group in groups.values():
        base = group.functional
        if base is None:
            if method or group.out is None:
                continue
            base = group.out
        out = None if method else group.out
        factory = _is_factory(base, group.functional is not None)
        inputs = _inputs(base, factory)
        signature = _signature(name, base, inputs, out, factory, method, numbers)
        if group.functional is not None:
            signature.functional = _overload(signature, group.index, base, method)
        if out is not None:
            signature.takes_out(partial(_overload, signature, group.out_index, out, method))
        made.append((signature, inputs))
        _add_deprecated(name, made, group, base, out, method, numbers)
    if len(made) < 2:
        return [signature for signature, _ in made]
    return ordered(
        [
            (sort_key(name, signature, inputs, method), [_sized(a) for a in inputs], signature)
            for signature, inputs in made
        ]
    )


def _signature(
    name: str,
    base: FunctionSchema,
    inputs: Sequence[Argument],
    out: FunctionSchema | None,
    factory: bool,
    method: bool,
    numbers: bool,
) -> Signature:
    parameters = []
    for argument in inputs:
        if argument.name == "self":
            if method:
                continue
            called = "input" if without_optional(argument.real_type)[0].name == "Tensor" else "self"
            parameters.append(_parameter(argument, called, numbers))
        else:
            parameters.append(_parameter(argument, argument.name, numbers))
    count, at = 0, -1
    if out is not None:
        outs = [a for a in out.arguments if a.is_out]
        count, at = len(outs), len(parameters)
        kind = "Tensor" if count == 1 else "Tensor[]"
        parameters.append(
            Parameter(
                outs[0].name if count == 1 else "out",
                kind if count > 1 else outs[0].real_type.str(),
                size=count if count > 1 else None,
                optional=True,
                default_text="None",
                keyword_only=True,
                # numbers pass for any Tensor of these functions, out= included
                numbers_as_tensors=numbers and count == 1,
            )
        )
    if factory:
        parameters += _options(base)
    signature = Signature(name, parameters)
    signature.out_count, signature.out_at = count, at
    return signature


def _overload(signature: Signature, index: int, schema: FunctionSchema, method: bool) -> Overload:
    """Map the row of parsed values to the arguments of *schema*."""
    parameters = signature.parameters
    given = (
        schema.arguments[1:] if method and schema.arguments[0].name == "self" else schema.arguments
    )
    if signature.out_at < 0 and [p.schema_name for p in parameters] == [a.name for a in given]:
        count = len(parameters)
        own = [count] if len(given) < len(schema.arguments) else []
        return Overload(index, schema, [*own, *range(count)], [])
    places = {p.schema_name: i for i, p in enumerate(signature.parameters)}
    count = len(signature.parameters)
    outs = 0
    sources = []
    for argument in schema.arguments:
        if argument.is_out:
            if signature.out_count == 1:
                sources.append(signature.out_at)
            else:
                sources.append(count + int(method) + len(signature.constants) + outs)
                outs += 1
        elif argument.name == "self" and method:
            sources.append(count)
        else:
            sources.append(places[argument.name])
    known = {a.name for a in schema.arguments}
    extras = [
        p.schema_name
        for i, p in enumerate(signature.parameters)
        if p.schema_name not in known and i != signature.out_at
    ]
    sources += [places[name] for name in extras]
    return Overload(index, schema, sources, extras)


def _add_deprecated(
    name: str,
    made: list[tuple[Signature, Sequence[Argument]]],
    group: _Group,
    base: FunctionSchema,
    out: FunctionSchema | None,
    method: bool,
    numbers: bool,
) -> None:
    for row in deprecated_signatures(name):
        names = [a.name for a in base.arguments]
        wanted = [n for n in row.means if isinstance(n, str)]
        if len(names) != len(row.means) or any(
            n != given for n, given in zip(row.means, names, strict=True) if isinstance(n, str)
        ):
            continue
        if any(
            without_optional(a.real_type)[0].name not in ("Tensor", "Scalar")
            for a in base.arguments
        ):
            continue
        old = parse_schema(f"{name}({row.parameters}) -> ()")
        if not _same_types(old.arguments, base.arguments, wanted):
            continue
        takes_out = out if row.out else None
        signature = _signature(name, old, old.arguments, takes_out, False, method, numbers)
        signature.deprecated = True
        signature.constants = tuple([n for n in row.means if not isinstance(n, str)])
        count = len(signature.parameters) + int(method)
        places = {p.schema_name: i for i, p in enumerate(signature.parameters)}
        if method:
            places["self"] = count - 1
        sources = [places[n] if isinstance(n, str) else count for n in row.means]
        if group.functional is not None:
            signature.functional = Overload(group.index, base, sources, [])
        if takes_out is not None:
            out_sources = [*sources, signature.out_at]
            signature.takes_out(partial(Overload, group.out_index, takes_out, out_sources, []))
        made.append((signature, old.arguments))


def _same_types(old: Sequence[Argument], new: Sequence[Argument], names: list[str]) -> bool:
    types = {a.name: a.real_type for a in new}
    return all(a.real_type is types.get(a.name) for a in old if a.name in names)


def _sized(argument: Argument) -> str:
    """The type the way torchgen writes it, with the size: ``int[2]``."""
    text = argument.real_type.str()
    if argument.N is None:
        return text
    return text.replace("[]", f"[{argument.N}]")


# -- signatures written by hand --------------------------------------------------------------------


def written_signature(text: str, index: int, *, method: bool) -> Signature:
    """The signature of a text such as ``"to(Device? device=None, bool copy=False)"``.

    For functions that torch parses by hand. Types are those of schemas, and ``object``; values are
    bound in the order of the text (``self`` of a method first). ``|deprecated`` after the text
    keeps the signature out of listings.
    """
    text, bar, mark = text.partition("|")
    if bar and mark != "deprecated":
        raise errors.unknown_signature_mark(mark)
    schema = parse_schema(text + " -> ()")
    numbers = schema.name in _NUMBERS_AS_TENSORS
    parameters = [_parameter(a, a.name, numbers) for a in schema.arguments]
    if any(p.kind not in TYPE_NAMES for p in parameters):
        raise errors.unknown_parameter_type(text)
    signature = Signature(schema.name, parameters, deprecated=bool(bar))
    count = len(parameters)
    sources = [count, *range(count)] if method else list(range(count))
    signature.functional = Overload(index, None, sources, [])
    return signature
