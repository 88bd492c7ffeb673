"""tensordict: dictionaries of tensors, tensor classes, modules of named keys."""

import os
import tempfile

import torch
from tensordict import (
    LazyStackedTensorDict,
    MemoryMappedTensor,
    NonTensorData,
    TensorDict,
    TensorDictParams,
    from_module,
    tensorclass,
)
from tensordict.nn import (
    InteractionType,
    NormalParamExtractor,
    ProbabilisticTensorDictModule,
    TensorDictModule,
    TensorDictSequential,
    set_interaction_type,
)
from torch import nn


def _td():
    return TensorDict(
        {"a": torch.arange(6.0).reshape(3, 2), "b": {"c": torch.ones(3, 4), "d": torch.zeros(3)}},
        batch_size=[3],
    )


def step_basics():
    td = _td()
    td["e"] = torch.arange(3)
    td["b", "f"] = torch.full((3, 1), 2.0)
    return [
        sorted(map(str, td.keys(True, True))),
        td.batch_size,
        td["b", "c"],
        len(td),
        td.device,
        repr(td),
        td.is_empty(),
        td.numel(),
        td.get("none", 3),
        ("b", "c") in td.keys(True),
    ]


def step_shapes():
    td = _td()
    return [
        td[1].to_dict(),
        td[:2].batch_size,
        td[td["a"][:, 0] > 1].to_dict(),
        td.unsqueeze(0).batch_size,
        td.expand(2, 3).batch_size,
        td.reshape(1, 3).batch_size,
        td.view(3, 1).permute(1, 0).batch_size,
        td.squeeze().batch_size,
        td.repeat(2)["a"],
        [t["a"] for t in td.unbind(0)],
        [t.batch_size for t in td.split(2)],
        [t.batch_size for t in td.chunk(3)],
        td.gather(0, torch.tensor([2, 0]))["a"],
        td.repeat_interleave(2, dim=0).batch_size,
        td.flatten_keys(".").to_dict(),
    ]


def step_stacks():
    a, b = _td(), _td() * 2
    lazy = LazyStackedTensorDict.lazy_stack([a, b])
    return [
        torch.stack([a, b]).to_dict(),
        torch.cat([a, b]).batch_size,
        lazy.batch_size,
        lazy["a"],
        lazy[1]["b", "c"],
        torch.zeros_like(a)["a"],
        torch.ones_like(a)["b", "d"],
        torch.allclose(a["a"], b["a"]),
        (a == a).all(),
        torch.unbind(a, 0)[0].to_dict(),
    ]


def step_arithmetic():
    td = _td().float()
    return [
        (td + 1).to_dict(),
        (td * td).to_dict(),
        td.sum(dim=0).to_dict(),
        td.mean(dim=0)["a"],
        td.abs().neg().exp()["a"],
        td.clamp(0, 1)["a"],
        td.lerp(td * 2, 0.5)["a"],
        (td / 2)["a"],
        td.norm()["a"],
        td.add(td, alpha=2)["a"],
        td.sqrt().pow(2)["a"],
    ]


def step_changes():
    td = _td()
    td.update({"a": torch.zeros(3, 2)})
    td.rename_key_("a", "z")
    td.set_("z", torch.ones(3, 2))
    td.apply_(lambda x: x + 1)
    del td["b", "d"]
    selected, excluded = td.select("z"), td.exclude("z")
    locked = _td().lock_()
    try:
        locked["new"] = torch.ones(3)
        refused = ""
    except RuntimeError as error:
        refused = str(error)[:40]
    return [td.to_dict(), list(selected.keys()), list(excluded.keys()), refused, td.pop("z")]


def step_apply():
    td = _td()
    return [
        td.apply(lambda x: x.sum(-1) if x.ndim > 1 else x, batch_size=[3]).to_dict(),
        td.named_apply(lambda name, x: x + len(str(name)), nested_keys=True)["b", "c"],
        td.to(torch.float64)["a"].dtype,
        td.double()["b", "d"].dtype,
        td.bool()["a"],
        td.clone()["a"].data_ptr() != td["a"].data_ptr(),
        td.to("cpu").device,
        td.contiguous().is_contiguous(),
    ]


