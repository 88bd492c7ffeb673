"""``torch.vmap``: what samples may not be asked or done to, in torch's words."""

from __future__ import annotations

import copy
import importlib
import pickle

import pytest

from .forward_mode import forward_mode
from .programs import collector, run_both

PROGRAMS, program = collector()


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_same_program_same_notes(function):
    """What the program noted under torch it notes under mindtorch."""
    run_both(function)


def func(torch):
    return importlib.import_module(f"{torch.__name__}.func")


@program
def statistics_that_samples_share(torch, ns, note):
    norm = torch.nn.functional.batch_norm
    x = torch.arange(24.0).reshape(2, 3, 4)
    mean, var = torch.zeros(4), torch.ones(4)
    for training in (True, False):
        for dims in ((0, None, None), (0, 0, None), (0, 0, 0), (None, None, None)):
            given = [t if d is None else torch.stack([t, t]) for t, d in zip((mean, var), dims[1:])]
            first = x if dims[0] == 0 else x[0]
            run = torch.vmap(lambda *a: norm(*a, training=training).shape[0] + a[1].sum(), dims)
            note(lambda: run(first, *given))
    note(mean)
    net = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.BatchNorm1d(4))
    note(lambda: torch.vmap(net)(x))
    note(lambda: torch.vmap(net.eval())(x).shape)


@program
def windows_on_memory(torch, ns, note):
    x = torch.arange(24.0).reshape(2, 3, 4)
    for size, stride, offset in (
        ((2, 2), (1, 1), None), ((20,), (1,), None), ((2, 2), (1, 1), 9), ((2, 2), (1, 1), 13),
        ((2, 2), (1, 6), 5), ((2,), (1, 2), None), ((0, 2), (1, 2), 50), ((3,), (4,), 4),
    ):  # fmt: skip
        for dim in (0, 1, 2):
            note(lambda: torch.vmap(lambda a: a.as_strided(size, stride, offset), dim)(x))
        note(lambda: torch.vmap(lambda a: a[1:].as_strided(size, stride, offset))(x))
        note(lambda: torch.vmap(torch.vmap(lambda a: a.as_strided(size, stride, offset)))(x))


@program
def products_of_other_ranks(torch, ns, note):
    x = torch.arange(24.0).reshape(2, 3, 4)
    for name in ("dot", "mv", "mm", "bmm"):
        for a, b in ((x, x), (x[:, 0], x), (x, x[:, 0]), (x[..., None], x)):
            note(lambda: torch.vmap(getattr(torch, name))(a, b))
            note(lambda: torch.vmap(getattr(torch, name), (0, None))(a, b))


@program
def questions_to_samples(torch, ns, note):
    F = func(torch)
    x = torch.arange(6.0).reshape(2, 3)
    one_hot = torch.nn.functional.one_hot
    of_values = [
        lambda a: a.data,
        lambda a: setattr(a, "data", a),
        lambda a: a if a.sum() > 0 else -a,
        lambda a: a * a.sum().item(),
    ]
    others = [
        copy.deepcopy,
        pickle.dumps,
        lambda a: torch.where(a > 1),
        lambda a: one_hot(a.long()),
        lambda a: one_hot(a.long(), 8),
        lambda a: a.clone(memory_format=torch.channels_last),
        lambda a: a.contiguous(memory_format=torch.channels_last),
        lambda a: a.is_contiguous(memory_format=torch.channels_last),
        lambda a: torch.tensor(a.is_contiguous()),
    ]
    for f in of_values + others:
        note(lambda: torch.vmap(f)(x))
        note(lambda: torch.vmap(torch.vmap(f))(x))
    for f in of_values:
        note(lambda: torch.vmap(F.grad(lambda a: (f(a) * a).sum()))(x))


@program
def samples_after_their_vmap(torch, ns, note):
    kept = []
    torch.vmap(lambda a: kept.append(a) or a.sum())(torch.ones(2, 2))
    left = kept[0]
    for f in (
        lambda: left + 1,
        lambda: torch.ones(2) + left,
        left.sin,
        left.clone,
        left.t,
        lambda: left[0],
        lambda: left.view(1, 2),
        lambda: torch.nn.functional.linear(left, torch.ones(2, 2)),
        lambda: torch.rand_like(left),
        lambda: (left.shape, left.dtype, left.requires_grad),
    ):
        note(lambda f=f: f())


@program
def dimensions_of_samples_without_any(torch, ns, note):
    """What a 0-d sample turns or squeezes is itself, and only dimension 0 is squeezed."""
    for x in (torch.arange(2.0), torch.ones(2, 1), torch.ones(2, 3, 1)):
        for dim in (-3, -2, -1, 0, 1, 2, (0,), (1,), (-4,)):
            for name in ("squeeze", "squeeze_"):
                at = x.clone()
                made = note(lambda: torch.vmap(lambda a: getattr(a, name)(dim))(at))
                note((at.shape, made is at))
        for pair in ((0, 0), (-1, 0), (0, -1), (0, 1), (0, 5)):
            for name in ("transpose", "swapaxes", "transpose_"):
                at = x.clone()
                made = note(lambda: torch.vmap(lambda a: getattr(a, name)(*pair))(at))
                note((at.shape, made is at))
        at = x.clone()
        note(torch.vmap(torch.Tensor.squeeze_)(at) is at)
        note(torch.vmap(torch.t)(x[..., 0] if x.ndim > 2 else x) is x)


