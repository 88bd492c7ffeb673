"""Files of the safetensors format, through the format's own library."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st
import numpy as np

from ..aten.from_data import from_numpy

#: The format's names of dtypes.
_DTYPES = {
    "F64": "float64",
    "F32": "float32",
    "F16": "float16",
    "BF16": "bfloat16",
    "I64": "int64",
    "I32": "int32",
    "I16": "int16",
    "I8": "int8",
    "U64": "uint64",
    "U32": "uint32",
    "U16": "uint16",
    "U8": "uint8",
    "BOOL": "bool",
    "C64": "complex64",
}


def load_safetensors(path: str, map_location: Any) -> dict[str, Any]:
    """The tensors in a file, by name, on the host or on the device that *map_location* is.

    Raises RuntimeError for another kind of *map_location*, or without the library; what the
    library says of a damaged file passes through.
    """
    if isinstance(map_location, dict) or callable(map_location):
        kind = "dict" if isinstance(map_location, dict) else "callable"
        raise RuntimeError(
            f"Loading safetensors file with {kind} map_location is not supported. Use a device "
            "string or torch.device instead."
        )
    try:
        from safetensors import deserialize, safe_open  # which need not be installed
    except ImportError as error:
        raise RuntimeError(
            "Attempting to load a safetensors file but safetensors is not installed. Please "
            "install safetensors with: pip install safetensors"
        ) from error
    with safe_open(path, framework="np") as opened:
        names = opened.offset_keys()  # in the order of the file
    with open(path, "rb") as file:
        found = dict(deserialize(file.read()))
    device = None if map_location is None else st.Device(map_location)
    return {name: _tensor(found[name])._to_(device) for name in names}


def _tensor(facts: dict[str, Any]) -> Any:
    name = _DTYPES.get(facts["dtype"])
    if name is None:
        raise NotImplementedError(
            f"the file holds a tensor of dtype {facts['dtype']}, which mindtorch does not have"
        )
    dtype = getattr(st, name).np
    raw = facts["data"]
    data = np.frombuffer(raw if isinstance(raw, bytearray) else bytearray(raw), dtype)
    return from_numpy(data.reshape(facts["shape"]))
