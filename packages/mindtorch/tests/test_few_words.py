"""Few random words are drawn without numpy.random, and are the same."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from mindtorch.tensor.mt19937_words import FEW, FewWords


def numpys(seed):
    engine = np.random.MT19937(0)
    engine._legacy_seeding(seed)
    return engine


@pytest.mark.parametrize("seed", [0, 1, 5489, 2**32 - 1])
def test_words_are_those_of_numpys_engine(seed):
    """However they are drawn: by ones, across blocks of the state."""
    few, engine = FewWords.seeded(seed), numpys(seed)
    for n in (1, 2, 623, 624, 1, 3000):
        assert few.random_raw(n).tolist() == engine.random_raw(n).tolist()


@pytest.mark.parametrize("drawn", [0, 1, 624, 700])
def test_numpys_engine_goes_on_from_its_state(drawn):
    """And it from that of numpy's."""
    few, engine = FewWords.seeded(7), numpys(7)
    few.random_raw(drawn)
    engine.state = few.state
    again = FewWords(engine.state["state"]["key"].tolist(), engine.state["state"]["pos"])
    wanted = few.random_raw(5).tolist()
    assert engine.random_raw(5).tolist() == again.random_raw(5).tolist() == wanted


def test_a_program_that_draws_little_does_not_import_numpy_random():
    """It takes longer than all of the first call; who draws much gets it."""
    program = f"""
import sys, mindtorch
mindtorch.randn(16), mindtorch.rand(3), mindtorch.nn.Linear(8, 8)
before = "numpy.random" in sys.modules
mindtorch.rand({FEW})
print(before, "numpy.random" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"], done.stderr
