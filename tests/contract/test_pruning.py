"""``torch.ao.pruning``: masks, their levels from epoch to epoch, states, and what is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from .both_frameworks import agree, ours, outcome, part, refuse, same, torch


def pruning(home: Any) -> Any:
    """``torch.ao.pruning`` of a framework."""
    return part(home, "ao.pruning")


def model(home: Any) -> Any:
    """Linear layers, one below another, and a convolution; numbers of no two equal sizes."""
    nn = home.nn
    net = nn.Sequential(nn.Linear(8, 12), nn.ReLU(), nn.Sequential(nn.Linear(12, 6)), nn.Flatten())
    net.add_module("conv", nn.Conv2d(1, 4, 3))
    with home.no_grad():
        for number, parameter in enumerate(net.parameters()):
            count = parameter.numel()
            order = (home.arange(count) * 7 + number) % count
            parameter.copy_(((order.double() - count / 2.1) / count).view(parameter.shape))
    return net


def masks(sparsifier: Any) -> Any:
    """The masks of all groups."""
    return [
        getattr(group["module"].parametrizations, group["tensor_name"])[0].mask
        for group in sparsifier.groups
    ]


def stepped(home: Any, sparsifier: Any, config: Any = None) -> Any:
    """The masks after a step, and the model's outputs and names."""
    net = model(home)
    sparsifier.prepare(net, config)
    sparsifier.step()
    kept = masks(sparsifier), net[0](home.ones(2, 8)), list(net.state_dict())
    text = repr(sparsifier)
    sparsifier.squash_mask()
    return *kept, text, net[0].weight, list(net.state_dict()), type(net[0]).__name__


OPTIONS = [
    {},
    {"sparsity_level": 0.3, "sparse_block_shape": (1, 1)},
    {"sparsity_level": 0.7, "sparse_block_shape": (4, 1)},
    {"sparsity_level": 0.5, "sparse_block_shape": (3, 5)},
    {"sparsity_level": 0.5, "sparse_block_shape": (2, 2), "zeros_per_block": 1, "norm": 1},
    {"sparsity_level": 1.0, "sparse_block_shape": (1, 4), "zeros_per_block": 2},
    {"sparsity_level": 1.0},
    {"sparsity_level": 0.0},
    {"zeros_per_block": 0},
    {"zeros_per_block": 5},
    {"zeros_per_block": -1},
    {"sparse_block_shape": (5, 1), "zeros_per_block": 2},
    {"norm": 3},
    {"norm": abs},
]


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_blocks_of_the_smallest_norm_go(number: int) -> None:
    def program(home: Any) -> Any:
        return stepped(home, pruning(home).WeightNormSparsifier(**OPTIONS[number]))

    same(program)


@pytest.mark.parametrize("nearliness", [-1, 0, 1, 2, 3, 11, 13, 15])
def test_what_is_far_from_the_diagonal_goes(nearliness: int) -> None:
    def program(home: Any) -> Any:
        return stepped(home, pruning(home).NearlyDiagonalSparsifier(nearliness))

    same(program)


CONFIGS: dict[str, Any] = {
    "one tensor": [{"tensor_fqn": "0.weight"}],
    "options of its own": [{"tensor_fqn": "2.0.weight", "sparsity_level": 0.2}],
    "a vector": [{"tensor_fqn": "0.bias", "sparse_block_shape": (1, 1)}],
    "no dict": ["0.weight"],
    "no name": [{"sparsity_level": 0.2}],
    "no such module": [{"tensor_fqn": "9.weight"}],
    "no such tensor": [{"tensor_fqn": "0.weights"}],
    "another module": [{"tensor_fqn": "0.weight", "module_fqn": "2.0"}],
    "another tensor": [{"tensor_fqn": "0.weight", "tensor_name": "bias"}],
    "the same": [{"tensor_fqn": "0.weight", "tensor_name": "weight", "module_fqn": "0"}],
    "none": [],
}


@pytest.mark.parametrize("config", CONFIGS)
def test_tensors_are_named(config: str) -> None:
    def program(home: Any) -> Any:
        return stepped(home, pruning(home).WeightNormSparsifier(), copy.deepcopy(CONFIGS[config]))

    same(program)


def test_options_stay_with_modules_that_ask_for_them() -> None:
    def program(home: Any) -> Any:
        sparsifier, net = pruning(home).WeightNormSparsifier(), model(home)
        sparsifier.prepare(net, None)
        layers = {"2.0": ("zeros_per_block",), "0": ()}
        sparsifier.squash_mask(("sparsity_level",), layers)
        return net[0].sparse_params, net[2][0].sparse_params

    agree(program)


