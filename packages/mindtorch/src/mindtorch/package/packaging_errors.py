"""Why modules cannot be packaged: what ``torch.package.package_exporter`` raises."""

from __future__ import annotations

from enum import Enum

from ..core.module_names import living_in
from ._digraph import DiGraph

__all__ = ["DISALLOWED", "EmptyMatchError", "PackagingError", "PackagingErrorReason"]

#: What of the standard library is not taken from the process that loads, unless it is said.
DISALLOWED = ("sys", "io")
_HINT = (
    "Note: While we usually use modules in the python standard library from the local "
    "environment, `{0}` has a lot of system level access and therefore can pose a security risk. "
    "We heavily recommend removing `{0}` from your packaged code. However, if that is not "
    'possible, add it to the extern list by calling PackageExporter.extern("`{0}`")'
)


class PackagingErrorReason(Enum):
    """Why a module cannot be packaged."""

    IS_EXTENSION_MODULE = (
        "Module is a C extension module. torch.package supports Python modules only."
    )
    NO_DUNDER_FILE = "Module had no __file__ defined."
    SOURCE_FILE_NOT_FOUND = "Module had a __file__, but we could not find it in your filesystem."
    DEPENDENCY_RESOLUTION_FAILED = "Dependency resolution failed."
    NO_ACTION = "Module did not match against any action pattern. Extern, mock, or intern it."
    DENIED = "Module was denied by a pattern."
    MOCKED_BUT_STILL_USED = (
        "Module was mocked out, but is still being used in the package. Please intern or extern "
        "the mocked modules if objects are supposed to be in the package."
    )

    def __repr__(self) -> str:
        return f"<{self.__class__.__name__}.{self.name}>"


class EmptyMatchError(Exception):
    """A pattern with ``allow_empty=False`` matched no module."""


class PackagingError(Exception):
    """Modules cannot be packaged; the text names each with its reason."""

    def __init__(self, dependency_graph: DiGraph, debug: bool = False) -> None:
        broken: dict[PackagingErrorReason, list[str]] = {}
        for name, said in dependency_graph.nodes.items():
            if said.get("error") is not None:
                broken.setdefault(said["error"], []).append(name)
        text = ["\n"]
        for reason, names in broken.items():
            text.append(f"* {reason.value}\n")
            for name in names:
                said = dependency_graph.nodes[name]
                text.append(f"    {name}\n")
                if said.get("error_context") is not None:
                    text.append(f"      Context: {said['error_context']}\n")
                if name in DISALLOWED:
                    text.append(f"      {_HINT.format(name)}\n")
                if debug:
                    path = " -> ".join(dependency_graph.first_path(name))
                    text.append(f"      A path to {name}: {path}\n")
        if not debug:
            text.append(
                "\nSet debug=True when invoking PackageExporter for a visualization of where "
                "broken modules are coming from!\n"
            )
        self.dependency_graph = dependency_graph
        super().__init__("".join(text))


living_in(
    "mindtorch.package.package_exporter", EmptyMatchError, PackagingError, PackagingErrorReason
)
