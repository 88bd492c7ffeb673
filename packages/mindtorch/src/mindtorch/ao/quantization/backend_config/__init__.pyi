# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import backend_config as backend_config
from . import executorch as executorch
from . import fbgemm as fbgemm
from . import native as native
from . import onednn as onednn
from . import qnnpack as qnnpack
from . import tensorrt as tensorrt
from . import utils as utils
from . import x86 as x86
from mindtorch.ao.quantization.backend_config.backend_config import BackendConfig as BackendConfig
from mindtorch.ao.quantization.backend_config.backend_config import BackendPatternConfig as BackendPatternConfig
from mindtorch.ao.quantization.backend_config.backend_config import DTypeConfig as DTypeConfig
from mindtorch.ao.quantization.backend_config.backend_config import DTypeWithConstraints as DTypeWithConstraints
from mindtorch.ao.quantization.backend_config.backend_config import ObservationType as ObservationType
from mindtorch.ao.quantization.backend_config.executorch import get_executorch_backend_config as get_executorch_backend_config
from mindtorch.ao.quantization.backend_config.fbgemm import get_fbgemm_backend_config as get_fbgemm_backend_config
from mindtorch.ao.quantization.backend_config.native import get_native_backend_config as get_native_backend_config
from mindtorch.ao.quantization.backend_config.native import get_native_backend_config_dict as get_native_backend_config_dict
from mindtorch.ao.quantization.backend_config.onednn import get_onednn_backend_config as get_onednn_backend_config
from mindtorch.ao.quantization.backend_config.qnnpack import get_qnnpack_backend_config as get_qnnpack_backend_config
from mindtorch.ao.quantization.backend_config.tensorrt import get_tensorrt_backend_config as get_tensorrt_backend_config
from mindtorch.ao.quantization.backend_config.tensorrt import get_tensorrt_backend_config_dict as get_tensorrt_backend_config_dict

