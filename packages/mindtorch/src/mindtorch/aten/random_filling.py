"""Tensors filled with random numbers in place."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, from_numpy

from ..call.elementwise_meta import BOOL, COMPLEX, NOT_REAL_FLOATING, UNSIGNED, not_implemented
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.errors import c_type_name
from ..core.operators import ops
from ..tensor.generator import Generator
from . import distributions
from .random_sampling import (
    DIGITS,
    Drawing,
    by_place,
    check_bounds,
    check_normal,
    check_range,
    check_uniform,
    draw_integers,
    draw_normal,
    draw_uniform,
    drawing,
    limits,
    target_of,
    warn_of_digits,
)
from .randomness import SEEDED, Array


def same(self: Any) -> Out:
    """The result of an in-place op: what *self* is."""
    return Out(tuple(self.shape), self.dtype, tuple(self.stride()))


def fill_row(
    schema: str,
    check: Any,
    draw: Any,
    samples: str,
    *,
    says: str = "",
    functional: bool | str | OutForm = True,
    **facts: Any,
) -> None:
    """An in-place row ``name_(Tensor(a!) self, …, *, Generator? generator=None)``.

    ``check(self, *parameters)`` raises, ``draw(self, *parameters)`` is what draws the numbers;
    the gradient is zero: what was there is overwritten.
    """

    def meta(self: Any, *parameters: Any) -> Out:
        check(self, *parameters[:-1])
        return same(self)

    op(
        schema,
        says=says,
        meta=meta,
        prepare=by_place(draw, -1),
        grad={"self": lambda g, c: ops.zeros_like(g)},
        half=False,
        variants="method",
        random=True,
        samples=samples,
        tags=SEEDED,
        functional=functional,
        **facts,
    )


fill_row(
    "uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) "
    "-> Tensor(a!)",
    lambda self, low, high: check_uniform(self.dtype, low, high, self.device),
    lambda self, low, high: draw_uniform(target_of(self), low, high),
    "uniform_",
    says="Fill the tensor with uniform random numbers between from and to.",
)
fill_row(
    "normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) "
    "-> Tensor(a!)",
    lambda self, mean, std: check_normal(self.dtype, std, self.device, self.numel()),
    lambda self, mean, std: draw_normal(target_of(self), mean, std),
    "normal_",
    says="Fill the tensor with normal random numbers.",
    functional="normal_functional",
)


def _upper(dtype: DType) -> int:
    """One more than the largest number that ``random_()`` draws."""
    digits = DIGITS.get(dtype.name)
    return (1 << digits) + 1 if digits is not None else int(limits(dtype)[1]) + 1


def _random_from(self: Array, low: int, high: int | None) -> Drawing:
    dtype = from_numpy(self.dtype)
    if high is None and not dtype.is_floating_point:
        high = int(limits(dtype)[1]) + 1
    elif high is None:
        high = (1 << DIGITS[dtype.name]) + 1
    return draw_integers(target_of(self), low, high)


def _random(self: Array) -> Drawing:
    target, n = target_of(self), self.size
    if not n:
        return drawing(target, lambda gen: np.empty(0))
    # The dtype alone decides here how many bits are drawn, not the range.
    wide = target.dtype.name in ("int64", "uint64", "float64", "uint32")
    upper = _upper(target.dtype)
    divisor = None if upper >= 1 << 64 else np.array(upper, np.uint64)

    def draw(gen: Generator) -> Array:
        numbers = gen.longs(n) if wide else gen.words(n)
        return numbers if divisor is None else numbers % divisor

    return drawing(target, draw)


def _check_random(self: Any, low: int, high: int | None) -> None:
    if high is not None:
        check_range(self.dtype, low, high, self.device)
    elif self.dtype.is_complex:
        raise RuntimeError(
            "random_from_to_impl handles only integral, floating-point and boolean types"
        )
    elif self.dtype.name == "uint64":  # one more than the largest is -1 as an int64
        raise RuntimeError(f"to - 1 is out of bounds for {c_type_name(self.dtype)}")
    else:
        check_bounds(self.dtype, {"from": low})


def _warn_of_digits(self: Any, low: int, high: int | None, generator: Any = None) -> None:
    values = {"from": low} if high is None else {"from": low, "to - 1": high - 1}
    warn_of_digits(self.dtype, values)


def _check_any(self: Any) -> None:
    if self.dtype.name in COMPLEX | UNSIGNED and self.device.type != "meta" and self.numel():
        raise not_implemented("random_kernel_cpu", self.dtype)


fill_row(
    "random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)",
    _check_random,
    _random_from,
    "random_from",
    warns=_warn_of_digits,
    says="Fill the tensor with random integers from a range, by default all that the "
    "dtype holds exactly.",
    functional=OutForm("from_out", meta="native"),
)
fill_row(
    "random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)",
    lambda self, high: _check_random(self, 0, high),
    lambda self, high: _random_from(self, 0, high),
    "random_to",
    warns=lambda self, high, generator: _warn_of_digits(self, 0, high),
    node=1,
    functional=OutForm("to_out", meta="native"),
)
fill_row(
    "random_(Tensor(a!) self, *, Generator? generator=None) -> Tensor(a!)",
    _check_any,
    _random,
    "random_",
    node=2,
    functional=OutForm(meta="native"),
)


def _refused(name: str, dtypes: frozenset[str]) -> Any:
    """A check of the dtype: the kernel's, which is not asked about nothing, or that of meta."""

    def check(self: Any, meta: frozenset[str]) -> None:
        if self.device.type == "meta":
            if self.dtype.name in meta:
                raise RuntimeError(f"{name} not implemented for torch.{self.dtype.name}")
        elif self.numel() and self.dtype.name in dtypes:
            raise not_implemented(f"{name}_cpu", self.dtype)

    return check


