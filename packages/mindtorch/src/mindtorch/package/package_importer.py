"""``torch.package.package_importer``: modules, objects and files out of an archive."""

from __future__ import annotations

import builtins
import importlib
import io
import linecache
import os
import pickle
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import mindtorch_storage as st

from ..core.source_code import run_source
from ..serialization.location import restorer
from ..serialization.names import is_torchs, unpickler_class
from ..serialization.persistent_ids import storage_identity
from ..serialization.records import PyTorchFileReader
from ._directory_reader import DirectoryReader
from ._mangling import PackageMangler, demangle
from .file_structure_representation import Directory, _create_directory_from_file_list
from .glob_group import GlobPattern
from .importer import Importer

__all__ = ["PackageImporter"]


class PackageImporter(Importer):
    """Imports modules from an archive, apart from those of the process.

    What the archive takes from the process that loads, as torch and the standard library, is
    imported as usual.

    :param file_or_buffer: a path, a seekable file, or a ``PyTorchFileReader``.
    :param module_allowed: called with the names of modules of the process that are needed.

    Raises ImportError if *module_allowed* gives False.
    """

    def __init__(
        self, file_or_buffer: Any, module_allowed: Callable[[str], bool] = lambda name: True
    ) -> None:
        self.zip_reader: Any
        if isinstance(file_or_buffer, PyTorchFileReader):
            self.filename, self.zip_reader = "<pytorch_file_reader>", file_or_buffer
        elif isinstance(file_or_buffer, (str, os.PathLike)):
            self.filename = os.fspath(file_or_buffer)
            if not os.path.isdir(self.filename):
                self.zip_reader = PyTorchFileReader(self.filename)
            else:
                self.zip_reader = DirectoryReader(self.filename)
        else:
            self.filename = "<binary>"
            self.zip_reader = PyTorchFileReader(file_or_buffer)
        self._mangler = PackageMangler()
        self.modules: dict[str, ModuleType] = {}
        self._records = list(self.zip_reader.get_all_records())
        known = self.zip_reader.get_record(".data/extern_modules").decode().splitlines()
        self.extern_modules = [name for name in known if name]
        for name in self.extern_modules:
            if not module_allowed(name):
                raise ImportError(
                    f"package '{file_or_buffer}' needs the external module '{name}' but that "
                    f"module has been disallowed"
                )
        self.patched_builtins = dict(vars(builtins))
        self.patched_builtins["__import__"] = self.__import__
        self._storages: dict[str, Any] = {}
        self._reduced: dict[Any, Any] = {}

    # -- modules -----------------------------------------------------------------------------------

    def import_module(self, name: str, package: str | None = None) -> ModuleType:
        """The module *name* of the archive, or of the process if the archive takes it from there.

        *package* is not looked at. Raises ModuleNotFoundError if there is none.
        """
        return self._imported(demangle(name))

    def _imported(self, name: str) -> ModuleType:
        found = self.modules.get(name)
        if found is not None:
            return found
        parent = name.rpartition(".")[0]
        above: ModuleType | None = None
        if parent:
            above = self._imported(parent)
            if name in self.modules:  # the parent has imported it
                return self.modules[name]
        if self._is_taken(name):
            module = self._of_process(name)
        else:
            module = self._loaded(name, above)
        self.modules[name] = module
        if above is not None and parent not in self.extern_modules:
            setattr(above, name.rpartition(".")[2], module)
        return module

    def _is_taken(self, name: str) -> bool:
        """Whether *name*, or a module that it lies below, is taken from the process."""
        parts = name.split(".")
        return any(
            ".".join(parts[:i]) in self.extern_modules for i in range(1, len(parts) + 1)
        ) or (
            self._path_of(name) is None
            and any(x.startswith(f"{name}.") for x in self.extern_modules)
        )

    def _of_process(self, name: str) -> ModuleType:
        top, dot, rest = name.partition(".")
        return importlib.import_module(f"mindtorch{dot}{rest}" if top == "torch" else name)

    def _path_of(self, name: str) -> tuple[str, bool] | None:
        """The source of a module, and whether it is a package; None if there is none."""
        path = name.replace(".", "/")
        for record, is_package in ((f"{path}/__init__.py", True), (f"{path}.py", False)):
            if record in self._records:
                return record, is_package
        if any(record.startswith(f"{path}/") for record in self._records):
            return "", True  # a folder without a source
        return None

    def _loaded(self, name: str, above: ModuleType | None) -> ModuleType:
        place = self._path_of(name)
        if place is None:
            raise ModuleNotFoundError(
                f'No module named "{name}" in self-contained archive "{self.filename}" and the '
                "module is also not in the list of allowed external modules: "
                f"{self.extern_modules}",
                name=name,
            )
        record, is_package = place
        mangled = self._mangler.mangle(name)
        module = ModuleType(mangled)
        spec = ModuleSpec(name, self, origin="<package_importer>", is_package=is_package)  # type: ignore[arg-type]  # it loads in its own way
        module.__spec__, module.__loader__ = spec, self  # type: ignore[assignment]  # see above
        module.__package__ = name if is_package else name.rpartition(".")[0]
        if is_package:
            module.__path__ = []
        space = vars(module)
        space["__builtins__"] = self.patched_builtins
        space["__torch_package__"] = True
        self.modules[name] = module
        if not record:
            space["__file__"] = None
            return module
        filename = space["__file__"] = f"{self._mangler.parent_name()}.{record}"
        linecache.lazycache(filename, space)
        try:
            source = self.zip_reader.get_record(record).decode("utf-8")
            run_source(source, space, filename)
        except BaseException:
            del self.modules[name]
            raise
        return module

    def __import__(
        self,
        name: str,
        globals: Any = None,
        locals: Any = None,
        fromlist: Any = (),
        level: int = 0,
    ) -> ModuleType:
        """``import`` as code of the archive does it."""
        if level:
            name = _absolute(name, (globals or {})["__package__"], level)
        name = demangle(name)
        module = self._imported(name)
        if not fromlist:
            return module if level else self._imported(name.partition(".")[0])
        names = getattr(module, "__all__", ()) if "*" in fromlist else fromlist
        for each in names:
            if isinstance(each, str) and each != "*" and not hasattr(module, each):
                inner = f"{name}.{each}"
                if self._path_of(inner) is not None or inner in self.extern_modules:
                    self._imported(inner)
        return module

    def get_source(self, module_name: str) -> str:
        """The source of a module."""
        place = self._path_of(demangle(module_name))
        if place is None or not place[0]:
            raise ModuleNotFoundError(f"No module named '{module_name}'", name=module_name)
        found: bytes = self.zip_reader.get_record(place[0])
        return found.decode("utf-8")

    def get_resource_reader(self, fullname: str) -> Any:
        """What ``importlib.resources`` reads files of a package with."""
        name = demangle(fullname)
        if self._path_of(name) is None:
            return None
        return _PackageResourceReader(self, name)

    # -- objects and files -------------------------------------------------------------------------

    def load_binary(self, package: str, resource: str) -> bytes:
        """The bytes of a file."""
        found: bytes = self.zip_reader.get_record(self._record(package, resource))
        return found

    def load_text(
        self, package: str, resource: str, encoding: str = "utf-8", errors: str = "strict"
    ) -> str:
        """The text of a file."""
        return self.load_binary(package, resource).decode(encoding, errors)

    def load_pickle(self, package: str, resource: str, map_location: Any = None) -> Any:
        """The object of a pickle. Its classes are those of the archive.

        :param map_location: where its tensors go.
        """
        data = self.load_binary(package, resource)
        importer, restore = self, restorer(map_location)

        class Unpickler(unpickler_class(pickle)):  # type: ignore[misc]  # a class that is made
            def find_class(self, module: str, name: str) -> Any:
                if is_torchs(module) or module == "_codecs":
                    return super().find_class(module, name)
                found: Any = importer.import_module(module)
                for part in name.split("."):
                    found = getattr(found, part)
                return found

        def persistent_load(identity: Any) -> Any:
            if isinstance(identity, tuple) and identity and identity[0] == "reduce_package":
                _, key, make, arguments = identity
                if key not in importer._reduced:
                    importer._reduced[key] = make(importer, *arguments)
                return importer._reduced[key]
            kind, key, location, numel = storage_identity(identity)
            if key not in importer._storages:
                record = f".data/{key}.storage"
                found = importer.zip_reader.get_storage_from_record(
                    record, numel * kind.itemsize, st.uint8
                )
                importer._storages[key] = found.untyped_storage()
            storage = restore(importer._storages[key], location)
            return st.TypedStorage(wrap_storage=storage, dtype=kind, _internal=True)

        reader = Unpickler(io.BytesIO(data))
        reader.persistent_load = persistent_load
        return reader.load()

    def _record(self, package: str, resource: str) -> str:
        folder, name = os.path.split(resource)
        if folder:
            raise ValueError(f"{resource!r} must be only a file name")
        return f"{demangle(package).replace('.', '/')}/{name}"

    def id(self) -> str:
        """What the names of this package's modules begin with."""
        return self._mangler.parent_name()

    def file_structure(
        self, *, include: GlobPattern = "**", exclude: GlobPattern = ()
    ) -> Directory:
        """The files of the archive that match, as a tree."""
        return _create_directory_from_file_list(self.filename, self._records, include, exclude)

    def python_version(self) -> str | None:
        """The version of Python that wrote the archive."""
        record = ".data/python_version"
        if not self.zip_reader.has_record(record):
            return None
        text: bytes = self.zip_reader.get_record(record)
        return text.decode("utf-8").strip()


class _PackageResourceReader:
    """Reads files of a package of an archive, for ``importlib.resources``."""

    def __init__(self, importer: PackageImporter, fullname: str) -> None:
        self.importer, self.fullname = importer, fullname

    def open_resource(self, resource: str) -> io.BytesIO:
        """A file."""
        return io.BytesIO(self.importer.load_binary(self.fullname, resource))

    def resource_path(self, resource: str) -> str:
        """Refuse: the file is in an archive."""
        raise FileNotFoundError

    def is_resource(self, path: str) -> bool:
        """Whether there is a file of this name."""
        return self.importer._record(self.fullname, path) in self.importer._records

    def contents(self) -> Iterator[str]:
        """The names of the files and folders."""
        start = self.fullname.replace(".", "/") + "/"
        below = (r[len(start) :] for r in self.importer._records if r.startswith(start))
        return iter(dict.fromkeys(path.partition("/")[0] for path in below))


def _absolute(name: str, package: str, level: int) -> str:
    parts = package.rsplit(".", level - 1)
    if len(parts) < level:
        raise ValueError("attempted relative import beyond top-level package")
    return f"{parts[0]}.{name}" if name else parts[0]
