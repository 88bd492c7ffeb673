"""``torch.export.pt2_archive._package``: archives of exported programs, ``.pt2``."""

from __future__ import annotations

import io
import json
import os
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, is_zipfile

import mindtorch_storage as st

from ..._export.serde.deserialize import deserialize, tensor_in
from ..._export.serde.serialize import serialize, tensor_meta
from ...aten import torch
from ...nn import Parameter
from ...serialization import load, save
from ...serialization.records import PyTorchFileReader, PyTorchFileWriter
from ...tensor import Tensor
from ..exported_program import ExportedProgram
from . import constants as c

__all__ = ["PT2ArchiveReader", "PT2ArchiveWriter", "is_pt2_package", "load_program", "save_program"]

#: What the one program of an archive is called in it.
_MODEL = "model"


def is_pt2_package(serialized_model: bytes | str) -> bool:
    """Whether a file, or its bytes, are such an archive."""
    file: Any = serialized_model
    try:
        reader = PyTorchFileReader(io.BytesIO(file) if isinstance(file, bytes) else file)
        return reader.get_record(c.ARCHIVE_FORMAT_PATH) == c.ARCHIVE_FORMAT_VALUE.encode()
    except (RuntimeError, OSError, KeyError):
        return False


class PT2ArchiveWriter:
    """Writes an archive, record by record; at the end of a ``with`` block it is complete."""

    def __init__(self, archive_path_or_buffer: Any) -> None:
        target = archive_path_or_buffer
        self.archive_file = PyTorchFileWriter(_file(target))
        self.archive_file.set_min_version(_VERSION)
        self.write_string(c.ARCHIVE_FORMAT_PATH, c.ARCHIVE_FORMAT_VALUE)
        self.write_string(c.ARCHIVE_VERSION_PATH, c.ARCHIVE_VERSION_VALUE)

    def __enter__(self) -> PT2ArchiveWriter:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def has_record(self, name: str) -> bool:
        """Whether there is a record of this name."""
        return name in self.archive_file.get_all_written_records()

    def count_prefix(self, prefix: str) -> int:
        """How many records have names that begin so."""
        return sum(n.startswith(prefix) for n in self.archive_file.get_all_written_records())

    def write_bytes(self, name: str, data: bytes) -> None:
        """Write a record."""
        if not isinstance(data, bytes):
            raise AssertionError(f"Expected bytes but got {type(data)}")
        self.archive_file.write_record(name, data, len(data))

    def write_string(self, name: str, data: str) -> None:
        """Write a record of text."""
        if not isinstance(data, str):
            raise AssertionError(f"Expected string but got {type(data)}")
        self.write_bytes(name, data.encode())

    def write_file(self, name: str, file_path: str) -> None:
        """Write a record with what a file holds."""
        with open(file_path, "rb") as file:
            self.write_bytes(name, file.read())

    def write_folder(self, archive_dir: str, folder_dir: str) -> None:
        """Write a record for each file below a folder, under its path there."""
        if not os.path.isdir(folder_dir):
            raise AssertionError(f"{folder_dir} is not a valid directory path")
        for path in sorted(Path(folder_dir).rglob("*")):
            if path.is_file():
                name = path.relative_to(folder_dir).as_posix()
                self.write_file(f"{archive_dir.rstrip('/')}/{name}", str(path))

    def close(self) -> None:
        """Write the end."""
        self.archive_file.write_end_of_file()


class PT2ArchiveReader:
    """Reads an archive, record by record."""

    def __init__(self, archive_path_or_buffer: Any) -> None:
        self.archive_file = PyTorchFileReader(_file(archive_path_or_buffer))
        if self.read_string(c.ARCHIVE_FORMAT_PATH) != c.ARCHIVE_FORMAT_VALUE:
            raise AssertionError("Invalid archive format")

    def __enter__(self) -> PT2ArchiveReader:
        return self

    def __exit__(self, *exc_info: object) -> None:
        pass

    def read_bytes(self, name: str) -> bytes:
        """A record."""
        return self.archive_file.get_record(name)

    def read_string(self, name: str) -> str:
        """A record of text."""
        return self.read_bytes(name).decode()

    def archive_version(self) -> int:
        """The version of the archive's layout; 0 where it says none."""
        try:
            return int(self.read_string(c.ARCHIVE_VERSION_PATH))
        except RuntimeError:
            return 0

    def get_file_names(self) -> list[str]:
        """The names of all records."""
        return self.archive_file.get_all_records()


#: The version of archives.
_VERSION = 6


def _file(target: Any) -> Any:
    return fspath(target) if isinstance(target, (str, PathLike)) else target


# Programs -----------------------------------------------------------------------------------------


