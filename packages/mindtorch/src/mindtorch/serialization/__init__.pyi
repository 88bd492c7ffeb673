# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.tensor.types import _bool, _int, _str
from . import allowed as allowed
from . import containers as containers
from . import errors as errors
from . import legacy as legacy
from . import loader as loader
from . import loading as loading
from . import location as location
from . import names as names
from . import opcodes as opcodes
from . import options as options
from . import persistent_ids as persistent_ids
from . import pickler as pickler
from . import reader as reader
from . import safetensors as safetensors
from . import saving as saving
from . import scanning as scanning
from . import unpickler as unpickler
from . import versions as versions
from . import weighing as weighing
from . import writer as writer
from mindtorch.serialization import weights_only_unpickler as __weights_only_unpickler_
from mindtorch.serialization.allowed import add_safe_globals as add_safe_globals
from mindtorch.serialization.allowed import clear_safe_globals as clear_safe_globals
from mindtorch.serialization.allowed import get_safe_globals as get_safe_globals
from mindtorch.serialization.allowed import safe_globals as safe_globals
from mindtorch.serialization.errors import SourceChangeWarning as SourceChangeWarning
from mindtorch.serialization.loading import load as load
from mindtorch.serialization.location import default_restore_location as default_restore_location
from mindtorch.serialization.location import location_tag as location_tag
from mindtorch.serialization.location import register_package as register_package
from mindtorch.serialization.location import restorer as __get_restore_location_
from mindtorch.serialization.names import StorageType as StorageType
from mindtorch.serialization.names import _get_layout as _get_layout
from mindtorch.serialization.options import LoadEndianness as LoadEndianness
from mindtorch.serialization.options import get_crc32_options as get_crc32_options
from mindtorch.serialization.options import get_default_load_endianness as get_default_load_endianness
from mindtorch.serialization.options import get_default_mmap_options as get_default_mmap_options
from mindtorch.serialization.options import set_crc32_options as set_crc32_options
from mindtorch.serialization.options import set_default_load_endianness as set_default_load_endianness
from mindtorch.serialization.options import set_default_mmap_options as set_default_mmap_options
from mindtorch.serialization.options import skip_data as skip_data
from mindtorch.serialization.persistent_ids import decoded as __maybe_decode_ascii_
from mindtorch.serialization.private import _backend_tag as _backend_tag
from mindtorch.serialization.private import _check_save_filelike as _check_save_filelike
from mindtorch.serialization.private import _check_seekable as _check_seekable
from mindtorch.serialization.private import _cpu_deserialize as _cpu_deserialize
from mindtorch.serialization.private import _cpu_tag as _cpu_tag
from mindtorch.serialization.private import _default_to_weights_only as _default_to_weights_only
from mindtorch.serialization.private import _deserialize as _deserialize
from mindtorch.serialization.private import _get_storage_alignment as _get_storage_alignment
from mindtorch.serialization.private import _import_dotted_name as _import_dotted_name
from mindtorch.serialization.private import _is_compressed_file as _is_compressed_file
from mindtorch.serialization.private import _is_meta_location as _is_meta_location
from mindtorch.serialization.private import _is_path as _is_path
from mindtorch.serialization.private import _is_torchscript_zip as _is_torchscript_zip
from mindtorch.serialization.private import _legacy_load as _legacy_load
from mindtorch.serialization.private import _legacy_save as _legacy_save
from mindtorch.serialization.private import _load as _load
from mindtorch.serialization.private import _meta_deserialize as _meta_deserialize
from mindtorch.serialization.private import _meta_tag as _meta_tag
from mindtorch.serialization.private import _open_buffer_reader as _open_buffer_reader
from mindtorch.serialization.private import _open_buffer_writer as _open_buffer_writer
from mindtorch.serialization.private import _open_file as _open_file
from mindtorch.serialization.private import _open_file_like as _open_file_like
from mindtorch.serialization.private import _open_zipfile_reader as _open_zipfile_reader
from mindtorch.serialization.private import _open_zipfile_writer as _open_zipfile_writer
from mindtorch.serialization.private import _open_zipfile_writer_buffer as _open_zipfile_writer_buffer
from mindtorch.serialization.private import _open_zipfile_writer_file as _open_zipfile_writer_file
from mindtorch.serialization.private import _opener as _opener
from mindtorch.serialization.private import _save as _save
from mindtorch.serialization.private import _serialization_tls as _serialization_tls
from mindtorch.serialization.private import _should_read_directly as _should_read_directly
from mindtorch.serialization.private import _validate_device as _validate_device
from mindtorch.serialization.private import mkdtemp as mkdtemp
from mindtorch.serialization.private import normalize_storage_type as normalize_storage_type
from mindtorch.serialization.private import storage_to_tensor_type as storage_to_tensor_type
from mindtorch.serialization.private import validate_cuda_device as validate_cuda_device
from mindtorch.serialization.private import validate_hpu_device as validate_hpu_device
from mindtorch.serialization.saving import save as save
from mindtorch.serialization.scanning import get_unsafe_globals_in_checkpoint as get_unsafe_globals_in_checkpoint
from mindtorch.serialization.versions import check_dill as __check_dill_version_
from mindtorch.serialization.versions import check_module_version_greater_or_equal as check_module_version_greater_or_equal
from mindtorch_storage.legacy_names import dtype_from_pickle_storage_type as __get_dtype_from_pickle_storage_type_
from typing import Any

DEFAULT_PROTOCOL: _int
INT_SIZE: _int
IS_WINDOWS: _bool
LONG_SIZE: _int
MAGIC_NUMBER: _int
MAP_LOCATION: Any
MAP_PRIVATE: _int
MAP_SHARED: _int
PROTOCOL_VERSION: _int
SHORT_SIZE: _int
STORAGE_KEY_SEPARATOR: _str
UNSAFE_MESSAGE: _str
_check_dill_version = __check_dill_version_
_get_dtype_from_pickle_storage_type = __get_dtype_from_pickle_storage_type_
_get_restore_location = __get_restore_location_
def _is_zipfile(f: Any) -> bool: ...
_maybe_decode_ascii = __maybe_decode_ascii_
_package_registry: Any
_weights_only_unpickler = __weights_only_unpickler_
closing: Any
