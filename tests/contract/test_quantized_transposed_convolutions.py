"""Transposed convolutions of quantized images: ops, packed weights, layers, models, refusals."""

from __future__ import annotations

import copy
import io
import warnings

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both


@pytest.fixture(autouse=True)
def _without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def numbers(t, *shape, seed=0):
    rng = np.random.default_rng(seed)
    return t.tensor((rng.integers(-50, 50, shape) / 16).tolist()).reshape(shape)


def weight(t, n, place=0, groups=1, dtype="qint8"):
    made = numbers(t, 4, 3, *[3, 2, 3][:n])
    return t.quantize_per_tensor(made, 0.05, place, getattr(t, dtype))


def images(t, n, channels=4, dtype="quint8"):
    made = numbers(t, 2, channels, *[5, 4, 3][:n], seed=1)
    return t.quantize_per_tensor(made, 0.05, 60, getattr(t, dtype))


def packed(t, n, stride=1, padding=0, more=0, dilation=1, groups=1, bias=True, **options):
    how = [[value] * n for value in (stride, padding, more, dilation)]
    given = numbers(t, 3 * groups, seed=2) if bias else None
    prepack = getattr(t.ops.quantized, f"conv_transpose{n}d_prepack")
    return prepack(weight(t, n, **options), given, *how, groups)


def convolved(t, n, x=None, **options):
    x = images(t, n) if x is None else x
    convolve = getattr(t.ops.quantized, f"conv_transpose{n}d")
    return convolve(x, packed(t, n, **options), 0.3137, 107)


OPTIONS = (
    {},
    {"stride": 2, "more": 1},
    {"stride": 2, "padding": 1, "dilation": 2},
    {"groups": 2},
    {"bias": False},
)


def _facts(q):
    return q.int_repr(), q.q_scale(), q.q_zero_point(), q.stride()


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", [*OPTIONS, {"stride": 2, "more": 1, "place": 0}], ids=str)
def test_outputs_are_the_oracles(n, options):
    """With weights that fbgemm computes with; oneDNN is wrong but where the output is padded."""
    options = {"place": 3, **options}
    assert_same_value(*both(lambda t: _facts(convolved(t, n, **options))))


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_outputs_are_those_of_floats_rounded(n, options):
    t = mindtorch
    made = packed(t, n, **options)
    dense, bias = made.unpack()
    exact = getattr(t.nn.functional, f"conv_transpose{n}d")(
        images(t, n).dequantize(),
        (dense.squeeze(2) if n == 1 else dense).dequantize(),
        bias,
        made.stride()[-n:],
        made.padding()[-n:],
        made.output_padding()[-n:],
        made.groups(),
        made.dilation()[-n:],
    )
    steps = (exact / 0.3137 + 107).clamp(0, 255)
    assert (convolved(t, n, **options).int_repr() - steps).abs().max() < 0.501


@pytest.mark.parametrize("n", [1, 2, 3])
def test_packed_weights_say_what_they_hold(n):
    def run(t):
        made = packed(t, n, stride=2, padding=1, more=1)
        unpacked, bias = getattr(t.ops.quantized, f"conv_transpose{n}d_unpack")(made)
        facts = made.stride(), made.padding(), made.output_padding(), made.dilation()
        (version, (config, held), (kept,)), name = made.__getstate__()
        again = copy.deepcopy(made)
        return (
            *(unpacked.int_repr(), bias, facts, made.groups(), made.transpose()),
            *(version, config, held.int_repr(), kept, name, again.transpose()),
        )

    assert_same_value(*both(run))