_check_geometric_dtype = _refused("geometric", BOOL | COMPLEX | UNSIGNED)
_check_log_normal_dtype = _refused("log_normal", NOT_REAL_FLOATING | UNSIGNED)


def _check_geometric(self: Any, p: float) -> None:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    _check_geometric_dtype(self, BOOL | COMPLEX)


def _check_cauchy(self: Any, median: float, sigma: float) -> None:
    if not sigma > 0.0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if not self.dtype.is_floating_point:
        gap, name = " ", c_type_name(self.dtype)
        if self.device.type == "meta":
            gap, name = " " * 9, f"torch.{self.dtype.name}"
        raise RuntimeError(
            f"Cauchy distribution is a continuous probability distribution.{gap}dtype must be a "
            f"floating point but you specified {name}"
        )


def _check_log_normal(self: Any, mean: float, std: float) -> None:
    if not std > 0.0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    _check_log_normal_dtype(self, NOT_REAL_FLOATING | UNSIGNED)


fill_row(
    "geometric_(Tensor(a!) self, float p, *, Generator? generator=None) -> Tensor(a!)",
    _check_geometric,
    lambda self, p: drawing(target_of(self), distributions.geometric(self.size, p)),
    "geometric_",
    says="Fill the tensor with numbers of trials up to the first success.",
)
fill_row(
    "cauchy_(Tensor(a!) self, float median=0., float sigma=1., *, Generator? generator=None) "
    "-> Tensor(a!)",
    _check_cauchy,
    lambda self, median, sigma: drawing(
        target_of(self), distributions.cauchy(self.size, median, sigma)
    ),
    "cauchy_",
    says="Fill the tensor with random numbers of a Cauchy distribution.",
)
fill_row(
    "log_normal_(Tensor(a!) self, float mean=1., float std=2., *, Generator? generator=None) "
    "-> Tensor(a!)",
    _check_log_normal,
    lambda self, mean, std: drawing(
        target_of(self), distributions.log_normal(self.size, mean, std)
    ),
    "log_normal_",
    says="Fill the tensor with exponentials of normal random numbers.",
)


def _check_exponential(self: Any, lambd: float) -> None:
    if not lambd > 0.0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if self.numel() and not self.dtype.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a "
            f"floating point but you specified {self.dtype.scalar_type}"
        )


fill_row(
    "exponential_(Tensor(a!) self, float lambd=1., *, Generator? generator=None) -> Tensor(a!)",
    _check_exponential,
    lambda self, lambd: drawing(target_of(self), distributions.exponential(self.size, lambd)),
    "exponential_",
    says="Fill the tensor with random numbers of an exponential distribution.",
)
