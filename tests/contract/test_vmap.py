"""``torch.vmap``: every row over a batch, nested, with gradients, random, refused: the oracle's."""

from __future__ import annotations

import importlib

import mindtorch
import numpy as np
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .bounds import bound
from .hearing import hearing
from .helpers import assert_same_value, both
from .known import check_all_differ, expected
from .rows import (
    NAMES,
    Outcome,
    compare,
    forms,
    is_tensor,
    method_call,
    report,
    samples,
    warning_text,
)


def _batch(lib, t, number):
    """Two samples, the tensor and its elements in the other order, stacked at some dimension."""
    if "float8" in str(t.dtype):  # the oracle moves their bytes alone
        return _batch(lib, t.contiguous().view(lib.uint8), number).view(t.dtype)
    other = t.reshape(-1).flip(0).reshape(t.shape)
    return lib.stack([t, other], number % (t.dim() + 1))


def _over_a_batch(lib, function, call, number, first_only):
    """*function* under vmap with its tensors batched (or only the first of them)."""
    places: list[tuple] = []

    def collect(value, path):
        if is_tensor(value):
            places.append((path, value))
        elif isinstance(value, (list, tuple)):
            for i, v in enumerate(value):
                collect(v, (*path, i))

    collect(list(call.args), ())
    if first_only:
        places = places[:1]
    if not places:
        return None

    def replaced(value, path, given):
        if path in given:
            return given[path]
        if isinstance(value, (list, tuple)):
            return type(value)(replaced(v, (*path, i), given) for i, v in enumerate(value))
        return value

    paths = [path for path, _ in places]
    wholes = [_batch(lib, t, number) for _, t in places]
    dims = tuple(number % (t.dim() + 1) for _, t in places)

    def one(*tensors):
        given = dict(zip(paths, tensors, strict=True))
        args = [replaced(a, (i,), given) for i, a in enumerate(call.args)]
        return function(*args, **call.kwargs)

    with hearing() as heard:
        try:
            value, failed = lib.vmap(one, in_dims=dims)(*wholes), None
        except Exception as error:
            value, failed = None, error
    slow = {text for text in map(warning_text, heard) if "performance drop" in text}
    return Outcome(value, failed, tuple(sorted(slow)))


@every("name", NAMES)
def test_row_over_a_batch_gives_the_oracles_result(name):
    """What the oracle can run over a batch, mindtorch can, with its numbers."""
    row, lines = ROWS[name], []
    if row.random:
        return
    form = forms(row)[0]
    for sample in samples(row, most=8):
        if form.name == "method" and not method_call(sample.oracle):
            continue
        for first_only in (False, True):
            theirs = _over_a_batch(torch, form.oracle, sample.oracle, sample.number, first_only)
            if theirs is None or theirs.error is not None:
                continue
            mine = _over_a_batch(mindtorch, form.ours, sample.ours, sample.number, first_only)
            found = compare(mine, theirs, tolerance=bound(row, "float32"), strides=False)
            lines += [f"{sample!r} {'first' if first_only else 'all'}: {d}" for d in found]
    report(expected("vmap", name, lines))


def _x(t):
    return t.arange(6.0).reshape(2, 3)


