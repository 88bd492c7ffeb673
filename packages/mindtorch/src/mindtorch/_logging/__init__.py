"""``torch._logging``: what torch says of its inside, which says nothing here."""

from __future__ import annotations

import functools
import importlib.util
import logging
from typing import Any

from ..core.submodules import reached as _reached
from ._names import ARTIFACTS, KEYWORDS, LOGS, SWITCHES

__all__ = ["getArtifactLogger", "set_logs", "warning_once"]


def set_logs(
    *, all: int | None = None, modules: dict[str, int | bool] | None = None, **kwargs: Any
) -> None:
    """Set the levels of logs by name, which ``logging`` knows under ``torch``.

    :param all: the level of the log of ``torch``.
    :param modules: levels of other logs, and of modules by their qualified names.
    :param kwargs: levels of logs; switches of artifacts of compilation, which say nothing, as
        nothing is compiled.

    Raises ValueError for what is no level or no log, TypeError for keywords that are neither.
    """
    for name in kwargs:
        if name not in KEYWORDS and name not in SWITCHES:
            raise TypeError(f"set_logs() got an unexpected keyword argument '{name}'")
    for name, value in {"torch": all, **kwargs, **(modules or {})}.items():
        if value is not None:
            _set_log(name, value)


def _set_log(name: str, value: Any) -> None:
    if name in ARTIFACTS:
        if not isinstance(value, bool):
            raise ValueError(f"Expected bool to enable artifact {name}, received {value}")
    elif name in LOGS:
        if value not in logging._levelToName:
            known = ",".join(map(str, logging._levelToName))
            raise ValueError(
                f"Unrecognized log level for log {name}: {value}, valid level values are: {known}"
            )
        for module in LOGS[name]:
            logging.getLogger(f"torch.{module}".removesuffix(".")).setLevel(value)
    elif importlib.util.find_spec(name) is not None:
        logging.getLogger(name).setLevel(value)
    else:
        raise ValueError(f"Unrecognized log or artifact name passed to set_logs: {name}")


def getArtifactLogger(module_qname: str, artifact_name: str) -> logging.Logger:
    """The logger of one kind of artifact of a module. Raises ValueError for unknown kinds."""
    if artifact_name not in ARTIFACTS:
        raise ValueError(
            f"Artifact name: {artifact_name!r} not registered,please call "
            f"register_artifact({artifact_name!r}) in torch._logging.registrations."
        )
    return logging.getLogger(f"{module_qname}.__{artifact_name}")


@functools.cache
def warning_once(logger_obj: logging.Logger, *args: Any, **kwargs: Any) -> None:
    """Warn the first time that this is said."""
    logger_obj.warning(*args, **kwargs)


def trace_structured(name: str, *args: Any, **kwargs: Any) -> None:
    """Tell nobody."""


def dtrace_structured(name: str, *args: Any, **kwargs: Any) -> None:
    """Tell nobody."""


class LazyString:
    """A text that is made when it is needed."""

    def __init__(self, func: Any, *args: Any, **kwargs: Any) -> None:
        self.func = functools.partial(func, *args, **kwargs)

    def __str__(self) -> str:
        return str(self.func())


__getattr__ = _reached(__name__, ("_internal",))
