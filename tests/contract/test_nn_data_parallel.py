"""torch.nn.parallel on the host, where modules are called as they are; its parts copy for real."""

import inspect

import pytest

from tests.contract.both_frameworks import ours, refuse, same, torch
from tests.contract.test_nn_utils import arange, filled, near, rounded


def test_names_and_signatures_are_the_oracles():
    for name in torch.nn.parallel.__all__:
        mine, theirs = (getattr(t.nn.parallel, name) for t in (ours, torch))
        wanted = list(inspect.signature(theirs).parameters)
        assert list(inspect.signature(mine).parameters) == wanted, name
        assert mine.__module__.replace("mindtorch", "torch") == theirs.__module__


def test_modules_on_the_host_are_called_as_they_are():
    def run(t):
        layer = t.nn.DataParallel(filled(t.nn.Linear(3, 2), t))
        y = layer(arange(t, 4, 3))
        y.sum().backward()
        return (
            y,
            [(n, p.grad) for n, p in layer.named_parameters()],
            repr(layer),
            layer.device_ids,
        )

    near(run)
    refuse(lambda t: t.nn.parallel.data_parallel(t.nn.Linear(3, 2), arange(t, 4, 3)))


def test_replicas_share_what_they_learn():
    t = ours
    layer = t.nn.Sequential(filled(t.nn.Linear(3, 2), t), t.nn.BatchNorm1d(2))
    x = arange(t, 4, 3)
    replicas = t.nn.parallel.replicate(layer, ["cpu", "cpu"])
    parts = t.nn.parallel.scatter((x,), ["cpu", "cpu"])
    assert [tuple(p[0].shape) for p in parts] == [(2, 3), (2, 3)]
    found = t.nn.parallel.parallel_apply([r[0] for r in replicas], parts)
    joined = t.nn.parallel.gather(found, "cpu")
    assert rounded(joined, t) == rounded(layer[0](x), t)
    joined.sum().backward()
    got = [p.grad.clone() for p in layer[0].parameters()]
    layer.zero_grad()
    layer[0](x).sum().backward()
    assert rounded(got, t) == rounded([p.grad for p in layer[0].parameters()], t)
    assert list(replicas[0].parameters()) == []


def test_structures_are_taken_apart_and_put_together():
    t = ours
    x = arange(t, 4, 2)
    given = {"a": [x, 3], "b": (x * 2,)}
    parts = t.nn.parallel.scatter(given, ["cpu", "cpu"])
    assert [p["a"][1] for p in parts] == [3, 3]
    back = t.nn.parallel.gather([p["b"] for p in parts], "cpu")
    assert rounded(back[0], t) == rounded(x * 2, t)


def test_errors_of_replicas_say_where():
    t = ours
    bad = t.nn.Linear(3, 2)
    with pytest.raises(RuntimeError, match="Caught RuntimeError in replica 1"):
        t.nn.parallel.parallel_apply([t.nn.ReLU(), bad], [t.ones(1), t.ones(1, 5)])
    refuse(lambda t: t.nn.parallel.parallel_apply([t.nn.ReLU()], []))
    same(lambda t: str(type(t.nn.parallel.comm.reduce_add).__name__))
