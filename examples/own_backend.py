"""A backend of one's own, beside cpu and npu: memory with guarded borders, launches in a log.

A backend is one value, :class:`Backend`. This one's devices, ``demo:0`` and ``demo:1``, keep their
numbers in arrays of bytes of their own. Each block has a border of known bytes around it, so that a
kernel that writes past its results is found out; every launch is noted before it runs. Kernels,
views, gradients, copies, printing and files are what the rows of mindtorch say for any backend.
"""

from __future__ import annotations

import io
from collections import Counter

import mindtorch as torch
import numpy as np
from mindtorch.utils.backend_registration import Backend, register_backend
from mindtorch_dispatch import DispatchKey

BORDER, GUARD = 16, 0xA5


class Memory:
    """Gives the blocks of one device, and knows those that are in use."""

    def __init__(self) -> None:
        self.blocks: dict[int, np.ndarray] = {}

    def allocate(self, nbytes: int) -> Block:
        """A block of *nbytes* bytes between two borders."""
        return Block(self, nbytes)

    @property
    def in_use(self) -> int:
        """How many bytes tensors have."""
        return sum(len(whole) - 2 * BORDER for whole in self.blocks.values())

    def check(self) -> None:
        """Raise AssertionError where a border was written."""
        for whole in list(self.blocks.values()):  # what is freed meanwhile leaves the table
            assert (whole[:BORDER] == GUARD).all() and (whole[-BORDER:] == GUARD).all()


class Block:
    """Bytes of a device; ``array`` is where the numbers lie. They go back when nobody has them."""

    def __init__(self, memory: Memory, nbytes: int) -> None:
        whole = np.full(BORDER + nbytes + BORDER, GUARD, np.uint8)
        self.array = whole[BORDER : BORDER + nbytes]
        self.nbytes = nbytes
        self.data_ptr = self.array.ctypes.data if nbytes else 0
        self._memory = memory
        memory.blocks[id(self)] = whole

    def free(self) -> None:
        """Give the bytes back."""
        self._memory.blocks.pop(id(self), None)

    __del__ = free


MEMORY = [Memory(), Memory()]
LOG: Counter[str] = Counter()


def run(launch, device):
    """Note the launch, and let it compute into the memory of its results."""
    LOG[launch.name] += 1
    launch()
    MEMORY[device.index].check()


DEMO = Backend(
    name="demo",
    key=DispatchKey.PrivateUse2,
    allocator=lambda device: MEMORY[device.index],
    device_count=lambda: len(MEMORY),
    run=run,
)


def main() -> None:
    """What users do with tensors works on it."""
    register_backend(DEMO)
    x = torch.ones(3, device="demo")
    print(x, x.is_demo, torch.device("demo", 0) == x.device, MEMORY[0].in_use, "bytes")

    y = x.mul(2).add_(1)[1:]  # arithmetic, in place, a view
    y.neg_()
    torch.add(y, 1, out=(total := torch.empty(2, device="demo")))
    assert y.tolist() == [-3.0, -3.0] and y._base is not None and total.tolist() == [-2.0, -2.0]

    # To and from the host, the NPU, and the other device of its kind.
    for place in ("cpu", "npu", "demo:1"):
        there = y.to(place)
        assert str(there.device).startswith(place) and there.demo(0).equal(y)

    w = torch.randn(4, 2, device="demo", requires_grad=True)
    (w @ total).relu().sum().backward()
    assert w.grad.is_demo and w.grad.shape == (4, 2)

    model = torch.nn.Linear(2, 3).demo()
    assert model(total).is_demo
    torch.save(model.state_dict(), file := io.BytesIO())
    file.seek(0)
    weights = torch.load(file)  # to where they were
    assert weights["weight"].is_demo and weights["weight"].equal(model.weight)
    torch.nn.Linear(2, 3).load_state_dict(weights)  # to the host

    for other in (torch.ones(2), torch.ones(2, device="npu"), torch.ones(2, device="demo:1")):
        try:
            total + other
        except RuntimeError as error:
            print(error)

    before = LOG.total()
    with torch.pipeline():
        later = total * 10
        assert LOG.total() == before  # it is launched at the end of the block
    assert later.tolist() == [-20.0, -20.0]
    print(dict(LOG.most_common(5)))


if __name__ == "__main__":
    main()
