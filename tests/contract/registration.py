"""Programs of registrations, run on torch and on mindtorch: what a step did, and what it left.

A step is a tuple: what to do, the number of the block that does it, and arguments. Both sides run
it and are asked for its outcome (the type and text of its error), the dumps and the computed
tables. mindtorch's side has a registry of its own, with the backend fallbacks that torch has.

What is not compared, and why:

* keys of one version only: torch 2.13 has ``MAIA`` as a backend and the autocast keys of MPS,
  MTIA and MAIA; mindtorch has 2.4's ``Named`` and ``MAIA``, and its own ``Pipeline``;
* ``NPU`` and its family are mindtorch's names for ``PrivateUse1``;
* a fallback at an alias key that fails midway leaves nothing behind here, and in torch what was
  registered before the failure: the block is reset on both sides;
* a fallback at ``AutogradPrivateUse1`` replaces torch's, which is gone for ever when the block
  goes; here it comes back;
* ``impl`` in the wildcard namespace, which ends torch's process, raises here.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from typing import Any

import torch
from mindtorch_dispatch import DispatchKey, Registry, fallthrough_kernel
from mindtorch_dispatch.invariants import check_all
from mindtorch_dispatch.registration_block import Block

C = torch._C
Step = tuple[Any, ...]

#: Keys that only one of the two versions has.
ONE_SIDED = {"Named", "Pipeline", "MAIA", "AutocastMTIA", "AutocastMPS"}
#: ``Fake`` and ``Python`` changed places after torch 2.4, whose order is ours.
SWAPPED = {"Fake"}
NAMESPACE = "mindtorch_programs"


def in_both(name: str) -> bool:
    """Whether both versions have the key, at the same place."""
    return name not in ONE_SIDED and name not in SWAPPED and not name.endswith("MAIA")


def parsed_by_torch(name: str) -> bool:
    """Whether torch takes the name (it has keys that its own parser does not know)."""
    return C._parse_dispatch_key(name) is not None


KEYS = [k for k in DispatchKey.__members__ if in_both(k) and k != "NPU" and parsed_by_torch(k)]


def torch_fallbacks() -> dict[str, tuple[bool, str]]:
    """torch's own backend fallbacks: key → (falls through, what dumps call it)."""
    lib = C._dispatch_library("FRAGMENT", "mindtorch_none", "")
    lib.def_("none(Tensor x) -> Tensor")
    found = {}
    for line in C._dispatch_dump_table("mindtorch_none::none").splitlines():
        name, _, rest = line.partition(": ")
        text = rest.removesuffix(" [backend fallback]")
        assert text != rest
        found[name] = (text.startswith("fallthrough "), text.removeprefix("fallthrough "))
    return found


def registry_like_torchs() -> Registry:
    """A registry that has exactly torch's fallbacks."""
    registry = Registry(defaults=False)
    for name, (skips, where) in torch_fallbacks().items():
        if name in DispatchKey.__members__:
            place = where.removeprefix("registered at ")
            registry.register_fallback(name, None if skips else lambda *_: None, where=place)
    return registry


class Torch:
    """torch as the programs see it."""

    fallthrough: Any = staticmethod(torch.library.fallthrough_kernel)
    block: Any = staticmethod(C._dispatch_library)

    def dump(self, name: str) -> str:
        return C._dispatch_dump(name)

    def table(self, name: str) -> list[str]:
        lines = C._dispatch_dump_table(name).splitlines()
        return [line for line in lines if in_both(line.partition(": ")[0])]

    def dangling(self) -> list[str]:
        return sorted(d for d in C._dispatch_find_dangling_impls() if NAMESPACE in d)

    def check(self) -> None:
        for name in C._dispatch_get_all_op_names():
            if NAMESPACE in name:
                C._dispatch_check_invariants(name)


class Ours:
    """mindtorch, with a registry like torch's."""

    fallthrough = staticmethod(fallthrough_kernel)

    def __init__(self) -> None:
        self.registry = registry_like_torchs()

    def block(self, *args: Any) -> Block:
        return Block(*args, registry=self.registry)

    def dump(self, name: str) -> str:
        op = self.registry.find_exact(name)
        return "" if op is None else op.dump().replace("NPU", "PrivateUse1")

    def table(self, name: str) -> list[str]:
        op = self.registry.find_exact(name)
        lines = [] if op is None else op.dump_table().replace("NPU", "PrivateUse1").splitlines()
        return [line for line in lines if in_both(line.partition(": ")[0])]

    def dangling(self) -> list[str]:
        return sorted(op.dump().replace("NPU", "PrivateUse1") for op in self.registry.dangling())

    def check(self) -> None:
        check_all(self.registry)


