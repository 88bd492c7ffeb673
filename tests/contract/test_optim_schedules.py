"""Learning rate schedules: the same rates, to the last bit, and the same state."""

import gc
import importlib
import inspect
import math
import warnings
import weakref

import pytest
import torch

from tests.contract.hearing import hearing

ours = importlib.import_module("mindtorch")
BOTH = (ours, torch)


def optimizer(t, lr=0.1, kind="SGD", **options):
    weight = t.nn.Parameter(t.ones(2))
    groups = [{"params": [weight]}, {"params": [t.nn.Parameter(t.ones(1))], "lr": lr * 3}]
    return getattr(t.optim, kind)(groups, lr=lr, **options)


def settings(o):
    """All numbers of all groups that a schedule may change."""
    keys = ("lr", "initial_lr", "momentum", "betas", "max_lr", "min_lr", "max_momentum")
    return [{k: g[k] for k in keys if k in g} for g in o.param_groups]


def o_swa(o):
    """``optim.swa_utils`` of the framework of an optimizer."""
    return importlib.import_module(type(o).__module__.partition(".")[0] + ".optim.swa_utils")


SCHEDULES = {
    "step": lambda L, o, **k: L.StepLR(o, 3, **k),
    "step_up": lambda L, o, **k: L.StepLR(o, 2, gamma=1.7, **k),
    "milestones": lambda L, o, **k: L.MultiStepLR(o, [2, 2, 5], **k),
    "exponential": lambda L, o, **k: L.ExponentialLR(o, 0.93, **k),
    "cosine": lambda L, o, **k: L.CosineAnnealingLR(o, 5, **k),
    "cosine_floor": lambda L, o, **k: L.CosineAnnealingLR(o, 4, 0.01, **k),
    "lambda": lambda L, o, **k: L.LambdaLR(o, lambda e: 0.9**e, **k),
    "lambdas": lambda L, o, **k: L.LambdaLR(o, [lambda e: 0.9**e, lambda e: math.cos(e)], **k),
    "multiplicative": lambda L, o, **k: L.MultiplicativeLR(o, lambda e: 1 - e / 20, **k),
    "linear": lambda L, o, **k: L.LinearLR(o, **k),
    "linear_down": lambda L, o, **k: L.LinearLR(o, 0.9, 0.3, 7, **k),
    "constant": lambda L, o, **k: L.ConstantLR(o, 0.3, 4, **k),
    "polynomial": lambda L, o, **k: L.PolynomialLR(o, 6, 2, **k),
    "cycle": lambda L, o, **k: L.OneCycleLR(o, 1.0, total_steps=14, cycle_momentum=False, **k),
    "cycle_three": lambda L, o, **k: L.OneCycleLR(
        o, [1.0, 0.5], epochs=2, steps_per_epoch=7, three_phase=True, cycle_momentum=False, **k
    ),
    "triangles": lambda L, o, **k: L.CyclicLR(o, 0.01, 0.2, 3, cycle_momentum=False, **k),
    "falling_triangles": lambda L, o, **k: L.CyclicLR(
        o, [0.01, 0.02], 0.2, 2, 3, "triangular2", cycle_momentum=False, **k
    ),
    "shrinking_triangles": lambda L, o, **k: L.CyclicLR(
        o, 0.01, [0.2, 0.3], 3, mode="exp_range", gamma=0.9, cycle_momentum=False, **k
    ),
    "own_triangles": lambda L, o, **k: L.CyclicLR(
        o,
        0.01,
        0.2,
        2,
        mode="x",
        scale_fn=lambda x: math.sin(x),
        scale_mode="iterations",
        cycle_momentum=False,
        **k,
    ),
    "restarts": lambda L, o, **k: L.CosineAnnealingWarmRestarts(o, 3, **k),
    "longer_restarts": lambda L, o, **k: L.CosineAnnealingWarmRestarts(o, 2, 2, 0.01, **k),
    "averaging": lambda L, o, **k: o_swa(o).SWALR(o, 0.05, 4, **k),
    "averaging_at_once": lambda L, o, **k: o_swa(o).SWALR(o, [0.05, 0.5], 0, "linear", **k),
    "cycle_linear": lambda L, o, **k: L.OneCycleLR(
        o, 1.0, 14, pct_start=0.45, anneal_strategy="linear", cycle_momentum=False, **k
    ),
}


