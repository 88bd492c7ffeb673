"""``mindtorch dispatch diff``: tables beside torch's, which is asked where it is installed."""

from __future__ import annotations

import json

import pytest
from mindtorch_cli import oracle
from mindtorch_cli.differences import compare, kinds, order
from mindtorch_cli.documented_differences import (
    DOCUMENTED,
    ELSEWHERE,
    LAYOUT_KERNELS,
    Slot,
    difference,
)
from mindtorch_dispatch import DISPATCH_KEY_PRIORITY, key_name, registry

needs_torch = pytest.mark.skipif(not oracle.available(), reason="torch is not installed")


def answer(names, **tables):
    """What the other process would say."""
    return {
        "version": "2.13.0",
        "tables": {n: tables.get(n.rpartition("::")[2]) for n in names},
        "order": [key_name(k) for k in reversed(DISPATCH_KEY_PRIORITY)],
        "composites": {n: [] for n in names},
    }


def test_kinds_of_entries_are_read_off_a_dump():
    """Fallthroughs are told apart; keys have the names used here."""
    assert kinds(
        "CPU: registered at a.cpp:1 [kernel]\n"
        "PrivateUse1: registered at b.cpp:2 [default backend kernel]\n"
        "ADInplaceOrView: fallthrough registered at c.cpp:3 [backend fallback]\n"
        "AutogradOther: ambiguous_autogradother [ambiguous autogradother]\n"
    ) == {
        "CPU": "kernel",
        "NPU": "default backend kernel",
        "ADInplaceOrView": "fallthrough backend fallback",
        "AutogradOther": "ambiguous autogradother",
    }


def named(key, ours, torch, **facts):
    """The name of the difference of one slot."""
    return difference(Slot(key, ours, torch, **facts))


FALLBACK, EXPLICIT = "backend fallback", frozenset(("CompositeExplicitAutograd",))


@pytest.mark.parametrize(
    "key, ours, torch, facts, name",
    [
        ("Pipeline", "kernel", "missing", {}, "Pipeline"),
        ("Pipeline", "missing", "kernel", {}, None),
        ("NPU", "kernel", "missing", {}, "NPU kernels"),
        ("BackendSelect", "moved", "moved", {}, "BackendSelect order"),
        ("Autograd", "bit", "no bit", {}, "alias bits"),
        ("SparseCPU", "missing", "kernel", {}, "kernels of other layouts"),
        ("SparseCUDA", "missing", "kernel", {}, None),
        ("CUDA", "missing", "kernel", {}, None),
        ("CPU", "math kernel", "kernel", {}, None),
        ("CPU", "moved", "moved", {}, None),
        ("AutogradCPU", "missing", "autograd kernel", {}, None),
        ("BackendSelect", "missing", "kernel", {}, None),
        ("Conjugate", FALLBACK, "fallthrough kernel", {}, "lazy bits"),
        ("Conjugate", "missing", "fallthrough kernel", {}, None),
        ("FuncTorchBatched", FALLBACK, "batched kernel", {}, "batching rules"),
        ("FuncTorchBatched", "missing", "batched kernel", {}, None),
        ("PreDispatch", "missing", FALLBACK, {}, None),
        ("Python", "missing", FALLBACK, {}, None),
    ],
)  # fmt: skip
def test_a_difference_is_named_for_its_keys_and_kinds_alone(key, ours, torch, facts, name):
    """Anything else is not documented."""
    assert named(key, ours, torch, **facts) == name


def test_a_kernel_for_all_backends_is_one_only_where_torch_registers_it():
    """The slots that it fills follow from that kernel, or they are findings."""
    default, name = "default backend kernel", "one kernel for all backends"
    for key in ("XLA", "QuantizedCUDA", "Undefined"):
        assert named(key, "missing", default, they_have=EXPLICIT) == name
        assert named(key, "missing", default) is None
        assert named(key, "missing", default, they_have=EXPLICIT, we_have=EXPLICIT) is None
        assert named(key, "kernel", default, they_have=EXPLICIT) is None
    assert named("CPU", "kernel", default, they_have=EXPLICIT) == name
    assert named("CPU", "missing", default, they_have=EXPLICIT) is None


def test_what_follows_from_another_slot_is_held_to_it():
    """MAIA has what MTIA has; our NPU autocasts what CUDA does in torch."""
    assert named("MAIA", "missing", "kernel", theirs={"MTIA": "kernel"}) == "keys of torch 2.4"
    assert named("MAIA", "missing", "kernel", theirs={"MTIA": "math kernel"}) is None
    falls = "fallthrough backend fallback"
    there, none = {"AutocastCUDA": "kernel"}, {"AutocastCUDA": falls}
    assert named("AutocastNPU", "kernel", "missing", theirs=there) == "NPU autocast"
    assert named("AutocastNPU", falls, "missing", theirs=there) is None
    assert named("AutocastNPU", falls, "missing", theirs=none) == "NPU autocast"