def step_memory_mapped():
    with tempfile.TemporaryDirectory() as folder:
        td = _td().memmap(folder)
        again = TensorDict.load_memmap(folder)
        td.memmap_refresh_()
        again["a"].fill_(5.0)
        part = MemoryMappedTensor.from_tensor(
            torch.arange(4), filename=os.path.join(folder, "x.mm")
        )
        return [
            sorted(os.listdir(folder)),
            TensorDict.load(folder)["a"],
            td["a"],
            td.is_memmap(),
            part + 1,
            type(part).__name__,
            type(part + 1).__name__,
        ]


def step_consolidate_and_save():
    td = _td().consolidate()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "td.pt")
        torch.save(_td(), path)
        again = torch.load(path, weights_only=False)
    return [td.is_consolidated(), td.to_dict(), again.to_dict(), list(_td().state_dict())]


def step_tensorclass():
    @tensorclass
    class Data:
        x: torch.Tensor
        y: torch.Tensor
        name: str = "none"

        def total(self):
            return self.x.sum() + self.y.sum()

    d = Data(x=torch.ones(3, 2), y=torch.arange(3.0), batch_size=[3], name="set")
    both = torch.stack([d, d])
    return [
        d.total(),
        d[0].x,
        both.batch_size,
        both.x.shape,
        d.name,
        (d + 1).y,
        d.to_tensordict()["x"],
        d.reshape(3, 1).shape,
    ]


def step_modules():
    first = TensorDictModule(nn.Linear(2, 4), in_keys=["a"], out_keys=["h"])
    second = TensorDictModule(lambda h, d: (h.relu(), h.sum(-1) + d), ["h", ("b", "d")], ["r", "s"])
    model = TensorDictSequential(first, second)
    out = model(_td())
    loss = out["r"].sum() + out["s"].sum()
    loss.backward()
    return [
        out["s"],
        first.module.weight.grad,
        model.in_keys,
        model.out_keys,
        model.select_subsequence(out_keys=["h"])(_td())["h"],
    ]


def step_probabilistic():
    net = TensorDictModule(
        nn.Sequential(nn.Linear(2, 4), NormalParamExtractor()), ["a"], ["loc", "scale"]
    )
    sampler = ProbabilisticTensorDictModule(
        in_keys=["loc", "scale"],
        out_keys=["x"],
        distribution_class=torch.distributions.Normal,
        return_log_prob=True,
    )
    model = TensorDictSequential(net, sampler)
    found = []
    for kind in (InteractionType.RANDOM, InteractionType.MEAN, InteractionType.DETERMINISTIC):
        with set_interaction_type(kind):
            out = model(_td())
            found.append([out["x"], out.get("x_log_prob", out.get("sample_log_prob", None))])
    return found


def step_functional_parameters():
    model = nn.Sequential(nn.Linear(2, 3), nn.Tanh(), nn.Linear(3, 1))
    params = from_module(model)
    x = torch.ones(4, 2)
    with params.data.mul(2).to_module(model):
        doubled = model(x)
    stacked = torch.stack([params.data, params.data * 0.5])

    def call(p, x):
        with p.to_module(model):
            return model(x)

    return [
        doubled,
        model(x),
        torch.vmap(call, (0, None))(stacked, x),
        len(list(TensorDictParams(params).parameters())),
    ]


def step_ensemble():
    from tensordict.nn import EnsembleModule

    model = EnsembleModule(TensorDictModule(nn.Linear(2, 1), ["a"], ["v"]), num_copies=3)
    return model(_td())["v"].shape


def step_non_tensors():
    td = TensorDict({"text": NonTensorData("hello"), "x": torch.ones(1)}, [])
    td["more"] = "words"
    both = torch.stack([td, td.clone().set("text", "bye")])
    return [
        td["text"],
        td["more"],
        both["text"] if isinstance(both["text"], (str, list)) else both.get("text").tolist(),
    ]


def step_map_and_gradients():
    td = _td().requires_grad_()
    total = sum(v.sum() for v in (td * 3).values(True, True))
    total.backward()
    return [
        td.grad.to_dict(),
        td.detach()["a"].requires_grad,
        td.data["a"],
        _td().map(_double, chunksize=0, num_workers=1).to_dict(),
    ]


def _double(td):
    return td * 2


def step_loader():
    td = TensorDict({"x": torch.arange(8.0), "y": torch.arange(8) % 2}, [8])
    loader = torch.utils.data.DataLoader(td, batch_size=3, collate_fn=lambda x: x)
    return [b["x"] for b in loader]
