"""What a call was given and what it gave ends with its last user, however often such calls came.

What becomes known of a call by and by holds none of its tensors, storages or generators.
"""

from __future__ import annotations

import gc
import warnings
import weakref
from functools import partial

import mindtorch
import pytest
from mindtorch.utils._pytree import tree_leaves, tree_map

from ..samples import Maker, find
from .rows import NAMES, ROWS, forms

#: Such calls are known by then, with and without a gradient.
TIMES = 8
#: More rows than this take their first sample; others mean it as an error, or have none.
CALLED = 950
KINDS = mindtorch.Tensor, mindtorch.UntypedStorage


def test_known_calls_keep_nothing():
    gc.collect()
    gc.disable()  # nothing may need it
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = {name: left_by(name) for name in NAMES}
    finally:
        gc.enable()
    called = {name: left for name, left in found.items() if left is not None}
    assert len(called) > CALLED
    assert {name: left for name, left in called.items() if left} == {}


@pytest.mark.parametrize(
    "source", [lambda s: (s,), lambda s: (s, 1, (2,), (1,))], ids=["whole", "part"]
)
def test_a_storage_is_taken_as_it_comes(source):
    """Where a tensor may stand, too: each call has another, and holds it no longer than it runs."""
    first = []
    for number in range(TIMES):
        storage = mindtorch.full((3,), float(number)).untyped_storage()
        first.append(weakref.ref(storage))
        assert mindtorch.empty(0).set_(*source(storage))[0] == number
        del storage
    assert [ref() for ref in first] == [None] * TIMES


def left_by(name):
    """The kinds of what is alive once nobody holds it any more; None for a row that was not called.

    With gradients; without where that is refused, as for writes into leaves.
    """
    generator = find(ROWS[name].samples)
    call = None if generator is None else next(iter(generator(Maker(mindtorch, "float32"))), None)
    if call is None:
        return None
    run, refs = forms(ROWS[name])[0].ours, []
    for grad in (True, False):
        for _ in range(TIMES):
            refs += noted(run, call, grad)
        if refs:
            break
    else:
        return None
    return sorted({type(ref()).__name__ for ref in refs} - {"NoneType"})


def noted(run, call, grad):
    """Run *call* on copies of its own; references to all of them, and to what came of it."""
    args, kwargs = tree_map(partial(copied, grad=grad), tuple(call))
    given = [*tree_leaves(args), *tree_leaves(kwargs)]
    try:
        found = tree_leaves(run(*args, **kwargs))
        roots = [r.sum() for r in found if isinstance(r, mindtorch.Tensor) and r.requires_grad]
        for root in roots:
            root.abs().backward(retain_graph=True)
    except Exception:  # what samples mean as errors; what went before is let go all the same
        return []
    of_sample = {id(each) for each in tree_leaves(tuple(call))}  # a storage is not copied
    every = [each for each in (*given, *found) if id(each) not in of_sample]
    return [weakref.ref(each) for each in every if isinstance(each, KINDS)]


def copied(value, grad):
    """A tensor like *value*, which requires grad if it can and *grad* says so."""
    if not isinstance(value, mindtorch.Tensor):
        return value
    made = value.detach().clone()
    return (
        made.requires_grad_() if grad and (made.is_floating_point() or made.is_complex()) else made
    )
