"""Averages of models: the same numbers as torch's, by every way of averaging."""

from __future__ import annotations

import pytest

from .both_frameworks import agree, ours, same, torch


def model(t, seed=0):
    t.manual_seed(seed)
    net = t.nn.Sequential(t.nn.Linear(3, 4), t.nn.BatchNorm1d(4), t.nn.Linear(4, 2))
    with t.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(t.arange(p.numel()).reshape(p.shape) / 10 + i)
    return net


def changed(t, net, by):
    with t.no_grad():
        for p in net.parameters():
            p.mul_(by).add_(0.1)
        for b in net.buffers():
            b.add_(1)


WAYS = {
    "equal": lambda s: {},
    "equal_by_one": lambda s: {"avg_fn": s.get_swa_avg_fn()},
    "equal_by_many": lambda s: {"multi_avg_fn": s.get_swa_multi_avg_fn()},
    "exponential": lambda s: {"avg_fn": s.get_ema_avg_fn(0.9)},
    "exponential_by_many": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn(0.9)},
    "exponential_by_default": lambda s: {"multi_avg_fn": s.get_ema_multi_avg_fn()},
    "own": lambda s: {"avg_fn": lambda a, p, n: a + (p - a) / (2 * n + 1)},
}


@pytest.mark.parametrize("buffers", [False, True])
@pytest.mark.parametrize("way", WAYS)
def test_averages(way, buffers):
    """Parameters, buffers and counts after each of four updates."""
    if buffers and way == "equal_by_many":
        pytest.skip("lists of integers have no equal averages, see test_refusals")
    seen = []
    for t in (ours, torch):
        net = model(t)
        utils = t.optim.swa_utils
        averaged = utils.AveragedModel(net, use_buffers=buffers, **WAYS[way](utils))
        told = [repr(averaged), list(averaged.state_dict())]
        for i in range(4):
            changed(t, net, 1.1 + i / 10)
            averaged.update_parameters(net)
            told.append({k: v.tolist() for k, v in averaged.state_dict().items()})
        told.append(averaged.eval()(t.ones(2, 3)).tolist())
        seen.append(told)
    assert seen[0][:2] == seen[1][:2]
    for mine, theirs in zip(seen[0][2:-1], seen[1][2:-1]):
        assert list(mine) == list(theirs)
        for key in mine:
            assert torch.allclose(torch.tensor(mine[key]), torch.tensor(theirs[key]), rtol=1e-6)
    assert torch.allclose(torch.tensor(seen[0][-1]), torch.tensor(seen[1][-1]), rtol=1e-4)


def batches(t):
    return [t.arange(12.0).reshape(4, 3) * (i + 1) / 7 for i in range(3)]


@pytest.mark.parametrize("training", [False, True])
def test_statistics_are_computed_anew(training):
    """``update_bn`` takes tensors and pairs; modes and momenta come back."""

    def statistics(t):
        net = model(t).train(training)
        norm = net[1]
        norm.running_mean += 3
        t.optim.swa_utils.update_bn(batches(t), net)
        first = [round(x, 4) for x in norm.running_mean.tolist() + norm.running_var.tolist()]
        t.optim.swa_utils.update_bn([(b, 3) for b in batches(t)], net, device="cpu")
        second = [round(x, 4) for x in norm.running_mean.tolist() + norm.running_var.tolist()]
        return first, second, norm.momentum, net.training, norm.num_batches_tracked.item()

    mine, theirs = statistics(ours), statistics(torch)
    assert mine[2:] == theirs[2:]
    for a, b in zip(mine[:2], theirs[:2]):
        assert a == pytest.approx(b, rel=1e-4, abs=1e-3)


def test_a_model_without_statistics_is_left_alone():
    """No batch is read."""
    agree(lambda t: t.optim.swa_utils.update_bn(3, t.nn.Linear(2, 2)))


def test_a_saved_average_goes_on():
    """``state_dict`` holds the count."""

    def program(t):
        net = model(t)
        one = t.optim.swa_utils.AveragedModel(net)
        one.update_parameters(net)
        changed(t, net, 2.0)
        two = t.optim.swa_utils.AveragedModel(net)
        two.load_state_dict(one.state_dict())
        two.update_parameters(net)
        return [round(x, 4) for x in two.module[0].weight.flatten().tolist()], two.n_averaged.item()

    agree(program)


REFUSALS = [
    lambda t, s: s.get_ema_avg_fn(2.0),
    lambda t, s: s.get_ema_multi_avg_fn(-0.1),
    lambda t, s: s.AveragedModel(model(t), avg_fn=min, multi_avg_fn=max),
    lambda t, s: s.get_swa_multi_avg_fn()([t.tensor([4])], [t.tensor([8])], 2),
    lambda t, s: s.get_swa_multi_avg_fn()([t.tensor([4])], [t.tensor([8])], t.tensor(2)),
]


@pytest.mark.parametrize("case", range(len(REFUSALS)))
def test_refusals(case):
    """Decays out of range; two functions at once."""
    result, _ = same(lambda t: REFUSALS[case](t, t.optim.swa_utils))
    assert result[0] != "value"


def test_averages_on_an_npu():
    """``device`` moves the copy."""
    net = model(ours)
    averaged = ours.optim.swa_utils.AveragedModel(net, device="npu")
    averaged.update_parameters(net)
    changed(ours, net, 3.0)
    averaged.update_parameters(net)
    host = ours.optim.swa_utils.AveragedModel(model(ours))
    host.update_parameters(model(ours))
    host.update_parameters(net)
    for mine, want in zip(averaged.parameters(), host.parameters()):
        assert mine.device.type == "npu"
        ours.testing.assert_close(mine.cpu(), want)
