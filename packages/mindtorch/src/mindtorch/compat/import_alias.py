"""``import torch`` means mindtorch: one module object under both names.

:func:`as_torch` puts an alias into the import system. ``torch.nn`` is then ``mindtorch.nn``, the
same object, and what mindtorch defines says that it lives in torch: ``__name__`` of modules,
``__module__`` of classes and functions, and so pickles and error texts. Child processes inherit it
through ``PYTHONPATH``, where a folder with a package ``torch`` comes first; the same folder answers
``importlib.metadata.version("torch")``.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import _bootstrap, import_module  # type: ignore[attr-defined]
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any
from weakref import WeakSet

from mindtorch_npu import accelerator_device
from mindtorch_storage import ACCELERATOR_IS_CUDA

from ..__about__ import __torch_version__
from ..core.module_names import definitions, is_listed, living_in, move, settle
from ..core.source_code import run_source

__all__ = ["ModuleAlias", "add_hint", "as_torch", "environment", "is_torch"]

_OURS, _THEIRS = "mindtorch", "torch"
#: The folder that holds a package ``torch`` and its metadata.
FOLDER = Path(__file__).with_name("torch_path")
#: The folder that holds a package ``torch_npu``. It is there for who asks for it, as libraries take
#: the NPU where they find that package.
NPU_FOLDER = Path(__file__).with_name("torch_npu_path")


class ModuleAlias(MetaPathFinder, Loader):
    """Lets ``ALIAS.x.y`` mean the module ``NAME.x.y``, not a copy of it."""

    def __init__(self, alias: str, name: str) -> None:
        self._alias, self._name = alias, name

    def _original(self, fullname: str) -> str:
        return self._name + fullname[len(self._alias) :]

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """A spec for a module under the alias whose original exists."""
        if not fullname.startswith(f"{self._alias}."):
            return None
        original = self._original(fullname)
        found = sys.modules.get(original)
        package = getattr(sys.modules.get(fullname.rpartition(".")[0]), "__package__", None)
        if package is not None and package.startswith(f"{self._alias}."):
            return None  # the package is another finder's, and so is what lies below it
        try:
            spec = found.__spec__ if found is not None else find_spec(original)
        except ModuleNotFoundError:  # the package has no original: another finder may know it
            return None
        if found is None and spec is None:
            return None
        # Whoever reads a module's file from its spec finds the original's.
        alias = ModuleSpec(fullname, self, origin=getattr(spec, "origin", None))
        alias.submodule_search_locations = getattr(spec, "submodule_search_locations", None)
        return alias

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The original, imported."""
        found = import_module(self._original(spec.name))
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Nothing but to give back the spec, in whose place the import system put the alias's."""
        spec = module.__spec__
        if spec is not None:
            module.__spec__ = spec.loader_state

    def get_code(self, fullname: str) -> Any:
        """The original's code: ``python -m ALIAS.x`` runs it."""
        spec = find_spec(self._original(fullname))
        return spec.loader.get_code(spec.name) if spec and spec.loader else None  # type: ignore[attr-defined]

    def is_package(self, fullname: str) -> bool:
        """Whether the original is a package."""
        spec = find_spec(self._original(fullname))
        return spec is not None and spec.submodule_search_locations is not None


class _TorchAlias(ModuleAlias):
    """``torch.x`` is ``mindtorch.x``, but ``torch.ops``: the operators, not the package of rows."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The original, imported."""
        if spec.name != f"{_THEIRS}.ops":
            return super().create_module(spec)
        operators: Any = sys.modules[_OURS].ops
        spec.loader_state = operators.__spec__
        return operators  # type: ignore[no-any-return]


class _TorchNamed(SourceFileLoader):
    """Runs a module of ours under torch's name for it."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code; meanwhile other threads that import it under torch's name wait."""
        ours = module.__name__
        code: Any = self.get_code(ours)
        module.__name__ = name = _torchs(ours)
        with contextlib.ExitStack() as stack:
            # A thread that has the lock already waits for this one: it found the module missing.
            with contextlib.suppress(_bootstrap._DeadlockError):
                stack.enter_context(_bootstrap._ModuleLockManager(name))
            sys.modules[name] = module  # dataclasses look a class's module up by its name
            try:
                run_source(code, module.__dict__, code.co_filename)
            except BaseException:
                sys.modules.pop(name, None)
                raise
            _rename_spec(module)
            _rename_contents(module, ours)
            # A module may put another object into its own place, under either name.
            put = [sys.modules.get(each, module) for each in (ours, name)]
            sys.modules[ours] = sys.modules[name] = next(
                (m for m in put if m is not module), module
            )


