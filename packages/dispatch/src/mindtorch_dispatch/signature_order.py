"""The order of a function's signatures, in which none shadows another."""

from __future__ import annotations

from collections.abc import Sequence

from .parameter import Signature, without_optional
from .schema import Argument

# torch's C++ spellings; only their alphabetical order matters (see sort_key).
_CPP = {"int": "int64_t", "float": "double", "str": "c10::string_view"}
_CPP_LISTS = {
    "int": "IntArrayRef",
    "SymInt": "SymIntArrayRef",
    "Tensor": "TensorList",
    "float": "ArrayRef<double>",
    "Scalar": "ScalarList",
    "Tensor?": "c10::List<::std::optional<Tensor>>",
}


def _cpp_type(argument: Argument) -> str:
    plain, nullable = without_optional(argument.real_type)
    if plain._kind == "ListType":
        element = plain._contained[0].text
        if element == "bool" and argument.N:
            text = f"::std::array<bool,{argument.N}>"
        else:
            text = _CPP_LISTS.get(element, f"ArrayRef<{element}>")
            if argument.N is not None and text.endswith(("ArrayRef", "TensorList")):
                text += f"[{argument.N}]"
    else:
        text = _CPP.get(plain.text, plain.text)
    return text + "?" if nullable else text


def sort_key(name: str, signature: Signature, inputs: Sequence[Argument], method: bool) -> str:
    """torchgen's text of the signature: overloads are first sorted by it."""
    types = {a.name: _cpp_type(a) for a in inputs}
    parts = []
    keyword = False
    for p in signature.parameters:
        if p.keyword_only and not keyword:
            keyword = True
            parts.append("*")
        kind = types.get(p.schema_name)
        if kind is None:
            kind = f"TensorList[{signature.out_count}]" if p.kind == "Tensor[]" else p.kind
        parts.append(f"{kind} {p.name}" + (f"={p.default_text}" if p.optional else ""))
    return f"{name}({', '.join(parts)})" + ("|deprecated" if signature.deprecated else "")


def _comes_after(one: str, two: str) -> bool:
    """Whether an argument of type *one* would take values that are meant for *two*."""
    return (
        (one == "Scalar" and two == "Tensor")
        or (one == "Scalar?" and two == "Tensor?")
        or (one == "int[]" and two in ("int", "int?"))
        or (one == "Tensor[]" and "[]" in two)
        or (one == "SymInt[]" and two == "int[]")
        or (one in ("SymInt", "int") and two == "Tensor")
    )


def _shadows(one: list[str], two: list[str]) -> bool:
    return (
        len(one) == len(two)
        and one != two
        and all([a == b or _comes_after(a, b) for a, b in zip(one, two, strict=True)])
    )


def ordered(made: list[tuple[str, list[str], Signature]]) -> list[Signature]:
    """Alphabetical, but after what it would shadow; deprecated signatures last."""
    made = sorted(made, key=lambda entry: (entry[2].deprecated, entry[0]))
    waits: dict[int, set[int]] = {}
    for i, one in enumerate(made):
        behind = {j for j, two in enumerate(made) if i != j and _shadows(one[1], two[1])}
        if behind:
            waits[i] = behind
    if not waits:
        return [signature for _, _, signature in made]
    order = [i for i in range(len(made)) if i not in waits]
    for done in order:  # grows while it is walked
        for i in sorted(waits):
            waits[i].discard(done)
            if not waits[i]:
                del waits[i]
                order.append(i)
    return [made[i][2] for i in order]
