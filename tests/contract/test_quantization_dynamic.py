"""Models whose weights are quantized: what they compute, print, save and load, as torch's do.

Products of integers are exact, so layers with weights of 8 bits agree with torch's to the bit.
"""

import io
import itertools
import warnings

import pytest

from tests.contract import both_frameworks
from tests.contract.both_frameworks import ours, torch

ENGINES = ("x86", "fbgemm")


def quietly(call, *args, **kwargs):
    """*call*, without its saying that all of this is deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*args, **kwargs)


def agree(run):
    """Both frameworks return the same, whatever they warn of."""
    return both_frameworks.agree(lambda t: quietly(run, t))


def refuse(run):
    """Both frameworks raise the same, whatever they warn of."""
    return both_frameworks.refuse(lambda t: quietly(run, t))


def _dynamic(t, model, *args, **kwargs):
    return quietly(t.ao.quantization.quantize_dynamic, model, *args, **kwargs)


def _layers(t):
    nn = t.nn
    t.manual_seed(0)
    return nn.Sequential(nn.Linear(7, 5), nn.ReLU(), nn.Linear(5, 3, bias=False))


def _named(text):
    return str(text).replace("mindtorch.", "torch.")


@pytest.mark.parametrize("dtype", ("qint8", "float16"))
def test_linear_layers(dtype):
    def run(t):
        model = _dynamic(t, _layers(t), {t.nn.Linear}, dtype=getattr(t, dtype))
        x = t.randn(4, 7)
        out = model(x), model(x[None]), model[0].weight(), model[0].bias()
        if dtype == "float16":  # sums of floats are bounded, not equal
            return [_named(model), *(_named(o) for o in out), list(model.state_dict())]
        return [_named(model), *(repr(o.detach()) for o in out), out[0].detach().tolist()]

    agree(run)


@pytest.mark.parametrize("per_channel", (False, True))
@pytest.mark.parametrize("reduce_range", (False, True))
@pytest.mark.parametrize("shape", ((5, 17), (3, 2, 64), (1, 300), (64, 33), (0, 9)))
def test_dynamic_products_are_equal_to_the_bit(shape, reduce_range, per_channel):
    def run(t):
        t.manual_seed(3)
        x, w, b = t.randn(shape) * 2, t.randn(11, shape[-1]), t.randn(11)
        if per_channel:
            zeros = t.zeros(11, dtype=t.int64)
            scales = w.abs().amax(1).double() / 127
            weight = quietly(t.quantize_per_channel, w, scales, zeros, 0, t.qint8)
        else:
            weight = quietly(t.quantize_per_tensor, w, float(w.abs().max() / 127), 0, t.qint8)
        q = t.ops.quantized
        packed = q.linear_prepack(weight, b), q.linear_prepack(weight, None)
        found = [q.linear_dynamic(x, p, reduce_range) for p in packed]
        return [*found, q.linear_relu_dynamic(x, packed[0], reduce_range)]

    agree(run)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("per_channel", (False, True))
def test_quantized_products(per_channel, engine):
    def run(t):
        t.backends.quantized.engine = engine
        t.manual_seed(4)
        w, b = t.randn(11, 33), t.randn(11)
        x = quietly(t.quantize_per_tensor, t.randn(2, 5, 33) * 2, 0.03, 120, t.quint8)
        if per_channel:
            zeros = t.zeros(11, dtype=t.int64)
            scales = w.abs().amax(1).double() / 127
            weight = t.quantize_per_channel(w, scales, zeros, 0, t.qint8)
        else:
            weight = t.quantize_per_tensor(w, float(w.abs().max() / 127), 0, t.qint8)
        packed = t.ops.quantized.linear_prepack(weight, b)
        out = [
            getattr(t.ops.quantized, n)(x, packed, 0.123, 100) for n in ("linear", "linear_relu")
        ]
        t.backends.quantized.engine = "x86"
        return [(repr(o), o.int_repr()) for o in out]

    agree(run)


@pytest.mark.parametrize("kind", ("LSTM", "GRU"))
@pytest.mark.parametrize("batch_first", (False, True))
@pytest.mark.parametrize("bidirectional", (False, True))
def test_recurrent_layers(kind, batch_first, bidirectional):
    def run(t):
        t.manual_seed(1)
        layer = getattr(t.nn, kind)(
            7, 5, num_layers=2, bidirectional=bidirectional, batch_first=batch_first
        )
        model = _dynamic(t, t.nn.ModuleDict({"a": layer}))["a"]
        out, hidden = model(t.randn(4, 3, 7))
        again, _ = model(t.randn(4, 3, 7), hidden if not batch_first else None)
        packed = t.nn.utils.rnn.pack_padded_sequence(
            t.randn(6, 3, 7), [6, 2, 4], enforce_sorted=False
        )
        last, end = model(packed)
        names = sorted({**model.get_weight(), **model.get_bias()})
        return [_named(model), out, hidden, again, last.data, end, names, list(model.state_dict())]

    # Gates are functions of floats, and so bounded; what they come to is compared by its digits.
    for got, want in zip(_flat(run(ours)), _flat(run(torch)), strict=True):
        if isinstance(want, torch.Tensor):
            torch.testing.assert_close(torch.from_numpy(got.numpy()), want, rtol=2e-5, atol=2e-5)
        else:
            assert got == want


def _flat(value):
    if isinstance(value, tuple | list):
        return [leaf for v in value for leaf in _flat(v)]
    return [value.detach() if hasattr(value, "detach") else value]


@pytest.mark.parametrize("kind", ("LSTMCell", "GRUCell", "RNNCell"))
@pytest.mark.parametrize("dtype", ("qint8", "float16"))
def test_cells(kind, dtype):
    def run(t):
        t.manual_seed(2)
        cell = getattr(t.nn, kind)(7, 5)
        model = _dynamic(t, t.nn.ModuleDict({"a": cell}), dtype=getattr(t, dtype))["a"]
        out = model(t.randn(3, 7))
        return [_named(model), _named(out), list(model.state_dict()), sorted(model.get_weight())]

    agree(run)


@pytest.mark.parametrize("dtype", ("qint8", "float16"))
@pytest.mark.parametrize("source, reader", itertools.product((ours, torch), repeat=2))
def test_state_dicts_go_through_files_of_either(source, reader, dtype):
    def model(t, seed):
        t.manual_seed(seed)
        parts = {"a": t.nn.Linear(7, 5), "b": t.nn.LSTM(7, 5), "c": t.nn.GRUCell(7, 5)}
        return _dynamic(t, t.nn.ModuleDict(parts), dtype=getattr(t, dtype))

    file = io.BytesIO()
    source.save(model(source, 0).state_dict(), file)
    file.seek(0)
    state = reader.load(file, weights_only=False)
    loaded, same = model(reader, 5), model(reader, 0)
    assert loaded.load_state_dict(state) is not None
    x = reader.ones(2, 7) * 0.3
    for name, given in (("a", x), ("b", x[None]), ("c", x)):
        got, want = loaded[name](given), same[name](given)
        got, want = (v[0] if isinstance(v, tuple) else v for v in (got, want))
        assert reader.equal(got, want), name


@pytest.mark.parametrize("weights_only", (True, False))
def test_linear_layers_are_safe_to_load(weights_only):
    for source, reader in itertools.product((ours, torch), repeat=2):
        file = io.BytesIO()
        source.save(_dynamic(source, _layers(source)).state_dict(), file)
        file.seek(0)
        state = reader.load(file, weights_only=weights_only)
        model = _dynamic(reader, _layers(reader))
        model.load_state_dict(state)
        assert model(reader.ones(2, 7)).shape == (2, 3)


def test_what_is_packed_is_an_object():
    def run(t):
        weight = quietly(t.quantize_per_tensor, t.ones(3, 4), 0.1, 0, t.qint8)
        packed = t.ops.quantized.linear_prepack(weight, t.ones(3))
        found = packed.unpack()
        return [
            str(packed),
            str(packed._type()),
            packed._method_names(),
            repr(found),
            packed.bias(),
        ]

    agree(run)
    for wrong in (lambda p: p.foo, lambda p: p == p):
        refuse(
            lambda t, wrong=wrong: wrong(
                t.ops.quantized.linear_prepack(
                    quietly(t.quantize_per_tensor, t.ones(3, 4), 0.1, 0, t.qint8), None
                )
            )
        )


@pytest.mark.parametrize(
    "wrong",
    (
        lambda t, p, h: t.ops.quantized.linear_dynamic(t.ones(2, 5), p),
        lambda t, p, h: t.ops.quantized.linear_dynamic(t.ones(4), p),
        lambda t, p, h: t.ops.quantized.linear_dynamic(t.ones(2, 4).double(), p),
        lambda t, p, h: t.ops.quantized.linear_dynamic(t.full((1, 4), float("nan")), p),
        lambda t, p, h: t.ops.quantized.linear_dynamic_fp16(t.ones(2, 5), h),
        lambda t, p, h: t.ops.quantized.linear_dynamic_fp16(t.ones(4), h),
        lambda t, p, h: t.ops.quantized.linear_prepack(p.unpack()[0], t.ones(4)),
        lambda t, p, h: t.ops.quantized.linear_prepack(p.unpack()[0], t.ones(3, 1)),
        lambda t, p, h: t.ops.quantized.linear_prepack(p.unpack()[0].view(12), None),
        lambda t, p, h: t.ops.quantized.linear(p.unpack()[0], p, 0.1, 0),
    ),
)
def test_arguments_that_do_not_fit(wrong):
    def run(t):
        weight = quietly(t.quantize_per_tensor, t.ones(3, 4), 0.1, 0, t.qint8)
        prepack = t.ops.quantized.linear_prepack, t.ops.quantized.linear_prepack_fp16
        return wrong(t, prepack[0](weight, None), prepack[1](t.ones(3, 4), None))

    refuse(run)


def test_which_modules_become_quantized():
    def run(t):
        default = t.ao.quantization.default_dynamic_qconfig
        found = []
        for spec in (None, {"0"}, {"0": default}, {t.nn.Linear: default, "2": None}, {t.nn.LSTM}):
            found.append(_named(_dynamic(t, _layers(t), spec)))
        channels = t.ao.quantization.per_channel_dynamic_qconfig
        model = _dynamic(t, _layers(t), {t.nn.Linear: channels})
        return [*found, _named(model), model(t.ones(2, 7)).detach()]

    agree(run)


@pytest.mark.parametrize("dtype", ("int8", "qint32"))
@pytest.mark.parametrize("spec", (None, "set"))
def test_dtypes_that_weights_have_not(dtype, spec):
    def run(t):
        given = {t.nn.Linear} if spec else None
        return _dynamic(t, _layers(t), given, dtype=getattr(t, dtype))

    refuse(run)


def test_a_layer_with_a_relu():
    def run(t):
        t.manual_seed(0)
        fused = t.ao.nn.intrinsic.LinearReLU(t.nn.Linear(7, 5), t.nn.ReLU())
        model = _dynamic(t, t.nn.Sequential(fused), {t.ao.nn.intrinsic.LinearReLU})
        return [_named(model), model(t.randn(4, 7)).detach()]

    agree(run)


def test_new_layers_are_drawn_as_torch_draws_them():
    def run(t):
        dynamic = t.ao.nn.quantized.dynamic
        found = []
        for make in (dynamic.LSTM, dynamic.GRU, dynamic.LSTMCell, dynamic.RNNCell):
            t.manual_seed(6)
            layer = quietly(make, 4, 3)
            found += [_named(layer), {k: repr(v) for k, v in layer.get_weight().items()}]
        layer = quietly(dynamic.Linear, 4, 3)
        return [*found, _named(layer), layer.weight().q_scale(), layer.bias(), t.rand(1)]

    agree(run)
