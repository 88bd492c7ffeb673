"""Random parameters and tensors for benchmarks."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import mindtorch as torch

__all__ = ["Fuzzer", "FuzzedParameter", "ParameterAlias", "FuzzedTensor"]

_DISTRIBUTIONS = ("loguniform", "uniform")


def dtype_size(dtype: Any) -> int:
    """How many bytes an element takes."""
    if dtype == torch.bool:
        return 1
    if dtype.is_floating_point or dtype.is_complex:
        return int(torch.finfo(dtype).bits / 8)
    return int(torch.iinfo(dtype).bits / 8)


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
        self._name = name
        self._minval = minval
        self._maxval = maxval
        self._distribution = self._check_distribution(distribution)
        self.strict = strict

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def sample(self, state: Any) -> Any:
        """A number, drawn with numpy's *state*."""
        if self._distribution == "loguniform":
            return self._loguniform(state)
        if self._distribution == "uniform":
            return self._uniform(state)
        if isinstance(self._distribution, dict):
            return self._custom_distribution(state)
        raise ValueError("Unknown distribution")

    def _check_distribution(self, distribution: Any) -> Any:
        if not isinstance(distribution, dict):
            if distribution not in _DISTRIBUTIONS:
                raise AssertionError(f"Unknown distribution: {distribution}")
        else:
            if any(i < 0 for i in distribution.values()):
                raise AssertionError("Probabilities cannot be negative")
            if abs(sum(distribution.values()) - 1) > 1e-5:
                raise AssertionError("Distribution is not normalized")
            if self._minval is not None:
                raise AssertionError("minval is not applicable for custom distributions")
            if self._maxval is not None:
                raise AssertionError("maxval is not applicable for custom distributions")
        return distribution

    def _loguniform(self, state: Any) -> Any:
        assert self._minval is not None and self._maxval is not None
        drawn = int(2 ** state.uniform(np.log2(self._minval), np.log2(self._maxval)))
        if self._minval is not None and drawn < self._minval:
            return self._minval
        if self._maxval is not None and drawn > self._maxval:
            return self._maxval
        return drawn

    def _uniform(self, state: Any) -> Any:
        assert self._minval is not None and self._maxval is not None
        if isinstance(self._minval, int) and isinstance(self._maxval, int):
            return int(state.randint(low=self._minval, high=self._maxval + 1))
        return state.uniform(low=self._minval, high=self._maxval)

    def _custom_distribution(self, state: Any) -> Any:
        # numpy would make numpy's scalars of the values, and lose which of them is an alias.
        values = list(self._distribution.keys())
        chances = list(self._distribution.values())
        return values[state.choice(np.arange(len(values)), p=chances)]


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
        self._name = name
        self._size = size
        self._steps = steps
        self._probability_contiguous = probability_contiguous
        self._min_elements = min_elements
        self._max_elements = max_elements
        self._max_allocation_bytes = max_allocation_bytes
        self._dim_parameter = dim_parameter
        self._dtype = dtype
        self._cuda = cuda
        self._tensor_constructor = tensor_constructor

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    @staticmethod
    def default_tensor_constructor(size: Any, dtype: Any, **kwargs: Any) -> Any:
        """A tensor of random values."""
        if dtype.is_floating_point or dtype.is_complex:
            return torch.rand(size=size, dtype=dtype, device="cpu")
        return torch.randint(1, 127, size=size, dtype=dtype, device="cpu")

    def _make_tensor(self, params: Any, state: Any) -> Any:
        size, steps, allocation_size = self._get_size_and_steps(params)
        constructor = self._tensor_constructor or self.default_tensor_constructor
        raw = constructor(size=allocation_size, dtype=self._dtype, **params)
        if self._cuda:
            raw = raw.cuda()
        dim = len(size)
        order = np.arange(dim)
        if state.rand() > self._probability_contiguous:
            while dim > 1 and np.all(order == np.arange(dim)):
                order = state.permutation(raw.dim())
            raw = raw.permute(tuple(order)).contiguous()
            raw = raw.permute(tuple(np.argsort(order)))
        tensor = raw[tuple(slice(0, n * step, step) for n, step in zip(size, steps))]
        properties = {
            "numel": int(tensor.numel()),
            "order": order,
            "steps": steps,
            "is_contiguous": tensor.is_contiguous(),
            "dtype": str(self._dtype),
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
        num_elements = prod(size)
        if num_elements < 0:
            raise AssertionError(f"Expected non-negative number of elements, got {num_elements}")
        allocation_bytes = prod(allocation_size, base=dtype_size(self._dtype))

        def nullable_greater(left: Any, right: Any) -> bool:
            return left is not None and right is not None and bool(left > right)

        return not any(
            (
                nullable_greater(num_elements, self._max_elements),
                nullable_greater(self._min_elements, num_elements),
                nullable_greater(allocation_bytes, self._max_allocation_bytes),
            )
        )


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
        if seed is None:
            seed = int(np.random.RandomState().randint(0, 2**32 - 1, dtype=np.int64))
        self._seed = seed
        self._parameters = Fuzzer._unpack(parameters, FuzzedParameter)
        self._tensors = Fuzzer._unpack(tensors, FuzzedTensor)
        self._constraints = constraints or ()
        names = {p.name for p in self._parameters}.intersection({t.name for t in self._tensors})
        if names:
            raise ValueError(f"Duplicate parameter name(s) detected: {names}")
        self._rejections = 0
        self._total_generated = 0

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
            tensors = {}
            tensor_properties = {}
            for each in self._tensors:
                tensors[each.name], tensor_properties[each.name] = each._make_tensor(params, state)
            yield tensors, tensor_properties, params

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
        waiting = sorted(k for k, v in params.items() if isinstance(v, ParameterAlias))
        while waiting:
            left = []
            for k in waiting:
                target = operator.attrgetter("alias_to")(params[k])
                if isinstance(params[target], ParameterAlias):
                    left.append(k)
                else:
                    params[k] = params[target]
            if left == waiting:
                raise ValueError(f"ParameterAlias cycle detected\n{params}")
            waiting = left
        return params
