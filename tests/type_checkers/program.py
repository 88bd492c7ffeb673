"""What users write, as they write it: a checker finds nothing to say, and knows the types."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, assert_type

import mindtorch as torch
import mindtorch.nn.functional as F
from mindtorch import Tensor, nn, optim
from mindtorch.autograd import Function
from mindtorch.utils.data import DataLoader, Dataset, TensorDataset

DEVICE = torch.device("npu" if torch.npu.is_available() else "cpu")


class Squares(Dataset[tuple[Tensor, Tensor]]):
    """Points and their squares."""

    def __init__(self, count: int) -> None:
        self.points = torch.linspace(-1, 1, count)

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        x = self.points[index]
        return x.unsqueeze(0), (x**2).unsqueeze(0)


class Cube(Function):
    """x³ with its own gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**3

    # pyright says of torch's own Function, too, that this differs from ``*grad_outputs``.
    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:  # pyright: ignore
        (x,) = ctx.saved_tensors
        result: Tensor = 3 * x**2 * grad
        return result


class Net(nn.Module):
    """Two layers, a parameter and a buffer."""

    scale: Tensor

    def __init__(self, width: int = 8, dropout: float = 0.1) -> None:
        super().__init__()
        self.first = nn.Linear(1, width)
        self.norm = nn.LayerNorm(width)
        self.layers = nn.ModuleList([nn.Linear(width, width) for _ in range(2)])
        self.head = nn.Sequential(nn.ReLU(), nn.Dropout(dropout), nn.Linear(width, 1))
        self.shift = nn.Parameter(torch.zeros(1))
        self.register_buffer("scale", torch.ones(1))

    def forward(self, x: Tensor) -> Tensor:
        x = F.gelu(self.norm(self.first(x)))
        for layer in self.layers:
            x = x + F.relu(layer(x))
        out: Tensor = self.head(x) * self.scale + self.shift
        return out


