"""Tensors whose storage was freed (``untyped_storage().resize_(0)``): what torch refuses, and how.

torch itself crashes over many of these calls, so it is asked in a process of its own, which is
started anew after the call it died of. There, and where torch hands out memory of somebody else's,
all that is asked of ours is the error of torch for memory that is not there.
"""

import contextlib
import copy
import faulthandler
import gc
import os
import pickle
import warnings

import mindtorch
import pytest
import torch

from .batches import every

NOT_THERE = "The tensor has a non-zero number of elements, but its data is not allocated yet."


def owner(t, device):
    return t.arange(4.0, device=device)


#: What looks at the memory; each has its storage all for itself.
KINDS = {
    "base": owner,
    "view": lambda t, device: t.arange(4.0, device=device).view(2, 2),
    "offset": lambda t, device: t.arange(6.0, device=device)[2:],
    "one number": lambda t, device: t.tensor(3.0, device=device),
    "transposed": lambda t, device: t.arange(6.0, device=device).view(2, 3).t(),
}


def at(t, x, *numbers):
    return t.tensor(numbers, device=x.device)


def ones(t, x, *shape):
    return t.ones(shape or x.shape, device=x.device)


#: Calls that torch answers, or refuses with a text.
ANSWERED = {
    "item": lambda t, x: x.item(),
    "bool": lambda t, x: bool(x),
    "float": lambda t, x: float(x),
    "tolist": lambda t, x: x.tolist(),
    "first": lambda t, x: x[0],
    "iterated": lambda t, x: list(x),
    "sliced": lambda t, x: x[1:],
    "sliced to nothing": lambda t, x: x[:0],
    "ellipsis": lambda t, x: x[...],
    "with a dimension more": lambda t, x: x[None],
    "rows": lambda t, x: x[[0]],
    "put": lambda t, x: x.__setitem__(0, 1),
    "view": lambda t, x: x.view(-1),
    "other dtype": lambda t, x: x.view(t.int32),
    "transpose": lambda t, x: x.transpose(0, -1),
    "transpose_": lambda t, x: x.transpose_(0, -1),
    "permute": lambda t, x: x.permute(list(range(x.dim()))),
    "expand": lambda t, x: x.expand(2, *x.shape),
    "unsqueeze": lambda t, x: x.unsqueeze(0),
    "unsqueeze_": lambda t, x: x.unsqueeze_(0),
    "squeeze": lambda t, x: x.squeeze(),
    "as_strided": lambda t, x: x.as_strided((1,), (1,)),
    "narrow": lambda t, x: x.narrow(0, 0, 1),
    "unbind": lambda t, x: x.unbind(),
    "split": lambda t, x: x.split(1),
    "unfold": lambda t, x: x.unfold(0, 2, 1),
    "diagonal": lambda t, x: x.view(2, 2).diagonal(),
    "detach": lambda t, x: x.detach(),
    "data": lambda t, x: x.data,
    "view of a leaf": lambda t, x: x.requires_grad_().view(-1),
    "parameter": lambda t, x: t.nn.Parameter(x),
    "set data": lambda t, x: setattr(x, "data", ones(t, x, 4)),
    "data of another": lambda t, x: take_data(t, x),
    "mm": lambda t, x: x.view(2, 2) @ ones(t, x, 2, 2),
    "dot": lambda t, x: x.view(-1).dot(x.view(-1)),
    "gather": lambda t, x: x.view(-1).gather(0, at(t, x, 0)),
    "index_select": lambda t, x: x.index_select(0, at(t, x, 0)),
    "empty_like": lambda t, x: t.empty_like(x),
    "zeros_like": lambda t, x: t.zeros_like(x),
    "new_zeros": lambda t, x: x.new_zeros(2),
    "to meta": lambda t, x: x.to("meta"),
    "data_ptr": lambda t, x: x.data_ptr(),
    "geometry": lambda t, x: (x.shape, x.stride(), x.storage_offset(), x.is_contiguous()),
    "bytes": lambda t, x: x.untyped_storage().nbytes(),
    "storage's data_ptr": lambda t, x: x.untyped_storage().data_ptr(),
    "storage's list": lambda t, x: x.untyped_storage().tolist(),
    "storage's byte": lambda t, x: x.untyped_storage()[0],
    "storage copied": lambda t, x: x.untyped_storage().clone().nbytes(),
    "storage filled": lambda t, x: x.untyped_storage().copy_(t.UntypedStorage(16)).nbytes(),
    "is_pinned": lambda t, x: x.is_pinned(),
    "share_memory_": lambda t, x: x.share_memory_(),
    "pickle": lambda t, x: bool(pickle.dumps(x)),
    "deepcopy": lambda t, x: copy.deepcopy(x).untyped_storage().nbytes(),
    "set_": lambda t, x: x.set_(),
    "set_ a tensor": lambda t, x: ones(t, x, 3).set_(x),
    "set_ its own storage": lambda t, x: x.set_(x.untyped_storage()),
    "set_ four of its storage": lambda t, x: filled(x.set_(x.untyped_storage(), 0, (2, 3))),
    "set_ as it is": lambda t, x: x.set_(
        x.untyped_storage(), x.storage_offset(), x.shape, x.stride()
    ),
    "resize_ as it is": lambda t, x: x.resize_(x.shape),
    "resize_ to nothing": lambda t, x: x.resize_(0).tolist(),
    "resize_": lambda t, x: filled(x.resize_(3, 3)),
}
#: Calls that crash in torch, or hand out memory of somebody else's.
TOUCHING = {
    "add": lambda t, x: x + 1,
    "add to": lambda t, x: ones(t, x) + x,
    "sum": lambda t, x: x.sum(),
    "clone": lambda t, x: x.clone(),
    "fill_": lambda t, x: x.fill_(1),
    "all of it put": lambda t, x: x.__setitem__(..., 1),
    "copied from": lambda t, x: ones(t, x).copy_(x),
    "copied to": lambda t, x: x.copy_(ones(t, x)),
    "copied from the host": lambda t, x: x.copy_(t.ones(x.shape)),
    "out": lambda t, x: t.add(ones(t, x), 1, out=x),
    "to": lambda t, x: x.to(t.float64),
    "to the host": lambda t, x: x.to("cpu", copy=True),
    "where": lambda t, x: t.where(x > 0, x, x),
    "equal": lambda t, x: t.equal(x, ones(t, x)),
    "cat": lambda t, x: t.cat([x.view(-1), x.view(-1)]) if x.is_contiguous() else x + 1,
    "normal_": lambda t, x: x.normal_(),
    "repr": lambda t, x: repr(x),
    "numpy": lambda t, x: x.cpu().numpy().tolist(),
    "of a leaf": lambda t, x: (x.requires_grad_() * 2).sum(),
    "detached": lambda t, x: x.detach() + 1,
    "in a pipeline": lambda t, x: in_a_pipeline(t, x),
    "in inference mode": lambda t, x: in_inference_mode(t, x),
    "a lazy copy": lambda t, x: t._lazy_clone(x) + 1,
    "set_ to another": lambda t, x: ones(t, x, 3).set_(x) + 1,
    "data of another": lambda t, x: take_data(t, x) + 1,
}


