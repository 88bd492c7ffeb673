"""Texts of torch's file format, each with its source."""

from __future__ import annotations

import pickle
from typing import Any

_CORRUPT = (
    " This is an internal miniz error. If you are seeing this error, there is a high likelihood "
    "that your checkpoint file is corrupted. This can happen if the checkpoint was not saved "
    "properly, was transferred incorrectly, or the file was modified after saving."
)
UNSAFE = (
    "In PyTorch 2.6, we changed the default value of the `weights_only` argument in `torch.load` "
    "from `False` to `True`. Re-running `torch.load` with `weights_only` set to `False` will "
    "likely succeed, but it can result in arbitrary code execution. Do it only if you got the "
    "file from a trusted source."
)
_DOCS = (
    "\n\nCheck the documentation of torch.load to learn more about types accepted by default with "
    "weights_only https://pytorch.org/docs/stable/generated/torch.load.html."
)


class SourceChangeWarning(Warning):
    """The source of a module's class is not what it was when a file was saved."""


def archive(doing: str, what: str) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, PyTorchStreamReader::valid."""
    return RuntimeError(f"PytorchStreamReader failed {doing}: {what}.{_CORRUPT}")


def bomb(size: int, unpacked: int) -> RuntimeError:
    """torch unpacks anything; we take no more memory than a file accounts for."""
    return RuntimeError(
        f"the records of the archive, which has {size} bytes, unpack to {unpacked} bytes, as those "
        "of no checkpoint do; if you trust the file, store it again without compression"
    )


def record_missing(name: str) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, getRecordID."""
    return archive(f"locating file {name}", "file not found")


def not_in_subdirectory(name: str, directory: str | None = None) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, init and getAllRecords."""
    if directory is None:
        return RuntimeError(
            "[enforce fail at inline_container.cc:180] . file in archive is not in a "
            f"subdirectory: {name}"
        )
    return RuntimeError(
        "[enforce fail at inline_container.cc:340] . file in archive is not in a subdirectory "
        f"{directory}/: {name}"
    )


def version_missing() -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, init (TORCH_CHECK without a message)."""
    return RuntimeError(
        'Expected hasRecord("version") to be true, but got false.  (Could this error message be '
        "improved?  If so, please report an enhancement request to PyTorch.)"
    )


def version_unreadable(text: str) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, init."""
    # A NUL, which ends a text of C's, ends the message too.
    shown, end, _ = text.partition("\0")
    message = f"[enforce fail at inline_container.cc:215] . Couldn't parse the version {shown}"
    return RuntimeError(message if end else f"{message} as Long Long.")


def version_too_old(version: int, minimum: int) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, init."""
    return RuntimeError(
        "[enforce fail at inline_container.cc:219] . Attempted to read a PyTorch file with "
        f"version {version}, but the minimum supported version for reading is {minimum}. Your "
        "PyTorch script module file is too old. Please regenerate it with latest version of "
        "PyTorch to mitigate this issue."
    )


def version_too_new(version: int, maximum: int) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, init."""
    return RuntimeError(
        "[enforce fail at inline_container.cc:230] . Attempted to read a PyTorch file with "
        f"version {version}, but the maximum supported version for reading is {maximum}. The "
        "version of your PyTorch installation may be too old, please upgrade PyTorch to latest "
        "version to mitigate this issue."
    )


def record_size(size: int, numel: int, dtype: Any) -> RuntimeError:
    """torch csrc/jit/python/init.cpp, get_storage_from_record."""
    return RuntimeError(
        f"record size ({size} bytes) does not match expected size ({numel * dtype.itemsize} bytes "
        f"= {numel} elements * {dtype.itemsize} bytes/element) for dtype {dtype.scalar_type}"
    )


def parent_missing(directory: str) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, PyTorchStreamWriter."""
    return RuntimeError(f"Parent directory {directory} does not exist.")


