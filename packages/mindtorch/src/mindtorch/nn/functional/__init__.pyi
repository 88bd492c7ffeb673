# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor.generator import Generator
from mindtorch.tensor.types import Number, _bool, _complex, _float, _int, _str
from typing import Literal, overload
from . import activations as activations
from . import bags as bags
from . import blocks as blocks
from . import by_name as by_name
from . import class_losses as class_losses
from . import distances as distances
from . import dropouts as dropouts
from . import embeddings as embeddings
from . import grids as grids
from . import interpolation as interpolation
from . import losses as losses
from . import margin_losses as margin_losses
from . import multihead as multihead
from . import normalizations as normalizations
from . import padding as padding
from . import poolings as poolings
from . import reductions as reductions
from . import sequences as sequences
from . import tuples as tuples
from . import unpoolings as unpoolings
from mindtorch.call.torch_function import handle_torch_function as handle_torch_function
from mindtorch.call.torch_function import has_torch_function as has_torch_function
from mindtorch.call.torch_function import has_torch_function_unary as has_torch_function_unary
from mindtorch.call.torch_function import has_torch_function_variadic as has_torch_function_variadic
from mindtorch.jit.internal import BroadcastingList1 as BroadcastingList1
from mindtorch.jit.internal import BroadcastingList2 as BroadcastingList2
from mindtorch.jit.internal import BroadcastingList3 as BroadcastingList3
from mindtorch.nn import grad as grad
from mindtorch.nn.functional.activations import _threshold as _threshold_
from mindtorch.nn.functional.activations import celu as celu
from mindtorch.nn.functional.activations import elu as elu
from mindtorch.nn.functional.activations import glu as glu
from mindtorch.nn.functional.activations import gumbel_softmax as gumbel_softmax
from mindtorch.nn.functional.activations import hardsigmoid as hardsigmoid
from mindtorch.nn.functional.activations import hardswish as hardswish
from mindtorch.nn.functional.activations import hardtanh as hardtanh
from mindtorch.nn.functional.activations import leaky_relu as leaky_relu
from mindtorch.nn.functional.activations import log_softmax as log_softmax
from mindtorch.nn.functional.activations import mish as mish
from mindtorch.nn.functional.activations import relu as relu
from mindtorch.nn.functional.activations import relu6 as relu6
from mindtorch.nn.functional.activations import selu as selu
from mindtorch.nn.functional.activations import sigmoid as sigmoid
from mindtorch.nn.functional.activations import silu as silu
from mindtorch.nn.functional.activations import softmax as softmax
from mindtorch.nn.functional.activations import softmin as softmin
from mindtorch.nn.functional.activations import softsign as softsign
from mindtorch.nn.functional.activations import tanh as tanh
from mindtorch.nn.functional.activations import tanhshrink as tanhshrink
from mindtorch.nn.functional.bags import embedding_bag as embedding_bag
from mindtorch.nn.functional.blocks import fold as fold
from mindtorch.nn.functional.blocks import unfold as unfold
from mindtorch.nn.functional.class_losses import multi_margin_loss as multi_margin_loss
from mindtorch.nn.functional.class_losses import multilabel_margin_loss as multilabel_margin_loss
from mindtorch.nn.functional.class_losses import multilabel_soft_margin_loss as multilabel_soft_margin_loss
from mindtorch.nn.functional.class_losses import soft_margin_loss as soft_margin_loss
from mindtorch.nn.functional.class_losses import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from mindtorch.nn.functional.distances import normalize as normalize
from mindtorch.nn.functional.dropouts import alpha_dropout as alpha_dropout
from mindtorch.nn.functional.dropouts import dropout as dropout
from mindtorch.nn.functional.dropouts import dropout1d as dropout1d
from mindtorch.nn.functional.dropouts import dropout2d as dropout2d
from mindtorch.nn.functional.dropouts import dropout3d as dropout3d
from mindtorch.nn.functional.dropouts import feature_alpha_dropout as feature_alpha_dropout
from mindtorch.nn.functional.embeddings import embedding as embedding
from mindtorch.nn.functional.grids import affine_grid as affine_grid
from mindtorch.nn.functional.grids import grid_sample as grid_sample
from mindtorch.nn.functional.interpolation import interpolate as interpolate
from mindtorch.nn.functional.interpolation import upsample as upsample
from mindtorch.nn.functional.interpolation import upsample_bilinear as upsample_bilinear
from mindtorch.nn.functional.interpolation import upsample_nearest as upsample_nearest
from mindtorch.nn.functional.losses import binary_cross_entropy as binary_cross_entropy
from mindtorch.nn.functional.losses import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from mindtorch.nn.functional.losses import cross_entropy as cross_entropy
from mindtorch.nn.functional.losses import gaussian_nll_loss as gaussian_nll_loss
from mindtorch.nn.functional.losses import huber_loss as huber_loss
from mindtorch.nn.functional.losses import kl_div as kl_div
from mindtorch.nn.functional.losses import l1_loss as l1_loss
from mindtorch.nn.functional.losses import mse_loss as mse_loss
from mindtorch.nn.functional.losses import nll_loss as nll_loss
from mindtorch.nn.functional.losses import poisson_nll_loss as poisson_nll_loss
from mindtorch.nn.functional.losses import smooth_l1_loss as smooth_l1_loss
from mindtorch.nn.functional.margin_losses import cosine_embedding_loss as cosine_embedding_loss
from mindtorch.nn.functional.margin_losses import hinge_embedding_loss as hinge_embedding_loss
from mindtorch.nn.functional.margin_losses import margin_ranking_loss as margin_ranking_loss
from mindtorch.nn.functional.margin_losses import triplet_margin_loss as triplet_margin_loss
from mindtorch.nn.functional.multihead import multi_head_attention_forward as multi_head_attention_forward
from mindtorch.nn.functional.normalizations import batch_norm as batch_norm
from mindtorch.nn.functional.normalizations import group_norm as group_norm
from mindtorch.nn.functional.normalizations import instance_norm as instance_norm
from mindtorch.nn.functional.normalizations import layer_norm as layer_norm
from mindtorch.nn.functional.normalizations import local_response_norm as local_response_norm
from mindtorch.nn.functional.normalizations import rms_norm as rms_norm
from mindtorch.nn.functional.padding import pad as pad
from mindtorch.nn.functional.poolings import adaptive_avg_pool2d as adaptive_avg_pool2d
from mindtorch.nn.functional.poolings import adaptive_avg_pool3d as adaptive_avg_pool3d
from mindtorch.nn.functional.poolings import lp_pool1d as lp_pool1d
from mindtorch.nn.functional.poolings import lp_pool2d as lp_pool2d
from mindtorch.nn.functional.poolings import lp_pool3d as lp_pool3d
from mindtorch.nn.functional.scaled import _ScalingType as _ScalingType_
from mindtorch.nn.functional.scaled import _SwizzleType as _SwizzleType_
from mindtorch.nn.functional.scaled import assert_int_or_pair as assert_int_or_pair
from mindtorch.nn.functional.scaled import grouped_mm as grouped_mm
from mindtorch.nn.functional.scaled import scaled_grouped_mm as scaled_grouped_mm
from mindtorch.nn.functional.scaled import scaled_mm as scaled_mm
from mindtorch.nn.functional.sequences import ctc_loss as ctc_loss
from mindtorch.nn.functional.sequences import linear_cross_entropy as linear_cross_entropy
from mindtorch.nn.functional.sequences import rrelu as rrelu
from mindtorch.nn.functional.unpoolings import max_unpool1d as max_unpool1d
from mindtorch.nn.functional.unpoolings import max_unpool2d as max_unpool2d
from mindtorch.nn.functional.unpoolings import max_unpool3d as max_unpool3d
from mindtorch.tensor import Tensor as Tensor
from typing import Any