PROGRAMS = """
v(t.dot)(x, x)
v(t.dot, in_dims=(0, None))(x, x[0])
v(lambda a, b: a @ b, in_dims=(1, None), out_dims=1)(x, t.ones(2, 4))
v(v(t.mul))(x, x)
v(v(t.mul, in_dims=(0, None)), in_dims=(None, 0))(x[0], x[1])
v(lambda a: (a, a + 1), out_dims=(0, 1))(x)
v(lambda a: [a, {"k": a.sum()}])(x)
v(lambda a: a[None, :, None])(x)
v(lambda a: a[[0, 2]])(x)
v(lambda a, i: a[i])(x, t.tensor([0, 2]))
v(lambda a: a.__setitem__(0, 5.0) or a)(x.clone())
v(lambda a: a.add_(1))(x.clone())
v(lambda a: t.zeros_like(a).add_(a))(x)
v(lambda a: a.t_().squeeze_())(t.ones(2, 3, 1))
v(lambda a: t.nn.functional.cross_entropy(a, t.tensor(1)))(x)
v(lambda a: t.tensor(1.0))(x)
v(lambda d: d["a"] + d["b"])({"a": x, "b": x})
v(lambda d: d["a"] + d["b"], in_dims=({"a": 0, "b": None},))({"a": x, "b": x[0]})
v(lambda a, s=1: a * s)(x, s=x)
v(lambda a: a * 2, chunk_size=1)(x)
v(lambda a: (a * 2, a.sum()), chunk_size=2, out_dims=(1, 0))(t.ones(5, 3))
v(lambda a: a.double() + t.ones(2))(x[:, 0])
v(lambda a: a.long() + t.ones(2))(x[:, 0])
v(lambda a: repr(a), out_dims=None)(x)
v(lambda a: repr(v(repr, out_dims=None)(a)), out_dims=None)(x)
v(lambda a: str(t._C._dispatch_keys(a)), out_dims=None)(x)
v(lambda a: [tuple(a.shape), a.dim(), a.numel(), a.stride(), a.requires_grad], out_dims=None)(x)
v(lambda a: t.rand(2) + a, randomness="same")(t.zeros(3)).std(0)
v(lambda a: tuple((t.rand(2) + a).shape), randomness="different", out_dims=None)(t.zeros(3))
v(lambda a: t.rand(2))(t.ones(3))
v(lambda a: t.dropout(a, 0.5, True))(x)
v(lambda a: a.item())(t.ones(3))
v(lambda a: float(a))(t.ones(3))
v(lambda a: a if a > 0 else -a)(t.ones(3))
v(lambda a: a.tolist())(x)
v(lambda a: a.numpy())(x)
v(lambda a: a.data_ptr())(x)
v(lambda a: t.nonzero(a))(x)
v(lambda a: a[a > 1])(x)
v(lambda a: t.add(a, 1, out=t.empty(3)))(x)
v(lambda a: t.ones(3).mul_(a))(x)
v(lambda a: t.equal(a, a))(x)
v(lambda a: t.allclose(a, a))(x)
v(lambda a: a.is_nonzero())(x[0])
v(lambda a: a.transpose(0, 5))(x)
v(lambda a: a.sum(4))(x)
v(lambda a: None)(x)
v(lambda a: 3)(x)
v(lambda a: a, out_dims=None)(x)
v(lambda a: a, out_dims=7)(x)
v(lambda a: a, out_dims="x")(x)
v(lambda a: a, out_dims=(0, 1))(x)
v(lambda a: a, randomness="x")
v(lambda a: a, chunk_size=0)
v(t.add, in_dims=5)(x, x)
v(t.add, in_dims="a")(x, x)
v(t.add)()
v(t.add)(x, x.T)
v(t.add)(x, 3)
v(t.add, in_dims=(0, None))(x, 3)
v(t.add, in_dims=(0,))(x, 3)
v(t.add, in_dims=(None, None))(x, x)
v(t.isin)(x, x.flip(0))
v(t.isin, in_dims=(None, 0))(x, x[:, :1])
v(t.isin, in_dims=(0, None))(x, x[0])
v(t.isin, in_dims=(None, 0))(2.0, x)
v(t.isin)(x, t.cat([x, x], 1), invert=True)
v(t.block_diag)(x, x + 1)
v(lambda a: t.block_diag(t.ones(1, 1), a))(x)
v(lambda a: t.block_diag(a, t.ones(1, 1)), in_dims=1)(x)
""".strip().splitlines()