@program
def places_of_samples(torch, ns, note):
    """A sample lies where its batch does."""
    x = torch.arange(24.0).reshape(2, 3, 4)
    for part, dim in ((x[1:], 0), (x[:, 1:], 0), (x[:, :, 2:], 1), (x[:, 1:], 2)):
        note(torch.vmap(lambda a: (a.storage_offset(), a[0].storage_offset()), dim, None)(part))
    inner = torch.vmap(lambda a: a.storage_offset(), 1, None)
    note(torch.vmap(inner, 0, None)(x[:, 1:, 1:]))


@program
def operators_that_are_not_batched(torch, ns, note):
    """Of which torch has no rule and that it does not run sample by sample."""
    x, one = torch.arange(24.0).reshape(2, 3, 4), torch.tensor(1.0)
    places, aten = torch.tensor([0, 2]), torch.ops.aten
    for f in (
        lambda a: torch.column_stack([a, a]),
        lambda a: torch._chunk_cat([a, a], 0, 2),
        lambda a: torch.histogramdd(a, [2] * 4),
        lambda a: torch.histogramdd(a, 2),
        lambda a: torch.histogramdd(a, [places.float()] * 4),
        lambda a: torch.nonzero(a, as_tuple=True),
        lambda a: torch.tensor_split(a, places[:1]),
        lambda a: torch.tensor_split(a, places[1]),
        lambda a: torch.as_strided_scatter(a, a[:1, :2], (1, 2), (1, 1)),
        lambda a: torch.narrow(a, 0, places[0], 1),
        lambda a: torch.equal(a, a),
        lambda a: aten._index_put_impl(a, [places], one),
        *[
            lambda a, put=put, index=index: put(a, [index(a)], one)
            for put in (aten.index_put, aten.index_put_, aten._index_put_impl_)
            for index in (lambda a: a > 5, lambda a: places, lambda a: a[0].long() % 3)
        ],
        lambda a: aten._unsafe_index_put(a, [a > 5], one),
    ):
        note(lambda: torch.vmap(f)(x.clone()))
    note(lambda: torch.vmap(lambda a, i: aten._index_put_impl_(a, [i], one), (None, 0))(x, places))


@program
def lengths_of_samples(torch, ns, note):
    """Each sample's loss of sequences has lengths of its own."""
    torch.manual_seed(0)
    x = torch.randn(2, 5, 3, 4).log_softmax(-1)
    targets = torch.randint(1, 4, (2, 3, 2))
    lengths = torch.tensor([[5, 4, 3], [5, 5, 5]]), torch.tensor([[2, 1, 2], [1, 2, 2]])
    loss = torch.nn.functional.ctc_loss
    note(lambda: [round(v, 4) for v in torch.vmap(loss)(x, targets, *lengths).tolist()])


@program
def gradients_of_gradients_of_samples(torch, ns, note):
    """Reading an image at places has a second gradient over a batch, too."""
    F = func(torch)
    torch.manual_seed(0)
    x, grid = torch.randn(2, 1, 2, 3, 3), torch.rand(2, 1, 2, 2, 2)

    def once(*args):
        out, pull = F.vjp(
            lambda *a: torch.nn.functional.grid_sample(*a, align_corners=False), *args
        )
        return pull(torch.ones_like(out))

    def twice(x, grid):
        found, pull = F.vjp(once, x, grid)
        return pull(tuple(torch.ones_like(t) for t in found))

    note([[round(v, 3) for v in t.flatten().tolist()] for t in torch.vmap(twice)(x, grid)])


@program
def dual_tensors_of_samples(torch, ns, note):
    """Are made by transforms alone."""
    fw = forward_mode(torch)
    jacobian = torch.autograd.functional.jacobian
    x, y = torch.arange(6.0).reshape(2, 3), torch.ones(3)
    with fw.dual_level():
        for f in (lambda t: fw.make_dual(y, t), lambda t: fw.make_dual(t, y)):
            note(lambda: torch.vmap(f)(x))
        note(lambda: torch.vmap(lambda t: t * 2)(fw.make_dual(x, x)))
    note(lambda: jacobian(torch.sum, y, strategy="forward-mode", vectorize=True))


@program
def keys_that_were_excluded(torch, ns, note):
    """A level has the keys that it needs all the same."""
    keys, F, x = torch._C.DispatchKey, func(torch), torch.ones(3)
    for name in ("FuncTorchBatched", "Autograd", "ADInplaceOrView", "FuncTorchVmapMode"):
        key = getattr(keys, name)
        with torch._C._ExcludeDispatchKeyGuard(torch._C.DispatchKeySet(key)):
            note(lambda: torch.vmap(lambda a: a.sum(0) * 2)(x))
            note(lambda: torch.vmap(F.grad(torch.square))(x))
            note(torch._C._dispatch_tls_local_exclude_set().has(key))


@program
def numbers_of_chunks(torch, ns, note):
    chunk_vmap = importlib.import_module(f"{torch.__name__}._functorch.apis").chunk_vmap
    x = torch.arange(20.0).reshape(10, 2)
    for chunks in (-1, 0, 1, 2, 3, 4, 7, 10, 11, 2.5):
        sizes = []
        for dims in ((0, None), (0, 1)):
            f = chunk_vmap(lambda a, b: sizes.append(1) or a + b, dims, chunks=chunks)
            note(lambda: f(x, x[0] if dims[1] is None else x.t()))
        note(len(sizes))
