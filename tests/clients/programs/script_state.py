"""State of modules and optimizers as scripts treat it: dicts, hooks, loading, files, meta."""

import io
import os
import pickle
import tempfile
from collections import OrderedDict

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(OrderedDict(fc=nn.Linear(3, 4), norm=nn.BatchNorm1d(4)))
        self.head = nn.Linear(4, 2)
        self.register_buffer("scale", torch.ones(2))
        self.register_buffer("scratch", torch.zeros(1), persistent=False)

    def forward(self, x):
        return self.head(self.body(x).relu()) * self.scale


def _message(function, *arguments, **options):
    """The type and the text of the error that a call raises."""
    try:
        function(*arguments, **options)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["none", ""]


def step_keys_and_metadata():
    model = Net()
    state = model.state_dict()
    return [
        list(state),
        type(state).__name__,
        {k: dict(v) for k, v in state._metadata.items()},
        [t.requires_grad for t in state.values()],
        [t.requires_grad for t in model.state_dict(keep_vars=True).values()],
        list(model.state_dict(prefix="model.")),
    ]


def step_state_is_shared():
    model = Net()
    state = model.state_dict()
    with torch.no_grad():
        model.head.bias.fill_(7.0)
    return [state["head.bias"], state["head.bias"].data_ptr() == model.head.bias.data_ptr()]


def step_not_strict():
    model = Net()
    state = model.state_dict()
    del state["head.bias"]
    state["extra.weight"] = torch.ones(1)
    result = model.load_state_dict(state, strict=False)
    return [result.missing_keys, result.unexpected_keys, repr(result), type(result).__name__]


def step_matched():
    return repr(Net().load_state_dict(Net().state_dict()))


def step_strict_messages():
    model, state = Net(), Net().state_dict()
    del state["head.bias"], state["body.fc.weight"]
    state["extra.weight"] = torch.ones(1)
    state["head.weight"] = torch.ones(3, 3)
    return [
        _message(model.load_state_dict, state),
        _message(model.load_state_dict, {"head.weight": torch.ones(3, 3)}, strict=False),
        _message(model.load_state_dict, 3),
        _message(model.load_state_dict, {"head.weight": "text"}, strict=False),
    ]


def step_assign():
    model, other = Net(), Net().double()
    model.load_state_dict(other.state_dict(), assign=True)
    return [
        str(model.head.weight.dtype),
        model.head.weight.requires_grad,
        type(model.head.weight).__name__,
        model.head.weight.data_ptr() == other.head.weight.data_ptr(),
        str(model.scale.dtype),
    ]


def step_meta_to_empty():
    with torch.device("meta"):
        model = Net()
    found = [str(p.device) for p in model.parameters()]
    refused = _message(model.to, "cpu")
    torch.manual_seed(1)
    reference = Net()
    model.to_empty(device="cpu")
    model.load_state_dict(reference.state_dict())
    x = torch.randn(4, 3)
    return [found, refused, model.eval()(x), reference.eval()(x)]


def step_meta_assign():
    reference = Net().eval()
    with torch.device("meta"):
        model = Net().eval()
    model.load_state_dict(reference.state_dict(), assign=True)
    model.scratch = torch.zeros(1)
    x = torch.ones(2, 3)
    return [torch.equal(model(x), reference(x)), model.scale.is_meta]


def step_skip_init():
    layer = torch.nn.utils.skip_init(nn.Linear, 3, 4)
    return [list(layer.weight.shape), layer.weight.requires_grad, str(layer.weight.device)]


def step_state_hooks():
    calls = []
    model = Net()

    def after(module, state, prefix, local):
        calls.append(("state", prefix, type(module).__name__))
        state[prefix + "added"] = torch.tensor(3.0)

    def before(module, prefix, keep):
        calls.append(("pre", prefix, keep))

    def load_before(module, state, prefix, local, strict, missing, unexpected, errors):
        calls.append(("load_pre", prefix, strict))
        state.pop(prefix + "added", None)

    def load_after(module, incompatible):
        calls.append(("load_post", len(incompatible.missing_keys)))

    handles = [
        model.head.register_state_dict_post_hook(after),
        model.head.register_state_dict_pre_hook(before),
        model.head.register_load_state_dict_pre_hook(load_before),
        model.register_load_state_dict_post_hook(load_after),
    ]
    state = model.state_dict()
    keys = list(state)
    model.load_state_dict(state)
    for handle in handles:
        handle.remove()
    return [keys, calls, list(model.state_dict())]