@pytest.mark.parametrize("text", PROGRAMS)
def test_program_gives_the_oracles_value_or_error(text):
    """Values as printed, type and text of errors."""

    def result(lib):
        try:
            return repr(eval(text, {"t": lib, "v": lib.vmap, "x": _x(lib)}))
        except Exception as error:
            return f"{type(error).__name__}: {error}"

    assert result(mindtorch) == result(torch)


def test_gradients_flow_to_what_samples_share():
    """A weight that all samples share gets the sum; the batch gets its own."""

    def gradients(lib):
        w = lib.ones(3, requires_grad=True)
        x = _x(lib).requires_grad_()
        out = lib.vmap(lambda a: (a * w).sum().exp())(x)
        out.sum().backward()
        return [np.array(t.tolist()) for t in (w.grad, x.grad, out)]

    for mine, theirs in zip(gradients(mindtorch), gradients(torch), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)


#: Rows made of other ops that are one operator to autograd.
EXPLICIT = """
t.dist(x, w)
t.dist(x, w, 3)
t.block_diag(x, w)
t.linalg.pinv(x)
t.pinverse(x)
t.linalg.pinv(x[:, :1] @ x[:, :1].mT, rtol=1e-3)
t.linalg.pinv(x[:, :1] @ x[:, :1].mT, rtol=1e-3, hermitian=True)
t.linalg.pinv(x.expand(2, 2, 2), atol=t.tensor([0.1, 0.2]), rtol=t.tensor(0.01))
t.ops.aten._unsafe_masked_index(x, w > 1, [i], 0.0)
t.ops.aten._unsafe_index(x, [i])
t.lift(x) if hasattr(t, "lift") else t.ops.aten.lift(x)
t.nn.functional.grid_sample(x[None, None], w.expand(1, 1, 2, 2))
""".strip().splitlines()


@pytest.mark.parametrize("text", EXPLICIT)
def test_gradients_flow_through_rows_that_are_one_operator_to_autograd(text):
    """The ops inside are recorded, for ``grad`` around and inside of the batch."""

    def gradients(lib):
        x = lib.tensor([[[0.5, 1.0], [2.0, 0.25]], [[1.5, 0.75], [0.1, 1.0]]])
        w, i = lib.tensor([0.5, 1.5]), lib.tensor([0, 1])

        def f(x):
            return eval(text, {"t": lib, "x": x, "w": w, "i": i}).square().sum()

        def over(x):
            return lib.vmap(f)(x).sum()

        leaf = x.clone().requires_grad_()
        found = [lib.func.grad(over)(x), lib.vmap(lib.func.grad(f))(x)]
        return [*found, lib.autograd.grad(over(leaf), leaf)[0]]

    for mine, theirs in zip(gradients(mindtorch), gradients(torch), strict=True):
        np.testing.assert_allclose(mine.tolist(), theirs.tolist(), rtol=1e-4, atol=1e-6)


#: Composites that torch loops over where ``vmap`` sees them.
LOOPED = """
t.nn.functional.kl_div(x, x.square())
t.diagflat(x)
t.nn.functional.margin_ranking_loss(x, x * 2, t.ones(3))
t.nn.functional.triplet_margin_loss(x[None], x[None] * 2, x[None] * 3)
t.linalg.tensorsolve(x.expand(3, 3).tril() + t.eye(3), x)
""".strip().splitlines()


@pytest.mark.parametrize("text", LOOPED)
def test_a_derivative_inside_of_the_batch_takes_composites_apart(text):
    """``vmap`` sees the ops that they consist of, and has rules for those."""

    def found(lib, transformed):
        switch = importlib.import_module(f"{lib.__name__}._C._functorch")
        switch._set_vmap_fallback_enabled(False)
        try:
            return repr(transformed(lib)(lib.tensor([[0.5, 1.0, 2.0], [0.25, 1.5, 0.75]])))
        except RuntimeError as error:
            return str(error)
        finally:
            switch._set_vmap_fallback_enabled(True)

    def direct(lib):
        return lib.vmap(lambda x: eval(text, {"t": lib, "x": x}))

    def inside(lib):
        return lib.vmap(lib.func.grad(lambda x: eval(text, {"t": lib, "x": x}).sum()))

    def around(lib):
        return lambda x: lib.func.grad(lambda x: direct(lib)(x).sum())(x)

    for transformed in (direct, inside, around):
        assert found(mindtorch, transformed) == found(torch, transformed)


