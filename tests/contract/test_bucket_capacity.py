"""How many bytes the buckets of ``DistributedDataParallel`` hold, by what it is made with."""

from __future__ import annotations

import importlib
import itertools

import pytest

from .both_frameworks import BOTH, agree, refuse
from .one_process_groups import groups_of_one

SIZES = (None, 0.5, 1, 25, 100)
LISTS = (None, [], [50], [10, 25, 50], [0.5, 0.25])


def parallel(t):
    return importlib.import_module(f"{t.__name__}.nn.parallel.distributed")


@pytest.mark.parametrize(("size", "sizes"), [*itertools.product(SIZES, LISTS)])
def test_capacities_follow_from_megabytes(size, sizes):
    def run(t):
        made = parallel(t)._BucketCapacityConfig.create(size, sizes, False)
        limits = [
            made.compute_bucket_size_limits(static, unused)
            for static, unused in itertools.product([False, True], repeat=2)
        ]
        return [
            made.bucket_bytes_cap,
            made.per_bucket_bytes_caps,
            made.first_bucket_bytes_cap,
            made.bucket_cap_mb,
            made.has_custom_per_bucket_caps,
            limits,
        ]

    agree(run)


def test_a_list_is_refused_where_gradients_are_reduced_in_python():
    refuse(lambda t: parallel(t)._BucketCapacityConfig.create(None, [1], True))
    agree(lambda t: parallel(t)._BucketCapacityConfig.create(None, [], True).bucket_bytes_cap)


def test_capacities_cannot_be_changed():
    def run(t):
        parallel(t)._BucketCapacityConfig.create(None, None, False).bucket_bytes_cap = 1

    refuse(run)


@pytest.mark.parametrize("how", [{}, {"bucket_cap_mb": 2}, {"bucket_cap_mb_list": [2, 1]}])
@pytest.mark.filterwarnings("ignore")
def test_a_parallel_module_shows_its_capacities(how):
    def run(t):
        made = t.nn.parallel.DistributedDataParallel(t.nn.Linear(2, 1), **how)
        made(t.ones(1, 2)).sum().backward()
        made(t.ones(1, 2)).sum().backward()
        return [
            made.bucket_bytes_cap,
            made.bucket_bytes_cap_list,
            made.bucket_bytes_cap_default,
            made.module.weight.grad,
        ]

    with groups_of_one():
        agree(run)


def test_the_settings_of_the_environment_are_printed(monkeypatch, capsys):
    monkeypatch.setenv("NCCL_ALGO", "Tree")
    monkeypatch.delenv("GLOO_SOCKET_IFNAME", raising=False)
    printed = []
    for t in BOTH:
        parallel(t)._dump_DDP_relevant_env_vars()
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "env:NCCL_ALGO=Tree\nenv" in printed[0]
