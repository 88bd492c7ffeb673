"""Programs as recipes and guides show them: what they print is what is compared."""

import io
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch import optim
from torch.utils.data import DataLoader, Dataset, random_split


class Network(nn.Module):
    def __init__(self):
        super().__init__()
        self.flatten = nn.Flatten()
        self.linear_relu_stack = nn.Sequential(
            nn.Linear(6 * 6, 12), nn.ReLU(), nn.Linear(12, 12), nn.ReLU(), nn.Linear(12, 4)
        )

    def forward(self, x):
        return self.linear_relu_stack(self.flatten(x))


def step_profiler():
    from torch.profiler import ProfilerActivity, profile, record_function, schedule

    model, x = Network(), torch.rand(2, 1, 6, 6)
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as prof:
        with record_function("model_inference"):
            model(x)
    table = prof.key_averages().table(sort_by="cpu_time_total", row_limit=10)
    keys = {e.key for e in prof.key_averages()}
    shapes = [
        e.input_shapes
        for e in prof.key_averages(group_by_input_shape=True)
        if e.key == "aten::addmm"
    ]
    path = os.path.join(tempfile.mkdtemp(), "trace.json")
    prof.export_chrome_trace(path)
    steps = []
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=1, warmup=1, active=2),
        on_trace_ready=lambda p: steps.append(p.step_num),
    ) as p:
        for _ in range(6):
            model(x)
            p.step()
    return [
        "model_inference" in table,
        {"aten::linear", "aten::addmm", "aten::relu"} <= keys,
        shapes,
        os.path.getsize(path) > 100,
        steps,
    ]


def step_amp():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 4))
    opt = optim.SGD(net.parameters(), lr=0.01)
    scaler = torch.amp.GradScaler("cpu", enabled=True)
    losses = []
    for _ in range(3):
        with torch.autocast(device_type="cpu", dtype=torch.bfloat16, enabled=True):
            output = net(torch.randn(4, 8))
            kind = output.dtype
            loss = F.mse_loss(output, torch.zeros(4, 4))
        scaler.scale(loss).backward()
        scaler.unscale_(opt)
        torch.nn.utils.clip_grad_norm_(net.parameters(), max_norm=0.1)
        scaler.step(opt)
        scaler.update()
        opt.zero_grad()
        losses.append(round(loss.item(), 2))
    return [losses, str(kind), str(loss.dtype), scaler.get_scale()]


def step_dataset():
    class Faces(Dataset):
        def __init__(self, transform=None):
            self.transform = transform

        def __len__(self):
            return 10

        def __getitem__(self, idx):
            if torch.is_tensor(idx):
                idx = idx.tolist()
            sample = {
                "image": np.full((4, 4, 3), idx, np.float32),
                "landmarks": np.ones((5, 2)) * idx,
            }
            return self.transform(sample) if self.transform else sample

    class ToTensor:
        def __call__(self, sample):
            return {
                "image": torch.from_numpy(sample["image"].transpose((2, 0, 1))),
                "landmarks": torch.from_numpy(sample["landmarks"]),
            }

    torch.manual_seed(0)
    loader = DataLoader(Faces(ToTensor()), batch_size=4, shuffle=True, num_workers=0)
    train, test = random_split(Faces(), [0.8, 0.2], generator=torch.Generator().manual_seed(1))
    return [
        [
            [i, b["image"].size(), b["landmarks"][:, 0, 0], str(b["landmarks"].dtype)]
            for i, b in enumerate(loader)
        ],
        train.indices,
        len(test),
    ]


