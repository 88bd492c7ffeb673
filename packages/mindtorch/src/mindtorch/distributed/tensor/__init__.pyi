# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor.types import _bool
from . import _api as _api
from . import _dispatch as _dispatch
from . import _dtensor_spec as _dtensor_spec
from . import _lines as _lines
from . import _redistribute as _redistribute
from . import _rules as _rules
from . import _sharding as _sharding
from . import _utils as _utils
from . import device_mesh as device_mesh
from . import experimental as experimental
from . import parallel as parallel
from . import placement_types as placement_types
from mindtorch.distributed.device_mesh import DeviceMesh as DeviceMesh
from mindtorch.distributed.device_mesh import init_device_mesh as init_device_mesh
from mindtorch.distributed.tensor._api import DTensor as DTensor
from mindtorch.distributed.tensor._api import distribute_module as distribute_module
from mindtorch.distributed.tensor._api import distribute_tensor as distribute_tensor
from mindtorch.distributed.tensor._api import full as full
from mindtorch.distributed.tensor.placement_types import Partial as Partial
from mindtorch.distributed.tensor.placement_types import Placement as Placement
from mindtorch.distributed.tensor.placement_types import Replicate as Replicate
from mindtorch.distributed.tensor.placement_types import Shard as Shard
from typing import Any

def _import_module(name: Any, package: Any = None) -> Any: ...
def empty(
    *size: Any,
    dtype: Any = None,
    layout: Any = ...,
    requires_grad: _bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor: ...
def ones(
    *size: Any,
    dtype: Any = None,
    layout: Any = ...,
    requires_grad: _bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor: ...
def rand(
    *size: Any,
    dtype: Any = None,
    layout: Any = ...,
    requires_grad: _bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor: ...
def randn(
    *size: Any,
    dtype: Any = None,
    layout: Any = ...,
    requires_grad: _bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor: ...
def zeros(
    *size: Any,
    dtype: Any = None,
    layout: Any = ...,
    requires_grad: _bool = False,
    device_mesh: DeviceMesh | None = None,
    placements: Sequence[Placement] | None = None,
) -> DTensor: ...
