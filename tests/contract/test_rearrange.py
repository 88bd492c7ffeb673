"""torch.func.rearrange: dimensions by a pattern of names, and what it says of wrong patterns."""

import pytest

from tests.contract.both_frameworks import agree, refuse

GOOD = {
    "a b c -> (a b) c": {},
    "a b c -> c a b": {},
    "(a1 a2) b c -> a1 a2 b c": {"a1": 1},
    "a b (c d) -> d (c a) b": {"c": 2},
    "... c -> c ...": {},
    "a ... -> ... a": {},
    "a b ... -> (a ...) b": {},
    "a b c ... -> c b a ...": {},
    "a b c -> a 1 b c": {},
    "a b c -> (a b c) 1 1": {},
    "a b c -> a () b c": {},
    "  a   b c->a b   c ": {},
}
BAD = {
    "a b c -> a b": {},
    "a b c": {},
    "a b c -> a b c d": {},
    "a a c -> a c": {},
    "(a b) c d -> a b c d": {},
    "a (b e) d -> a b e d": {"b": 2},
    "a b (c d) -> a b c d": {"c": 2, "d": 3},
    "a b c -> b a c": {"z": 2},
    "a (b (d)) c -> a b c d": {},
    "() a b c -> a b c": {},
    "a b c d ... -> a b c d ...": {},
    "a b -> b a": {},
    "a b c -> a b c -> c": {},
    "a ... ... -> a": {},
    "a . c -> a": {},
    "a b) c -> a": {},
    "a-b c -> a": {},
    "a b 2 -> a b 2": {},
    "_a b c -> c b _a": {},
    "a_ b c -> c b a_": {},
    "(...) -> ...": {},
    "a b (c -> a b c": {},
}


@pytest.mark.parametrize("pattern", GOOD)
def test_dimensions_go_where_the_pattern_says(pattern):
    def moved(t):
        x = t.arange(24.0).reshape(2, 3, 4).requires_grad_()
        out = t.func.rearrange(x, pattern, **GOOD[pattern])
        (out * t.arange(24.0).reshape(out.shape)).sum().backward()
        return list(out.shape), out.flatten().tolist(), x.grad.tolist()

    agree(moved)


def test_several_tensors_are_stacked():
    agree(lambda t: t.func.rearrange([t.ones(2, 3), t.zeros(2, 3)], "n a b -> a (n b)"))
    agree(lambda t: t.func.rearrange((t.ones(2), t.zeros(2)), "n a -> a n"))


def test_axes_of_size_one_go():
    agree(lambda t: t.func.rearrange(t.arange(3).reshape(1, 3, 1), "1 a 1 -> a").tolist())


@pytest.mark.parametrize("pattern", BAD)
def test_wrong_patterns_are_refused(pattern):
    refuse(lambda t: t.func.rearrange(t.zeros(2, 3, 4), pattern, **BAD[pattern]))
