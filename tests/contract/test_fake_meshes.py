"""Meshes of several processes, as one of them sees them."""

from __future__ import annotations

import pickle

import pytest

from .both_frameworks import BOTH, outcome, torch
from .fake_ranks import fake_rank

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch


def mesh3(t):
    return t.distributed.init_device_mesh("cpu", (2, 2, 2), mesh_dim_names=("dp", "cp", "tp"))


def odd(t):
    """A mesh whose ranks are in no order."""
    ranks = [[5, 0, 2, 7], [1, 4, 6, 3]]
    return t.distributed.DeviceMesh("cpu", ranks, mesh_dim_names=("a", "b"))


def told(m):
    """What a mesh says of itself."""
    groups = [(g.size(), g.rank(), g.group_desc) for g in m.get_all_groups()]
    where = [m.get_coordinate(), [m.get_local_rank(d) for d in range(m.ndim)]]
    sizes = [m.shape, m.size(), m.ndim, m.mesh_dim_names, m._is_current_rank_part_of_mesh()]
    return [repr(m), m.mesh.tolist(), groups, where, sizes]


def ranks_of(t, m):
    return [t.distributed.get_process_group_ranks(g) for g in m.get_all_groups()]


MESHES = {
    "three dims": lambda t: [told(mesh3(t)), ranks_of(t, mesh3(t))],
    "one dim": lambda t: told(mesh3(t)["cp"]),
    "two dims": lambda t: told(mesh3(t)["dp", "tp"]),
    "two inner dims": lambda t: told(mesh3(t)["cp", "tp"]),
    "dim of two": lambda t: told(mesh3(t)["dp", "tp"]["tp"]),
    "in another order": lambda t: told(mesh3(t)["tp", "dp"]),
    "flattened": lambda t: told(mesh3(t)["dp", "cp"]._flatten("w")),
    "flattened apart": lambda t: [
        told(mesh3(t)["dp", "tp"]._flatten()),
        ranks_of(t, mesh3(t)["dp", "tp"]._flatten()),
    ],
    "flattened whole": lambda t: told(mesh3(t)._flatten("all")),
    "slice of flattened": lambda t: (lambda m: (m["dp", "cp"]._flatten("w"), told(m["w", "tp"])))(
        mesh3(t)
    )[1],
    "group of flattened": lambda t: (
        lambda m: (m["dp", "cp"]._flatten("w"), m.get_group("w").size())
    )(mesh3(t))[1],
    "flattened twice": lambda t: (
        lambda m: m["dp", "cp"]._flatten("w") is m["dp", "cp"]._flatten("w")
    )(mesh3(t)),
    "flattened otherwise": lambda t: (
        lambda m: (m["dp", "cp"]._flatten("w"), m["cp", "tp"]._flatten("w"))
    )(mesh3(t)),
    "flattened as a dim": lambda t: mesh3(t)["dp", "cp"]._flatten("tp"),
    "unflattened": lambda t: (
        lambda m: [
            told(m._unflatten(0, (2, 4), ("a", "b"))),
            told(m._unflatten("w", (2, 2, 2), "xyz")),
        ]
    )(t.distributed.init_device_mesh("cpu", (8,), mesh_dim_names=("w",))),
    "unflattened inside": lambda t: told(
        t.distributed.init_device_mesh("cpu", (2, 4), mesh_dim_names=("a", "b"))._unflatten(
            1, (2, 2), ("c", "d")
        )
    ),
    "unflattened wrong": lambda t: mesh3(t)._unflatten(0, (3, 2), ("a", "b")),
    "unflattened far": lambda t: mesh3(t)._unflatten(5, (3, 2), ("a", "b")),
    "unflattened unknown": lambda t: mesh3(t)._unflatten("z", (3, 2), ("a", "b")),
    "concatenated": lambda t: (lambda m: told(type(m)._concatenate([m["dp"], m["tp"]])))(mesh3(t)),
    "concatenated same": lambda t: (lambda m: type(m)._concatenate([m["dp"], m["dp"]]))(mesh3(t)),
    "slice twice": lambda t: mesh3(t)["dp", "dp"],
    "slice unknown": lambda t: mesh3(t)["dp", "x"],
    "slice of a slice": lambda t: mesh3(t)["dp"]["tp"],
    "all submeshes": lambda t: [m.mesh.tolist() for m in mesh3(t)._get_all_submeshes("cp")],
    "root": lambda t: [repr(mesh3(t)["cp"]._get_root_mesh()), mesh3(t)["cp"]._get_root_mesh_dim()],
    "no order": lambda t: [told(odd(t)), told(odd(t)["b"]), ranks_of(t, odd(t))],
    "part of the world": lambda t: (
        lambda m: [repr(m), m.get_coordinate(), m._is_current_rank_part_of_mesh()]
    )(t.distributed.DeviceMesh("cpu", [0, 2, 4])),
    "tensor": lambda t: told(t.distributed.DeviceMesh("cpu", t.arange(8).view(4, 2).t())),
    "too large": lambda t: t.distributed.init_device_mesh("cpu", (3, 3)),
    "unnamed": lambda t: t.distributed.init_device_mesh("cpu", (4, 2))["a"],
    "no dim": lambda t: t.distributed.init_device_mesh("cpu", (4, 2)).get_group(),
    "no local rank": lambda t: t.distributed.init_device_mesh("cpu", (4, 2)).get_local_rank(),
    "equal": lambda t: [
        mesh3(t) == mesh3(t),
        mesh3(t)["dp"] == mesh3(t)["cp"],
        hash(mesh3(t)) == hash(mesh3(t)),
    ],
    "pickled": lambda t: (lambda m: [repr(m), m.shape])(pickle.loads(pickle.dumps(mesh3(t)))),
    "from groups": lambda t: (
        lambda m: told(
            type(m).from_group(
                m.get_all_groups()[:2], "cpu", m["dp", "cp"].mesh, mesh_dim_names=("a", "b")
            )
        )
    )(mesh3(t)),
    "from a group": lambda t: (lambda m: told(type(m).from_group(m.get_group("cp"), "cpu")))(
        mesh3(t)
    ),
    "from groups without names": lambda t: (
        lambda m: type(m).from_group(m.get_all_groups()[:2], "cpu", m["dp", "cp"].mesh)
    )(mesh3(t)),
    "from a group with other ranks": lambda t: (
        lambda m: type(m).from_group(m.get_group("cp"), "cpu", [0, 1])
    )(mesh3(t)),
}


@pytest.mark.parametrize("rank", [0, 5])
@pytest.mark.parametrize("case", MESHES)
def test_meshes_as_torchs(case, rank):
    with fake_rank(rank, 8):
        got, want = (outcome(MESHES[case], t)[0] for t in BOTH)
    assert got == want