def save_program(
    program: ExportedProgram, f: Any, extra_files: dict[str, Any], protocol: int
) -> None:
    """Write *program*, its tensors and *extra_files*.

    Raises NotImplementedError for one that files cannot hold; nothing is written then.
    """
    written = json.dumps(serialize(program)).encode()
    with PT2ArchiveWriter(f) as archive:
        for tensors, prefix, folder, config in (
            (program.state_dict, c.WEIGHT_FILENAME_PREFIX, c.WEIGHTS_DIR, _WEIGHTS),
            (program.constants, c.TENSOR_CONSTANT_FILENAME_PREFIX, c.CONSTANTS_DIR, _CONSTANTS),
        ):
            facts = _write_tensors(archive, tensors, folder, prefix)
            archive.write_string(config, json.dumps({"config": facts}))
        archive.write_bytes(c.MODELS_FILENAME_FORMAT.format(_MODEL), written)
        samples = io.BytesIO()
        save(program.example_inputs, samples, pickle_protocol=protocol)
        archive.write_bytes(c.SAMPLE_INPUTS_FILENAME_FORMAT.format(_MODEL), samples.getvalue())
        for name, data in extra_files.items():
            write = archive.write_bytes if isinstance(data, bytes) else archive.write_string
            write(c.EXTRA_DIR + name, data)


_WEIGHTS = c.WEIGHTS_CONFIG_FILENAME_FORMAT.format(_MODEL)
_CONSTANTS = c.CONSTANTS_CONFIG_FILENAME_FORMAT.format(_MODEL)


def _write_tensors(
    archive: PT2ArchiveWriter, tensors: dict[str, Tensor], folder: str, prefix: str
) -> dict[str, Any]:
    """Write the memory of tensors, once where several share it; what is said of each."""
    written: dict[int, str] = {}
    facts = {}
    for name, tensor in tensors.items():
        memory = tensor.untyped_storage()
        record = written.get(memory._cdata)
        if record is None:
            record = written[memory._cdata] = f"{prefix}{len(written)}"
            archive.archive_file.write_record(folder + record, memory.cpu(), memory.nbytes())
        facts[name] = {
            "path_name": record,
            "is_param": isinstance(tensor, Parameter),
            "use_pickle": False,
            "tensor_meta": tensor_meta(tensor),
        }
    return facts


def load_program(f: Any, extra_files: dict[str, Any]) -> ExportedProgram:
    """Read a program; *extra_files* gets the texts of those that it names.

    Raises FileNotFoundError, zipfile.BadZipFile for what is no archive, RuntimeError for one that
    holds no program.
    """
    if isinstance(f, (str, PathLike)):
        with open(f, "rb") as file:
            return load_program(file, extra_files)
    if not is_zipfile(f):
        raise BadZipFile("File is not a zip file")
    f.seek(0)
    try:
        archive = PT2ArchiveReader(f)
    except (RuntimeError, AssertionError) as error:
        raise RuntimeError(
            "We ran into an error when deserializing the saved file. Please check the warnings "
            "above for possible errors. "
        ) from error
    names = archive.get_file_names()
    weights = _read_tensors(archive, names, c.WEIGHTS_DIR, _WEIGHTS)
    constants = _read_tensors(archive, names, c.CONSTANTS_DIR, _CONSTANTS)
    samples = c.SAMPLE_INPUTS_FILENAME_FORMAT.format(_MODEL)
    examples = load(io.BytesIO(archive.read_bytes(samples))) if samples in names else None
    for name in extra_files:
        if c.EXTRA_DIR + name in names:
            extra_files[name] = archive.read_string(c.EXTRA_DIR + name)
    written = json.loads(archive.read_string(c.MODELS_FILENAME_FORMAT.format(_MODEL)))
    return deserialize(written, weights, constants, examples)


def _read_tensors(
    archive: PT2ArchiveReader, names: list[str], folder: str, config: str
) -> dict[str, Any]:
    if config not in names:
        return {}
    found: dict[str, Any] = {}
    memory: dict[str, Any] = {}
    for name, facts in json.loads(archive.read_string(config))["config"].items():
        record = facts["path_name"]
        if facts["use_pickle"]:
            tensor = load(io.BytesIO(archive.read_bytes(folder + record)))
        else:
            if record not in memory:
                memory[record] = _memory(archive.read_bytes(folder + record))
            tensor = tensor_in(facts["tensor_meta"], memory[record])
        wants = facts["tensor_meta"] is not None and facts["tensor_meta"]["requires_grad"]
        found[name] = Parameter(tensor, wants) if facts["is_param"] else tensor
    return found


def _memory(data: bytes) -> Any:
    """Memory that holds *data*, and may be written."""
    if not data:
        return st.UntypedStorage(0)
    return torch.frombuffer(bytearray(data), dtype=torch.uint8).untyped_storage()
