"""torch.nn.utils.prune: masks on parameters."""

import copy
import importlib

import pytest

from tests.contract.both_frameworks import ours, outcome, refuse, same, torch
from tests.contract.test_nn_utils import arange, near, rounded


def layer(t):
    module = t.nn.Linear(4, 3)
    with t.no_grad():
        module.weight.copy_(arange(t, 3, 4, start=1))
        module.bias.copy_(arange(t, 3, start=2))
    return module


def facts(module, t):
    hooks = [type(h).__name__ for h in module._forward_pre_hooks.values()]
    return rounded(dict(module.state_dict()), t), rounded(module.weight, t), hooks


def prune(t):
    return importlib.import_module(f"{t.__name__}.nn.utils.prune")


RUNS = {
    "identity": lambda t, m: prune(t).identity(m, "weight"),
    "l1": lambda t, m: prune(t).l1_unstructured(m, "weight", 5),
    "l1 part": lambda t, m: prune(t).l1_unstructured(m, "weight", 0.3),
    "l1 nothing": lambda t, m: prune(t).l1_unstructured(m, "weight", 0),
    "l1 scores": lambda t, m: prune(t).l1_unstructured(m, "weight", 3, arange(t, 3, 4)),
    "ln": lambda t, m: prune(t).ln_structured(m, "weight", 1, 2, 0),
    "ln columns": lambda t, m: prune(t).ln_structured(m, "weight", 0.5, 1, -1),
    "ln infinite": lambda t, m: prune(t).ln_structured(m, "weight", 1, float("inf"), 1),
    "ln nothing": lambda t, m: prune(t).ln_structured(m, "weight", 0, 2, 0),
    "mask": lambda t, m: prune(t).custom_from_mask(m, "weight", arange(t, 3, 4) > 0),
    "twice": lambda t, m: prune(t).l1_unstructured(
        prune(t).ln_structured(m, "weight", 1, 2, 0), "weight", 2
    ),
    "three times": lambda t, m: prune(t).ln_structured(
        prune(t).l1_unstructured(prune(t).ln_structured(m, "weight", 1, 2, 0), "weight", 2),
        "weight",
        1,
        2,
        1,
    ),
    "random none": lambda t, m: prune(t).random_unstructured(m, "weight", 0),
    "random all": lambda t, m: prune(t).random_unstructured(m, "weight", 12),
}


@pytest.mark.parametrize("name", RUNS)
def test_masks_and_values_are_the_oracles(name):
    def run(t):
        module = layer(t)
        RUNS[name](t, module)
        x = arange(t, 2, 4)
        y = module(x)
        y.sum().backward()
        found = [*facts(module, t), y, module.weight_orig.grad, prune(t).is_pruned(module)]
        prune(t).remove(module, "weight")
        return found, facts(module, t), prune(t).is_pruned(module)

    near(run)


def test_random_pruning_prunes_as_many_as_asked():
    for t in (ours, torch):
        module = prune(t).random_unstructured(layer(t), "weight", 0.5)
        assert int(module.weight_mask.sum()) == 6
        module = prune(t).random_structured(layer(t), "weight", 2, 1)
        assert int((module.weight_mask.sum(0) == 0).sum()) == 2


def test_random_pruning_draws_what_the_oracle_draws():
    def run(t):
        t.manual_seed(4)
        one = prune(t).random_unstructured(layer(t), "weight", 5).weight_mask
        return one, prune(t).random_structured(layer(t), "weight", 1, 0).weight_mask

    near(run)


def test_several_parameters_are_pruned_as_one():
    def run(t):
        a, b = layer(t), layer(t)
        with t.no_grad():  # no two numbers are equal
            b.weight.mul_(1.01)
        pairs = [(a, "weight"), (b, "bias"), (b, "weight")]
        prune(t).global_unstructured(pairs, prune(t).L1Unstructured, amount=9)
        prune(t).global_unstructured(
            pairs, prune(t).L1Unstructured, {(a, "weight"): arange(t, 3, 4)}, amount=0.4
        )
        return [facts(m, t) for m in (a, b)]

    near(run)


