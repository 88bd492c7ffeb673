"""Models that compute on quantized tensors: what ``prepare`` and ``convert`` make, to the bit.

Ranges are rounded after calibration: sums of floats differ in their last bits, and scales with
them.
"""

import io

import numpy as np
import pytest

from tests.contract.test_quantization_dynamic import _named, agree, refuse


def _filled(t, model, seed=0):
    numbers = np.random.RandomState(seed)
    for name, p in [*model.named_parameters(), *model.named_buffers()]:
        if p.is_floating_point():
            drawn = numbers.randn(*p.shape).astype("f4") * 0.3
            p.data.copy_(t.from_numpy(abs(drawn) + 0.5 if "var" in name else drawn))
    return model.eval()


def _numbers(t, *shape, seed=1):
    return t.from_numpy(np.random.RandomState(seed).randn(*shape).astype("f4"))


def _images(t):
    nn, q = t.nn, t.ao.quantization

    class Images(nn.Module):
        def __init__(self):
            super().__init__()
            self.quant, self.dequant = q.QuantStub(), q.DeQuantStub()
            self.c, self.bn = nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8)
            self.c2, self.bn2 = nn.Conv2d(8, 8, 3, stride=2, groups=2), nn.BatchNorm2d(8)
            self.r, self.r2, self.drop = nn.ReLU(), nn.ReLU(), nn.Dropout(0.2)
            self.ff, self.f = t.ao.nn.quantized.FloatFunctional(), nn.Linear(32, 5)
            self.pool = nn.MaxPool2d(2)

        def forward(self, x):
            x = self.c2(self.r(self.bn(self.c(self.quant(x)))))
            x = self.pool(self.drop(self.r2(self.ff.add(x, self.bn2(x)))))
            return [self.dequant(self.f(t.flatten(x, 1)))]

    return Images()


def _functions(t):
    nn, q = t.nn, t.ao.quantization

    class Functions(nn.Module):
        def __init__(self):
            super().__init__()
            self.quant, self.dequant = q.QuantStub(), q.DeQuantStub()
            self.first = nn.Linear(6, 6)
            kinds = [nn.ReLU6(), nn.Hardswish(), nn.ELU(0.7), nn.LeakyReLU(0.2), nn.LayerNorm(6)]
            self.kinds = nn.ModuleList([*kinds, nn.Sigmoid(), nn.Tanh(), nn.Hardsigmoid()])
            made = [t.ao.nn.quantized.FloatFunctional() for _ in range(5)]
            self.sum, self.product, self.joined, self.more, self.times = made

        def forward(self, x):
            x = self.quant(x)
            a = self.first(x)
            out = [self.sum.add_relu(a, x), self.product.mul(a, x), self.joined.cat([a, x], 1)]
            out += [self.more.add_scalar(a, 1.5), self.times.mul_scalar(a, -0.5)]
            return [self.dequant(o) for o in [*out, *(kind(a) for kind in self.kinds)]]

    return Functions()


def _norms(t):
    nn, q = t.nn, t.ao.quantization

    class Norms(nn.Module):
        def __init__(self):
            super().__init__()
            self.quant, self.quant3, self.dequant = q.QuantStub(), q.QuantStub(), q.DeQuantStub()
            self.c1, self.r = nn.Conv1d(4, 4, 3, padding=1, padding_mode="reflect"), nn.ReLU()
            self.c3, self.r3 = nn.Conv3d(2, 4, 2, bias=False), nn.ReLU()
            self.b3, self.rb, self.i3 = nn.BatchNorm3d(4), nn.ReLU(), nn.InstanceNorm3d(4)
            self.g, self.i = nn.GroupNorm(2, 4), nn.InstanceNorm1d(4, affine=True)

        def forward(self, x, y):
            x, y = self.r(self.c1(self.quant(x))), self.r3(self.c3(self.quant3(y)))
            out = self.g(x), self.i(x), self.rb(self.b3(y)), self.i3(y)
            return [self.dequant(o) for o in out]

    return Norms()


IMAGES, ROWS, BOTH = [(2, 3, 12, 12)], [(4, 6)], [(2, 4, 8), (2, 2, 5, 5, 5)]


