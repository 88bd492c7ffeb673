"""``dispatch`` with the functions of this package."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from .multipledispatch import Dispatcher
from .multipledispatch import dispatch as _dispatch

namespace: dict[str, Any] = {}

dispatch: Callable[..., Callable[[Callable[..., Any]], Dispatcher]] = partial(
    _dispatch, namespace=namespace
)
