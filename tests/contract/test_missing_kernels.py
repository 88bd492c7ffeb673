"""Calls of ops that cannot be served, or whose kernels misbehave: torch's types and texts.

The lists of keys and the tables in the texts are compared too, but for what mindtorch has not:
fallbacks of functionalities that it lacks, keys of torch 2.13 that 2.4 did not have, and the
places of torch's own registrations, which lie in its C++ files.
"""

from __future__ import annotations

import random
import re
from typing import Any

import mindtorch
import pytest
import torch as oracle

from tests.contract.helpers import assert_same_value, assert_torch_error, both

#: Backend fallbacks of torch for functionalities that mindtorch does not have.
LACKING = {
    "FuncTorchDynamicLayerBackMode",
    "Functionalize",
    "ZeroTensor",
    "Tracer",
    "FuncTorchBatched",
    "BatchedNestedTensor",
    "Batched",
    "FuncTorchGradWrapper",
    "FuncTorchDynamicLayerFrontMode",
    *("AutogradMAIA", "AutocastMTIA", "AutocastMAIA", "AutocastMPS"),
}
#: Ours: deferred execution, and autocast on the device that is part of mindtorch.
EXTRA = {"Pipeline", "AutocastNPU"}


def library(torch: Any, schema: str, kernels: dict[str, Any]) -> Any:
    lib = torch.library.Library("missing_kernels", "FRAGMENT")
    lib.define(schema)
    for key, fn in kernels.items():
        lib.impl("f", fn, key)
    return lib


def raised(torch: Any, schema: str, kernels: dict[str, Any], call: Any) -> Exception:
    lib = library(torch, schema, kernels)
    try:
        with pytest.raises(Exception) as caught:
            call(torch, torch.ops.missing_kernels.f)
        return caught.value
    finally:
        lib._destroy()


@pytest.mark.parametrize("kernels", [{}, {"CUDA": abs}, {"XLA": abs, "Autograd": abs}], ids=str)
@pytest.mark.parametrize(
    ("schema", "call"),
    [
        (
            "f(Tensor x) -> Tensor",
            lambda torch, f: f.default.redispatch(CPU(torch), ONE(torch)),
        ),
        ("f(int x) -> int", lambda torch, f: f(3)),
    ],
    ids=["backend", "no tensors"],
)
def test_no_kernel(schema: str, call: Any, kernels: dict[str, Any]) -> None:
    """The sentence to the letter; the keys and the table but for what is documented."""
    errors = [raised(torch, schema, kernels, call) for torch in (mindtorch, oracle)]
    assert [type(e) for e in errors] == [NotImplementedError] * 2
    ours, theirs = (re.fullmatch(r"(.*)\[(.*?)\]\.\n\n(.*)", str(e), re.S) for e in errors)
    assert ours is not None and theirs is not None
    assert ours[1] == theirs[1]
    ours_keys, their_keys = ours[2].split(", "), theirs[2].split(", ")
    lacking = set(their_keys) - {k.replace("NPU", "PrivateUse1") for k in ours_keys}
    assert lacking <= LACKING
    expected = [k.replace("PrivateUse1", "NPU") for k in their_keys if k not in lacking]
    assert [k for k in ours_keys if k not in EXTRA] == expected
    # the table: one line a key, of the same kind
    kinds = []
    for text in (ours[3], theirs[3]):
        lines = [line.partition(": ") for line in text.splitlines() if line]
        kinds.append({k.replace("NPU", "PrivateUse1"): v[v.rindex("[") :] for k, _, v in lines})
    assert [k.replace("PrivateUse1", "NPU") for k in kinds[0]] == ours_keys
    assert all(kinds[1][k] == v for k, v in kinds[0].items() if k in kinds[1])


def CPU(torch: Any) -> Any:
    return torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def ONE(torch: Any) -> Any:
    return torch.ones(2)


T, TWO = "f(Tensor x) -> Tensor", "f(Tensor x) -> (Tensor, Tensor)"


@pytest.mark.parametrize(
    ("schema", "kernels", "device"),
    [
        (T, {"CPU": lambda x: x}, "meta"),
        (T, {"CPU": lambda: 3}, "cpu"),
        (T, {"CPU": lambda x, y: x}, "cpu"),
        (T, {"CPU": lambda x: 3}, "cpu"),
        (T, {"CPU": lambda x: (x, x)}, "cpu"),
        (T, {"CPU": lambda x: "s"}, "cpu"),
        (T, {"CPU": lambda x: 1 / 0}, "cpu"),
        (TWO, {"CPU": lambda x: x}, "cpu"),
        (TWO, {"CPU": lambda x: None}, "cpu"),
        (TWO, {"CPU": lambda x: (x, 3)}, "cpu"),
        ("f(Tensor x) -> int", {"CPU": lambda x: 2.5}, "cpu"),
    ],
)
def test_kernels_that_misbehave(schema: str, kernels: dict[str, Any], device: str) -> None:
    """Wrong arguments, wrong results, errors of their own, no kernel for meta tensors."""

    def program(torch: Any) -> Any:
        lib = library(torch, schema, kernels)
        try:
            return torch.ops.missing_kernels.f(torch.ones(2, device=device))
        finally:
            lib._destroy()

    assert_torch_error(*both(program))


def test_ambiguous_autograd() -> None:
    """An op that decomposes, with a kernel at a backend behind AutogradOther."""
    for torch in (mindtorch, oracle):
        lib = library(torch, T, {"CompositeImplicitAutograd": abs, "SparseCPU": abs})
        name = "missing_kernels::f"
        line = next(
            one for one in torch._C._dispatch_dump_table(name).splitlines() if "ambig" in one
        )
        assert line == "AutogradOther: ambiguous_autogradother [ambiguous autogradother]"
        lib._destroy()