def train(epochs: int = 2) -> float:
    """A training loop."""
    torch.manual_seed(0)
    model = Net().to(DEVICE)
    optimizer = optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    loader = DataLoader(Squares(64), batch_size=16, shuffle=True)
    criterion = nn.MSELoss()
    total = 0.0
    for _ in range(epochs):
        model.train()
        for x, y in loader:
            x, y = x.to(DEVICE), y.to(DEVICE, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            loss: Tensor = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            total += loss.item()
        scheduler.step()
    return total


@torch.no_grad()
def evaluate(model: nn.Module, batches: Iterator[tuple[Tensor, Tensor]]) -> float:
    """A function that records nothing."""
    model.eval()
    right = count = 0.0
    for x, y in batches:
        right += (model(x).argmax(dim=1) == y).sum().item()
        count += y.size(0)
    return right / count


def shapes(x: Tensor) -> None:
    """Sizes, indexing, views."""
    assert_type(x.shape, torch.Size)
    assert_type(x.size(), torch.Size)
    assert_type(x.size(0), int)
    assert_type(x.dim(), int)
    n, c = x.shape[0], x.shape[-1]
    assert_type(x[0], Tensor)
    assert_type(x[..., None, 1:3], Tensor)
    assert_type(x[x > 0], Tensor)
    assert_type(x[torch.arange(n), [0, 1]], Tensor)
    x[0, :] = 1.5
    x[x < 0] = torch.zeros(1)
    assert_type(x.view(n, -1), Tensor)
    assert_type(x.reshape((n, c)), Tensor)
    assert_type(x.permute(1, 0), Tensor)
    assert_type(x.transpose(0, 1).contiguous(), Tensor)
    assert_type(x.flatten(1).T, Tensor)
    assert_type(torch.cat([x, x], dim=0), Tensor)
    assert_type(torch.stack((x, x)), Tensor)
    first, second = x.chunk(2, dim=1)
    assert_type(first, Tensor)
    assert_type(x.split(2), tuple[Tensor, ...])
    assert_type(torch.split(x, [1, 2], dim=0), tuple[Tensor, ...])
    for row in x:
        assert_type(row, Tensor)


def numbers(x: Tensor) -> None:
    """Arithmetic, comparisons, reductions."""
    assert_type(torch.add(x, 1), Tensor)
    assert_type(torch.add(x, x, alpha=2), Tensor)
    assert_type(1 - x / 2 + 3 * x**2, Tensor)
    assert_type(-x, Tensor)
    assert_type(x @ x, Tensor)
    assert_type(x == 1, Tensor)
    assert_type(x != x, Tensor)
    assert_type((x > 0) & ~(x < 1), Tensor)
    assert_type(x.sum(), Tensor)
    assert_type(x.mean(dim=0, keepdim=True), Tensor)
    assert_type(x.sum((0, 1)), Tensor)
    assert_type(x.std(0), Tensor)
    assert_type(x.max(), Tensor)
    assert_type(x.max(dim=0), torch.return_types.max)
    values, indices = x.max(dim=0)
    assert_type(values, Tensor)
    assert_type(torch.topk(x, k=2).indices, Tensor)
    assert_type(torch.sort(x, descending=True).values, Tensor)
    assert_type(torch.where(x > 0, x, 0.0), Tensor)
    assert_type(torch.clamp(x, min=0), Tensor)
    assert_type(x.clamp_(0, 1).mul_(2).add_(x), Tensor)
    assert_type(torch.einsum("ij,jk->ik", x, x), Tensor)
    assert_type(torch.allclose(x, x), bool)
    assert_type(torch.equal(x, x), bool)
    assert_type(x.numel(), int)
    assert_type(float(x.sum()), float)
    assert_type(torch.linalg.norm(x), Tensor)
    assert_type(torch.linalg.svd(x).S, Tensor)
    assert_type(torch.fft.rfft(x), Tensor)
    assert_type(torch.special.expit(x), Tensor)
    x += 1
    x *= x
    assert_type(x, Tensor)


def making(size: tuple[int, int]) -> None:
    """Constructors, dtypes, devices."""
    assert_type(torch.float32, torch.dtype)
    assert_type(torch.tensor([1.0, 2.0], requires_grad=True), Tensor)
    assert_type(torch.zeros(2, 3), Tensor)
    assert_type(torch.zeros(size, dtype=torch.float16, device="npu:0"), Tensor)
    assert_type(torch.ones(3, dtype=int), Tensor)
    assert_type(torch.empty(2, device=DEVICE), Tensor)
    assert_type(torch.randn(2, 3, generator=torch.Generator().manual_seed(1)), Tensor)
    assert_type(torch.randint(0, 10, (3,)), Tensor)
    assert_type(torch.arange(0, 10, 2), Tensor)
    assert_type(torch.full((2,), 1.5), Tensor)
    assert_type(torch.eye(3), Tensor)
    x = torch.rand(4)
    assert_type(torch.zeros_like(x), Tensor)
    assert_type(x.new_zeros(2, 2), Tensor)
    assert_type(x.to(torch.float64), Tensor)
    assert_type(x.to("cpu", torch.int32), Tensor)
    assert_type(x.to(device=DEVICE, dtype=torch.bfloat16), Tensor)
    assert_type(x.float().half().long().bool().int(), Tensor)
    assert_type(x.type(torch.int8), Tensor)
    assert_type(x.npu().cpu(), Tensor)
    assert_type(x.dtype, torch.dtype)
    assert_type(x.device, torch.device)
    assert_type(x.dtype.is_floating_point, bool)
    assert_type(torch.from_numpy(x.numpy()), Tensor)
    assert_type(torch.finfo(torch.float32).eps, float)


def gradients() -> None:
    """Gradients, hooks, modes."""
    x = torch.ones(3, requires_grad=True)
    y = Cube.apply(x).sum()
    (dx,) = torch.autograd.grad(y, x, create_graph=True)
    assert_type(dx, Tensor)
    y.backward(retain_graph=True)
    if x.grad is not None:
        assert_type(x.grad.norm(), Tensor)
    handle = x.register_hook(lambda grad: grad * 2)
    handle.remove()
    assert_type(x.detach().requires_grad_(), Tensor)
    assert_type(x.requires_grad, bool)
    assert_type(x.is_leaf, bool)
    with torch.no_grad():
        x.data.fill_(0)
        x.copy_(torch.ones(3))
    with torch.enable_grad(), torch.autocast("npu", dtype=torch.bfloat16):
        (x * 2).sum().backward()
    with torch.inference_mode():
        torch.is_grad_enabled()
    jacobian = torch.func.jacrev(lambda t: t**2)(x)
    torch.vmap(torch.sin)(x)
    torch.utils.checkpoint.checkpoint(lambda t: t * 2, x, use_reentrant=False)
    print(jacobian)


def losses(logits: Tensor, target: Tensor) -> Tensor:
    """``nn.functional``."""
    assert_type(F.cross_entropy(logits, target, label_smoothing=0.1), Tensor)
    assert_type(F.softmax(logits, dim=-1), Tensor)
    assert_type(F.log_softmax(logits, dim=-1).exp(), Tensor)
    assert_type(F.dropout(logits, p=0.5, training=True), Tensor)
    assert_type(F.linear(logits, torch.ones(3, 3)), Tensor)
    assert_type(F.conv2d(logits[None, None], torch.ones(1, 1, 3, 3), padding=1), Tensor)
    assert_type(F.max_pool2d(logits[None], 2), Tensor)
    assert_type(F.layer_norm(logits, (3,)), Tensor)
    assert_type(F.interpolate(logits[None, None], scale_factor=2.0, mode="bilinear"), Tensor)
    assert_type(F.pad(logits, (1, 1), value=0.0), Tensor)
    assert_type(F.one_hot(target, num_classes=3), Tensor)
    assert_type(F.embedding(target, torch.ones(3, 4)), Tensor)
    assert_type(F.scaled_dot_product_attention(logits, logits, logits, is_causal=True), Tensor)
    return F.nll_loss(logits.log(), target, reduction="sum") + F.mse_loss(logits, logits)


def layers() -> None:
    """Modules and their parts."""
    model = nn.Sequential(
        nn.Conv2d(3, 8, kernel_size=3, padding="same"),
        nn.BatchNorm2d(8),
        nn.ReLU(inplace=True),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(8, 10, bias=False, device=DEVICE, dtype=torch.float32),
    )
    count = sum(p.numel() for p in model.parameters() if p.requires_grad)
    for name, parameter in model.named_parameters():
        print(name, parameter.shape, parameter.grad, count)
    nn.init.xavier_uniform_(nn.Linear(2, 2).weight)
    nn.init.zeros_(model.get_parameter("0.bias"))
    nn.utils.rnn.pad_sequence([torch.ones(2), torch.ones(3)], batch_first=True)
    model.apply(lambda module: None)
    model.register_forward_hook(lambda module, inputs, output: None)
    assert_type(model.half().to("npu").train(False), nn.Sequential)
    lstm = nn.LSTM(4, 8, num_layers=2, batch_first=True)
    out, (h, c) = lstm(torch.ones(1, 2, 4))
    print(out.shape, h.shape, c.shape)


def saving(model: nn.Module, optimizer: optim.Optimizer, path: Path) -> None:
    """State and files."""
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
    state = torch.load(path, map_location="cpu", weights_only=True)
    model.load_state_dict(state["model"], strict=True)
    optimizer.load_state_dict(state["optimizer"])
    buffer = io.BytesIO()
    torch.save(torch.ones(2), buffer)


def data() -> None:
    """Datasets."""
    dataset = TensorDataset(torch.ones(4, 2), torch.zeros(4))
    parts = torch.utils.data.random_split(dataset, [3, 1])
    loader = DataLoader(parts[0], batch_size=2, num_workers=0, drop_last=True)
    for batch in loader:
        print(len(batch))


def devices() -> None:
    """Streams and memory of the accelerator."""
    stream = torch.npu.Stream()
    with torch.npu.stream(stream):
        x = torch.ones(3, device="npu")
    stream.synchronize()
    event = torch.npu.Event(enable_timing=True)
    event.record(stream)
    torch.npu.synchronize()
    print(x.is_npu, torch.npu.memory_allocated(), torch.cuda.is_available())
    with torch.pipeline():
        (x + 1).sum()
    torch.backends.cudnn.benchmark = True
    torch.set_default_dtype(torch.float64)
    torch.use_deterministic_algorithms(True)
    print(torch.ops.aten.add.Tensor(x, x), torch.__version__)
    compiled = torch.compile(Net())
    print(compiled)
