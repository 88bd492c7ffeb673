"""The package as a whole: what importing it loads, what its README says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import mindtorch as torch
import pytest
from mindtorch.call.lazy_registration import load_all
from mindtorch.call.row import ROWS

load_all()
README = Path(__file__).parent.parent / "README.md"


def test_importing_loads_neither_torch_nor_what_few_programs_need():
    """nn, optim and serialization come when they are first asked for."""
    code = (
        "import sys, mindtorch; "
        "print([m for m in ('torch', 'mindtorch.nn', 'mindtorch.optim', "
        "'mindtorch.serialization', 'ml_dtypes', 'zipfile', 'inspect') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(re.findall(r"'([^']+)'", out.stdout))
    assert not loaded & {"torch", "mindtorch.nn", "mindtorch.optim", "mindtorch.serialization"}
    assert "ml_dtypes" not in loaded


def test_an_import_that_fails_leaves_garbage_collection_on():
    """It is off while the package is imported, which ends by an exception here."""
    code = (
        "import gc, sys\n"
        "class Broken:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'mindtorch.install': raise ImportError(name)\n"
        "sys.meta_path.insert(0, Broken())\n"
        "try: import mindtorch\n"
        "except ImportError as error: print(error, gc.isenabled())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.split() == ["mindtorch.install", "True"]


def test_the_readme_example_runs():
    """What the README shows is true."""
    code = re.search(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert code is not None
    exec(compile(code.group(1), str(README), "exec"), {})


def test_every_row_can_be_called():
    """A row has a kernel, a ufunc, a view or a composite; and says what its results look like.

    Those of sparse and quantized tensors alone have their kernels elsewhere.
    """
    for row in ROWS.values():
        if any(part in row.where[0] for part in ("/aten/sparse/", "/aten/quantized/")):
            continue
        ways = [row.kernel, row.ufunc, row.view, row.composite]
        assert any(w is not None for w in ways), f"{row.name}: nothing to run"
        assert (
            row.composite is not None
            or row.view is not None
            or row.meta is not None
            or row.promote is not None
            or {"data_dependent_output", "dynamic_output_shape"} & set(row.tags)
        ), f"{row.name}: nothing says the shape"


def test_every_name_that_dir_lists_exists():
    """Lazily imported names are found."""
    for name in dir(torch):
        if not name.startswith("__"):
            getattr(torch, name)


def test_an_unknown_name_is_an_attribute_error():
    """As for any module."""
    with pytest.raises(AttributeError, match="module 'torch' has no attribute 'nonsense'"):
        torch.nonsense
