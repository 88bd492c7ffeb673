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

from collections.abc import Callable, Iterable, Sequence
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


class OutForm:
    """The ``out=`` form of a functional overload: its schema is read when a call names a target.

    :ivar functional: the place of the functional overload among those that are offered.
    :ivar names: what its ``out`` arguments are called.
    """

    __slots__ = ("functional", "kind", "names", "read")

    def __init__(
        self,
        functional: int,
        names: Sequence[str],
        read: Callable[[], FunctionSchema],
        kind: str = "Tensor",
    ) -> None:
        self.functional, self.names, self.read, self.kind = functional, names, read, kind


def _out_form(schema: FunctionSchema) -> OutForm:
    outs = [a for a in schema.arguments if a.is_out]
    return OutForm(-1, [a.name for a in outs], lambda: schema, outs[0].real_type.text)


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
        plain.text,
        size=argument.N,
        nullable=nullable,
        optional=argument.has_default_value(),
        default=value,
        default_text=text,
        keyword_only=argument.kwarg_only,
        schema_name=argument.name,
        numbers_as_tensors=numbers and plain.name == "Tensor",
    )


#: The tensor options of factories, by whether their dtype is integral by default.
_options: dict[bool, list[Parameter]] = {}


def _options_of(schema: FunctionSchema) -> list[Parameter]:
    """The tensor options of a factory: they are printed alike for all."""
    # the default dtype of randint and its kind, which the schema gives as torch's number for int64
    integer = any([a.name == "dtype" and a.default_value == 4 for a in schema.arguments])
    made = _options.get(integer)
    if made is None:
        made = _options[integer] = [
            *[_option(name, kind, None, "None") for name, kind in _OPTION_KINDS],
            *[_option(name, "bool", False, "False") for name in ("pin_memory", "requires_grad")],
        ]
        if integer:
            made[0].default = int
    return made


_OPTION_KINDS = (("dtype", "ScalarType"), ("layout", "Layout"), ("device", "Device"))


def _option(name: str, kind: str, default: Any, text: str) -> Parameter:
    return Parameter(
        name,
        kind,
        nullable=True,
        optional=True,
        default=default,
        default_text=text,
        keyword_only=True,
    )


#: The parameters of targets, by name, kind, how many they are and whether numbers pass.
_targets: dict[tuple[str, str, int, bool], Parameter] = {}


def _target(out: OutForm, numbers: bool) -> Parameter:
    """The parameter ``out``: one tensor or several."""
    count = len(out.names)
    kind = out.kind if count == 1 else "Tensor[]"
    key = (out.names[0] if count == 1 else "out", kind, count, numbers)
    made = _targets.get(key)
    if made is None:
        made = _targets[key] = Parameter(
            key[0],
            kind,
            size=count if count > 1 else None,
            optional=True,
            default_text="None",
            keyword_only=True,
            # numbers pass for any Tensor of these functions, out= included
            numbers_as_tensors=numbers and count == 1,
        )
    return made


class _Group:
    """Schemas that make one signature: a functional overload and perhaps its ``out=`` overload.

    :ivar schema: that of the functional overload, or of the other where there is none.
    :ivar inputs: its arguments but the targets and, of a *factory*, the tensor options.
    :ivar factory: whether the signature ends in tensor options: it makes a tensor, mostly out of
        none.
    """

    __slots__ = ("factory", "index", "inputs", "out", "out_index", "schema")

    def __init__(self, schema: FunctionSchema, index: int) -> None:
        self.schema = schema
        self.index = self.out_index = -1
        self.out: OutForm | None = None
        arguments = schema.arguments
        options = 0
        tensors = False
        for argument in arguments:
            if argument.kwarg_only:
                if argument.is_out:
                    continue
                options += argument.name in _TENSOR_OPTIONS
            tensors = tensors or "Tensor" in argument.real_type.text
        if arguments and arguments[-1].is_out:
            self.out, self.out_index = _out_form(schema), index
            arguments = [a for a in arguments if not a.is_out]
        else:
            self.index = index
        all_options = options == len(_TENSOR_OPTIONS)
        self.factory = (all_options and self.index >= 0) or (
            not tensors and any([r.real_type.text == "Tensor" for r in schema.returns])
        )
        if options and (all_options or self.factory):
            arguments = [a for a in arguments if not (a.kwarg_only and a.name in _TENSOR_OPTIONS)]
        self.inputs = arguments


