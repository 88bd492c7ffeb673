"""The computed table against torch's: the same registrations give the same entry for each key."""

import random

import mindtorch
import pytest
import torch
from mindtorch_dispatch import (
    ALIAS_KEYS,
    BACKEND_COMPONENTS,
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    Library,
    Registry,
    fallthrough_kernel,
    is_included_in_alias,
    parse_key,
)

C = torch._C
K = DispatchKey

# Bits that torch 2.13 has no runtime key for: Named is gone, MAIA became a backend; Pipeline is
# ours.
NOT_IN_ORACLE = {"Named", "MAIA", "Pipeline"}
# Neighbours whose order was swapped between 2.4 (ours) and 2.13.
SWAPPED_SINCE_24 = {"Fake", "Python"}


def torch_key(name):
    """The oracle's key; not all can be parsed, nor are all of them attributes."""
    return getattr(C.DispatchKey, name, None) or C._dispatch_key_parse(name)


KEYS = [k for k in reversed(DISPATCH_KEY_PRIORITY) if k.name not in NOT_IN_ORACLE]
FALLBACK_WORD = "[backend fallback]"


def oracle_fallbacks():
    """torch's own backend fallbacks: key name → whether it falls through."""
    lib = C._dispatch_library("FRAGMENT", "mindtorch_table", "")
    lib.def_("none(Tensor x) -> Tensor")
    found = {}
    for line in C._dispatch_dump_table("mindtorch_table::none").splitlines():
        name, _, rest = line.partition(": ")
        assert rest.endswith(FALLBACK_WORD)
        found[name] = rest.startswith("fallthrough")
    return found


def kinds(dump):
    """Table dump → {key: (falls through, word in brackets)}."""
    table = {}
    for line in dump.splitlines():
        name, _, rest = line.partition(": ")
        name = name.replace("NPU", "PrivateUse1")
        table[name] = (rest.startswith("fallthrough"), rest[rest.rindex("[") + 1 : -1])
    return table


def with_fallbacks():
    """A registry with exactly torch's fallbacks."""
    registry = Registry(defaults=False)
    for name, skips in oracle_fallbacks().items():
        if name in DispatchKey.__members__:
            registry.register_fallback(name, None if skips else lambda *args: None)
    return registry


# Where rules meet: every alias, backends with and without an autograd key of their own, wrappers.
INTERESTING = [
    *ALIAS_KEYS,
    *BACKEND_COMPONENTS,
    *(K.FPGA, K.MkldnnCPU, K.QuantizedCPU, K.SparseCPU, K.SparseCUDA, K.SparseCsrCPU),
    *(K.NestedTensorCPU, K.AutogradOther, K.AutogradCPU, K.AutogradNPU, K.AutogradNestedTensor),
    *(K.FuncTorchBatched, K.Functionalize, K.Tracer, K.BackendSelect, K.ADInplaceOrView),
    *(K.Python, K.AutocastCPU, K.Undefined),
]


def registrations(draw):
    """A random list of (key, falls through), aliases drawn often."""
    picked = draw.sample(ALIAS_KEYS, draw.randrange(4)) + draw.sample(
        INTERESTING, draw.randrange(5)
    )
    draw.shuffle(picked)
    return [(k, k not in ALIAS_KEYS and draw.random() < 0.15) for k in picked]


@pytest.mark.oracle
def test_tables_of_generated_registrations_equal_torchs():
    """Per key: kernel, which rule, fallthrough or nothing, for a few hundred random ops."""
    draw = random.Random(2024)
    registry = with_fallbacks()
    theirs = C._dispatch_library("FRAGMENT", "mindtorch_table", "")
    known = {k.name for k in KEYS} | {"Undefined"}
    words = set()
    for n in range(300):
        case = registrations(draw)
        name = f"f{n}"
        ours = Library("mindtorch_table", "FRAGMENT", registry=registry)
        ours.define(f"{name}(Tensor x) -> Tensor")
        theirs.def_(f"{name}(Tensor x) -> Tensor")
        for key, skips in case:
            ours.impl(name, fallthrough_kernel if skips else abs, key)
            if skips:
                theirs.impl(name, key.name, torch.library.fallthrough_kernel)
            else:
                theirs.impl_t_t(name, key.name)
        full = f"mindtorch_table::{name}"
        got = kinds(registry.get(full).dump_table())
        want = {k: v for k, v in kinds(C._dispatch_dump_table(full)).items() if k in known}
        assert {k: v for k, v in got.items() if k in known} == want, case
        words |= {word for _, word in want.values()}
        ours._destroy()
    assert words == {
        "kernel",
        "default backend kernel",
        "nested kernel",
        "math kernel",
        "autograd kernel",
        "batched kernel",
        "ambiguous autogradother",
        "backend fallback",
    }


