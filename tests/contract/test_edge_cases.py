"""Numbers on the edge of a bin, signs of zero, and nothing to compute: as the oracle has them."""

from __future__ import annotations

import mindtorch
import numpy as np
import torch

from .batches import every

TWO_PLACES = np.random.default_rng(0).integers(0, 300, 4000) / 100
LIMITS = {"few": (7, 0, 3), "many": (100, 0, 3), "inside": (33, 0.1, 2.7), "its own": (50, 0, 0)}


@every("limits", LIMITS.values())
@every("dtype", ("float16", "float32", "float64"))
def test_histc_of_numbers_on_edges(dtype, limits):
    counts = [
        home.histc(home.from_numpy(TWO_PLACES).to(getattr(home, dtype)), *limits).tolist()
        for home in (mindtorch, torch)
    ]
    assert counts[0] == counts[1]


ZEROS = {
    "cumsum": lambda t, dtype: t.tensor([-0.0, -0.0, 1, -1, 0.0], dtype=dtype).cumsum(0),
    "cumprod": lambda t, dtype: t.tensor([-0.0, -0.0, 1, -1, 0.0], dtype=dtype).cumprod(0),
    "to -0": lambda t, dtype: t.linspace(0, -0.0, 4, dtype=dtype),
    "from -0": lambda t, dtype: t.linspace(-0.0, 0.0, 5, dtype=dtype),
    "up to 0": lambda t, dtype: t.linspace(-1, 0, 4, dtype=dtype),
    "up to -0": lambda t, dtype: t.linspace(-1, -0.0, 4, dtype=dtype),
}


@every("name", ZEROS)
@every("dtype", ("float32", "float64", "bfloat16"))
def test_signs_of_zero(dtype, name):
    signs = [ZEROS[name](t, getattr(t, dtype)).signbit().tolist() for t in (mindtorch, torch)]
    assert signs[0] == signs[1]


@every("dtype", ("float32", "int64", "bool", "complex64"))
@every("name", ("_softmax", "_log_softmax"))
def test_softmax_of_nothing_takes_any_dtype(name, dtype):
    for shape, dim in (((0, 3), 0), ((0, 3), 1), ((2, 0, 3), 1)):
        x = mindtorch.ones(shape, dtype=getattr(mindtorch, dtype))
        want = getattr(torch, name)(torch.ones(shape, dtype=getattr(torch, dtype)), dim, False)
        got = getattr(mindtorch, name)(x, dim, False)
        assert (got.shape, str(got.dtype)) == (want.shape, str(want.dtype))


TEXTS = {
    "cosine_similarity": lambda t: t.nn.functional.cosine_similarity(
        t.ones(2, 3, dtype=t.int8), t.ones((), dtype=t.int32)
    ),
    "huber_loss": lambda t: t.nn.functional.huber_loss(
        t.ones(2, dtype=t.int32), t.ones(2, dtype=t.int64)
    ),
    "kl_div": lambda t: t.nn.functional.kl_div(t.ones(2, dtype=t.int32), t.ones(2) * 1j),
    "meshgrid": lambda t: t.meshgrid(t.ones(2, 3), t.ones(2, dtype=t.int32), indexing="ij"),
}


@every("name", TEXTS)
def test_refusal_of_a_pair_of_dtypes(name):
    texts = []
    for home in (mindtorch, torch):
        try:
            TEXTS[name](home)
        except (RuntimeError, NotImplementedError) as error:
            texts.append((type(error), str(error)))
    assert len(texts) == 2 and texts[0] == texts[1]


LDEXP = {
    "bfloat16": lambda t: t.ldexp(t.full((3,), 0.3), t.tensor([0.1, 0.2, 0.3]).bfloat16()),
    "float16": lambda t: t.ldexp(t.full((3,), 0.3).double(), t.tensor([0.1, 0.2, 0.3]).half()),
    "integers": lambda t: t.ldexp(t.full((3,), 0.3).bfloat16(), t.tensor([1, 2, 300])),
    "halves": lambda t: t.ldexp(t.full((3,), 0.3).half(), t.tensor([0.1, 9.7, 0.3]).half()),
    "layout": lambda t: t.ldexp(t.ones(2), t.ones(2, 3).t()),
}