def test_modules_run_over_a_batch():
    """Layers with parameters: as a loop over samples."""
    linear, conv = mindtorch.nn.Linear(3, 2), mindtorch.nn.Conv2d(1, 2, 3)
    x, images = mindtorch.randn(4, 3), mindtorch.randn(4, 2, 1, 5, 5)
    for module, batch in ((linear, x), (conv, images)):
        want = mindtorch.stack([module(sample) for sample in batch])
        assert mindtorch.allclose(mindtorch.vmap(module)(batch), want, atol=1e-6)


def test_nothing_is_left_after_an_error():
    """An exception inside leaves no level behind."""

    def fails(a):
        raise KeyError

    with pytest.raises(KeyError):
        mindtorch.vmap(fails)(_x(mindtorch))
    assert str(mindtorch._C._dispatch_tls_local_include_set()) == str(
        torch._C._dispatch_tls_local_include_set()
    )
    assert mindtorch.rand(2).shape == (2,)


@pytest.mark.parametrize("device", ["npu", "meta"])
def test_other_backends_run_over_a_batch(device):
    """The rules belong to no backend."""
    x = _x(mindtorch).to(device)
    got = mindtorch.vmap(lambda a: (a * 2).sum() + a.softmax(0)[0])(x)
    assert got.device.type == device
    assert got.shape == (2,)


def test_pipelines_defer_ops_over_a_batch():
    """Inside a pipeline the whole op waits, not one per sample."""
    with mindtorch.pipeline():
        got = mindtorch.vmap(lambda a: a * 2)(mindtorch.ones(64, 64))
        assert got._pending
    assert got.sum().item() == 2 * 64 * 64


# Randomness ---------------------------------------------------------------------------------------

DRAWS = (
    "t.rand(2).sum() + x", "t.randn_like(x)", "t.rand_like(x)", "F.dropout(x, 0.5)",
    "t.bernoulli(x * 0 + 0.5)", "(x * 0).bernoulli_(0.5)", "x.clone().uniform_()",
    "x.clone().normal_()", "t.randperm(4) + x.long()", "t.randint(5, (4,)) + x",
    "t.multinomial(x + 1, 2)", "t.normal(x, 1.0)", "t.randint_like(x, 9)",
    "x.clone().exponential_()", "t.randn(3)", "F.alpha_dropout(x, 0.5, training=True)",
    "x.clone().random_(10)", "t.ones(3).uniform_()", "t.zeros(2).normal_() + x[0]",
    "t.bernoulli(x, 0.5)", "t.rand(2, dtype=t.float64) + x[0]", "F.dropout(t.ones(4, 3), 0.5)",
    "F.dropout(x.t(), 0.5)", "t.feature_dropout(t.ones(4, 3, 2).mT, 0.5, True)",
    "t.alpha_dropout(t.ones(3), 0.5, True)", "t.dropout_(t.ones(3), 0.5, True)",
    "t.randn_like(t.ones(9))", "t.normal(x, x + 1)", "t.normal(1.0, x[0] + 1)",
    "t.normal(t.ones(9), x.sum() + 1)", "t.normal(t.ones(9), t.ones(2, 9))",
    "t.normal(t.ones(9), 1.0)", "t.poisson(t.ones(9))", "t.bernoulli(t.ones(9) / 2)",
    "x.clone().bernoulli_(t.full((4,), 0.5))", "x.clone().bernoulli_(x / 20)",
)  # fmt: skip


