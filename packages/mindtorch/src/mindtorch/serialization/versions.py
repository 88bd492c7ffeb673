"""Which versions of other pickle modules will do."""

from __future__ import annotations

from typing import Any

from ..core.warning import warn

_DILL = (0, 3, 1)


def check_module_version_greater_or_equal(
    module: Any, req_version_tuple: tuple[int, ...], error_if_malformed: bool = True
) -> bool:
    """Whether *module*'s version is at least the one given.

    A version that cannot be read will do, with a warning; with *error_if_malformed* it is a
    RuntimeError.
    """
    try:
        count = len(req_version_tuple)
        parts = module.__version__.split(".")[:count]
        kinds = map(type, req_version_tuple)
        version = tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
        return version >= req_version_tuple
    except Exception as error:
        text = (
            f"'{module.__name__}' module version string is malformed '{module.__version__}' and "
            f"cannot be compared with tuple {req_version_tuple!s}"
        )
        if error_if_malformed:
            raise RuntimeError(text) from error
        warn(text + ", but continuing assuming that requirement is met", UserWarning)
        return True


def check_dill(pickle_module: Any) -> None:
    """Raises ValueError for a dill that is too old; other modules are fine."""
    if pickle_module is None or pickle_module.__name__ != "dill":
        return
    if not check_module_version_greater_or_equal(pickle_module, _DILL, False):
        raise ValueError(
            f"'torch' supports dill >= {'.'.join(map(str, _DILL))}, but you have dill "
            f"{pickle_module.__version__}. Please upgrade dill or switch to 'pickle'"
        )
