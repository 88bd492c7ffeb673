"""What users get wrong: a checker tells of every line that says ``wrong``, and of no other."""

from __future__ import annotations

import mindtorch as torch
import mindtorch.nn.functional as F
from mindtorch import Tensor, nn, optim

x = torch.ones(2, 3)

# Names that do not exist.
torch.zeroes(2)  # wrong
x.summ()  # wrong
F.relux(x)  # wrong
nn.Linnear(2, 3)  # wrong
optim.Adamm([x])  # wrong
torch.linalg.nrom(x)  # wrong
torch.fft.ffft(x)  # wrong
torch.float33  # wrong
torch.npu.is_avaliable()  # wrong
torch.autograd.gradd(x.sum(), x)  # wrong
torch.utils.data.DataLoder([x])  # wrong
x.shpe  # wrong
x.grad.zero_()  # wrong

# Arguments that do not exist, are missing, or too many.
torch.add(x, x, beta=2)  # wrong
x.sum(dims=0)  # wrong
torch.cat([x, x], dimension=1)  # wrong
F.cross_entropy(x, x, smoothing=0.1)  # wrong
F.softmax(x, dtypes=torch.float32)  # wrong
nn.Linear(2)  # wrong
nn.Conv2d(1, 2, 3, paddings=1)  # wrong
optim.SGD([x], learning_rate=0.1)  # wrong
torch.matmul(x)  # wrong
torch.zeros(2, 3, requires_gradient=True)  # wrong
x.to("cpu", non_blokcing=True)  # wrong
torch.save(x)  # wrong

# Arguments of another type.
torch.add("1", x)  # wrong
torch.cat(1)  # wrong
x.view("2")  # wrong
x.sum(dim="0")  # wrong
torch.zeros(2, dtype="float32")  # wrong
torch.ones(2.5)  # wrong
torch.manual_seed([1])  # wrong
nn.Linear("2", 3)  # wrong
F.dropout(x, p="half")  # wrong
x.reshape(None)  # wrong
torch.where(x, x, "0")  # wrong
x + "1"  # wrong
x @ 2  # wrong
x["a"]  # wrong
x.requires_grad_("yes")  # wrong
x.contiguous(memory_format="channels_last")  # wrong
torch.randn(2, generator=1)  # wrong
torch.empty(2, layout="strided")  # wrong

# Results taken for something else.
number: float = x.sum()  # wrong
size: int = x.shape  # wrong
values: Tensor = x.max(dim=0)  # wrong
a, b, c = x.sort()  # wrong
x.max(dim=0).value  # wrong
text: str = x.dtype  # wrong
pair: tuple[Tensor, Tensor] = torch.add(x, 1)  # wrong
x.tolist().undefined
length: str = len(x)  # wrong
x.shape = (2, 3)  # wrong
torch.equal(x, x).item()  # wrong


class Net(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x: Tensor) -> Tensor:
        self.layer(x).undefined
        return x.shape  # wrong
