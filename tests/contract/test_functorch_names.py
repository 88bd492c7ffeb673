"""What functorch offered before torch.func, in the modules where torch keeps it."""

from __future__ import annotations

import importlib

import pytest

from .both_frameworks import agree, refuse


def space(t, name):
    """A module of ``torch._functorch``."""
    return importlib.import_module(f"{t.__name__}._functorch.{name}")


def normed(t):
    """A module with a batch norm, and a weight under two names."""

    class Normed(t.nn.Module):
        def __init__(self):
            super().__init__()
            self.l = t.nn.Linear(2, 2)
            self.bn = t.nn.BatchNorm1d(2)
            self.tied = self.l.weight

        def forward(self, x):
            return self.bn(self.l(x) @ self.tied)

    t.manual_seed(0)
    return Normed()


def test_a_module_with_buffers_becomes_a_function():
    def run(t):
        f, p, b = space(t, "make_functional").make_functional_with_buffers(normed(t))
        names = f.param_names, f.buffer_names, f.all_names_map
        return names, f(p, b, t.arange(6.0).reshape(3, 2)).shape, [x.shape for x in p]

    agree(run)


REFUSED = [
    lambda m, t: m.make_functional(normed(t)),
    lambda m, t: m.combine_state_for_ensemble([]),
    lambda m, t: m.combine_state_for_ensemble([t.nn.Linear(1, 1), t.nn.ReLU()]),
    lambda m, t: m.combine_state_for_ensemble([t.nn.ReLU(), t.nn.ReLU().eval()]),
]


@pytest.mark.parametrize("program", REFUSED, ids=range(len(REFUSED)))
def test_what_make_functional_refuses(program):
    refuse(lambda t: program(space(t, "make_functional"), t))


def test_models_become_an_ensemble():
    def run(t):
        t.manual_seed(0)
        models = [t.nn.Linear(2, 1) for _ in range(3)]
        f, p, b = space(t, "make_functional").combine_state_for_ensemble(models)
        return [x.requires_grad for x in p], t.vmap(f, (0, 0, None))(p, b, t.ones(4, 2)).shape

    agree(run)


CHUNKED = [
    lambda t: ((lambda x, y: (x * y, {"a": x.sum()})), {"in_dims": (0, None), "chunks": 3}),
    lambda t: ((lambda x, y: x * y), {"out_dims": 1, "in_dims": (0, None)}),
    lambda t: ((lambda x, y: x * y), {"randomness": "x"}),
    lambda t: ((lambda x, y: x * y), {"in_dims": "a"}),
    lambda t: ((lambda x, y: x * y), {"in_dims": (3, None)}),
    lambda t: ((lambda x, y: x * y), {"in_dims": 0}),
]


@pytest.mark.parametrize("case", CHUNKED, ids=range(len(CHUNKED)))
def test_a_batch_in_pieces(case):
    def run(t):
        f, options = case(t)
        x, y = t.arange(10.0).reshape(5, 2), t.ones(2)
        return space(t, "apis").chunk_vmap(f, **options)(x, y)

    (agree if CHUNKED.index(case) < 2 else refuse)(run)


def test_batch_norms_lose_their_statistics():
    def run(t):
        module = normed(t)
        same = t.func.replace_all_batch_norm_modules_(module) is module
        return same, module.bn.running_mean, module.bn.track_running_stats, repr(module)

    agree(run)


def test_what_is_inside_a_sample():
    def run(t):
        seen = []
        t.vmap(lambda x: seen.append(t.func.debug_unwrap(x)) or x.sin())(t.ones(2, 2))
        return seen

    agree(run)


def operator_with(t, *keys):
    """An operator of Python with a kernel for each key."""
    ops = importlib.import_module(f"{t.__name__}._ops")

    class Mine(ops.HigherOrderOperator):
        def __init__(self):
            super().__init__("mine")

        def __call__(self, *args, **kwargs):
            return super().__call__(*args, **kwargs)

    mine = Mine()
    for i, key in enumerate(keys):
        mine.py_impl(getattr(t._C.DispatchKey, key))(lambda x, i=i: x + i + 1)
    return mine


@pytest.mark.parametrize("keys", [("AutogradCPU",), ("Autograd", "CPU"), ("CPU",)], ids=str)
def test_an_operator_of_python_has_kernels_by_key(keys):
    (refuse if keys == ("CPU",) else agree)(lambda t: operator_with(t, *keys)(t.ones(1)))


COND = [
    lambda t: t.cond("s", lambda x: x, lambda x: x, (t.ones(1),)),
    lambda t: t.cond(t.tensor(True), lambda x: x, lambda x: x, t.ones(1)),
    lambda t: t.cond(t.tensor(True), 3, lambda x: x, (t.ones(1),)),
]


@pytest.mark.parametrize("program", COND, ids=range(len(COND)))
def test_what_cond_refuses(program):
    refuse(program)


def restored(t, f, in_dims, *args):
    """What *f* gives for a batch of three whose size is told."""
    return space(t, "vmap").restore_vmap(f, in_dims, 3, "error")(*args)


BATCHES_OF_THREE = [
    lambda t: restored(t, lambda x, y: (x * y, y, 2), (0, None), t.ones(3, 2), t.ones(2)),
    lambda t: restored(t, lambda x: {"a": x.sum(), "b": [x + 1]}, (0,), t.ones(3, 2)),
    lambda t: restored(t, lambda: (), ()),
    lambda t: restored(t, lambda x: t.vmap(t.mul, (None, 0))(x, x), (0,), t.ones(3, 2)),
]


@pytest.mark.parametrize("program", BATCHES_OF_THREE, ids=range(len(BATCHES_OF_THREE)))
def test_a_batch_of_a_size_that_is_told(program):
    agree(program)


def doubling(t):
    """A Function whose ``forward`` sets up its context itself."""

    class Doubling(t.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    return Doubling.apply


def test_a_function_without_setup_context_is_refused_everywhere():
    def run(t):
        with space(t, "utils").enable_single_level_autograd_function():
            return t.func.grad(lambda x: doubling(t)(x).sum())(t.ones(2))

    refuse(run)
    refuse(lambda t: t.func.grad(lambda x: doubling(t)(x).sum())(t.ones(2)))


def test_functionalization_that_is_held_off():
    def run(t):
        off = importlib.import_module(f"{t.__name__}._dispatch.python").suspend_functionalization
        t._enable_functionalization(reapply_views=True)
        try:
            with off():
                inside = t._is_functional_tensor(t.ones(2))
            return inside, t._is_functional_tensor(t.ones(2))
        finally:
            t._disable_functionalization()

    agree(run)


def test_a_function_without_changes():
    def run(t):
        name = f"{t.__name__}._subclasses.functional_tensor"
        functionalize = importlib.import_module(name).dispatch_functionalize
        x = t.ones(4)
        return functionalize(lambda x: (x.view(2, 2).add_(1), x))(x), x

    agree(run)
