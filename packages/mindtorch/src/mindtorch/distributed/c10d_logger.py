"""Logs of the calls of process groups: a logger, and decorators that write to it."""

from __future__ import annotations

import functools
import logging
import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from . import distributed_c10d as c10d

__all__: list[str] = []

_T = TypeVar("_T")
_P = ParamSpec("_P")
_DEFAULT_DESTINATION = "default"


def _get_logging_handler(destination: str = "default") -> tuple[logging.Handler, str]:
    handler = logging.NullHandler()
    return handler, f"{type(handler).__name__}-{destination}"


def _get_or_create_logger(destination: str = "default") -> logging.Logger:
    handler, name = _get_logging_handler(destination)
    logger = logging.getLogger(f"c10d-{name}")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    if not logger.handlers:
        handler.setFormatter(
            logging.Formatter("%(asctime)s %(levelname)s p:%(process)s: %(message)s")
        )
        logger.addHandler(handler)
    return logger


_c10d_logger = _get_or_create_logger()


def _get_msg_dict(func_name: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"func_name": func_name}
    if c10d.is_initialized():
        group = kwargs.get("group") or kwargs.get("process_group")
        message |= {
            "pg_name": c10d._get_process_group_name(group) if group is not None else "default_pg",
            "backend": str(c10d.get_backend(group)),
            "world_size": str(c10d.get_world_size(group)),
            "group_size": str(c10d.get_world_size(group)),
            "global_rank": str(c10d.get_rank()),
            "local_rank": str(c10d.get_rank(group)),
        }
    return message


def _exception_logger(func: Callable[_P, _T]) -> Callable[_P, _T]:
    @functools.wraps(func)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        try:
            return func(*args, **kwargs)
        except Exception as error:
            message = _get_msg_dict(func.__name__) | {"error": f"{error}"}
            _c10d_logger.debug(message)
            raise

    return wrapper


def _time_logger(func: Callable[_P, _T]) -> Callable[_P, _T]:
    @functools.wraps(func)
    def wrapper(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        began = time.time_ns()
        result = func(*args, **kwargs)
        _c10d_logger.debug(
            _get_msg_dict(func.__name__) | {"time_spent": f"{time.time_ns() - began}ns"}
        )
        return result

    return wrapper