GRID_SAMPLE_INTERPOLATION_MODES: Any
GRID_SAMPLE_PADDING_MODES: Any
ScalingType = _ScalingType_
SwizzleType = _SwizzleType_
def adaptive_avg_pool1d(input: Tensor, output_size: _int | Sequence[_int]) -> Tensor: ...
@overload
def adaptive_max_pool1d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def adaptive_max_pool1d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool1d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: _bool,
) -> Any: ...
def adaptive_max_pool1d_with_indices(
    input: Any, output_size: Any, return_indices: _bool = False
) -> Any: ...
@overload
def adaptive_max_pool2d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def adaptive_max_pool2d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool2d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: _bool,
) -> Any: ...
def adaptive_max_pool2d_with_indices(
    input: Any, output_size: Any, return_indices: _bool = False
) -> Any: ...
@overload
def adaptive_max_pool3d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def adaptive_max_pool3d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def adaptive_max_pool3d(
    input: Tensor,
    output_size: _int | Sequence[_int | None] | None,
    return_indices: _bool,
) -> Any: ...
def adaptive_max_pool3d_with_indices(
    input: Any, output_size: Any, return_indices: _bool = False
) -> Any: ...
def avg_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor: ...
def avg_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def avg_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def bilinear(
    input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None
) -> Tensor: ...
def celu_(input: Tensor, alpha: Number | _complex = 1.0) -> Tensor: ...
def channel_shuffle(input: Tensor, groups: _int) -> Tensor: ...
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
@overload
def conv3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _str = "valid",
    dilation: _int | Sequence[_int] = 1,
    groups: _int = 1,
) -> Tensor: ...
def conv_tbc(input: Tensor, weight: Tensor, bias: Tensor, pad: _int = 0) -> Tensor: ...
def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def conv_transpose3d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: _int | Sequence[_int] = 1,
    padding: _int | Sequence[_int] = 0,
    output_padding: _int | Sequence[_int] = 0,
    groups: _int = 1,
    dilation: _int | Sequence[_int] = 1,
) -> Tensor: ...
def cosine_similarity(x1: Tensor, x2: Tensor, dim: _int = 1, eps: _float = 1e-08) -> Tensor: ...
def elu_(
    input: Tensor,
    alpha: Number | _complex = 1,
    scale: Number | _complex = 1,
    input_scale: Number | _complex = 1,
) -> Tensor: ...
@overload
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: Literal[False] = False,
    _random_samples: Tensor | None = None,
) -> Tensor: ...
@overload
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    *,
    return_indices: Literal[True],
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    *,
    return_indices: _bool,
    _random_samples: Tensor | None = None,
) -> Any: ...
def fractional_max_pool2d_with_indices(
    input: Any,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: _bool = False,
    _random_samples: Any = None,
) -> tuple[Any, Any]: ...
@overload
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    return_indices: Literal[False] = False,
    _random_samples: Tensor | None = None,
) -> Tensor: ...
@overload
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    *,
    return_indices: Literal[True],
    _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]: ...
