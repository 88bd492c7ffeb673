"""Embeddings whose tables hold bytes: look-ups, sums of rows, files, models, refusals."""

from __future__ import annotations

import copy
import io
import warnings

import numpy as np
import pytest

from .helpers import assert_same_value, assert_torch_error, both


@pytest.fixture(autouse=True)
def _without_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def table(t, rows=6, columns=5):
    rng = np.random.default_rng(0)
    numbers = t.tensor((rng.integers(-40, 40, (rows, columns)) / 8).tolist())
    scales = t.tensor((rng.integers(1, 9, rows) / 64).tolist())
    places = t.tensor((rng.integers(0, 512, rows) / 4).tolist())
    return t.quantize_per_channel(numbers, scales, places, 0, t.quint8)


def packed(t):
    return t.ops.quantized.embedding_bag_prepack(table(t))


def bag(t, indices, offsets=None, *rest, dtype="int64", **options):
    given = t.tensor(indices, dtype=getattr(t, dtype))
    starts = None if offsets is None else t.tensor(offsets)
    return t.ops.quantized.embedding_bag_byte(packed(t), given, starts, *rest, **options)


def rows(t, indices, dtype="int64"):
    return t.ops.quantized.embedding_byte(packed(t), t.tensor(indices, dtype=getattr(t, dtype)))


