"""Random arrays for kernels: what is filled, in which order, and the checks of parameters."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from mindtorch_storage.dtype import DType, from_numpy
from mindtorch_storage.output_layout import iteration_order

from ..call.elementwise_meta import BOOL, INTEGRAL, not_implemented
from ..call.fragments import telling
from ..core.errors import c_type_name
from ..core.warning import warn
from ..tensor.drawing_generator import DEFAULT, generator_or_default
from ..tensor.generator import Generator
from . import distributions
from .factory import Sized, like
from .options import on_meta

Array = np.ndarray[Any, Any]


def _real_dtype(dtype: DType) -> DType:
    return dtype.to_real() if dtype.is_complex else dtype


class Target(NamedTuple):
    """What is to be filled with numbers: torch fills memory in its own order."""

    shape: tuple[int, ...]
    dtype: DType
    strides: tuple[int, ...] | None = None

    def numel(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def arranger(self) -> Callable[[Array], Array]:
        """Makes of numbers drawn in memory order an array of the target's shape and dtype."""
        shape, dtype = self.shape, self.dtype.np
        if self.strides is None or len(shape) < 2:
            block, order = shape, None
        else:
            slowest_first = iteration_order(shape, [self.strides])[::-1]
            block, order = tuple(shape[d] for d in slowest_first), np.argsort(slowest_first)
        single = dtype.itemsize == 2 and self.dtype.is_floating_point
        flat = len(shape) == 1

        def arrange(numbers: Array) -> Array:
            if numbers.dtype is not dtype:
                if single:  # C++ goes this way, and rounds twice
                    numbers = numbers.astype(np.float32, copy=False)
                numbers = numbers.astype(dtype)
            if flat:
                return numbers
            numbers = numbers.reshape(block)
            return numbers if order is None else numbers.transpose(order)

        return arrange

    def flattener(self) -> Callable[[Array], Array]:
        """Gives the elements of an array in the target's memory order."""
        if self.strides is None or len(self.shape) < 2:
            return lambda array: array.reshape(-1)
        order = iteration_order(self.shape, [self.strides])[::-1]
        return lambda array: array.transpose(order).reshape(-1)

    @property
    def contiguous(self) -> bool:
        """Whether memory order is the order of the elements."""
        return self.strides is None


class Drawing:
    """Draws the numbers of a target from the generator that is given, or else the default one."""

    __slots__ = ("_dtype", "_flat", "arrange", "draw")

    def __init__(self, target: Target, draw: distributions.Draw) -> None:
        self.draw, self.arrange = draw, target.arranger()
        self._dtype, self._flat = target.dtype.np, len(target.shape) == 1

    def __call__(self, generator: Generator | None) -> Array:
        gen = generator_or_default(generator)
        with gen.lock:
            numbers = self.draw(gen)
        return self.arrange(numbers)

    def kernel(self) -> Callable[..., Array]:
        """What draws from the default generator, whatever it is given."""
        draw, arrange, dtype, flat = self.draw, self.arrange, self._dtype, self._flat

        def kernel(*_: Any) -> Array:
            gen = DEFAULT.generator
            with gen.lock:
                numbers = draw(gen)
            return numbers if flat and numbers.dtype is dtype else arrange(numbers)

        return telling(kernel, takes_nothing=True)


