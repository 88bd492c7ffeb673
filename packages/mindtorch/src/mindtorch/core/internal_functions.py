"""Functions that became internal: the public name stays, and warns."""

from __future__ import annotations

import functools
import sys
import warnings
from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["deprecated"]

_F = TypeVar("_F", bound=Callable[..., Any])


def deprecated() -> Callable[[_F], _F]:
    """A decorator for a function ``_name``: its module gets a ``name`` that warns and calls it.

    :raises ValueError: if the name does not begin with an underscore.
    :raises RuntimeError: if the module has that name already.
    """

    def decorator(func: _F) -> _F:
        if not func.__name__.startswith("_"):
            raise ValueError(
                "@deprecate must decorate a function whose name starts with a single leading "
                "underscore (e.g. '_foo') as the api should be considered internal for deprecation."
            )
        public = func.__name__[1:]
        module = sys.modules[func.__module__]
        if hasattr(module, public):
            gap = " " * 17  # torch's text is one of two lines
            raise RuntimeError(
                f"Cannot create alias '{public}' -> symbol already exists in {module.__name__}. "
                f"{gap}Please rename it or consult a pytorch developer on what to do"
            )

        @functools.wraps(func)
        def alias(*args: Any, **kwargs: Any) -> Any:
            said = f"{public} is DEPRECATED, please consider using an alternative API(s). "
            warnings.warn(said, UserWarning, stacklevel=2)
            return func(*args, **kwargs)

        alias.__name__ = public
        alias.__qualname__ = f"{func.__qualname__.removesuffix(func.__name__)}{public}"
        setattr(module, public, alias)
        return func

    return decorator
