"""The texts of entrances.

An entrance (a function, a method, an operator) is made per name, from a text per *form*: the kinds
of its positional parameters and of its keywords. It looks its arguments up as one key and calls
what stands there with exactly the parameters that it has itself. The parts of a key, by kind:

==========  =====================================================================================
``tensor``  the tensor's interned meta
``maybe``   the same, or that there is none
``list``    the metas of a list's tensors
``several`` the same, or the meta of a tensor
``number``  the type: what stands in the table takes any number of it
``mixed``   a tensor's meta, or the type of a number
``either``  a tensor's meta, or the value of anything else
``sizes``   the value; a list counts as a tuple
``value``   the value
``object``  the type: generators, storages
``loose``   a tensor's meta, or the value of anything else; of objects the type
``rest``    the values of all further positional arguments; a list of them counts as a tuple
==========  =====================================================================================

Equal keys do not say that values are the same (True equals 1, 0.0 equals -0.0), so what stands in
the table looks at them again: see :func:`check`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final

from mindtorch_storage import Device, DType

from ..core.constants import layout, memory_format
from ..core.size import Size

__all__ = [
    "FIRST_TEXT",
    "SEQUENCES",
    "check",
    "entrance_text",
    "handed_on",
    "is_plain",
    "key_text",
    "operator_text",
    "pattern_text",
    "same",
]

#: What a parser takes for a list of numbers.
SEQUENCES: Final = (tuple, list, Size)
_TENSOR: Final = "({0}._meta_ if {0}.__class__ in TENSORS else {1})"
_LIST: Final = (
    "(tuple([t if t is None else t._meta_ for t in {0}]) "
    "if {0}.__class__ is list or {0}.__class__ is tuple else {0})"
)
_PARTS: Final = {
    "tensor": "{0}._meta_",
    "maybe": "(None if {0} is None else {0}._meta_)",
    "list": _LIST.format("{0}", "{0}"),
    "several": _TENSOR.format("{0}", _LIST),
    "number": "({0} if {0}.__class__ is bool else {0}.__class__)",
    "mixed": _TENSOR.format("{0}", "{0} if {0}.__class__ is bool else {0}.__class__"),
    "either": _TENSOR.format("{0}", "{0}"),
    "sizes": "(tuple({0}) if {0}.__class__ is list else {0})",
    "value": "{0}",
    "object": "{0}.__class__",
    "loose": _TENSOR.format("{0}", "{0}"),
    "rest": "{0}",
}
#: Values of these types equal none of another, and nothing else that equals them.
_ONLY: Final = frozenset((type(None), str, DType, Device, layout, memory_format, type))
_ELEMENTS: Final = frozenset((int, float, bool, str, complex, type(None)))

#: Up to so many sizes are looked at one by one.
_SHORT: Final = 5
#: A function may only be given code with the same cells: this line makes them so, and does nothing.
_CELLS: Final = (
    "if 0: NONE, MISSING, TENSORS, default_device, first, grad_state, miss, shorten, table, "
    "tls_state"
)
#: What has no hash may be a list in place of a tuple.
_LISTED: Final = """
        except TypeError:
            try:
                found = table[{key}]
            except (KeyError, AttributeError, TypeError, IndexError):
                pass
            else:
                return found({given})"""
#: What a function does until it has code of its own.
FIRST_TEXT: Final = f"""\
def call(*args, **kwargs):
    {_CELLS}
    try:
        return first(args, kwargs)
    except Exception as error:
        shorten(error)
        raise
return call"""


def entrance_text(
    positional: Sequence[str], keywords: Sequence[str], *, method: bool, rest: bool, more: str
) -> str:
    """The text of an entrance; ``k0``, ``k1``, … are to be given the keywords' names.

    :param positional: the kinds of the positional parameters; a *method*'s first is its object.
    :param keywords: the kinds of the keywords.
    :param rest: whether all further positional arguments are one value.
    :param more: what else stands in the key: an expression, or nothing.
    """
    n, m = len(positional), len(keywords)
    places, names = [f"p{i}" for i in range(n)], [f"k{i}" for i in range(m)]
    kinds = dict(zip(places, positional, strict=True))
    if rest:
        kinds["rest"] = "rest"
    kinds.update(zip(names, keywords, strict=True))
    parameters = [p if method and p == "p0" else f"{p}=MISSING" for p in places]
    if places:
        parameters.append("/")
    parameters += ["*rest", *[f"{k}=MISSING" for k in names], "**more"]
    parts = [_PARTS[kind].format(name) for name, kind in kinds.items()]
    parts += ["grad_state() | tls_state()", *([more] if more else [])]
    key = ", ".join(parts) if len(parts) > 1 else parts[0]
    first = "tuple(rest[0]) if rest[0].__class__ is list else rest[0]"
    listed = key.replace("rest", f"({first}, *rest[1:])")
    given = ", ".join([*places, *(["rest"] if rest else []), *names])
    odd = "more" if rest else "rest or more"
    own, named = "".join([f"{p}, " for p in places]), "".join([f"{k}, " for k in names])
    missed = f"miss(({own}), rest, ({named}), more)"
    return f"""\
def call({", ".join(parameters)}):
    {_CELLS}
    try:
        if {odd}:
            return {missed}
        try:
            found = table[{key}]
        except (KeyError, AttributeError{"" if rest else ", TypeError"}):
            pass{_LISTED.format(key=listed, given=given) if rest else ""}
        else:
            return found({given})
        return {missed}
    except Exception as error:
        shorten(error)
        raise
