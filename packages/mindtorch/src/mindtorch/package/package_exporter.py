"""``torch.package.package_exporter``: archives of code, objects and files."""

from __future__ import annotations

import linecache
import os
import platform
import sys
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Self

from ..core.pickling import torch_module
from ..serialization.pickler import dump
from ..serialization.records import PyTorchFileWriter
from ..utils.hooks import RemovableHandle
from . import exported_pickles
from ._digraph import DiGraph
from ._mangling import is_mangled
from ._stdlib import is_stdlib_module
from .exported_pickles import ArchivedStorages, globals_of
from .find_file_dependencies import find_files_source_depends_on
from .glob_group import GlobGroup, GlobPattern
from .importer import Importer, OrderedImporter, sys_importer
from .packaging_errors import DISALLOWED, EmptyMatchError, PackagingError, PackagingErrorReason

__all__ = ["EmptyMatchError", "PackageExporter", "PackagingError", "PackagingErrorReason"]

_MOCK_MODULE = (
    "from _mock import MockedObject\n"
    "def __getattr__(attr: str):\n"
    "    return MockedObject(__name__ + '.' + attr, _suppress_err=True)\n"
)


class _Action(Enum):
    INTERN = 1
    EXTERN = 2
    MOCK = 3
    DENY = 4


class _Pattern(NamedTuple):
    action: _Action
    group: GlobGroup
    allow_empty: bool


