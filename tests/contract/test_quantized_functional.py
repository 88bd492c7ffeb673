"""Layers of quantized tensors as functions: ``torch.ao.nn.quantized.functional``."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.contract.both_frameworks import ours, outcome, part, torch

SIZES = {1: (2, 4, 7), 2: (2, 4, 6, 5), 3: (2, 4, 5, 4, 6)}
OPTIONS = [
    {},
    {"stride": 2},
    {"padding": 1},
    {"dilation": 2},
    {"padding": 1, "stride": 2, "groups": 2},
    {"scale": 0.05, "zero_point": 10},
]


def agree(fn, kind="value"):
    """Both frameworks give the same, or raise it, and warn alike of names that are deprecated.

    That quantized tensors are deprecated, each says at other moments.
    """
    (got, heard), (want, told) = outcome(fn, ours), outcome(fn, torch)
    assert got == want
    assert (want[0] == "value") is (kind == "value"), want
    assert _of_names(heard) == _of_names(told)
    return want[1]


def _of_names(warned):
    return [(text, kind) for text, kind in warned if "nn.quantized" in text]


def wave(t, *shape):
    """Numbers between -1 and 1."""
    return (t.arange(float(math.prod(shape))).reshape(shape) * 0.37).sin()


def image(t, n=2, dtype="quint8"):
    return t.quantize_per_tensor(wave(t, *SIZES[n]), 0.02, 3, getattr(t, dtype))


def weight(t, n=2, groups=1, channels=False):
    """One of six channels, by one scale or by one a channel."""
    numbers = wave(t, 6, 4 // groups, *(2,) * n)
    if not channels:
        return t.quantize_per_tensor(numbers, 0.01, 0, t.qint8)
    scales = t.linspace(0.01, 0.02, 6, dtype=t.float64)
    return t.quantize_per_channel(numbers, scales, t.zeros(6, dtype=t.int64), 0, t.qint8)


def seen(x):
    """What a quantized tensor holds."""
    return x.int_repr(), x.q_scale(), x.q_zero_point(), x.stride()


def functions(t, space="ao.nn.quantized.functional"):
    return part(t, space)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize(("channels", "biased"), itertools.product([False, True], repeat=2))
def test_convolutions(n, options, channels, biased):
    """To the last number, as they are requantized."""

    def run(t):
        conv = getattr(functions(t), f"conv{n}d")
        bias = wave(t, 6) if biased else None
        return seen(
            conv(image(t, n), weight(t, n, options.get("groups", 1), channels), bias, **options)
        )

    agree(run)


def rows(t):
    """Rows of numbers, and a weight for them."""
    return image(t).reshape(-1, 5), t.quantize_per_tensor(wave(t, 3, 5), 0.01, 0, t.qint8)


CALLS = {
    "avg_pool2d": [((2,), {}), ((3,), {"stride": 2, "padding": 1, "count_include_pad": False})],
    "adaptive_avg_pool2d": [((2,), {}), (((None, 2),), {})],
    "max_pool2d": [((2,), {}), ((3, 2, 1), {"ceil_mode": True})],
    "interpolate": [((4,), {}), ((), {"scale_factor": 2, "mode": "bilinear"})],
    "celu": [((0.1, 0), {}), ((0.1, 0, 0.5), {})],
    "elu": [((0.1, 0), {}), ((0.1, 0, 0.5), {})],
    "hardswish": [((0.1, 2), {})],
    "leaky_relu": [((), {}), ((0.2, True), {}), ((0.2,), {"scale": 0.05, "zero_point": 3})],
    "hardtanh": [((), {}), ((-0.5, 0.25, True), {})],
    "threshold": [((0.1, 0.2), {})],
    "hardsigmoid": [((), {})],
    "clamp": [((-0.5, 0.25), {})],
    "upsample": [((4,), {})],
    "upsample_bilinear": [((4,), {})],
    "upsample_nearest": [((4,), {})],
}
CASES = [(name, *call) for name, calls in CALLS.items() for call in calls]


@pytest.mark.parametrize(("name", "args", "options"), CASES, ids=str)
def test_functions_of_images(name, args, options):
    """With torch's warnings where it has another name for them."""
    agree(lambda t: seen(getattr(functions(t), name)(image(t), *args, **options)))


@pytest.mark.parametrize("name", ["avg_pool3d", "adaptive_avg_pool3d"])
def test_means_of_volumes(name):
    agree(lambda t: seen(getattr(functions(t), name)(image(t, 3), 2))[:3])


@pytest.mark.parametrize("options", [{}, {"scale": 0.05}, {"zero_point": 7}], ids=str)
@pytest.mark.parametrize("biased", [False, True])
def test_products(options, biased):
    """Quantized as the input is, where nothing is said."""

    def run(t):
        x, w = rows(t)
        return seen(functions(t).linear(x, w, wave(t, 3) if biased else None, **options))

    agree(run)


