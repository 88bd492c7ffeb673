# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import comm as comm
from . import distributed as distributed
from . import scatter_gather as scatter_gather
from mindtorch.nn.parallel.data_parallel import DataParallel as DataParallel
from mindtorch.nn.parallel.data_parallel import data_parallel as data_parallel
from mindtorch.nn.parallel.distributed import DistributedDataParallel as DistributedDataParallel
from mindtorch.nn.parallel.parallel_apply import parallel_apply as parallel_apply
from mindtorch.nn.parallel.replicate import replicate as replicate
from mindtorch.nn.parallel.scatter_gather import gather as gather
from mindtorch.nn.parallel.scatter_gather import scatter as scatter

def _old() -> type: ...