def run(t, name, steps=13, resume=None, explicit=False):
    o = optimizer(t)
    extra = {}
    if resume is not None:
        for g in o.param_groups:
            g.update(initial_lr=g["lr"] * 2, max_lr=1.0, min_lr=0.001)
        extra["last_epoch"] = resume
    s = SCHEDULES[name](t.optim.lr_scheduler, o, **extra)
    seen = [settings(o), s.get_last_lr()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for i in range(steps):
            o.step()
            s.step(i + 2) if explicit else s.step()
            seen += [settings(o), s.get_last_lr(), s.last_epoch]
    return seen, s


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_follow_the_oracle(name):
    """Every rate of every group equals torch's at each of 13 steps, and so does the state."""
    got, mine = run(ours, name)
    want, other = run(torch, name)
    assert got == want
    assert mine.state_dict() == other.state_dict()
    assert list(mine.state_dict()) == list(other.state_dict())


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("epoch", [0, 1, 3, 4, 6])
def test_resumed_schedule_goes_on(name, epoch):
    """With last_epoch the schedule goes on from there, as torch's does."""
    assert run(ours, name, 6, resume=epoch)[0] == run(torch, name, 6, resume=epoch)[0]


@pytest.mark.parametrize("name", SCHEDULES)
def test_explicit_epoch_uses_the_closed_form(name):
    """step(epoch) sets the rate from the closed form where torch has one."""
    got, want = run(ours, name, 9, explicit=True), run(torch, name, 9, explicit=True)
    assert got[0] == want[0]


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_one_cycle_moves_momentum_too(kind):
    """Momentum (or beta1) goes against the rate."""

    def thread(t):
        o = optimizer(t, kind=kind)
        s = t.optim.lr_scheduler.OneCycleLR(o, 0.3, 9)
        seen = [settings(o)]
        for _ in range(8):
            o.step()
            s.step()
            seen.append(settings(o))
        return seen, s.state_dict()

    assert thread(ours) == thread(torch)


TOGETHER = {
    "sequence": lambda L, o: L.SequentialLR(
        o, [L.ConstantLR(o, 0.1, 2), L.ExponentialLR(o, 0.9), L.StepLR(o, 2)], [3, 6]
    ),
    "sequence_of_cosines": lambda L, o: L.SequentialLR(
        o, [L.LinearLR(o, 0.1, 1.0, 3), L.CosineAnnealingLR(o, 5)], [3]
    ),
    "restarts_last": lambda L, o: L.SequentialLR(
        o, [L.LinearLR(o), L.CosineAnnealingWarmRestarts(o, 3)], [4]
    ),
    "chain": lambda L, o: L.ChainedScheduler([L.ConstantLR(o, 0.1, 4), L.ExponentialLR(o, 0.9)]),
    "chain_with_optimizer": lambda L, o: L.ChainedScheduler(
        [L.StepLR(o, 2), L.MultiStepLR(o, [3, 5])], optimizer=o
    ),
    "chain_in_sequence": lambda L, o: L.SequentialLR(
        o,
        [L.ChainedScheduler([L.StepLR(o, 2), L.ExponentialLR(o, 0.8)]), L.ExponentialLR(o, 0.5)],
        [3],
    ),
    "cyclic_momentum": lambda L, o: L.CyclicLR(o, 0.01, 0.2, 3),
    "cyclic_momenta": lambda L, o: L.CyclicLR(o, 0.01, 0.2, 2, base_momentum=[0.7, 0.6]),
}


@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
@pytest.mark.parametrize("name", TOGETHER)
def test_schedules_of_schedules(name, kind):
    """Rates, momenta and state at each step; a loaded state goes on."""

    def thread(t):
        options = {"momentum": 0.9} if kind == "SGD" else {}
        o = optimizer(t, kind=kind, **options)
        s = TOGETHER[name](t.optim.lr_scheduler, o)
        seen = [settings(o), s.get_last_lr(), s.state_dict()]
        for i in range(9):
            o.step()
            s.step()
            seen += [settings(o), s.get_last_lr()]
            if i == 4:
                state, groups = s.state_dict(), o.state_dict()
                o = optimizer(t, kind=kind, **options)
                s = TOGETHER[name](t.optim.lr_scheduler, o)
                s.load_state_dict(state)
                o.load_state_dict(groups)
        return seen, s.state_dict()

    assert thread(ours) == thread(torch)


@pytest.mark.parametrize("epochs", [[0, 0.5, 1.5, 3, 7.25, 2], [5], [None, None, 4, None]])
def test_restarts_between_epochs(epochs):
    """``step(epoch)`` takes parts of epochs."""

    def thread(t):
        o = optimizer(t)
        s = t.optim.lr_scheduler.CosineAnnealingWarmRestarts(o, 2, 2)
        return [(s.step(e), settings(o), s.T_cur, s.T_i, s.last_epoch) for e in epochs]

    assert thread(ours) == thread(torch)


def test_one_cycle_keeps_its_ends():
    """Momentum given as a tensor is not one object with the cycle's ends."""
    weight = ours.nn.Parameter(ours.ones(2))
    o = ours.optim.SGD([weight], lr=0.1, momentum=0.9)
    high = ours.tensor(0.95)
    ours.optim.lr_scheduler.OneCycleLR(o, 1.0, 10, max_momentum=high)
    group = o.param_groups[0]
    assert len({id(high), id(group["momentum"]), id(group["max_momentum"])}) == 3


PLATEAUS = [
    {},
    {"patience": 1, "cooldown": 1, "min_lr": 0.001},
    {"patience": 0, "mode": "max", "threshold_mode": "abs", "min_lr": [0.02, 0.0]},
    {"patience": 2, "mode": "max", "factor": 0.5, "threshold": 0.3},
    {"patience": 0, "threshold_mode": "abs", "threshold": 0.5, "eps": 0.01},
]


@pytest.mark.parametrize("options", PLATEAUS, ids=str)
def test_plateau_follows_the_oracle(options):
    """The same metrics give the same rates and counters."""

    def thread(t):
        o = optimizer(t)
        s = t.optim.lr_scheduler.ReduceLROnPlateau(o, **options)
        seen = [s.state_dict()]
        for metric in [3, 2, 2, 2, 2.5, 2, 1, 5, 5, math.nan, 5, 4.9, -1, 0, 0, 0, 0.4]:
            s.step(metric)
            seen.append((settings(o), dict(s.state_dict()), s.get_last_lr(), s.in_cooldown))
        return seen

    assert thread(ours) == thread(torch)


def test_state_round_trip():
    """A loaded schedule goes on like the saved one; functions keep their own attributes."""

    class Decay:
        def __init__(self):
            self.rate = 0.5

        def __call__(self, epoch):
            return self.rate**epoch

    def thread(t):
        o = optimizer(t)
        decay = Decay()
        decay.rate = 0.25
        s = t.optim.lr_scheduler.LambdaLR(o, decay)
        for _ in range(3):
            o.step()
            s.step()
        saved = s.state_dict()
        o2 = optimizer(t)
        s2 = t.optim.lr_scheduler.LambdaLR(o2, Decay())
        s2.load_state_dict(saved)
        o2.step()
        s2.step()
        return saved, settings(o2), s2.state_dict()

    assert thread(ours) == thread(torch)


ERRORS = [
    lambda t, L, o: L.StepLR(3, 1),
    lambda t, L, o: L.StepLR(o, 3, last_epoch=2),
    lambda t, L, o: L.LambdaLR(o, [1]),
    lambda t, L, o: L.MultiplicativeLR(o, 3),
    lambda t, L, o: L.LinearLR(o, 0),
    lambda t, L, o: L.LinearLR(o, 1, 2),
    lambda t, L, o: L.ConstantLR(o, 3),
    lambda t, L, o: L.OneCycleLR(3, 1),
    lambda t, L, o: L.OneCycleLR(o, 1),
    lambda t, L, o: L.OneCycleLR(o, 1, total_steps=-1),
    lambda t, L, o: L.OneCycleLR(o, 1, epochs=2, steps_per_epoch=1.5),
    lambda t, L, o: L.OneCycleLR(o, [1, 2, 3], total_steps=3),
    lambda t, L, o: L.OneCycleLR(o, 1, total_steps=3, pct_start=2),
    lambda t, L, o: L.OneCycleLR(o, 1, total_steps=3, anneal_strategy="x"),
    lambda t, L, o: [s.step() for s in [L.OneCycleLR(o, 1.0, total_steps=3)] for _ in range(4)],
    lambda t, L, o: L.ReduceLROnPlateau(o, "x"),
    lambda t, L, o: L.ReduceLROnPlateau(3),
    lambda t, L, o: L.ReduceLROnPlateau(o, factor=2),
    lambda t, L, o: L.ReduceLROnPlateau(o, min_lr=[1]),
    lambda t, L, o: L.ReduceLROnPlateau(o, threshold_mode="x"),
    lambda t, L, o: L.LRScheduler(o),
    lambda t, L, o: L.CyclicLR(o, 0.1, 0.2, mode="x"),
    lambda t, L, o: L.CyclicLR(t.optim.Adagrad([t.nn.Parameter(t.ones(1))]), 0.1, 0.2),
    lambda t, L, o: L.CyclicLR(3, 0.1, 0.2),
    lambda t, L, o: L.CyclicLR(o, [0.1, 0.2, 0.3], 0.2),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 0),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 1.5),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 3, 0),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 3, 1.5),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 3, 1, "x"),
    lambda t, L, o: L.CosineAnnealingWarmRestarts(o, 3).step(-1),
    lambda t, L, o: L.SequentialLR(o, [], [1]),
    lambda t, L, o: L.SequentialLR(o, [L.StepLR(o, 1)], [1]),
    lambda t, L, o: L.SequentialLR(o, [L.StepLR(o, 1), 3], [1]),
    lambda t, L, o: L.SequentialLR(o, [L.StepLR(o, 1), L.ReduceLROnPlateau(o)], [1]),
    lambda t, L, o: L.SequentialLR(optimizer(t), [L.StepLR(o, 1), L.StepLR(o, 1)], [1]),
    lambda t, L, o: L.SequentialLR(o, [L.StepLR(o, 1), L.StepLR(o, 2)], [1]).step(3),
    lambda t, L, o: L.ChainedScheduler([]),
    lambda t, L, o: L.ChainedScheduler([3]),
    lambda t, L, o: L.ChainedScheduler([L.StepLR(o, 1), L.ReduceLROnPlateau(o)]),
    lambda t, L, o: L.ChainedScheduler([L.StepLR(o, 1)], optimizer(t)),
    lambda t, L, o: o_swa(o).SWALR(o, 0.1, anneal_strategy="x"),
    lambda t, L, o: o_swa(o).SWALR(o, 0.1, -1),
    lambda t, L, o: o_swa(o).SWALR(o, [0.1]),
]


