# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from . import _config_module as _config_module
from . import _contextlib as _contextlib
from . import _debug_mode as _debug_mode
from . import _device as _device
from . import _dtype_abbrs as _dtype_abbrs
from . import _exposed_in as _exposed_in
from . import _foreach_utils as _foreach_utils
from . import _functools as _functools
from . import _helion as _helion
from . import _import_utils as _import_utils
from . import _inspect as _inspect
from . import _mode_utils as _mode_utils
from . import _ordered_set as _ordered_set
from . import _pallas as _pallas
from . import _python_dispatch as _python_dispatch
from . import _pytree as _pytree
from . import _stats as _stats
from . import _sympy as _sympy
from . import _thunk as _thunk
from . import _traceback as _traceback
from . import _triton as _triton
from . import _typing_utils as _typing_utils
from . import aliasing as aliasing
from . import backcompat as backcompat
from . import backend_registration as backend_registration
from . import benchmark as benchmark
from . import bundled_inputs as bundled_inputs
from . import checkpoint as checkpoint
from . import collect_env as collect_env
from . import cpp_backtrace as cpp_backtrace
from . import cpp_extension as cpp_extension
from . import data as data
from . import deterministic as deterministic
from . import dlpack as dlpack
from . import file_baton as file_baton
from . import flop_counter as flop_counter
from . import hooks as hooks
from . import mkldnn as mkldnn
from . import mobile_optimizer as mobile_optimizer
from . import model_zoo as model_zoo
from . import module_tracker as module_tracker
from . import serialization as serialization
from . import stream_sanitizer as stream_sanitizer
from . import tensorboard as tensorboard
from . import throughput_benchmark as throughput_benchmark
from . import viz as viz
from . import weak as weak
from mindtorch.utils.backend_registration import generate_methods_for_privateuse1_backend as generate_methods_for_privateuse1_backend
from mindtorch.utils.backend_registration import rename_privateuse1_backend as rename_privateuse1_backend
from mindtorch.utils.cpp_backtrace import get_cpp_backtrace as get_cpp_backtrace
from mindtorch.utils.swapping import swap_tensors as swap_tensors
from mindtorch.utils.throughput_benchmark import ThroughputBenchmark as ThroughputBenchmark
from typing import Any

cmake_prefix_path: _str
def set_module(obj: Any, mod: str) -> None: ...