@pytest.mark.parametrize("held", [lambda f: f, lambda f: f.default], ids=["packet", "overload"])
def test_calling_what_went_with_its_library(held: Any) -> None:
    """torch's assertion, however long ago the op was looked up. (Recorded: torch may crash.)"""
    lib = library(mindtorch, T, {"CPU": lambda x: x})
    op = held(mindtorch.ops.missing_kernels.f)
    op(mindtorch.ones(1))
    lib._destroy()
    with pytest.raises(RuntimeError) as caught:
        op(mindtorch.ones(1))
    assert str(caught.value) == (
        'schema_.has_value() INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/aten/src/ATen/core/'
        'dispatch/OperatorEntry.h":80, please report a bug to PyTorch. Tried to access the schema'
        " for  which doesn't have a schema registered yet"
    )
    again = library(mindtorch, "f(Tensor x, int y) -> Tensor", {"CPU": lambda x, y: x + y})
    assert mindtorch.ops.missing_kernels.f(mindtorch.ones(1), 2).tolist() == [3.0]
    again._destroy()


def test_boxed_fallbacks() -> None:
    """One function for every op without a kernel at a key; with the key set, if asked for."""

    def program(torch: Any) -> Any:
        seen = []
        lib = library(torch, "f(Tensor x, *, int k=1) -> Tensor", {})
        for with_keyset in (False, True):

            def fall(*args: Any, with_keyset: bool = with_keyset, **kwargs: Any) -> Any:
                if with_keyset:
                    keys, *args = args
                    seen.append(keys.has(torch._C.DispatchKey.CPU))
                op, x = args
                seen.append((repr(op), op.name(), sorted(kwargs.items())))
                return x + 5

            every = torch.library.Library("_", "IMPL")
            every.fallback(fall, "CPU", with_keyset=with_keyset)
            seen.append(torch.ops.missing_kernels.f(torch.ones(2), k=4))
            seen.append(torch.ops.missing_kernels.f.default(torch.ones(2)))
            every._destroy()
        lib._destroy()
        return seen

    assert_same_value(*both(program))


def test_backend_select_for_ops_without_tensors() -> None:
    """A kernel at BackendSelect chooses where a factory goes."""

    def program(torch: Any) -> Any:
        lib = library(torch, "f(int x) -> Tensor", {"CPU": lambda x: torch.ones(x)})

        def select(x: int) -> Any:
            return torch.ops.missing_kernels.f.default.redispatch(CPU(torch), x)

        lib.impl("f", select, "BackendSelect")
        try:
            return torch.ops.missing_kernels.f(3)
        finally:
            lib._destroy()

    assert_same_value(*both(program))


CALLED = ["CPU", "CUDA", "Meta", "XLA", "SparseCPU", "AutogradCPU", "AutogradMeta",
          "AutogradOther", "Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd",
          "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutogradNestedTensor",
          "ADInplaceOrView", "Tracer", "AutocastCPU", "Functionalize"]  # fmt: skip
#: Keys whose kernels may go on below themselves, and the key below which that is.
WRAPPERS = {"AutogradCPU": "AutogradOther", "AutogradMeta": "AutogradOther",
            "Autograd": "AutogradOther", "AutogradOther": "AutogradOther",
            "ADInplaceOrView": "ADInplaceOrView", "AutocastCPU": "AutocastCPU"}  # fmt: skip
Registrations = list[tuple[str, bool, bool]]


def outcomes(torch: Any, name: str, registrations: Registrations) -> list[Any]:
    """Which kernels ran, and the shape or the error, on cpu, for a gradient, on meta."""
    c = torch._C
    ran: list[str] = []
    lib = c._dispatch_library("FRAGMENT", "random_calls", "")
    lib.define(f"{name}(Tensor x) -> Tensor")
    for key, skips, goes_on in registrations:

        def kernel(keys: Any, x: Any, key: str = key, goes_on: bool = goes_on) -> Any:
            ran.append(key)
            if goes_on and key in WRAPPERS:
                below = c._dispatch_keyset_full_after(c._dispatch_key_parse(WRAPPERS[key]))
                op = getattr(torch.ops.random_calls, name).default
                return op.redispatch(keys & below, x)
            return torch.ones_like(x)

        if skips:
            lib.impl(name, key, torch.library.fallthrough_kernel)
        else:
            lib.impl(name, key, kernel, True)
    seen: list[Any] = []
    for options in ({}, {"requires_grad": True}, {"device": "meta"}):
        ran.clear()
        try:
            result = getattr(torch.ops.random_calls, name)(torch.ones(1, **options))
            seen.append((list(ran), tuple(result.shape)))
        except Exception as error:
            # lists of keys are compared by test_no_kernel
            seen.append((list(ran), type(error).__name__, str(error).partition(" [")[0]))
    return seen


@pytest.mark.oracle
def test_calls_of_random_registrations() -> None:
    """The same kernels run in the same order, or the same error is raised.

    Cases with several composite kernels are left out: what torch runs then depends on the order of
    registration, for it does not renew the slots of the autograd keys (its dumps, which it works
    out anew, say otherwise).
    """
    draw = random.Random(5)
    ways = set()
    for n in range(600):
        registrations = [
            (key, draw.random() < 0.2, draw.random() < 0.5)
            for key in draw.sample(CALLED, draw.randrange(6))
        ]
        if sum(key.startswith("Composite") for key, _, _ in registrations) > 1:
            continue
        got = outcomes(mindtorch, f"f{n}", registrations)
        want = outcomes(oracle, f"f{n}", registrations)
        assert got == want, registrations
        ways |= {tuple(one[0]) for one in want}
    assert len(ways) > 25, ways
