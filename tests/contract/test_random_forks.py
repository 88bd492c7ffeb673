"""``torch.random``: forked generators of kinds of devices, and names."""

import inspect

import pytest

from tests.contract.both_frameworks import ours, same, torch


@pytest.mark.parametrize(
    "arguments",
    [
        {"device_type": "cuda", "enabled": False},
        {"device_type": "cuda", "devices": []},
        {"device_type": "cuda", "devices": [0]},
        {"device_type": "mps", "devices": []},
        {"device_type": "xpu"},
        {"device_type": "xla"},
        {"device_type": "meta"},
        {"devices": [], "enabled": False},
    ],
    ids=str,
)
def test_numbers_after_a_fork(arguments):
    def drawn(t):
        t.manual_seed(3)
        with t.random.fork_rng(**arguments):
            inside = t.rand(2)
        return [inside, t.rand(2)]

    same(drawn)


def test_no_thread_of_a_loader():
    def workers(t):
        class Numbers(t.utils.data.Dataset):
            def __len__(self):
                return 3

            def __getitem__(self, i):
                return t.random.thread_safe_generator() is None

        return list(t.utils.data.DataLoader(Numbers(), batch_size=None))

    assert same(workers)[0] == ("value", [True, True, True])


def test_names_and_signatures():
    assert ours.random.__all__ == torch.random.__all__
    for name in torch.random.__all__:
        mine, theirs = (getattr(t.random, name) for t in (ours, torch))
        names = [list(inspect.signature(f).parameters) for f in (mine, theirs)]
        assert names[0] == names[1], name
    assert ours.random.default_generator is ours.default_generator