def test_tensors_are_pruned_without_a_module():
    near(lambda t: prune(t).L1Unstructured(3).prune(arange(t, 3, 4)))
    near(lambda t: prune(t).LnStructured(1, 2, 0).prune(arange(t, 3, 4), t.ones(3, 4)))


def test_pruned_modules_are_copied():
    def run(t):
        module = prune(t).l1_unstructured(layer(t), "weight", 5)
        with t.no_grad():
            module(arange(t, 2, 4))
        module = copy.deepcopy(module)
        module(arange(t, 2, 4)).sum().backward()
        return facts(module, t), module.weight_orig.grad

    near(run)
    refuse(lambda t: copy.deepcopy(prune(t).l1_unstructured(layer(t), "weight", 5)))


def test_containers_hold_methods():
    def run(t):
        module = prune(t).ln_structured(layer(t), "weight", 1, 2, 0)
        prune(t).l1_unstructured(module, "weight", 1)
        (container,) = module._forward_pre_hooks.values()
        return len(container), [type(m).__name__ for m in container], type(container[0]).__name__

    same(run)


def parametrized(t):
    layer = t.nn.Linear(3, 3)
    t.nn.utils.parametrize.register_parametrization(layer, "weight", t.nn.Identity())
    return layer


BAD = {
    "a parametrized weight": lambda t: prune(t).identity(parametrized(t), "weight"),
    "type": lambda t: prune(t).l1_unstructured(layer(t), "weight", "x"),
    "negative": lambda t: prune(t).l1_unstructured(layer(t), "weight", -1),
    "too large part": lambda t: prune(t).l1_unstructured(layer(t), "weight", 1.5),
    "too many": lambda t: prune(t).l1_unstructured(layer(t), "weight", 100),
    "vector": lambda t: prune(t).ln_structured(layer(t), "bias", 1, 2, 0),
    "dim": lambda t: prune(t).ln_structured(layer(t), "weight", 1, 2, 5),
    "name": lambda t: prune(t).l1_unstructured(layer(t), "foo", 1),
    "not pruned": lambda t: prune(t).remove(layer(t), "weight"),
    "mask": lambda t: prune(t).custom_from_mask(layer(t), "weight", t.ones(2)),
    "scores": lambda t: prune(t).l1_unstructured(layer(t), "weight", 1, t.ones(2)),
    "prune scores": lambda t: prune(t).L1Unstructured(1).prune(t.ones(3), None, t.ones(2)),
    "global structured": lambda t: prune(t).global_unstructured(
        [(layer(t), "weight")], prune(t).LnStructured, amount=1, n=2
    ),
    "global no list": lambda t: prune(t).global_unstructured(3, prune(t).L1Unstructured, amount=1),
    "global scores": lambda t: prune(t).global_unstructured(
        [(layer(t), "weight")], prune(t).L1Unstructured, 3, amount=1
    ),
    "container": lambda t: prune(t).PruningContainer(prune(t).Identity(), 3),
    "abstract": lambda t: prune(t).BasePruningMethod(),
}


@pytest.mark.parametrize("name", BAD)
def test_wrong_calls_are_refused_as_by_the_oracle(name):
    refuse(BAD[name])


def test_a_failed_pruning_leaves_the_module_as_it_was():
    def run(t):
        module = layer(t)
        result, _ = outcome(lambda t: prune(t).l1_unstructured(module, "weight", 100), t)
        return (
            result[0],
            sorted(n for n, _ in module.named_parameters()),
            len(module._forward_pre_hooks),
        )

    same(run)


def test_names_of_methods_have_the_oracles_types():
    kinds = [n for n in prune(ours).__all__ if n[0].isupper() and n != "PruningContainer"]
    for name in kinds:
        mine, theirs = (getattr(prune(t), name) for t in (ours, torch))
        assert getattr(mine, "PRUNING_TYPE", None) == getattr(theirs, "PRUNING_TYPE", None)