def _groups(name: str, schemas: Iterable[str | FunctionSchema | OutForm]) -> Iterable[_Group]:
    """The schemas of *name* that make one signature each."""
    found: list[_Group] = []
    functional: dict[int, _Group] = {}
    for index, given in enumerate(schemas):
        if isinstance(given, OutForm):
            whole = functional.get(given.functional)
            if whole is not None:
                whole.out, whole.out_index = given, index
                continue
            given = given.read()
        schema = parse_schema(given) if isinstance(given, str) else given
        if (name, schema.overload_name) in _HIDDEN:
            continue
        group = _Group(schema, index)
        if group.index >= 0:
            functional[index] = group
        found.append(group)
    return found if len(found) < 2 else _joined(found)


def _joined(groups: list[_Group]) -> Iterable[_Group]:
    """One group for those that take the same inputs."""
    joined: dict[Any, _Group] = {}
    for group in groups:
        key = tuple([(a.real_type, a.name) for a in group.inputs])
        first = joined.setdefault(key, group)
        if first is group:
            continue
        if group.index < 0:
            first.out, first.out_index = group.out, group.out_index
        else:
            out = group.out or first.out
            out_index = first.out_index if group.out is None else group.out_index
            joined[key] = group
            group.out, group.out_index = out, out_index
    return joined.values()


def python_signatures(
    name: str, schemas: Iterable[str | FunctionSchema | OutForm], *, method: bool
) -> list[Signature]:
    """The signatures of the function or method *name* in the order in which they are tried.

    *schemas* are the overloads that the caller offers, in any order, but an :class:`OutForm` after
    its functional one; an ``out=`` overload needs its functional one. The indices of the overloads
    are places in *schemas*.
    """
    numbers = name in _NUMBERS_AS_TENSORS
    made: list[tuple[Signature, Sequence[Argument]]] = []
    for group in _groups(name, schemas):
        if method and group.index < 0:
            continue
        base = group.schema
        out = None if method else group.out
        signature = _signature(name, base, group.inputs, out, group.factory, method, numbers)
        if group.index >= 0:
            layout = _overload if group.factory else _in_order
            signature.functional = layout(signature, group.index, base, method)
        if out is not None:
            _takes_out(signature, group.out_index, out)
        made.append((signature, group.inputs))
        if deprecated_signatures(name):
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
    out: OutForm | None,
    factory: bool,
    method: bool,
    numbers: bool,
) -> Signature:
    parameters = []
    for argument in inputs:
        called = argument.name
        if called == "self":
            if method:
                continue
            if argument.real_type.text in ("Tensor", "Tensor?"):
                called = "input"
        parameters.append(_parameter(argument, called, numbers))
    count, at = 0, -1
    if out is not None:
        count, at = len(out.names), len(parameters)
        parameters.append(_target(out, numbers))
    if factory:
        parameters += _options_of(base)
    signature = Signature(name, parameters)
    signature.out_count, signature.out_at = count, at
    return signature


def _in_order(signature: Signature, index: int, schema: FunctionSchema, method: bool) -> Overload:
    """:func:`_overload` where the arguments are the first parameters, in their order."""
    names = [a.name for a in schema.arguments]
    n = len(names)
    if not (method and "self" in names):
        return Overload(index, schema, list(range(n)), [])
    at = names.index("self")
    return Overload(index, schema, [*range(at), n - 1, *range(at, n - 1)], [])


def _takes_out(signature: Signature, index: int, out: OutForm) -> None:
    signature.takes_out(lambda: _overload(signature, index, out.read(), False))


def _overload(signature: Signature, index: int, schema: FunctionSchema, method: bool) -> Overload:
    """Map the row of parsed values to the arguments of *schema*."""
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
    out: OutForm | None,
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
        if group.index >= 0:
            signature.functional = Overload(group.index, base, sources, [])
        if takes_out is not None:
            _takes_out_too(signature, group.out_index, takes_out, sources)
        made.append((signature, old.arguments))


def _takes_out_too(signature: Signature, index: int, out: OutForm, sources: list[int]) -> None:
    every = [*sources, signature.out_at]
    signature.takes_out(lambda: Overload(index, out.read(), every, []))


def _same_types(old: Sequence[Argument], new: Sequence[Argument], names: list[str]) -> bool:
    types = {a.name: a.real_type for a in new}
    return all(a.real_type is types.get(a.name) for a in old if a.name in names)


def _sized(argument: Argument) -> str:
    """The type the way torchgen writes it, with the size: ``int[2]``."""
    text = argument.real_type.text
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
