"""Registrations against torch's, after every step of random programs and in every order."""

from __future__ import annotations

import itertools
import random
import warnings
from collections import Counter
from typing import Any

import pytest
from mindtorch_dispatch import DispatchKey

from tests.contract.hearing import hearing
from tests.contract.registration import (
    NAMES,
    NAMESPACE,
    Ours,
    Run,
    Step,
    Torch,
    program,
    torch_fallbacks,
)

FULL_NAMES = [f"{NAMESPACE}::{name}" for name in NAMES]


def difference(ours: Ours, theirs: Torch, known: dict[str, str]) -> str:
    """Where the two registries say different things; empty if nowhere.

    Tables are compared where the dump is not the *known* one.
    """
    for name in FULL_NAMES:
        dump = theirs.dump(name)
        if ours.dump(name) != dump:
            return f"dump of {name}\n ours: {ours.dump(name)}\ntorch: {dump}"
        if known.get(name) == dump:
            continue
        known[name] = dump
        got, want = ours.table(name), theirs.table(name)
        if got != want:
            mine = [line for line in got if line not in want]
            yours = [line for line in want if line not in got]
            return f"table of {name}\n ours: {mine}\ntorch: {yours}"
    if ours.dangling() != theirs.dangling():
        return f"dangling\n ours: {ours.dangling()}\ntorch: {theirs.dangling()}"
    return ""


@pytest.mark.oracle
@pytest.mark.parametrize("seed", range(4))
def test_random_programs(seed: int) -> None:
    """After each step: the same outcome, dumps, computed tables, dangling implementations."""
    draw = random.Random(seed)
    ours, theirs = Ours(), Torch()
    seen: Counter[str] = Counter()
    for _ in range(400):
        mine, yours = Run(ours), Run(theirs)
        done: list[Step] = []
        known: dict[str, str] = {}
        for step in program(draw):
            done.append(step)
            got, want = mine.step(step), yours.step(step)
            seen[want.partition(" ")[0] + want.partition(": ")[2][:12]] += 1
            lines = "\n".join(map(str, done))
            assert got == want, f"{lines}\n ours: {got}\ntorch: {want}"
            if "multiple backend fallbacks" in want:
                mine.step(("reset", step[1]))
                yours.step(("reset", step[1]))
            if step[0].startswith("fallback") or step[0] in ("drop", "reset", "open"):
                known.clear()
            wrong = difference(ours, theirs, known)
            assert not wrong, f"{lines}\n{wrong}"
        assert not difference(ours, theirs, {}), done
        ours.check()
        mine.blocks.clear()
        yours.blocks.clear()
        assert not len(ours.registry), "dropping the blocks left something behind"
    assert len(seen) > 20 and seen["done"] > 2500, seen
    theirs.check()


#: Small programs, as (block, what, arguments): blocks are "lib", a fragment, and "one", "two"…,
#: blocks of kernels of their own. Every order of the steps must give one state, torch's.
ORDERS: dict[str, list[tuple[Any, ...]]] = {
    "def": [("lib", "def_", "f(Tensor x) -> Tensor")],
    "def and two backends": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "CUDA", "fn_CUDA"),
    ],
    "def and a catch-all": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f"),
    ],
    "implicit and a backend": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
    ],
    "implicit, a backend and its autograd": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "AutogradCPU", "fn_AutogradCPU"),
        ("three", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
    ],
    "autograd, implicit and a backend": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "Autograd", "fn_autograd"),
        ("three", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
    ],
    "explicit and autograd": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "Autograd", "fn_autograd"),
        ("three", "impl_t_t", "f", "CompositeExplicitAutograd", "fn_explicit"),
    ],
    "every composite": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "CompositeExplicitAutograd", "fn_explicit"),
        ("two", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
        ("three", "impl_t_t", "f", "CompositeExplicitAutogradNonFunctional", "fn_nonfunctional"),
        ("four", "impl_t_t", "f", "CompositeImplicitAutogradNestedTensor", "fn_nested"),
    ],
    "ambiguous AutogradOther": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl_t_t", "f", "FPGA", "fn_FPGA"),
        ("two", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
    ],
    "fallthrough": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("one", "impl", "f", "AutogradCPU", "fallthrough"),
        ("two", "impl_t_t", "f", "CompositeImplicitAutograd", "fn_math"),
        ("wild", "fallback_fallthrough", "AutocastXLA"),
    ],
    "no schema": [
        ("one", "impl_t_t", "f", "CPU", "fn_CPU"),
        ("two", "impl_t_t", "f", "", "fn"),
    ],
    "two overloads": [
        ("lib", "def_", "f(Tensor x) -> Tensor"),
        ("lib2", "def_", "f.ov(Tensor x, Tensor y) -> Tensor"),
        ("one", "impl", "f", "CPU", abs),
        ("two", "impl", "f.ov", "CPU", abs),
    ],
}


def opened(side: Any, name: str) -> Any:
    kind = "FRAGMENT" if name.startswith("lib") else "IMPL"
    space = "_" if name == "wild" else NAMESPACE
    return side.block(kind, space, "", f"{name}.py", 1)


def state(side: Any) -> tuple[Any, ...]:
    """What a side says of every op of the programs."""
    facts = [(side.dump(name), side.table(name)) for name in FULL_NAMES]
    return (*facts, side.dangling())


