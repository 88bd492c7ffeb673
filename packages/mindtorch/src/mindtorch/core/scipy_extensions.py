"""scipy's compiled functions, without the packages of Python that stand around them.

``import scipy.linalg`` takes 100 ms and more, of which the 2000 functions of LAPACK are three: the
rest are modules that nothing here asks for. So an extension module is loaded by itself, from its
place in the installed scipy, and under its own name: who imports the package later gets the same.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import RLock
from typing import Any, Final

__all__ = ["extension", "folder"]

#: Extensions are made once, whoever asks first.
_lock: Final = RLock()


@cache
def extension(name: str, *imports: str) -> Any:
    """The extension module *name* of scipy: ``linalg._flapack``.

    Where scipy lays it elsewhere, whatever an import of it finds, or raises.

    :param imports: the extension modules of scipy that it imports itself.
    """
    with _lock:
        for other in imports:
            _loaded(other)
        return _loaded(name) or import_module(f"scipy.{name}")


def folder(*parts: str) -> Path:
    """The folder of a package of scipy, which is not imported.

    Raises ModuleNotFoundError where there is no scipy.
    """
    return _home().joinpath(*parts)


@cache
def _home() -> Path:
    home = find_spec("scipy")
    if home is None or not home.submodule_search_locations:
        raise ModuleNotFoundError("No module named 'scipy'", name="scipy")
    return Path(home.submodule_search_locations[0])


def _loaded(name: str) -> Any:
    qualified = f"scipy.{name}"
    if qualified not in sys.modules:
        spec = PathFinder.find_spec(qualified, [str(folder(*name.split(".")[:-1]))])
        if spec is None or spec.loader is None:
            return None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules.setdefault(qualified, module)
    return sys.modules[qualified]
