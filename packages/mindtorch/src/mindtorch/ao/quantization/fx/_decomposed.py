"""``torch.ao.quantization.fx._decomposed``: quantization of tensors in plain dtypes, as operators.

Importing the module defines the library ``torch.ops.quantized_decomposed``.
"""

from .decomposed_library import (
    _DTYPE_TO_QVALUE_BOUNDS as _DTYPE_TO_QVALUE_BOUNDS,
)
from .decomposed_library import _FLOAT_DTYPES as _FLOAT_DTYPES
from .decomposed_library import _INTEGER_DTYPES as _INTEGER_DTYPES
from .decomposed_library import _quant_min_max_bounds_check as _quant_min_max_bounds_check
from .decomposed_library import quantized_decomposed_lib as quantized_decomposed_lib
from .decomposed_parts import FakeQuantPerChannel as FakeQuantPerChannel
from .decomposed_parts import (
    _choose_qparams_per_token_asymmetric_impl as _choose_qparams_per_token_asymmetric_impl,
)
from .decomposed_parts import _per_token_quant_qparam_dim_check as _per_token_quant_qparam_dim_check
from .decomposed_parts import _permute_to_axis_zero as _permute_to_axis_zero
from .decomposed_parts import _unsqueeze_multiple as _unsqueeze_multiple
from .decomposed_parts import choose_qparams_per_token as choose_qparams_per_token
from .decomposed_parts import (
    choose_qparams_per_token_asymmetric as choose_qparams_per_token_asymmetric,
)
from .decomposed_parts import (
    choose_qparams_per_token_asymmetric_meta as choose_qparams_per_token_asymmetric_meta,
)
from .decomposed_parts import choose_qparams_per_token_meta as choose_qparams_per_token_meta
from .decomposed_parts import convert_element_type as convert_element_type
from .decomposed_parts import convert_element_type_meta as convert_element_type_meta
from .decomposed_parts import dequantize_per_channel as dequantize_per_channel
from .decomposed_parts import dequantize_per_channel_group as dequantize_per_channel_group
from .decomposed_parts import dequantize_per_channel_meta as dequantize_per_channel_meta
from .decomposed_parts import dequantize_per_token as dequantize_per_token
from .decomposed_parts import dequantize_per_token_meta as dequantize_per_token_meta
from .decomposed_parts import fake_quant_per_channel as fake_quant_per_channel
from .decomposed_parts import fake_quant_per_channel_meta as fake_quant_per_channel_meta
from .decomposed_parts import quantize_per_channel as quantize_per_channel
from .decomposed_parts import quantize_per_channel_group as quantize_per_channel_group
from .decomposed_parts import quantize_per_channel_group_meta as quantize_per_channel_group_meta
from .decomposed_parts import quantize_per_channel_meta as quantize_per_channel_meta
from .decomposed_parts import quantize_per_token as quantize_per_token
from .decomposed_parts import quantize_per_token_meta as quantize_per_token_meta
from .decomposed_per_tensor import (
    choose_qparams_symmetric_tensor as choose_qparams_symmetric_tensor,
)
from .decomposed_per_tensor import (
    choose_qparams_symmetric_tensor_meta as choose_qparams_symmetric_tensor_meta,
)
from .decomposed_per_tensor import choose_qparams_tensor as choose_qparams_tensor
from .decomposed_per_tensor import choose_qparams_tensor_meta as choose_qparams_tensor_meta
from .decomposed_per_tensor import dequantize_per_tensor as dequantize_per_tensor
from .decomposed_per_tensor import dequantize_per_tensor_meta as dequantize_per_tensor_meta
from .decomposed_per_tensor import dequantize_per_tensor_tensor as dequantize_per_tensor_tensor
from .decomposed_per_tensor import dequantize_per_tensor_tensor2 as dequantize_per_tensor_tensor2
from .decomposed_per_tensor import (
    dequantize_per_tensor_tensor2_meta as dequantize_per_tensor_tensor2_meta,
)
from .decomposed_per_tensor import (
    dequantize_per_tensor_tensor_meta as dequantize_per_tensor_tensor_meta,
)
from .decomposed_per_tensor import quantize_per_tensor as quantize_per_tensor
from .decomposed_per_tensor import quantize_per_tensor_meta as quantize_per_tensor_meta
from .decomposed_per_tensor import quantize_per_tensor_tensor as quantize_per_tensor_tensor
from .decomposed_per_tensor import quantize_per_tensor_tensor2 as quantize_per_tensor_tensor2
from .decomposed_per_tensor import (
    quantize_per_tensor_tensor2_meta as quantize_per_tensor_tensor2_meta,
)
from .decomposed_per_tensor import (
    quantize_per_tensor_tensor_meta as quantize_per_tensor_tensor_meta,
)
