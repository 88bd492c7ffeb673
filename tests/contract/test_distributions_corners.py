"""Distributions in corners: samples of nothing, dimensions that are taken from the event."""

import pytest

from tests.contract.both_frameworks import same


@pytest.mark.parametrize("base", ["Dirichlet(t.ones(2, 3, 4))", "Normal(t.zeros(2, 3), 1.0)"])
@pytest.mark.parametrize("taken", [-3, -2, -1, 0, 1, 2, 3])
def test_independent_takes_any_number_of_dimensions(base, taken):
    def program(t):
        made = eval(f"D.Independent(D.{base}, {taken})", {"t": t, "D": t.distributions})
        return made.batch_shape, made.event_shape, repr(made), made.mean, made.sample().shape

    same(program)


@pytest.mark.parametrize("call", ["_standard_gamma", "poisson", "bernoulli", "_sample_dirichlet"])
@pytest.mark.parametrize(
    "dtype", ["float16", "bfloat16", "float64", "int64", "uint8", "bool", "complex64"]
)
@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (0,)])
def test_samples_of_nothing_are_refused_by_dtype_as_those_of_something_or_not(call, dtype, shape):
    same(lambda t: getattr(t, call)(t.ones(shape, dtype=getattr(t, dtype))))
