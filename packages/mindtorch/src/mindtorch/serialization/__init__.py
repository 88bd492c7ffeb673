"""``torch.save`` and ``torch.load``: torch's file format, both ways, safe by default.

==============  =============================================================================
module          holds
==============  =============================================================================
saving          :func:`save`: pickles the object, hands its storages to the archive
loading         :func:`load`: reads either format, with or without running what a file asks for
loader          one load from an archive: its storages, each read when first asked for
writer, reader  the zip archive: records, alignment, checksums
pickler         writes pickles whose names are torch's
unpickler       the restricted machine behind ``weights_only=True``
weighing        how much time and memory that machine gives a file
scanning        the names that a pickle asks for
allowed         the names that machine knows, and those that users add
names           which of our objects torch's names mean
location        devices in files: tags, ``map_location``
options         switches: checksums, byte order, mmap flags
safetensors     the other format, through its library
records         archives record by record, for those who lay them out themselves
private         names that torch keeps to itself
containers      sources of modules in the old format
versions        which versions of other pickle modules will do
legacy          the format before torch 1.6
errors          torch's texts
==============  =============================================================================
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from importlib import import_module
from typing import Any

from mindtorch_storage import Device as _Device

from ..tensor.types import FileLike, Storage
from .allowed import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    safe_globals,
)
from .errors import UNSAFE as UNSAFE_MESSAGE
from .errors import SourceChangeWarning
from .legacy import MAGIC as MAGIC_NUMBER
from .legacy import PROTOCOL as PROTOCOL_VERSION
from .loading import load
from .location import (
    _package_registry,
    default_restore_location,
    location_tag,
    register_package,
)
from .location import restorer as _get_restore_location
from .names import StorageType, _get_layout
from .options import (
    LoadEndianness,
    get_crc32_options,
    get_default_load_endianness,
    get_default_mmap_options,
    set_crc32_options,
    set_default_load_endianness,
    set_default_mmap_options,
    skip_data,
)
from .persistent_ids import decoded as _maybe_decode_ascii
from .saving import save
from .scanning import get_unsafe_globals_in_checkpoint
from .versions import check_module_version_greater_or_equal

#: What ``map_location`` may be, as annotations of programs name it.
MAP_LOCATION = Callable[[Storage, str], Storage] | _Device | str | dict[str, str] | None
DEFAULT_PROTOCOL = 2
LONG_SIZE = struct.Struct("=l").size
INT_SIZE = struct.Struct("=i").size
SHORT_SIZE = struct.Struct("=h").size


def _is_zipfile(f: Any) -> bool:
    """Whether an archive begins where the open file *f* stands."""
    start = f.tell()
    head = f.read(4)
    f.seek(start)
    return bool(head == b"PK\3\4")


#: torch's list, in torch's order.
__all__ = [
    "SourceChangeWarning",
    "mkdtemp",
    "register_package",
    "check_module_version_greater_or_equal",
    "validate_cuda_device",
    "validate_hpu_device",
    "location_tag",
    "default_restore_location",
    "normalize_storage_type",
    "storage_to_tensor_type",
    "save",
    "load",
    "StorageType",
    "LoadEndianness",
    "get_crc32_options",
    "set_crc32_options",
    "get_default_load_endianness",
    "set_default_load_endianness",
    "get_default_mmap_options",
    "set_default_mmap_options",
    "clear_safe_globals",
    "get_safe_globals",
    "add_safe_globals",
    "safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "skip_data",
]


def __getattr__(name: str) -> Any:
    if not name.startswith("__"):
        private = import_module(".private", __name__)
        if name in private.__all__:
            return getattr(private, name)
    raise AttributeError(f"module 'torch.serialization' has no attribute '{name}'")


#: What there is besides.
_PRIVATE = (
    "DEFAULT_PROTOCOL",
    "INT_SIZE",
    "LONG_SIZE",
    "MAGIC_NUMBER",
    "PROTOCOL_VERSION",
    "SHORT_SIZE",
    "UNSAFE_MESSAGE",
    "_get_layout",
    "_get_restore_location",
    "_is_zipfile",
    "_maybe_decode_ascii",
    "_package_registry",
)


def __dir__() -> list[str]:
    return sorted({*__all__, *_PRIVATE, *import_module(".private", __name__).__all__})
