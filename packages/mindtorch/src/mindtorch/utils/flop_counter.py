"""Counts the operations of products, in all and in each module."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import wraps
from math import prod
from typing import Any, ParamSpec, TypeVar

from .. import nn
from .._ops import ops
from ..aten.method_ops import asks_for_layout
from ..aten.torch import Tensor
from ..core.warning import warn
from ._python_dispatch import TorchDispatchMode
from ._pytree import tree_map
from .module_tracker import ModuleTracker

__all__ = ["FlopCounterMode", "register_flop_formula"]

_P = ParamSpec("_P")
_T = TypeVar("_T")

aten: Any = ops.aten

#: What counts the operations of an operator, by the operator's packet.
flop_registry: dict[Any, Callable[..., int]] = {}


def get_shape(i: Any) -> Any:
    """The shape of a tensor; anything else as it is."""
    return i.shape if isinstance(i, Tensor) else i


def shape_wrapper(f: Callable[..., int]) -> Callable[..., int]:
    """*f*, called with shapes in place of tensors."""

    @wraps(f)
    def nf(*args: Any, out_val: Any = None, **kwargs: Any) -> int:
        args, kwargs, out_shape = tree_map(get_shape, (args, kwargs, out_val))
        return f(*args, out_shape=out_shape, **kwargs)

    return nf


def register_flop_formula(
    targets: Any, get_raw: bool = False
) -> Callable[[Callable[_P, _T]], Callable[_P, _T]]:
    """Let the decorated function count the operations of operators.

    :param targets: ``torch.ops.…`` packets, one or a list.
    :param get_raw: it takes the tensors; else their shapes.
    """

    def register_fun(flop_formula: Callable[_P, _T]) -> Callable[_P, _T]:
        formula: Any = flop_formula if get_raw else shape_wrapper(flop_formula)  # type: ignore[arg-type]  # it counts
        for target in targets if isinstance(targets, (list, tuple)) else [targets]:
            if not hasattr(target, "overloads"):
                raise ValueError(
                    f"register_flop_formula(targets): expected each target to be "
                    f"OpOverloadPacket (i.e. torch.ops.mylib.foo) or JitFunction, got {target} "
                    f"which is of type {type(target)}"
                )
            if target in flop_registry:
                raise RuntimeError(f"duplicate registrations for {target}")
            flop_registry[target] = formula
        return flop_formula

    return register_fun


# Formulas -----------------------------------------------------------------------------------------


@register_flop_formula(aten.mm)
def mm_flop(a_shape: Any, b_shape: Any, *args: Any, out_shape: Any = None, **kwargs: Any) -> int:
    """Of a product of matrices."""
    (rows, inner), (other, columns) = a_shape, b_shape
    _check_equal("matmul: inner", "k", inner, other)
    return int(2 * rows * inner * columns)


def _check_equal(what: str, name: str, one: int, other: int) -> None:
    if one != other:
        raise AssertionError(
            f"{what} dimensions must match ({name} == {name}2), got {one} and {other}"
        )


@register_flop_formula(aten.addmm)
def addmm_flop(
    self_shape: Any, a_shape: Any, b_shape: Any, out_shape: Any = None, **kwargs: Any
) -> int:
    """Of a product of matrices that something is added to."""
    return mm_flop(a_shape, b_shape)


@register_flop_formula(aten.bmm)
def bmm_flop(a_shape: Any, b_shape: Any, out_shape: Any = None, **kwargs: Any) -> int:
    """Of products of matrices in a batch."""
    (batch, rows, inner), (batch2, inner2, columns) = a_shape, b_shape
    _check_equal("bmm: batch", "b", batch, batch2)
    _check_equal("bmm: inner", "k", inner, inner2)
    return int(2 * batch * rows * inner * columns)


@register_flop_formula(aten.baddbmm)
def baddbmm_flop(
    self_shape: Any, a_shape: Any, b_shape: Any, out_shape: Any = None, **kwargs: Any
) -> int:
    """Of products of matrices in a batch that something is added to."""
    return bmm_flop(a_shape, b_shape)


def conv_flop_count(
    x_shape: list[int], w_shape: list[int], out_shape: list[int], transposed: bool = False
) -> int:
    """Of a convolution; the bias is not counted.

    :param transposed: it is a transposed one.
    """
    batch_size = x_shape[0]
    places = (x_shape if transposed else out_shape)[2:]
    c_out, c_in, *filter_size = w_shape
    return int(prod(places) * prod(filter_size) * batch_size * c_out * c_in * 2)


def conv_flop(
    x_shape: Any,
    w_shape: Any,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    *args: Any,
    out_shape: Any = None,
    **kwargs: Any,
) -> int:
    """Of a call of a convolution."""
    return conv_flop_count(x_shape, w_shape, out_shape, transposed=transposed)


def conv_backward_flop(
    grad_out_shape: Any,
    x_shape: Any,
    w_shape: Any,
    _bias: Any,
    _stride: Any,
    _padding: Any,
    _dilation: Any,
    transposed: bool,
    _output_padding: Any,
    _groups: Any,
    output_mask: Any,
    out_shape: Any,
    **kwargs: Any,
) -> int:
    """Of the gradients of a convolution, which are convolutions too."""

    def t(shape: Any) -> list[int]:
        return [shape[1], shape[0], *shape[2:]]

    count = 0
    if output_mask[0]:
        count += conv_flop_count(grad_out_shape, w_shape, get_shape(out_shape[0]), not transposed)
    if output_mask[1]:
        of_weight = t(get_shape(out_shape[1]))
        if transposed:
            count += conv_flop_count(t(grad_out_shape), t(x_shape), of_weight, transposed=False)
        else:
            count += conv_flop_count(t(x_shape), t(grad_out_shape), of_weight, transposed=False)
    return count


def sdpa_flop_count(query_shape: Any, key_shape: Any, value_shape: Any) -> int:
    """Of attention: of its two products, whether or not parts of them are masked."""
    b, h, s_q, d_q = query_shape
    _b2, _h2, s_k, _d2 = key_shape
    _b3, _h3, _s3, d_v = value_shape
    if not b == _b2 == _b3:
        raise AssertionError(f"sdpa: batch dimensions must match, got {b}, {_b2} and {_b3}")
    count = bmm_flop((b * h, s_q, d_q), (b * h, d_q, s_k))
    count += bmm_flop((b * h, s_q, s_k), (b * h, s_k, d_v))
    return count


def sdpa_flop(
    query_shape: Any,
    key_shape: Any,
    value_shape: Any,
    *args: Any,
    out_shape: Any = None,
    **kwargs: Any,
) -> int:
    """Of a call of attention."""
    return sdpa_flop_count(query_shape, key_shape, value_shape)


def sdpa_backward_flop_count(
    grad_out_shape: Any, query_shape: Any, key_shape: Any, value_shape: Any
) -> int:
    """Of the gradients of attention, which computes the scores anew."""
    b, h, s_q, d_q = query_shape
    _, _, s_k, _ = key_shape
    _, _, _, d_v = value_shape
    n = b * h
    return sum(
        (
            bmm_flop((n, s_q, d_q), (n, d_q, s_k)),  # the scores
            bmm_flop((n, s_q, d_v), (n, d_v, s_k)),  # their gradient
            bmm_flop((n, s_k, s_q), (n, s_q, d_v)),  # that of the values
            bmm_flop((n, s_q, s_k), (n, s_k, d_q)),  # that of the queries
            bmm_flop((n, d_q, s_q), (n, s_q, s_k)),  # that of the keys
        )
    )


def sdpa_backward_flop(
    grad_out_shape: Any,
    query_shape: Any,
    key_shape: Any,
    value_shape: Any,
    *args: Any,
    out_shape: Any = None,
    **kwargs: Any,
) -> int:
    """Of a call of the gradients of attention."""
    return sdpa_backward_flop_count(grad_out_shape, query_shape, key_shape, value_shape)


def _register(formula: Callable[..., int], *names: str) -> None:
    """Register *formula* for the operators of these names that there are."""
    found = [packet for name in names if (packet := getattr(aten, name, None)) is not None]
    register_flop_formula(found)(formula)


_register(conv_flop, "convolution", "_convolution", "cudnn_convolution", "_slow_conv2d_forward")
_register(conv_backward_flop, "convolution_backward")
_register(
    sdpa_flop,
    "_scaled_dot_product_efficient_attention",
    "_scaled_dot_product_flash_attention",
    "_scaled_dot_product_cudnn_attention",
    "_scaled_dot_product_flash_attention_for_cpu",  # which torch forgets
)
_register(
    sdpa_backward_flop,
    "_scaled_dot_product_efficient_attention_backward",
    "_scaled_dot_product_flash_attention_backward",
    "_scaled_dot_product_cudnn_attention_backward",
    "_scaled_dot_product_flash_attention_for_cpu_backward",
)


# Tables -------------------------------------------------------------------------------------------

suffixes = ["", "K", "M", "B", "T"]


def get_suffix_str(number: int) -> str:
    """The unit in which *number* has two to four digits before the point."""
    index = max(0, min(len(suffixes) - 1, (len(str(number)) - 2) // 3))
    return suffixes[index]


def convert_num_with_suffix(number: int, suffix: str) -> str:
    """*number* in a unit."""
    index = suffixes.index(suffix)
    return f"{number / 1000**index:.3f}{suffixes[index]}"


def convert_to_percent_str(num: int, denom: int) -> str:
    """The share of *denom* in per cent."""
    return "0%" if denom == 0 else f"{num / denom:.2%}"


def normalize_tuple(x: Any) -> tuple[Any, ...]:
    """*x* as a tuple."""
    return x if isinstance(x, tuple) else (x,)


def _table(rows: list[list[str]], header: list[str]) -> str:
    """Rows under a header: the first column begins at the left, the others end at the right."""
    rows = [[cell.strip() for cell in row] for row in rows]
    for row in rows:
        try:
            row[1] = f"{float(row[1]):g}"  # without a unit there is nothing after the point
        except ValueError:
            pass
    widths = [
        max([len(title) + 2, *(len(row[i]) for row in rows)]) for i, title in enumerate(header)
    ]

    def line(cells: list[str]) -> str:
        rest = [f"{cell:>{width}}" for cell, width in zip(cells[1:], widths[1:])]
        return "  ".join([f"{cells[0]:<{widths[0]}}", *rest]).rstrip()

    rule = "  ".join(["-" * width for width in widths])
    return "\n".join([line(header), rule, *[line(row) for row in rows]])


class FlopCounterMode:
    """Count, in a ``with`` block, the operations of products in all and in each module.

    :param mods: no longer needed.
    :param depth: how many levels of modules the table shows.
    :param display: print the table at the end.
    :param custom_mapping: formulas for more operators.
    """

    def __init__(
        self,
        mods: nn.Module | list[nn.Module] | None = None,
        depth: int = 2,
        display: bool = True,
        custom_mapping: dict[Any, Any] | None = None,
    ) -> None:
        super().__init__()
        self.flop_counts: dict[str, dict[Any, int]] = defaultdict(lambda: defaultdict(int))
        self.depth = depth
        self.display = display
        self.mode: _FlopCounterMode | None = None
        if mods is not None:
            warn("mods argument is not needed anymore, you can stop passing it")
        self.flop_registry = dict(flop_registry)
        for op, formula in (custom_mapping or {}).items():
            raw = getattr(formula, "_get_raw", False)
            self.flop_registry[op] = formula if raw else shape_wrapper(formula)
        self.mod_tracker = ModuleTracker()

    def get_total_flops(self) -> int:
        """How many operations there were."""
        return sum(self.flop_counts["Global"].values())

    def get_flop_counts(self) -> dict[str, dict[Any, int]]:
        """How many of each operator there were in each module."""
        return {k: dict(v) for k, v in self.flop_counts.items()}

    def get_table(self, depth: int | None = None) -> str:
        """The counts as a table.

        :param depth: how many levels of modules it shows.
        """
        if depth is None:
            depth = self.depth if self.depth is not None else 999999
        values: list[list[str]] = []
        total_flops = self.get_total_flops()
        suffix = get_suffix_str(total_flops)
        is_global_subsumed = False

        def rows_of(name: str, level: int) -> Iterator[list[str]]:
            nonlocal is_global_subsumed
            total = sum(self.flop_counts[name].values())
            is_global_subsumed |= total >= total_flops
            padding = " " * level
            for label, count in [(name, total), *self.flop_counts[name].items()]:
                mark = " - " if label is not name else ""
                yield [
                    f"{padding}{mark}{label}",
                    convert_num_with_suffix(count, suffix),
                    convert_to_percent_str(count, total_flops),
                ]

        for name in sorted(self.flop_counts.keys()):
            level = name.count(".") + 1
            if name != "Global" and level <= depth:
                values += rows_of(name, level - 1)
        if "Global" in self.flop_counts and not is_global_subsumed:
            for value in values:
                value[0] = " " + value[0]
            values = [*rows_of("Global", 0), *values]
        if not values:
            values = [["Global", "0", "0%"]]
        return _table(values, ["Module", "FLOP", "% Total"])

    def __enter__(self) -> FlopCounterMode:
        self.flop_counts.clear()
        self.mode = _FlopCounterMode(self)
        for inner in (self.mod_tracker, self.mode):
            inner.__enter__()
        return self

    def __exit__(self, *args: object) -> None:
        if self.mode is None:
            raise AssertionError("Internal error: FlopCounter.__exit__ called but mode is None")
        self.mode.__exit__(*args)
        self.mode = None
        self.mod_tracker.__exit__()
        if self.display:
            print(self.get_table(self.depth))

    def _count_flops(self, func_packet: Any, out: Any, args: Any, kwargs: Any) -> Any:
        if func_packet in self.flop_registry:
            count = self.flop_registry[func_packet](*args, **kwargs, out_val=out)
            for parent in set(self.mod_tracker.parents):
                self.flop_counts[parent][func_packet] += count
        return out


class _FlopCounterMode(TorchDispatchMode):
    """Sees the calls."""

    supports_higher_order_operators = True

    def __init__(self, counter: FlopCounterMode) -> None:
        super().__init__()
        self.counter = counter

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs if kwargs else {}
        if asks_for_layout(func.name()):
            return NotImplemented
        if func._overloadpacket not in self.counter.flop_registry:
            with self:
                result = func.decompose(*args, **kwargs)
                if result is not NotImplemented:
                    return result
        out = func(*args, **kwargs)
        return self.counter._count_flops(func._overloadpacket, out, args, kwargs)