@pytest.mark.oracle
@pytest.mark.parametrize("steps", ORDERS.values(), ids=ORDERS)
def test_order_of_registration_does_not_matter(steps: list[tuple[Any, ...]]) -> None:
    """Every order of the steps gives the state that torch has, every order of removal nothing.

    On the way down each removal leaves what registering the rest alone would have given.
    """
    ours, theirs = Ours(), Torch()

    def register(side: Any, chosen: Any) -> dict[int, Any]:
        held = {}
        for i in chosen:
            name, what, *args = steps[i]
            held[i] = opened(side, name)
            getattr(held[i], what)(*[side.fallthrough if a == "fallthrough" else a for a in args])
        return held

    wanted = {}
    for size in range(len(steps) + 1):
        for some in itertools.combinations(range(len(steps)), size):
            held = register(theirs, some)
            wanted[frozenset(some)] = state(theirs)
            held.clear()
    everything = range(len(steps))
    for order in itertools.permutations(everything):
        held = register(ours, ())
        for i in order:
            held |= register(ours, (i,))
            assert state(ours) == wanted[frozenset(held)]
        ours.check()
        for i in reversed(order[1:] + order[:1]):
            del held[i]
            assert state(ours) == wanted[frozenset(held)]
        ours.check()


def test_newest_kernel_of_a_key_wins_and_the_older_comes_back() -> None:
    """Whatever the order in which their blocks go."""
    for going in itertools.permutations(range(3)):
        states = []
        for side in (Ours(), Torch()):
            lib = opened(side, "lib")
            lib.def_("f(Tensor x) -> Tensor")
            held = {}
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for i in range(3):
                    held[i] = opened(side, f"one{i}")
                    held[i].impl_t_t("f", "CPU", f"fn_{i}")
            seen = [state(side)]
            for i in going:
                del held[i]
                seen.append(state(side))
            states.append(seen)
        assert states[0] == states[1]
        assert len({str(s) for s in states[0]}) == 4


def test_overriding_a_kernel_warns_once_with_torchs_text() -> None:
    """Not for Meta; a Python kernel has no name of its own."""
    side = Ours()
    lib = opened(side, "lib")
    lib.def_("f(Tensor x) -> Tensor")
    with hearing() as caught:
        for key in ("Meta", "Meta", "CPU", "CPU", "CPU"):
            lib.impl("f", key, abs)
    place = "registered at lib.py:1"
    assert [(w.category, str(w.message)) for w in caught] == [
        (
            UserWarning,
            "Warning only once for all operators,  other operators may also be overridden.\n"
            "  Overriding a previously registered kernel for the same operator and the same"
            f" dispatch key\n  operator: {NAMESPACE}::f(Tensor x) -> Tensor\n    {place}\n"
            f"  dispatch key: CPU\n  previous kernel: no debug info\n       new kernel: {place}"
            " (Triggered internally at"
            " /__w/pytorch/pytorch/aten/src/ATen/core/dispatch/OperatorEntry.cpp:208.)",
        )
    ]


def test_fallback_for_autograd_of_ones_own_device_may_be_replaced() -> None:
    """As in torch; but the older one comes back, which torch forgets (see registration.py)."""
    key = DispatchKey.AutogradPrivateUse1
    side = Ours()
    before = side.registry.fallbacks.entries[key]
    wild = opened(side, "wild")
    wild.fallback_fallthrough("AutogradPrivateUse1")
    wild.fallback("AutogradPrivateUse1", abs)
    assert side.registry.fallbacks.entries[key].fn is abs
    wild.reset()
    assert side.registry.fallbacks.entries[key] is before


def test_failing_fallback_for_an_alias_key_registers_nothing() -> None:
    """torch registers at the keys before the one that fails (see registration.py)."""
    side = Ours()
    before = dict(side.registry.fallbacks.entries)
    wild = opened(side, "wild")
    with pytest.raises(RuntimeError, match="multiple backend fallbacks"):
        wild.fallback_fallthrough("CompositeExplicitAutograd")
    assert side.registry.fallbacks.entries == before


def test_the_programs_leave_torchs_own_fallbacks_alone() -> None:
    """Else the tests of this module would not be independent."""
    before = torch_fallbacks()
    for seed in range(20):
        run = Run(Torch())
        for step in program(random.Random(seed)):
            run.step(step)
        run.blocks.clear()
    assert torch_fallbacks() == before


def test_dropping_a_block_while_its_kernel_runs() -> None:
    """The kernel goes on and the call returns; the op is gone. (torch fails an assertion.)"""
    import mindtorch

    held = [mindtorch._C._dispatch_library("FRAGMENT", NAMESPACE, "", "x.py", 1)]

    def kernel(x: Any) -> Any:
        held.clear()
        assert mindtorch._C._dispatch_dump(f"{NAMESPACE}::h") == ""
        return x + 1

    held[0].define("h(Tensor x) -> Tensor")
    held[0].impl("h", "CPU", kernel)
    assert getattr(mindtorch.ops, NAMESPACE).h(mindtorch.ones(2)).tolist() == [2.0, 2.0]
    with pytest.raises(AttributeError):
        getattr(mindtorch.ops, NAMESPACE).h
