"""Dispatch keys, sets of them, masks and guards, beside torch's own."""

from __future__ import annotations

import mindtorch
import pytest
import torch as oracle

from tests.contract.helpers import assert_same_value, assert_torch_error, both
from tests.contract.helpers import dispatch_key as key

C, TC = mindtorch._C, oracle._C
KEYS = ["CPU", "Meta", "AutogradCPU", "AutogradOther", "ADInplaceOrView", "BackendSelect",
        "Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd", "XLA", "Tracer",
        "Python", "Functionalize", "SparseCPU", "QuantizedCUDA", "AutocastCPU"]  # fmt: skip


# Keys ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", KEYS)
def test_key_names_and_alias_relations(name):
    """Names go there and back; what an alias stands for is torch's."""

    def facts(torch):
        c = torch._C
        aliases = ["Autograd", "CompositeImplicitAutograd", "CompositeExplicitAutograd"]
        return (
            c._dispatch_key_name(key(torch, name)),
            c._dispatch_is_alias_key(key(torch, name)),
            c._dispatch_is_alias_key(key(torch, name))
            or [c._dispatch_is_included_in_alias(key(torch, name), key(torch, a)) for a in aliases],
            c._parse_dispatch_key(name) is not None,
            c._parse_dispatch_key("Nonsense"),
        )

    assert_same_value(*both(facts))


@pytest.mark.parametrize("name", ["Nonsense", "", "cpu"])
def test_unknown_key(name):
    """torch's text."""
    assert_torch_error(*both(lambda torch: torch._C._dispatch_key_parse(name)))


def dispatching(torch):
    """A class of tensors that is told of their ops."""

    class Dispatching(torch.Tensor):
        @classmethod
        def __torch_dispatch__(cls, func, types, args=(), kwargs=None):
            return NotImplemented

    return Dispatching


@pytest.mark.parametrize(
    "make",
    [
        lambda torch: torch.ones(2),
        lambda torch: torch.ones(2, requires_grad=True),
        lambda torch: torch.ones(2, device="meta"),
        lambda torch: torch.ones(2)[0],
        lambda torch: torch.inference_mode()(torch.ones)(2),
        lambda torch: torch.ones(2).as_subclass(dispatching(torch)),
        lambda torch: torch.Tensor._make_wrapper_subclass(dispatching(torch), (2,)),
        lambda torch: torch.ones(2).as_subclass(type("Plain", (torch.Tensor,), {})),
        lambda torch: torch.nn.Parameter(torch.ones(2)),
    ],
    ids=[
        *("plain", "grad", "meta", "view", "inference", "subclass", "wrapper", "plain subclass"),
        "parameter",
    ],
)
def test_keys_of_a_tensor(make):
    """The set of the tensor itself: autograd is always in it."""
    assert_same_value(*both(lambda torch: str(torch._C._dispatch_keys(make(torch)))))
    assert_same_value(*both(lambda torch: str(torch._C._dispatch_key_set(make(torch)))))


def test_keys_of_a_tensor_do_not_depend_on_the_thread():
    """Masks and pipelines are no property of a tensor."""
    a = mindtorch.ones(2)
    want = C._dispatch_keys(a)
    with mindtorch.pipeline(), mindtorch.no_grad():
        with C._ExcludeDispatchKeyGuard(mindtorch._C.DispatchKeySet(C.DispatchKey.CPU)):
            assert C._dispatch_keys(a) == want


def test_keys_of_what_is_no_tensor():
    """torch's text."""
    assert_torch_error(*both(lambda torch: torch._C._dispatch_keys(3)))


def test_operations_on_key_sets():
    """Union, difference, intersection, highest key, membership, as text."""

    def facts(torch):
        s, k = torch._C.DispatchKeySet, torch._C.DispatchKey
        a, b = torch._C._dispatch_keys(torch.ones(2)), s(k.BackendSelect)
        return (
            str(a | b),
            str(a - s(k.CPU)),
            str(a & s(k.CPU)),
            a.has(k.CPU),
            a.has(k.Meta),
            a.add(key(torch, "Tracer")).has(key(torch, "Tracer")),
            str(s(k.AutogradCPU).remove(k.AutogradCPU)),
            torch._C._dispatch_keyset_to_string(s(k.CPU)),
            torch._C._dispatch_keyset_full_after(k.AutogradOther).has(k.AutogradCPU),
            torch._C._dispatch_keyset_full_after(k.AutogradOther).has(k.ADInplaceOrView),
            torch._C._dispatch_keyset_full().has(key(torch, "Tracer")),
            torch._C._dispatch_key_for_device("cpu"),
            torch._C._dispatch_key_for_device("meta"),
            str(torch._C._dispatch_get_backend_keyset_from_autograd(k.AutogradCPU)),
        )

    assert_same_value(*both(facts))


# Masks of the thread ------------------------------------------------------------------------------


