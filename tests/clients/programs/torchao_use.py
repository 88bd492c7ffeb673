"""torchao: weights in few bits, training for them, products in float8, optimizers in few bits."""

import copy
from unittest import mock

import torch
from torch import nn
from torchao.float8 import Float8LinearConfig, convert_to_float8_training
from torchao.optim import AdamW4bit, AdamW8bit, AdamWFp8
from torchao.prototype.parq.optim import ProxHardQuant, QuantOptimizer
from torchao.prototype.parq.quant import UnifQuantizer
from torchao.quantization import (
    Int8DynamicActivationInt8WeightConfig,
    Int8DynamicActivationIntxWeightConfig,
    Int8WeightOnlyConfig,
    IntxWeightOnlyConfig,
    quantize_,
)
from torchao.quantization.granularity import PerAxis, PerGroup
from torchao.quantization.qat import IntxFakeQuantizeConfig, QATConfig
from torchao.quantization.quant_primitives import (
    MappingType,
    choose_qparams_affine,
    dequantize_affine,
    quantize_affine,
)
from torchao.quantization.utils import compute_error


def _model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Linear(32, 64))


def _data():
    torch.manual_seed(1)
    return torch.randn(8, 64)


def _quantized(config):
    model, x = _model().eval(), _data()
    want = model(x)
    quantize_(model, config)
    with torch.no_grad():
        got = model(x)
    return [type(model[0].weight).__name__, got, compute_error(want, got).item() > 20]


def step_weights_in_8_bits():
    return _quantized(Int8WeightOnlyConfig())


def step_activations_and_weights_in_8_bits():
    return _quantized(Int8DynamicActivationInt8WeightConfig())


def step_weights_in_4_bits_by_groups():
    return _quantized(IntxWeightOnlyConfig(torch.int4, PerGroup(32)))


def step_weights_in_2_bits_by_rows():
    return _quantized(IntxWeightOnlyConfig(torch.int2, PerAxis(0)))


def step_activations_in_8_and_weights_in_4_bits():
    return _quantized(Int8DynamicActivationIntxWeightConfig(torch.int4, PerGroup(32)))


def step_some_layers_only():
    model = _model()
    quantize_(
        model, Int8WeightOnlyConfig(), filter_fn=lambda m, name: name == "2" and hasattr(m, "bias")
    )
    return [type(layer.weight).__name__ for layer in (model[0], model[2])]


def step_state_of_a_quantized_model():
    model = _model()
    quantize_(model, Int8WeightOnlyConfig())
    state = model.state_dict()
    again = _model()
    again.load_state_dict(state, assign=True)
    with torch.no_grad():
        return [list(state), (again(_data()) - model(_data())).abs().max()]


def step_copies_and_views_of_a_quantized_weight():
    model = _model()
    quantize_(model, Int8WeightOnlyConfig())
    weight = copy.deepcopy(model[0].weight)
    parts = weight[:8], weight.detach(), weight.dequantize()
    return [[type(p).__name__, list(p.shape), str(p.dtype)] for p in parts]


def _trained(model, steps=4, make=lambda p: torch.optim.SGD(p, lr=0.05)):
    optimizer, x, losses = make(model.parameters()), _data(), []
    for _ in range(steps):
        loss = (model(x) - x).square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def step_fake_quantization_of_weights():
    model = _model()
    weight = IntxFakeQuantizeConfig(torch.int4, group_size=32)
    quantize_(model, QATConfig(weight_config=weight, step="prepare"))
    return _trained(model)


def step_training_in_float8():
    model = convert_to_float8_training(_model().bfloat16(), config=Float8LinearConfig(emulate=True))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    x, losses = _data().bfloat16(), []
    for _ in range(3):
        loss = (model(x) - x).float().square().mean()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(round(loss.item(), 2))
    return [type(model[0]).__name__, losses]


def _wide():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(64, 64), nn.Linear(64, 64))


def _uncompiled(run):
    """What *run* gives where torch.compile hands functions back; torch asks for a C++ compiler."""
    with mock.patch("torch.compile", lambda function, **options: function):
        return run()


def step_adam_in_8_bits():
    return _uncompiled(lambda: _trained(_wide(), make=lambda p: AdamW8bit(p, lr=1e-2)))


def step_adam_in_4_bits():
    return _uncompiled(lambda: _trained(_wide(), make=lambda p: AdamW4bit(p, lr=1e-2)))


def step_adam_in_float8():
    return _uncompiled(lambda: _trained(_wide(), make=lambda p: AdamWFp8(p, lr=1e-2)))


def step_state_of_adam_in_8_bits():
    model = _wide()
    optimizer = AdamW8bit(model.parameters(), lr=1e-2)
    model(_data()).square().mean().backward()
    _uncompiled(optimizer.step)
    state = optimizer.state_dict()
    again = AdamW8bit(model.parameters(), lr=1e-2)
    again.load_state_dict(state)
    return [
        [type(v).__name__, list(v.shape), v.dequantize().abs().sum()]
        for s in again.state_dict()["state"].values()
        for v in s.values()
        if hasattr(v, "dequantize") and v.ndim == 2 and type(v) is not torch.Tensor
    ]


def step_quantizing_numbers():
    x = _data()
    facts = []
    for mapping in (MappingType.SYMMETRIC, MappingType.ASYMMETRIC):
        scale, zero = choose_qparams_affine(
            x, mapping, (1, 16), torch.int8, quant_min=-8, quant_max=7
        )
        small = quantize_affine(x, (1, 16), scale, zero, torch.int8, -8, 7)
        back = dequantize_affine(small, (1, 16), scale, zero, torch.int8, -8, 7)
        facts += [scale, zero, small, (back - x).abs().max()]
    return facts


def step_regularizing_to_few_values():
    model = _model()
    base = torch.optim.SGD([{"params": model.parameters(), "quant_bits": 2}], lr=0.05)
    optimizer = QuantOptimizer(base, UnifQuantizer(), ProxHardQuant())
    losses = _trained(model, make=lambda p: optimizer)
    return [losses, len(model[0].weight.unique())]
