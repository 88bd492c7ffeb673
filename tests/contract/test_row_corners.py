"""Corners of rows that generated samples do not reach: ``out=`` beside ``dtype=``, warnings, …"""

from __future__ import annotations

import itertools

import mindtorch
import pytest
import torch

from .batches import every
from .helpers import assert_same_value, assert_torch_error, both

FACTORIES = {
    "full": ((3,), 2),
    "ones": (3,),
    "zeros": (3,),
    "empty": (3,),
    "arange": (3,),
    "linspace": (0, 1, 3),
    "eye": (3,),
    "randn": (3,),
}
REDUCTIONS = ["sum", "prod", "cumsum", "cumprod", "nansum", "mean", "softmax", "log_softmax"]
PAIRS = [
    ("float32", "int64"),
    ("float64", "float32"),
    ("float32", "bool"),
    ("int64", "float32"),
    ("float32", "float32"),
]
HALF_OPS = ["add", "mul", "div", "exp", "acos", "square", "atan2", "hypot", "logaddexp", "sqrt"]


def refusal(call):
    """Type and text of what *call* raises, None where it returns."""
    try:
        call()
    except Exception as error:  # compared
        return type(error).__name__, str(error).splitlines()[0]
    return None


@every("name", [*FACTORIES, *REDUCTIONS])
def test_dtype_and_out_must_agree(name):
    """A factory or reduction that is given both refuses what does not fit, in torch's words."""
    for dtype, target in PAIRS:
        found = []
        for home in (mindtorch, torch):
            given = FACTORIES.get(name) or (home.ones(2, 3), 1)
            options = {
                "dtype": getattr(home, dtype),
                "out": home.zeros(0, dtype=getattr(home, target)),
            }
            found.append(refusal(lambda h=home, g=given, o=options: getattr(h, name)(*g, **o)))
        assert found[0] == found[1], (dtype, target)


def test_a_factory_on_another_device_than_out_is_refused():
    """The device that a factory is given must be that of ``out``."""
    found = [
        refusal(lambda h=home: h.ones(2, out=h.zeros(2), device="meta"))
        for home in (mindtorch, torch)
    ]
    assert found[0] == found[1] is not None


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@every("name", HALF_OPS)
def test_half_results_are_rounded_before_they_are_written_wider(name, dtype):
    """``out=`` of float32 gets the numbers that a result of the half type would have."""
    written = []
    for home in (mindtorch, torch):
        x = (home.arange(1, 9, dtype=home.float32) / 9).to(getattr(home, dtype))
        binary = name in ("add", "mul", "div", "atan2", "hypot", "logaddexp")
        arguments = (x, x.flip(0)) if binary else (x,)
        out = home.zeros(8)
        getattr(home, name)(*arguments, out=out)
        written.append(out)
        assert out.to(getattr(home, dtype)).float().tolist() == out.tolist()
    assert torch.allclose(torch.tensor(written[0].tolist()), written[1], rtol=1e-2)


def test_a_warning_of_few_degrees_of_freedom_comes_with_every_call():
    """A call that is made again warns again."""
    for home in (mindtorch, torch):
        for name in ("std", "var", "std_mean"):
            with pytest.warns(UserWarning, match="degrees of freedom") as seen:
                getattr(home, name)(home.ones(1))
                getattr(home, name)(home.ones(1))
            assert len(seen) == 2


def test_a_transposed_convolution_pads_its_result_by_more_than_the_stride():
    """The last rows meet no element of the input; values and gradients are the oracle's."""
    results = []
    for home in (mindtorch, torch):
        x = home.arange(18, dtype=home.float64).reshape(1, 2, 3, 3).requires_grad_()
        w = home.arange(8, dtype=home.float64).reshape(2, 1, 2, 2).requires_grad_()
        y = home.conv_transpose2d(x, w, None, (1, 2), 0, (1, 3), 2, (3, 4))
        (y * y).sum().backward()
        results.append([y.tolist(), x.grad.tolist(), w.grad.tolist()])
    assert results[0] == results[1]


