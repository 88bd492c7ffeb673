"""Lists of keys and ops, and coverage."""

from __future__ import annotations

import pytest
from mindtorch_cli.coverage import coverage, list_keys, list_ops
from mindtorch_cli.suggestions import CallError


def test_keys_are_listed_in_the_order_of_dispatch():
    """Highest first, with our differences from torch marked."""
    rows = list_keys()
    assert [r["bit"] for r in rows] == sorted((r["bit"] for r in rows), reverse=True)
    names = [r["key"] for r in rows]
    assert names.index("BackendSelect") + 1 == names.index("Pipeline")
    assert names.index("Pipeline") < names.index("AutogradCPU") < names.index("Meta")
    notes = {r["key"]: r["note"] for r in rows}
    assert "not in torch" in notes["Pipeline"]
    assert notes["NPU"] == "torch: PrivateUse1"
    assert notes["CPU"] == ""


def test_ops_are_found_by_part_of_a_name_and_by_pattern(toy):
    """``pair`` and ``toy::*`` both find the overloads."""
    both = ["toy::pair.Tensor", "toy::pair.int"]
    assert [r["operator"] for r in list_ops("toy::")] == both
    assert [r["operator"] for r in list_ops("toy::*")] == both
    assert [r["operator"] for r in list_ops("pair.i*")] == both[1:]
    assert list_ops("pair.Tensor")[0]["kernels"] == ["ADInplaceOrView", "CPU", "Autograd"]
    with pytest.raises(CallError, match="no operator matches toy::pear; did you mean toy::pair"):
        list_ops("toy::pear")


def test_coverage_counts_kernels_whatever_rule_placed_them(toy):
    """A composite kernel counts, a fallthrough does not."""
    data = coverage("npu", "toy::")
    assert data["key"] == "NPU" and data["ops"] == 2
    (family,) = data["families"]
    assert family["family"] == "toy"
    assert family["kernels"] == {"CPU": 2, "NPU": 1, "Meta": 1, "AutogradCPU": 2, "Pipeline": 2}
    assert data["missing"] == [{"operator": "toy::pair.Tensor", "why": "no kernel"}]
    skipped = coverage("ADInplaceOrView", "toy::pair.Tensor")["missing"]
    assert skipped == [{"operator": "toy::pair.Tensor", "why": "falls through for this op"}]


def test_families_are_the_modules_of_rows():
    """Every op is in one family; together they are all."""
    data = coverage("cpu", "aten::")
    assert {"reduction", "view"} <= {f["family"] for f in data["families"]}
    assert sum(f["ops"] for f in data["families"]) == data["ops"]
    have = sum(f["kernels"]["CPU"] for f in data["families"])
    assert have + len(data["missing"]) == data["ops"]


def test_a_key_that_is_none_is_refused():
    """Misspelt, or an alias."""
    with pytest.raises(CallError, match="no dispatch key is called npuu; did you mean NPU"):
        coverage("npuu")
    with pytest.raises(CallError, match="Autograd is no key that a call is dispatched to"):
        coverage("Autograd")
