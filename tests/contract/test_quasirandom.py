"""``torch.quasirandom``: the oracle's points, scrambled or not."""

import inspect

import numpy as np
import pytest

from tests.contract.both_frameworks import agree, ours, refuse, same, torch


def state(engine):
    return [engine.sobolstate, engine.shift, engine.quasi, engine._first_point]


@pytest.mark.parametrize("dimension", [1, 2, 7, 60])
@pytest.mark.parametrize("options", [{}, {"scramble": True}, {"scramble": True, "seed": 11}])
def test_points(dimension, options):
    def points(t):
        t.manual_seed(5)
        engine = t.quasirandom.SobolEngine(dimension, **options)
        found = [repr(engine), *state(engine), engine.draw(), engine.draw(5)]
        found += [engine.draw(2, dtype=t.float64), engine.num_generated]
        found += [engine.fast_forward(9) is engine, engine.draw(), engine.reset() is engine]
        found += [engine.draw_base2(3), engine.reset().fast_forward(3).draw(2)]
        out = t.empty(0)
        found += [engine.draw(3, out) is out, out, *state(engine)]
        return found

    agree(points)


def test_direction_numbers_of_every_dimension():
    mine, theirs = (t.quasirandom.SobolEngine(21201).sobolstate.numpy() for t in (ours, torch))
    np.testing.assert_array_equal(mine, theirs)


@pytest.mark.parametrize("dimension", [0, -1, 21202])
def test_too_many_dimensions(dimension):
    refuse(lambda t: t.quasirandom.SobolEngine(dimension))


def test_odd_number_of_points():
    refuse(lambda t: t.quasirandom.SobolEngine(2).fast_forward(3).draw_base2(3))
    same(lambda t: t.quasirandom.SobolEngine(2).fast_forward(4).draw_base2(2))


def test_default_dtype():
    def drawn(t):
        t.set_default_dtype(t.float64)
        try:
            return t.quasirandom.SobolEngine(2, scramble=True, seed=1).draw(3)
        finally:
            t.set_default_dtype(t.float32)

    agree(drawn)


def test_names_and_signatures():
    mine, theirs = ours.quasirandom.SobolEngine, torch.quasirandom.SobolEngine
    for name, function in vars(theirs).items():
        assert hasattr(mine, name)
        if inspect.isfunction(function):
            names = [list(inspect.signature(f).parameters) for f in (getattr(mine, name), function)]
            assert names[0] == names[1]
    assert (mine.MAXBIT, mine.MAXDIM) == (theirs.MAXBIT, theirs.MAXDIM)
    assert mine.__module__ == "mindtorch.quasirandom"


def test_rows_of_the_engine():
    """What the engine asks of them, and wrong dtypes."""

    def state_of(t):
        return t._sobol_engine_initialize_state_(t.zeros(3, 30, dtype=t.long), 3)

    def stepped(t):
        quasi, state = t.arange(3), state_of(t)
        found = [*t._sobol_engine_draw(quasi, 0, state, 3, 5, None)]
        found += t._sobol_engine_draw(quasi, 9, state, 3, 5, t.float64)
        found += [quasi, t._sobol_engine_ff_(quasi, 6, state, 3, 2), quasi]
        matrices = (t.arange(2700).reshape(3, 30, 30) * 7 % 11 % 2).tril()
        return [*found, t._sobol_engine_scramble_(state, matrices, 3), state]

    agree(stepped)
    long, zeros = "int64", lambda t, d: t.zeros(3, dtype=getattr(t, d))
    for one, two in (("int32", long), (long, "int32")):
        refuse(
            lambda t: t._sobol_engine_draw(
                zeros(t, one), 1, state_of(t).to(getattr(t, two)), 3, 0, None
            )
        )
        refuse(
            lambda t: t._sobol_engine_ff_(zeros(t, one), 1, state_of(t).to(getattr(t, two)), 3, 0)
        )
    refuse(lambda t: t._sobol_engine_draw(zeros(t, long), 1, state_of(t), 3, 0, t.int64))
    refuse(lambda t: t._sobol_engine_initialize_state_(t.zeros(3, 30), 3))
    refuse(lambda t: t._sobol_engine_scramble_(t.zeros(3, 30), t.zeros(3, 30, 30), 3))
