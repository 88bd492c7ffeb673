"""``nn.functional``: values, checks, warnings and names as torch has them."""

import importlib
import inspect

import numpy as np
import pytest
import torch

from tests.contract.hearing import hearing

ours = importlib.import_module("mindtorch")


def numbers(t, *shape, seed=0):
    """The same numbers in both frameworks."""
    values = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return t.from_numpy(values)


def plain(value, t):
    if isinstance(value, t.Tensor):
        return ("tensor", str(value.dtype), tuple(value.shape), value.detach().double().tolist())
    if isinstance(value, (tuple, list)):
        return [plain(v, t) for v in value]
    return value


def outcome(fn, t):
    with hearing() as heard:
        try:
            result = ("value", plain(fn(t, t.nn.functional), t))
        except Exception as e:
            result = (type(e).__name__, str(e))
    return result, [(str(w.message), w.category.__name__) for w in heard]


def close(got, want):
    if isinstance(want, float):
        return got == pytest.approx(want, rel=2e-5, abs=2e-6, nan_ok=True)
    if isinstance(want, list | tuple):
        return len(got) == len(want) and all(close(g, w) for g, w in zip(got, want))
    return got == want


def x(t, *shape, seed=0):
    return numbers(t, *(shape or (2, 3)), seed=seed)


def qkv(t):
    return x(t, 2, 3, 4), x(t, 2, 5, 4, seed=1), x(t, 2, 5, 4, seed=2)


def mask(t):
    return t.ones(3, 5).tril(1) > 0


