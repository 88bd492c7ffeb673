"""``torch.utils.weak``: references to tensors and dictionaries by identity."""

from __future__ import annotations

import copy
import gc
import inspect
import weakref

import pytest
import torch.utils.weak  # noqa: F401  (torch loads it when it is asked for)

from .both_frameworks import BOTH, agree, ours, refuse


def test_references_are_equal_by_identity():
    """Two of one tensor are equal, those of equal tensors are not; dead ones only to themselves."""

    def facts(t):
        w = t.utils.weak
        x, y = t.ones(2), t.ones(2)
        a, b, c = w.WeakIdRef(x), w.WeakIdRef(x), w.WeakIdRef(y)
        alive = (a == b, a == c, hash(a) == hash(b), a() is x)
        del x
        gc.collect()
        return alive, a() is None, a == b, a == a

    agree(facts)


def test_dictionary_by_identity():
    """Entries go with their keys; the rest is what a dictionary does."""

    def facts(t):
        d = t.utils.weak.WeakTensorKeyDictionary()
        x, y = t.ones(2), t.ones(2)
        d[x], d[y] = 1, 2
        found = [d[x], d[y], len(d), x in d, t.ones(2) in d, 3 in d, d.get(t.ones(1), 7)]
        found += [d.setdefault(x, 9), sorted(d.values()), len(d.keyrefs()), len(list(d.items()))]
        both = d | {y: 5}
        found += [sorted(both.values()), sorted(({x: 8} | d).values()), d == d.copy()]
        d |= {x: 4}
        found += [d[x], copy.copy(d)[x], copy.deepcopy(d)[y], d.pop(x), d.pop(x, "no"), len(d)]
        found += [d.popitem()[1], len(d)]
        d[x] = 1
        del x
        gc.collect()
        return [*found, len(d), list(d.keys()), repr(d)[:21].rpartition(".")[2]]

    agree(facts)


def test_keys_that_go_while_one_iterates():
    """They stay until the loop is over, and are not counted."""

    def facts(t):
        d = t.utils.weak.WeakIdKeyDictionary()
        kept = [t.ones(1) for _ in range(4)]
        for i, x in enumerate(kept):
            d[x] = i
        del x
        found = []
        for _, value in d.items():
            found.append(value)
            if value == 0:
                kept.pop()
                gc.collect()
            found.append(len(d))
        return found, len(d.data)

    agree(facts)


def test_what_is_refused():
    """Missing keys, values that cannot be referred to, references to what is no tensor."""
    refuse(lambda t: t.utils.weak.WeakIdKeyDictionary().popitem())
    refuse(lambda t: t.utils.weak.WeakIdKeyDictionary({3: 1}))
    refuse(lambda t: t.utils.weak.TensorWeakRef(3))
    refuse(lambda t: hash(t.utils.weak.WeakIdKeyDictionary()))
    with pytest.raises(KeyError):
        ours.utils.weak.WeakIdKeyDictionary()[ours.ones(1)]


def test_reference_to_a_tensor():
    """Called, it gives the tensor while it lives."""

    def facts(t):
        x = t.ones(2)
        r = t.utils.weak.TensorWeakRef(x)
        alive = r() is x
        del x
        gc.collect()
        return alive, r() is None

    agree(facts)


def test_reference_that_knows_only_whether_a_tensor_is_gone():
    """It does not keep the tensor alive."""

    def facts(t):
        x = t.ones(2)
        r = t._C._WeakTensorRef(x)
        alive = r.expired()
        del x
        gc.collect()
        return alive, r.expired()

    assert agree(facts) == [False, True]


def test_names_and_signatures():
    """What torch's module names is there and is called the same way."""
    mine, theirs = (t.utils.weak for t in BOTH)
    for name in theirs.__all__:
        for n, f in vars(getattr(theirs, name)).items():
            if inspect.isfunction(f) and (n == "__init__" or not n.startswith("__")):
                one = getattr(getattr(mine, name), n)
                assert list(inspect.signature(one).parameters) == list(
                    inspect.signature(f).parameters
                )


def test_a_tensor_that_a_gradient_alone_held_stays():
    """What a weak reference gave lives on; ``_fix_weakref`` says so in torch."""

    def program(t):
        x, y = t.ones(2), t.ones(2)
        known = weakref.ref(x)
        y.grad = x
        del x
        found = known()
        found._fix_weakref()
        del y
        return found.sigmoid().shape == (2,), known() is found

    assert agree(program) == [True, True]
