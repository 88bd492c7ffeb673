"""``torch._utils_internal``: names that libraries import from torch's inside."""

from __future__ import annotations

from typing import Any

TEST_MASTER_ADDR = "127.0.0.1"
TEST_MASTER_PORT = 29500


def justknobs_check(name: str, default: bool = True) -> bool:
    """*default*: there are no remote switches."""
    return default


def justknobs_getval_int(name: str) -> int:
    """0: there are no remote switches."""
    return 0


def is_fb_unit_test() -> bool:
    """False: this is not the company that wrote torch."""
    return False


def log_export_usage(**kwargs: Any) -> None:
    """Tell nobody."""


def signpost_event(category: str, name: str, parameters: dict[str, Any]) -> None:
    """Tell nobody."""
