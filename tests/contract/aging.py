"""Both frameworks do the same, but for what torch says of the age of ``torch.jit``."""

from .both_frameworks import ours, outcome, torch


def told(fn, t):
    """What *fn* returns or raises and warns about; torch warns of its own calls, too."""
    result, heard = outcome(fn, t)
    return result, [h for h in heard if not h[0].startswith("`torch.jit.")]


def agree(fn):
    """Both frameworks return the same, and neither raises."""
    got, want = told(fn, ours), told(fn, torch)
    assert got == want
    assert want[0][0] == "value", want


def refuse(fn):
    """Both frameworks raise the same."""
    got, want = told(fn, ours), told(fn, torch)
    assert got == want
    assert want[0][0] != "value", "the oracle raised nothing"
    return want[0]
