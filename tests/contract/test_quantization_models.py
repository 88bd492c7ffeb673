"""Models with observers, trained with rounding, with layers fused: what torch makes of them."""

import warnings

import pytest

from tests.contract.both_frameworks import agree, refuse, same


def quietly(call, *args, **kwargs):
    """*call*, without its saying, once or more, that all of this is deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return call(*args, **kwargs)


def named(text):
    """A text with the classes of either framework."""
    return str(text).replace("mindtorch.", "torch.")


def _configured(t, version=1):
    return t.ao.quantization.get_default_qat_qconfig("fbgemm", version)


def _convolutional(t):
    nn = t.nn
    t.manual_seed(3)
    return nn.Sequential(
        nn.Conv2d(2, 4, 3),
        nn.BatchNorm2d(4),
        nn.ReLU(),
        nn.Conv2d(4, 3, 1, bias=False),
        nn.BatchNorm2d(3),
        nn.ConvTranspose2d(3, 2, 2),
        nn.Flatten(),
        nn.Linear(50, 6),
        nn.ReLU(),
        nn.Linear(6, 2),
        nn.Sigmoid(),
    )


GROUPS = [["0", "1", "2"], ["3", "4"], ["7", "8"]]


def _steps(t, model, shape, steps=3, digits=4):
    """What a model gives and learns in some steps of training.

    A number at the edge of two steps of the scale may be rounded either way: *digits* then.
    """
    t.manual_seed(9)
    optimizer = t.optim.SGD(model.parameters(), lr=0.1)
    seen = []
    for _ in range(steps):
        out = model(t.randn(*shape))
        loss = (out**2).mean() + out.sum() / 7
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen.append(round(loss.item(), digits))
        seen += [round(p.sum().item() / p.numel(), digits) for p in model.parameters()]
    return seen


@pytest.mark.parametrize("version", [0, 1])
def test_training_with_rounding(version):
    def program(t):
        q, model = t.ao.quantization, _convolutional(t)
        model = q.fuse_modules_qat(model, GROUPS)
        model.qconfig = _configured(t, version)
        model = quietly(q.prepare_qat, model)
        said = named(model)
        seen = _steps(t, model, (2, 2, 6, 6), digits=2)
        model.apply(q.disable_observer).apply(t.ao.nn.intrinsic.qat.freeze_bn_stats)
        return said, seen, _steps(t, model, (2, 2, 6, 6), digits=2), list(model.state_dict())

    agree(program)


@pytest.mark.parametrize("kind", ["ConvBn2d", "ConvBnReLU2d", "ConvReLU2d"])
@pytest.mark.parametrize("bias", [True, False])
def test_fused_layers_alone(kind, bias):
    def program(t):
        t.manual_seed(1)
        make = getattr(t.ao.nn.intrinsic.qat, kind)
        layer = make(2, 3, 2, padding=1, bias=bias, qconfig=_configured(t))
        seen = _steps(t, layer, (2, 2, 4, 4))
        layer.eval()
        x = t.ones(1, 2, 3, 3)
        return (
            named(layer),
            seen,
            named(layer.to_float()),
            [round(v, 4) for v in layer(x).flatten().tolist()],
        )

    agree(program)


@pytest.mark.parametrize("kind", ["Linear", "LinearReLU", "LinearBn1d"])
def test_linear_layers_alone(kind):
    def program(t):
        t.manual_seed(1)
        home = t.ao.nn.qat if kind == "Linear" else t.ao.nn.intrinsic.qat
        # torch leaves the bias of a LinearBn1d unwritten
        layer = getattr(home, kind)(4, 3, bias=kind != "LinearBn1d", qconfig=_configured(t))
        seen = _steps(t, layer, (5, 4))
        return named(layer), seen, named(layer.eval().to_float())

    agree(program)


@pytest.mark.parametrize("kind", ["Embedding", "EmbeddingBag"])
def test_embeddings_with_rounding(kind):
    def program(t):
        t.manual_seed(1)
        qconfig = t.ao.quantization.default_embedding_qat_qconfig
        source = getattr(t.nn, kind)(5, 3)
        source.qconfig = qconfig
        layer = getattr(t.ao.nn.qat, kind).from_float(source)
        layer(t.tensor([[1, 2], [3, 1]])).sum().backward()
        return named(layer), layer.weight.grad, named(layer.to_float())

    agree(program)
    refuse(lambda t: getattr(t.ao.nn.qat, kind)(3, 2))
    refuse(lambda t: getattr(t.ao.nn.qat, kind)(3, 2, qconfig=_configured(t)))


def test_observers_are_put_behind_layers():
    def program(t):
        q, model = t.ao.quantization, _convolutional(t).eval()
        model = q.fuse_modules(model, GROUPS)
        model.qconfig = q.default_qconfig
        model = quietly(q.prepare, model)
        t.manual_seed(2)
        out = model(t.randn(2, 2, 6, 6))
        scales = [
            (name, [round(v, 5) for v in m.calculate_qparams()[0].tolist()])
            for name, m in model.named_modules()
            if name.endswith("activation_post_process")
        ]
        return scales, [round(v, 5) for v in out.flatten().tolist()], list(model.state_dict())

    agree(program)


LAYERS = {
    "Conv1d": (1, 1, 1), "ConvTranspose2d": (1, 1, 1), "Linear": (1, 1), "BatchNorm1d": (1,),
    "BatchNorm2d": (1,), "Dropout": (), "ELU": (), "Hardswish": (), "LayerNorm": (2,),
    "GroupNorm": (1, 1), "InstanceNorm1d": (1,), "LeakyReLU": (), "ReLU": (), "ReLU6": (),
    "PReLU": (), "Sigmoid": (), "Tanh": (), "Softmax": (-1,), "Hardsigmoid": (), "GRU": (1, 1),
    "LSTMCell": (1, 1), "Identity": (), "MaxPool2d": (1,), "GELU": (), "Bilinear": (1, 1, 1),
}  # fmt: skip


@pytest.mark.parametrize("trained", [False, True])
def test_which_layers_are_observed(trained):
    def program(t):
        q = t.ao.quantization
        parts = {name: getattr(t.nn, name)(*given) for name, given in LAYERS.items()}
        parts |= {"in": q.QuantStub(), "out": q.DeQuantStub()}
        parts["sum"] = t.nn.quantized.FloatFunctional()
        model = t.nn.ModuleDict(parts)
        model.qconfig = _configured(t) if trained else q.default_qconfig
        model = (
            quietly(q.prepare_qat, model.train()) if trained else quietly(q.prepare, model.eval())
        )
        return [
            (name, type(m).__name__, list(m._modules), len(m._forward_hooks))
            for name, m in model.named_modules()
        ]

    agree(program)


def test_configurations_go_down():
    def program(t):
        q, nn = t.ao.quantization, t.nn
        model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.ReLU(), nn.Linear(2, 2)))
        q.propagate_qconfig_(
            model, {"": q.default_qconfig, "1.1": None, nn.ReLU: q.default_qconfig}
        )
        return [(name, m.qconfig is None) for name, m in model.named_modules()]

    agree(program)


def test_layers_without_configuration_are_left():
    def program(t):
        model = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU())
        q = t.ao.quantization
        return named(quietly(q.prepare_qat, model.train())), named(q.prepare(model.eval()))

    same(program)
    refuse(lambda t: t.ao.quantization.prepare_qat(t.nn.Linear(2, 2).eval()))


def test_wrapping_layers_with_stubs():
    def program(t):
        model = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.Sequential(t.nn.ReLU()))
        model[0].qconfig = model[1][0].qconfig = t.ao.quantization.default_qconfig
        return named(t.ao.quantization.add_quant_dequant(model))

    agree(program)


def test_dynamic_layers_need_observers_that_forget():
    refuse(lambda t: t.ao.nn.qat.dynamic.Linear(2, 2, qconfig=_configured(t)))
    agree(
        lambda t: named(
            t.ao.nn.qat.dynamic.Linear(2, 2, qconfig=t.ao.quantization.default_dynamic_qat_qconfig)
        )
    )


@pytest.mark.parametrize("name", ["FloatFunctional", "FXFloatFunctional"])
def test_arithmetic_as_methods(name):
    def program(t):
        f = getattr(t.nn.quantized, name)()
        x, y = t.tensor([[1.0, -2.0]]), t.tensor([[3.0, 1.0]])
        return [
            *(f.add(x, y), f.add_scalar(x, 2.0), f.mul(x, y), f.mul_scalar(x, 2.0)),
            *(f.cat([x, y], 1), f.add_relu(x, y), f.matmul(x, y.T), repr(f), list(f._modules)),
        ]

    agree(program)
    refuse(lambda t: getattr(t.nn.quantized, name)()(t.ones(1)))


FUSED = "BNReLU2d ConvBn1d ConvBn2d ConvBnReLU2d ConvReLU1d LinearBn1d LinearReLU LinearTanh"


@pytest.mark.parametrize("name", FUSED.split())
def test_layers_that_do_not_belong_together(name):
    count = 3 if "BnReLU" in name else 2
    refuse(lambda t: getattr(t.ao.nn.intrinsic, name)(*[t.nn.Tanhshrink()] * count))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda t, q, m: q.fuse_modules(m.train(), [["0", "1", "2"]]),
        lambda t, q, m: q.fuse_modules(m, [["0", "7"]]),
        lambda t, q, m: q.fuse_modules_qat(m, [["5", "4"]]),
        lambda t, q, m: t.ao.nn.qat.Linear.from_float(m[7]),
        lambda t, q, m: t.ao.nn.qat.Linear.from_float(m[0]),
        lambda t, q, m: t.ao.nn.qat.Conv2d.from_float(m[7]),
        lambda t, q, m: t.ao.nn.intrinsic.qat.ConvBn2d.from_float(m[7]),
        lambda t, q, m: t.ao.nn.qat.Linear(2, 2),
        lambda t, q, m: q.get_default_qconfig("foo"),
        lambda t, q, m: q.get_default_qconfig("x86", 2),
        lambda t, q, m: q.get_default_qat_qconfig("x86", 3),
    ],
)
def test_what_is_refused(wrong):
    refuse(lambda t: wrong(t, t.ao.quantization, _convolutional(t).eval()))


def test_fusing_one_group_and_hooks():
    def program(t):
        q, model, heard = t.ao.quantization, _convolutional(t).eval(), []
        model[0].register_forward_pre_hook(lambda *a: heard.append("before"))
        model[2].register_forward_hook(lambda *a: heard.append("after"))
        fused = q.fuse_modules(model, ["0", "1", "2"], inplace=True)
        fused[0](t.ones(1, 2, 4, 4))
        return fused is model, named(fused), heard

    agree(program)


@pytest.mark.parametrize("backend", ["x86", "fbgemm", "qnnpack", "onednn"])
def test_defaults_of_backends(backend):
    def program(t):
        q = t.ao.quantization
        made = [q.get_default_qconfig(backend)]
        made += [q.get_default_qat_qconfig(backend, v) for v in (0, 1)]
        pairs = [q.qconfig_equals(a, b) for a in (*made, None) for b in (*made, None)]
        return named(made), pairs

    agree(program)


@pytest.mark.parametrize("name", ["get_default_qconfig_mapping", "get_default_qat_qconfig_mapping"])
def test_mappings(name):
    def program(t):
        q = t.ao.quantization
        mapping = getattr(q, name)()
        found = mapping.to_dict()
        again = q.QConfigMapping.from_dict(found)
        types = [(str(getattr(k, "__name__", k)), named(v)) for k, v in found["object_type"]]
        return sorted(types), named(found[""]), named(again.to_dict()) == named(found)

    agree(program)


def test_mappings_by_name_and_place():
    def program(t):
        q = t.ao.quantization
        mapping = q.QConfigMapping().set_global(q.default_qconfig)
        mapping.set_object_type(t.nn.Linear, None).set_module_name_regex("a.*", None)
        mapping.set_module_name("a.b", q.default_qconfig)
        mapping.set_module_name_object_type_order("a", t.nn.Linear, 1, None)
        return named(mapping), named(mapping.to_dict())

    agree(program)