def test_what_follows_from_the_rest_of_our_table_is_held_to_it():
    """Schemas without kernels, ops of sparse layouts alone and forms of ops that refuse meta."""
    default, fallback = "default backend kernel", "backend fallback"
    bare = {"Python": fallback}
    assert named("CPU", "missing", "kernel", mine=bare) == "schemas alone"
    assert named("CPU", "missing", "kernel", mine=bare | {"NPU": "kernel"}) is None
    sparse = {"SparseCPU": "kernel"}
    assert named("Meta", fallback, "kernel", mine=sparse) == "ops of sparse tensors"
    assert named("Meta", fallback, "kernel", mine=sparse | {"NPU": "kernel"}) is None
    facts = {"they_have": EXPLICIT, "mine": {"CPU": "kernel"}}
    assert named("Meta", fallback, default, op="aten::f.out", **facts) == (
        "out= forms that refuse meta"
    )
    assert named("Meta", fallback, default, op="aten::f", **facts) is None
    falls = ("BackendSelect", "fallthrough backend fallback", "kernel")
    assert named(*falls, takes_tensors=True) == "BackendSelect of tensors"
    assert named(*falls) is None


def test_no_class_takes_any_kind_of_entry():
    """A kind that torch does not have today is a finding at every key."""
    keys = {key_name(k) for k in DISPATCH_KEY_PRIORITY} | ELSEWHERE | set(LAYOUT_KERNELS)
    assert {named(k, "missing", "unheard of") for k in keys} == {None}
    assert {named(k, "unheard of", "kernel") for k in keys} == {None}


@needs_torch
def test_every_documented_difference_is_there(run):
    """What no slot and no key shows any more leaves the list."""
    data = json.loads(run("dispatch", "diff", "--json").stdout)
    order_names = {row["documented"] for row in data["order"]}
    assert {d.name for d in DOCUMENTED} == set(data["documented"]) | order_names


def test_the_same_table_has_no_difference(toy):
    """Ours beside itself."""
    op = registry.get("toy::pair.Tensor")
    rows = compare(op, op.dump_table().replace("NPU", "PrivateUse1"))
    assert rows and all(r["same"] for r in rows)


def test_order_finds_the_key_that_moved():
    """One key in another place is one difference, not two hundred."""
    ours = [key_name(k) for k in reversed(DISPATCH_KEY_PRIORITY)]
    moved = [k for k in ours if k != "BackendSelect"]
    moved.insert(moved.index("Python"), "BackendSelect")
    rows = [r for r in order(moved) if r["kind"] == "moved"]
    assert [(r["key"], r["documented"]) for r in rows] == [("BackendSelect", "BackendSelect order")]
    moved.remove("CPU")
    moved.append("CPU")
    assert ("CPU", None) in [(r["key"], r["documented"]) for r in order(moved)]


def test_undocumented_differences_end_with_code_1(run, toy, monkeypatch):
    """And are shown as such."""
    table = registry.get("toy::pair.Tensor").dump_table()
    monkeypatch.setattr(oracle, "tables", lambda names: answer(names, **{"pair.Tensor": table}))
    done = run("dispatch", "diff", "toy::pair.Tensor")
    assert done.exit_code == 0 and "every difference is documented" in done.stdout
    other = table.replace("[autograd kernel]", "[math kernel]")
    monkeypatch.setattr(oracle, "tables", lambda names: answer(names, **{"pair.Tensor": other}))
    done = run("dispatch", "diff", "toy::pair.Tensor")
    assert done.exit_code == 1 and "NOT DOCUMENTED" in done.stdout


def test_an_op_that_torch_does_not_have(run, toy, monkeypatch):
    """Nothing to compare with."""
    monkeypatch.setattr(oracle, "tables", answer)
    done = run("dispatch", "diff", "toy::pair.Tensor")
    assert done.exit_code == 2
    assert "has no operator toy::pair.Tensor" in " ".join(done.stderr.replace("│", " ").split())


def test_without_torch_the_message_is_clear(run, monkeypatch):
    """Code 2, nothing on stdout, a way out."""
    monkeypatch.setattr(oracle, "find_spec", lambda name: None)
    done = run("dispatch", "diff", "add.Tensor")
    assert done.exit_code == 2 and not done.stdout
    assert "torch is not installed here" in done.stderr and "pip install torch" in done.stderr


@needs_torch
def test_torch_is_asked_in_another_process(run_json):
    """add.Tensor: all that differs is documented; torch is not loaded here by it."""
    import sys

    before = "torch" in sys.modules
    data = run_json("dispatch", "diff", "aten::add.Tensor")
    assert data["torch"] and not data["undocumented"]
    rows = {r["key"]: r for r in data["table"]}
    assert rows["CPU"]["same"] and rows["AutogradCPU"]["same"]
    assert rows["Pipeline"]["documented"] == "Pipeline"
    moved = [r for r in data["order"] if r["kind"] == "moved"]
    assert all(r["documented"] for r in data["order"]) and moved
    assert ("torch" in sys.modules) == before


@needs_torch
def test_all_ops_are_summed_up(run):
    """Every op of ours that torch has, by kind of difference."""
    done = run("dispatch", "diff", "--json")
    data = json.loads(done.stdout)
    assert data["ops"] > 900 and not data["not_in_torch"]
    assert set(data["documented"]) <= {d.name for d in DOCUMENTED}
    assert not data["undocumented"] and done.exit_code == 0


def test_all_goes_with_an_op(run):
    """Bad use."""
    assert run("dispatch", "diff", "--all").exit_code == 2