VALUES = {
    "softmax_implicit": lambda t, F: F.softmax(x(t)),
    "softmax_scalar": lambda t, F: F.softmax(t.ones(())),
    "softmax_dtype": lambda t, F: F.softmax(x(t), 1, dtype=t.float64),
    "log_softmax_implicit": lambda t, F: F.log_softmax(x(t, 2, 2, 2)),
    "softmin_implicit": lambda t, F: F.softmin(x(t)),
    "relu": lambda t, F: F.relu(x(t)),
    "relu_inplace": lambda t, F: (lambda v: [F.relu(v, inplace=True) is v, v])(x(t)),
    "elu_inplace": lambda t, F: (lambda v: [F.elu(v, 0.5, True) is v, v])(x(t)),
    "hardtanh_inplace": lambda t, F: (lambda v: [F.hardtanh(v, 0, 1, True) is v, v])(x(t)),
    "threshold_inplace": lambda t, F: (lambda v: [F.threshold(v, 0.1, 2, True) is v, v])(x(t)),
    "silu": lambda t, F: F.silu(x(t)),
    "softsign": lambda t, F: F.softsign(x(t)),
    "tanhshrink": lambda t, F: F.tanhshrink(x(t)),
    "logsigmoid": lambda t, F: F.logsigmoid(x(t)),
    "dropout_off": lambda t, F: F.dropout(x(t), 0.5, False),
    "dropout_none": lambda t, F: F.dropout(x(t), 0.0),
    "dropout_all": lambda t, F: F.dropout(x(t), 1.0),
    "dropout1d_off": lambda t, F: F.dropout1d(x(t), 0.5, False),
    "mse_broadcast": lambda t, F: F.mse_loss(x(t), t.ones(3)),
    "mse_legacy": lambda t, F: F.mse_loss(x(t), x(t) + 1, size_average=False),
    "mse_legacy_none": lambda t, F: F.mse_loss(x(t), x(t) + 1, reduce=False),
    "mse_old_name": lambda t, F: F.mse_loss(x(t), x(t) + 1, reduction="elementwise_mean"),
    "l1_broadcast": lambda t, F: F.l1_loss(x(t), t.ones(3)),
    "smooth_l1_zero": lambda t, F: F.smooth_l1_loss(x(t), x(t) + 1, beta=0),
    "kl_mean": lambda t, F: F.kl_div(x(t), x(t).exp()),
    "kl_batchmean": lambda t, F: F.kl_div(x(t), x(t).exp(), reduction="batchmean"),
    "cross_entropy": lambda t, F: F.cross_entropy(x(t), t.tensor([0, 2])),
    "bce": lambda t, F: F.binary_cross_entropy(x(t).sigmoid(), t.ones(2, 3), t.full((3,), 2.0)),
    "batch_norm": lambda t, F: F.batch_norm(x(t, 4, 3), None, None, training=True),
    "layer_norm": lambda t, F: F.layer_norm(x(t), (3,)),
    "group_norm": lambda t, F: F.group_norm(x(t, 2, 4), 2),
    "instance_norm": lambda t, F: F.instance_norm(x(t, 2, 3, 4)),
    "batch_norm_moves_statistics": lambda t, F: (
        lambda mean, var: [F.batch_norm(x(t, 4, 3), mean, var, training=True), mean, var]
    )(t.zeros(3), t.ones(3)),
    "rms_norm": lambda t, F: F.rms_norm(x(t), (3,)),
    "embedding": lambda t, F: F.embedding(t.tensor([1, 0]), x(t), padding_idx=-1),
    "one_hot": lambda t, F: F.one_hot(t.tensor([1, 0, 2])),
    "linear": lambda t, F: F.linear(x(t), x(t, 4, 3, seed=1)),
    "conv1d": lambda t, F: F.conv1d(x(t, 1, 2, 6), x(t, 3, 2, 2, seed=1)),
    "pad": lambda t, F: F.pad(x(t), (1, 0, -1, 2), value=3),
    "pad_negative": lambda t, F: F.pad(x(t), (-1, 2)),
    "pad_int": lambda t, F: F.pad(t.ones(2, dtype=t.int64), (1, 1)),
    "pad_reflect": lambda t, F: F.pad(x(t, 2, 3, 4), (2, 1, 1, 2), "reflect"),
    "pad_replicate": lambda t, F: F.pad(x(t, 2, 3, 4), (3, 0, 1, -1), "replicate"),
    "pad_circular": lambda t, F: F.pad(x(t, 1, 3, 4), (2, 1), "circular"),
    "pad_circular_2d": lambda t, F: F.pad(x(t, 1, 1, 3, 4), (2, 1, 0, 3), "circular"),
    "pad_nothing": lambda t, F: F.pad(x(t), []),
    "normalize": lambda t, F: F.normalize(x(t)),
    "normalize_l1": lambda t, F: F.normalize(x(t), p=1, dim=0),
    "normalize_zero": lambda t, F: F.normalize(t.zeros(2, 2)),
    "max_pool2d_indices": lambda t, F: F.max_pool2d(x(t, 1, 1, 4, 4), 2, return_indices=True),
    "adaptive": lambda t, F: F.adaptive_avg_pool2d(x(t, 1, 5, 4), (2, None)),
    "avg_pool2d": lambda t, F: F.avg_pool2d(x(t, 1, 4, 4), 2),
    "gumbel_hard_sums": lambda t, F: F.gumbel_softmax(x(t), hard=True).sum(-1),
    "gumbel_eps": lambda t, F: F.gumbel_softmax(x(t), eps=3).shape[0],
    "cosine": lambda t, F: F.cosine_similarity(x(t), x(t, seed=1)),
    "cosine_broadcast": lambda t, F: F.cosine_similarity(x(t), x(t, 3, seed=1), -1, 0.5),
    "distance": lambda t, F: F.pairwise_distance(x(t), x(t, seed=1), 1.5, keepdim=True),
    "attention": lambda t, F: F.scaled_dot_product_attention(*qkv(t)),
    "attention_causal": lambda t, F: F.scaled_dot_product_attention(*qkv(t), is_causal=True),
    "attention_scale": lambda t, F: F.scaled_dot_product_attention(*qkv(t), scale=0.3),
    "attention_mask": lambda t, F: F.scaled_dot_product_attention(
        *qkv(t), t.ones(3, 5).tril(1) > 0
    ),
    "attention_bias": lambda t, F: F.scaled_dot_product_attention(*qkv(t), x(t, 3, 5, seed=4)),
    "attention_groups": lambda t, F: F.scaled_dot_product_attention(
        x(t, 1, 4, 3, 2), x(t, 1, 2, 5, 2, seed=1), x(t, 1, 2, 5, 2, seed=2), enable_gqa=True
    ),
    "dropout1d": lambda t, F: (t.manual_seed(1), F.dropout1d(t.ones(4, 5), 0.4))[1],
    "dropout2d": lambda t, F: (t.manual_seed(1), F.dropout2d(t.ones(2, 4, 1, 2), 0.4))[1],
    "dropout2d_3d": lambda t, F: (t.manual_seed(1), F.dropout2d(t.ones(2, 4, 2), 0.4))[1],
    "dropout3d": lambda t, F: (t.manual_seed(1), F.dropout3d(t.ones(4, 1, 2, 1), 0.4))[1],
    "dropout2d_flat": lambda t, F: F.dropout2d(x(t), 1.0),
    "dropout_inplace": lambda t, F: (
        lambda v: [t.manual_seed(1) and None, F.dropout1d(v, 0.4, True, True), v]
    )(t.ones(4, 5)),
    "embedding_renorm": lambda t, F: (
        lambda w: [F.embedding(t.tensor([[1, 0], [1, 1]]), w, max_norm=0.4), w]
    )(x(t, 4, 3)),
    "alpha_dropout": lambda t, F: (t.manual_seed(1), F.alpha_dropout(x(t, 4, 5), 0.4, True))[1],
    "feature_alpha_dropout": lambda t, F: (
        t.manual_seed(1),
        F.feature_alpha_dropout(x(t, 4, 5, 2), 0.4, True),
    )[1],
    "prelu": lambda t, F: F.prelu(x(t), t.tensor([0.1, 0.2, 0.3])),
    "channel_shuffle": lambda t, F: F.channel_shuffle(x(t, 1, 4, 2), 2),
    "margin_ranking": lambda t, F: F.margin_ranking_loss(
        x(t, 3), x(t, 3, seed=1), t.tensor([1, -1, 1]), 0.5
    ),
    "hinge_embedding": lambda t, F: F.hinge_embedding_loss(
        x(t, 3), t.tensor([1, -1, 1]), 0.5, size_average=False
    ),
    "cosine_embedding": lambda t, F: F.cosine_embedding_loss(
        x(t, 3, 4), x(t, 3, 4, seed=1), t.tensor([1, -1, 1]), 0.1, reduction="none"
    ),
    "lp_pool_inf": lambda t, F: F.lp_pool2d(x(t, 2, 3, 4, 4), float("inf"), 2),
    "lp_pool_minus_inf": lambda t, F: F.lp_pool1d(x(t, 2, 3, 4), -float("inf"), 2, 1),
    "adaptive_max_indices": lambda t, F: F.adaptive_max_pool2d(x(t, 2, 3, 4, 4), (2, None), True),
    "max_pool3d_indices": lambda t, F: F.max_pool3d(x(t, 2, 3, 4, 4, 4), 2, return_indices=True),
    "local_response_5d": lambda t, F: F.local_response_norm(x(t, 2, 3, 2, 2, 2), 2),
    "local_response_empty": lambda t, F: F.local_response_norm(x(t, 0, 3, 2), 2),
    "soft_margin": lambda t, F: F.soft_margin_loss(x(t), x(t, seed=1).sign()),
    "soft_margin_legacy": lambda t, F: F.soft_margin_loss(x(t), t.ones(2, 3), False),
    "multi_margin": lambda t, F: F.multi_margin_loss(x(t), t.tensor([2, 0]), weight=t.ones(3)),
    "multilabel_margin": lambda t, F: F.multilabel_margin_loss(
        x(t), t.tensor([[2, -1, 0], [1, 0, -1]]), reduction="none"
    ),
    "multilabel_soft_margin": lambda t, F: F.multilabel_soft_margin_loss(
        x(t), t.ones(2, 3), t.ones(3) / 2
    ),
    "triplet_with_distance": lambda t, F: F.triplet_margin_with_distance_loss(
        x(t), x(t, seed=1), x(t, seed=2), swap=True, reduction="none"
    ),
    "triplet_with_own_distance": lambda t, F: F.triplet_margin_with_distance_loss(
        x(t), x(t, seed=1), x(t, seed=2), distance_function=lambda a, b: (a - b).abs().sum(1)
    ),
    "poisson_full": lambda t, F: F.poisson_nll_loss(x(t), x(t, seed=1).exp(), full=True),
    "triplet_margin": lambda t, F: F.triplet_margin_loss(
        x(t, 3, 4), x(t, 3, 4, seed=1), x(t, 3, 4, seed=2), swap=True
    ),
    "poisson": lambda t, F: F.poisson_nll_loss(x(t).exp(), x(t).exp() * 3, False, True),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_and_warnings(name):
    """Results and warnings."""
    (got, got_heard), (want, want_heard) = (outcome(VALUES[name], t) for t in (ours, torch))
    assert want[0] == "value", want
    assert got_heard == want_heard
    assert close(got, want), (got, want)


ERRORS = [
    lambda t, F: F.local_response_norm(x(t), 2),
    lambda t, F: F.adaptive_max_pool2d(x(t, 3), (2, 2)),
    lambda t, F: F.multi_margin_loss(x(t), t.tensor([2, 0]), p=3),
    lambda t, F: F.multi_margin_loss(x(t), t.tensor([2, 0]), weight=t.ones(1, 3)),
    lambda t, F: F.multilabel_soft_margin_loss(x(t), t.ones(2, 3), reduction="some"),
    lambda t, F: F.triplet_margin_with_distance_loss(x(t), x(t), x(t)[0]),
    lambda t, F: F.triplet_margin_with_distance_loss(x(t), x(t), x(t), margin=0),
    lambda t, F: F.triplet_margin_with_distance_loss(x(t), x(t), x(t), reduction="some"),
    lambda t, F: F.relu(3),
    lambda t, F: F.relu(3, True),
    lambda t, F: F.leaky_relu(x(t), "a"),
    lambda t, F: F.hardtanh(x(t), 1, -1),
    lambda t, F: F.gelu(x(t), approximate="q"),
    lambda t, F: F.dropout(x(t), 2.0),
    lambda t, F: F.dropout(3),
    lambda t, F: F.dropout1d(t.ones(2)),
    lambda t, F: F.mse_loss(x(t), x(t), reduction="foo"),
    lambda t, F: F.mse_loss(x(t), x(t), weight=t.ones(3)),
    lambda t, F: F.mse_loss(x(t), x(t), weight=x(t), reduction="q"),
    lambda t, F: F.nll_loss(x(t), x(t)),
    lambda t, F: F.nll_loss(x(t), t.tensor([0, 5])),
    lambda t, F: F.nll_loss(x(t), t.tensor([0])),
    lambda t, F: F.cross_entropy(x(t), t.tensor([0, 5])),
    lambda t, F: F.cross_entropy(x(t), t.tensor([0, 1]), label_smoothing=2),
    lambda t, F: F.cross_entropy(x(t), t.tensor([0.0, 1])),
    lambda t, F: F.binary_cross_entropy(x(t), x(t)),
    lambda t, F: F.binary_cross_entropy(t.ones(2, 3), t.ones(3)),
    lambda t, F: F.binary_cross_entropy_with_logits(x(t), t.ones(3)),
    lambda t, F: F.smooth_l1_loss(x(t), x(t), beta=-1),
    lambda t, F: F.huber_loss(x(t), x(t), delta=0),
    lambda t, F: F.gaussian_nll_loss(x(t), x(t), x(t)),
    lambda t, F: F.gaussian_nll_loss(x(t), x(t), t.ones(2, 5)),
    lambda t, F: F.gaussian_nll_loss(t.ones(2, 3, 4), t.ones(2, 3, 4), t.ones(2, 1, 1)),
    lambda t, F: F.gaussian_nll_loss(t.ones(2, 3, 4), t.ones(2, 3, 4), t.ones(1, 3, 1)),
    lambda t, F: F.gaussian_nll_loss(t.ones(2, 3), t.ones(2, 3), -0.5),
    lambda t, F: F.batch_norm(t.ones(1, 3), None, None, training=True),
    lambda t, F: F.batch_norm(x(t), None, None, training=True, eps=0),
    lambda t, F: F.batch_norm(x(t), None, None),
    lambda t, F: F.layer_norm(x(t), (2,)),
    lambda t, F: F.layer_norm(x(t), []),
    lambda t, F: F.layer_norm(x(t), (3,), t.ones(2)),
    lambda t, F: F.instance_norm(t.ones(2, 3, 1)),
    lambda t, F: F.group_norm(t.ones(2), 1),
    lambda t, F: F.group_norm(t.ones(2, 3), 2),
    lambda t, F: F.group_norm(t.ones(1, 2), 2),
    lambda t, F: F.embedding(t.tensor([5]), x(t)),
    lambda t, F: F.embedding(t.tensor([1]), x(t), padding_idx=4),
    lambda t, F: F.embedding(t.tensor([1]), x(t), padding_idx=-3),
    lambda t, F: F.embedding(t.tensor([1]), t.ones(3)),
    lambda t, F: F.one_hot(t.tensor([1, 5]), 3),
    lambda t, F: F.one_hot(t.tensor([1.0])),
    lambda t, F: F.one_hot(t.tensor([-1])),
    lambda t, F: F.pad(x(t), (1,)),
    lambda t, F: F.pad(x(t), (1, 1), "foo"),
    lambda t, F: F.pad(x(t), (1, 1), "reflect", 3),
    lambda t, F: F.pad(x(t), (1, 1, 1, 1, 1, 1)),
    lambda t, F: F.pad(x(t), (4, 4), "reflect"),
    lambda t, F: F.pad(x(t), (4, 1), "circular"),
    lambda t, F: F.pad(x(t, 3), (1, 1), "reflect"),
    lambda t, F: F.max_pool2d(x(t), 2),
    lambda t, F: F.max_pool2d(t.ones(1, 1, 4, 4), 2, padding=3),
    lambda t, F: F.max_pool2d(t.ones(1, 1, 4, 4), 5),
    lambda t, F: F.adaptive_avg_pool2d(t.ones(1, 4, 4), (2, 2, 2)),
    lambda t, F: F.linear(x(t), t.ones(4, 5)),
    lambda t, F: F.linear(x(t)),
    lambda t, F: F.conv2d(x(t), x(t)),
    lambda t, F: F.softmax(x(t), 5),
    lambda t, F: F.normalize(x(t), dim=5),
    lambda t, F: F.cosine_similarity(t.ones(2, dtype=t.int64), t.ones(2, dtype=t.int64)),
    lambda t, F: F.scaled_dot_product_attention(*qkv(t), t.ones(3, 5) > 0, is_causal=True),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Type and text of every error, and what was warned of before."""
    got, want = (outcome(ERRORS[case], t) for t in (ours, torch))
    assert want[0][0] != "value", "the oracle raised nothing"
    assert got == want


def python_functions():
    module = importlib.import_module("mindtorch.nn.functional")
    found = {n: getattr(torch.nn.functional, n) for n in module.__all__}
    ours_too = (n for n, f in found.items() if inspect.isfunction(f))
    return [n for n in ours_too if found[n].__module__ != "torch.overrides"]


@pytest.mark.parametrize("name", python_functions())
def test_signatures(name):
    """Parameter names, order and defaults."""
    mine = inspect.signature(getattr(ours.nn.functional, name)).parameters.values()
    other = getattr(torch.nn.functional, name)
    if "boolean_dispatch" in getattr(other, "__qualname__", ""):
        return  # torch wraps (*args, **kwargs) around both
    want = inspect.signature(other).parameters.values()
    assert [(p.name, str(p.default), p.kind) for p in mine] == [
        (p.name, str(p.default), p.kind) for p in want
    ]


def test_classes_have_the_oracles_signatures():
    """Every layer takes torch's arguments."""
    for name in importlib.import_module("mindtorch.nn.modules").__all__:
        mine, other = getattr(ours.nn, name), getattr(torch.nn, name)
        got, want = (
            [
                (p.name, getattr(p.default, "__name__", p.default), p.kind)
                for p in inspect.signature(c).parameters.values()
            ]
            for c in (mine, other)
        )
        assert got == want, name


def test_module_names():
    """Names that are ops are found, others are refused as torch refuses them."""
    assert ours.nn.functional.linear is ours.nn.functional.linear
    with pytest.raises(AttributeError, match="has no attribute 'foo'"):
        ours.nn.functional.foo


@pytest.mark.parametrize("shape, norm", [((2, 0), (0,)), ((4, 3, 0), (3, 0)), ((0, 3), (3,))])
@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_norms_of_nothing_have_gradients(name, shape, norm):
    """Of inputs without elements, and of weights that no element is multiplied by."""
    found = []
    for t in (ours, torch):
        x = t.zeros(shape, requires_grad=True)
        w = t.ones(norm, requires_grad=True)
        with hearing() as heard:
            getattr(t.nn.functional, name)(x, norm, w).sum().backward()
        found.append((tuple(x.grad.shape), w.grad.tolist(), len(heard)))
    assert found[0] == found[1]
