"""The package's door: public names, README."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import mindtorch_npu as npu

ROOT = Path(__file__).parents[1]


def test_all_lists_every_public_name():
    """Sorted; submodules count only where torch.cuda has them. Two errors torch does not list."""
    public = {
        name
        for name, value in ((n, getattr(npu, n)) for n in dir(npu))
        if not name.startswith("_")
        and (not isinstance(value, ModuleType) or name in ("graphs", "memory", "random", "streams"))
    }
    assert npu.__all__ == sorted(public - {"AcceleratorError", "OutOfMemoryError"})


def test_names_later_or_out_of_scope_are_absent():
    """Pluggable allocators are not pretended."""
    later = {"CUDAGraph", "NPUPluggableAllocator", "change_current_allocator", "amp"}
    assert not later & set(npu.__all__)


def test_readme_example_runs():
    """The first Python block of the README, as a program."""
    text = (ROOT / "README.md").read_text()
    code = re.search(r"```python\n(.*?)```", text, re.S).group(1)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    expected = re.search(r"```text\n(.*?)```", text, re.S).group(1)
    assert done.stdout == expected


def test_readme_maps_every_module():
    """Each source file has its line in the map, and each path named exists."""
    text = (ROOT / "README.md").read_text()
    named = set(re.findall(r"^\| `(\w+\.py)` \|", text, re.M))
    present = {path.name for path in (ROOT / "src/mindtorch_npu").glob("*.py")}
    assert named == present - {"__about__.py"}
