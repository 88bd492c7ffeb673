"""From the schema of an op to the hints that a type checker reads.

The names with an underscore are those of ``torch.types``: in the stubs ``float`` is a dtype, or a
method of ``Tensor``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from keyword import iskeyword
from typing import NamedTuple

from mindtorch_dispatch.parameter import Parameter, Signature
from mindtorch_dispatch.schema import Argument

from .layout import define
from .rows import Offered

#: What the argument parser takes for a parameter of each type of schemas.
TAKEN = {
    "Tensor": "Tensor",
    "Scalar": "Number | _complex",
    "int": "_int",
    "SymInt": "_int",
    "DeviceIndex": "_int",
    "float": "_float",
    "complex": "_complex",
    "bool": "_bool",
    "SymBool": "_bool",
    "str": "_str",
    "ScalarType": "_DTypeLike",
    "Layout": "_layout",
    "MemoryFormat": "_memory_format",
    "Device": "_device | _str | _int",
    "Generator": "Generator",
    "Storage": "UntypedStorage | TypedStorage",
    "Stream": "Stream",
    "QScheme": "Any",
    "object": "Any",
    "Tensor[]": "Sequence[Tensor]",
    "Tensor?[]": "Sequence[Tensor | None]",
    "int[]": "Sequence[_int]",
    "SymInt[]": "Sequence[_int]",
    "float[]": "Sequence[_float]",
    "bool[]": "Sequence[_bool]",
    "Scalar[]": "Sequence[Number | _complex]",
}
#: What a call gives for each type that a schema returns.
GIVEN = {
    "Tensor": "Tensor",
    "Tensor[]": "tuple[Tensor, ...]",
    "Scalar": "Number",
    "ScalarType": "_dtype",
    "QScheme": "Any",
    "bool": "_bool",
    "SymBool": "_bool",
    "float": "_float",
    "int": "_int",
    "SymInt": "_int",
    "int[]": "tuple[_int, ...]",
    "SymInt[]": "tuple[_int, ...]",
}
#: Texts of defaults that Python reads as they stand.
_LITERAL = re.compile(r'None|True|False|-?\d+(\.\d*)?(e-?\d+)?|"\w*"')
#: Lists of ints with a size that one int may stand for, and that of any length.
_SIZES = ("int[]", "SymInt[]", "float[]", "bool[]")


class Taken(NamedTuple):
    """One parameter as it is written: name, hint, default ("" where there is none)."""

    name: str
    hint: str
    default: str
    keyword_only: bool

    def __str__(self) -> str:
        default = f" = {self.default}" if self.default else ""
        return f"{self.name}: {self.hint}{default}"


class Form(NamedTuple):
    """One way to call a function."""

    parameters: tuple[Taken, ...]
    returns: str
    deprecated: bool
    #: The first parameter stands for any number of positional arguments.
    spread: bool = False

    def written(self, *, is_method: bool) -> list[str]:
        """The parameters as they stand between the brackets."""
        made = ["self"] if is_method else []
        reserved = [i for i, p in enumerate(self.parameters) if iskeyword(p.name)]
        starred = self.spread
        for i, parameter in enumerate(self.parameters):
            if parameter.keyword_only and not starred:
                made.append("*")
                starred = True
            if i in reserved:
                parameter = parameter._replace(name=parameter.name + "_")
            made.append(f"*{parameter}" if self.spread and i == 0 else str(parameter))
            if reserved and i == reserved[-1]:
                made.append("/")
        return made


def taken_hint(parameter: Parameter) -> str:
    """What may be given for *parameter*."""
    hint = TAKEN[parameter.kind]
    if parameter.size and parameter.kind in _SIZES:
        hint = f"{TAKEN[parameter.kind[:-2]]} | {hint}"
    if parameter.numbers_as_tensors and parameter.name != "out":
        hint = f"{hint} | Number | _complex"
    return f"{hint} | None" if parameter.allow_none else hint


def default_of(parameter: Parameter) -> str:
    """The default of *parameter* as it is written; three dots where it has no literal."""
    if not parameter.optional:
        return ""
    text = parameter.default_text
    if _LITERAL.fullmatch(text):
        return text
    return str(parameter.default) if isinstance(parameter.default, tuple) else "..."


def _given_hint(argument: Argument) -> str:
    return GIVEN[argument.real_type.str().replace("?", "")]


def given_hint(offered: Offered, signature: Signature) -> str:
    """What a call gives back."""
    structure, parts = offered.returns(signature)
    if structure:
        return f"return_types.{structure}"
    if not parts:
        # ``_foreach_add_`` gives back the list that it was given.
        return "Any" if offered.base.startswith("_foreach") else "None"
    if len(parts) > 1:
        return f"tuple[{', '.join(map(_given_hint, parts))}]"
    if offered.is_method and parts[0].is_write:
        return "Self"
    return _given_hint(parts[0])


def forms(offered: Offered) -> Iterator[Form]:
    """The ways to call a function or method, in the order of their trial."""
    found = [_form(offered, s) for s in offered.signatures]
    yield from _joined(found)


def _form(offered: Offered, signature: Signature) -> Form:
    parameters = []
    for i, p in enumerate(signature.parameters):
        is_out = i == signature.out_at
        hint, default = taken_hint(p), default_of(p)
        if is_out and signature.out_count > 1:
            parts = ", ".join(["Tensor"] * signature.out_count)
            hint = f"tuple[{parts}] | list[Tensor] | None"
        if is_out and signature.functional is None:
            hint, default = hint.removesuffix(" | None"), ""
        parameters.append(Taken(p.name, hint, default, p.keyword_only))
    return Form(tuple(parameters), given_hint(offered, signature), signature.deprecated)


def _joined(found: Sequence[Form]) -> Iterator[Form]:
    """*found*, where two that differ in the type of one parameter are one.

    One signature makes a better message than two: the checker names the argument that is wrong.
    """
    done: list[Form] = []
    for form in found:
        for i, other in enumerate(done):
            both = _join(other, form)
            if both is not None:
                done[i] = both
                break
        else:
            done.append(form)
    for i, form in enumerate(done):
        if any(_covers(other, form) for other in done[:i]):
            continue
        yield form
        spread = _spread(form)
        if spread is not None:
            yield spread


def _join(one: Form, two: Form) -> Form | None:
    if one.returns != two.returns or one.deprecated or two.deprecated:
        return None
    if len(one.parameters) != len(two.parameters):
        return None
    differing = [
        i for i, pair in enumerate(zip(one.parameters, two.parameters)) if pair[0] != pair[1]
    ]
    if len(differing) != 1:
        return None
    i = differing[0]
    a, b = one.parameters[i], two.parameters[i]
    if a._replace(hint="") != b._replace(hint=""):
        return None
    joined = a._replace(hint=union((a.hint, b.hint)))
    return one._replace(parameters=(*one.parameters[:i], joined, *one.parameters[i + 1 :]))


def _covers(one: Form, two: Form) -> bool:
    """Whether *one* takes every call that *two* takes."""
    theirs = {p.name: p for p in two.parameters}
    if (
        one.returns != two.returns
        or list(theirs) != [p.name for p in one.parameters][: len(theirs)]
    ):
        return False
    for p in one.parameters:
        other = theirs.get(p.name)
        if other is None and not p.default:
            return False
        if other and not (set(_parts(other.hint)) <= set(_parts(p.hint)) and other[2:] == p[2:]):
            return False
    return True


def union(hints: Iterable[str]) -> str:
    """The hint of what any of *hints* takes, without repetition."""
    parts = dict.fromkeys(part for hint in hints for part in _parts(hint))
    last = ["None"] if "None" in parts else []
    return " | ".join([p for p in parts if p != "None"] + last)


def _parts(hint: str) -> Iterator[str]:
    depth = start = 0
    for i, c in enumerate(hint):
        depth += (c == "[") - (c == "]")
        if c == "|" and not depth:
            yield hint[start:i].strip()
            start = i + 1
    yield hint[start:].strip()


def _spread(form: Form) -> Form | None:
    """The form in which the ints of a lone list are given one by one: ``zeros(2, 3)``."""
    positional = [p for p in form.parameters if not p.keyword_only]
    if len(positional) != 1 or positional[0].hint != TAKEN["int[]"]:
        return None
    ints = positional[0]._replace(hint="_int", default="")
    return form._replace(parameters=(ints, *form.parameters[1:]), spread=True)


def definitions(name: str, offered: Offered, indent: str = "") -> list[str]:
    """The lines that define a function or method under *name*."""
    made = list(forms(offered))
    lines = []
    for form in made:
        if len(made) > 1:
            lines.append(f"{indent}@overload")
        if form.deprecated:
            lines.append(f'{indent}@deprecated("this order of arguments is deprecated")')
        taken = form.written(is_method=offered.is_method)
        lines += define(name, taken, form.returns, indent)
    return lines