def drawn(t, source, randomness, nested):
    """What a program of one sample draws, with strides; or its error."""
    function = eval(f"lambda x: {source}", {"t": t, "F": t.nn.functional})
    x = t.arange(12.0).reshape(3, 4)
    call = t.vmap(function, randomness=randomness)
    if nested:
        call, x = t.vmap(call, randomness=randomness), t.arange(24.0).reshape(2, 3, 4)
    t.manual_seed(0)
    try:
        made = call(x)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    # Numbers of a distribution may differ in the last place.
    numbers = [round(v, 4) for v in made.double().reshape(-1).tolist()]
    return tuple(made.shape), made.stride(), str(made.dtype).rpartition(".")[2], numbers


@pytest.mark.parametrize("source", DRAWS)
@pytest.mark.parametrize("randomness", ["error", "different", "same"])
def test_samples_draw_the_oracles_numbers(source, randomness):
    """Or its error; the order of the draws included."""
    assert drawn(mindtorch, source, randomness, False) == drawn(torch, source, randomness, False)


@pytest.mark.parametrize("source", ["t.rand(1) + x * 0", "t.rand_like(x)", "t.randn(3)"])
@pytest.mark.parametrize("randomness", ["different", "same"])
def test_samples_of_samples_draw_the_oracles_numbers(source, randomness):
    """The outer batch comes first."""
    assert drawn(mindtorch, source, randomness, True) == drawn(torch, source, randomness, True)


@pytest.mark.parametrize(
    "source",
    ["t.zeros_like(x)", "t.ones_like(x)", "t.full_like(x, 2)", "x.to(t.float64)", "x.clone()",
     "x.clone().copy_(t.ones(4))", "x.clone().fill_(x.sum())",
     "x.new_empty_strided((2, 2), (1, 2))", "x.new_empty_strided((2, 2), (4, 8))",
     "x.new_empty_strided((0, 2), (1, 2))", "x.new_empty_strided((), ())",
     "x.new_empty_strided((2, 3), (0, 1))"],
)  # fmt: skip
def test_a_result_is_laid_out_as_its_argument(source):
    """Or as it was asked for; also where the batch is the last dimension."""
    strides = []
    for t in (torch, mindtorch):
        x = t.arange(12.0).reshape(4, 3)
        strides.append(t.vmap(eval(f"lambda x: {source}", {"t": t}), in_dims=1)(x).stride())
    assert strides[0] == strides[1]


def test_known_differences_still_differ():
    """Every entry of the table has explained something."""
    check_all_differ(__file__)


DROPOUTS = {
    "dropout1d": (2, 2, 3),
    "dropout2d": (2, 2, 2, 2),
    "dropout3d": (2, 2, 2, 2, 2),
    "dropout": (3, 2),
    "alpha_dropout": (3, 2),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("randomness", ["different", "same"])
@every("name", DROPOUTS)
def test_dropouts_draw_torchs_numbers(name, randomness):
    """For the samples, and the stream goes on where torch's does."""

    def drawn(t):
        t.manual_seed(3)
        function = getattr(t.nn.functional, name)
        x = t.ones(DROPOUTS[name])
        out = t.vmap(lambda x: function(x, 0.5, True), randomness=randomness)(x)
        return out, t.rand(2)

    assert_same_value(*both(drawn))


@every("name", ("dot", "vdot", "inner", "matmul"))
@every("dims", ((0, 0), (0, None), (None, 0)))
def test_inner_products_of_vectors_keep_their_dtype(name, dims):
    """Of int32, which a sum would make int64; of others too few or too many dims are told."""

    def products(t):
        vectors = t.arange(6, dtype=t.int32).reshape(2, 3)
        given = [vectors if dim == 0 else vectors[1] for dim in dims]
        found = t.vmap(getattr(t, name), dims)(*given)
        with pytest.raises(RuntimeError) as error:
            t.vmap(t.vdot, dims)(*[x[..., None] for x in given])
        return found.dtype == t.int32, found.tolist(), str(error.value)

    ours = products(mindtorch)
    assert ours == products(torch) and ours[0]
