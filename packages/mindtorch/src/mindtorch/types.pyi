# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from mindtorch.aten.symbolic_numbers import SymBool as SymBool
from mindtorch.aten.symbolic_numbers import SymFloat as SymFloat
from mindtorch.aten.symbolic_numbers import SymInt as SymInt
from mindtorch.core.constants import layout as __layout_
from mindtorch.core.size import Size as Size
from mindtorch.tensor import Tensor as Tensor
from mindtorch.tensor.types import BoolLikeType as BoolLikeType
from mindtorch.tensor.types import Device as Device
from mindtorch.tensor.types import FileLike as FileLike
from mindtorch.tensor.types import FloatLikeType as FloatLikeType
from mindtorch.tensor.types import IntLikeType as IntLikeType
from mindtorch.tensor.types import Number as Number
from mindtorch.tensor.types import _TensorOrOptionalTensors as _TensorOrOptionalTensors
from mindtorch.tensor.types import _TensorOrTensors as _TensorOrTensors
from mindtorch.tensor.types import _bool as _bool
from mindtorch.tensor.types import _complex as _complex
from mindtorch.tensor.types import _float as _float
from mindtorch.tensor.types import _int as _int
from mindtorch.tensor.types import _size as _size
from mindtorch_storage.device import Device as __device_
from mindtorch_storage.dtype import DType as __dtype_
from mindtorch_storage.untyped import UntypedStorage as _Storage_

Storage = _Storage_
_Number: Any
_device = __device_
_dtype = __dtype_
_layout = __layout_
