"""The package as a whole."""

import subprocess
import sys
from types import ModuleType

import mindtorch_dispatch


def test_all_lists_every_public_name():
    """__all__ is sorted and equals the public names (modules aside)."""
    names = [
        n
        for n, v in ((n, getattr(mindtorch_dispatch, n)) for n in dir(mindtorch_dispatch))
        if not n.startswith("_") and not isinstance(v, ModuleType) and n != "annotations"
    ]
    assert mindtorch_dispatch.__all__ == sorted(names)


def test_needs_nothing_but_the_standard_library():
    """Neither siblings nor numpy nor torch are imported."""
    code = (
        "import sys; before = set(sys.modules);"  # an environment may load things of its own
        "import mindtorch_dispatch;"
        "bad = {'numpy', 'torch', 'mindtorch', 'mindtorch_storage', 'mindtorch_autograd',"
        " 'mindtorch_npu', 'inspect', 'dataclasses', 'asyncio', 'difflib'};"
        "bad &= set(sys.modules) - before;"
        "print(sorted(bad))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