def caught(fn):
    """Type and text of what *fn* raises, and the texts and classes of its warnings."""
    with hearing() as heard:
        try:
            fn()
            error = None
        except Exception as e:
            error = (type(e).__name__, str(e))
    return error, [(str(w.message), w.category.__name__) for w in heard]


@pytest.mark.parametrize("case", range(len(ERRORS)))
def test_errors_are_the_oracles(case):
    """Bad arguments raise torch's type and text."""
    got, want = (caught(lambda: ERRORS[case](t, t.optim.lr_scheduler, optimizer(t))) for t in BOTH)
    assert want[0] is not None
    assert got == want


WARNINGS = [
    lambda t, L, o: L.StepLR(o, 2).step(),
    lambda t, L, o: L.StepLR(o, 2).step(3),
    lambda t, L, o: L.StepLR(o, 2).get_lr(),
    lambda t, L, o: (lambda s: (setattr(o, "step", lambda: None), s.step()))(L.StepLR(o, 2)),
    lambda t, L, o: L.ReduceLROnPlateau(o).step(1, 2),
]


@pytest.mark.parametrize("case", range(len(WARNINGS)))
def test_warnings_are_the_oracles(case):
    """Wrong order of calls and deprecated arguments warn with torch's text."""
    got, want = (
        caught(lambda: WARNINGS[case](t, t.optim.lr_scheduler, optimizer(t))) for t in BOTH
    )
    assert want[1]
    assert got == want