@overload
def fractional_max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    output_size: _int | Sequence[_int] | None = None,
    output_ratio: _float | Sequence[_float] | None = None,
    *,
    return_indices: _bool,
    _random_samples: Tensor | None = None,
) -> Any: ...
def fractional_max_pool3d_with_indices(
    input: Any,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: _bool = False,
    _random_samples: Any = None,
) -> tuple[Any, Any]: ...
def gelu(input: Tensor, *, approximate: _str = "none", out: Tensor | None = None) -> Tensor: ...
def hardshrink(
    input: Tensor, lambd: Number | _complex = 0.5, *, out: Tensor | None = None
) -> Tensor: ...
def hardtanh_(
    input: Tensor, min_val: Number | _complex = -1, max_val: Number | _complex = 1
) -> Tensor: ...
def leaky_relu_(input: Tensor, negative_slope: Number | _complex = 0.01) -> Tensor: ...
def linear(
    input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None
) -> Tensor: ...
def logsigmoid(input: Tensor, *, out: Tensor | None = None) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool1d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: _bool,
) -> Any: ...
def max_pool1d_with_indices(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Any: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool2d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: _bool,
) -> Any: ...
def max_pool2d_with_indices(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Any: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    return_indices: Literal[False] = False,
) -> Tensor: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: Literal[True],
) -> tuple[Tensor, Tensor]: ...
@overload
def max_pool3d(
    input: Tensor,
    kernel_size: _int | Sequence[_int],
    stride: _int | Sequence[_int] | None = None,
    padding: _int | Sequence[_int] = 0,
    dilation: _int | Sequence[_int] = 1,
    ceil_mode: _bool = False,
    *,
    return_indices: _bool,
) -> Any: ...
def max_pool3d_with_indices(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Any: ...
def native_channel_shuffle(input: Tensor, groups: _int) -> Tensor: ...
def one_hot(input: Tensor, num_classes: _int = -1) -> Tensor: ...
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: _float = 2.0, eps: _float = 1e-06, keepdim: _bool = False
) -> Tensor: ...
def pdist(input: Tensor, p: _float = 2.0) -> Tensor: ...
def pixel_shuffle(input: Tensor, upscale_factor: _int) -> Tensor: ...
def pixel_unshuffle(input: Tensor, downscale_factor: _int) -> Tensor: ...
def prelu(input: Tensor, weight: Tensor) -> Tensor: ...
def relu_(input: Tensor) -> Tensor: ...
def rrelu_(
    input: Tensor,
    lower: Number | _complex = 0.125,
    upper: Number | _complex = 0.3333333333333333,
    training: _bool = False,
    generator: Generator | None = None,
) -> Tensor: ...
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: _float = 0.0,
    is_causal: _bool = False,
    *,
    scale: _float | None = None,
    enable_gqa: _bool = False,
) -> Tensor: ...
def selu_(input: Tensor) -> Tensor: ...
def softplus(
    input: Tensor,
    beta: Number | _complex = 1,
    threshold: Number | _complex = 20,
    *,
    out: Tensor | None = None,
) -> Tensor: ...
def softshrink(
    input: Tensor, lambd: Number | _complex = 0.5, *, out: Tensor | None = None
) -> Tensor: ...
threshold = _threshold_
def threshold_(input: Tensor, threshold: Number | _complex, value: Number | _complex) -> Tensor: ...