def step_saving():
    net = Network()
    opt = optim.Adam(net.parameters(), lr=0.01)
    net(torch.rand(1, 1, 6, 6)).sum().backward()
    opt.step()
    buffer = io.BytesIO()
    torch.save(
        {
            "epoch": 5,
            "model_state_dict": net.state_dict(),
            "optimizer_state_dict": opt.state_dict(),
            "loss": 0.4,
        },
        buffer,
    )
    buffer.seek(0)
    checkpoint = torch.load(buffer, weights_only=True)
    again, opt2 = Network(), optim.Adam(Network().parameters())
    lines = [f"{k}\t{v.size()}" for k, v in checkpoint["model_state_dict"].items()]
    again.load_state_dict(checkpoint["model_state_dict"])
    opt2.load_state_dict(checkpoint["optimizer_state_dict"])
    missing = again.load_state_dict(
        {"linear_relu_stack.0.weight": torch.zeros(12, 36)}, strict=False
    )
    with torch.device("meta"):
        empty = Network()
    empty.load_state_dict(checkpoint["model_state_dict"], assign=True)
    whole = io.BytesIO()
    torch.save(nn.Linear(2, 2), whole)
    whole.seek(0)
    try:
        torch.load(whole)
        refused = False
    except Exception as error:
        refused = type(error).__name__
    whole.seek(0)
    return [
        lines,
        str(missing),
        opt2.state_dict()["param_groups"],
        next(empty.parameters()).device.type,
        refused,
        str(torch.load(whole, weights_only=False)),
    ]


def step_torchscript():
    class MyDecisionGate(torch.nn.Module):
        def forward(self, x):
            if x.sum() > 0:
                return x
            else:
                return -x

    class MyCell(torch.nn.Module):
        def __init__(self, dg):
            super().__init__()
            self.dg, self.linear = dg, torch.nn.Linear(4, 4)

        def forward(self, x, h):
            new_h = torch.tanh(self.dg(self.linear(x)) + h)
            return new_h, new_h

    torch.manual_seed(0)
    gate = torch.jit.script(MyDecisionGate())
    cell = MyCell(gate)
    scripted = torch.jit.script(cell)
    traced = torch.jit.trace(nn.Linear(4, 4), torch.rand(2, 4))

    @torch.jit.script
    def loop(x, n: int):
        for _ in range(n):
            x = x + 1
        return x

    x, h = torch.rand(3, 4), torch.rand(3, 4)
    return [scripted(x, h), cell(x, h), gate(-x), traced(x).shape, loop(x, 3)]


def step_tensorboard():
    from torch.utils.tensorboard import SummaryWriter

    folder = tempfile.mkdtemp()
    with SummaryWriter(folder) as writer:
        for n in range(5):
            writer.add_scalar("Loss/train", n * 0.1, n)
            writer.add_scalars("run", {"a": n, "b": n * 2}, n)
        writer.add_histogram("h", torch.randn(20), 0)
        writer.add_image("img", torch.rand(3, 4, 4))
        writer.add_images("imgs", torch.rand(2, 3, 4, 4))
        writer.add_text("t", "hello", 0)
        writer.add_pr_curve("pr", torch.tensor([0, 1, 1]), torch.tensor([0.1, 0.8, 0.6]), 0)
        writer.add_hparams({"lr": 0.1, "bsize": 1}, {"hparam/accuracy": 10})
        writer.add_embedding(torch.rand(4, 3), metadata=list("abcd"), global_step=1)
        writer.add_graph(Network(), torch.rand(1, 1, 6, 6))
        writer.flush()
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(folder).Reload()
    return [
        events.Tags()["scalars"],
        [e.value for e in events.Scalars("Loss/train")],
        events.Tags()["images"],
    ]


