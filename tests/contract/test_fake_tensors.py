"""Fake tensors: what programs get of shapes, strides, devices and history, and what is refused."""

from __future__ import annotations

import copy
import importlib
import logging
import warnings

import pytest

from .rows import report

#: Run under a mode; ``x`` is fake, ``r`` real, ``w`` a fake leaf that requires grad.
INSIDE = """
x
x @ x.t()
t.empty(2, device="meta")
t.tensor([1.0, 2])
t.tensor(3).item()
x.nonzero()
bool(x.sum() > 0)
x.to("meta")
x.to(t.float64)
t.nn.Linear(3, 4)(x)
x.add_(1)
x.add_(1) is x
t.cat([x, x])
x[0]
x[:, 1:].stride()
x.sum()
x.max(0)
x.split(1)
x.view(6)
x.t().stride()
t.rand(2)
t.arange(3)
t.zeros_like(x)
x.new_ones(2, dtype=t.int32)
t.nn.functional.conv2d(t.ones(1, 3, 8, 8), t.ones(4, 3, 3, 3))
t.add(x, x, out=t.empty(2, 3))
t.ones(3, dtype=t.int64)
x.mean().backward()
(w * 2).sum()
t.autograd.grad((w * w).sum(), w)
x + r
r + 1
t.nn.Sequential(t.nn.Conv2d(1, 2, 3), t.nn.ReLU(), t.nn.Flatten(), t.nn.Linear(72, 5))(t.ones(2, 1, 8, 8))
x.dtype, x.device, x.is_meta, x.requires_grad, x.numel(), type(x).__name__
t.where(x > 0, x, 0.0)
x.softmax(0) * 2 - x ** 2
x.unsqueeze(0).expand(4, 2, 3).stride()
x.sort()
t.einsum("ij,kj->ik", x, x)
x[t.tensor([0, 1])]
x[x > 0]
x.index_put((t.tensor([0]),), x[1])
(x.t_(), x, x.stride())
(x.unsqueeze_(0), x)
(x.resize_(7), x)
(x.as_strided_((2,), (1,)), x)
(x.resize_as_(t.ones(2)), x)
(x.set_(t.ones(5)), x)
(setattr(x, "data", t.ones(5)), x)
(x.view(6)._is_view(), x.view(6)._base is x)
(x.view(6).add_(1), x._version)
(x.untyped_storage().nbytes(), x.untyped_storage().device)
x.detach().untyped_storage()._cdata == x.untyped_storage()._cdata
(t.tensor(3) * 2).item(), int(t.tensor(3)), bool(t.tensor(3) > 2)
t.tensor(3).add_(1).item(), t.tensor([2]).tolist(), t.tensor(3).view(1).item()
t.tensor([3, 4])[0].item()
t.tensor([3, 4]).tolist()
x.tolist()
t.arange(t.tensor(3))
t.nn.Parameter(x)
isinstance(t.nn.Linear(2, 2).weight, t.nn.Parameter), t.nn.Linear(2, 2).weight
fake.FakeTensor.from_tensor(r, mode)
fake.FakeTensor(mode, r, r.device)
fake.FakeTensor(1)
mode.is_infra_mode(), mode.shape_env, mode.static_shapes
t._C._get_dispatch_mode(t._C._TorchDispatchModeKey.FAKE) is mode
trained(t, t.optim.Adam)
trained(t, t.optim.SGD), trained(t, t.optim.AdamW), trained(t, t.optim.Adagrad)
""".strip().splitlines()  # noqa: E501 - one program a line
OUTSIDE = """
f
f + 1
f + r
(f * f).sum()
mode.from_tensor(r) is f
mode.from_tensor(r.double().t()).stride()
fake.FakeTensorMode().from_tensor(f)
f.fake_mode is mode, f.fake_device
f.requires_grad_().mul(2)
facts(mode.from_tensor(w))
facts(mode.from_tensor(w * 2))
facts(mode.from_tensor((w * 2)[0]))
facts(mode.from_tensor(w[0]))
facts(mode.from_tensor(r[1:, 1:].t()))
facts(mode.from_tensor(r.expand(2, 2, 3)))
facts(mode.from_tensor(t.view_as_real(r.to(t.cfloat))))
facts(mode.from_tensor(r.to(t.cfloat).conj()))
facts(mode.from_tensor(t.nn.Parameter(r)))
facts(mode.from_tensor(with_gradient(w)))
mode.from_tensor(t.tensor(3)).item()
mode.from_tensor(1)
copy.deepcopy(mode.from_tensor(w)).fake_mode is mode
f.untyped_storage().nbytes()
f + t.nn.Parameter(r)
nested(fake, mode, t)
""".strip().splitlines()


