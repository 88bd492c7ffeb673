"""``torch.nn.functional``: layers as functions.

Ops that need nothing added are found by name in :data:`_OPS` when first used; the functions here
are those that check, choose or combine before an op runs.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...aten.register import FUNCTIONS as _FUNCTIONS
from ...aten.register import NN_FUNCTIONS as _NN_FUNCTIONS
from ...call.intercept import PYTHON, overridable
from ...call.torch_function import (
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
)
from ...tensor import Tensor
from .activations import (
    _get_softmax_dim,
    celu,
    elu,
    glu,
    gumbel_softmax,
    hardsigmoid,
    hardswish,
    hardtanh,
    leaky_relu,
    log_softmax,
    mish,
    relu,
    relu6,
    selu,
    sigmoid,
    silu,
    softmax,
    softmin,
    softsign,
    tanh,
    tanhshrink,
    threshold,
)
from .bags import embedding_bag
from .blocks import fold, unfold
from .class_losses import (
    multi_margin_loss,
    multilabel_margin_loss,
    multilabel_soft_margin_loss,
    soft_margin_loss,
    triplet_margin_with_distance_loss,
)
from .distances import normalize
from .dropouts import (
    alpha_dropout,
    dropout,
    dropout1d,
    dropout2d,
    dropout3d,
    feature_alpha_dropout,
)
from .embeddings import embedding
from .grids import affine_grid, grid_sample
from .interpolation import interpolate, upsample, upsample_bilinear, upsample_nearest
from .losses import (
    binary_cross_entropy,
    binary_cross_entropy_with_logits,
    cross_entropy,
    gaussian_nll_loss,
    huber_loss,
    kl_div,
    l1_loss,
    mse_loss,
    nll_loss,
    poisson_nll_loss,
    smooth_l1_loss,
)
from .margin_losses import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    triplet_margin_loss,
)
from .multihead import (
    _canonical_mask,
    _check_key_padding_mask,
    _in_projection,
    _in_projection_packed,
    _mha_shape_check,
    _none_or_dtype,
    multi_head_attention_forward,
)
from .normalizations import (
    _verify_batch_size,
    _verify_spatial_size,
    batch_norm,
    group_norm,
    instance_norm,
    layer_norm,
    local_response_norm,
    rms_norm,
)
from .padding import pad
from .poolings import (
    adaptive_avg_pool2d,
    adaptive_avg_pool3d,
    adaptive_max_pool1d,
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d,
    adaptive_max_pool3d_with_indices,
    lp_pool1d,
    lp_pool2d,
    lp_pool3d,
    max_pool1d,
    max_pool1d_with_indices,
    max_pool2d,
    max_pool2d_with_indices,
    max_pool3d,
    max_pool3d_with_indices,
)
from .sequences import ctc_loss, linear_cross_entropy, rrelu
from .tuples import _list_with_default, _pair, _single, _triple
from .unpoolings import (
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    max_unpool1d,
    max_unpool2d,
    max_unpool3d,
)

__all__ = [
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices",
    "adaptive_max_pool2d",
    "adaptive_max_pool2d_with_indices",
    "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices",
    "alpha_dropout",
    "batch_norm",
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "celu",
    "cosine_embedding_loss",
    "cross_entropy",
    "dropout",
    "dropout1d",
    "dropout2d",
    "dropout3d",
    "elu",
    "embedding",
    "feature_alpha_dropout",
    "fold",
    "gaussian_nll_loss",
    "glu",
    "group_norm",
    "gumbel_softmax",
    "hardsigmoid",
    "hardswish",
    "hardtanh",
    "hinge_embedding_loss",
    "huber_loss",
    "instance_norm",
    "interpolate",
    "kl_div",
    "l1_loss",
    "layer_norm",
    "leaky_relu",
    "local_response_norm",
    "log_softmax",
    "lp_pool1d",
    "lp_pool2d",
    "lp_pool3d",
    "margin_ranking_loss",
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
    "mish",
    "mse_loss",
    "multi_head_attention_forward",
    "multi_margin_loss",
    "multilabel_margin_loss",
    "multilabel_soft_margin_loss",
    "nll_loss",
    "normalize",
    "pad",
    "poisson_nll_loss",
    "relu",
    "relu6",
    "rms_norm",
    "selu",
    "sigmoid",
    "silu",
    "smooth_l1_loss",
    "soft_margin_loss",
    "softmax",
    "softmin",
    "softsign",
    "tanh",
    "tanhshrink",
    "threshold",
    "triplet_margin_loss",
    "triplet_margin_with_distance_loss",
    "unfold",
    "upsample",
    "upsample_bilinear",
    "upsample_nearest",
    "affine_grid",
    "ctc_loss",
    "embedding_bag",
    "fractional_max_pool2d",
    "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d",
    "fractional_max_pool3d_with_indices",
    "grid_sample",
    "linear_cross_entropy",
    "max_unpool1d",
    "max_unpool2d",
    "max_unpool3d",
    "rrelu",
]

# Pickles name functions by where torch has them, not by our split into files.
for _name in sorted(__all__, reverse=True):  # what is called with indices before what is without
    globals()[_name].__module__ = __name__
    if _name not in ("sigmoid", "tanh"):  # these ask nobody in torch
        _with_indices = globals().get(f"{_name}_with_indices")
        _instead = None if _with_indices is None else ("return_indices", _with_indices)
        globals()[_name] = overridable(globals()[_name], PYTHON, _instead)
del _name, _with_indices, _instead
_threshold = threshold  # the name that torch defines it by

#: Names of this module that are ops themselves, and the op where it is called otherwise.
_OPS = {
    name: name
    for name in (
        "adaptive_avg_pool1d",
        "avg_pool1d",
        "avg_pool2d",
        "avg_pool3d",
        "bilinear",
        "celu_",
        "channel_shuffle",
        "native_channel_shuffle",
        "conv_tbc",
        "conv1d",
        "conv2d",
        "conv3d",
        "conv_transpose1d",
        "conv_transpose2d",
        "conv_transpose3d",
        "cosine_similarity",
        "pairwise_distance",
        "pixel_shuffle",
        "pixel_unshuffle",
        "elu_",
        "gelu",
        "hardshrink",
        "hardtanh_",
        "leaky_relu_",
        "linear",
        "one_hot",
        "prelu",
        "pdist",
        "relu_",
        "rrelu_",
        "scaled_dot_product_attention",
        "selu_",
        "softplus",
        "softshrink",
        "threshold_",
    )
}
_OPS["logsigmoid"] = "log_sigmoid"
#: Names that few programs ask for, defined in ``scaled``.
_SCALED = (
    "BroadcastingList1 BroadcastingList2 BroadcastingList3 GRID_SAMPLE_INTERPOLATION_MODES "
    "GRID_SAMPLE_PADDING_MODES ScalingType SwizzleType assert_int_or_pair grouped_mm "
    "scaled_grouped_mm scaled_mm"
).split()
#: Modules that torch's module imports under these names.
_MODULES = {"_Reduction": ".._reduction", "grad": "..grad"}
#: What torch's module imports from elsewhere, and gives away with its own.
_NEIGHBOURS = (
    "Tensor grad handle_torch_function has_torch_function has_torch_function_unary "
    "has_torch_function_variadic"
).split()
__all__ += [*_OPS, *_SCALED, *_NEIGHBOURS]  # a star import asks for each


def __getattr__(name: str) -> Any:
    op = _OPS.get(name)
    if op is not None:
        found = _NN_FUNCTIONS.get(op) or _FUNCTIONS.get(op)
        if found is not None:
            globals()[name] = found
            return found
    if name in _SCALED:
        found = globals()[name] = getattr(import_module(".scaled", __name__), name)
        return found
    if name in _MODULES:
        found = globals()[name] = import_module(_MODULES[name], __name__)
        return found
    raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