@pytest.mark.oracle
def test_dump_lists_keys_in_torchs_order():
    """Lowest key first, BackendSelect where torch has it."""
    registry = with_fallbacks()
    registry.register_kernel("f", K.CompositeImplicitAutograd, abs)
    lib = C._dispatch_library("FRAGMENT", "mindtorch_order", "")
    lib.def_("f(Tensor x) -> Tensor")
    lib.impl_t_t("f", "CompositeImplicitAutograd")
    got = [k for k in kinds(registry.get("f").dump_table()) if k not in NOT_IN_ORACLE]
    want = [k for k in kinds(C._dispatch_dump_table("mindtorch_order::f"))]
    want = [k for k in want if k in set(got)]
    assert [k for k in got if k not in SWAPPED_SINCE_24] == [
        k for k in want if k not in SWAPPED_SINCE_24
    ]
    assert len(got) > 100


def rank(key):
    """A key's place in torch's order: functionality bits above backend bits."""
    return C.DispatchKeySet(torch_key(key.name)).raw_repr()


@pytest.mark.oracle
def test_order_of_keys_is_torchs():
    """raw_repr() grows with our bit, BackendSelect and the documented differences aside."""
    keys = [k for k in KEYS if k.name not in {"BackendSelect", "Fake"}]
    ranks = [rank(k) for k in keys]
    assert ranks == sorted(ranks) and len(set(ranks)) == len(ranks) > 110
    assert rank(K.NestedTensorMeta) < rank(K.BackendSelect) < rank(K.Python)
    assert rank(K.NestedTensorMeta) < rank(K.Fake) < rank(K.FuncTorchDynamicLayerBackMode)


@pytest.mark.oracle
def test_alias_sets_equal_torchs():
    """is_included_in_alias() for every runtime key and alias key."""
    for alias in ALIAS_KEYS:
        other = torch_key(alias.name)
        ours = {k.name for k in KEYS if is_included_in_alias(k, alias)}
        want = {k.name for k in KEYS if C._dispatch_is_included_in_alias(torch_key(k.name), other)}
        assert ours == want and want


@pytest.mark.oracle
def test_backends_of_autograd_keys_equal_torchs():
    """Which backends' kernels an autograd key defers to."""
    from mindtorch_dispatch import backend_keys_of_autograd

    for key in KEYS:
        if key.name.startswith("Autograd"):
            theirs = C._dispatch_get_backend_keyset_from_autograd(torch_key(key.name))
            want = {k.name for k in KEYS if theirs.has(torch_key(k.name))}
            ours = backend_keys_of_autograd(key)
            assert {k.name for k in KEYS if ours & k} == want, key


@pytest.mark.oracle
def test_error_texts_equal_torchs():
    """Missing kernel, no tensor arguments, unknown key: up to the list of keys, word for word."""
    lib = torch.library.Library("mindtorch_errors", "FRAGMENT")
    lib.define("f(Tensor x) -> Tensor")
    lib.define("g.ov() -> Tensor")
    registry = Registry()
    ours = Library("mindtorch_errors", "FRAGMENT", registry=registry)
    ours.define("f(Tensor x) -> Tensor")
    ours.define("g.ov() -> Tensor")
    ops = torch.ops.mindtorch_errors
    again, foreign = "f(Tensor x) -> Tensor", "x::f(Tensor x) -> Tensor"
    table = registry.get
    for theirs, mine in [
        (lambda: ops.f(torch.ones(2)), lambda: table("mindtorch_errors::f").lookup(K.CPU)),
        (lambda: ops.g.ov(), lambda: table("mindtorch_errors::g.ov").lookup(0)),
        (lambda: lib.impl("f", abs, "Nope"), lambda: ours.impl("f", abs, "Nope")),
        (lambda: lib.define(again), lambda: ours.define(again)),
        (lambda: lib.define(foreign), lambda: ours.define(foreign)),
        (lambda: lib.impl("x::f", abs, "CPU"), lambda: ours.impl("x::f", abs, "CPU")),
        (lambda: lib.define("f", "BAD"), lambda: ours.define("f", "BAD")),
        (lambda: lib.impl("f", 3, "CPU"), lambda: ours.impl("f", 3, "CPU")),
        (lambda: lib.fallback(abs, "CPU"), lambda: ours.fallback(abs, "CPU")),
        (lambda: torch.library.Library("prim", "DEF"), lambda: Library("prim", "DEF")),
        (lambda: torch.library.Library("x", "FOO"), lambda: Library("x", "FOO")),
        (lambda: torch.library.Library("_", "FRAGMENT"), lambda: Library("_", "FRAGMENT")),
    ]:
        with pytest.raises(Exception) as want:
            theirs()
        with pytest.raises(want.type) as got:
            mine()
        assert got.type is want.type

        def text(caught):
            # Lists of keys and places of registration are each side's own.
            return str(caught.value).partition(" [")[0].partition(" Duplicate registration:")[0]

        def same_site(words):
            return words.partition("block at ")[0]

        assert same_site(text(got)) == same_site(text(want))


