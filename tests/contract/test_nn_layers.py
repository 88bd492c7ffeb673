"""Layers: printing, attributes, state, forward and backward, as torch has them."""

import importlib
import warnings

import numpy as np
import pytest
import torch

from .batches import every

ours = importlib.import_module("mindtorch")

from tests.contract.helpers import assert_same_value, assert_torch_error, both

# Layer, then the shape of its input; None where only printing is compared.
LAYERS = [
    ("Identity(3, a=4)", (2, 3)),
    ("Linear(3, 4)", (2, 3)),
    ("Linear(3, 4, False)", (3,)),
    ("Linear(3, 4, dtype=t.float64)", None),
    ("Conv1d(2, 4, 3)", (2, 2, 7)),
    ("Conv1d(2, 4, 3, 2, 1, 2, 2)", (2, 9)),
    ("Conv2d(2, 3, 3)", (2, 2, 6, 5)),
    ("Conv2d(2, 4, (3, 2), 2, (1, 0), 1, 2, False)", (2, 2, 6, 5)),
    ("Conv2d(1, 2, (3, 5), padding='same')", (1, 6, 6)),
    ("Conv2d(1, 2, 2, padding='same', dilation=2, padding_mode='circular')", (1, 1, 6, 6)),
    ("Conv2d(2, 2, 3, padding=(1, 2), padding_mode='reflect')", (1, 2, 4, 5)),
    ("Conv2d(1, 2, 3, padding=1, padding_mode='replicate')", (1, 1, 4, 5)),
    ("Conv2d(1, 2, 3, padding='valid')", (1, 1, 4, 5)),
    ("Conv3d(2, 3, 2)", (1, 2, 3, 4, 3)),
    ("ConvTranspose1d(2, 4, 3)", (2, 2, 7)),
    ("ConvTranspose1d(2, 4, 3, 2, 1, 1, 2, False)", (2, 5)),
    ("ConvTranspose2d(2, 3, (3, 2), 2, (1, 0), 1, 1, True, 2)", (2, 2, 4, 3)),
    ("ConvTranspose3d(2, 3, 2)", (1, 2, 3, 2, 3)),
    ("CircularPad1d(1)", (2, 3, 4)),
    ("CircularPad2d((1, 2, 0, 1))", (2, 3, 4, 3)),
    ("CircularPad3d(1)", (1, 2, 3, 2, 3)),
    ("ConstantPad1d((1, 2), 3.5)", (2, 3, 4)),
    ("ConstantPad2d(1, 2)", (3, 4)),
    ("ConstantPad3d((1, 0, 0, 1, 2, -1), -1.5)", (2, 3, 4)),
    ("ReflectionPad1d(2)", (2, 3, 4)),
    ("ReflectionPad2d((1, 2, 0, 1))", (3, 4, 3)),
    ("ReflectionPad3d(1)", (1, 2, 3, 2, 3)),
    ("ReplicationPad1d((3, 1))", (3, 4)),
    ("ReplicationPad2d(2)", (2, 3, 4, 3)),
    ("ReplicationPad3d(1)", (1, 2, 3, 2, 3)),
    ("ZeroPad1d(2)", (2, 3)),
    ("ZeroPad2d((1, 2, 0, 1))", (3, 4, 3)),
    ("ZeroPad3d(1)", (1, 2, 3, 2, 3)),
    ("PixelShuffle(2)", (2, 8, 2, 3)),
    ("MaxPool3d(2, padding=1)", (2, 3, 6, 5, 4)),
    ("AvgPool3d((2, 1, 2), count_include_pad=False)", (2, 3, 6, 5, 4)),
    ("AdaptiveAvgPool3d((3, None, 2))", (2, 3, 6, 5, 4)),
    ("AdaptiveMaxPool1d(3)", (2, 3, 7)),
    ("AdaptiveMaxPool2d((None, 2))", (2, 3, 6, 5)),
    ("AdaptiveMaxPool3d(2, return_indices=True)", (2, 3, 6, 5, 4)),
    ("LPPool1d(2, 3)", (2, 3, 7)),
    ("LPPool2d(2, (2, 3), stride=1)", (2, 3, 6, 5)),
    ("LPPool3d(3, 2)", (2, 3, 6, 5, 4)),
    ("LocalResponseNorm(3)", (2, 5, 4)),
    ("LocalResponseNorm(2, alpha=0.1, k=2.0)", (2, 5, 4, 3)),
    ("Unfold((2, 3), padding=1)", (2, 3, 6, 5)),
    ("Unfold(2, dilation=2, stride=(1, 2))", (3, 6, 5)),
    ("Fold((6, 5), (2, 3))", (2, 18, 15)),
    ("Fold(4, 2, stride=2)", (2, 12, 4)),
    ("Upsample(scale_factor=2)", (2, 3, 4)),
    ("Upsample(size=(5, 3), mode='bicubic')", (2, 3, 4, 4)),
    ("Upsample(scale_factor=(1.5, 2), mode='bilinear', align_corners=True)", (2, 3, 4, 4)),
    ("UpsamplingNearest2d(scale_factor=2)", (2, 3, 4, 4)),
    ("UpsamplingBilinear2d(size=6)", (2, 3, 4, 4)),
    ("PixelUnshuffle(3)", (2, 3, 6)),
    ("MaxPool1d(2)", (2, 3, 7)),
    ("MaxPool2d(2)", (2, 3, 5, 6)),
    ("MaxPool2d((2, 3), 2, 1, 1, True, True)", (3, 7, 7)),
    ("AvgPool1d(2)", (2, 3, 7)),
    ("AvgPool2d(2)", (2, 3, 5, 6)),
    ("AvgPool2d((2, 3), (1, 2), 1, True, False, 3)", (2, 3, 5, 6)),
    ("AdaptiveAvgPool1d(3)", (2, 3, 7)),
    ("AdaptiveAvgPool2d((None, 3))", (2, 3, 5, 7)),
    ("AdaptiveAvgPool2d(1)", (3, 5, 7)),
    ("Flatten()", (2, 3, 4)),
    ("Flatten(0, 1)", (2, 3, 4)),
    ("Unflatten(1, (2, 3))", (2, 6)),
    ("Threshold(0.1, 2)", (3, 4)),
    ("Threshold(0.1, 2, True)", None),
    ("ReLU()", (3, 4)),
    ("ReLU(inplace=True)", None),
    ("ReLU6()", (3, 4)),
    ("ReLU6(True)", None),
    ("Hardtanh()", (3, 4)),
    ("Hardtanh(-2, 2, True)", None),
    ("Sigmoid()", (3, 4)),
    ("Hardsigmoid()", (3, 4)),
    ("Hardsigmoid(True)", None),
    ("Tanh()", (3, 4)),
    ("SiLU()", (3, 4)),
    ("SiLU(True)", None),
    ("Mish()", (3, 4)),
    ("Hardswish()", (3, 4)),
    ("Hardswish(True)", None),
    ("ELU()", (3, 4)),
    ("ELU(2, True)", None),
    ("CELU()", (3, 4)),
    ("SELU()", (3, 4)),
    ("GELU()", (3, 4)),
    ("GELU('tanh')", (3, 4)),
    ("LeakyReLU()", (3, 4)),
    ("LeakyReLU(0.2, True)", None),
    ("LogSigmoid()", (3, 4)),
    ("Softplus()", (3, 4)),
    ("Softplus(2, 1.5)", (3, 4)),
    ("Softsign()", (3, 4)),
    ("Tanhshrink()", (3, 4)),
    ("PReLU()", (3, 4)),
    ("PReLU(3, 0.5)", (2, 3, 4)),
    ("ChannelShuffle(2)", (2, 4, 3)),
    ("GLU()", (3, 4)),
    ("GLU(0)", (4, 3)),
    ("Hardshrink()", (3, 4)),
    ("Softshrink(0.25)", (3, 4)),
    ("Softmin(1)", (3, 4)),
    ("Softmax(-1)", (3, 4)),
    ("Softmax()", None),
    ("Softmax2d()", (2, 3, 2, 2)),
    ("LogSoftmax(0)", (3, 4)),
    ("Dropout()", None),
    ("Dropout(0.1, True)", None),
    ("Dropout1d()", None),
    ("Dropout2d(0.3)", None),
    ("AlphaDropout()", None),
    ("FeatureAlphaDropout(0.3)", None),
    ("CosineSimilarity(0)", None),
    ("PairwiseDistance(1, keepdim=True)", None),
    ("MarginRankingLoss(0.5)", None),
    ("HingeEmbeddingLoss()", None),
    ("CosineEmbeddingLoss(reduction='sum')", None),
    ("TripletMarginLoss(2, swap=True)", None),
    ("TripletMarginWithDistanceLoss(margin=2, swap=True)", None),
    ("SoftMarginLoss(reduction='sum')", None),
    ("MultiMarginLoss(2, 0.5)", None),
    ("MultiLabelMarginLoss()", None),
    ("MultiLabelSoftMarginLoss(reduction='none')", None),
    ("LayerNorm(4)", (3, 4)),
    ("LayerNorm((3, 4), 1e-3)", (2, 3, 4)),
    ("LayerNorm(4, elementwise_affine=False)", (3, 4)),
    ("LayerNorm(4, bias=False)", (3, 4)),
    ("RMSNorm(4)", (3, 4)),
    ("GroupNorm(2, 4)", (2, 4, 3)),
    ("GroupNorm(2, 4, affine=False)", (2, 4, 3, 2)),
    ("GroupNorm(2, 4, bias=False)", (2, 4)),
    ("BatchNorm1d(3)", (4, 3)),
    ("BatchNorm1d(3, momentum=None)", (4, 3, 2)),
    ("BatchNorm1d(3, bias=False)", (4, 3)),
    ("BatchNorm2d(3, 1e-3, 0.3)", (2, 3, 2, 4)),
    ("BatchNorm2d(3, 1e-3, None, False, False)", (2, 3, 2, 4)),
    ("Embedding(5, 3)", None),
    ("Embedding(5, 3, padding_idx=-1, max_norm=2, norm_type=1, sparse=True)", None),
    ("Embedding(5, 3, scale_grad_by_freq=True)", None),
    ("CrossEntropyLoss(t.ones(3), label_smoothing=0.1)", None),
    ("BCEWithLogitsLoss(pos_weight=t.ones(2))", None),
    ("NLLLoss(t.ones(2))", None),
    ("MSELoss(reduction='sum')", None),
    ("KLDivLoss()", None),
    ("HuberLoss()", None),
    ("SmoothL1Loss()", None),
]