def invalid_file_name(name: str) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, PyTorchStreamWriter::setup."""
    return RuntimeError(f"[enforce fail at inline_container.cc:720] . invalid file name: {name}")


def open_failed(error: OSError) -> RuntimeError:
    """torch caffe2/serialize/inline_container.cc, PyTorchStreamWriter::setup."""
    return RuntimeError(
        "[enforce fail at inline_container.cc:747] . open file failed with strerror: "
        f"{error.strerror}"
    )


def several_dtypes() -> RuntimeError:
    """torch serialization.py, _save."""
    return RuntimeError(
        "Cannot save multiple tensors or storages that view the same data as different types"
    )


def not_a_file_to_write() -> AttributeError:
    """torch serialization.py, _check_save_filelike."""
    return AttributeError(
        "expected 'f' to be string, path, or a file-like object with a 'write' attribute"
    )


def write_not_callable(f: Any) -> TypeError:
    """torch serialization.py, _open_zipfile_writer_buffer."""
    return TypeError(f"Buffer of {str(type(f)).strip('<>')} has no callable attribute 'write'")


def not_seekable(error: Exception) -> Exception:
    """torch serialization.py, _check_seekable."""
    return type(error)(
        f"{error}. You can only torch.load from a file that is seekable. Please pre-load the data "
        "into a buffer like io.BytesIO and try to load from it instead."
    )


def weights_only(message: str) -> pickle.UnpicklingError:
    """What ``load`` says when the restricted unpickler refused. torch serialization.py, load."""
    if message.startswith("Unsupported global: "):
        return pickle.UnpicklingError(
            "Weights only load failed. This file can still be loaded, to do so you have two "
            "options, \033[1mdo those steps only if you trust the source of the checkpoint"
            f"\033[0m. \n\t(1) {UNSAFE}\n\t(2) Alternatively, to load with `weights_only=True` "
            "please check the recommended steps in the following error message.\n\t"
            f"WeightsUnpickler error: {message}{_DOCS}"
        )
    if " must be imported to load " in message:
        return pickle.UnpicklingError(f"Weights only load failed. {message}\n {UNSAFE}\n")
    request = (
        ""
        if " is blocked." in message
        else "Please file an issue with the following so that we can make `weights_only=True` "
        "compatible with your use case: WeightsUnpickler error: "
    )
    return pickle.UnpicklingError(
        f"Weights only load failed. {UNSAFE}\n{request}\n\n{message}{_DOCS}"
    )


def global_not_allowed(path: str) -> pickle.UnpicklingError:
    """torch _weights_only_unpickler.py, Unpickler.load."""
    if path.startswith("builtins."):
        path = path.removeprefix("builtins.")
    return pickle.UnpicklingError(
        f"Unsupported global: GLOBAL {path} was not an allowed global by default. Please use "
        f"`torch.serialization.add_safe_globals([{path}])` or the "
        f"`torch.serialization.safe_globals([{path}])` context manager to allowlist this global "
        "if you trust this class/function."
    )


def not_here(path: str) -> NotImplementedError:
    """torch loads this; its kinds of tensors and dtypes are not all there are here."""
    return NotImplementedError(f"the checkpoint holds {path}, which mindtorch does not have")


def module_blocked(path: str, module: str) -> pickle.UnpicklingError:
    """torch _weights_only_unpickler.py, Unpickler.load."""
    return pickle.UnpicklingError(
        f"Trying to load unsupported GLOBAL {path} whose module {module} is blocked."
    )


def torchscript_weights_only() -> RuntimeError:
    """torch serialization.py, load."""
    return RuntimeError(
        "Cannot use ``weights_only=True`` with TorchScript archives passed to ``torch.load``. "
        + UNSAFE
    )


def location_unknown(storage: Any, location: str) -> RuntimeError:
    """torch serialization.py, default_restore_location."""
    return RuntimeError(
        "don't know how to restore data location of torch.storage."
        f"{type(storage).__name__} (tagged with {location})"
    )


def device_unavailable(kind: str) -> RuntimeError:
    """torch serialization.py, _validate_device."""
    return RuntimeError(
        f"Attempting to deserialize object on a {kind.upper()} device but "
        f"torch.{kind}.is_available() is False. If you are running on a CPU-only machine, please "
        "use torch.load with map_location=torch.device('cpu') to map your storages to the CPU."
    )


def device_module_missing(kind: str) -> RuntimeError:
    """torch serialization.py, _validate_device."""
    return RuntimeError(
        f"The {kind.upper()} device module is not registered. If you are running on a CPU-only "
        "machine, please use torch.load with map_location=torch.device('cpu') to map your "
        "storages to the CPU."
    )


def device_index_too_large(kind: str, index: int, count: int) -> RuntimeError:
    """torch serialization.py, _validate_device."""
    return RuntimeError(
        f"Attempting to deserialize object on {kind.upper()} device {index} but "
        f"torch.{kind}.device_count() is {count}. Please use torch.load with map_location to map "
        "your storages to an existing device."
    )


def mmap_needs_zip(name: Any) -> RuntimeError:
    """torch serialization.py, load."""
    shown = f"{name}, " if isinstance(name, str) else ""
    return RuntimeError(
        f"mmap can only be used with files saved with `torch.save({shown}"
        "_use_new_zipfile_serialization=True), please torch.save your checkpoint with this option "
        "in order to use mmap."
    )
