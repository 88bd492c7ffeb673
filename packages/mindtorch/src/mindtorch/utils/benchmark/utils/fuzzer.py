"""Random parameters and tensors for benchmarks."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ....aten import torch

__all__ = ["Fuzzer", "FuzzedParameter", "ParameterAlias", "FuzzedTensor"]

_DISTRIBUTIONS = ("loguniform", "uniform")


def dtype_size(dtype: Any) -> int:
    """How many bytes an element takes."""
    if dtype == torch.bool:
        return 1
    told = torch.finfo if dtype.is_complex or dtype.is_floating_point else torch.iinfo
    return told(dtype).bits // 8


def prod(values: Any, base: int = 1) -> Any:
    """The product of *values* and *base*."""
    return functools.reduce(lambda x, y: int(x) * int(y), values, base)


class FuzzedParameter:
    """A number that is drawn.

    :param distribution: ``"uniform"``, ``"loguniform"``, or values with their probabilities.
    :param strict: a drawn number outside of the bounds is not moved to them.
    """

    def __init__(
        self,
        name: str,
        minval: int | float | None = None,
        maxval: int | float | None = None,
        distribution: str | dict[Any, float] | None = None,
        strict: bool = False,
    ) -> None:
        self._name, self.strict = name, strict
        self._minval, self._maxval = minval, maxval
        self._distribution = self._check_distribution(distribution)

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def sample(self, state: Any) -> Any:
        """A number, drawn with numpy's *state*."""
        if isinstance(self._distribution, dict):
            return self._custom_distribution(state)
        draw = {"loguniform": self._loguniform, "uniform": self._uniform}.get(self._distribution)
        if draw is None:
            raise ValueError("Unknown distribution")
        return draw(state)

    def _check_distribution(self, distribution: Any) -> Any:
        if isinstance(distribution, dict):
            chances = distribution.values()
            bounds = ("minval", self._minval), ("maxval", self._maxval)
            if min(chances, default=0) < 0:
                raise AssertionError("Probabilities cannot be negative")
            if abs(sum(chances) - 1) > 1e-5:
                raise AssertionError("Distribution is not normalized")
            for what, bound in bounds:
                if bound is not None:
                    raise AssertionError(f"{what} is not applicable for custom distributions")
        elif distribution not in _DISTRIBUTIONS:
            raise AssertionError(f"Unknown distribution: {distribution}")
        return distribution

    def _bounds(self) -> tuple[Any, Any]:
        assert self._minval is not None and self._maxval is not None
        return self._minval, self._maxval

    def _loguniform(self, state: Any) -> Any:
        low, high = self._bounds()
        # Rounding down may lead below the bounds.
        return min(max(int(2 ** state.uniform(np.log2(low), np.log2(high))), low), high)

    def _uniform(self, state: Any) -> Any:
        low, high = self._bounds()
        if isinstance(low, int) and isinstance(high, int):
            return int(state.randint(low=low, high=high + 1))
        return state.uniform(low=low, high=high)

    def _custom_distribution(self, state: Any) -> Any:
        # By numbers: of the values numpy would make scalars of its own, and lose the aliases.
        values, chances = zip(*self._distribution.items())
        return values[state.choice(len(values), p=chances)]


class ParameterAlias:
    """Stands in a distribution for the value of another parameter."""

    def __init__(self, alias_to: str) -> None:
        self.alias_to = alias_to

    def __repr__(self) -> str:
        return f"ParameterAlias[alias_to: {self.alias_to}]"