def _calibrated(t, model, shapes):
    for seed in (1, 2):
        model(*(_numbers(t, *shape, seed=seed) for shape in shapes))
    for module in model.modules():
        if isinstance(getattr(module, "min_val", None), t.Tensor):
            module.min_val.copy_(t.round(module.min_val, decimals=2))
            module.max_val.copy_(t.round(module.max_val, decimals=2))
    return t.ao.quantization.convert(model)


def _qconfig(t, weight="default_per_channel_weight_observer"):
    q = t.ao.quantization
    return q.QConfig(activation=q.default_observer, weight=getattr(q, weight))


def _prepared(t, make, fuse=(), **options):
    q, model = t.ao.quantization, _filled(t, make(t))
    if fuse:
        model = q.fuse_modules(model, [list(names) for names in fuse])
    model.qconfig = _qconfig(t, **options)
    return q.prepare(model)


def _plain(t, value):
    """A value of a state, for comparing: integers and what they stand for."""
    if isinstance(value, tuple):
        return [_plain(t, v) for v in value]
    if not isinstance(value, t.Tensor):
        return _named(value)
    if value.is_quantized:
        return _named(value.qscheme()), value.int_repr().tolist(), value.dequantize().tolist()
    return _named(value.dtype), value.tolist()


def _told(t, model, shapes):
    out = model(*(_numbers(t, *shape, seed=7) for shape in shapes))
    state = {name: _plain(t, value) for name, value in model.state_dict().items()}
    return _named(model), [o.tolist() for o in out], list(state.items())


CASES = {
    "images": (_images, IMAGES, ()),
    "fused images": (_images, IMAGES, (("c", "bn", "r"), ("c2", "bn2"))),
    "functions": (_functions, ROWS, ()),
    "norms": (_norms, BOTH, ()),
    "fused norms": (_norms, BOTH, (("c1", "r"), ("c3", "r3"), ("b3", "rb"))),
}


@pytest.mark.parametrize(
    "weight", ["default_per_channel_weight_observer", "default_weight_observer"]
)
@pytest.mark.parametrize("case", CASES)
def test_models(case, weight):
    make, shapes, fuse = CASES[case]

    def run(t):
        model = _calibrated(t, _prepared(t, make, fuse, weight=weight), shapes)
        return _told(t, model, shapes)

    agree(run)


@pytest.mark.parametrize("case", CASES)
def test_states_pass_through_a_file(case):
    make, shapes, fuse = CASES[case]

    def run(t):
        model = _calibrated(t, _prepared(t, make, fuse), shapes)
        file = io.BytesIO()
        t.save(model.state_dict(), file)
        file.seek(0)
        fresh = t.ao.quantization.convert(_prepared(t, make, fuse))
        said = _named(fresh.load_state_dict(t.load(file)))
        return said, _told(t, fresh, shapes)[1:], _told(t, fresh, shapes) == _told(t, model, shapes)

    agree(run)


def test_training_with_rounding_becomes_integers():
    def run(t):
        q, model = t.ao.quantization, _filled(t, _images(t)).train()
        model = q.fuse_modules_qat(model, [["c", "bn", "r"], ["c2", "bn2"]])
        model.qconfig = q.get_default_qat_qconfig("fbgemm")
        return _told(t, _calibrated(t, q.prepare_qat(model).eval(), IMAGES), IMAGES)

    agree(run)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"reduce_range": True},
        {"quant_min": 0, "quant_max": 127},
        {"dtype": "qint8", "qscheme": "per_tensor_symmetric"},
        {"bins": 64},
        {"dtype": "qint32"},
    ],
    ids=str,
)
def test_histograms_find_ranges(options):
    def run(t):
        given = {k: getattr(t, v) if isinstance(v, str) else v for k, v in options.items()}
        observer = t.ao.quantization.HistogramObserver(**given)
        seen = [_numbers(t, 2, 3), _numbers(t, 50, 4, seed=2) * 3, _numbers(t, 50, 4, seed=3) - 4]
        said = [repr(observer), observer.calculate_qparams()]
        for x in [*seen, t.tensor([1.0, t.inf]), t.tensor([-t.inf]), t.zeros(0)]:
            assert observer(x) is x
            said += [repr(observer), observer.calculate_qparams(), observer.histogram.tolist()]
        return [*said, list(observer.state_dict())]

    agree(run)


