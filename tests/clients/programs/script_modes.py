"""Switches that scripts set: default dtype and device, determinism, gradient modes, printing."""

import warnings

import torch
from torch import nn
from torch.nn import functional as F


def _message(function, *arguments, **options):
    """The type and the text of the error that a call raises."""
    try:
        function(*arguments, **options)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["none", ""]


def step_default_dtype():
    before = torch.get_default_dtype()
    try:
        torch.set_default_dtype(torch.float64)
        found = [
            torch.tensor([1.0]).dtype,
            torch.ones(2).dtype,
            torch.tensor([1]).dtype,
            torch.tensor([1j]).dtype,
            nn.Linear(2, 2).weight.dtype,
            torch.arange(0, 1, 0.5).dtype,
            torch.linspace(0, 1, 3).dtype,
            (torch.ones(2, dtype=torch.int64) / 2).dtype,
            torch.tensor(3).sqrt().dtype,
            torch.randn(2).dtype,
            torch.get_default_dtype(),
        ]
        values = torch.randn(3)
        layer = nn.GRU(2, 3)
        out = layer(torch.randn(4, 1, 2))[0]
        text = repr(torch.ones(2)) + repr(torch.ones(2, dtype=torch.float32))
    finally:
        torch.set_default_dtype(before)
    return [
        [str(d) for d in found],
        values,
        out,
        text,
        _message(torch.set_default_dtype, torch.int32),
        _message(torch.set_default_dtype, "float32"),
    ]


def step_half_default():
    try:
        torch.set_default_dtype(torch.bfloat16)
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
        x = torch.randn(5, 3)
        loss = model(x).square().mean()
        loss.backward()
        found = [str(loss.dtype), loss, model[0].weight.grad]
    finally:
        torch.set_default_dtype(torch.float32)
    return found


def step_default_tensor_type():
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            torch.set_default_tensor_type(torch.DoubleTensor)
            found = [torch.ones(1).dtype, torch.Tensor([1, 2]).dtype]
            torch.set_default_tensor_type("torch.FloatTensor")
            found.append(torch.Tensor([1]).dtype)
        finally:
            torch.set_default_dtype(torch.float32)
    return [[str(d) for d in found], [str(w.message).split(" (")[0] for w in seen]]


def step_default_device():
    try:
        torch.set_default_device("meta")
        made = [
            torch.ones(2),
            torch.tensor([1.0]),
            torch.randn(3),
            torch.arange(4),
            torch.empty(2, 2),
            nn.Linear(2, 3).weight,
            torch.as_tensor([1, 2]),
            torch.zeros(2, device="cpu"),
        ]
        found = [t.device.type for t in made]
        default = str(torch.get_default_device())
    finally:
        torch.set_default_device(None)
    return [found, default, str(torch.get_default_device()), torch.ones(1).device.type]


def step_device_context():
    with torch.device("meta"):
        inside = torch.ones(2)
        with torch.device("cpu"):
            again = torch.ones(2)
        like = torch.ones_like(again)
    return [str(inside.device), str(again.device), str(like.device)]


def step_devices():
    return [
        repr(torch.device("cuda:1")),
        torch.device("cuda", 0).index,
        torch.device("cuda") == torch.device("cuda", 0),
        torch.device(torch.device("cpu")).type,
        str(torch.device("cpu", 0)),
        hash(torch.device("cpu")) == hash(torch.device("cpu")),
        _message(torch.device, "gpu")[0],
        _message(torch.device, "cuda:-1"),
        _message(torch.device, ""),
        torch.device(type="cuda", index=2).index,
        torch.cuda.is_available(),
        torch.cuda.device_count(),
        torch.backends.mps.is_available(),
        torch.accelerator.is_available(),
    ]


def step_refused_devices():
    return [
        _message(torch.ones(1).cuda)[0],
        _message(torch.ones, 1, device="cuda")[0],
        _message(nn.Linear(1, 1).cuda)[0],
        _message(torch.ones(1).to, "mps")[0],
        torch.cuda.is_bf16_supported() if torch.cuda.is_available() else False,
    ]


def step_deterministic():
    torch.use_deterministic_algorithms(True)
    try:
        found = [
            torch.are_deterministic_algorithms_enabled(),
            torch.is_deterministic_algorithms_warn_only_enabled(),
            torch.empty(3).isnan().all(),
            torch.empty(3, dtype=torch.int32),
            torch.zeros(3).index_add_(0, torch.tensor([0, 0, 2]), torch.ones(3)),
            torch.zeros(2).scatter_add_(0, torch.tensor([0, 0]), torch.ones(2)),
        ]
        x = torch.randn(1, 1, 4, 4, requires_grad=True)
        F.interpolate(x, scale_factor=2, mode="bilinear").sum().backward()
        found.append(x.grad)
    finally:
        torch.use_deterministic_algorithms(False)
    torch.use_deterministic_algorithms(True, warn_only=True)
    found.append(torch.get_deterministic_debug_mode())
    torch.use_deterministic_algorithms(False)
    torch.set_deterministic_debug_mode("error")
    found.append(torch.are_deterministic_algorithms_enabled())
    torch.set_deterministic_debug_mode(0)
    return found


