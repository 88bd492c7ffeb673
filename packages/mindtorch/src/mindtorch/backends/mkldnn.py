"""``torch.backends.mkldnn``: the switches of oneDNN, which is not here."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.warning import warn
from .switching import (
    ContextProp,
    FP32Precision,
    Remembered,
    allow_nonbracketed_mutation,
    install,
    precision_prop,
)

__all__ = [
    "VERBOSE_OFF",
    "VERBOSE_ON",
    "VERBOSE_ON_CREATION",
    "conv",
    "flags",
    "is_acl_available",
    "is_available",
    "matmul",
    "rnn",
    "set_flags",
    "verbose",
]

VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2


def is_available() -> bool:
    """False: there is no oneDNN here; numpy multiplies."""
    return False


def is_acl_available() -> bool:
    """False: there is no Arm Compute Library here."""
    return False


class verbose:
    """Let oneDNN say what it runs within the block: nothing here."""

    def __init__(self, level: int) -> None:
        self.level = level

    def __enter__(self) -> verbose | None:
        if self.level == VERBOSE_OFF:
            return None
        raise AssertionError(
            "Failed to set MKLDNN into verbose mode. Please consider to disable this verbose scope."
        )

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> bool:
        return False


# Switches: see below.
enabled: bool
deterministic: bool
allow_tf32: bool | None
fp32_precision: str


def _no_tf32(value: Any) -> None:
    warn(
        "TF32 acceleration on top of oneDNN is available for Intel GPUs. The current Torch "
        "version does not have Intel GPU Support.",
        UserWarning,
    )


_SWITCHES: dict[str, Any] = {
    "enabled": Remembered(True, "set_enabled_mkldnn").prop(),
    "deterministic": Remembered(False, "set_deterministic_mkldnn").prop(),
    "allow_tf32": ContextProp(lambda: None, _no_tf32),
    # What is set here holds for all backends, as in torch.
    "fp32_precision": ContextProp(
        precision_prop("mkldnn", "all").getter, precision_prop("generic", "all").setter
    ),
}
install(__name__, _SWITCHES)
conv = FP32Precision("mkldnn", "conv")
matmul = FP32Precision("mkldnn", "matmul")
rnn = FP32Precision("mkldnn", "rnn")


def set_flags(
    _enabled: bool | None = None,
    _deterministic: bool | None = None,
    _allow_tf32: bool | None = None,
    _fp32_precision: str = "none",
) -> tuple[Any, ...]:
    """Set the switches that are given; returns what all of them were."""
    before = tuple(prop.getter() for prop in _SWITCHES.values())
    given = (_enabled, _deterministic, _allow_tf32, _fp32_precision)
    for prop, value in zip(_SWITCHES.values(), given):
        if value is not None:
            prop.setter(value)
    return before


@contextmanager
def flags(
    enabled: bool = False,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
) -> Iterator[None]:
    """Set the switches within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(enabled, deterministic, allow_tf32, fp32_precision)
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
