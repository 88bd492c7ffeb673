"""Families of rows that are imported when one of their ops is first asked for."""

from __future__ import annotations

import subprocess
import sys

import pytest
from mindtorch.call.declared import declared
from mindtorch.call.lazy_registration import FAMILIES, load_all
from mindtorch.call.row import ROWS

#: How somebody may ask for the op ``name`` of a family nobody asked for before.
WAYS = {
    "function": "next(getattr(s, name) for s in spaces if hasattr(s, name))",
    "operator": "getattr(torch.ops.aten, name)",
    "registry": "registry.get('aten::' + name)",
    "contained": "{True: 1}['aten::' + name in registry]",
    "overload": "OVERLOADS.named(name)[0]",
    "formula": "getattr(ops, name)",
    "kernel": "registry.register_kernel(full, 'CPU', print).remove()",
    "schema": "registry.schema(full)",
    "by name": "OVERLOADS[full]",
    "listed": "{True: 1}[full in registry.names()]",
}
#: The ways that need no kernel: all there are to an op of which there is only the schema.
OF_SCHEMAS = {"contained", "kernel", "listed", "operator", "registry", "schema"}


def test_families_hold_the_ops_that_their_rows_define():
    """The table of names is written by hand; the rows are the truth.

    Those of a folder stand in its modules. What has no rows are operators of another namespace.
    """
    load_all()
    for family, names in FAMILIES.items():
        if "." in family:
            continue
        places = f"/aten/{family}.py", f"/aten/{family}/"
        rows = [r for r in ROWS.values() if any(place in str(r.where[0]) for place in places)]
        bases = {r.base for r in rows}
        assert {b for b in bases if b.removesuffix("_") not in bases - {b}} == set(names.split())


@pytest.mark.parametrize("way", WAYS)
def test_op_of_a_family_is_found_by(way):
    """In a fresh process, each family asked for in one way only."""
    load_all()
    last: dict[str, tuple[str, str]] = {}
    for row in ROWS.values():  # backward ops come first, and are no functions
        family = str(row.where[0]).rpartition("/")[2].removesuffix(".py")
        internal = row.base.endswith(("_backward", "_forward", "_")) or row.base[0] == "_"
        internal = internal or "function" not in row.variants
        if family in FAMILIES and not (internal and way == "function"):
            last[family] = row.base, f"aten::{row.name}"
    if way in OF_SCHEMAS:
        base = list(declared())[-1]
        last["declared"] = base, f"aten::{base}"
    code = (
        "import sys, mindtorch as torch\n"
        "from mindtorch.call.dispatch_entry import OVERLOADS\n"
        "from mindtorch.core.operators import ops\n"
        "from mindtorch_dispatch import registry\n"
        "c = torch._C\n"
        "spaces = c._nn, c._fft, c._linalg, c._special, torch\n"
        f"for family, (name, full) in {last}.items():\n"
        f"    {WAYS[way]}\n"
        "    assert 'mindtorch.aten.' + family in sys.modules, family\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr


def test_listings_are_whole():
    """Whoever lists ops sees those of every family."""
    code = (
        "import mindtorch as torch\n"
        "from mindtorch.call.lazy_registration import FAMILIES\n"
        "ops, functions = dir(torch.ops.aten), dir(torch._C._nn)\n"
        "named = [n for f, names in FAMILIES.items() for n in names.split() if '.' not in f]\n"
        "assert not [n for n in named if n not in ops]\n"
        "assert 'gelu' in functions and 'conv2d' not in functions\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
