"""Entrances of one overload: from ``torch.ops``, from formulas and from composites.

There is no choice of overloads and no parser: arguments come in the schema's order and under its
names. Calls from ``torch.ops`` are checked and converted by the schema; those of formulas and
composites are the library's own and are not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from mindtorch_dispatch.argument_parser import Place
from mindtorch_dispatch.parameter import Parameter, Signature

from .arguments import full_arguments
from .dispatch_entry import OVERLOADS, run
from .entrance import Entrance
from .overload import Overload

__all__ = ["SchemaParser", "call_again", "straight", "straight_named"]

#: The type of a parameter by that of a schema's argument.
_TYPES = {
    "number": "Scalar",
    "List[Tensor]": "Tensor[]",
    "List[Optional[Tensor]]": "Tensor[]",
}


def _parameter(argument: Any, in_order: bool) -> Parameter:
    text = str(argument.real_type)
    nullable = text.startswith("Optional[")
    kind = text.removeprefix("Optional[").removesuffix("]") if nullable else text
    kind = _TYPES.get(kind, "int[]" if kind.startswith("List[") else kind)
    return Parameter(
        argument.name,
        kind,
        nullable=nullable,
        optional=argument.has_default_value(),
        keyword_only=argument.kwarg_only and not in_order,
        numbers_as_tensors=kind == "Tensor" and not nullable,
    )


class SchemaParser:
    """Stands for a parser where the overload is known.

    *bind* makes of arguments as they were given all arguments in the schema's order.
    """

    __slots__ = ("_bind", "_in_order", "_overload", "_signatures")

    def __init__(
        self, overload: Overload, bind: Callable[..., tuple[Any, ...]], *, in_order: bool = False
    ) -> None:
        self._overload, self._bind, self._in_order = overload, bind, in_order
        self._signatures: list[Signature] | None = None

    @property
    def signatures(self) -> list[Signature]:
        """The only one, made when the function gets code of its own."""
        if self._signatures is None:
            arguments = self._overload.schema.arguments
            parameters = [_parameter(a, self._in_order) for a in arguments]
            self._signatures = [Signature(self._overload.name, parameters)]
        return self._signatures

    def parse(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[int, tuple[Any, ...]]:
        """The arguments of the overload, the only one of its group."""
        return 0, self._bind(args, kwargs)

    def places(
        self, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> tuple[int, list[Place], Signature]:
        """Where the arguments of the overload come from."""
        signature = self.signatures[0]
        found = []
        for i, parameter in enumerate(signature.parameters):
            if i < len(args):
                found.append(Place("positional", i))
            elif parameter.name in kwargs:
                found.append(Place("keyword", parameter.name))
            else:
                found.append(Place("default", parameter.default))
        return 0, found, signature

    def extras(self, which: int) -> tuple[str, ...]:
        """Nothing follows the schema's arguments."""
        return ()


def straight(overload: Overload, *, in_order: bool = False) -> Callable[..., Any]:
    """A function that calls *overload* with arguments of ours, as they are.

    :param in_order: all of them are given by place, in the schema's order.
    """

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        return full_arguments(overload, args, kwargs)

    def after(parser: Any, which: int, overload: Overload, full: tuple[Any, ...]) -> Any:
        return run(overload, full)

    parser = SchemaParser(overload, bind, in_order=in_order)
    entrance = Entrance(
        parser,
        [overload],
        name=overload.base,
        calls=overload.table,
        pack=lambda _: None,
        after=after,
    )
    return entrance.function


@cache
def _in_order(overload: Overload) -> Callable[..., Any]:
    return straight(overload, in_order=True)


def call_again(overload: Overload, args: tuple[Any, ...]) -> Any:
    """Call *overload* with all its arguments in schema order; calls that come again are known."""
    return _in_order(overload)(*args)


@cache
def straight_named(name: str) -> Callable[..., Any]:
    """:func:`straight` of the overload of this qualified name."""
    return straight(OVERLOADS[name])