class _TorchHomed(SourceFileLoader):
    """Runs a module of the packages below, of which torch has something in a module of its own."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the code, then say where torch has what it defines."""
        super().exec_module(module)
        settle(module, module.__name__)


class _TorchSpec(ModuleSpec):
    """The spec of a module of ours under torch's name, which ``repr`` shows.

    Relative imports go on from the parent by our name, as ``__package__`` says.
    """

    def __init__(self, spec: ModuleSpec) -> None:
        super().__init__(_torchs(spec.name), spec.loader, origin=spec.origin)
        self.submodule_search_locations = spec.submodule_search_locations
        self.has_location = spec.has_location
        self.cached = spec.cached
        self._parent = spec.parent

    @property
    def parent(self) -> str | None:
        """The package by our name."""
        return self._parent


class _OursNamedTorch(MetaPathFinder):
    """Finds the modules of mindtorch, which from now on are loaded under torch's names."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        loader: type[SourceFileLoader] | None = _TorchNamed if _is_ours(fullname) else None
        if loader is None and is_listed(fullname):
            loader = _TorchHomed
        if loader is None:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and type(spec.loader) is SourceFileLoader:
            spec.loader = loader(spec.loader.name, spec.loader.path)
        return spec


def _rename_spec(module: ModuleType) -> None:
    """Give a module that is loaded a spec with torch's name."""
    spec = module.__spec__
    if spec is not None and _is_ours(spec.name):
        module.__spec__ = _TorchSpec(spec)


def _torchs(module: str) -> str:
    """torch's name of a module of ours."""
    return _THEIRS + module[len(_OURS) :]


def _is_ours(module: Any) -> bool:
    """Whether a module of this name has a name in torch: the rows of ops have none."""
    if not isinstance(module, str) or f"{module}.".startswith(f"{_OURS}.ops."):
        return False
    return module == _OURS or module.startswith(f"{_OURS}.")


def is_torch() -> bool:
    """Whether ``torch`` means mindtorch in this process."""
    return sys.modules.get(_THEIRS) is sys.modules[_OURS]


def as_torch() -> None:
    """Let ``torch`` mean mindtorch in this process and in those that it starts.

    From then on ``import torch``, ``torch.x.y``, ``from torch.nn import …``,
    ``importlib.metadata.version("torch")`` and pickles that name ``torch.…`` find mindtorch, and
    torch, if it is installed, is not loaded. ``torch.__version__`` is the version of torch whose
    behaviour this is. Calling it again does nothing.

    Raises RuntimeError where torch itself was imported before.

    Examples
    --------
    >>> import mindtorch
    >>> mindtorch.as_torch()
    >>> import torch
    >>> torch.nn is mindtorch.nn
    True
    """
    root = sys.modules[_OURS]
    if is_torch():
        return
    found = sys.modules.get(_THEIRS)
    if found is not None and not str(getattr(found, "__file__", "")).startswith(str(FOLDER)):
        raise RuntimeError(
            "torch is already imported in this process: call mindtorch.as_torch() before the first "
            "import of torch, or start the program with 'mindtorch run'"
        )
    sys.meta_path[:0] = [_TorchAlias(_THEIRS, _OURS), _OursNamedTorch()]
    sys.modules[_THEIRS] = root
    for name, module in list(sys.modules.items()):
        if _is_ours(name):
            _rename(module)
            # Who evaluates a class's annotations looks its module up by the new name.
            sys.modules.setdefault(_torchs(name), module)
        elif is_listed(name):
            settle(module, name)
    _rename_values(root)
    from .torch_version import TorchVersion

    version = TorchVersion(__torch_version__)
    vars(root).update(__version__=version, torch=root)  # torch.torch is torch, too
    import_module(".version", _OURS).__version__ = version
    # A program that only knows torch runs as on torch's build for the host: torch.accelerator
    # offers no device unless the program names the NPU, or the NPU is called cuda.
    accelerator_device.offered = ACCELERATOR_IS_CUDA
    # numpy's warnings carry the name of the module whose line computes; see the root.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"torch\.")
    sys.path[:0] = _folders()
    os.environ.update(environment())
    sys.excepthook = _Hinting(sys.excepthook)