def step_rename_old_keys():
    class New(nn.Module):
        def __init__(self):
            super().__init__()
            self.linear = nn.Linear(2, 2)

        def _load_from_state_dict(self, state_dict, prefix, *rest):
            for key in list(state_dict):
                if key.startswith(prefix + "fc."):
                    state_dict[key.replace("fc.", "linear.")] = state_dict.pop(key)
            super()._load_from_state_dict(state_dict, prefix, *rest)

    model = New()
    result = model.load_state_dict({"fc.weight": torch.eye(2), "fc.bias": torch.zeros(2)})
    return [str(result), model.linear.weight]


def step_extra_state():
    class Counter(nn.Module):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.layer = nn.Linear(1, 1)

        def get_extra_state(self):
            return {"count": self.count}

        def set_extra_state(self, state):
            self.count = state["count"]

    model, other = Counter(), Counter()
    model.count = 5
    other.load_state_dict(model.state_dict())
    return [list(model.state_dict()), other.count, _message(Net().set_extra_state, 1)]


def step_save_and_load():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        model = Net()
        torch.save({"model": model.state_dict(), "epoch": 3, "text": "a", "t": (1, 2.5)}, path)
        found = torch.load(path, map_location="cpu", weights_only=True)
        mapped = torch.load(path, mmap=True)
        meta = torch.load(path, map_location="meta")
        return [
            found["epoch"],
            found["text"],
            found["t"],
            type(found["model"]).__name__,
            all(torch.equal(found["model"][k], v) for k, v in model.state_dict().items()),
            all(torch.equal(mapped["model"][k], v) for k, v in model.state_dict().items()),
            {str(v.device) for v in meta["model"].values()},
        ]


def step_map_locations():
    buffer = io.BytesIO()
    torch.save([torch.ones(2), torch.zeros(3)], buffer)
    found = []
    for where in (
        "cpu",
        torch.device("cpu"),
        {"cpu": "cpu"},
        lambda storage, location: storage,
        lambda storage, location: None,
    ):
        buffer.seek(0)
        found.append([t.device.type for t in torch.load(buffer, map_location=where)])
    return found


def step_weights_only():
    buffer = io.BytesIO()
    torch.save(Net(), buffer)
    buffer.seek(0)
    refused = _message(torch.load, buffer)
    buffer.seek(0)
    model = torch.load(buffer, weights_only=False)
    with torch.serialization.safe_globals([OrderedDict]):
        known = torch.serialization.get_safe_globals()
    return [
        refused[0],
        refused[1].splitlines()[0],
        "safe_globals" in refused[1],
        type(model).__name__,
        OrderedDict in known,
    ]


def step_aliases_survive_saving():
    buffer = io.BytesIO()
    base = torch.arange(6.0)
    torch.save({"base": base, "view": base[2:4], "t": base.reshape(2, 3).t()}, buffer)
    buffer.seek(0)
    found = torch.load(buffer)
    found["base"].zero_()
    return [found["view"], found["t"], found["t"].stride(), found["view"].storage_offset()]


def step_pickle_model():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(2, 3), nn.GELU(), nn.LayerNorm(3))
    again = pickle.loads(pickle.dumps(model))
    x = torch.ones(1, 2)
    return [torch.equal(model(x), again(x)), repr(again)]


def step_file_contents():
    import zipfile

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "weights.pt")
        torch.save({"w": torch.arange(4.0)}, path)
        with zipfile.ZipFile(path) as archive:
            names = sorted(archive.namelist())
            order = archive.read("weights/byteorder").decode()
            version = archive.read("weights/version").decode()
        return [names, order, version]


def step_old_format():
    buffer = io.BytesIO()
    torch.save(
        {"w": torch.arange(4.0), "b": torch.ones(2).half()},
        buffer,
        _use_new_zipfile_serialization=False,
    )
    buffer.seek(0)
    return {k: [v, str(v.dtype)] for k, v in torch.load(buffer).items()}