def target_of(array: Array, dtype: DType | None = None) -> Target:
    """The target that *array* itself is."""
    strides = None
    if not array.flags.c_contiguous:
        strides = tuple(s // array.itemsize for s in array.strides)
    return Target(array.shape, dtype or from_numpy(array.dtype), strides)


def target_like(self: Array, dtype: Any = None, fmt: Any = None) -> Target:
    """The target that a fresh tensor like *self* is."""
    return Target(*like(Sized(self), dtype, fmt))


def fresh(shape: tuple[int, ...], x: Array) -> Target:
    """A contiguous target of the dtype of *x*."""
    return Target(shape, from_numpy(x.dtype))


def drawing(target: Target, draw: distributions.Draw) -> Drawing:
    """What draws the numbers of *target* by *draw*, which gives them in one dimension."""
    return Drawing(target, draw)


def _in_parts(target: Target, draw: distributions.Draw) -> Drawing:
    """The same of complex numbers, of which *draw* gives the parts."""
    dtype = target.dtype.np
    return drawing(target, lambda gen: draw(gen).view(dtype))


def draw_uniform(target: Target, low: float = 0.0, high: float = 1.0) -> Drawing:
    """Uniform numbers; a complex one takes two numbers."""
    n, dtype = target.numel(), target.dtype
    if dtype.is_complex:
        return _in_parts(target, distributions.uniform(2 * n, dtype.to_real().np, low, high))
    return drawing(target, distributions.uniform(n, dtype.np, low, high))


def draw_normal(target: Target, mean: float = 0.0, std: float = 1.0) -> Drawing:
    """Normal numbers; a complex one's parts share the variance, and each has the mean."""
    n, dtype, contiguous = target.numel(), target.dtype, target.contiguous
    if dtype.is_complex:
        real, half = dtype.to_real().np, std / math.sqrt(2)
        parts = distributions.normal(2 * n, real, mean, half, contiguous=contiguous)
        return _in_parts(target, parts)
    return drawing(target, distributions.normal(n, dtype.np, mean, std, contiguous=contiguous))


def draw_integers(target: Target, low: int, high: int) -> Drawing:
    """Integers in [low, high)."""
    if target.dtype.is_floating_point:
        low, high = _representable(low, high, target.dtype)
    return drawing(target, distributions.integers(target.numel(), low, high))


def by_place(
    prepare: Callable[..., Drawing], place: int | None
) -> Callable[..., Callable[..., Array]]:
    """The ``prepare`` of a row that draws, whose generator is the argument at *place*, if any.

    *prepare* gets the other arguments.
    """
    if place is None:
        return lambda *args: prepare(*args).kernel()

    def prepare_given(*args: Any) -> Callable[..., Array]:
        at = place % len(args)
        run = prepare(*args[:at], *args[at + 1 :])
        return lambda *args: run(args[at])

    return prepare_given


def _representable(low: int, high: int, dtype: DType) -> tuple[int, int]:
    """Bounds that a float holds, where the integers beside them would be rounded past them.

    Source: torch aten/src/ATen/native/DistributionTemplates.h, update_from and update_to.
    """
    digits, kind = DIGITS[dtype.name], dtype.np.type
    above, below = int(float(kind(low + 1))), int(float(kind(high - 1)))
    if below >= 1 << 63:  # as an int64, on x86
        below = -(1 << 63)
    if above < low:
        low = above + (1 << abs(low + 1).bit_length() - digits)
    if below >= high:
        high = below - (1 << abs(high - 1).bit_length() - digits)
    return low, high


# ------------------------------------------------------------------------- checks

#: The bits that an integer needs to be exact, by floating dtype.
DIGITS: Final = {"float16": 11, "bfloat16": 8, "float32": 24, "float64": 53}
_LARGEST: Final = {
    "float16": 65504.0,
    "bfloat16": 3.3895313892515355e38,
    "float32": 3.4028234663852886e38,
    "float64": 1.7976931348623157e308,
}


def limits(dtype: DType) -> tuple[float, float]:
    if dtype.name == "bool":
        return 0, 1
    if dtype.is_floating_point:
        if dtype.name not in _LARGEST:
            raise not_implemented("random_update_from_to", dtype)
        return -_LARGEST[dtype.name], _LARGEST[dtype.name]
    if dtype.np.names:
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    info = np.iinfo(dtype.np)
    return int(info.min), int(info.max)


def check_normal(dtype: DType, std: float, device: Any = None, numel: int = 1) -> None:
    """Where nothing is drawn any dtype will do.

    Source: torch aten/src/ATen/native/DistributionTemplates.h, normal_impl_.
    """
    if not std >= 0.0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if dtype.name in INTEGRAL | BOOL and on_meta(device):
        raise RuntimeError(f"expected a floating-point or complex dtype, but got dtype={dtype}")
    if numel and dtype.name in INTEGRAL | BOOL:
        raise not_implemented("normal_kernel_cpu", dtype)


def check_uniform(dtype: DType, low: float, high: float, device: Any = None) -> None:
    """Source: torch aten/src/ATen/native/DistributionTemplates.h, uniform_impl_."""
    real = _real_dtype(dtype)
    if real.name not in DIGITS:
        if on_meta(device):
            return
        raise not_implemented("check_uniform_bounds", dtype)
    limit, name = _LARGEST[real.name], c_type_name(real)
    for label, value in (("from", low), ("to", high)):
        if not -limit <= value <= limit:
            raise RuntimeError(f"{label} is out of bounds for {name}")
    if low > high:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}"
        )
    if high - low > limit:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{real.scalar_type}>::max(), but "
            f"found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )


def check_integers(dtype: DType, low: int, high: int, device: Any) -> None:
    """Refuse bounds that are none, and warn of those that are not exact in *dtype*."""
    check_range(dtype, low, high, device)
    if on_meta(device):
        return
    warn_of_digits(dtype, {"from": low, "to - 1": high - 1})


def check_range(dtype: DType, low: int, high: int, device: Any) -> None:
    """Where nothing is drawn *dtype* need not hold the bounds.

    Source: torch aten/src/ATen/native/DistributionTemplates.h, random_from_to_impl.
    """
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    if on_meta(device):
        return
    if dtype.is_complex:
        raise RuntimeError(
            "check_random_bounds handles only integral, floating-point and boolean types"
        )
    check_bounds(dtype, {"from": low, "to - 1": high - 1})


def check_bounds(dtype: DType, values: dict[str, int]) -> None:
    """Integers that the dtype must hold, by the name they have in torch's texts."""
    smallest, largest = limits(dtype)
    for label, value in values.items():
        if not smallest <= value <= largest:
            raise RuntimeError(f"{label} is out of bounds for {c_type_name(dtype)}")


def warn_of_digits(dtype: DType, values: dict[str, int]) -> None:
    """Warn of integers, by the name they have in torch's texts, that a float does not hold."""
    digits = DIGITS.get(dtype.name)
    if digits is not None:
        for label, value in values.items():
            if not -(1 << digits) <= value <= 1 << digits:
                _warn_imprecise(label, digits, c_type_name(dtype))


def _warn_imprecise(label: str, digits: int, name: str) -> None:
    warn(
        f"{label} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
        f"{name} can support discrete uniform distribution only within this range. "
        "This warning will become an error in version 1.7 release, please fix the code in "
        "advance",
        UserWarning,
    )
