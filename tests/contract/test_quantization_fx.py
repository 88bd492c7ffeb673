"""Models that are quantized by their graphs: graphs, modules, scales and outputs of both."""

import copy
import importlib
import operator
import re

import mindtorch
import pytest
import torch

from tests.contract.quantized_graphs import (
    added,
    agree,
    backend_of,
    fx,
    named,
    quietly,
    refuse,
    remembering,
    shown,
)
from tests.contract.quantized_models import MODELS, mlp, module, residual


@pytest.fixture(autouse=True, scope="module")
def ranges_are_sought_once():
    """Observers remember the best range of a histogram: ten thousand are tried to find it."""
    patch = pytest.MonkeyPatch()
    for t in (mindtorch, torch):
        observer = t.ao.quantization.HistogramObserver
        patch.setattr(observer, "_non_linear_param_search", remembering(observer))
    yield
    patch.undo()


# -- models that are quantized ---------------------------------------------------------------------

#: Numbers of texts, which may differ in the last digits.
DECIMALS = re.compile(r"\d+\.\d{4,}(e-\d+)?")


def rounded(text):
    """A text of a model with fewer digits."""
    return DECIMALS.sub(lambda m: f"{float(m.group()):.4g}", named(text))


def _numbers(value):
    if isinstance(value, dict):
        return {key: _numbers(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [_numbers(part) for part in value]
    value = value.dequantize() if value.is_quantized else value
    return [round(v, 3) for v in value.detach().flatten().tolist()]


def _all_scales(model):
    seen = {}
    for name, part in model.named_modules():
        if hasattr(part, "calculate_qparams"):
            try:
                scale, place = part.calculate_qparams()
            except Exception as error:
                seen[name] = type(error).__name__
            else:
                seen[name] = [float(f"{v:.4g}") for v in scale.flatten().tolist()], place.tolist()
    return seen


def _program(t, model, shape, mapping, **options):
    """What both ways make of a model: with observers, as reference, as quantized."""
    x = t.randn(*shape) if isinstance(shape, tuple) else shape
    steps, seen = fx(t), []
    for convert in (steps.convert_to_reference_fx, steps.convert_fx):
        own = copy.deepcopy(model)
        prepared = quietly(steps.prepare_fx, own.eval(), mapping, (x,), **options)
        seen.append(shown(prepared))
        quietly(prepared, x)
        seen.append(_all_scales(prepared))
        backend = options.get("backend_config")
        made = quietly(convert, prepared, backend_config=backend)
        seen += [rounded(made), named(made.graph), sorted(made.state_dict())]
        seen.append(_numbers(quietly(made, x)))
    return seen


def test_paddings_are_zeros_in_reference():
    def program(t):
        t.manual_seed(0)
        model = t.nn.Sequential(
            t.nn.Conv2d(2, 2, 3, padding=1, padding_mode="reflect"), t.nn.ReLU6()
        )
        return _program(t, model, (1, 2, 4, 4), _default(t))

    agree(program)


@pytest.mark.parametrize("backend", ["fbgemm", "qnnpack"])
@pytest.mark.parametrize("case", MODELS)
def test_static(case, backend):
    def program(t):
        t.manual_seed(0)
        model, shape = MODELS[case](t)
        mapping = t.ao.quantization.get_default_qconfig_mapping(backend)
        return _program(t, model, shape, mapping)

    agree(program)


@pytest.mark.parametrize("qconfig", ["default_dynamic", "float16_dynamic", "per_channel_dynamic"])
@pytest.mark.parametrize("case", ["mlp", "functions", "nested", "convolutions"])
def test_dynamic(case, qconfig):
    def program(t):
        t.manual_seed(0)
        model, shape = MODELS[case](t)
        q = t.ao.quantization
        mapping = q.QConfigMapping().set_global(getattr(q.qconfig, f"{qconfig}_qconfig"))
        return _program(t, model, shape, mapping)

    agree(program)


@pytest.mark.parametrize("kind", ["LSTM", "GRU"])
def test_dynamic_recurrent_layers(kind):
    def program(t):
        t.manual_seed(0)

        def forward(self, x):
            return self.fc(self.rnn(x)[0])

        model = module(t, forward, rnn=getattr(t.nn, kind)(4, 3, 2), fc=t.nn.Linear(3, 2))
        q = t.ao.quantization
        mapping = q.QConfigMapping().set_global(q.qconfig.default_dynamic_qconfig)
        return _program(t, model, (5, 2, 4), mapping)

    agree(program)


@pytest.mark.parametrize("kind", ["LSTMCell", "GRUCell", "RNNCell"])
def test_dynamic_cells(kind):
    def program(t):
        t.manual_seed(0)
        model = module(t, lambda self, x: self.cell(x), cell=getattr(t.nn, kind)(4, 3))
        q = t.ao.quantization
        mapping = q.QConfigMapping().set_global(q.qconfig.default_dynamic_qconfig)
        return _program(t, model, (5, 4), mapping)

    agree(program)


@pytest.mark.parametrize("kind", ["Embedding", "EmbeddingBag"])
def test_weights_alone(kind):
    def program(t):
        t.manual_seed(0)
        layer = getattr(t.nn, kind)(10, 12)
        model = module(t, lambda self, x: self.fc(self.emb(x)), emb=layer, fc=t.nn.Linear(12, 2))
        q = t.ao.quantization
        found = q.qconfig.float_qparams_weight_only_qconfig
        mapping = q.QConfigMapping().set_object_type(type(layer), found)
        return _program(t, model, t.tensor([[1, 2], [3, 9]]), mapping)

    agree(program)


# -- mappings --------------------------------------------------------------------------------------

MAPPINGS = {
    "no names": lambda q, t, m: m.set_module_name("fc", None),
    "no convolutions": lambda q, t, m: m.set_object_type(t.nn.Conv2d, None),
    "only linear": lambda q, t, m: q.QConfigMapping().set_object_type(
        t.nn.Linear, q.default_qconfig
    ),
    "only a name": lambda q, t, m: q.QConfigMapping().set_module_name("conv", q.default_qconfig),
    "a pattern of names": lambda q, t, m: m.set_module_name_regex("o.*", None),
    "an order": lambda q, t, m: m.set_module_name_object_type_order("", t.nn.Conv2d, 0, None),
    "functions": lambda q, t, m: m.set_object_type(t.flatten, None),
    "an operator": lambda q, t, m: m.set_object_type(operator.add, None),
    "dynamic in part": lambda q, t, m: m.set_object_type(t.nn.Linear, q.default_dynamic_qconfig),
    "nothing": lambda q, t, m: q.QConfigMapping(),
    "a dict": lambda q, t, m: {"": q.default_qconfig, "module_name": [("other", None)]},
}


@pytest.mark.parametrize("case", MAPPINGS)
def test_mappings(case):
    def program(t):
        t.manual_seed(0)
        model, shape = residual(t)
        mapping = MAPPINGS[case](Everything(t), t, _default(t))
        return _program(t, model, shape, mapping)

    agree(program)


def _default(t):
    return t.ao.quantization.get_default_qconfig_mapping("fbgemm")


class Everything:
    """What quantization has, and the configurations by name."""

    def __init__(self, t):
        self.t = t

    def __getattr__(self, name):
        q = self.t.ao.quantization
        return getattr(q, name, None) or getattr(q.qconfig, name)


# -- training --------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", ["mlp", "convolutions", "residual"])
def test_training(case):
    def program(t):
        t.manual_seed(0)
        model, shape = MODELS[case](t)
        mapping = t.ao.quantization.get_default_qat_qconfig_mapping("fbgemm")
        x, steps = t.randn(*shape), fx(t)
        prepared = quietly(steps.prepare_qat_fx, model.train(), mapping, (x,))
        seen = [shown(prepared)]
        optimizer = t.optim.SGD(prepared.parameters(), lr=0.01)
        for _ in range(2):
            loss = (quietly(prepared, x) ** 2).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            seen.append(round(loss.item(), 3))
        prepared.eval()
        made = quietly(steps.convert_fx, prepared)
        return *seen, named(made.graph), sorted(made.state_dict())

    agree(program)


# -- what is left alone ----------------------------------------------------------------------------


def _with_inner(t):
    class Inner(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = t.nn.Linear(4, 4)

        def forward(self, x):
            return self.fc(x) if x.sum() > -1000 else x

    def forward(self, x):
        return self.last(self.inner(self.fc(x)))

    return module(t, forward, fc=t.nn.Linear(4, 4), inner=Inner(), last=t.nn.Linear(4, 2)), Inner


CUSTOM = {
    "names": lambda config, kind: config.set_non_traceable_module_names(["inner"]),
    "classes": lambda config, kind: config.set_non_traceable_module_classes([kind]),
}


@pytest.mark.parametrize("case", CUSTOM)
def test_modules_that_are_not_followed(case):
    def program(t):
        t.manual_seed(0)
        model, kind = _with_inner(t)
        config = CUSTOM[case](fx(t, "fx.custom_config").PrepareCustomConfig(), kind)
        return _program(t, model, (3, 4), _default(t), prepare_custom_config=config)

    agree(program)


@pytest.mark.parametrize("places", [([0], []), ([], [0]), ([0], [0])])
def test_quantized_arguments_and_results(places):
    def program(t):
        t.manual_seed(0)
        model, shape = mlp(t)
        config = fx(t, "fx.custom_config").PrepareCustomConfig()
        config.set_input_quantized_indexes(places[0]).set_output_quantized_indexes(places[1])
        x = t.randn(*shape)
        prepared = quietly(
            fx(t).prepare_fx, model.eval(), _default(t), (x,), prepare_custom_config=config
        )
        quietly(prepared, x)
        made = quietly(fx(t).convert_fx, copy.deepcopy(prepared))
        given = quietly(t.quantize_per_tensor, x, 0.03, 100, t.quint8) if places[0] else x
        return shown(prepared), rounded(made), named(made.graph), _numbers(quietly(made, given))

    agree(program)


def test_attributes_are_kept_by_quantized_models():
    def program(t):
        model, shape = mlp(t)
        model.kept = [1, 2]
        config = {"preserved_attributes": ["kept"]}
        x = t.randn(*shape)
        prepared = quietly(fx(t).prepare_fx, model.eval(), _default(t), (x,), config)
        quietly(prepared, x)
        made = quietly(fx(t).convert_fx, copy.deepcopy(prepared), config)
        lost = quietly(fx(t).convert_fx, prepared)
        return prepared.kept, made.kept, hasattr(lost, "kept")

    agree(program)


def test_packed_weights_are_saved_and_loaded():
    def program(t):
        t.manual_seed(0)
        made = []
        for _ in range(2):
            model, shape = MODELS["functions"](t)
            x = t.randn(*shape)
            prepared = quietly(fx(t).prepare_fx, model.eval(), _default(t), (x,))
            quietly(prepared, x)
            made.append(quietly(fx(t).convert_fx, prepared))
        before = _numbers(quietly(made[0], x))
        made[1].load_state_dict(made[0].state_dict())
        return before == _numbers(quietly(made[1], x)), sorted(made[0].state_dict())

    agree(program)


def test_models_that_are_no_graphs_are_not_converted():
    refuse(lambda t: quietly(fx(t).convert_fx, 3))


def test_fused_modules_have_one_configuration():
    def program(t):
        mapping = t.ao.quantization.QConfigMapping()
        mapping.set_object_type(t.nn.Linear, t.ao.quantization.qconfig.default_qconfig)
        model = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.ReLU()).eval()
        try:
            quietly(fx(t).prepare_fx, model, mapping, (t.ones(1, 2),))
        except LookupError as error:
            return named(error)

    agree(program)


# -- what mindtorch refuses ------------------------------------------------------------------------


def _mine(name):
    return importlib.import_module(f"mindtorch.ao.quantization.{name}")


def _prepare(model, config=None, **options):
    mapping = _mine("qconfig_mapping").QConfigMapping().set_global(_mine("qconfig").default_qconfig)
    x = mindtorch.ones(1, 2, 4, 4)
    return quietly(_mine("quantize_fx").prepare_fx, model.eval(), mapping, (x,), config, **options)


REFUSED = {
    "standalone": lambda t: _prepare(
        t.nn.Sequential(t.nn.ReLU()), {"standalone_module_name": [("0", None, (), None, None)]}
    ),
    "custom": lambda t: _prepare(
        t.nn.Sequential(t.nn.ReLU()),
        {"float_to_observed_custom_module_class": {"static": {t.nn.ELU: t.nn.ELU}}},
    ),
    "equalization": lambda t: _prepare(t.nn.Sequential(), _equalization_config={"": 3}),
    "mapping": lambda t: quietly(
        _mine("quantize_fx").convert_fx,
        _prepare(t.nn.Sequential(t.nn.ReLU())),
        qconfig_mapping={"": None},
    ),
    "sums": lambda t: quietly(
        _mine("quantize_fx").convert_fx,
        _prepare(added(t), backend_config=backend_of(t, "onednn")),
        backend_config=backend_of(t, "onednn"),
    ),
    "tanh": lambda t: quietly(
        _mine("quantize_fx").convert_fx,
        _prepare(
            t.nn.Sequential(t.nn.Linear(4, 4), t.nn.Tanh()), backend_config=backend_of(t, "onednn")
        ),
        backend_config=backend_of(t, "onednn"),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    with pytest.raises(NotImplementedError, match="is a part of quantization that mindtorch"):
        REFUSED[case](mindtorch)
