"""torch.func.rearrange: dimensions by a pattern of names, and what it says of wrong patterns."""

import importlib
import warnings

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


SIDES = (
    "", "a b", "... a", "a (b ...) c", "a ... b ...", "...a", "a .. b", "(a", "a)", "((a))", "1",
    "() ()", "0", "-1", "(1 2) 3", "a a", "_a", "_", "a__b", "2a", "a,b", "class def", "axis",
    "(...)", "1 01",
)  # fmt: skip
PATTERNS = (
    ("a -> b -> c", {}), ("a", {}), ("a -> a", {}), ("a \u2026 -> a", {"\u2026": 2}), ("->", {}),
    ("a -> a ...", {}), ("a ... -> a", {}), ("(...) -> ...", {}), ("a -> a", {"2x": 1}),
    ("a -> a", {"a": 1.5}), ("a -> a", {"a": True}), ("a 2 -> a", {}), ("a -> b", {"a": None}),
    ("a (1 b) -> b 1 a", {"b": 3}),
)  # fmt: skip


def test_patterns_are_taken_apart_as_in_torch():
    """What parsers of patterns say of sides, of whole patterns and of names."""
    theirs = importlib.import_module("functorch.einops._parsing")
    ours = importlib.import_module("mindtorch.func.rearrange_pattern")

    def told(module, call):
        def shown(value):
            if isinstance(value, (list, tuple)):
                return [shown(v) for v in value]
            if isinstance(value, module.ParsedExpression):
                names = sorted(map(str, value.identifiers))
                facts = {k: v for k, v in vars(value).items() if k.startswith("has_")}
                return [shown(value.composition), names, facts]
            return repr(value)

        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            try:
                answer = shown(call(module))
            except Exception as error:
                answer = [type(error).__name__, str(error)]
        return answer, [(w.category, str(w.message)) for w in seen]

    for side in SIDES:
        for how in ({}, {"allow_underscore": True}, {"allow_duplicates": True}):
            asked = [told(m, lambda m: m.ParsedExpression(side, **how)) for m in (theirs, ours)]
            assert asked[0] == asked[1], (side, how)
        asked = [
            told(m, lambda m: m.ParsedExpression.check_axis_name(side)) for m in (theirs, ours)
        ]
        assert asked[0] == asked[1], side
    for pattern, lengths in PATTERNS:

        def checked(m):
            sides = m.parse_pattern(pattern, lengths)
            return sides, m.validate_rearrange_expressions(*sides, lengths)

        assert told(theirs, checked) == told(ours, checked), pattern
    for names in ([], ["a"], ["a", ["b", "c"]], (("a",), ()), "ab"):
        assert theirs.comma_separate(names) == ours.comma_separate(names)
