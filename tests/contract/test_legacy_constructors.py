"""``torch.FloatTensor(tensor)`` and its kin: which tensors they take, and what they give."""

from __future__ import annotations

from typing import Any

import mindtorch as ours
import pytest
import torch

#: ``c`` lies on the CPU, ``x`` on meta.
CALLS = """
t.FloatTensor(c)
t.FloatTensor(x)
t.FloatTensor(other=x)
t.FloatTensor(c.double())
t.DoubleTensor(x)
t.LongTensor(c.long())
t.BoolTensor(c)
t.FloatTensor(c.to_sparse())
t.FloatTensor(t.nn.Parameter(c))
t.FloatTensor(c.clone().requires_grad_())
t.Tensor(c)
t.Tensor(x)
t.Tensor(c.long())
t.Tensor(c.clone().requires_grad_())
t.Tensor(c)._is_view()
t.Tensor(c, device="cpu")
t.Tensor(c, device="meta")
t.Tensor(other=c, device="cpu")
t.FloatTensor(c, device="cpu")
t.Tensor(t.tensor(3), device="cpu")
t.Tensor(2, device="meta")
t.FloatTensor([1], device="meta")
c.new(c)
c.new(x)
c.new(c.long())
c.new(c.to_sparse())
c.new(c, device="cpu")
c.new(c, device="meta")
c.new(t.tensor(2.0))
c.new(2, device="meta")
x.new(x)
x.new(c)
x.new(2)
x.new(2, device="cpu")
""".strip().splitlines()


def outcome(t: Any, call: str) -> Any:
    c = t.ones(2)
    try:
        found = eval(call, {"t": t, "c": c, "x": t.ones(2, device="meta")})
    except (RuntimeError, TypeError) as e:
        return type(e), str(e)
    if not isinstance(found, t.Tensor):
        return found
    numbers = () if found.is_meta else found.tolist()
    facts = found.shape, str(found.dtype), str(found.device), found.requires_grad
    return numbers, facts, found.grad_fn and found.grad_fn.name()


@pytest.mark.parametrize("call", CALLS)
def test_call(call):
    """What is given is seen through a view; what is of another type, or sent elsewhere, refused."""
    assert outcome(ours, call) == outcome(torch, call)


#: What is asked of the classes themselves.
CLASSES = """
type("Derived", (t.FloatTensor,), {})
type("Derived", (t.sparse.FloatTensor,), {})
type("Derived", (t.cuda.FloatTensor,), {})
t.set_default_tensor_type(t.cuda.DoubleTensor)
t.set_default_tensor_type("torch.cuda.DoubleTensor")
sorted((c.__module__, c.__name__, c.is_cuda, c.is_xpu, c.is_sparse) for c in t._tensor_classes)
t.FloatTensor in t._tensor_classes and t.cuda.sparse.IntTensor in t._tensor_classes
""".strip().splitlines()


@pytest.mark.parametrize("call", CLASSES)
def test_classes(call):
    """They are no bases, and those of devices that are not there no defaults."""
    mine, theirs = outcome(ours, call), outcome(torch, call)
    assert repr(mine).replace("mindtorch", "torch") == repr(theirs)
    assert ours.get_default_dtype() is ours.float32