@pytest.mark.parametrize("dims", [1, 2, 3])
def test_a_maximum_of_nothing_has_the_oracles_index(dims):
    """Windows whose elements all lie in the border, and those that hold nothing but -inf."""
    met = []
    options = ((1, 2, 3), (1, 2, 5), (0, 1), (1, 2, 4), (False, True))
    for numbers in (torch.arange(60.0).sin(), torch.full((60,), -torch.inf)):
        for shape, call in itertools.product(((4, 3, 5), (3, 3, 3)), itertools.product(*options)):
            got = []
            for home in (torch, mindtorch):
                shape = shape[:dims]
                count = torch.Size(shape).numel()
                x = home.tensor(numbers[:count].tolist()).reshape(1, *shape)
                pool = getattr(home.nn.functional, f"max_pool{dims}d_with_indices")
                try:
                    got.append([(list(t.shape), t.flatten().tolist()) for t in pool(x, *call)])
                except RuntimeError as error:
                    got.append(str(error))
            assert got[0] == got[1], (shape, call)
            met.append(isinstance(got[0], list) and got[0][0][1] == [-torch.inf])
    assert any(met)


def test_a_pixel_shuffle_by_one_has_memory_of_its_own():
    """Kernels give fresh memory, also where nothing moves."""
    for name in ("pixel_shuffle", "pixel_unshuffle"):
        x = mindtorch.ones(1, 4, 2, 2)
        assert getattr(mindtorch, name)(x, 1).data_ptr() != x.data_ptr()


ROWS_OF = {
    "index_add": lambda x, dim, index, rows: x.index_add(dim, index, rows),
    "index_add_": lambda x, dim, index, rows: x.index_add_(dim, index, rows),
    "index_copy": lambda x, dim, index, rows: x.index_copy(dim, index, rows),
    "index_copy_": lambda x, dim, index, rows: x.index_copy_(dim, index, rows),
    "index_fill": lambda x, dim, index, rows: x.index_fill(dim, index, 3.0),
    "index_select": lambda x, dim, index, rows: x.index_select(dim, index),
}


@every("name", ROWS_OF)
def test_rows_that_are_not_there(name):
    """Indices out of range, and rows of nothing: what torch looks at, and where it looks away."""
    shapes = ((0,), (0, 3), (3, 0), (2, 3), (0, 0), ())
    sources = ((0,), (1, 3), (1, 0), (1,), (2, 1), ())
    for shape, rows, index, dim in itertools.product(
        shapes, sources, ([0], [], [5], [-1], 0), (0, 1)
    ):
        found = []
        for t in (mindtorch, torch):

            def call(t=t, shape=shape, rows=rows, index=index, dim=dim):
                where = t.tensor(index, dtype=t.int64)
                out = ROWS_OF[name](t.ones(shape), dim, where, t.full(rows, 2.0))
                raise LookupError(out.tolist(), tuple(out.stride()))

            found.append(refusal(call))
        assert found[0] == found[1], (shape, rows, index, dim)


@every("reduce", ["max", "min"])
def test_a_scatter_knows_short_names_of_extremes(reduce):
    """As torch does, but its gradient does not; nor does ``index_reduce``."""
    found = []
    for t in (mindtorch, torch):
        x, index = t.zeros(3, requires_grad=True), t.tensor([0, 1])
        made = x.scatter_reduce(0, index, t.tensor([2.0, -3.0]), reduce)
        rows = t.sparse.mm(t.eye(2).to_sparse_csr(), t.ones(2, 2), reduce)
        found.append((made.tolist(), rows.tolist(), refusal(lambda m=made: m.sum().backward())))
        found[-1] += (refusal(lambda x=x, i=index, t=t: x.index_reduce(0, i, t.ones(2), reduce)),)
    assert found[0] == found[1]


