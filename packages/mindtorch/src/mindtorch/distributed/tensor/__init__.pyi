# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections.abc import Sequence
from mindtorch.tensor.types import _bool
from . import _api as _api
from . import _collective_utils as _collective_utils
from . import _dispatch as _dispatch
from . import _dtensor_spec as _dtensor_spec
from . import _explicit_exchanges as _explicit_exchanges
from . import _lines as _lines
from . import _modules as _modules
from . import _random as _random
from . import _redistribute as _redistribute
from . import _rules as _rules
from . import _sharding as _sharding
from . import _sharding_prop as _sharding_prop
from . import _utils as _utils
from . import debug as debug
from . import device_mesh as device_mesh
from . import experimental as experimental
from . import parallel as parallel
from . import placement_types as placement_types
from mindtorch.core.submodules import reached as __reached_
from mindtorch.distributed._mesh_layout import Axis as __Axis_
from mindtorch.distributed._mesh_layout import MeshLayout as __MeshLayout_
from mindtorch.distributed.device_mesh import DeviceMesh as DeviceMesh
from mindtorch.distributed.device_mesh import init_device_mesh as init_device_mesh
from mindtorch.distributed.tensor._api import DTensor as DTensor
from mindtorch.distributed.tensor._api import distribute_tensor as distribute_tensor
from mindtorch.distributed.tensor._api import full as full
from mindtorch.distributed.tensor._dtensor_spec import DTensorSpec as __DTensorSpec_
from mindtorch.distributed.tensor._dtensor_spec import ShardOrderEntry as __ShardOrderEntry_
from mindtorch.distributed.tensor._dtensor_spec import TensorMeta as __TensorMeta_
from mindtorch.distributed.tensor._modules import distribute_module as distribute_module
from mindtorch.distributed.tensor.placement_types import Partial as Partial
from mindtorch.distributed.tensor.placement_types import Placement as Placement
from mindtorch.distributed.tensor.placement_types import Replicate as Replicate
from mindtorch.distributed.tensor.placement_types import Shard as Shard
from mindtorch.distributed.tensor.placement_types import _StridedShard as _StridedShard
from mindtorch.distributed.tensor.placement_types import _again as _again
from mindtorch.serialization.allowed import add_safe_globals as __add_safe_globals_
from typing import Any

_Axis = __Axis_
_DTensorSpec = __DTensorSpec_
_MeshLayout = __MeshLayout_
_ShardOrderEntry = __ShardOrderEntry_
_TensorMeta = __TensorMeta_
_add_safe_globals = __add_safe_globals_
def _import_module(name: Any, package: Any = None) -> Any: ...
_reached = __reached_
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
