# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _str
from . import cpu as cpu
from . import cuda as cuda
from . import cudnn as cudnn
from . import cusparselt as cusparselt
from . import kleidiai as kleidiai
from . import mha as mha
from . import miopen as miopen
from . import mkl as mkl
from . import mkldnn as mkldnn
from . import mps as mps
from . import nnpack as nnpack
from . import openmp as openmp
from . import opt_einsum as opt_einsum
from . import python_native as python_native
from . import quantized as quantized
from mindtorch.backends.switching import ContextProp as ContextProp
from mindtorch.backends.switching import FP32Precision as __FP32Precision_
from mindtorch.backends.switching import PropModule as PropModule
from mindtorch.backends.switching import allow_nonbracketed_mutation as ___allow_nonbracketed_mutation_
from mindtorch.backends.switching import disable_global_flags as disable_global_flags
from mindtorch.backends.switching import flags as flags
from mindtorch.backends.switching import flags_frozen as flags_frozen
from mindtorch.backends.switching import set_flags as set_flags
from types import ModuleType

class GenericModule(ModuleType):

    @property
    def fp32_precision(self) -> str:
        ...

    @fp32_precision.setter
    def fp32_precision(self, value: str) -> None:
        ...
_FP32Precision = __FP32Precision_
__allow_nonbracketed_mutation = ___allow_nonbracketed_mutation_
fp32_precision: _str
