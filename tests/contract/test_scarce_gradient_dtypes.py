"""Dtypes that a backward op lacks though the forward has them, and that parts of an op lack."""

import pytest

from .both_frameworks import same

DTYPES = ("bool uint8 int64 uint16 complex64 float16 bfloat16 float8_e5m2 float32 float64").split()


def outcome(call):
    """Dtype and shape of what comes back, or the error."""

    def run(t):
        made = call(t)
        return [str(made.dtype), tuple(made.shape), tuple(made.stride())]

    return same(run)


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("dtype", DTYPES)
def test_gradients_of_max_pooling_are_floats(dtype, n, device):
    def call(t, batch):
        g = t.zeros((batch, 1, *[2] * n)).to(getattr(t, dtype)).to(device)
        x = t.zeros((batch, 1, *[4] * n)).to(getattr(t, dtype)).to(device)
        at = t.zeros(g.shape, dtype=t.int64, device=device)
        pool = getattr(t.ops.aten, f"max_pool{n}d_with_indices_backward")
        return pool(g, x, [2] * n, [2] * n, [0] * n, [1] * n, False, at)

    for batch in (1, 0):
        outcome(lambda t: call(t, batch))


@pytest.mark.parametrize("device", ["cpu", "meta"])
@pytest.mark.parametrize("name", ["i0", "i0e", "i1", "i1e"])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32"])
def test_gradients_of_bessel_functions_in_half_types(dtype, name, device):
    def call(t, n):
        x = t.ones(n, dtype=getattr(t, dtype), device=device, requires_grad=True)
        return t.autograd.grad(getattr(t.special, name)(x).sum(), x)[0]

    for n in (2, 0):
        outcome(lambda t: call(t, n))


@pytest.mark.parametrize("k", range(-1, 4))
@pytest.mark.parametrize("dtype", ["uint16", "float8_e5m2", "float32"])
def test_a_rotation_flips_what_flip_does(dtype, k):
    def call(t, shape, turned):
        x = t.zeros(shape).to(getattr(t, dtype))
        return t.rot90(x.t() if turned else x, k)

    for shape in ((3, 2), (1, 2), (2, 1), (1, 1), (0, 2)):
        for turned in (False, True):
            outcome(lambda t: call(t, shape, turned))