def test_histograms_of_one_value_and_from_states():
    def run(t):
        make = t.ao.quantization.HistogramObserver
        observer, other = make(), make()
        said = []
        for x in t.ones(4), t.zeros(3):
            observer(x)
            said.append(observer.calculate_qparams())
        said.append(_named(other.load_state_dict(observer.state_dict())))
        said += [other.calculate_qparams(), other.histogram.tolist()]
        lacking = {"histogram": t.zeros(2048)}
        return [*said, _named(other.load_state_dict(lacking, strict=False))]

    agree(run)


def test_what_histograms_refuse():
    def make(t, **options):
        return t.ao.quantization.HistogramObserver(**options)

    refuse(lambda t: make(t, qscheme=t.per_channel_affine))
    refuse(lambda t: make(t, is_dynamic=True))
    refuse(lambda t: make(t, dtype=t.float32))
    refuse(lambda t: make(t).load_state_dict({"histogram": t.zeros(2048)}))


@pytest.mark.parametrize("engine", ("x86", "fbgemm"))
def test_default_qconfigs_keep_histograms(engine):
    def run(t):
        q, nn = t.ao.quantization, t.nn
        model = nn.Sequential(q.QuantStub(), nn.Linear(6, 4), nn.ReLU(), q.DeQuantStub())
        model = q.fuse_modules(_filled(t, model), [["1", "2"]])
        model.qconfig = q.get_default_qconfig(engine)
        model = q.prepare(model)
        model(_numbers(t, 64, 6))
        model = q.convert(model)
        stub = model[0]
        layer = model[1]
        found = stub.scale.tolist(), stub.zero_point.tolist(), layer.zero_point
        return type(layer).__name__, found, f"{layer.scale:.5g}", _plain(t, layer.weight())

    agree(run)


def _boundary(t):
    return t.ao.nn.quantized.Quantize(0.1, 3, t.quint8)


def test_boundaries():
    def run(t):
        into, back = _boundary(t), t.ao.nn.quantized.DeQuantize()
        x = into(_numbers(t, 2, 3))
        return _named(into), _named(back), x.int_repr(), back(x), list(into.state_dict())

    agree(run)


MAKERS = {
    "Conv2d": lambda m, t: m.Conv2d(2, 4, 3, padding=1),
    "Conv1d": lambda m, t: m.Conv1d(2, 4, 3, padding=(1,)),
    "Conv3d": lambda m, t: m.Conv3d(2, 4, 3, groups=2, bias=False, dilation=(1, 2, 1)),
    "Linear": lambda m, t: m.Linear(3, 4),
    "BatchNorm2d": lambda m, t: m.BatchNorm2d(4),
    "ReLU6": lambda m, t: m.ReLU6(True),
    "Hardswish": lambda m, t: m.Hardswish(0.1, 2),
    "ELU": lambda m, t: m.ELU(0.1, 2, 0.5),
    "LeakyReLU": lambda m, t: m.LeakyReLU(0.1, 2, 0.3, True),
    "Sigmoid": lambda m, t: m.Sigmoid(0.1, 2),
    "Softmax": lambda m, t: m.Softmax(1),
    "Dropout": lambda m, t: m.Dropout(0.2),
    "LayerNorm": lambda m, t: m.LayerNorm((3, 2), None, None, 0.1, 2, elementwise_affine=False),
    "GroupNorm": lambda m, t: m.GroupNorm(2, 4, t.nn.Parameter(t.ones(4)), None, 0.1, 2),
    "InstanceNorm2d": lambda m, t: m.InstanceNorm2d(4, None, None, 0.1, 2),
    "QFunctional": lambda m, t: m.QFunctional(),
}