def filled(x):
    return x.fill_(3).tolist()


def take_data(t, x):
    other = ones(t, x, 2)
    other.data = x
    return other


def in_a_pipeline(t, x):
    with t.pipeline():
        return x + 1


def in_inference_mode(t, x):
    with t.inference_mode():
        return x + 1


def described(value, t):
    if isinstance(value, t.Tensor):
        return "tensor", tuple(value.shape), value.stride(), str(value.dtype).split(".")[-1]
    if isinstance(value, (list, tuple)):
        return [described(v, t) for v in value]
    return value


def outcome(t, device, kind, call):
    """What a call on a freed tensor comes to, in words."""
    x = KINDS[kind](t, device)
    x.untyped_storage().resize_(0)
    try:
        return repr(described(call(t, x), t))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def of_torch(cases):
    """What each of *cases* comes to in torch; None where it dies."""
    found = []
    while len(found) < len(cases):
        read, write = os.pipe()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                faulthandler.disable()
                warnings.simplefilter("ignore")
                for kind, name in cases[len(found) :]:
                    line = outcome(torch, "cpu", kind, ANSWERED[name])
                    os.write(write, line.encode() + b"\n")
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as lines:
            found += lines.read().splitlines()
        if os.waitpid(child, 0)[1]:
            found.append(None)
    return found