def build(text, t):
    return eval("t.nn." + text, {"t": t})


def facts(m, t):
    """Everything plain that can be seen of a layer."""
    base = t.nn.Module().__dict__
    own = {k: v for k, v in m.__dict__.items() if k not in base and not isinstance(v, t.Tensor)}
    shapes = {k: (tuple(v.shape), str(v.dtype)) for k, v in m.state_dict().items()}
    return repr(m), own, shapes, list(m._parameters), list(m._buffers), m._version


@every("text", [text for text, _ in LAYERS])
def test_printing_and_attributes(text):
    """repr, attributes in order, keys of the state dict."""
    got, want = (facts(build(text, t), t) for t in (ours, torch))
    assert got == want


def numbers(t, shape, seed):
    """The same numbers in both frameworks."""
    values = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return t.from_numpy(values)


def fill(m, t):
    """Give all parameters the numbers that depend on their place only."""
    with t.no_grad():
        for i, (name, p) in enumerate(m.named_parameters()):
            p.copy_(numbers(t, tuple(p.shape), 100 + i) * 0.5)


def first_tensor(value):
    return value[0] if isinstance(value, tuple) else value


@pytest.mark.parametrize("text, shape", [case for case in LAYERS if case[1] is not None])
@pytest.mark.parametrize("training", [True, False])
def test_forward_and_backward(text, shape, training):
    """Results, gradients of input and parameters, and buffers after the call."""

    def run(t):
        m = build(text, t).train(training)
        fill(m, t)
        x = numbers(t, shape, 1).requires_grad_()
        result = m(x)
        out = first_tensor(result)
        (out * numbers(t, tuple(out.shape), 2)).sum().backward()
        return result, x.grad, {n: p.grad for n, p in m.named_parameters()}, dict(m.named_buffers())

    assert_same_value(*both(run), rtol=2e-5, atol=2e-6, strides=False)