def step_schedulers():
    found = {}
    s = optim.lr_scheduler
    for name, make in {
        "step": lambda o: s.StepLR(o, 2, 0.5),
        "multi": lambda o: s.MultiStepLR(o, [1, 3], 0.1),
        "exp": lambda o: s.ExponentialLR(o, 0.9),
        "cos": lambda o: s.CosineAnnealingLR(o, 5),
        "warm": lambda o: s.CosineAnnealingWarmRestarts(o, 2, 2),
        "cyc": lambda o: s.CyclicLR(o, 0.01, 0.1, 2, cycle_momentum=False),
        "one": lambda o: s.OneCycleLR(o, 0.1, total_steps=8),
        "poly": lambda o: s.PolynomialLR(o, 5, 2.0),
        "lin": lambda o: s.LinearLR(o, 0.3, total_iters=3),
        "lambda": lambda o: s.LambdaLR(o, lambda e: 0.95**e),
        "mult": lambda o: s.MultiplicativeLR(o, lambda e: 0.95),
        "seq": lambda o: s.SequentialLR(o, [s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)], [2]),
        "chain": lambda o: s.ChainedScheduler([s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)]),
    }.items():
        o = optim.SGD([nn.Parameter(torch.ones(1))], lr=0.5, momentum=0.9)
        scheduler, rates = make(o), []
        for _ in range(6):
            o.step()
            scheduler.step()
            rates.append(scheduler.get_last_lr()[0])
        found[name] = rates
    return found


def step_swa():
    torch.manual_seed(0)
    model = Network()
    average = torch.optim.swa_utils.AveragedModel(model)
    ema = torch.optim.swa_utils.AveragedModel(
        model, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.9)
    )
    o = optim.SGD(model.parameters(), lr=0.1)
    swa = torch.optim.swa_utils.SWALR(o, swa_lr=0.05)
    for _ in range(4):
        o.zero_grad()
        model(torch.rand(2, 1, 6, 6)).square().mean().backward()
        o.step()
        average.update_parameters(model)
        ema.update_parameters(model)
        swa.step()
    torch.optim.swa_utils.update_bn([torch.rand(2, 1, 6, 6)], average)
    return [average(torch.ones(1, 1, 6, 6)), ema(torch.ones(1, 1, 6, 6)), int(average.n_averaged)]


def step_memory_format():
    x = torch.empty(2, 3, 4, 4).to(memory_format=torch.channels_last)
    y = nn.Conv2d(3, 8, 3).to(memory_format=torch.channels_last)(x)
    return [x.stride(), y.is_contiguous(memory_format=torch.channels_last), x.shape, y.stride()]


def step_optimizer_in_backward():
    model, lines = Network(), []
    opts = {p: optim.SGD([p], lr=0.1) for p in model.parameters()}

    def hook(parameter):
        opts[parameter].step()
        opts[parameter].zero_grad()

    for p in model.parameters():
        p.register_post_accumulate_grad_hook(hook)
    for _ in range(2):
        loss = model(torch.ones(1, 1, 6, 6)).square().sum()
        loss.backward()
        lines.append(loss.item())
    return [lines, [p.grad for p in model.parameters()]]


def step_compile():
    @torch.compile
    def opt_foo(x, y):
        return torch.sin(x) + torch.cos(y)

    return opt_foo(torch.ones(2), torch.zeros(2))


def step_extending():
    class ScalarTensor:
        def __init__(self, n, value):
            self._N, self._value = n, value

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func is torch.mean:
                return float(args[0]._value) / args[0]._N
            return NotImplemented

    class Logged(torch.Tensor):
        seen = []

        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            cls.seen.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs or {})

    a = torch.ones(2).as_subclass(Logged)
    b = (a + 1).sum()
    return [torch.mean(ScalarTensor(5, 2)), type(b).__name__, Logged.seen]


def step_custom_ops():
    @torch.library.custom_op("client::numpy_sin", mutates_args=())
    def numpy_sin(x: torch.Tensor) -> torch.Tensor:
        return torch.from_numpy(np.sin(x.detach().numpy()))

    @numpy_sin.register_fake
    def _(x):
        return torch.empty_like(x)

    def setup(ctx, inputs, output):
        ctx.save_for_backward(inputs[0])

    numpy_sin.register_autograd(lambda ctx, g: g * ctx.saved_tensors[0].cos(), setup_context=setup)
    x = torch.ones(3, requires_grad=True)
    y = numpy_sin(x)
    y.sum().backward()
    return [y, x.grad, torch.ops.client.numpy_sin(torch.zeros(1))]
