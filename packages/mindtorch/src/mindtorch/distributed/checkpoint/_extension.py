"""What changes the bytes of a checkpoint on their way to a file and back, as compression does."""

from __future__ import annotations

import abc
import importlib
import importlib.util
from collections.abc import Sequence
from typing import IO, Any

__all__ = ["Extension", "ExtensionRegistry", "StreamTransformExtension", "ZStandard"]


class Extension(abc.ABC):
    """Something that changes how a checkpoint is written; its files name it."""

    @staticmethod
    @abc.abstractmethod
    def registry_name() -> str:
        """The name under which a registry knows the class."""

    @staticmethod
    @abc.abstractmethod
    def from_descriptor(version: str) -> Extension:
        """The extension of that version."""

    @abc.abstractmethod
    def get_descriptor(self) -> str:
        """What the files say of it: name and version, ``name/1``."""


class StreamTransformExtension(Extension):
    """An extension that changes a stream of bytes."""

    @abc.abstractmethod
    def transform_to(self, output: IO[bytes]) -> IO[bytes]:
        """A stream whose bytes are changed and written to *output*."""

    @abc.abstractmethod
    def transform_from(self, input: IO[bytes]) -> IO[bytes]:
        """A stream of the bytes that *input* has, changed back."""


class ZStandard(StreamTransformExtension):
    """Compression by Zstandard; needs the module ``zstandard``."""

    def __init__(self) -> None:
        super().__init__()
        if not ZStandard.is_available():
            raise ValueError(
                "ZStandard extension is unavailable because no module named 'zstandard' or 'pyzstd'"
            )

    @staticmethod
    def is_available() -> bool:
        """Whether the module is there."""
        return importlib.util.find_spec("zstandard") is not None

    @staticmethod
    def from_descriptor(version: str) -> ZStandard:
        """Compression of that version. Raises ValueError for an unknown one."""
        if version.partition(".")[0] != "1":
            raise ValueError(f"Unknown extension {version=}")
        if not ZStandard.is_available():
            raise ValueError(
                "Stream with ZStandard compression cannot be processed because no module named "
                "'zstandard' or 'pyzstd'"
            )
        return ZStandard()

    @staticmethod
    def registry_name() -> str:
        """``stream.zstd``."""
        return "stream.zstd"

    def get_descriptor(self) -> str:
        """``stream.zstd/1``."""
        return f"{self.registry_name()}/1"

    def transform_to(self, output: IO[bytes]) -> IO[bytes]:
        """A stream that compresses."""
        module: Any = importlib.import_module("zstandard")
        return module.ZstdCompressor().stream_writer(output)

    def transform_from(self, input: IO[bytes]) -> IO[bytes]:
        """A stream that decompresses."""
        module: Any = importlib.import_module("zstandard")
        return module.ZstdDecompressor().stream_reader(input)


class ExtensionRegistry:
    """Classes of extensions by the names that files have for them."""

    def __init__(self) -> None:
        self.extensions: dict[str, type[Extension]] = {ZStandard.registry_name(): ZStandard}

    def register(self, cls: type[Extension]) -> None:
        """Let files name *cls*."""
        self.extensions[cls.registry_name()] = cls

    def from_descriptor_list(self, descriptors: Sequence[str]) -> Sequence[Extension]:
        """The extensions that a file names. Raises ValueError for an unknown one."""
        return [self._named(descriptor) for descriptor in descriptors]

    def _named(self, descriptor: str) -> Extension:
        name, _, version = descriptor.partition("/")
        found = self.extensions.get(name)
        if found is None:
            raise ValueError(f"Unknown extension {name=}")
        return found.from_descriptor(version)


class _Held:
    """A stream that stays open when what writes to it is closed."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Write what waits, and stay open."""
        self._stream.flush()


def written_through(
    extensions: Sequence[StreamTransformExtension], stream: IO[bytes]
) -> tuple[IO[bytes], list[str]]:
    """A stream to *stream* through *extensions*, and what the file says of them."""
    through: Any = _Held(stream)
    for extension in extensions:
        through = extension.transform_to(through)
    return through, [extension.get_descriptor() for extension in reversed(extensions)]


def read_through(extensions: Sequence[Extension], stream: IO[bytes]) -> IO[bytes]:
    """The stream that was written to *stream* through *extensions*."""
    for extension in extensions:
        if isinstance(extension, StreamTransformExtension):
            stream = extension.transform_from(stream)
    return stream