@pytest.fixture(scope="module", autouse=True)
def few_objects():
    """A resize asks the collector who looks at the storage: nobody from before these tests."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def wanted():
    cases = [(kind, name) for kind in KINDS for name in ANSWERED]
    return dict(zip(cases, of_torch(cases), strict=True))


@pytest.mark.parametrize("device", ["cpu", "npu"])
@pytest.mark.parametrize("kind", list(KINDS))
@every("name", list(ANSWERED))
def test_freed_memory_is_refused_as_in_torch(wanted, device, kind, name):
    want = wanted[kind, name]
    got = outcome(mindtorch, device, kind, ANSWERED[name])
    if want is None:
        assert got == f"RuntimeError: {NOT_THERE}" or "tolist() shouldn't be called" in got
    else:
        assert got == want


@pytest.mark.parametrize("device", ["cpu", "npu"])
@pytest.mark.parametrize("kind", list(KINDS))
@every("name", list(TOUCHING))
def test_what_torch_crashes_over_is_refused(device, kind, name):
    got = outcome(mindtorch, device, kind, TOUCHING[name])
    assert got == f"RuntimeError: {NOT_THERE}"


@pytest.mark.parametrize("device", ["cpu", "npu"])
@pytest.mark.parametrize("kind", list(KINDS))
@every("name", list(TOUCHING))
def test_memory_that_came_back_is_used_as_before(device, kind, name):
    """After a second ``resize_``, with other numbers in it: as on a tensor that was never freed."""
    call = TOUCHING[name]
    answers = []
    for freed in (True, False):
        x = KINDS[kind](mindtorch, device)
        seen = x.detach()
        storage = x.untyped_storage()
        size = storage.nbytes()
        if freed:
            storage.resize_(0)
            storage.resize_(size)
        x.fill_(2)
        assert seen.tolist() == x.tolist()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            storage.fill_(0)
            try:
                answer = call(mindtorch, x)
                answers.append(described(answer, mindtorch))
            except Exception as error:
                answers.append(str(error))
    if name != "normal_":
        assert answers[0] == answers[1]


@pytest.mark.parametrize("device", ["cpu", "npu"])
def test_a_window_that_still_fits_is_used(device):
    x = mindtorch.arange(4.0, device=device)
    part = x[:2]
    x.untyped_storage().resize_(8)
    assert part.tolist() == x[:2].tolist() == [0, 1]
    text = "requiring a storage size of 16 are out of bounds for storage of size 8"
    for call in (lambda: x + 1, lambda: x.tolist(), lambda: x[1:], lambda: x.fill_(1)):
        with pytest.raises(RuntimeError, match=text):
            call()
    x.untyped_storage().resize_(16)
    x[2:] = 5
    assert x.tolist() == [0, 1, 5, 5]


def test_memory_of_an_npu_is_given_back_and_booked_again():
    """By the rules of the allocator: blocks are rounded to 512 bytes."""
    npu = mindtorch.npu
    gc.collect()  # what errors of others still hold
    npu.synchronize()
    before = npu.memory_allocated()
    x = mindtorch.arange(1024.0, device="npu")
    rows = x.view(32, 32)
    assert npu.memory_allocated() - before == 4096
    x.untyped_storage().resize_(0)
    assert npu.memory_allocated() == before
    x.record_stream(npu.Stream())  # nothing is there to be kept
    x.untyped_storage().resize_(8192)
    assert npu.memory_allocated() - before == 8192
    x.copy_(mindtorch.arange(1024.0))
    x.untyped_storage().resize_(8704)
    assert npu.memory_allocated() - before == 8704
    assert rows[31].tolist() == list(range(992, 1024))
    x.resize_(0)
    assert npu.memory_allocated() - before == 8704
    del rows
    x.set_()
    assert npu.memory_allocated() == before
    x.data = mindtorch.ones(1024, device="npu")
    assert npu.memory_allocated() - before == 4096
    x.data = mindtorch.ones(0, device="npu")
    assert npu.memory_allocated() == before


def test_backward_uses_memory_that_came_back():
    """Parameters are freed between forward and backward, as sharded training does."""
    for device in ("cpu", "npu"):
        weight = mindtorch.full((2, 2), 3.0, device=device)
        x = mindtorch.ones(2, 2, device=device, requires_grad=True)
        y = (x @ weight).sum()
        size = weight.untyped_storage().nbytes()
        weight.untyped_storage().resize_(0)
        with pytest.raises(RuntimeError, match=r"are out of bounds for storage of size 0$"):
            y.backward(retain_graph=True)
        weight.untyped_storage().resize_(size)
        with mindtorch.autograd._unsafe_preserve_version_counter(weight):
            weight.fill_(4.0)
        y.backward()
        assert x.grad.tolist() == [[8.0, 8.0], [8.0, 8.0]]


@pytest.mark.parametrize("name", ["view", "_unsafe_view", "unsafe_split"])
def test_what_only_looks_at_memory_reads_none(name):
    """A wrapper's class that passes a call on finds memory where it has none, as the oracle's."""

    def shape(t):
        cls = type("Wrapper", (t.Tensor,), {"__torch_dispatch__": classmethod(lambda *a: None)})
        wrapper = t.Tensor._make_wrapper_subclass(cls, (2, 6))
        with t._C._DisableTorchDispatch():
            made = getattr(t.ops.aten, name)(wrapper, 1 if name == "unsafe_split" else [12])
        made = made if isinstance(made, t.Tensor) else made[1]
        return made.shape, made.stride(), made.storage_offset(), made._is_view()

    assert shape(mindtorch) == shape(torch)