@every("sizes", [(4,), (5,), (1,), (2, 6), (3, 4, 5)])
def test_transforms_of_real_numbers_have_torchs_signs_of_zero(sizes):
    """Where they are their own conjugate: ``6.+0.j`` forward, ``1.5-0.j`` back."""
    found = []
    for t in (mindtorch, torch):
        x = t.arange(1.0, 1 + torch.Size(sizes).numel()).reshape(sizes)
        made = [f(x, dim=d) for f in (t.fft.fft, t.fft.ifft) for d in range(len(sizes))]
        made += [t.fft.fftn(x), t.fft.ifftn(x)]
        imags = [t.view_as_real(m.resolve_conj())[..., 1] for m in made]
        found.append([(i == 0, t.signbit(i) & (i == 0)) for i in imags])
    for (zero, negative), (theirs, their_negative) in zip(*found, strict=True):
        both = (zero.numpy() & theirs.numpy()).nonzero()
        assert (negative.numpy()[both] == their_negative.numpy()[both]).all()


@every("driver", ["gels", "gelsy", "gelsd", "gelss"])
def test_least_squares_tell_of_each_matrix_once(driver):
    """Ranks and singular values have the batch of the matrices, not that of right-hand sides."""
    for a, b in (((1, 3, 3), (2, 3, 3)), ((2, 1, 4, 3), (1, 3, 4, 2)), ((2, 4, 3), (2, 4))):
        looks = []
        for t in (mindtorch, torch):
            made = t.linalg.lstsq(t.randn(a), t.randn(b), driver=driver)
            looks.append([tuple(r.shape) for r in made])
        assert looks[0] == looks[1], (a, b)


def test_factors_without_pivots_are_refused_on_the_host():
    """Whoever asks for them; of nothing they are nothing."""
    found = [
        [
            refusal(lambda f=f, t=t, n=n: f(t.ones(n, n), pivot=False))
            for f in (t.linalg.lu, t.linalg.lu_factor, t.linalg.lu_factor_ex)
            for n in (2, 0)
        ]
        for t in (mindtorch, torch)
    ]
    assert found[0] == found[1]


#: Calls that look at memory, at dims or at histories before anything is computed.
CALLS = {
    "detach_ of a view": lambda t: t.detach_(t.ones(2, 3).t()),
    "detach_ of a view that requires grad": lambda t: t.detach_(
        t.ones(2, 3, requires_grad=True).t()
    ),
    "take_along_dim of a transposed tensor": lambda t: t.take_along_dim(
        t.ones(2, 3).t(), t.tensor([0])
    ),
    "take_along_dim at transposed indices": lambda t: t.take_along_dim(
        t.ones(2, 3), t.tensor([[0, 1], [1, 1]]).t()
    ),
    "bincount of a number": lambda t: t.bincount(t.tensor(1), t.ones(1)),
    "embedding_bag of a vector": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0, 1]]), t.ones(3)
    ),
    "embedding_bag of a vector, at offsets": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0, 1]]), t.ones(3), t.tensor([0])
    ),
    "a second ellipsis": lambda t: t.ones(2, 3)[..., ..., 0],
}


@every("call", CALLS)
def test_a_call_is_refused_for_what_its_arguments_are(call):
    assert_torch_error(*both(CALLS[call]))


def test_the_product_of_one_matrix_is_a_copy():
    def product(t):
        x = t.ones(1, 3).expand(2, 3)
        made = t.chain_matmul(x)
        return made, made is x, made.data_ptr() == x.data_ptr()

    assert_same_value(*both(product))


@every("batch", [(), (1,), (2,), (0,)])
def test_a_system_that_is_solved_from_the_right_lies_as_a_transposed_one(batch):
    """Row by row, also where there are no rows or one."""
    looks = []
    for t in (mindtorch, torch):
        lu, pivots = t.linalg.lu_factor(t.eye(3).expand(*batch, 3, 3))
        looks.append(
            [
                t.linalg.lu_solve(lu, pivots, t.ones(*outer, rows, 3), left=False).stride()
                for outer in ((), batch)
                for rows in (0, 1, 2)
            ]
        )
    assert looks[0] == looks[1]
