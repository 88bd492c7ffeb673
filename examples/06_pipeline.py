"""Deferred execution: inside a pipeline ops are recorded, and run when somebody reads."""

import mindtorch as torch

a = torch.tensor([1.0, -2.0], device="npu", requires_grad=True)
b = torch.tensor([3.0, 4.0], device="npu")

with torch.pipeline() as pipe:
    c = a + b
    loss = c.relu().sum()
    # Shape, dtype and history are there at once; the numbers wait.
    print("pending:", c._pending, loss._pending, loss.shape, loss.grad_fn.name())
    assert c._pending and loss._pending and loss.requires_grad
    pipe.flush()
    assert not c._pending
    print("after flush():", c.tolist())

with torch.pipeline():
    c = (a + b) * 2
    view = c[1:]  # a view of something pending is pending with it
    assert view._pending
    assert view.tolist() == [4.0]  # reading flushes
    loss = c.sum()
    loss.backward()  # through everything that waits
assert not loss._pending
print("loss", loss.item(), "gradient", a.grad.tolist())
assert a.grad.tolist() == [2.0, 2.0]

# A shape that does not fit is an error where the mistake is, not at the flush.
with torch.pipeline():
    try:
        a + torch.ones(3, device="npu")
    except RuntimeError as error:
        print("at once:", error)

# Leaving by an exception runs what was recorded, as eager code would have.
try:
    with torch.pipeline():
        kept = a * 10
        raise ValueError("something else went wrong")
except ValueError:
    assert not kept._pending and kept.tolist() == [10.0, -20.0]