class Run:
    """One side while it runs a program.

    A block of the wildcard namespace takes no kernels: torch would crash.
    """

    def __init__(self, side: Any) -> None:
        self.side = side
        self.blocks: dict[int, Any] = {}
        self.wild: set[int] = set()

    def step(self, step: Step) -> str:
        """Do one step; what came of it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                self._do(*step)
            except Exception as error:
                return f"{type(error).__name__}: {error}".replace("NPU", "PrivateUse1")
        return "done"

    def _do(self, what: str, number: int, *args: Any) -> None:
        if what == "open":
            self.blocks.pop(number, None)  # the older one goes first, whatever comes
            self.blocks[number] = self.side.block(*args)
            self.wild = self.wild | {number} if args[1] == "_" else self.wild - {number}
        elif what == "drop":
            self.blocks.pop(number, None)
        elif number in self.blocks and not (number in self.wild and what.startswith("impl")):
            args = tuple(self.side.fallthrough if a == "fallthrough" else a for a in args)
            getattr(self.blocks[number], what)(*args)


NAMES = ["f", "f.ov", "g"]
SCHEMAS = ["(Tensor x) -> Tensor", "(Tensor(a) x) -> Tensor(a)", "(Tensor _0) -> Tensor _0"]
MISFITS = [
    "(Tensor x, Tensor y) -> Tensor",
    "(int x) -> Tensor",
    "(Tensor x) -> ()",
    "(Tensor x) -> (Tensor, Tensor)",
    "(Tensor[] x) -> Tensor",
    "(Tensor x) -> Tensor?",
]
MALFORMED = ["(Tensor x", "(Foo x) -> Tensor", "(t x) -> t", "(Tensor x=1) -> Tensor", "(Tensor x)"]
ALIASES = ["Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd",
           "CompositeExplicitAutogradNonFunctional", "CompositeImplicitAutogradNestedTensor",
           "FuncTorchBatchedDecomposition"]  # fmt: skip
USUAL = ["CPU", "CUDA", "XLA", "Lazy", "Meta", "FPGA", "PrivateUse1", "SparseCPU", "QuantizedCPU",
         "SparseCsrCPU", "NestedTensorCPU", "MkldnnCPU", "AutogradCPU", "AutogradXLA",
         "AutogradOther", "AutogradNestedTensor", "Functionalize", "Tracer", "FuncTorchBatched",
         "BackendSelect", "ADInplaceOrView"]  # fmt: skip
BLOCKS = 4


def a_key(draw: random.Random) -> str:
    """A key to register at: aliases often, anything at times, what is no key now and then."""
    n = draw.random()
    if n < 0.35:
        return draw.choice(ALIASES)
    if n < 0.8:
        return draw.choice(USUAL)
    return draw.choice(KEYS) if n < 0.98 else "Nonsense"


def a_name(draw: random.Random) -> str:
    n = draw.random()
    if n < 0.85:
        return draw.choice(NAMES)
    if n < 0.93:
        return f"{NAMESPACE}::{draw.choice(NAMES)}"
    return draw.choice(["other::f", "f.default", "f(", "f()->()", "a b", "", " g "])


def program(draw: random.Random) -> Iterator[Step]:
    """The steps of one random program."""
    # Kernels of different names and misfitting schemas at once would make torch's choice of the
    # kernel to blame count, which follows the order of a hash table.
    named = draw.random() < 0.5
    schemas = SCHEMAS if named else SCHEMAS + MISFITS
    for step in range(draw.randrange(BLOCKS + 2, BLOCKS + 12)):
        block = step if step < BLOCKS else draw.randrange(BLOCKS)
        what = draw.choices(
            ["open", "def", "impl_t_t", "impl", "drop", "reset", "fallback", "bad"],
            [2, 5, 6, 7, 2, 1, 2, 1],
        )[0]
        key = a_key(draw)
        debug = f"fn_{step}" if named else "fn"
        schema = draw.choice(NAMES) + draw.choice(schemas)
        if what == "open" or step < BLOCKS:
            kind = draw.choice(["FRAGMENT", "FRAGMENT", "DEF", "IMPL", "IMPL"])
            key = "CPU" if key == "AutogradPrivateUse1" else key
            own = key if draw.random() < (0.4 if kind == "IMPL" else 0.05) else ""
            place = "_" if draw.random() < (0.3 if kind == "IMPL" else 0.05) else NAMESPACE
            if place == "_" and kind == "DEF":
                kind = "FRAGMENT"  # torch: "bad optional access"
            yield "open", block, kind, place, own, f"block{step}.py", step
        elif what == "def":
            how = draw.randrange(6)
            if how == 0:
                yield "def_name_t_t", block, a_name(draw), draw.choice(["", key]), debug
            elif how == 1:
                yield "def_schema_t_t", block, schema, draw.choice(["", key]), "", debug
            elif how == 2:
                yield "def_legacy", block, schema
            elif how == 3:
                kind = draw.choice(["", "FROM_SCHEMA", "CONSERVATIVE", "PURE_FUNCTION", "BAD"])
                yield "define", block, schema, kind
            else:
                yield "def_", block, schema
        elif what == "impl_t_t":
            yield "impl_t_t", block, a_name(draw), draw.choice(["", key, key, key]), debug
        elif what == "impl":
            fn = "fallthrough" if draw.random() < 0.25 else abs
            yield "impl", block, a_name(draw), key, fn, draw.random() < 0.2
        elif what == "fallback" and key != "AutogradPrivateUse1":
            if draw.random() < 0.5:
                yield "fallback_fallthrough", block, draw.choice(["", key])
            else:
                yield "fallback", block, key, abs
        elif what == "bad":
            text = draw.choice([draw.choice(NAMES) + draw.choice(MALFORMED), f"other::{schema}",
                                "f", "", "f.default(Tensor x) -> Tensor"])  # fmt: skip
            yield "define", block, text
        else:
            yield "reset" if what == "reset" else "drop", block