def step_backend_flags():
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.deterministic = True
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.set_float32_matmul_precision("high")
    found = [
        torch.backends.cudnn.benchmark,
        torch.backends.cudnn.deterministic,
        torch.backends.cuda.matmul.allow_tf32,
        torch.get_float32_matmul_precision(),
        _message(torch.set_float32_matmul_precision, "low"),
    ]
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.benchmark = torch.backends.cudnn.deterministic = False
    with torch.backends.cudnn.flags(enabled=False, benchmark=True):
        found.append([torch.backends.cudnn.enabled, torch.backends.cudnn.benchmark])
    return found


def step_seeds():
    found = [torch.initial_seed()]
    state = torch.get_rng_state()
    a = torch.rand(2)
    torch.set_rng_state(state)
    found += [torch.equal(a, torch.rand(2)), str(state.dtype), list(state.shape)]
    generator = torch.Generator()
    found.append(generator.initial_seed())
    generator.manual_seed(5)
    found += [torch.randn(2, generator=generator), torch.randperm(5, generator=generator)]
    with torch.random.fork_rng():
        torch.manual_seed(9)
        found.append(torch.rand(1))
    found.append(torch.rand(1))
    torch.cuda.manual_seed_all(3)
    torch.manual_seed(-1)
    found += [torch.rand(1), torch.initial_seed()]
    return found


def step_inference_mode():
    weight = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        out = weight * 2
        inner = torch.is_inference_mode_enabled()
    copied = out.clone()
    copied.requires_grad_()
    return [
        out.requires_grad,
        out.is_inference(),
        inner,
        torch.is_inference_mode_enabled(),
        _message(out.requires_grad_),
        _message(lambda: (out * weight).sum().backward()),
        _message(lambda: out.add_(1)),
        _message(lambda: out._version),
        copied.is_inference(),
    ]


def step_decorators():
    @torch.no_grad()
    def quiet(x):
        return x * 2

    @torch.inference_mode()
    def fast(x):
        return x * 3

    @torch.enable_grad()
    def loud(x):
        return x * 4

    @torch.no_grad
    def bare(x):
        return x * 5

    @torch.set_grad_enabled(False)
    def switched(x):
        return x * 6

    @torch.no_grad()
    def generator(x):
        for i in range(2):
            yield torch.is_grad_enabled(), x * i

    x = torch.ones(1, requires_grad=True)
    with torch.no_grad():
        found = [loud(x).requires_grad]
    found += [f(x).requires_grad for f in (quiet, fast, bare, switched)]
    torch.set_grad_enabled(True)
    walked = []
    for inside, value in generator(x):
        walked.append([inside, torch.is_grad_enabled(), value.requires_grad])
    return [found, walked, quiet.__name__, torch.is_grad_enabled()]


def step_nested_modes():
    found = []
    with torch.no_grad():
        found.append(torch.is_grad_enabled())
        with torch.enable_grad():
            found.append(torch.is_grad_enabled())
            with torch.set_grad_enabled(False):
                found.append(torch.is_grad_enabled())
        found.append(torch.is_grad_enabled())
    previous = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    found.append(torch.is_grad_enabled())
    torch.set_grad_enabled(previous)
    return found


def step_anomaly():
    x = torch.tensor([-1.0], requires_grad=True)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        with torch.autograd.detect_anomaly():
            message = _message(lambda: (torch.sqrt(x) * 0).sum().backward())
    return [message, len(seen) > 0, torch.is_anomaly_enabled()]


def step_autocast():
    model = nn.Sequential(nn.Linear(4, 4), nn.LayerNorm(4), nn.Softmax(-1))
    x = torch.randn(2, 4)
    found = []
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = model[0](x)
        found += [out.dtype, model[1](out).dtype, model(x).dtype, (x @ x.t()).dtype]
        found.append(torch.is_autocast_enabled("cpu"))
        with torch.autocast("cpu", enabled=False):
            found.append(model(x).dtype)
        found += [F.mse_loss(out, x).dtype, torch.cat([out, x]).dtype, out.sum().dtype]
        found.append(torch.get_autocast_dtype("cpu"))
    found.append(torch.is_autocast_enabled("cpu"))
    return [str(f) for f in found]