@pytest.mark.parametrize("name", MAKERS)
def test_fresh_layers(name):
    def run(t):
        made = MAKERS[name](t.ao.nn.quantized, t)
        drawn = "weight", "_packed_params._packed_params"  # memory as it was found
        state = [(k, _plain(t, v)) for k, v in made.state_dict().items() if k not in drawn]
        return _named(made), state

    agree(run)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda q, t: q.Conv2d(3, 4, 3, groups=2),
        lambda q, t: q.Conv2d(4, 3, 3, groups=2),
        lambda q, t: q.Conv2d(4, 4, 3, padding_mode="circular"),
        lambda q, t: q.Conv2d(2, 2, 3)(t.zeros(1, 2, 4)),
        lambda q, t: q.Conv2d.from_float(t.nn.Conv2d(1, 1, 1)),
        lambda q, t: q.Conv2d.from_float(t.nn.Linear(1, 1)),
        lambda q, t: q.ELU(0.1, 0)(t.zeros(2)),
        lambda q, t: q.QFunctional()(t.zeros(2)),
        lambda q, t: q.QFunctional.from_float(t.nn.Identity()),
        lambda q, t: q.Sigmoid.from_float(t.nn.Sigmoid()),
        lambda q, t: q.LayerNorm(3, None, None, "a", 0),
    ],
    ids=range(11),
)
def test_what_layers_refuse(wrong):
    refuse(lambda t: wrong(t.ao.nn.quantized, t))


@pytest.mark.parametrize(
    ("scale", "zero_point"),
    [("T(.1)", "T(3)"), ("T([.1])", "T([[3]])"), ("T(1)", "T(True)"), (".1", "T([3.5])")]
    + [("T([.1, .2])", "3"), ("T(1j)", "3"), ("T([])", "3"), ("T(.1, device='meta')", "3")],
)
def test_tensors_of_one_number_are_numbers_to_ops(scale, zero_point):
    def run(t):
        x = t.quantize_per_tensor(_numbers(t, 2, 3), 0.1, 2, t.quint8)
        given = [eval(text, {"T": t.tensor}) for text in (scale, zero_point)]
        made = t.ops.quantized.hardswish(x, *given)
        return made.q_scale(), made.q_zero_point(), made.int_repr()

    refused = "," in scale or "j" in scale or "[]" in scale
    (refuse if refused else agree)(run)


@pytest.mark.parametrize("dtype", "qint8 quint8 qint32 quint4x2 quint2x4".split())
def test_limits_of_quantized_dtypes(dtype):
    def run(t):
        limits = t.iinfo(getattr(t, dtype))
        return limits.bits, limits.min, limits.max, limits == t.iinfo(t.qint8)

    agree(run)
    refuse(lambda t: t.iinfo(getattr(t, dtype)).dtype)
    refuse(lambda t: repr(t.iinfo(getattr(t, dtype))))


def _prelu(t):
    """A PReLU with the slopes of one of floats, by an observer of ``quint8``."""
    q, layer = t.ao.quantization, t.nn.PReLU(3)
    layer.weight.data.copy_(t.tensor([0.25, 0.125, 1.0]))
    weight = q.MinMaxObserver.with_args(dtype=t.quint8)
    layer.qconfig = q.QConfig(activation=q.default_observer, weight=weight)
    layer.add_module("activation_post_process", q.default_observer())
    layer.activation_post_process(t.tensor([-1.0, 2.0]))
    return layer


@agree
def test_prelu_has_quantized_slopes(t):
    made = t.ao.nn.quantized.PReLU.from_float(_prelu(t))
    x = t.quantize_per_tensor(t.linspace(-2, 2, 24).reshape(2, 3, 4), 0.25, 128, t.quint8)
    facts = made.scale, made.zero_point, made.num_parameters, list(made.state_dict())
    return _named(made), facts, _plain(t, made.weight), _plain(t, made(x))


@agree
def test_prelu_warns_of_other_weights(t):
    layer = _prelu(t)
    layer.qconfig = _qconfig(t, "default_weight_observer")
    with pytest.warns(UserWarning, match="should have dtype quint8 but got torch.qint8"):
        return _plain(t, t.ao.nn.quantized.PReLU.from_reference(layer, 0.5, 3).weight)


@agree
def test_packed_weights_of_convolutions_pass_through_a_file(t):
    weight = t.quantize_per_tensor(t.linspace(-1, 1, 24).reshape(2, 3, 2, 2), 0.05, 0, t.qint8)
    packed = t.ops.quantized.conv2d_prepack(weight, t.ones(2), [2, 1], [1, 0], [1, 1], 1)
    file = io.BytesIO()
    t.save(packed, file)
    file.seek(0)
    again = t.load(file, weights_only=False)
    how = again.stride(), again.padding(), again.dilation(), again.groups()
    return how, [_plain(t, part) for part in again.unpack()]