class FuzzedTensor:
    """A tensor that is drawn: its size from parameters, its values uniformly.

    :param steps: of each dimension only every so manyth element of a larger tensor is taken.
    :param probability_contiguous: else its dimensions are in another order in memory.
    :param dim_parameter: the parameter that says how many dimensions there are.
    """

    def __init__(
        self,
        name: str,
        size: tuple[str | int, ...],
        steps: tuple[str | int, ...] | None = None,
        probability_contiguous: float = 0.5,
        min_elements: int | None = None,
        max_elements: int | None = None,
        max_allocation_bytes: int | None = None,
        dim_parameter: str | None = None,
        roll_parameter: str | None = None,
        dtype: Any = torch.float32,
        cuda: bool = False,
        tensor_constructor: Callable[..., Any] | None = None,
    ) -> None:
        self._name, self._dtype, self._cuda = name, dtype, cuda
        self._size, self._steps, self._dim_parameter = size, steps, dim_parameter
        self._min_elements, self._max_elements = min_elements, max_elements
        self._max_allocation_bytes = max_allocation_bytes
        self._probability_contiguous = probability_contiguous
        self._tensor_constructor = tensor_constructor

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size: Any, dtype: Any, **kwargs: Any) -> Any:
        """A tensor of random values."""
        drawn_in: dict[str, Any] = {"size": size, "dtype": dtype, "device": "cpu"}
        whole = not (dtype.is_floating_point or dtype.is_complex)
        return torch.randint(1, 127, **drawn_in) if whole else torch.rand(**drawn_in)

    def _make_tensor(self, params: Any, state: Any) -> Any:
        size, steps, allocation_size = self._get_size_and_steps(params)
        constructor = self._tensor_constructor or self.default_tensor_constructor
        raw = constructor(size=allocation_size, dtype=self._dtype, **params)
        if self._cuda:
            raw = raw.cuda()
        order = straight = np.arange(len(size))
        if state.rand() > self._probability_contiguous:
            while len(size) > 1 and np.array_equal(order, straight):
                order = state.permutation(raw.dim())
            raw = raw.permute(*order.tolist()).contiguous().permute(*np.argsort(order).tolist())
        tensor = raw[tuple(slice(0, n * step, step) for n, step in zip(size, steps))]
        properties = {
            "dtype": str(self._dtype),
            "numel": int(tensor.numel()),
            "is_contiguous": tensor.is_contiguous(),
            "order": order,
            "steps": steps,
        }
        return tensor, properties

    def _get_size_and_steps(self, params: Any) -> Any:
        dim = params[self._dim_parameter] if self._dim_parameter is not None else len(self._size)

        def resolve(values: Any) -> tuple[Any, ...]:
            found = [params.get(v, v) if isinstance(v, str) else v for v in values or ()]
            found += [1] * dim
            return tuple(found[:dim])

        size, steps = resolve(self._size), resolve(self._steps or ())
        allocation_size = tuple(n * step for n, step in zip(size, steps))
        return size, steps, allocation_size

    def satisfies_constraints(self, params: Any) -> bool:
        """Whether a tensor of these parameters is small and large enough."""
        size, _, allocation_size = self._get_size_and_steps(params)
        elements = prod(size)
        if elements < 0:
            raise AssertionError(f"Expected non-negative number of elements, got {elements}")
        allocated = prod(allocation_size, base=dtype_size(self._dtype))
        limits = (
            (self._min_elements, elements),
            (elements, self._max_elements),
            (allocated, self._max_allocation_bytes),
        )
        return all(less is None or more is None or less <= more for less, more in limits)


class Fuzzer:
    """Draws parameters, and tensors that depend on them.

    :param constraints: functions of the parameters; all must be true of what is drawn.
    """

    def __init__(
        self,
        parameters: list[Any],
        tensors: list[Any],
        constraints: list[Callable[..., Any]] | None = None,
        seed: int | None = None,
    ) -> None:
        self._constraints = constraints or ()
        self._parameters = self._unpack(parameters, FuzzedParameter)
        self._tensors = self._unpack(tensors, FuzzedTensor)
        if seed is None:
            seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64))
        names = {p.name for p in self._parameters}.intersection({t.name for t in self._tensors})
        if names:
            raise ValueError(f"Duplicate parameter name(s) detected: {names}")
        self._seed = seed
        self._rejections = self._total_generated = 0

    @staticmethod
    def _unpack(values: Any, cls: type) -> tuple[Any, ...]:
        parts = [[v] if isinstance(v, cls) else v for v in values]
        return tuple(itertools.chain(*parts))

    def take(self, n: int) -> Iterator[Any]:
        """Draw *n* times: tensors, what is to be said of them, parameters."""
        state = np.random.RandomState(self._seed)
        torch.manual_seed(state.randint(low=0, high=2**63, dtype=np.int64))
        for _ in range(n):
            params = self._generate(state)
            made = {each.name: each._make_tensor(params, state) for each in self._tensors}
            tensors, properties = ({k: v[part] for k, v in made.items()} for part in (0, 1))
            yield tensors, properties, params

    @property
    def rejection_rate(self) -> float:
        """The share of what was drawn and thrown away."""
        if not self._total_generated:
            return 0.0
        return self._rejections / self._total_generated

    def _generate(self, state: Any) -> dict[str, Any]:
        for _ in range(1000):
            candidate = {p.name: p.sample(state) for p in self._parameters}
            params = self._resolve_aliases(candidate)
            self._total_generated += 1
            fits = all(f(params) for f in self._constraints)
            fits = fits and all(t.satisfies_constraints(params) for t in self._tensors)
            if fits:
                return params
            self._rejections += 1
        raise ValueError("Failed to generate a set of valid parameters.")

    @staticmethod
    def _resolve_aliases(params: dict[str, Any]) -> dict[str, Any]:
        params = dict(params)
        waiting = {k: v.alias_to for k, v in params.items() if isinstance(v, ParameterAlias)}
        while waiting:
            ready = [name for name, target in waiting.items() if target not in waiting]
            if not ready:
                raise ValueError(f"ParameterAlias cycle detected\n{params}")
            for name in ready:
                params[name] = params[waiting.pop(name)]
        return params