REFUSED = [
    lambda t, f: f.conv2d(image(t), weight(t), None, padding_mode="circular"),
    lambda t, f: f.conv2d(wave(t, 2, 4, 6, 5), weight(t), None),
    lambda t, f: f.conv2d(image(t, dtype="qint8"), weight(t), None),
    lambda t, f: f.conv2d(image(t), image(t), None),
    lambda t, f: f.conv2d(image(t)[0], weight(t), None),
    lambda t, f: f.conv1d(image(t), weight(t), None),
    lambda t, f: f.conv3d(image(t), weight(t), None),
    lambda t, f: f.conv2d(image(t), weight(t), t.ones(5)),
    lambda t, f: f.max_pool2d(image(t), 2, return_indices=True),
    lambda t, f: f.max_pool1d(image(t), 2, return_indices=True),
    lambda t, f: f.leaky_relu(image(t), 0.1, True, 0.1, 0),
    lambda t, f: f.threshold(image(t), None, 0.1),
    lambda t, f: f.threshold(image(t), 0.1, None),
    *(
        lambda t, f, name=name: getattr(f, name)(wave(t, 2, 4, 6, 5), *CALLS[name][0][0])
        for name in CALLS
        if name not in ("max_pool2d", "leaky_relu") and "upsample" not in name
    ),
]


@pytest.mark.parametrize("program", REFUSED, ids=range(len(REFUSED)))
def test_what_is_refused(program):
    agree(lambda t: program(t, functions(t)), "error")


def convolved(t, n, **given):
    """A convolution over *n* dimensions of what is usual but for what is *given*."""
    parts = {"input": image(t, n), "weight": weight(t, n), "bias": wave(t, 6), **given}
    return seen(getattr(functions(t), f"conv{n}d")(**parts))


def multiplied(t, **given):
    """The same for ``linear``."""
    x, w = rows(t)
    return seen(functions(t).linear(**{"input": x, "weight": w, "bias": wave(t, 3), **given}))


#: What may not stand where a weight does: tensors of other dtypes, and numbers.
WRONG_WEIGHTS = {
    "quint8": lambda t, x: t.quantize_per_tensor(x, 0.1, 0, t.quint8),
    "qint32": lambda t, x: t.quantize_per_tensor(x, 0.1, 0, t.qint32),
    "float": lambda t, x: x,
    "int": lambda t, x: x.int(),
}
WRONG_BIASES = {
    **{name: WRONG_WEIGHTS[name] for name in ("quint8", "qint32", "int")},
    "double": lambda t, x: x.double(),
    "half": lambda t, x: x.half(),
    "number": lambda t, x: 1.0,
    "matrix": lambda t, x: x[None],
}


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("wrong", WRONG_WEIGHTS)
def test_weights_of_other_dtypes(n, wrong):
    made = WRONG_WEIGHTS[wrong]
    agree(lambda t: convolved(t, n, weight=made(t, weight(t, n).dequantize())), "error")
    if wrong not in ("float", "int"):  # there torch lists its own dispatch keys
        agree(lambda t: multiplied(t, weight=made(t, wave(t, 3, 5))), "error")


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("dtype", ["qint8", "qint32"])
def test_inputs_of_other_dtypes(n, dtype):
    agree(lambda t: convolved(t, n, input=image(t, n, dtype)), "error")
    agree(lambda t: multiplied(t, input=image(t, 2, dtype).reshape(-1, 5)), "error")


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("wrong", WRONG_BIASES)
def test_biases_of_other_kinds(n, wrong):
    """A weight with a zero point goes to fbgemm, which looks at the dtype of a bias.

    oneDNN takes its bytes for floats: ours refuses it in the same words.
    """
    made, numbers = WRONG_BIASES[wrong], 6 * 4 * 2**n
    agree(lambda t: multiplied(t, bias=made(t, wave(t, 3))), "error")

    def run(t, zero_point=1):
        shape = (6, 4, *(2,) * n)
        w = t.quantize_per_tensor(wave(t, numbers).reshape(shape), 0.01, zero_point, t.qint8)
        return convolved(t, n, weight=w, bias=made(t, wave(t, 6)))

    refused = agree(run, "error")
    assert outcome(lambda t: run(t, 0), ours)[0][1] == refused


TOLD = ("stride", "padding", "output_padding", "dilation", "groups", "transpose")


@pytest.mark.parametrize("kind", ["conv", "conv_transpose"])
@pytest.mark.parametrize("n", [2, 3])
def test_packed_weights_tell_of_their_convolution(n, kind):
    def run(t):
        ops = t.ops.quantized
        more = [[0] * n] if kind == "conv_transpose" else []
        packed = getattr(ops, f"{kind}{n}d_prepack")(
            t.quantize_per_tensor(wave(t, 4, 4, *(3,) * n), 0.1, 0, t.qint8),
            *(None, [2] * n, [1] * n, *more, [1] * n, 2),
        )
        return [getattr(ops, f"{kind}{n}d_{name}")(packed) for name in TOLD]

    agree(run)


def test_operators_by_their_names_of_old():
    def run(t):
        ops = t.ops.quantized
        packed = ops.conv_prepack(weight(t), wave(t, 6), [1, 1], [0, 0], [1, 1], 1)
        again, bias = ops.conv_unpack(packed)
        return seen(ops.conv2d(image(t), packed, 0.1, 2)), again.int_repr(), bias

    agree(run)


@pytest.mark.parametrize("args", [([2], [], [0], [1], False), ([3], [2], [1], [1], True)], ids=str)
def test_the_largest_of_windows(args):
    def run(t):
        ops = t.ops.quantized
        pairs = [part * 2 if isinstance(part, list) else part for part in args]
        return seen(ops.max_pool1d(image(t, 1), *args)), seen(ops.max_pool2d(image(t), *pairs))

    agree(run)


def test_the_older_path_has_the_same_functions():
    def run(t):
        old, new = functions(t, "nn.quantized.functional"), functions(t)
        return sorted(name for name in new.__all__ if getattr(old, name) is getattr(new, name))

    assert len(agree(run)) == 22
