"""``torch.testing._comparison``: the pairs that test suites of libraries build theirs on."""

from __future__ import annotations

import numpy as np

from tests.contract.programs import submodule, suite

program, test_same_program_same_notes = suite()


def meta(note, torch, call):
    """Note what *call* gives, or all of the error that it raises."""
    c = submodule(torch, "testing._comparison")
    try:
        found = call()
    except c.ErrorMeta as error:
        note((error.type.__name__, error.msg, error.id, str(error)))
    except Exception as error:
        note((type(error).__name__, str(error)))
    else:
        note(found if isinstance(found, (str, bool, int, float, tuple, list)) else repr(found))


@program
def errors_become_what_the_caller_sees(torch, ns, note):
    c = submodule(torch, "testing._comparison")
    for id in ((), (1, "a")):
        made = c.ErrorMeta(ValueError, "text", id=id)
        for msg in (None, "mine", lambda text: f"<{text}>"):
            note(repr(made.to_error(msg)))


@program
def tolerances(torch, ns, note):
    c = submodule(torch, "testing._comparison")
    t = torch.tensor
    meta(note, torch, lambda: c.default_tolerances(t(1.0), torch.float16))
    meta(note, torch, lambda: c.default_tolerances(t(1), torch.bool))
    meta(note, torch, lambda: c.default_tolerances("x"))
    meta(
        note, torch, lambda: c.default_tolerances(t(1.0), dtype_precisions={torch.float32: (1, 2)})
    )
    meta(note, torch, lambda: c.get_tolerances(t(1.0), rtol=None, atol=1.0, id=(3,)))
    meta(note, torch, lambda: c.get_tolerances(t(1.0), rtol=1.0, atol=None))
    meta(note, torch, lambda: c.get_tolerances(t(1.0), rtol=1, atol=2))
    meta(note, torch, lambda: c.get_tolerances(t(1.0), rtol=None, atol=None))


@program
def pairs_take_and_compare(torch, ns, note):
    c = submodule(torch, "testing._comparison")
    t = torch.tensor
    leaves = [None, True, 0, 1.5, 1 + 2j, np.bool_(False), np.float32(2), "a", t(1.0), t([1.0, 2])]
    for kind in (c.NonePair, c.BooleanPair, c.NumberPair, c.TensorLikePair, c.ObjectPair):
        for actual in leaves:
            for expected in leaves:
                if kind is c.ObjectPair and any(
                    isinstance(v, torch.Tensor) for v in (actual, expected)
                ):
                    continue
                if kind is c.NumberPair and any(isinstance(v, bool) for v in (actual, expected)):
                    continue
                meta(note, torch, lambda: kind(actual, expected, id=(0,)))
                meta(note, torch, lambda: kind(actual, expected, id=(0,)).compare())
    note(c.NumberPair(0, 0)._supported_types)
    note(c.BooleanPair(True, True, id=())._supported_types)
    note(sorted(vars(c.NumberPair(0, 1, foo=3))))
    note(sorted(vars(c.TensorLikePair(t(0.0), t(1.0), foo=3))))
    note(c.Pair.__abstractmethods__)


@program
def pairs_of_ones_own(torch, ns, note):
    c = submodule(torch, "testing._comparison")

    class Relaxed(c.NumberPair):
        def __init__(self, actual, expected, *, least=0.0, check_dtype=None, **other):
            super().__init__(actual, expected, check_dtype=False, **other)
            self.atol = max(self.atol, least)

        def _process_inputs(self, actual, expected, *, id):
            if not isinstance(actual, (torch.Tensor, *self._supported_types)):
                self._inputs_not_supported()
            return [self._to_number(v, id=id) for v in (actual, expected)]

        def _to_number(self, value, *, id):
            if isinstance(value, torch.Tensor):
                if value.numel() > 1:
                    self._fail(ValueError, "one element, please", id=id)
                return value.item()
            return super()._to_number(value, id=id)

    class Strings(c.Pair):
        def __init__(self, actual, expected, **other):
            self._check_inputs_isinstance(actual, expected, cls=str)
            super().__init__(actual, expected, **other)

        def compare(self):
            if self.actual != self.expected:
                self._fail(AssertionError, "strings differ")

    class Broken(Strings):
        def compare(self):
            raise KeyError("q")

    class NeverMade(Strings):
        def __init__(self, *args, **kwargs):
            raise KeyError("q")

    def close(*args, **kwargs):
        found = c.not_close_error_metas(*args, **kwargs)
        return [(m.type.__name__, m.msg, m.id) for m in found]

    t = torch.tensor
    kinds = (Relaxed, Strings)
    meta(note, torch, lambda: close([1, "a", {"k": t(2.0)}], [1, "b", {"k": 3}], pair_types=kinds))
    meta(note, torch, lambda: close([1.0], [2], pair_types=kinds, least=2.0))
    meta(note, torch, lambda: close([t([1.0, 2])], [2], pair_types=kinds))
    meta(note, torch, lambda: close("a", 4, pair_types=kinds))
    meta(note, torch, lambda: close([1], [1, 2], pair_types=kinds))
    meta(note, torch, lambda: close({"a": 1}, {"b": 1}, pair_types=kinds))
    meta(note, torch, lambda: close([1, 2], [1, 3]))
    meta(note, torch, lambda: close("a", "b", pair_types=(Broken,)))
    meta(note, torch, lambda: close(["a"], ["b"], pair_types=(NeverMade,)))
    layers = torch.nn.ModuleList([torch.nn.ReLU()])
    meta(
        note,
        torch,
        lambda: close(layers, [3], pair_types=kinds, sequence_types=(list, type(layers))),
    )
    meta(note, torch, lambda: [repr(p) for p in c.originate_pairs([1], [2], pair_types=kinds)])


@program
def texts(torch, ns, note):
    c = submodule(torch, "testing._comparison")
    t = torch.tensor
    for identifier in (None, "Those", lambda usual: f"odd {usual}"):
        for rtol in (0, 0.1):
            note(c.make_scalar_mismatch_msg(1, 2, rtol=rtol, atol=0, identifier=identifier))
            for a, b in ((t([1, 2]), t([1, 3])), (t([1.0, 2]), t([1.5, 3]))):
                note(
                    c.make_tensor_mismatch_msg(
                        a, b, a == b, rtol=rtol, atol=0, identifier=identifier
                    )
                )
    note(c._unwrap_dtensor_for_comparison(1, t(2.0)))