@pytest.mark.parametrize("size", [[10, 10], [1, 3, 9, 10], [11, 10], [1, 2, 3], None], ids=str)
def test_transposed_convolution_of_a_given_size(size):
    """``output_size`` chooses among the sizes that the stride leaves open, or is refused."""

    def run(t):
        m = t.nn.ConvTranspose2d(2, 3, 3, 2)
        fill(m, t)
        try:
            return m(numbers(t, (1, 2, 4, 4), 1), output_size=size)
        except ValueError as error:
            return str(error)

    assert_same_value(*both(run), rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize(
    "options", [{}, {"padding_idx": 1}, {"scale_grad_by_freq": True}, {"padding_idx": -1}], ids=str
)
def test_embedding(options):
    """Rows by index, and gradients that sum up per row."""

    def run(t):
        m = t.nn.Embedding(5, 3, **options)
        fill(m, t)
        out = m(t.tensor([[1, 4], [4, 0]]))
        (out * numbers(t, (2, 2, 3), 3)).sum().backward()
        return out, m.weight.grad

    assert_same_value(*both(run), rtol=1e-6)


def test_embedding_from_pretrained_is_frozen():
    """The table is the given tensor's memory, not trained unless asked."""

    def run(t):
        table = numbers(t, (4, 2), 1)
        m = t.nn.Embedding.from_pretrained(table)
        n = t.nn.Embedding.from_pretrained(table, freeze=False)
        return m.weight, n.weight, m.weight.data_ptr() == table.data_ptr()

    assert_same_value(*both(run))


def class_target(t):
    return t.tensor([2, 0, 1, 2])


LOSSES = {
    "L1Loss": (numbers, {}),
    "MSELoss": (numbers, {}),
    "SmoothL1Loss": (numbers, {"beta": 0.3}),
    "HuberLoss": (numbers, {"delta": 0.7}),
    "BCEWithLogitsLoss": ("probability", {}),
    "BCELoss": ("probability", {}),
    "KLDivLoss": ("probability", {}),
    "KLDivLoss_log": (numbers, {"log_target": True}),
    "CrossEntropyLoss": ("class", {}),
    "CrossEntropyLoss_smooth": ("class", {"label_smoothing": 0.2}),
    "CrossEntropyLoss_ignore": ("class", {"ignore_index": 2}),
    "CrossEntropyLoss_soft": ("probability", {}),
    "NLLLoss": ("class", {}),
    "PoissonNLLLoss": ("probability", {"full": True}),
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name, reduction):
    """Values and gradients of each reduction."""
    kind, options = LOSSES[name]

    def run(t):
        m = getattr(t.nn, name.partition("_")[0])(reduction=reduction, **options)
        x = numbers(t, (4, 3), 1)
        x = (x.sigmoid() if name == "BCELoss" else x).detach().requires_grad_()
        if kind == "class":
            target = class_target(t)
        else:
            target = numbers(t, (4, 3), 2)
            target = target.sigmoid() if kind == "probability" else target
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loss = m(x, target)
        (loss * numbers(t, tuple(loss.shape), 3)).sum().backward()
        return loss, x.grad

    assert_same_value(*both(run), rtol=2e-5, atol=1e-6, strides=False)


def test_weighted_losses():
    """Weights per class and per element."""

    def run(t):
        x, weight = numbers(t, (4, 3), 1), numbers(t, (3,), 2).abs()
        each = numbers(t, (4, 3), 4).abs()
        goal = numbers(t, (4, 3), 3)
        F = t.nn.functional
        return (
            t.nn.CrossEntropyLoss(weight)(x, class_target(t)),
            t.nn.NLLLoss(weight, ignore_index=0)(x, class_target(t)),
            t.nn.BCEWithLogitsLoss(weight, pos_weight=weight * 2)(x, x.sigmoid()),
            t.nn.BCELoss(weight)(x.sigmoid(), x.sigmoid()),
            [F.mse_loss(x, goal, weight=each, reduction=r) for r in ("mean", "sum", "none")],
            F.l1_loss(x, goal, weight=each),
            F.huber_loss(x, goal, weight=each),
            F.kl_div(x, x.sigmoid(), reduction="batchmean"),
            F.gaussian_nll_loss(x, goal, each, full=True),
            F.gaussian_nll_loss(x, goal, 0.5),
        )

    assert_same_value(*both(run), rtol=1e-5, atol=1e-6)


ERRORS = [
    lambda t: t.nn.Conv2d(1, 1, 2, padding="foo", padding_mode="bar"),
    lambda t: t.nn.Conv2d(1, 1, 2, 2, padding="same"),
    lambda t: t.nn.Conv2d(3, 4, 2, groups=2),
    lambda t: t.nn.Conv2d(4, 3, 2, groups=2),
    lambda t: t.nn.Conv2d(4, 3, 2, groups=0),
    lambda t: t.nn.Unflatten(1, 3),
    lambda t: t.nn.Unflatten("a", (("b", 3),)),
    lambda t: t.nn.Hardtanh(1, -1),
    lambda t: t.nn.HuberLoss(delta="a"),
    lambda t: t.nn.Dropout(3),
    lambda t: t.nn.GroupNorm(2, 3),
    lambda t: t.nn.Embedding(3, 4, padding_idx=5),
    lambda t: t.nn.Embedding(3, 4, padding_idx=-4),
    lambda t: t.nn.Embedding(3, 4, _weight=t.ones(2, 2)),
    lambda t: t.nn.Embedding.from_pretrained(t.ones(3)),
    lambda t: t.nn.Linear(2, 2)(3),
    lambda t: t.nn.Linear(2, 2)(t.ones(3)),
    lambda t: t.nn.Linear(2, 2)(),
    lambda t: t.nn.BatchNorm1d(2)(t.ones(2)),
    lambda t: t.nn.BatchNorm2d(2)(t.ones(2)),
    lambda t: t.nn.BatchNorm1d(2)(t.ones(1, 2)),
    lambda t: t.nn.Softmax2d()(t.ones(2)),
    *[
        lambda t, kind=kind, shape=shape: getattr(t.nn, kind)(1)(t.ones(shape))
        for kind, shape in (
            ("CircularPad1d", (1, 1, 1, 1)),
            ("CircularPad2d", (2, 2)),
            ("CircularPad3d", (2, 2)),
        )
    ],
    lambda t: t.nn.Conv3d(2, 2, 2).to(memory_format=t.channels_last),
    lambda t: t.nn.MSELoss(reduction="foo")(t.ones(2), t.ones(2)),
    lambda t: t.nn.CrossEntropyLoss()(t.ones(2, 3), t.ones(3, dtype=t.int64)),
    lambda t: t.nn.Sequential(3),
    lambda t: t.nn.Sequential(t.nn.ReLU())[3],
    lambda t: t.nn.Sequential(t.nn.ReLU())["a"],
    lambda t: t.nn.Sequential(t.nn.ReLU()) + 3,
    lambda t: t.nn.Sequential(t.nn.ReLU()).insert(5, t.nn.ReLU()),
    lambda t: t.nn.Sequential(t.nn.ReLU()).extend([3]),
    lambda t: t.nn.ModuleList([t.nn.ReLU()])[5],
    lambda t: t.nn.ModuleList(3),
    lambda t: t.nn.ModuleDict(3),
    lambda t: t.nn.ModuleDict([t.nn.ReLU()]),
    lambda t: t.nn.ModuleDict([(1,)]),
    lambda t: t.nn.ModuleDict({3: t.nn.ReLU()}),
    lambda t: t.nn.ModuleDict({"keys": t.nn.ReLU()}),
    lambda t: t.nn.ModuleDict({})["q"],
    lambda t: t.nn.ParameterList(3),
    lambda t: t.nn.ParameterList(t.ones(2, 2)),
    lambda t: t.nn.ParameterList([])[0],
    lambda t: t.nn.ParameterList([])(3),
    lambda t: t.nn.ParameterDict(3),
    lambda t: t.nn.ParameterDict({3: 3}),
    lambda t: t.nn.ParameterDict({})("a"),
    lambda t: t.nn.ParameterDict({})["a"],
    lambda t: t.nn.ParameterDict({}).popitem(),
]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Bad arguments of layers and containers."""
    assert_torch_error(*both(ERRORS[case]))


def test_reparametrised_weight_is_used():
    """A weight that somebody computes (and deletes as a parameter) is found."""

    def run(t):
        m = t.nn.Linear(2, 2, bias=False)
        del m.weight
        m.weight = t.eye(2) * 3
        return m(t.ones(1, 2))

    assert_same_value(*both(run))


def test_training_step_of_a_small_network():
    """A convolutional net: the loss and all gradients after one pass."""

    def run(t):
        m = t.nn.Sequential(
            t.nn.Conv2d(1, 4, 3, padding=1),
            t.nn.BatchNorm2d(4),
            t.nn.ReLU(),
            t.nn.MaxPool2d(2),
            t.nn.Flatten(),
            t.nn.Linear(4 * 4 * 4, 5),
        )
        fill(m, t)
        loss = t.nn.CrossEntropyLoss()(m(numbers(t, (6, 1, 8, 8), 1)), t.arange(6) % 5)
        loss.backward()
        return loss, [p.grad for p in m.parameters()], dict(m.named_buffers())

    assert_same_value(*both(run), rtol=1e-4, atol=1e-5, strides=False)