def test_a_state_is_loaded_into_a_model_of_the_same_names() -> None:
    def program(home: Any) -> Any:
        first, second = (pruning(home).WeightNormSparsifier(level) for level in (0.25, 0.75))
        first.prepare(model(home), None)
        first.step()
        state = copy.deepcopy(first.state_dict())
        second.prepare(model(home), None)
        second.load_state_dict(copy.deepcopy(state))
        loaded = masks(second)
        second.step()
        wrong = copy.deepcopy(state)
        wrong["state"]["7.weight"] = {"mask": None}
        try:
            second.load_state_dict(wrong)
        except RuntimeError as error:
            return state, loaded, masks(second), str(error)
        return None

    assert "Error loading 7.weight" in str(agree(program))


def test_masked_layers_are_converted_with_their_hooks() -> None:
    def program(home: Any) -> Any:
        class Other(home.nn.Module):
            @classmethod
            def from_dense(cls, mod: Any) -> Any:
                made = cls()
                made.weight = home.nn.Parameter(mod.weight.detach() * 2)
                return made

            def forward(self, x: Any) -> Any:
                return x @ self.weight.T

        sparsifier, net = pruning(home).WeightNormSparsifier(), model(home)
        sparsifier.prepare(net, [{"tensor_fqn": "0.weight"}])
        sparsifier.step()
        net[0].register_forward_hook(lambda m, args, result: result + 100)
        made = sparsifier.convert(net, {home.nn.Linear: Other})
        kinds = [type(m).__name__ for m in (net[0], made[0], made[2][0])]
        return kinds, made[0](home.ones(1, 8)), list(made.state_dict())

    agree(program)


def test_without_a_mapping_nothing_is_converted() -> None:
    def program(home: Any) -> Any:
        return pruning(home).WeightNormSparsifier().convert(model(home))

    refuse(program)


SCHEDULES: dict[str, Callable[[Any, Any], Any]] = {
    "a function": lambda space, s: space.LambdaSL(s, lambda epoch: epoch / 10, verbose=True),
    "functions": lambda space, s: space.LambdaSL(s, [lambda e: 1 / (e + 1), lambda e: 0.5**e]),
    "too few functions": lambda space, s: space.LambdaSL(s, [lambda e: e]),
    "a curve": lambda space, s: space.CubicSL(s, 0.1, 2, 1, 4, verbose=True),
    "two curves": lambda space, s: space.CubicSL(s, [0.0, 0.2], [1, 2], 2, [2, 3], [True, False]),
    "a later epoch": lambda space, s: space.CubicSL(s, delta_t=1, total_t=5, last_epoch=2),
    "lists that do not fit": lambda space, s: space.CubicSL(s, [0.0, 0.1, 0.2]),
    "no sparsifier": lambda space, s: space.BaseScheduler(s.groups),
    "none of its own": lambda space, s: space.BaseScheduler(s),
}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_levels_change_from_epoch_to_epoch(
    schedule: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def program(home: Any) -> Any:
        space = pruning(home)
        sparsifier = space.WeightNormSparsifier(0.8, (1, 2))
        sparsifier.prepare(model(home), None)
        scheduler = SCHEDULES[schedule](space, sparsifier)
        levels = [scheduler.get_last_sl()]
        for epoch in range(5):
            sparsifier.step()
            scheduler.step(epoch if epoch % 2 else None)
            levels.append(scheduler.get_last_sl())
        state = {k: v for k, v in scheduler.state_dict().items() if k != "sl_lambdas"}
        scheduler.load_state_dict({"last_epoch": 1})
        sparsifier.step()
        scheduler.step()
        return levels, state, scheduler.get_last_sl(), masks(sparsifier), repr(scheduler)

    found = outcome(program, ours), capsys.readouterr().out
    assert found == (outcome(program, torch), capsys.readouterr().out)


@pytest.mark.parametrize("order", ["too early", "replaced", "asked"])
def test_a_wrong_order_is_warned_of(order: str) -> None:
    def program(home: Any) -> Any:
        sparsifier = pruning(home).WeightNormSparsifier()
        sparsifier.prepare(model(home), None)
        scheduler = pruning(home).LambdaSL(sparsifier, lambda epoch: 0.5)
        if order == "replaced":
            sparsifier.step = lambda: None
        if order == "asked":
            return scheduler.get_sl()
        scheduler.step()
        return scheduler.get_last_sl()

    _, heard = same(program)
    assert len(heard) == 1


def test_names_of_parts() -> None:
    def program(home: Any) -> Any:
        space, net = pruning(home), model(home)
        names = [space.module_to_fqn(net, m) for m in (net, net[2], net[2][0], home.nn.ReLU())]
        found = [space.fqn_to_module(net, n) for n in ("", "2.0", "2.0.bias", "5", "conv.x.y")]
        info = [space.get_arg_info_from_tensor_fqn(net, n) for n in ("2.0.weight", "w", "a.b")]
        kinds = space.get_static_sparse_quantized_mapping()
        return names, [type(f).__name__ for f in found], info, [k.__name__ for k in kinds]

    agree(program)


def test_a_mask_has_the_shape_of_its_tensor() -> None:
    def program(home: Any) -> Any:
        return pruning(home).FakeSparsity(home.ones(2, 3))(home.ones(3, 2))

    assert refuse(program)[1].startswith("mask shape")
