"""Layers that are seldom used: outputs, gradients, state, printed forms and refusals, as torch's.

One generator gives each layer's class, arguments and inputs; everything is asked of all of them.
"""

from __future__ import annotations

import copy
import inspect
import io
import re

import numpy as np
import pytest

from .both_frameworks import ours, same, torch
from .helpers import differences

BOTH = (ours, torch)


def numbers(*shape, seed=0, low=-1.0, high=1.0):
    return np.random.default_rng([seed, *shape]).uniform(low, high, shape).astype(np.float32)


def ints(*values):
    return np.array(values, np.int64)


IDS, STARTS = ints(0, 2, 3, 2, 1, 0), ints(0, 2, 2, 5)
#: Name of the class, its arguments, the inputs of a call.
LAYERS = [
    ("AdaptiveLogSoftmaxWithLoss", (8, 20, [5, 10]), (numbers(4, 8), ints(1, 7, 19, 4))),
    ("AdaptiveLogSoftmaxWithLoss", (8, 20, [5], 2.0, True), (numbers(8), ints(7).reshape(()))),
    ("Bilinear", (2, 3, 4), (numbers(5, 2), numbers(5, 3))),
    ("Bilinear", (2, 3, 4, False), (numbers(2, 5, 2), numbers(2, 5, 3))),
    ("CrossMapLRN2d", (3,), (numbers(2, 4, 3, 3),)),
    ("CrossMapLRN2d", (4, 0.5, 0.6, 2), (numbers(2, 4, 3, 3),)),
    ("EmbeddingBag", (4, 3), (IDS, STARTS)),
    ("EmbeddingBag", (4, 3), (IDS.reshape(2, 3),)),
    ("EmbeddingBag", (4, 3, None, 2.0, False, "max"), (IDS, STARTS)),
    ("EmbeddingBag", (4, 3, 0.5, 2.0, False, "sum"), (IDS, STARTS)),
    ("EmbeddingBag", (4, 3, None, 2.0, True, "sum"), (IDS, STARTS, numbers(6))),
    ("EmbeddingBag", (4, 3, None, 2.0, False, "mean", False, None, True, 2), (IDS, ints(0, 2, 6))),
    ("FractionalMaxPool2d", (2, 3), (numbers(2, 3, 7, 8),)),
    ("FractionalMaxPool2d", ((2, 3), None, (0.5, 0.4)), (numbers(3, 7, 8),)),
    ("FractionalMaxPool3d", (2, 3), (numbers(2, 3, 7, 8, 6),)),
    ("FractionalMaxPool3d", (2, None, 0.5, True), (numbers(2, 3, 7, 8, 6),)),
    ("InstanceNorm1d", (3,), (numbers(2, 3, 5),)),
    ("InstanceNorm1d", (3, 1e-3, 0.2, True, True), (numbers(3, 5),)),
    ("InstanceNorm2d", (3, 1e-5, 0.1, True), (numbers(2, 3, 4, 5),)),
    ("InstanceNorm3d", (3, 1e-5, 0.1, False, True), (numbers(2, 3, 4, 5, 2),)),
    ("LazyBatchNorm1d", (), (numbers(4, 3, 5),)),
    ("LazyBatchNorm2d", (1e-3, None, False), (numbers(4, 3, 5, 2),)),
    ("LazyBatchNorm3d", (1e-3, 0.1, True, False), (numbers(4, 3, 5, 2, 2),)),
    ("LazyConv1d", (4, 3), (numbers(2, 3, 7),)),
    ("LazyConv2d", (4, 3, 2, 1, 1, 1, False), (numbers(2, 3, 7, 6),)),
    ("LazyConv2d", (4, 3, 1, "same", 1, 2), (numbers(2, 7, 6),)),
    ("LazyConv3d", (4, 2), (numbers(2, 3, 4, 4, 3),)),
    ("LazyConvTranspose1d", (4, 3), (numbers(2, 3, 7),)),
    ("LazyConvTranspose2d", (4, 3, 2), (numbers(2, 3, 4, 3),)),
    ("LazyConvTranspose3d", (4, 2), (numbers(2, 3, 3, 2, 2),)),
    ("LazyInstanceNorm1d", (1e-5, 0.1, True), (numbers(2, 3, 5),)),
    ("LazyInstanceNorm2d", (), (numbers(2, 3, 5, 4),)),
    ("LazyInstanceNorm3d", (1e-5, 0.1, False, False), (numbers(2, 3, 3, 2, 4),)),
    ("LazyLinear", (4,), (numbers(2, 3),)),
    ("LazyLinear", (4, False), (numbers(2, 5, 3),)),
    ("LPPool3d", (2.0, 2), (numbers(1, 2, 4, 4, 4),)),
    ("MaxUnpool1d", (2,), (numbers(1, 2, 3), ints(0, 3, 5, 1, 2, 4).reshape(1, 2, 3))),
    ("MaxUnpool2d", (2, 2, 0), (numbers(1, 2, 2), ints(0, 3, 9, 15).reshape(1, 2, 2))),
    ("MaxUnpool3d", (2,), (numbers(1, 1, 1, 1, 2), ints(0, 11).reshape(1, 1, 1, 1, 2))),
    ("RReLU", (), (numbers(4, 5),)),
    ("RReLU", (0.2, 0.4, True), (numbers(4, 5) * 1,)),
    ("SyncBatchNorm", (3,), (numbers(4, 3, 5),)),
    ("SyncBatchNorm", (3, 1e-5, None, False), (numbers(4, 3),)),
    ("CTCLoss", (), (numbers(6, 2, 5, low=-3, high=-0.5), ints(1, 2, 2, 3, 1, 4).reshape(2, 3),
                     ints(6, 5), ints(3, 2))),
    ("CTCLoss", (4, "sum", True), (numbers(3, 2, 5, low=-3, high=-0.5), ints(1, 2, 2, 3, 1),
                                   ints(3, 3), ints(3, 2))),
    ("TripletMarginWithDistanceLoss", (), (numbers(3, 4), numbers(3, 4, seed=1),
                                           numbers(3, 4, seed=2))),
    ("GLU", (), (numbers(3, 4),)),
    ("Softmax2d", (), (numbers(2, 3, 2, 2),)),
]  # fmt: skip
NAMES = [f"{name}{i}" for i, (name, _, _) in enumerate(LAYERS)]


