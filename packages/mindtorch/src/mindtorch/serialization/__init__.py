"""``torch.save`` and ``torch.load``: torch's file format, both ways, safe by default.

==============  =============================================================================
module          holds
==============  =============================================================================
saving          :func:`save`: pickles the object, hands its storages to the archive
loading         :func:`load`: reads either format, with or without running what a file asks for
writer, reader  the zip archive: records, alignment, checksums
pickler         writes pickles whose names are torch's
unpickler       the restricted machine behind ``weights_only=True``
allowed         the names that machine knows, and those that users add
names           which of our objects torch's names mean
location        devices in files: tags, ``map_location``
options         switches: checksums, byte order, mmap flags
legacy          the format before torch 1.6
errors          torch's texts
==============  =============================================================================
"""

from __future__ import annotations

from .allowed import (
    add_safe_globals,
    clear_safe_globals,
    get_safe_globals,
    get_unsafe_globals_in_checkpoint,
    safe_globals,
)
from .loading import load
from .location import default_restore_location, location_tag, register_package
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
from .saving import save

__all__ = [
    "LoadEndianness",
    "StorageType",
    "_get_layout",
    "add_safe_globals",
    "clear_safe_globals",
    "default_restore_location",
    "get_crc32_options",
    "get_default_load_endianness",
    "get_default_mmap_options",
    "get_safe_globals",
    "get_unsafe_globals_in_checkpoint",
    "load",
    "location_tag",
    "register_package",
    "safe_globals",
    "save",
    "set_crc32_options",
    "set_default_load_endianness",
    "set_default_mmap_options",
    "skip_data",
]
