"""``torch._export.serde.schema``: numbers that stand for dtypes, layouts and formats in files."""

from __future__ import annotations

from typing import Any

import mindtorch_storage as st

from ...core import constants as c

__all__ = ["DTYPES", "LAYOUTS", "MEMORY_FORMATS", "OPSET_VERSION", "SCHEMA_VERSION", "number_of"]

#: Files of another major version cannot be read.
SCHEMA_VERSION = (8, 20)
#: Which meaning torch's operators have.
OPSET_VERSION = {"aten": 10}

DTYPES: dict[int, Any] = {
    1: st.uint8,
    2: st.int8,
    3: st.int16,
    4: st.int32,
    5: st.int64,
    6: st.float16,
    7: st.float32,
    8: st.float64,
    9: st.complex32,
    10: st.complex64,
    11: st.complex128,
    12: st.bool,
    13: st.bfloat16,
    28: st.uint16,
    29: st.float8_e4m3fn,
    30: st.float8_e5m2,
    31: st.float8_e4m3fnuz,
    32: st.float8_e5m2fnuz,
    33: st.float8_e8m0fnu,
    34: st.uint32,
    35: st.uint64,
}
LAYOUTS: dict[int, Any] = {
    1: c.sparse_coo,
    2: c.sparse_csr,
    3: c.sparse_csc,
    4: c.sparse_bsr,
    5: c.sparse_bsc,
    7: c.strided,
}
MEMORY_FORMATS: dict[int, Any] = {
    1: c.contiguous_format,
    2: c.channels_last,
    3: c.channels_last_3d,
    4: c.preserve_format,
}


def number_of(value: Any, table: dict[int, Any]) -> int:
    """The number of *value*. Raises KeyError where it has none."""
    for number, known in table.items():
        if known == value:
            return number
    raise KeyError(value)