def test_tensor_rate_keeps_its_identity():
    """A rate given as a tensor is changed in place; what get_last_lr gave stays as it was."""

    def thread(t):
        rate = t.tensor(0.1)
        o = t.optim.SGD([t.nn.Parameter(t.ones(2))], lr=rate)
        s = t.optim.lr_scheduler.StepLR(o, 1, 0.5)
        before = s.get_last_lr()
        o.step()
        s.step()
        return o.param_groups[0]["lr"] is rate, rate.item(), before[0].item()

    assert thread(ours) == thread(torch)


def test_signatures():
    """Parameter names, order and defaults of optimizers and schedules."""
    pairs = [(getattr(ours.optim, n), getattr(torch.optim, n)) for n in ("SGD", "Adam", "AdamW")]
    module = importlib.import_module("mindtorch.optim.lr_scheduler")
    pairs += [(getattr(module, n), getattr(torch.optim.lr_scheduler, n)) for n in module.__all__]
    for mine, other in pairs:
        got, want = (
            [(p.name, p.default, p.kind) for p in inspect.signature(c).parameters.values()]
            for c in (mine, other)
        )
        assert got == want, mine


def test_schedules_of_ones_own_ask_and_warn_by_torchs_functions():
    """Those that were copied from torch's import them."""

    def told(t):
        home = t.optim.lr_scheduler
        found = []

        class Halved(home.LRScheduler):
            def get_lr(self):
                home._warn_get_lr_called_within_step(self)
                return [rate / 2**self.last_epoch for rate in self.base_lrs]

            def rates(self):
                with home._enable_get_lr_call(self) as entered:
                    found.append(entered.o is self)
                    return self.get_lr()

        optimizer = t.optim.SGD([t.nn.Parameter(t.ones(1))], lr=1.0)
        schedule = Halved(optimizer)
        for ask in (schedule.rates, schedule.get_lr):
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                found += [ask(), [str(w.message) for w in heard]]
        return found

    assert told(ours) == told(torch)