def step_bad_files():
    with tempfile.TemporaryDirectory() as folder:
        empty = io.BytesIO()
        return [
            _message(torch.load, empty)[0],
            _message(torch.load, os.path.join(folder, "none.pt"))[0],
            _message(torch.save, {"f": lambda: 1}, io.BytesIO())[0],
        ]


def step_optimizer_state():
    torch.manual_seed(0)
    model = Net()
    optimizer = torch.optim.AdamW(
        [{"params": model.body.parameters(), "lr": 0.01}, {"params": model.head.parameters()}],
        lr=0.1,
    )
    for _ in range(2):
        optimizer.zero_grad()
        model(torch.randn(4, 3)).square().mean().backward()
        optimizer.step()
    state = optimizer.state_dict()
    again = torch.optim.AdamW(
        [{"params": model.body.parameters()}, {"params": model.head.parameters()}], lr=1.0
    )
    again.load_state_dict(state)
    return [
        {k: list(v) for k, v in state["state"].items()},
        [sorted(g) for g in state["param_groups"]],
        [g["lr"] for g in again.param_groups],
        [g["params"] for g in state["param_groups"]],
        _message(torch.optim.SGD(model.parameters(), lr=1).load_state_dict, state),
        repr(again),
    ]


def step_named_optimizer():
    model = Net()
    optimizer = torch.optim.SGD(model.named_parameters(), lr=0.1, momentum=0.9)
    return [optimizer.param_groups[0]["param_names"], optimizer.state_dict()["param_groups"]]


def step_optimizer_hooks():
    calls = []
    parameter = nn.Parameter(torch.ones(2))
    optimizer = torch.optim.SGD([parameter], lr=0.1)
    optimizer.register_step_pre_hook(lambda o, a, k: calls.append("pre"))
    optimizer.register_step_post_hook(lambda o, a, k: calls.append("post"))
    optimizer.register_state_dict_post_hook(lambda o, s: calls.append("state"))
    optimizer.register_load_state_dict_pre_hook(lambda o, s: calls.append("load"))
    parameter.sum().backward()
    optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    return [calls, parameter]


def step_resume_is_identical():
    def make():
        torch.manual_seed(3)
        model = nn.Sequential(nn.Linear(4, 8), nn.Dropout(0.2), nn.Tanh(), nn.Linear(8, 1))
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        return model, optimizer, torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 10)

    def train(parts, steps):
        model, optimizer, schedule = parts
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(torch.randn(5, 4)).square().mean()
            loss.backward()
            optimizer.step()
            schedule.step()
        return loss

    whole = make()
    train(whole, 6)
    first = make()
    train(first, 3)
    buffer = io.BytesIO()
    torch.save([p.state_dict() for p in first] + [torch.get_rng_state()], buffer)
    buffer.seek(0)
    second = make()
    *states, random = torch.load(buffer)
    for part, state in zip(second, states, strict=True):
        part.load_state_dict(state)
    torch.set_rng_state(random)
    train(second, 3)
    same = [torch.equal(a, b) for a, b in zip(whole[0].parameters(), second[0].parameters())]
    return [same, [p for p in second[0].parameters()], second[2].get_last_lr()]


def step_swap_and_requires_grad():
    model = Net()
    model.requires_grad_(False)
    model.head.requires_grad_(True)
    trainable = [n for n, p in model.named_parameters() if p.requires_grad]
    model.half()
    halves = {str(t.dtype) for t in model.state_dict().values()}
    model.to(torch.float64)
    return [
        trainable,
        sorted(halves),
        str(model.scratch.dtype),
        model.body.norm.num_batches_tracked,
    ]


def step_apply_and_trees():
    model = Net()

    def init(module):
        if isinstance(module, nn.Linear):
            nn.init.constant_(module.weight, 0.5)
            nn.init.zeros_(module.bias)

    model.apply(init)
    return [
        [n for n, _ in model.named_modules()],
        [n for n, _ in model.named_children()],
        [n for n, _ in model.named_buffers()],
        [n for n, _ in model.named_parameters(recurse=False)],
        model.get_submodule("body.fc").in_features,
        list(model.get_parameter("head.weight").shape),
        model.get_buffer("scale"),
        _message(model.get_submodule, "body.none"),
        _message(model.get_parameter, "body.fc"),
        _message(getattr, model, "nothing"),
    ]