@every("name", LDEXP)
def test_ldexp_rounds_the_power_to_the_dtype_of_the_exponent(name):
    made = [LDEXP[name](home) for home in (mindtorch, torch)]
    looks = [(str(r.dtype).partition(".")[2], r.stride(), r.tolist()) for r in made]
    assert looks[0] == looks[1]


#: Sizes, and strides that leave gaps or meet the same place twice.
WINDOWS = {
    "a column": ((3, 1), (4, 13)),
    "a row": ((1, 3), (1, 4)),
    "blocks": ((2, 2, 1, 2), (3, 1, 3, 1)),
    "gaps": ((2, 3), (2, 6)),
    "the same row": ((2, 2), (0, 1)),
}
CASTS = {
    "exp": lambda t, x: x.exp(),
    "neg": lambda t, x: x.neg(),
    "quotient": lambda t, x: x / x,
    "sum with float64": lambda t, x: x + t.ones(x.shape, dtype=t.float64),
    "comparison": lambda t, x: x > x.double(),
    "sum with alpha": lambda t, x: t.add(x.float(), x, alpha=2),
}


@every("window", WINDOWS)
@every("dtype", ("uint8", "int64", "float32"))
@every("name", CASTS)
def test_an_operand_that_is_cast_counts_by_the_layout_of_its_copy(name, dtype, window):
    strides = []
    for t in (mindtorch, torch):
        x = t.arange(1, 80).to(getattr(t, dtype)).as_strided(*WINDOWS[window])
        strides.append([CASTS[name](t, x).stride() for _ in range(3)])
    assert strides[0] == strides[1]


#: What is refused, and which of two errors comes first.
REFUSED = """
t.rot90(x, 1, (0, 2))
t.rot90(x, 1, (2, 0))
t.rot90(x, 1, (5, 3))
t.rot90(x, 1, (-1, 1))
t.norm(x[0], "nuc")
t.norm(x[0], "nuc", dim=0)
t.norm(x[0], "fro", dim=(0, 1, 2))
t.norm(x, "nuc", dim=(0,))
t.tensordot(x, x.t(), dims=t.tensor([1, 0, 1]))
t.tensordot(x, x.t(), dims=t.tensor([1, 0]))
t.einsum("...,...", x[0], x[:, 0])
t.einsum("...i,...i", x.t(), x.t()[:2])
t.einsum("i...,i...", t.ones(2, 2, 4), t.ones(2, 3, 4))
t.einsum("...i,...i", t.ones(5, 2, 2), t.ones(3, 2))
t.lerp(x, x, 1j)
t.lerp(x.int(), x.int(), 1j)
t.lerp(x.half(), x.half(), 1j)
t.lerp(x.bfloat16(), x.bfloat16(), 1e300)
t.lerp(x.half(), x.half(), 1e30)
t.lerp(x.to("meta"), x.to("meta"), 1j)
t._foreach_lerp([x.bfloat16()], [x.bfloat16()], [1j])
t.segment_reduce(x[0], "sum", lengths=t.tensor([3]), axis=1)
t.segment_reduce(x, "sum", lengths=t.tensor([3]), axis=-5)
t.segment_reduce(x, "sum", lengths=t.tensor([3]), axis=1)
t.segment_reduce(x[0], "sum", lengths=t.tensor([-1, 4]), unsafe=True)
t.sparse_coo_tensor([0, 1], [1.0, 2.0], (2,))
t.sparse_coo_tensor([0, 1], [1.0, 2.0], (2, 2))
t.sparse_coo_tensor([0, 1], [1.0, 2.0])
t.sparse_coo_tensor([0], [1.0], (2,))
""".strip().splitlines()


@every("call", REFUSED)
def test_what_is_refused(call):
    said = []
    for t in (mindtorch, torch):
        try:
            eval(call, {"t": t, "x": t.arange(6.0).reshape(2, 3)})
            said.append("")
        except (RuntimeError, IndexError, AssertionError, TypeError) as error:
            said.append(f"{type(error).__name__}: {error}")
    assert said[0] == said[1]