def test_masks_and_guards():
    """Guards change what the thread includes and excludes, and put it back."""

    def facts(torch):
        c = torch._C
        k = c.DispatchKey
        tracer = key(torch, "Tracer")
        seen = [str(c._dispatch_tls_local_include_set())]

        def look():
            seen.append(
                [c._dispatch_tls_is_dispatch_key_excluded(k.CPU),
                 c._dispatch_tls_is_dispatch_key_excluded(k.AutogradOther),
                 c._dispatch_tls_is_dispatch_key_excluded(k.ADInplaceOrView),
                 c._dispatch_tls_is_dispatch_key_included(tracer)]
            )  # fmt: skip

        look()
        with c._ExcludeDispatchKeyGuard(c.DispatchKeySet(k.CPU)):
            look()
        with c._IncludeDispatchKeyGuard(tracer):
            look()
        with c._AutoDispatchBelowAutograd():
            look()
        with c._ForceDispatchKeyGuard(c.DispatchKeySet(tracer), c.DispatchKeySet(k.CPU)):
            look()
        guard = c.ExcludeDispatchKeyGuard(c.DispatchKeySet(k.CPU))
        look()
        del guard
        look()
        c._dispatch_tls_set_dispatch_key_excluded(k.CPU, True)
        look()
        c._dispatch_tls_set_dispatch_key_excluded(k.CPU, False)
        c._dispatch_tls_set_dispatch_key_included(tracer, True)
        look()
        c._dispatch_tls_set_dispatch_key_included(tracer, False)
        look()
        return seen

    assert_same_value(*both(facts))


@pytest.mark.parametrize(
    "make",
    [
        lambda c, ks, k: c.ExcludeDispatchKeyGuard(ks),
        lambda c, ks, k: c._ExcludeDispatchKeyGuard(ks),
        lambda c, ks, k: c._IncludeDispatchKeyGuard(k),
        lambda c, ks, k: c._ForceDispatchKeyGuard(ks, ks),
        lambda c, ks, k: c._PreserveDispatchKeyGuard(),
        lambda c, ks, k: c._SetExcludeDispatchKeyGuard(k, True),
        lambda c, ks, k: c._SetExcludeDispatchKeyGuard(c.DispatchKey.AutocastCPU, False),
        lambda c, ks, k: c._AutoDispatchBelowAutograd(),
        lambda c, ks, k: c._AutoDispatchBelowADInplaceOrView(),
        lambda c, ks, k: c._EnablePythonDispatcher(),
        lambda c, ks, k: c._DisablePythonDispatcher(),
        lambda c, ks, k: c._EnablePreDispatch(),
        lambda c, ks, k: c._ExcludeDispatchKeyGuard(3),
        lambda c, ks, k: c._IncludeDispatchKeyGuard("Nonsense"),
        lambda c, ks, k: c.ExcludeDispatchKeyGuard("x"),
    ],
)
def test_guards(make):
    """Made, entered, changed inside, left by an exception and once more: torch's masks."""

    def program(torch):
        c = torch._C
        key = c.DispatchKey.Functionalize
        names = "CPU Functionalize AutocastCPU AutogradCPU AutogradOther AutogradNestedTensor "
        names += "ADInplaceOrView PythonDispatcher PreDispatch"
        keys = [c._dispatch_key_parse(n) for n in names.split()]

        def masks():
            included, excluded = (
                c._dispatch_tls_local_include_set(),
                c._dispatch_tls_local_exclude_set(),
            )
            return [(included.has(k), excluded.has(k)) for k in keys]

        # Once a key of a backend was excluded torch keeps the backend's bit in its set, and finds
        # the backend's other keys there too; before, it does not.
        for exclude in (True, False):
            c._dispatch_tls_set_dispatch_key_excluded(c.DispatchKey.CPU, exclude)
        seen = [masks()]
        guard = make(c, c.DispatchKeySet(c.DispatchKey.CPU), key)
        seen.append(masks())
        try:
            with guard as given:
                seen.append((given, masks()))
                c._dispatch_tls_set_dispatch_key_excluded("Tracer", True)
                raise ValueError
        except ValueError:
            seen.append(masks())
        guard.__exit__(None, None, None)
        with guard:
            seen.append(masks())
        del guard
        c._dispatch_tls_set_dispatch_key_excluded("Tracer", False)
        seen.append(masks())
        return seen

    ours, theirs = both(program)
    try:
        theirs()
    except (TypeError, RuntimeError):
        assert_torch_error(ours, theirs)
    else:
        assert_same_value(ours, theirs)


def test_meta_in_the_threads_masks():
    """Every call is one of meta tensors while it is set."""

    def program(torch):
        c = torch._C
        with c._PreserveDispatchKeyGuard():  # torch leaves a bit behind
            seen = [c._meta_in_tls_dispatch_include()]
            c._set_meta_in_tls_dispatch_include(True)
            seen.append(c._meta_in_tls_dispatch_include())
            c._set_meta_in_tls_dispatch_include(False)
            return [*seen, c._meta_in_tls_dispatch_include()]

    assert_same_value(*both(program))


def test_below_autograd_nothing_is_recorded():
    """The guard is what kernels at autograd keys use."""

    def program(torch):
        a = torch.ones(2, requires_grad=True)
        with torch._C._AutoDispatchBelowAutograd():
            b = a * 2
        return b.requires_grad, (a * 2).requires_grad

    assert_same_value(*both(program))


def test_below_view_tracking_nothing_is_counted():
    """Neither bases nor versions."""
    a = mindtorch.ones(2)
    with C._AutoDispatchBelowADInplaceOrView():
        v = a.view(2, 1)
        a.add_(1)
    assert v._base is None and a._version == 0 and v.tolist() == [[2.0], [2.0]]
