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
