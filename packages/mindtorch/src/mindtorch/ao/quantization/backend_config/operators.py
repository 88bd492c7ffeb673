"""What backends have in common: the families of operators, each for the dtypes that are given."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from .... import nn
from ....aten import torch
from ...nn import intrinsic as nni
from ...nn import qat as nnqat
from ...nn.intrinsic import qat as nniqat
from ...nn.quantized import reference as nnqr
from ..fuser_method_mappings import (
    fuse_conv_bn,
    fuse_conv_bn_relu,
    fuse_convtranspose_bn,
    fuse_linear_bn,
    in_sequence,
)
from .backend_config import (
    BackendPatternConfig,
    DTypeConfig,
    DTypeWithConstraints,
    ObservationType,
)

F = nn.functional
_APART = ObservationType.OUTPUT_USE_DIFFERENT_OBSERVER_AS_INPUT
_SHARED = ObservationType.OUTPUT_SHARE_OBSERVER_WITH_INPUT
_RELUS = (nn.ReLU, F.relu)
Dtypes = list[DTypeConfig]
Patterns = list[BackendPatternConfig]


def pattern_of(
    pattern: Any, dtypes: Dtypes, observed: ObservationType | None = _APART, **settings: Any
) -> BackendPatternConfig:
    """What is known of *pattern*: *settings* are named as the setters are."""
    made = BackendPatternConfig(pattern).set_dtype_configs(dtypes)
    if observed is not None:
        made.set_observation_type(observed)
    for name, value in settings.items():
        prefix = "_set_" if hasattr(made, f"_set_{name}") else "set_"
        getattr(made, prefix + name)(value)
    return made


def _weighted(root: Any, reference: Any, **more: Any) -> dict[str, Any]:
    return {"root_module": root, "reference_quantized_module": reference, **more}


# -- with weights ----------------------------------------------------------------------------------


def convolutions(dtypes: Dtypes, dims: tuple[int, ...] = (1, 2, 3)) -> Patterns:
    """Convolutions, with the norms and ReLUs that follow, and transposed ones."""
    return [found for n in dims for found in [*forward(n, dtypes), *_transposed(n, dtypes)]]


def forward(n: int, dtypes: Dtypes, by_norm: bool = True) -> Patterns:
    """Convolutions over *n* dimensions, with the norms and ReLUs that follow.

    *by_norm*: one with a norm and the function relu has the convolution as its root.
    """
    conv, function = getattr(nn, f"Conv{n}d"), getattr(torch, f"conv{n}d")
    reference = getattr(nnqr, f"Conv{n}d")
    norm, relu = getattr(nn, f"BatchNorm{n}d"), getattr(nni, f"ConvReLU{n}d")
    normed, both = getattr(nni, f"ConvBn{n}d"), getattr(nni, f"ConvBnReLU{n}d")
    trained = getattr(nnqat, f"Conv{n}d")
    root = _weighted(conv, reference)
    inputs = {"weight": 1, "bias": 2}
    joined = {"fused_module": both, "fuser_method": fuse_conv_bn_relu}
    return [
        pattern_of(conv, dtypes, **root, qat_module=trained),
        pattern_of(trained, dtypes, **root),
        pattern_of(function, dtypes, input_type_to_index=inputs),
        *(
            pattern_of((conv, one), dtypes, fused_module=relu, fuser_method=in_sequence(relu))
            for one in _RELUS
        ),
        pattern_of(relu, dtypes, qat_module=getattr(nniqat, f"ConvReLU{n}d")),
        pattern_of(getattr(nniqat, f"ConvReLU{n}d"), dtypes, **root),
        *(pattern_of((function, one), dtypes) for one in _RELUS),
        pattern_of((conv, norm), dtypes, fused_module=normed, fuser_method=fuse_conv_bn),
        pattern_of((conv, norm, nn.ReLU), dtypes, **joined),
        pattern_of(
            (conv, norm, F.relu), dtypes, **({"root_module": conv} if by_norm else {}), **joined
        ),
        pattern_of(normed, dtypes, qat_module=getattr(nniqat, f"ConvBn{n}d")),
        pattern_of(both, dtypes, qat_module=getattr(nniqat, f"ConvBnReLU{n}d")),
        pattern_of(getattr(nniqat, f"ConvBn{n}d"), dtypes, **root),
        pattern_of(getattr(nniqat, f"ConvBnReLU{n}d"), dtypes, **root),
    ]


def _transposed(n: int, dtypes: Dtypes) -> Patterns:
    conv, reference = getattr(nn, f"ConvTranspose{n}d"), getattr(nnqr, f"ConvTranspose{n}d")
    norm, root = getattr(nn, f"BatchNorm{n}d"), _weighted(conv, reference)
    function = getattr(torch, f"conv_transpose{n}d")
    return [
        pattern_of(conv, dtypes, **root),
        pattern_of((conv, norm), dtypes, **root, fuser_method=fuse_convtranspose_bn),
        pattern_of(function, dtypes, input_type_to_index={"weight": 1, "bias": 2}),
    ]


def bare_linear(dtypes: Dtypes) -> Patterns:
    """Linear layers alone."""
    root = _weighted(nn.Linear, nnqr.Linear)
    return [
        pattern_of(nn.Linear, dtypes, **root, qat_module=nnqat.Linear),
        pattern_of(nnqat.Linear, dtypes, **root),
        pattern_of(F.linear, dtypes, input_type_to_index={"weight": 1, "bias": 2}),
    ]


def linear(dtypes: Dtypes) -> Patterns:
    """Linear layers, with the norms and ReLUs that follow."""
    root = _weighted(nn.Linear, nnqr.Linear)
    relu, normed = nni.LinearReLU, nni.LinearBn1d
    return [
        *bare_linear(dtypes),
        *(
            pattern_of((nn.Linear, one), dtypes, fused_module=relu, fuser_method=in_sequence(relu))
            for one in _RELUS
        ),
        pattern_of(relu, dtypes, **root, qat_module=nniqat.LinearReLU),
        pattern_of(nniqat.LinearReLU, dtypes, **root),
        *(pattern_of((F.linear, one), dtypes) for one in _RELUS),
        pattern_of(
            (nn.Linear, nn.BatchNorm1d), dtypes, fused_module=normed, fuser_method=fuse_linear_bn
        ),
        pattern_of(normed, dtypes, **root, qat_module=nniqat.LinearBn1d),
        pattern_of(nniqat.LinearBn1d, dtypes, **root),
    ]


def recurrent(dtypes: Dtypes) -> Patterns:
    """Recurrent layers and their cells."""
    names = ("GRUCell", "LSTMCell", "RNNCell", "LSTM", "GRU")
    kinds = [(getattr(nn, name), getattr(nnqr, name)) for name in names]
    return [pattern_of(kind, dtypes, **_weighted(kind, other)) for kind, other in kinds]


def embeddings(dtypes: Dtypes, functions: tuple[Any, ...] = ()) -> Patterns:
    """Embeddings and bags of them; *functions* after the former."""
    made = []
    for name in ("Embedding", "EmbeddingBag"):
        kind, trained = getattr(nn, name), getattr(nnqat, name)
        root = _weighted(kind, getattr(nnqr, name))
        made.append(pattern_of(kind, dtypes, **root, qat_module=trained))
        made.append(pattern_of(trained, dtypes, **root))
        if name == "Embedding":
            made += [pattern_of(f, dtypes, input_type_to_index={"weight": 1}) for f in functions]
    return made


# -- of several tensors ----------------------------------------------------------------------------


def binary(
    dtypes: Dtypes, names: tuple[str, ...] = ("add", "mul"), matmul: bool = True
) -> Patterns:
    """Sums, products and others of two tensors, with the ReLUs that follow."""
    # With a number there is nothing else to observe than the tensor.
    by_tensors = {0: _APART, 1: _SHARED, 2: _APART}
    made = []
    for name in names:
        for function in (getattr(operator, name), getattr(torch, name)):
            for one in (*_RELUS, torch.relu, None):
                pattern = function if one is None else (function, one)
                settings = {"num_tensor_args_to_observation_type": by_tensors}
                made.append(pattern_of(pattern, dtypes, None, **settings))
    return [*made, pattern_of(torch.matmul, dtypes)] if matmul else made


def concatenation(dtypes: Dtypes) -> Patterns:
    """``torch.cat``."""
    return [pattern_of(torch.cat, dtypes, _SHARED)]


# -- of one tensor ---------------------------------------------------------------------------------

_OWN_SCALE = (
    *(nn.ELU, nn.LeakyReLU, nn.Hardswish, nn.InstanceNorm1d, nn.InstanceNorm2d),
    *(nn.InstanceNorm3d, nn.Dropout, nn.PReLU, F.elu, F.hardswish, F.leaky_relu, F.dropout),
)


def names_of(*methods: Callable[..., Any]) -> tuple[str, ...]:
    """The names of methods of tensors, by which graphs call them."""
    return tuple(method.__name__ for method in methods)


_T = torch.Tensor
_METHODS = names_of(
    *(_T.contiguous, _T.clamp, _T.detach, _T.detach_, _T.mean, _T.permute, _T.repeat),
    *(_T.repeat_interleave, _T.reshape, _T.resize_, _T.relu, _T.relu_, _T.squeeze, _T.squeeze_),
    *(_T.transpose, _T.unsqueeze, _T.unsqueeze_, _T.view),
)
SAME_SCALE = (
    *(nn.AdaptiveAvgPool1d, nn.AdaptiveAvgPool2d, nn.AdaptiveAvgPool3d, nn.AvgPool1d),
    *(nn.AvgPool2d, nn.AvgPool3d, nn.Hardtanh, nn.Identity, nn.MaxPool1d, nn.MaxPool2d),
    *(nn.MaxPool3d, nn.PixelShuffle, nn.PixelUnshuffle, nn.ReLU, nn.ReLU6),
    *(torch.adaptive_avg_pool1d, F.adaptive_avg_pool2d, F.adaptive_avg_pool3d, F.hardtanh),
    *(F.hardtanh_, F.interpolate, F.max_pool1d, F.max_pool2d, F.max_pool3d),
    *(torch.pixel_shuffle, torch.pixel_unshuffle, F.relu, F.relu6, torch.avg_pool1d),
    *(F.avg_pool2d, F.avg_pool3d, torch.clamp, torch.flatten, torch.mean),
    *(torch.narrow, torch.repeat_interleave, torch.transpose, torch.squeeze, torch.stack),
    *(torch.unsqueeze, operator.floordiv, *_METHODS),
)
#: The scale and zero point of eight bits for numbers from 0 to 1, and from -1 to 1.
FROM_0_TO_1 = DTypeWithConstraints(
    torch.quint8, 0, 255, scale_exact_match=1 / 256, zero_point_exact_match=0
)
FROM_NEG_1_TO_1 = DTypeWithConstraints(
    torch.quint8, 0, 255, scale_exact_match=2 / 256, zero_point_exact_match=128
)
#: Operators whose results have a range that is known.
FIXED_RANGES: dict[Any, DTypeWithConstraints] = {
    **dict.fromkeys(
        (
            *(nn.Hardsigmoid, F.hardsigmoid, "hardsigmoid", "hardsigmoid_", nn.Sigmoid),
            *(torch.sigmoid, "sigmoid", "sigmoid_", nn.Softmax),
        ),
        FROM_0_TO_1,
    ),
    **dict.fromkeys((nn.Tanh, torch.tanh, "tanh", "tanh_"), FROM_NEG_1_TO_1),
}


def own_scale(dtypes: Dtypes) -> Patterns:
    """Operators whose results have other scales than what comes in."""
    made = [pattern_of(kind, dtypes) for kind in _OWN_SCALE]
    for function, first in ((F.group_norm, 2), (F.instance_norm, 3)):
        inputs = {"weight": first, "bias": first + 1}
        made.append(pattern_of(function, dtypes, input_type_to_index=inputs))
    return made


def layer_norms(dtypes: Dtypes) -> Patterns:
    """Norms over the last dimensions."""
    inputs = {"weight": 2, "bias": 3}
    return [
        pattern_of(nn.LayerNorm, dtypes),
        pattern_of(F.layer_norm, dtypes, input_type_to_index=inputs),
    ]


def fixed_ranges(dtypes: Dtypes) -> Patterns:
    """Operators whose results have a range that is known."""

    def bounded(config: DTypeConfig, known: DTypeWithConstraints) -> DTypeConfig:
        made = replace_dtypes(config)
        for side in ("input_dtype_with_constraints", "output_dtype_with_constraints"):
            if getattr(config, side).dtype == known.dtype:
                setattr(made, side, replace(known))
        return made

    return [
        pattern_of(kind, [bounded(config, known) for config in dtypes])
        for kind, known in FIXED_RANGES.items()
    ]


def replace_dtypes(config: DTypeConfig) -> DTypeConfig:
    """A copy of *config*."""
    return DTypeConfig(
        config.input_dtype_with_constraints,
        config.output_dtype_with_constraints,
        config.weight_dtype_with_constraints,
        config.bias_dtype,
        config.is_dynamic,
    )


def same_scale(dtypes: Dtypes, kinds: tuple[Any, ...] = SAME_SCALE) -> Patterns:
    """Operators whose results have the scale of what comes in."""
    return [pattern_of(kind, dtypes, _SHARED) for kind in kinds]


def sizes(dtypes: Dtypes) -> Patterns:
    """What asks for shapes."""
    unseen = ObservationType.INPUT_OUTPUT_NOT_OBSERVED
    return [pattern_of(name, dtypes, unseen) for name in ("shape", "size")]


def norms(dtypes: Dtypes) -> Patterns:
    """Norms over batches, with the ReLUs that follow."""
    made = []
    for n in (2, 3):
        norm, fused = getattr(nn, f"BatchNorm{n}d"), getattr(nni, f"BNReLU{n}d")
        settings: dict[str, Callable[..., Any]] = {"fused_module": fused}
        for one in _RELUS:
            method = in_sequence(fused)
            made.append(pattern_of((norm, one), dtypes, **settings, fuser_method=method))
        made.append(pattern_of(norm, dtypes))
    return [*made, pattern_of(nni.BNReLU2d, dtypes), pattern_of(nni.BNReLU3d, dtypes)]
