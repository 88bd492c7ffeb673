"""Calls of one overload from formulas and composites: arguments in its order, past the parser.

How many arguments stand there and which go by keyword says where each belongs, so a small function
is made once for each way of writing the call: it joins the signatures and fills in the defaults.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ..core import signature as S
from ..core.key_sets import grad_state, tls_state
from ..tensor import Tensor
from .arguments import default_backend, device_bit, full_arguments, number_sig
from .code import function
from .dispatch_entry import OVERLOADS, run
from .overload import Overload

__all__ = ["straight", "straight_named"]

_NAMES: Final = {
    "Tensor": Tensor,
    "BACKENDS": S.BACKENDS,
    "default_backend": default_backend,
    "device_bit": device_bit,
    "grad_state": grad_state,
    "tls_state": tls_state,
}


def straight_named(name: str) -> Callable[..., Any]:
    """:func:`straight` of the overload of this qualified name."""
    return straight(OVERLOADS[name])


def _number(value: Any) -> int:
    return 0 if value is None else number_sig(value)


def straight(overload: Overload) -> Callable[..., Any]:
    """A function that calls *overload*; it takes positional arguments and keywords."""
    forms: dict[Any, Callable[..., Any]] = {}

    def call(*args: Any, **kwargs: Any) -> Any:
        form: Any = (len(args), *kwargs) if kwargs else len(args)
        made = forms.get(form)
        if made is None:
            made = forms[form] = _compiled(overload, len(args), tuple(kwargs))
        return made(*args, *kwargs.values())

    return call


def _compiled(overload: Overload, n: int, keywords: tuple[str, ...]) -> Callable[..., Any]:
    """*overload* for calls with *n* positional arguments and these *keywords*, in this order."""
    overload.analyse()
    given = [*overload.names[:n], *keywords]
    known = set(given) <= set(overload.names) and len(set(given)) == len(given) == n + len(keywords)
    if overload.list_positions or not known:

        def any_call(*values: Any) -> Any:
            named = dict(zip(keywords, values[n:], strict=True))
            return run(overload, full_arguments(overload, values[:n], named))

        return any_call
    names = dict(_NAMES, table=overload.table, number=_number)
    full = []
    for p, name in enumerate(overload.names):
        if name in given:
            full.append(f"v{given.index(name)}")
        else:
            names[f"c{p}"] = overload.defaults[p]
            full.append(f"c{p}")
    tensors = [full[p] for p in overload.tensor_positions if full[p][0] == "v"]
    joined = [f"({v}._sig if isinstance({v}, Tensor) else number({v}))" for v in tensors]
    values = ", ".join(f"v{i}" for i in range(len(given)))
    lines = [f"def call({values}):", f"    sig = {' | '.join(joined) or '0'}"]
    device = full[overload.device_position] if overload.device_position >= 0 else "c"
    if device[0] == "v":
        lines.append(f"    if {device} is not None:")
        lines.append(f"        sig = sig & ~BACKENDS | device_bit({device})")
    lines.append("    if not sig & BACKENDS:")
    lines.append("        sig |= default_backend()")
    lines.append(f"    return table[sig | grad_state() | tls_state()]({', '.join(full)})")
    made: Callable[..., Any] = function("\n".join([*lines, "return call"]), names)
    return made