def environment() -> dict[str, str]:
    """The variables that let a child process of Python find mindtorch as torch."""
    path, folders = os.environ.get("PYTHONPATH", ""), _folders()
    rest = [each for each in path.split(os.pathsep) if each and each not in folders]
    return {"PYTHONPATH": os.pathsep.join([*folders, *rest])}


def _folders() -> list[str]:
    """Where Python finds ``torch``, and ``torch_npu`` where ``MINDTORCH_TORCH_NPU`` is 1."""
    asked = os.environ.get("MINDTORCH_TORCH_NPU", "") not in ("", "0")
    return [str(FOLDER), *([str(NPU_FOLDER)] if asked else [])]


def _rename(module: ModuleType) -> None:
    """Say torch's name of a module that is loaded, and of what it defines."""
    ours = vars(module).get("__name__")
    if not _is_ours(ours):
        return
    module.__name__ = _torchs(str(ours))
    _rename_spec(module)
    _rename_contents(module, str(ours))


#: Classes whose contents were renamed, which many modules have in their namespaces.
_RENAMED: WeakSet[type] = WeakSet()


def _rename_contents(module: ModuleType, ours: str) -> None:
    """Say torch's names of what a module defines, which is *ours* by our name."""
    for value in list(vars(module).values()):
        for definition in definitions(value, _RENAMED):
            move(definition, _torchs_of_ours)
    settle(module, ours)


def _torchs_of_ours(module: str) -> str | None:
    return _torchs(module) if _is_ours(module) else None


def _rename_values(root: ModuleType) -> None:
    """Types that are C++ in torch live in ``torch`` itself, under their public names."""
    for name, value in list(vars(root).items()):
        if isinstance(value, type) and not name.startswith("_"):
            module = value.__module__
            if module.startswith((f"{_OURS}_storage", f"{_THEIRS}.core.size")):
                living_in(_THEIRS, value)
                value.__qualname__ = name


class _Hinting:
    """An ``excepthook`` that adds a line where a name of torch was not found."""

    def __init__(self, before: Any) -> None:
        self._before = before

    def __call__(self, kind: Any, error: Any, traceback: Any) -> None:
        add_hint(error)
        self._before(kind, error, traceback)


def add_hint(error: BaseException) -> None:
    """Add a line to the traceback of *error* if it says that CUDA or a name is missing."""
    if isinstance(error, AssertionError) and str(error) == _NO_CUDA:
        error.add_note(
            "mindtorch has no CUDA; with --cuda-as-npu, cuda means the simulated NPU: "
            "'mindtorch run --cuda-as-npu FILE'"
        )
    if isinstance(error, ModuleNotFoundError) and error.name == "torch_npu":
        error.add_note(
            "with --torch-npu, torch_npu is that of the simulated NPU: "
            "'mindtorch run --torch-npu FILE'"
        )
    missing = missing_name(error)
    if missing is not None:
        error.add_note(
            f"mindtorch has no {missing}; 'mindtorch check FILE' lists all names of torch that a "
            "program uses and that are missing"
        )


_NO_CUDA = "Torch not compiled with CUDA enabled"


def missing_name(error: BaseException) -> str | None:
    """The name of torch that *error* says is not there; None if it says something else."""
    name = getattr(error, "name", None)
    if not isinstance(name, str):
        return None
    if isinstance(error, AttributeError):
        holder = getattr(error, "obj", None)
        owner = holder if isinstance(holder, (type, ModuleType)) else type(holder)
        place = (
            owner.__name__
            if isinstance(owner, ModuleType)
            else f"{owner.__module__}.{owner.__qualname__}"
        )
        return f"{place}.{name}" if place.partition(".")[0] == _THEIRS else None
    if isinstance(error, ImportError) and name.partition(".")[0] == _THEIRS:
        wanted = re.match(r"cannot import name '(\w+)'", str(error))
        return f"{name}.{wanted[1]}" if wanted else name
    return None
