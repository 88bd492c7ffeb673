"""The PythonDispatcher key: kernels of ``OpOverload.py_impl`` come before registered ones.

Only while it is enabled (``torch._C._EnablePythonDispatcher``); torch traces with it.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import DispatchKey, Operator, redispatch

from ..core.late_bound import LateBound

__all__ = ["python_dispatcher"]

handle_of = LateBound("handle_of")


def python_dispatcher(
    operator: Operator, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call the Python kernel of the next key; without one, go on below."""
    below = keyset.mask & (DispatchKey.PythonDispatcher - 1)
    found = handle_of(operator)._get_dispatch(operator.hop(below).key)
    if isinstance(found, DispatchKey):
        return redispatch(operator, below, *args, **kwargs)
    return found(*args, **kwargs)