def tensors(inputs, t):
    made = [t.from_numpy(a.copy()) for a in inputs]
    return [x.requires_grad_(True) if x.is_floating_point() else x for x in made]


def flat(value):
    if isinstance(value, (tuple, list)):
        return [x for part in value for x in flat(part)]
    return [value]


def run(case, t, train=True):
    """Printed forms before and after a call, its results, and every gradient and number."""
    name, args, inputs = case
    t.manual_seed(7)
    module = getattr(t.nn, name)(*args)
    module.train(train)
    before = repr(module), sorted(module.state_dict()), type(module).__mro__[0].__module__
    given = tensors(inputs, t)
    # What works in place may not begin at a leaf.
    results = flat(module(*[x * 1 if getattr(module, "inplace", False) else x for x in given]))
    roots = [
        (r * t.from_numpy(numbers(*r.shape, seed=9))).sum() for r in results if r.requires_grad
    ]
    if roots:
        sum(roots[1:], roots[0]).backward()
    grads = [x.grad for x in given] + [p.grad for p in module.parameters()]
    state = list(module.state_dict().values())
    texts = [*before, repr(module), type(module).__name__, list(module.state_dict())]
    texts = [str(x).replace("mindtorch.", "torch.") for x in texts]
    return texts, [r.detach() for r in results] + state + [g for g in grads if g is not None]


@pytest.mark.parametrize("train", [True, False])
@pytest.mark.parametrize("case", LAYERS, ids=NAMES)
def test_layers_do_what_torchs_do(case, train):
    (texts, got), (their_texts, want) = run(case, ours, train), run(case, torch, train)
    assert texts == their_texts
    assert len(got) == len(want)
    for a, b in zip(got, want, strict=True):
        assert not differences(a, b, rtol=1e-5, atol=1e-6), case


@pytest.mark.parametrize("name", sorted({name for name, _, _ in LAYERS}))
def test_layers_take_what_torchs_take(name):
    a, b = (getattr(t.nn, name) for t in BOTH)
    mine, theirs = (inspect.signature(c.__init__).parameters for c in (a, b))
    assert list(mine) == list(theirs)
    assert [p.default for p in mine.values()] == [p.default for p in theirs.values()]
    assert getattr(a, "__constants__", None) == getattr(b, "__constants__", None)


