# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _named_member_accessor as _named_member_accessor
from . import fusion as fusion
from . import init as init
from . import memory_format as memory_format
from . import parametrizations as parametrizations
from . import parametrize as parametrize
from . import rnn as rnn
from . import stateless as stateless
from mindtorch.nn.utils.clip_grad import clip_grad_norm as clip_grad_norm
from mindtorch.nn.utils.clip_grad import clip_grad_norm_ as clip_grad_norm_
from mindtorch.nn.utils.clip_grad import clip_grad_value_ as clip_grad_value_
from mindtorch.nn.utils.clip_grad import clip_grads_with_norm_ as clip_grads_with_norm_
from mindtorch.nn.utils.clip_grad import get_total_norm as get_total_norm
from mindtorch.nn.utils.convert_parameters import parameters_to_vector as parameters_to_vector
from mindtorch.nn.utils.convert_parameters import vector_to_parameters as vector_to_parameters
from mindtorch.nn.utils.fusion import fuse_conv_bn_eval as fuse_conv_bn_eval
from mindtorch.nn.utils.fusion import fuse_conv_bn_weights as fuse_conv_bn_weights
from mindtorch.nn.utils.fusion import fuse_linear_bn_eval as fuse_linear_bn_eval
from mindtorch.nn.utils.fusion import fuse_linear_bn_weights as fuse_linear_bn_weights
from mindtorch.nn.utils.init import skip_init as skip_init
from mindtorch.nn.utils.memory_format import convert_conv2d_weight_memory_format as convert_conv2d_weight_memory_format
from mindtorch.nn.utils.memory_format import convert_conv3d_weight_memory_format as convert_conv3d_weight_memory_format
from mindtorch.nn.utils.spectral_norm import remove_spectral_norm as remove_spectral_norm
from mindtorch.nn.utils.spectral_norm import spectral_norm as spectral_norm
from mindtorch.nn.utils.weight_norm import remove_weight_norm as remove_weight_norm
from mindtorch.nn.utils.weight_norm import weight_norm as weight_norm

