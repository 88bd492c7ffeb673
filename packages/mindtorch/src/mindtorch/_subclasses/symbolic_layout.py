"""Sizes and strides of fake tensors that are symbols, and how results of operators have them.

The operator runs on meta tensors of the sizes of this run; beside that, its row's rule is asked for
the sizes of the result once more, with symbols in place of numbers. Where a rule needs a number, a
symbol becomes one, and the program hears of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Any, NamedTuple

from mindtorch_storage import Device

from ..aten.checked_numbers import check_range, check_range_of_size, check_truth
from ..aten.symbolic_numbers import SymInt
from ..call.arguments import full_arguments
from ..call.dispatch_entry import OVERLOADS
from ..call.elementwise_meta import RULES
from ..call.overload import INPLACE, OUT, Overload
from ..core import signature as S
from ..core.results import Out, ViewOf
from ..tensor import Tensor
from ..tensor.array_memory import phantom_array
from ..tensor.resizing import look_at
from ..utils._pytree import tree_leaves, tree_map
from .symbolic_rules import (
    RULES_OF_DATA,
    RULES_OF_SYMBOLS,
    SYMBOLIC,
    broadcast,
    depends_on_data,
    hint_of,
    holds,
)

__all__ = [
    "SIZES",
    "Symbols",
    "Unnamed",
    "arguments_to_run",
    "dense_strides",
    "has_symbols",
    "hint_of",
    "renew",
    "said_of_results",
    "tell_results",
]

_META = Device("meta")


class Symbols(NamedTuple):
    """What of a tensor's layout may be symbols."""

    sizes: tuple[Any, ...]
    strides: tuple[Any, ...]
    #: Where the first element lies, if that is a symbol.
    offset: Any = None

    def numel_node(self) -> Any:
        """The node of the number of elements; that number where it is one."""
        symbols = [size.node for size in self.sizes if isinstance(size, SymInt)]
        numbers = [size for size in self.sizes if not isinstance(size, SymInt)]
        return symbols[0].product(symbols[1:], prod(numbers)) if symbols else prod(numbers)


#: Operators of numbers and layouts, which have no tensor as a result, by their names.
SIZES: dict[str, Callable[..., Any]] = {
    "aten::sym_size.int": lambda self, dim: self.size(dim),
    "aten::sym_stride.int": lambda self, dim: self.stride(dim),
    "aten::sym_numel": lambda self: self.numel(),
    "aten::sym_storage_offset": lambda self: self.storage_offset(),
    "aten::sym_size": lambda self: self.size(),
    "aten::sym_stride": lambda self: self.stride(),
    "aten::size.int": lambda self, dim: self.size(dim),
    "aten::stride.int": lambda self, dim: self.stride(dim),
    "aten::_assert_scalar": check_truth,
    "aten::sym_constrain_range": lambda size, min=None, max=None: check_range(size, min, max),
    "aten::sym_constrain_range_for_size": (
        lambda size, min=None, max=None: check_range_of_size(size, min, max)
    ),
}


def has_symbols(leaves: Iterable[Any]) -> bool:
    """Whether one of the arguments is a symbol, or a tensor with symbols."""
    return any(
        isinstance(leaf, SYMBOLIC) or getattr(leaf, "symbols", None) is not None for leaf in leaves
    )


def dense_strides(
    sizes: Sequence[Any], shape: Sequence[int], strides: Sequence[int]
) -> tuple[Any, ...]:
    """The strides of *sizes* that are *strides* where these are *shape*.

    Those of a dimension that lies around others are what these take; all else is a number.
    """
    found: list[Any] = list(strides)
    known: dict[int, Any] = {1: 1}
    order = sorted(range(len(shape)), key=lambda d: (strides[d], shape[d] != 1, -d))
    for d in order:
        if strides[d] in known:
            found[d] = known[strides[d]]
        known[strides[d] * shape[d]] = found[d] * sizes[d]
    return tuple(found)


class Unnamed(NamedTuple):
    """Where the tensor of a number comes from, of which the program does not say it."""

    number: int

    @property
    def name(self) -> str:
        """A name for it."""
        return f"__meta_utils_unknown_tensor{self.number}"


class TrackedFake(NamedTuple):
    """A fake tensor with symbols, where it comes from, and what was said of it."""

    fake: Any
    source: Any
    symbolic_context: Any


class AnyStride(int):
    """A stride where only sizes matter: what is asked of it has the answer of this run."""

    def __mul__(self, other: Any) -> Any:
        return AnyStride(int(self) * hint_of(other))

    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return int(self) == hint_of(other)

    def __ne__(self, other: object) -> bool:
        return int(self) != hint_of(other)

    def __lt__(self, other: Any) -> bool:
        return bool(int(self) < hint_of(other))

    def __le__(self, other: Any) -> bool:
        return bool(int(self) <= hint_of(other))

    def __gt__(self, other: Any) -> bool:
        return bool(int(self) > hint_of(other))

    def __ge__(self, other: Any) -> bool:
        return bool(int(self) >= hint_of(other))

    __hash__ = int.__hash__


