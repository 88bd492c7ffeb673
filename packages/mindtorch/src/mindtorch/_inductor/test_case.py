"""``torch._inductor.test_case``: test classes of a compiler that keeps nothing."""

from __future__ import annotations

from .._dynamo.test_case import TestCase, run_tests

__all__ = ["TestCase", "run_tests"]