CALLS = {
    "rows": lambda t: rows(t, [0, 3, 3, 5]),
    "rows of rows": lambda t: rows(t, [[0, 3], [1, 5]]),
    "rows of int32": lambda t: rows(t, [2, 1], "int32"),
    "no rows": lambda t: rows(t, []),
    "bags": lambda t: bag(t, [0, 1, 2, 3, 3], [0, 2, 2]),
    "last offset": lambda t: bag(t, [0, 1, 2, 3], [0, 2, 4], include_last_offset=True),
    "bags of one size": lambda t: bag(t, [[0, 1], [4, 5]]),
    "bags of nothing": lambda t: bag(t, [], [0, 0]),
    "first index in no bag": lambda t: bag(t, [0, 1], [1]),
    "factors": lambda t: bag(t, [0, 1, 4], [0, 1], per_sample_weights=t.tensor([2.0, -0.5, 3.0])),
    "mode": lambda t: bag(t, [0, 1, 2], [0], False, 1),
    "pruned": lambda t: bag(
        t, [0, 1, 2], [0], False, 0, True, None, t.tensor([0, -1, 1], dtype=t.int32)
    ),
    "unpacked": lambda t: t.ops.quantized.embedding_bag_unpack(packed(t)).int_repr(),
    "facts": lambda t: (packed(t).bit_rate(), packed(t).version(), str(packed(t)._type())),
}
BAD_CALLS = {
    "outside": lambda t: rows(t, [1, 6]),
    "below": lambda t: bag(t, [0, -1], [0]),
    "offset outside": lambda t: bag(t, [0, 1], [0, 5]),
    "offsets of rows": lambda t: bag(t, [[0, 1]], [0]),
    "no offsets": lambda t: bag(t, [0, 1]),
    "offsets of floats": lambda t: bag(t, [0, 1], [0.0]),
    "offsets of two dimensions": lambda t: bag(t, [0, 1], [[0]]),
    "indices of floats": lambda t: rows(t, [0.0], "float32"),
    "three dimensions": lambda t: rows(t, [[[0]]]),
    "doubles as factors": lambda t: bag(
        t, [0], [0], per_sample_weights=t.tensor([1.0], dtype=t.float64)
    ),
    "one scale": lambda t: t.ops.quantized.embedding_bag_prepack(
        t.quantize_per_tensor(t.zeros(2, 2), 0.1, 0, t.quint8)
    ),
    "other dtype": lambda t: t.ops.quantized.embedding_bag_prepack(
        t.quantize_per_channel(t.zeros(1, 2), t.tensor([0.1]), t.tensor([0.0]), 0, t.qint8)
    ),
    "other rank": lambda t: t.ops.quantized.embedding_bag_prepack(
        t.quantize_per_channel(t.zeros(1, 2, 2), t.tensor([0.1]), t.tensor([0.0]), 0, t.quint8)
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_look_ups_are_the_oracles(name):
    assert_same_value(*both(CALLS[name]))


@pytest.mark.parametrize("name", BAD_CALLS)
def test_wrong_calls_are_refused_in_the_oracles_words(name):
    assert_torch_error(*both(BAD_CALLS[name]))


def test_falling_offsets_are_refused():
    ours, _ = both(lambda t: bag(t, [0, 1, 2], [0, 2, 1]))
    with pytest.raises(RuntimeError, match="offsets that do not fall"):
        ours()


def _float(t, kind, **options):
    made = getattr(t.nn, kind)(6, 5, **options)
    made.weight.data.copy_(table(t).dequantize())
    made.qconfig = t.ao.quantization.float_qparams_weight_only_qconfig
    return made


def _quantized(t, kind, **options):
    return getattr(t.ao.nn.quantized, kind).from_float(_float(t, kind, **options))


def _through_a_file(t, kind):
    made, file = _quantized(t, kind), io.BytesIO()
    t.save(made.state_dict(), file)
    file.seek(0)
    other = getattr(t.ao.nn.quantized, kind)(6, 5)
    other.load_state_dict(t.load(file, weights_only=False))
    return list(made.state_dict()), other.weight().int_repr(), other(t.tensor([[1, 2]]))


def _in_a_model(t, kind):
    model = t.nn.Sequential(_float(t, kind))
    spec = {getattr(t.nn, kind): t.ao.quantization.float_qparams_weight_only_qconfig}
    made = t.ao.quantization.quantize_dynamic(model, spec)
    return repr(made), made(t.tensor([[1, 2], [5, 0]]))


def _trained(t, kind):
    source = _float(t, kind)
    source.qconfig = t.ao.quantization.default_embedding_qat_qconfig
    layer = getattr(t.ao.nn.qat, kind).from_float(source)
    layer(t.tensor([[1, 2]]))
    made = getattr(t.ao.nn.quantized, kind).from_float(layer)
    return made.weight().int_repr(), made(t.tensor([[1, 2]]))


LAYERS = {
    "trained with rounding": _trained,
    "layer": lambda t, kind: (repr(_quantized(t, kind)), _quantized(t, kind)(t.tensor([[1, 2]]))),
    "fresh": lambda t, kind: repr(getattr(t.ao.nn.quantized, kind)(6, 5)),
    "copy": lambda t, kind: copy.deepcopy(_quantized(t, kind))(t.tensor([[1, 2]])),
    "file": _through_a_file,
    "model": _in_a_model,
}


def _of_a_trained_layer(t, kind):
    layer = t.nn.Linear(2, 2)
    layer.weight_fake_quant = 1
    return getattr(t.ao.nn.quantized, kind).from_float(layer)


BAD_LAYERS = {
    "dtype": lambda t, kind: getattr(t.ao.nn.quantized, kind)(6, 5, dtype=t.qint8),
    "weight": lambda t, kind: getattr(t.ao.nn.quantized, kind)(6, 5, _weight=t.zeros(2, 2)),
    "other module": lambda t, kind: getattr(t.ao.nn.quantized, kind).from_float(t.nn.Linear(2, 2)),
    "trained otherwise": lambda t, kind: _of_a_trained_layer(t, kind),
    "no qconfig": lambda t, kind: getattr(t.ao.nn.quantized, kind).from_float(
        getattr(t.nn, kind)(6, 5)
    ),
}


@pytest.mark.parametrize("kind", ["Embedding", "EmbeddingBag"])
@pytest.mark.parametrize("name", LAYERS)
def test_layers_are_the_oracles(name, kind):
    assert_same_value(*both(lambda t: LAYERS[name](t, kind)))


@pytest.mark.parametrize("kind", ["Embedding", "EmbeddingBag"])
@pytest.mark.parametrize("name", BAD_LAYERS)
def test_layers_are_refused_in_the_oracles_words(name, kind):
    assert_torch_error(*both(lambda t: BAD_LAYERS[name](t, kind)))


def test_bags_with_a_last_offset():
    def run(t):
        made = _quantized(t, "EmbeddingBag", include_last_offset=True)
        factors = t.tensor([0.5, 0.25, 3.0, 7.0])
        return made(t.tensor([1, 2, 3, 4]), t.tensor([0, 2, 4]), factors)

    assert_same_value(*both(run))
