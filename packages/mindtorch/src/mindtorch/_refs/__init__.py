"""``torch._refs``: references of operators, functions in Python that compute what these compute.

In torch they are decompositions. All operators are Python here, so the reference of one is the
function or method itself.
"""

from __future__ import annotations

from ..core.submodules import reached as _reached
from .references import references as _references

_SUBMODULES = ("_conversions", "fft", "linalg", "nn", "special")
_submodule, _function = _reached(__name__, _SUBMODULES), _references("")


def __getattr__(name: str) -> object:
    return _submodule(name) if name in _SUBMODULES else _function(name)
