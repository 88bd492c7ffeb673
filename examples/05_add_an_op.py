"""An op of one's own: schema, kernel, meta and gradient, through ``torch.library``."""

import mindtorch as torch
from mindtorch_dispatch import dispatch, registry

lib = torch.library.Library("example", "DEF")
lib.define("cube(Tensor self) -> Tensor")


def cube(x: torch.Tensor) -> torch.Tensor:
    return x * x * x


class Cube(torch.autograd.Function):
    """Records the op; below autograd the backend's kernel runs."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return dispatch("example::cube", x.device, x.detach())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 3 * x * x


for key in ("CPU", "NPU", "Meta"):
    lib.impl("cube", cube, key)
lib.impl("cube", Cube.apply, "Autograd")

for device in ("cpu", "npu"):
    x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
    y = dispatch("example::cube", x.device, x)
    y.sum().backward()
    print(device, y.tolist(), x.grad.tolist())
    assert y.tolist() == [1.0, 8.0] and x.grad.tolist() == [3.0, 12.0]

shape_only = dispatch("example::cube", "meta", torch.empty(5, device="meta"))
assert shape_only.shape == (5,) and shape_only.device.type == "meta"
print(registry.get("example::cube").schema)