CYCLES_OF_MOMENTUM = {
    "cycle_of_momentum": lambda L, o, **k: L.OneCycleLR(o, 1.0, 14, **k),
    "triangles_of_momentum": lambda L, o, **k: L.CyclicLR(o, 0.01, 0.2, 3, **k),
}


@pytest.mark.parametrize("name", [*SCHEDULES, *CYCLES_OF_MOMENTUM, "plateau"])
def test_a_group_that_comes_later_is_refused_or_followed_as_in_the_oracle(name):
    """A schedule counts its groups when it is made; after the refusal rates are the oracle's."""
    makers = {**SCHEDULES, **CYCLES_OF_MOMENTUM, "plateau": lambda L, o: L.ReduceLROnPlateau(o)}
    seen = []
    for t in BOTH:
        o = optimizer(t, momentum=0.9)
        schedule = makers[name](t.optim.lr_scheduler, o)
        o.add_param_group({"params": [t.nn.Parameter(t.ones(3))], "lr": 0.7})
        notes = []
        for _ in range(3):
            o.step()
            try:
                schedule.step(*([1.0] if name == "plateau" else []))
            except (ValueError, KeyError) as e:
                notes.append(f"{type(e).__name__}: {e}")
            notes.append(settings(o))
        seen.append(notes)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("kind", ["ChainedScheduler", "SequentialLR"])
def test_states_of_more_schedules_than_there_are_are_refused(kind):
    """The oracle asks for the schedule of each state."""
    for t in BOTH:
        L, o = t.optim.lr_scheduler, optimizer(t)

        def made(n, L=L, o=o):
            schedules = [L.ExponentialLR(o, 0.9) for _ in range(n)]
            more = [[*range(1, n)]] if kind == "SequentialLR" else []
            return getattr(L, kind)(*([o] if more else []), schedules, *more)

        state = made(3).state_dict()
        with pytest.raises(IndexError, match="list index out of range"):
            made(2).load_state_dict(state)
        made(3).load_state_dict(made(2).state_dict())  # fewer are taken as they come


@pytest.mark.parametrize("strategy", ["cos", "linear"])
def test_averaging_tells_how_far_it_has_come(strategy):
    """``anneal_func`` is the share of the way at a share of the epochs."""
    shares = [
        [o_swa(o).SWALR(o, 0.05, 4, strategy).anneal_func(x / 4) for x in range(5)]
        for o in map(optimizer, BOTH)
    ]
    assert shares[0] == shares[1]


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_that_nobody_holds_goes_at_once(name):
    """No cycle of references keeps it until the collector comes."""

    def gone(t):
        o = optimizer(t)
        schedule = weakref.ref(SCHEDULES[name](t.optim.lr_scheduler, o))
        return schedule() is None

    gc.collect()
    gc.disable()
    try:
        assert [gone(t) for t in BOTH] == [True, True]
    finally:
        gc.enable()