def facts(f):
    """What a stand-in tells of its history and memory."""
    history = f.grad_fn and f.grad_fn.name()
    place = f.storage_offset(), f.untyped_storage().nbytes()
    with warnings.catch_warnings(action="ignore"):
        return f, f._is_view(), f._base, f.is_leaf, history, f.stride(), place, f.grad, f.is_conj()


def with_gradient(w):
    """A leaf that has a gradient."""
    leaf = w.detach().clone().requires_grad_()
    leaf.grad = leaf.detach() + 1
    return leaf


def trained(t, optimizer):
    """What two steps make of a layer's weight."""
    layer = t.nn.Linear(3, 2)
    steps = optimizer(layer.parameters(), lr=0.1)
    for _ in range(2):
        steps.zero_grad()
        layer(t.ones(4, 3)).sum().backward()
        steps.step()
    return layer.weight, layer.weight.grad


def nested(fake, mode, t):
    """Which of two modes makes tensors, inside of both, of one twice, and after it."""
    with mode:
        with fake.FakeTensorMode() as other:
            found = [t.ones(1).fake_mode is other]
        with mode:
            found.append(t.ones(1).fake_mode is mode)
        return [*found, t.ones(1).fake_mode is mode]


HELPERS = {f.__name__: f for f in (facts, with_gradient, trained, nested)} | {"copy": copy}


def outcome(name, source, inside):
    """The printed result of *source*, or its error."""
    t = importlib.import_module(name)
    fake = importlib.import_module(f"{name}._subclasses")
    mode, r = fake.FakeTensorMode(), t.ones(2, 3)
    scope = {"t": t, "fake": fake, "mode": mode, "r": r, "f": mode.from_tensor(r), **HELPERS}
    scope["w"] = t.ones(2, 2, requires_grad=True)
    try:
        if inside:
            with mode:
                scope |= {"x": t.ones(2, 3), "w": t.ones(2, requires_grad=True)}
                text = repr(eval(source, scope))
        else:
            text = repr(eval(source, scope))
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
    return text.replace("mindtorch", "torch").partition(" object at 0x")[0]


@pytest.mark.parametrize("inside", [True, False], ids=["under a mode", "outside"])
def test_fake_tensors_are_the_oracles(inside):
    """Every line of both lists."""
    logging.disable(logging.ERROR)  # torch logs what it raises
    try:
        lines = []
        for source in INSIDE if inside else OUTSIDE:
            ours, theirs = (outcome(n, source, inside) for n in ("mindtorch", "torch"))
            if ours != theirs:
                lines.append(f"{source}: ours {ours}, torch {theirs}")
        report(lines)
    finally:
        logging.disable(logging.NOTSET)


def test_real_tensors_are_converted_where_that_is_allowed():
    """``allow_non_fake_inputs``."""
    texts = []
    for name in ("mindtorch", "torch"):
        t = importlib.import_module(name)
        fake = importlib.import_module(f"{name}._subclasses")
        real = t.ones(2, 3)
        with fake.FakeTensorMode(allow_non_fake_inputs=True):
            texts.append(repr(real + 1))
    assert texts[0] == texts[1] == "FakeTensor(..., size=(2, 3))"


def test_what_libraries_ask_of_fake_tensors():
    """``is_fake``, the mode of a fake tensor, and leaving it for a while."""

    def asked(name):
        t = importlib.import_module(name)
        fake = importlib.import_module(f"{name}._subclasses.fake_tensor")
        mode = fake.FakeTensorMode()
        with mode:
            x = t.ones(2)
            with fake.unset_fake_temporarily() as left:
                found = [left is mode, fake.is_fake(t.ones(1))]
            found += [fake.is_fake(t.ones(1)), fake.is_fake(3), fake.is_fake(x)]
        with fake.unset_fake_temporarily() as left:
            found.append(left)
        found += [fake.maybe_get_fake_mode(x) is mode, fake.maybe_get_fake_mode(3)]
        return [*found, len(fake.get_plain_tensors(t.ones(1), out=[]))]

    assert asked("mindtorch") == asked("torch")


@pytest.mark.parametrize("shape", [(4, 3), (2, 3), (5, 2, 4, 3), (0, 3), (3, 3)])
@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_factors_lie_as_the_devices_library_lays_them_out(shape, device):
    """On the CPU by columns, as what is computed there; on meta as torch has it."""

    def strides(name):
        t = importlib.import_module(name)
        mode = importlib.import_module(f"{name}._subclasses").FakeTensorMode()
        with mode:
            x = t.empty(shape, device=device)
            found = [*t._linalg_svd(x), *t._linalg_svd(x, True), *t._linalg_svd(x, False, False)]
            square = t.empty(*shape[:-2], 3, 3, device=device)
            found += [*t.linalg.eig(square), *t.linalg.eigh(square), *t.linalg.svd(x)]
        return [(v.shape, v.stride(), v.device.type) for v in found]

    assert strides("mindtorch") == strides("torch")
