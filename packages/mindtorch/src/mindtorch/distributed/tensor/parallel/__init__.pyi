# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import api as api
from . import loss as loss
from . import style as style
from mindtorch.distributed.tensor.parallel.api import parallelize_module as parallelize_module
from mindtorch.distributed.tensor.parallel.loss import loss_parallel as loss_parallel
from mindtorch.distributed.tensor.parallel.style import ColwiseParallel as ColwiseParallel
from mindtorch.distributed.tensor.parallel.style import ParallelStyle as ParallelStyle
from mindtorch.distributed.tensor.parallel.style import PrepareModuleInput as PrepareModuleInput
from mindtorch.distributed.tensor.parallel.style import PrepareModuleInputOutput as PrepareModuleInputOutput
from mindtorch.distributed.tensor.parallel.style import PrepareModuleOutput as PrepareModuleOutput
from mindtorch.distributed.tensor.parallel.style import RowwiseParallel as RowwiseParallel
from mindtorch.distributed.tensor.parallel.style import SequenceParallel as SequenceParallel

