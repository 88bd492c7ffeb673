# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import utils as utils
from mindtorch.utils.benchmark.utils.common import Measurement as Measurement
from mindtorch.utils.benchmark.utils.common import TaskSpec as TaskSpec
from mindtorch.utils.benchmark.utils.common import ordered_unique as ordered_unique
from mindtorch.utils.benchmark.utils.common import select_unit as select_unit
from mindtorch.utils.benchmark.utils.common import set_torch_threads as set_torch_threads
from mindtorch.utils.benchmark.utils.common import trim_sigfig as trim_sigfig
from mindtorch.utils.benchmark.utils.common import unit_to_english as unit_to_english
from mindtorch.utils.benchmark.utils.compare import Colorize as Colorize
from mindtorch.utils.benchmark.utils.compare import Compare as Compare
from mindtorch.utils.benchmark.utils.fuzzer import FuzzedParameter as FuzzedParameter
from mindtorch.utils.benchmark.utils.fuzzer import FuzzedTensor as FuzzedTensor
from mindtorch.utils.benchmark.utils.fuzzer import Fuzzer as Fuzzer
from mindtorch.utils.benchmark.utils.fuzzer import ParameterAlias as ParameterAlias
from mindtorch.utils.benchmark.utils.sparse_fuzzer import FuzzedSparseTensor as FuzzedSparseTensor
from mindtorch.utils.benchmark.utils.timer import Language as Language
from mindtorch.utils.benchmark.utils.timer import Timer as Timer
from mindtorch.utils.benchmark.utils.timer import timer as timer
from mindtorch.utils.benchmark.utils.valgrind_wrapper.timer_interface import CallgrindStats as CallgrindStats
from mindtorch.utils.benchmark.utils.valgrind_wrapper.timer_interface import CopyIfCallgrind as CopyIfCallgrind
from mindtorch.utils.benchmark.utils.valgrind_wrapper.timer_interface import FunctionCount as FunctionCount
from mindtorch.utils.benchmark.utils.valgrind_wrapper.timer_interface import FunctionCounts as FunctionCounts