#: What is refused, and in which words.
REFUSED = {
    "padding of bags": lambda t: t.nn.EmbeddingBag(4, 3, padding_idx=9),
    "weight of bags": lambda t: t.nn.EmbeddingBag(4, 3, _weight=t.ones(2, 2)),
    "flat table of bags": lambda t: t.nn.EmbeddingBag.from_pretrained(t.ones(2)),
    "no ratio": lambda t: t.nn.FractionalMaxPool2d(2),
    "two sizes": lambda t: t.nn.FractionalMaxPool2d(2, 3, 0.5),
    "large ratio": lambda t: t.nn.FractionalMaxPool3d(2, output_ratio=(0.5, 1.5, 0.5)),
    "no features": lambda t: t.nn.Bilinear(0, 3, 4),
    "channels": lambda t: t.nn.InstanceNorm1d(3, affine=True)(t.ones(2, 4, 5)),
    "dims 1": lambda t: t.nn.InstanceNorm1d(3)(t.ones(5)),
    "dims 2": lambda t: t.nn.InstanceNorm2d(3)(t.ones(2, 4, 5, 6, 6)),
    "dims 3": lambda t: t.nn.InstanceNorm3d(3)(t.ones(5)),
    "statistics": lambda t: t.nn.InstanceNorm1d(3).load_state_dict(
        {"running_mean": t.zeros(3), "running_var": t.zeros(3), "weight": t.ones(3)}
    ),
    "cutoffs": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [10, 5]),
    "far cutoffs": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5, 20]),
    "no cutoffs": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, []),
    "class": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5])(t.ones(2, 8), t.tensor([1, 25])),
    "targets": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5])(t.ones(3, 8), t.tensor([1])),
    "two dims": lambda t: t.nn.AdaptiveLogSoftmaxWithLoss(8, 20, [5])(
        t.ones(3, 8), t.tensor([[1]])
    ),
    "flat batch": lambda t: t.nn.SyncBatchNorm(3)(t.ones(3)),
    "no channels": lambda t: t.nn.SyncBatchNorm(3)(t.ones(2, 0, 4)),
    "lazy shape": lambda t: t.nn.LazyLinear(3).weight.shape,
    "lazy sharing": lambda t: t.nn.LazyLinear(3).share_memory(),
    "lazy channels": lambda t: t.nn.LazyConv2d(3, 2)(t.ones(5, 5)),
    "lazy into full": lambda t: t.nn.Linear(4, 3).load_state_dict(t.nn.LazyLinear(3).state_dict()),
    "lrn dims": lambda t: t.nn.CrossMapLRN2d(3)(t.ones(2, 3)),
    "bag mode": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0]]), t.ones(2, 2), mode="median"
    ),
    "bags twice": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0]]), t.ones(2, 2), t.tensor([0])
    ),
    "no bags": lambda t: t.nn.functional.embedding_bag(t.tensor([0]), t.ones(2, 2)),
    "bags in 3d": lambda t: t.nn.functional.embedding_bag(t.tensor([[[0]]]), t.ones(2, 2)),
    "max by frequency": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0]]), t.ones(2, 2), mode="max", scale_grad_by_freq=True
    ),
    "weights of means": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0]]), t.ones(2, 2), per_sample_weights=t.ones(1, 1)
    ),
    "weights of others": lambda t: t.nn.functional.embedding_bag(
        t.tensor([[0]]), t.ones(2, 2), per_sample_weights=t.ones(2)
    ),
    "unpooled size": lambda t: t.nn.functional.max_unpool1d(
        t.ones(1, 1, 3), t.tensor([[[0, 2, 4]]]), 2, output_size=(1, 1, 9)
    ),
    "unpooled dims": lambda t: t.nn.functional.max_unpool1d(
        t.ones(1, 1, 3), t.tensor([[[0, 2, 4]]]), 2, output_size=(1, 1, 1, 9)
    ),
    "grid mode": lambda t: t.nn.functional.grid_sample(
        t.ones(1, 1, 2, 2), t.zeros(1, 1, 1, 2), "cubic"
    ),
    "grid padding": lambda t: t.nn.functional.grid_sample(
        t.ones(1, 1, 2, 2), t.zeros(1, 1, 1, 2), padding_mode="none"
    ),
    "whole theta": lambda t: t.nn.functional.affine_grid(t.ones(1, 2, 3).long(), (1, 1, 2, 2)),
    "theta shape": lambda t: t.nn.functional.affine_grid(t.ones(1, 3, 3), (1, 1, 2, 2), False),
    "theta shape 3d": lambda t: t.nn.functional.affine_grid(
        t.ones(1, 2, 3), (1, 1, 2, 2, 2), False
    ),
    "grid dims": lambda t: t.nn.functional.affine_grid(t.ones(1, 2, 3), (1, 1, 2), False),
    "empty grid": lambda t: t.nn.functional.affine_grid(t.ones(1, 2, 3), (1, 1, 0, 2), False),
    "rrelu bounds": lambda t: t.nn.functional.rrelu(t.ones(2), 0.5, 0.1),
    "rrelu of an expanded tensor": lambda t: t.nn.functional.rrelu(
        t.ones(1).expand(3), inplace=True
    ),
    "blocks that do not fit": lambda t: t.nn.Fold((4, 5), 2, dilation=8)(t.ones(3, 12, 12)),
    "blocks of nothing": lambda t: t.nn.Fold(0, 2)(t.ones(1, 12, 1)),
    "no pool size": lambda t: t.nn.functional.fractional_max_pool2d(t.ones(1, 4, 4), 2),
    "reduction": lambda t: t.nn._reduction.get_enum("median"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_have_torchs_words(name):
    result, _ = same(REFUSED[name])
    assert result[0] != "value"


#: What warns, or gives plain values.
SAID = {
    "corners": lambda t: t.nn.functional.grid_sample(t.ones(1, 1, 2, 2), t.zeros(1, 1, 1, 2)),
    "affine corners": lambda t: t.nn.functional.affine_grid(t.ones(1, 2, 3), (1, 1, 2, 2)),
    "unit grid": lambda t: t.nn.functional.affine_grid(t.ones(1, 2, 3), (1, 1, 1, 1), True),
    "container": lambda t: repr(t.nn.Container(a=t.nn.ReLU())),
    "old loss": lambda t: repr(t.nn.NLLLoss2d()),
    "features": lambda t: t.nn.InstanceNorm1d(3)(t.ones(2, 4, 5)),
    "swapped bags": lambda t: t.nn.functional.embedding_bag(t.ones(2, 2), t.tensor([[0]])),
    "converted": lambda t: repr(
        t.nn.SyncBatchNorm.convert_sync_batchnorm(
            t.nn.Sequential(t.nn.BatchNorm1d(2), t.nn.Sequential(t.nn.BatchNorm3d(2)))
        )
    ),
    "tuples": lambda t: [
        getattr(t.nn.modules.utils, n)(x)
        for n in ("_single", "_pair", "_triple", "_quadruple")
        for x in (3, (1, 2), [4])
    ],
    "reversed": lambda t: t.nn.modules.utils._reverse_repeat_tuple((1, 2, 3), 2),
    "default sizes": lambda t: t.nn.modules.utils._list_with_default([None, 3], [1, 2, 5, 6]),
    "prefix": lambda t: stripped(t),
    "old reduction": lambda t: t.nn._reduction.legacy_get_string(None, False),
    "old number": lambda t: t.nn._reduction.legacy_get_enum(False, None, False),
    "lazy": lambda t: [
        t.nn.parameter.is_lazy(t.nn.UninitializedParameter()),
        t.nn.parameter.is_lazy(t.ones(2)),
        repr(t.nn.UninitializedBuffer()),
        t.nn.UninitializedParameter(requires_grad=False).requires_grad,
        t.nn.LazyLinear(3).half().weight.dtype is t.half,
        t.nn.LazyLinear(3).to(dtype=t.float64)(t.ones(2, 3).double()).dtype is t.float64,
        str(t.nn.LazyLinear(3).to("meta").weight.device),
        t.nn.LazyConv2d(3, 2).has_uninitialized_params(),
    ],
    "types": lambda t: str(t.nn.common_types._size_2_t),
}


def stripped(t):
    state = t.nn.Sequential(t.nn.Linear(1, 1)).state_dict(prefix="module.")
    t.nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
    return sorted(state), sorted(state._metadata)


@pytest.mark.parametrize("name", SAID)
def test_values_and_warnings_are_torchs(name):
    result, _ = same(SAID[name])
    assert result[0] == "value", result


@pytest.mark.parametrize("t", BOTH, ids=["ours", "torchs"])
def test_lazy_layers_are_copied_loaded_and_saved(t):
    t.manual_seed(3)
    full, lazy = t.nn.LazyLinear(3), t.nn.LazyLinear(3)
    full(t.ones(2, 4))
    assert type(full) is t.nn.Linear and not full._forward_pre_hooks
    assert not full._load_state_dict_pre_hooks
    lazy.load_state_dict(full.state_dict())
    assert type(lazy) is t.nn.LazyLinear and tuple(lazy.weight.shape) == (3, 4)
    assert lazy(t.ones(2, 4)).tolist() == full(t.ones(2, 4)).tolist()
    copied = copy.deepcopy(t.nn.LazyConv1d(2, 3))
    assert t.nn.parameter.is_lazy(copied.weight)
    assert tuple(copied(t.ones(1, 4, 5)).shape) == (1, 2, 3)
    file = io.BytesIO()
    t.save(t.nn.LazyLinear(5).state_dict(), file)
    with pytest.raises(ValueError, match="Attempted to use an uninitialized parameter in "):
        t.nn.LazyLinear(3).weight + 1
    with pytest.raises(RuntimeError, match="has not been fully initialized"):
        Half(t)(t.ones(2))


def Half(t):
    class Unready(t.nn.modules.lazy.LazyModuleMixin, t.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = t.nn.UninitializedParameter()

        def initialize_parameters(self, x):
            pass

    return Unready()


@pytest.mark.parametrize("n", [1, 2, 3])
def test_gradients_of_convolutions_as_functions(n):
    def gradients(t):
        x, w = t.from_numpy(numbers(2, 4, *[6] * n)), t.from_numpy(numbers(6, 2, *[3] * n))
        y = getattr(t.nn.functional, f"conv{n}d")(x, w, None, 2, 1, 1, 2)
        g = t.from_numpy(numbers(*y.shape))
        into = getattr(t.nn.grad, f"conv{n}d_input")(x.shape, w, g, 2, 1, 1, 2)
        return into, getattr(t.nn.grad, f"conv{n}d_weight")(x, w.shape, g, 2, 1, 1, 2)

    for a, b in zip(gradients(ours), gradients(torch), strict=True):
        assert not differences(a, b, rtol=1e-5, atol=1e-5)


def test_classes_stand_where_torchs_do():
    for name in torch.nn.modules.__all__:
        mine = getattr(ours.nn, name)
        home = getattr(torch.nn, name).__module__
        assert (
            mine.__module__.replace("mindtorch.", "torch.").replace("torch.torch", "torch") == home
        )


@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("affine", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "float16", "bfloat16"])
def test_running_statistics_of_instances_of_another_dtype(dtype, affine, training):
    def run(t):
        x = (t.arange(24.0) * 0.37).sin().view(2, 3, 4).to(getattr(t, dtype))
        layer = t.nn.InstanceNorm1d(3, track_running_stats=True, affine=affine).train(training)
        try:
            y = layer(x)
        except RuntimeError as e:
            return str(e)
        state = layer.running_mean, layer.running_var
        return str(y.dtype), y.tolist(), [v.tolist() for v in state], [str(v.dtype) for v in state]

    got, want = run(ours), run(torch)
    if isinstance(want, str):
        assert got == want
    else:
        close = 1e-2 if dtype == "bfloat16" else 2e-3 if dtype == "float16" else 1e-6
        assert got[0] == want[0] and got[3] == want[3]
        assert np.allclose(got[1], want[1], atol=close) and np.allclose(got[2], want[2], atol=close)


_STATES = {
    "its own": lambda t, lazy, full: lazy,
    "its own but the weight": lambda t, lazy, full: {k: lazy[k] for k in lazy if k != "weight"},
    "its own and another": lambda t, lazy, full: {**lazy, "other": t.ones(1)},
    "one with shapes": lambda t, lazy, full: full,
    "one with some shapes": lambda t, lazy, full: {**lazy, "bias": full["bias"]},
    "no tensors": lambda t, lazy, full: dict.fromkeys(lazy, 3),
}


@pytest.mark.parametrize("state", _STATES)
@pytest.mark.parametrize("assign", [False, True])
@pytest.mark.parametrize("strict", [False, True])
def test_a_lazy_layer_takes_a_state_with_or_without_shapes(state, assign, strict):
    """A state that was saved before the first call leaves the layer as lazy as it is."""
    seen = []
    for t in (ours, torch):
        layer = t.nn.LazyLinear(4)
        given = _STATES[state](t, layer.state_dict(), t.nn.Linear(3, 4).state_dict())
        try:
            said = repr(layer.load_state_dict(given, strict=strict, assign=assign))
        except (RuntimeError, AttributeError) as e:
            said = re.sub(r"parameter in <.*?>\.", "parameter in …", str(e)).replace('"', "'")
        kinds = [(n, type(p).__name__, p.requires_grad) for n, p in layer.named_parameters()]
        seen.append((said, kinds))
    assert seen[0] == seen[1]