@pytest.mark.oracle
def test_parse_key_knows_every_name_of_torchs_enum():
    """All runtime and alias names that both versions have."""
    for name in C.DispatchKey.__members__:
        if not name.startswith(("StartOf", "EndOf")) and "MAIA" not in name:
            if name in {"AutocastMPS", "AutocastMTIA"}:
                continue  # came after 2.4
            assert parse_key(name).name == name


OF_ONE_BACKEND = [
    *("ADInplaceOrView", "AutogradOther", "BackendSelect", "Python", "FPGA", "Functionalize"),
    *("AutocastCPU", "Conjugate", "Tracer"),
]
OPERATIONS = {
    "or": lambda a, b, key: a | b,
    "and": lambda a, b, key: a & b,
    "difference": lambda a, b, key: a - b,
    "add": lambda a, b, key: a.add(key),
    "remove": lambda a, b, key: a.remove(key),
    "has": lambda a, b, key: a.has(key),
    "equal": lambda a, b, key: a == b,
    "highest": lambda a, b, key: str(a.highestPriorityTypeId()),
    "raw": lambda a, b, key: type(a).from_raw_repr(a.raw_repr()) == a,
    "text": lambda a, b, key: a,
}


@pytest.mark.oracle
@pytest.mark.parametrize("operation", OPERATIONS)
def test_random_key_sets_behave_as_torchs(operation):
    """torch's methods and operators, on sets of one backend's keys.

    (Sets of several: torch's packed bits cannot tell CPU and SparseCUDA from CUDA and SparseCPU.)
    BackendSelect's place is a documented difference; torch has no name for Tracer and FPGA there.
    """
    draw = random.Random(11)
    act = OPERATIONS[operation]
    for _ in range(300):
        backend = draw.choice(["CPU", "Meta", "CUDA", "XLA"])
        keys = [backend, f"Autograd{backend}", *OF_ONE_BACKEND]
        if operation == "highest":
            keys = [k for k in keys if k not in ("BackendSelect", "Tracer", "FPGA")]
        picked = [draw.sample(keys, draw.randrange(1, 5)) for _ in range(2)]
        key = draw.choice(keys)
        ours = [DispatchKeySet(*(K[n] for n in names)) for names in picked]
        theirs = []
        for names in picked:
            one = C.DispatchKeySet(torch_key(names[0]))
            for name in names[1:]:
                one = one.add(torch_key(name))
            theirs.append(one)
        got, want = act(*ours, K[key]), act(*theirs, torch_key(key))
        assert str(got) == str(want), (picked, key)


@pytest.mark.oracle
def test_a_fresh_op_has_torchs_fallbacks():
    """At each key of both; what stands for tensors that are not there has none here."""
    absent = {"ZeroTensor", "BatchedNestedTensor"}
    absent.add("AutocastPrivateUse1")  # the NPU's here
    absent |= {f"FuncTorchDynamicLayer{end}Mode" for end in ("Front", "Back")}
    answers = []
    for t in (torch, mindtorch):
        with t.library._scoped_library("mindtorch_fallbacks", "DEF") as library:
            library.define("f(Tensor x) -> Tensor")
            library.impl("f", lambda x: x, "CPU")
            has = t._C._dispatch_has_computed_kernel_for_dispatch_key
            found = set()
            for key in {k.name for k in KEYS} & set(C.DispatchKey.__members__) - absent:
                try:
                    C._dispatch_has_computed_kernel_for_dispatch_key("aten::add.Tensor", key)
                except RuntimeError:  # torch cannot read the name of its own key
                    continue
                if has("mindtorch_fallbacks::f", key):
                    found.add(key)
            answers.append(found)
    assert answers[0] == answers[1]


#: torch registers how these run over a batch when ``vmap`` is used for the first time.
DECOMPOSED_BY_VMAP = {
    *("aten::addr", "aten::huber_loss_backward", "aten::mse_loss_backward"),
    *("aten::nll_loss2d_backward", "aten::nll_loss2d_forward", "aten::nll_loss_backward"),
    *("aten::nll_loss_forward", "aten::smooth_l1_loss_backward"),
}


@pytest.mark.parametrize("key", ("FuncTorchBatched", "FuncTorchBatchedDecomposition"))
def test_operators_that_run_over_a_batch_are_those_of_torch(key):
    """Of those that are here: which have a rule of their own, and which fall apart."""
    asked, ours = torch._C._dispatch_get_registrations_for_dispatch_key, mindtorch._C
    here = set(ours._dispatch_get_all_op_names())
    theirs = {name for name in asked(key) if name in here} - DECOMPOSED_BY_VMAP
    found = set(ours._dispatch_get_registrations_for_dispatch_key(key))
    assert found == theirs and len(found) > 300
    assert all(ours._dispatch_has_kernel_for_dispatch_key(name, key) for name in found)
    assert not ours._dispatch_has_kernel_for_dispatch_key("aten::to_mkldnn", key)