BAD = {
    "bias": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        weight(t, 2), t.ones(4), [1, 1], [0, 0], [0, 0], [1, 1], 1
    ),
    "stride": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        weight(t, 2), None, [1], [0, 0], [0, 0], [1, 1], 1
    ),
    "padding": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        weight(t, 2), None, [1, 1], [0], [0, 0], [1, 1], 1
    ),
    "output padding": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        weight(t, 2), None, [1, 1], [0, 0], [0], [1, 1], 1
    ),
    "rank of a weight": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        weight(t, 1), None, [1, 1], [0, 0], [0, 0], [1, 1], 1
    ),
    "scales of channels": lambda t: t.ops.quantized.conv_transpose2d_prepack(
        t.quantize_per_channel(
            t.ones(4, 3, 1, 1), t.ones(3).double(), t.zeros(3).long(), 1, t.qint8
        ),
        *(None, [1, 1], [0, 0], [0, 0], [1, 1], 1),
    ),
    "rank of images": lambda t: convolved(t, 2, images(t, 1)),
    "dtype of images": lambda t: convolved(t, 2, images(t, 2, dtype="qint8")),
    "channels of images for fbgemm": lambda t: convolved(t, 2, images(t, 2, channels=3), place=3),
    "channels of images": lambda t: convolved(t, 2, images(t, 2, channels=3)),
    "padding_mode": lambda t: t.ao.nn.quantized.ConvTranspose2d(2, 2, 1, padding_mode="reflect"),
    "groups": lambda t: t.ao.nn.quantized.ConvTranspose2d(2, 3, 1, groups=2),
    "layer of images": lambda t: t.ao.nn.quantized.ConvTranspose2d(4, 2, 1)(images(t, 1)),
    "other module": lambda t: t.ao.nn.quantized.ConvTranspose2d.from_float(t.nn.Conv2d(2, 2, 1)),
    "no qconfig": lambda t: t.ao.nn.quantized.ConvTranspose2d.from_float(
        t.nn.ConvTranspose2d(2, 2, 1)
    ),
    "observer of channels": lambda t: _converted(t, 2, t.ao.quantization.get_default_qconfig()),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_calls_are_refused_in_the_oracles_words(name):
    assert_torch_error(*both(BAD[name]))


def _converted(t, n, qconfig):
    q, kind = t.ao.quantization, getattr(t.nn, f"ConvTranspose{n}d")
    layer = kind(4, 6, 3, stride=2, output_padding=1, groups=2)
    for seed, p in enumerate(layer.parameters()):
        p.data.copy_(numbers(t, *p.shape, seed=seed))
    model = t.nn.Sequential(q.QuantStub(), layer, q.DeQuantStub()).eval()
    model.qconfig = qconfig
    model = q.prepare(model)
    model(images(t, n).dequantize())
    return q.convert(model)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_models_are_converted_as_the_oracles(n):
    def run(t):
        model = _converted(t, n, t.ao.quantization.default_qconfig)
        layer, file = model[1], io.BytesIO()
        t.save(model.state_dict(), file)
        file.seek(0)
        other = type(layer)(4, 6, 3, stride=2, output_padding=1, groups=2)
        state = t.load(file, weights_only=False)
        other.load_state_dict({k[2:]: v for k, v in state.items() if k.startswith("1.")})
        x = model[0](images(t, n).dequantize())
        said = repr(layer).replace("mindtorch", "torch")
        return said, list(state), _facts(layer(x)), _facts(other(x)), _facts(copy.copy(layer)(x))

    assert_same_value(*both(run))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_fresh_layer_prints_as_the_oracles(n):
    def run(t):
        kind = getattr(t.ao.nn.quantized, f"ConvTranspose{n}d")
        made = kind(4, 2, 3, stride=2, padding=1, output_padding=1, dilation=2, bias=False)
        return repr(made), list(made.weight().shape), made.bias()

    assert_same_value(*both(run))


@pytest.mark.parametrize("kind", ["Conv1d", "ConvTranspose1d"])
@pytest.mark.parametrize("sizes", [{}, {"stride": (2, 1), "padding": (4, 2)}, {"stride": 2}])
def test_kernels_of_two_sizes_over_one_dimension(kind, sizes):
    texts = []
    for t in (mindtorch, torch):
        made = getattr(t.ao.nn.quantized, kind)(16, 33, (3, 5), **sizes)
        texts.append((str(made), tuple(made.weight().shape), list(made.state_dict())))
    assert texts[0] == texts[1]