class Stand:
    """Stands for a fake tensor where a rule looks at sizes.

    :param views: whether the rule is one of views, whose strides matter.
    """

    def __init__(self, fake: Any, views: bool) -> None:
        self._fake = fake
        strides = fake.stride()
        self._strides = strides if views else tuple(AnyStride(hint_of(s)) for s in strides)
        self.shape = fake.shape
        self.dtype, self.ndim = fake.dtype, fake.ndim
        self.device = _META  # where the call ran
        self._sig_ = fake._sig_ & ~S.BACKENDS | S.META

    def size(self, dim: int | None = None) -> Any:
        """Sizes, or one of them."""
        return self.shape if dim is None else self.shape[dim]

    def stride(self, dim: int | None = None) -> Any:
        """Strides, or one of them."""
        return self._strides if dim is None else self._strides[dim]

    def dim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def numel(self) -> Any:
        """The number of elements."""
        return self._fake.numel()

    def __getattr__(self, name: str) -> Any:
        if name == "_a_":
            raise AttributeError(name)
        return getattr(self._fake, name)


def arguments_to_run(func: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments of a call, numbers in place of symbols."""
    if func.name() == "aten::select.int" and depends_on_data(args[2]):
        args = (*args[:2], 0)  # wherever it is, it looks the same
    plain: tuple[Any, Any] = tree_map(hint_of, (args, kwargs))
    return plain


def renew(fake: Any) -> None:
    """Let *fake* have the sizes that stand for its symbols now."""
    symbols = fake.symbols
    if symbols is None:
        return
    shape = tuple(map(hint_of, symbols.sizes))
    if tuple(fake._a_.shape) != shape:
        strides = tuple(map(hint_of, symbols.strides))
        look_at(fake, phantom_array(shape, fake._a_.dtype, strides))


def said_of_results(mode: Any, func: Any, args: Any, kwargs: Any) -> list[Any]:
    """The layout of each result of a call, or None where it keeps what it has."""
    overload = OVERLOADS.get(func.name())
    if overload is None:
        return []
    full = full_arguments(overload, tuple(args), kwargs)
    if overload.kind == OUT or overload.kind == INPLACE and not overload.changes_look:
        return []
    with mode.shape_env.inside_operator():
        said = _said(mode, overload, func, full)
        for layout in said if mode.shape_env.depends_on_data else ():
            for size in layout[0] if layout is not None else ():
                if depends_on_data(size):
                    holds(size >= 0)
    return said


def tell_results(result: Any, said: list[Any]) -> None:
    """Give the *result* of a call, which has the sizes of this run, its symbols."""
    if said:
        fresh = [t for t in tree_leaves(result) if isinstance(t, Tensor)]
        for tensor, layout in zip(fresh, said, strict=True):
            if layout is not None:
                _tell(tensor, *layout)


def _tell(
    tensor: Any, sizes: Sequence[Any], strides: Sequence[Any] | None, offset: Any = None
) -> None:
    """Give *tensor* the symbols of a layout. Raises AssertionError where it is another one."""
    shape = tuple(tensor._a_.shape)
    by_data = any(map(depends_on_data, sizes))
    if not by_data and tuple(map(hint_of, sizes)) != shape:
        raise AssertionError(f"sizes {tuple(sizes)} are not those of this run, {shape}")
    if not any(isinstance(size, SymInt) for size in (*sizes, *(strides or ()), offset)):
        tensor.symbols = None
        return
    for size in sizes:  # torch asks so of each, to know how elements lie
        if isinstance(size, SymInt) and not depends_on_data(size):
            size.node.is_one()
    if strides is None:
        strides = dense_strides(sizes, shape, _strides_now(tensor))
    tensor.symbols = Symbols(tuple(sizes), tuple(strides), offset)
    renew(tensor)


def _strides_now(tensor: Any) -> tuple[int, ...]:
    return tuple(super(type(tensor), tensor).stride())


def _said(mode: Any, overload: Overload, func: Any, full: tuple[Any, ...]) -> list[Any]:
    """Sizes and strides of each result; None of one that keeps what it has."""
    row = overload.row
    own = RULES_OF_SYMBOLS.get(row.name)
    if mode.shape_env.depends_on_data and row.name in RULES_OF_DATA:
        if any(map(depends_on_data, _numbers(full))):
            own = RULES_OF_DATA[row.name]
    if own is None and overload.composed:
        assert row.composite is not None
        with mode:
            made = row.composite(*full)
        return [
            None if not isinstance(t, Tensor) else (t.shape, t.stride() if row.view else None)
            for t in tree_leaves(made)
            if isinstance(t, Tensor)
        ]
    if own is None and (row.meta in RULES or row.meta is None and row.promote is not None):
        count = RULES[row.meta].operands if row.meta in RULES else len(overload.tensor_positions)
        operands = [full[i] for i in range(min(count, len(full)))]
        return [(broadcast([t.shape for t in operands if isinstance(t, Tensor)]), None)]
    rule: Callable[..., Any] | None = own or row.view or row.meta or row.infer
    if rule is None:
        raise NotImplementedError(f"{func}: sizes of the result, where sizes are symbols")
    outs = rule(*[_stand_in(value, rule is not row.meta) for value in full])
    return [_layout(out) for out in _each(outs) if out is not None]


def _numbers(full: tuple[Any, ...]) -> list[Any]:
    """The numbers among arguments, and the sizes of tensors."""
    return [
        number
        for leaf in tree_leaves(list(full))
        for number in (leaf.shape if isinstance(leaf, Tensor) else (leaf,))
    ]


def _each(outs: Any) -> Sequence[Any]:
    return (outs,) if isinstance(outs, (Out, ViewOf)) else outs


def _layout(out: Any) -> tuple[Any, ...]:
    if not isinstance(out, ViewOf):
        return out.shape, None
    return out.shape, out.strides, out.offset if isinstance(out.offset, SymInt) else None


def _stand_in(value: Any, views: bool) -> Any:
    if isinstance(value, Tensor):
        return Stand(value, views)
    if isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
        return type(value)(_stand_in(v, views) for v in value)
    return value