def step_print_options():
    found = [repr(torch.tensor([1e-8, 1.0, 1000.0])), repr(torch.arange(2000))]
    torch.set_printoptions(precision=2, sci_mode=False, threshold=5, edgeitems=1, linewidth=40)
    found += [repr(torch.linspace(0, 1, 9)), repr(torch.arange(60.0).reshape(6, 10) / 7)]
    torch.set_printoptions(profile="default")
    found += [
        repr(torch.tensor([float("nan"), float("inf"), -1.5])),
        repr(torch.ones(2, requires_grad=True) * 2),
        repr(nn.Parameter(torch.zeros(2, 2))),
        repr(torch.tensor(True)),
        repr(torch.zeros(0, 3)),
        repr(torch.ones(2, dtype=torch.float16)),
        repr(torch.tensor([1 + 2j])),
        repr(torch.ones(2, device="meta")),
        f"{torch.tensor(3.14159):.2f}",
        str(torch.Size([1, 2])),
        repr(torch.float32),
        repr(torch.strided),
        repr(torch.channels_last),
    ]
    return found


def step_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    found = [torch.get_num_threads(), _message(torch.set_num_threads, 0)]
    torch.set_num_threads(before)
    return found


def step_warn_always():
    found = [torch.is_warn_always_enabled()]
    torch.set_warn_always(True)
    found.append(torch.is_warn_always_enabled())
    torch.set_warn_always(False)
    return found


def step_types():
    t = torch.ones(2)
    return [
        t.type(),
        t.type(torch.LongTensor).type(),
        t.type("torch.DoubleTensor").type(),
        isinstance(t, torch.FloatTensor),
        isinstance(t, torch.LongTensor),
        torch.is_tensor(t),
        torch.is_floating_point(t),
        torch.is_storage(t.untyped_storage()),
        torch.typename(t),
        torch.typename(nn.Linear(1, 1)),
        torch.typename(3),
        torch.FloatTensor(2).shape,
        torch.LongTensor([1, 2]),
        torch.Tensor(2, 3).shape,
        torch.can_cast(torch.float, torch.int),
        str(torch.promote_types(torch.int8, torch.float16)),
        str(torch.result_type(torch.ones(1), 1j)),
        torch.finfo(torch.bfloat16).max,
        torch.iinfo(torch.int16).min,
        repr(torch.finfo(torch.float16)),
        repr(torch.iinfo(torch.uint8)),
    ]


def step_shape_errors():
    a, b = torch.ones(2, 3), torch.ones(4, 5)
    calls = [
        lambda: a @ b,
        lambda: a + b,
        lambda: a.view(7),
        lambda: torch.cat([a, b]),
        lambda: torch.stack([a, b]),
        lambda: nn.Linear(4, 2)(a),
        lambda: nn.Conv2d(3, 4, 3)(torch.ones(1, 2, 8, 8)),
        lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([0, 5])),
        lambda: F.cross_entropy(torch.ones(2, 3), torch.tensor([0])),
        lambda: F.binary_cross_entropy(torch.ones(2) * 2, torch.ones(2)),
        lambda: nn.Embedding(3, 2)(torch.tensor([4])),
        lambda: nn.Embedding(3, 2)(torch.tensor([0.5])),
        lambda: a.sum().backward(),
        lambda: torch.ones(2, requires_grad=True).mul(2).backward(),
        lambda: torch.ones(2, requires_grad=True).numpy(),
        lambda: torch.tensor([[1, 2], [3]]),
        lambda: a[2],
        lambda: a[0, 0, 0],
        lambda: a.item(),
        lambda: bool(a),
        lambda: a.long() @ a.t(),
        lambda: nn.BatchNorm1d(3)(torch.ones(1, 3)),
        lambda: nn.LSTM(3, 4)(torch.ones(2, 2, 5)),
        lambda: nn.MultiheadAttention(5, 2),
        lambda: torch.optim.SGD([], lr=0.1),
        lambda: torch.optim.Adam([torch.ones(1)], lr=-1),
        lambda: torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1, nesterov=True),
        lambda: nn.Module()(3),
        lambda: torch.ones(2).foo,
        lambda: torch.nothing,
        lambda: a.permute(0),
        lambda: a.expand(3, 3),
        lambda: torch.ones(2).reshape(-1, -1),
        lambda: F.softmax(a, dim=5),
        lambda: torch.ones(3, dtype=torch.int64).requires_grad_(),
        lambda: torch.randint(5, 5, (2,)),
        lambda: torch.multinomial(torch.zeros(3), 2),
        lambda: torch.zeros(2).normal_(0, -1),
    ]
    return [_message(call) for call in calls]
