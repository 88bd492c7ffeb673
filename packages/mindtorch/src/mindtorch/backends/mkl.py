"""``torch.backends.mkl``: MKL is not here."""

from __future__ import annotations

__all__ = ["VERBOSE_OFF", "VERBOSE_ON", "is_available", "verbose"]


def is_available() -> bool:
    """False: there is no MKL here."""
    return False


VERBOSE_OFF = 0
VERBOSE_ON = 1


class verbose:
    """Let MKL say what it runs within the block: nothing here."""

    def __init__(self, enable: int) -> None:
        self.enable = enable

    def __enter__(self) -> verbose | None:
        if self.enable == VERBOSE_OFF:
            return None
        raise AssertionError(
            "Failed to set MKL into verbose mode. Please consider to disable this verbose scope."
        )

    def __exit__(self, exc_type: object, exc_val: object, exc_tb: object) -> bool:
        return False