return call"""


def operator_text(kinds: Sequence[str]) -> str:
    """The text of a binary operator: what does not fit its operands is left to the other one."""
    parts = [_PARTS[kind].format(name) for kind, name in zip(kinds, ("p0", "p1"), strict=True)]
    return f"""\
def call(p0, p1, /):
    try:
        try:
            found = table[{", ".join(parts)}, grad_state() | tls_state()]
        except (KeyError, AttributeError, TypeError):
            pass
        else:
            return found(p0, p1)
        return miss((p0, p1), (), (), NONE)
    except TypeError:
        if isinstance(p0, Tensor):
            return NotImplemented
        raise
    except Exception as error:
        shorten(error)
        raise
return call"""


def _named(positional: Sequence[str], keywords: Sequence[str], rest: bool) -> dict[str, str]:
    """The parameters of an entrance, and their kinds."""
    named = {f"p{i}": kind for i, kind in enumerate(positional)}
    if rest:
        named["rest"] = "rest"
    return {**named, **{f"k{i}": kind for i, kind in enumerate(keywords)}}


def key_text(positional: Sequence[str], keywords: Sequence[str], *, rest: bool, more: str) -> str:
    """The text of a function from parameters of an entrance to their key.

    Unlike the entrance it gives tensors their metas.
    """
    found = []
    named = _named(positional, keywords, rest)
    for name, kind in named.items():
        part = _PARTS[kind]
        if kind == "rest":
            part = "listed({0})"
        elif kind == "loose":
            part = _TENSOR.format("{0}", "plain({0})")
        elif kind == "tensor" and name[0] == "k":  # most keywords are not given
            part = "({0} if {0} is MISSING else {0}._meta_)"
        elif kind == "maybe":
            part = "({0} if {0} is MISSING or {0} is None else {0}._meta_)"
        # What is no plain tensor has a meta, too.
        part = part.replace("{0}.__class__ in TENSORS", "isinstance({0}, Tensor)")
        for tensor in ("{0}", "t"):
            part = part.replace(f"{tensor}._meta_", f"meta({tensor})")
        found.append(part.format(name))
    found += ["grad_state() | tls_state()", *([more] if more else [])]
    key = f"({', '.join(found)})" if len(found) > 1 else found[0]
    return f"return lambda {', '.join(named)}: {key}"


#: What decides, of an argument of each kind, which overload is meant.
_SIGNATURES: Final = {
    "tensor": "{0}._sig_",
    "maybe": "({0} if {0} is None else {0}._sig_)",
    "mixed": "({0}._sig_ if {0}.__class__ in TENSORS else element({0}, 'mixed'))",
    "rest": "element(rest, 'rest')",
}
_OTHER: Final = "({0} if {0} is MISSING or {0} is None else element({0}, {1!r}))"


def pattern_text(
    positional: Sequence[str],
    keywords: Sequence[str],
    fixed: Container[str],
    *,
    rest: bool,
    more: str,
) -> str:
    """The text of a function from parameters of an entrance to their pattern.

    :param fixed: the parameters whose values are a part of it.
    """
    parts = []
    named = _named(positional, keywords, rest)
    for name, kind in named.items():
        kind = "fixed" if name in fixed else kind
        parts.append(_SIGNATURES.get(kind, _OTHER).format(name, kind))
    parts += [more] if more else []
    return f"return lambda {', '.join(named)}: ({', '.join(parts)},)"


def check(expression: str, value: Any, name: str, cells: dict[str, Any]) -> list[str]:
    """Conditions under which *expression*, though it equals *value*, is not the same."""
    kind = type(value)
    if kind in _ONLY:
        return []
    if kind is bool:
        return [f"{expression} is not {value}"]
    if kind is int or kind is float and value:
        return [f"{expression}.__class__ is not {kind.__name__}"]
    if kind in SEQUENCES and len(value) <= _SHORT and all(type(v) is int for v in value):
        return [f"{expression}[{i}].__class__ is not int" for i in range(len(value))]
    cells[name] = tuple(value) if kind is list else value  # who gave the list may change it
    return [f"{expression} is not {name} and not same({expression}, {name})"]


def is_plain(value: Any) -> bool:
    """Whether *value* may stand in a key: it cannot change, and says all of itself."""
    kind = type(value)
    if kind in SEQUENCES:
        return all(type(item) in _ELEMENTS for item in value)
    return kind in _ELEMENTS or kind in _ONLY


def same(a: Any, b: Any) -> bool:
    """Whether two plain values, which are equal, are the same to a parser."""
    if type(a) in SEQUENCES:
        return type(b) in SEQUENCES and len(a) == len(b) and all(map(same, a, b))
    if type(a) is not type(b) or a != b:
        return False
    return type(a) not in (float, complex) or repr(a) == repr(b)


def handed_on(value: Any, was: Any, name: str) -> str | None:
    """The text of what the parser made of an argument, whose text is *name*; None: it changed it.

    A sequence may have become another one, and a number a sequence.
    """
    if value is was:
        return name
    kind = type(value)
    if kind not in SEQUENCES:
        return None
    if type(was) in SEQUENCES:
        return f"{kind.__name__}({name})" if same(tuple(was), tuple(value)) else None
    if kind is Size or not value or any(v is not was for v in value):
        return None
    every = f"{name}, " * len(value)
    return f"({every})" if kind is tuple else f"[{every}]"