class PackageExporter:
    """Writes an archive with the sources of modules, pickled objects, texts and bytes.

    Which modules go in is said by patterns: :meth:`intern` puts their sources in, :meth:`extern`
    takes them from the process that loads, :meth:`mock` leaves them out, :meth:`deny` refuses
    them. Of several patterns the first that matches counts. The standard library and torch are
    taken from the process that loads.

    :param f: a path, or an object with ``write``.
    :param importer: where modules and names of objects are looked up, or several.
    :param debug: say in errors by which path a module was reached.
    """

    importer: Importer

    def __init__(
        self,
        f: Any,
        importer: Importer | Sequence[Importer] = sys_importer,
        debug: bool = False,
    ) -> None:
        self.debug = debug
        self.buffer = None if isinstance(f, (str, os.PathLike)) else f
        self.zip_file = PyTorchFileWriter(os.fspath(f) if self.buffer is None else f)
        self.zip_file.set_min_version(6)
        self._written_files: set[str] = set()
        self.dependency_graph = DiGraph()
        self._storages = ArchivedStorages(self)
        self._extern_hooks: OrderedDict[int, Any] = OrderedDict()
        self._mock_hooks: OrderedDict[int, Any] = OrderedDict()
        self._intern_hooks: OrderedDict[int, Any] = OrderedDict()
        if isinstance(importer, Importer):
            self.importer = importer
        elif isinstance(importer, Sequence):
            self.importer = OrderedImporter(*importer)
        else:
            raise TypeError(
                "importer arg should be an Importer or a sequence of Importers, got "
                f"{type(importer)} instead."
            )
        self.patterns: dict[int, _Pattern] = {}
        self._matched: set[int] = set()
        self._unique_id = 0

    # -- what goes in ------------------------------------------------------------------------------

    def save_source_file(
        self, module_name: str, file_or_directory: str, dependencies: bool = True
    ) -> None:
        """Put a source file in as *module_name*, or a folder of them as a package.

        :param dependencies: what they import, too.
        """
        path = Path(file_or_directory)
        if not path.is_dir():
            self.save_source_string(
                module_name, path.read_text("utf-8"), path.name == "__init__.py", dependencies
            )
            return
        for file in sorted(path.rglob("*.py")):
            parts = file.relative_to(path).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            name = ".".join((module_name, *(parts[:-1] if is_package else parts)))
            self.save_source_string(name, file.read_text("utf-8"), is_package, dependencies)

    def get_unique_id(self) -> str:
        """A text that no other call has given."""
        self._unique_id += 1
        return str(self._unique_id - 1)

    def save_source_string(
        self, module_name: str, src: str, is_package: bool = False, dependencies: bool = True
    ) -> None:
        """Put a source in as *module_name*.

        :param is_package: whether modules lie below it.
        :param dependencies: what it imports, too.
        """
        self._add_source(module_name, src, is_package)
        if dependencies:
            for needed in self._needed_by(src, module_name, is_package):
                self.dependency_graph.add_edge(module_name, needed)
                self.add_dependency(needed)

    def _add_source(self, name: str, src: str, is_package: bool) -> None:
        self.dependency_graph.add_node(
            name, source=src, is_package=is_package, provided=True, action=_Action.INTERN
        )

    def _needed_by(self, src: str, name: str, is_package: bool) -> list[str]:
        package = name if is_package else name.rpartition(".")[0]
        try:
            found = find_files_source_depends_on(src, package)
        except Exception as error:
            self.dependency_graph.add_node(
                name,
                error=PackagingErrorReason.DEPENDENCY_RESOLUTION_FAILED,
                error_context=str(error),
            )
            return []
        needed: dict[str, None] = {}
        for home, taken in found:
            inner = f"{home}.{taken}"
            if taken is not None and self._is_module(inner):
                needed[inner] = None
            elif self._is_module(home):
                needed[home] = None
        return list(needed)

    def _is_module(self, name: str) -> bool:
        try:
            self.importer.import_module(name)
        except Exception:
            return False
        return True

    def add_dependency(self, module_name: str, dependencies: bool = True) -> None:
        """Put a module in, or leave it out, as the patterns say."""
        module_name = torch_module(module_name)
        if self.dependency_graph.nodes.get(module_name, {}).get("provided"):
            return
        if self._is_always_there(module_name):
            self.dependency_graph.add_node(module_name, action=_Action.EXTERN, provided=True)
            return
        for key, pattern in self.patterns.items():
            if pattern.group.matches(module_name):
                self._matched.add(key)
                self.dependency_graph.add_node(module_name, action=pattern.action, provided=True)
                if pattern.action is _Action.DENY:
                    self.dependency_graph.add_node(module_name, error=PackagingErrorReason.DENIED)
                if pattern.action is _Action.INTERN:
                    self._intern_module(module_name, dependencies)
                return
        self.dependency_graph.add_node(module_name, error=PackagingErrorReason.NO_ACTION)

    def save_module(self, module_name: str, dependencies: bool = True) -> None:
        """Put the source of a module in. Raises TypeError for a module in place of its name."""
        if not isinstance(module_name, str):
            raise TypeError(
                "save_module() expects a string input, did you perhaps mean to pass `__name__`?"
            )
        self._intern_module(module_name, dependencies)

    def _intern_module(self, name: str, dependencies: bool) -> None:
        module = self.importer.import_module(name)
        is_package = hasattr(module, "__path__")
        source = self._source_of(module)
        if source is None:
            file = getattr(module, "__file__", None)
            if file is None:
                builtin = getattr(getattr(module, "__spec__", None), "origin", None) == "built-in"
                kind = PackagingErrorReason.NO_DUNDER_FILE
                if builtin or name in sys.builtin_module_names:
                    kind = PackagingErrorReason.IS_EXTENSION_MODULE
                reason, context = kind, None
            elif file.endswith((".so", ".pyd", ".dylib")):
                reason, context = PackagingErrorReason.IS_EXTENSION_MODULE, None
            else:
                reason, context = PackagingErrorReason.SOURCE_FILE_NOT_FOUND, f"filename: {file}"
            self.dependency_graph.add_node(
                name,
                action=_Action.INTERN,
                is_package=is_package,
                error=reason,
                error_context=context,
                provided=True,
            )
            return
        self._add_source(name, source, is_package)
        if dependencies:
            for needed in self._needed_by(source, name, is_package):
                self.dependency_graph.add_edge(name, needed)
                self.add_dependency(needed)

    def _source_of(self, module: ModuleType) -> str | None:
        file = getattr(module, "__file__", None)
        if file is None or not file.endswith(".py"):
            return None
        return "".join(linecache.getlines(file, module.__dict__)) or _empty(file, module)

    def save_pickle(
        self,
        package: str,
        resource: str,
        obj: Any,
        dependencies: bool = True,
        pickle_protocol: int = 3,
    ) -> None:
        """Put *obj* in as a pickle, with the modules that its classes come from.

        Raises AssertionError for another protocol than 3 or 4, and what pickle raises.
        """
        assert pickle_protocol in (4, 3), (
            f"torch.package only supports pickle protocols 3 and 4, got {pickle_protocol}"
        )
        path = self._path(package, resource)
        data, _ = dump(obj, exported_pickles, pickle_protocol, self._storages)
        node = f"<{package}.{resource}>"
        self.dependency_graph.add_node(node, action=_Action.INTERN, provided=True, is_pickle=True)
        self._check_mocked(data, package, resource)
        if dependencies:
            for home in globals_of(data):
                self.dependency_graph.add_edge(node, home)
                self.add_dependency(home)
            self._check_mocked(data, package, resource)
        self._write(path, data)

    def _check_mocked(self, data: bytes, package: str, resource: str) -> None:
        """Note that *data* names objects of modules that are left out."""
        for home, names in globals_of(data).items():
            if self.dependency_graph.nodes.get(home, {}).get("action") is _Action.MOCK:
                self.dependency_graph.add_node(
                    home,
                    error=PackagingErrorReason.MOCKED_BUT_STILL_USED,
                    error_context=(
                        f"Object(s) '{list(names)}' from module `{home}` was mocked out during "
                        f"packaging but is being used in resource - `{resource}` in package "
                        f"`{package}`. "
                    ),
                )

    def save_text(self, package: str, resource: str, text: str) -> None:
        """Put a text in."""
        self.save_binary(package, resource, text.encode("utf-8"))

    def save_binary(self, package: str, resource: str, binary: bytes) -> None:
        """Put bytes in."""
        self._write(self._path(package, resource), binary)

    # -- rules -------------------------------------------------------------------------------------

    def intern(
        self, include: GlobPattern, *, exclude: GlobPattern = (), allow_empty: bool = True
    ) -> None:
        """Put the sources of modules of these names in.

        :param allow_empty: whether it is right that none is needed.
        """
        self._rule(_Action.INTERN, include, exclude, allow_empty)

    def mock(
        self, include: GlobPattern, *, exclude: GlobPattern = (), allow_empty: bool = True
    ) -> None:
        """Leave modules of these names out: they can be imported and not used."""
        self._rule(_Action.MOCK, include, exclude, allow_empty)

    def extern(
        self, include: GlobPattern, *, exclude: GlobPattern = (), allow_empty: bool = True
    ) -> None:
        """Take modules of these names from the process that loads."""
        self._rule(_Action.EXTERN, include, exclude, allow_empty)

    def deny(self, include: GlobPattern, *, exclude: GlobPattern = ()) -> None:
        """Refuse modules of these names."""
        self._rule(_Action.DENY, include, exclude, True)

    def _rule(
        self, action: _Action, include: GlobPattern, exclude: GlobPattern, allow_empty: bool
    ) -> None:
        group = GlobGroup(include, exclude=exclude)
        self.patterns[len(self.patterns)] = _Pattern(action, group, allow_empty)

    def register_extern_hook(self, hook: Callable[[PackageExporter, str], None]) -> Any:
        """Have *hook* called for every module that is taken from the process that loads."""
        return _hooked(self._extern_hooks, hook)

    def register_mock_hook(self, hook: Callable[[PackageExporter, str], None]) -> Any:
        """Have *hook* called for every module that is left out."""
        return _hooked(self._mock_hooks, hook)

    def register_intern_hook(self, hook: Callable[[PackageExporter, str], None]) -> Any:
        """Have *hook* called for every module that is put in."""
        return _hooked(self._intern_hooks, hook)

    def _is_always_there(self, name: str) -> bool:
        top = name.partition(".")[0]
        return top == "torch" or (is_stdlib_module(top) and top not in DISALLOWED)

    # -- the end -----------------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        if exc_type is not None:
            self._finish()
        else:
            self.close()

    def close(self) -> None:
        """Write what the rules say, and the end of the archive.

        Raises PackagingError for modules that no rule fits, and EmptyMatchError.
        """
        self._write_modules()
        self._write(".data/python_version", platform.python_version().encode())
        self._finish()

    def _finish(self) -> None:
        self.zip_file.write_end_of_file()
        if self.buffer is not None and hasattr(self.buffer, "flush"):
            self.buffer.flush()

    def _write_modules(self) -> None:
        nodes = self.dependency_graph.nodes
        if any(said.get("error") is not None for said in nodes.values()):
            raise PackagingError(self.dependency_graph, debug=self.debug)
        for key, pattern in self.patterns.items():
            if not pattern.allow_empty and key not in self._matched:
                raise EmptyMatchError(
                    f"Exporter did not match any modules to {pattern.group}, which was marked as "
                    "allow_empty=False"
                )
        taken: list[str] = []
        for name, said in nodes.items():
            action = said.get("action")
            if action is _Action.EXTERN:
                self._call(self._extern_hooks, name)
                taken.append(name)
            elif action is _Action.MOCK:
                self._call(self._mock_hooks, name)
                if "_mock.py" not in self._written_files:
                    text = Path(__file__).with_name("_mock.py").read_text("utf-8")
                    self._write_source("_mock", text, False)
                is_package = hasattr(self.importer.import_module(name), "__path__")
                self._write_source(name, _MOCK_MODULE, is_package)
            elif action is _Action.INTERN and "source" in said:
                self._call(self._intern_hooks, name)
                self._write_source(name, said["source"], said["is_package"])
        self._write(".data/extern_modules", ("\n".join(taken) + "\n").encode())

    def _call(self, hooks: OrderedDict[int, Any], name: str) -> None:
        for hook in hooks.values():
            hook(self, name)

    def _write_source(self, name: str, source: str, is_package: bool) -> None:
        end = "/__init__.py" if is_package else ".py"
        self._write(name.replace(".", "/") + end, source.encode("utf-8"))

    def _write(self, path: str, data: bytes) -> None:
        assert path not in self._written_files, (
            f"Tried to write file '{path}', but it already exists in this archive. "
            "Please file a bug."
        )
        self._written_files.add(path)
        assert not is_mangled(path), (
            f"Tried to save a torch.package'd module as '{path}'. "
            "Directly saving torch.package'd modules is not allowed."
        )
        self.zip_file.write_record(path, data, len(data))

    def _path(self, package: str, resource: str) -> str:
        return f"{package.replace('.', '/')}/{_resource_name(resource)}"

    # -- questions ---------------------------------------------------------------------------------

    def dependency_graph_string(self) -> str:
        """What needs what, in the language of Graphviz."""
        return self.dependency_graph.to_dot()

    def _of_action(self, action: _Action) -> list[str]:
        nodes = self.dependency_graph.nodes.items()
        return [name for name, said in nodes if said.get("action") is action and _is_module(said)]

    def externed_modules(self) -> list[str]:
        """The modules that are taken from the process that loads."""
        return sorted(self._of_action(_Action.EXTERN))

    def interned_modules(self) -> list[str]:
        """The modules that are put in."""
        return sorted(self._of_action(_Action.INTERN))

    def mocked_modules(self) -> list[str]:
        """The modules that are left out."""
        return sorted(self._of_action(_Action.MOCK))

    def denied_modules(self) -> list[str]:
        """The modules that are refused."""
        return sorted(self._of_action(_Action.DENY))

    def get_rdeps(self, module_name: str) -> list[str]:
        """What needs a module."""
        if module_name not in self.dependency_graph:
            return []
        return list(self.dependency_graph.predecessors(module_name))

    def all_paths(self, src: str, dst: str) -> str:
        """The ways from *src* to *dst*, in the language of Graphviz."""
        return self.dependency_graph.all_paths(src, dst)


def _is_module(said: dict[str, Any]) -> bool:
    return not said.get("is_pickle")


def _empty(file: str, module: ModuleType) -> str | None:
    """The source of an empty file, None for one that is not there."""
    loader = getattr(module, "__loader__", None)
    if os.path.exists(file) or hasattr(loader, "zip_reader"):
        return ""
    return None


def _hooked(hooks: OrderedDict[int, Any], hook: Any) -> Any:
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _resource_name(resource: str) -> str:
    folder, name = os.path.split(resource)
    if folder:
        raise ValueError(f"{resource!r} must be only a file name")
    return name
