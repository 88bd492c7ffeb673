# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import api as api
from . import functional as functional
from mindtorch.distributed import distributed_c10d as _dist_
from mindtorch.distributed._c10d.reductions import ReduceOp as ReduceOp
from mindtorch.distributed._c10d.world import group as group
from mindtorch.distributed._functional_collectives import RANK_TYPES as _Any_
from mindtorch.distributed.nn.api.remote_module import RemoteModule as RemoteModule
from mindtorch.distributed.nn.functional import all_gather as all_gather
from mindtorch.distributed.nn.functional import all_reduce as all_reduce
from mindtorch.distributed.nn.functional import all_to_all as all_to_all
from mindtorch.distributed.nn.functional import all_to_all_single as all_to_all_single
from mindtorch.distributed.nn.functional import broadcast as broadcast
from mindtorch.distributed.nn.functional import gather as gather
from mindtorch.distributed.nn.functional import reduce as reduce
from mindtorch.distributed.nn.functional import reduce_scatter as reduce_scatter
from mindtorch.distributed.nn.functional import scatter as scatter
from mindtorch.tensor import Tensor as Tensor
from mindtorch_autograd.function import Function as Function

Any = _Any_
annotations: Any
dist = _dist_
