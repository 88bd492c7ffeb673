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

__all__ = ["extension"]

#: Extensions are made once, whoever asks first.
_lock: Final = RLock()


@cache
def extension(name: str) -> Any:
    """The extension module *name* of scipy: ``linalg._flapack``. It imports nothing of scipy.

    Where scipy lays it elsewhere, whatever an import of it finds, or raises.
    """
    qualified = f"scipy.{name}"
    with _lock:
        if qualified not in sys.modules:
            home = find_spec("scipy")
            places = home.submodule_search_locations if home is not None else None
            folders = [str(Path(place, *name.split(".")[:-1])) for place in places or ()]
            spec = PathFinder.find_spec(qualified, folders)
            if spec is not None and spec.loader is not None:
                module = module_from_spec(spec)
                spec.loader.exec_module(module)
                return sys.modules.setdefault(qualified, module)
    return import_module(qualified)
